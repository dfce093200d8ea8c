import Autowait
import AutowaitExperiment
import AutowaitScenario

/// Writes why the players of a run waited as one JSON object.
package enum ExplanationJSON {
  private static let formatVersion: Int64 = 1

  /// Returns the object, in one line.
  package static func bytes(_ run: RunExplanation) -> [UInt8] {
    let scenario = run.result.scenario
    return JSONWriter.line(capacity: 4_096) { writer in
      writer.field("version", formatVersion)
      ToolVersion.write(into: &writer)
      writer.field("scenario", text: scenario.title)
      writer.objects("players", run.explanations) { writer, explanation in
        let words = RemedyWords(
          scenario: scenario, player: explanation.player,
          firstPlayed: explanation.outline.firstPlayed)
        writer.field("player", text: scenario.playerNames[explanation.player])
        writer.object("startup") { write(run, explanation, words, into: &$0) }
        let count = explanation.outline.stoppages.reduce(0) { $0 + $1.count }
        writer.field("stallCount", Int64(count))
        let failures = FailureWords(run.result, player: explanation.player)
        writer.objects("stalls", explanation.stalls) { writer, reason in
          write(run, reason, explanation.player, words, into: &writer)
          let awaited = run.awaited(reason.stoppage, of: explanation.player)
          write(failures.groups(in: reason.stoppage, awaited: awaited), into: &writer)
        }
        writer.objects("failedItems", failures.failedItems) { writer, failed in
          writer.field("item", Int64(failed.item))
          writer.field("t", seconds: (failed.instant - .start).nanoseconds)
          write(failures.groups(ofItem: failed.item, until: failed.instant), into: &writer)
        }
        writer.objects("variants", run.switches[explanation.player]) { writer, change in
          writer.field("t", seconds: (change.instant - .start).nanoseconds)
          writer.field("from", change.from.map { Int64($0) })
          writer.field("to", Int64(change.to))
          let sample = change.sample?.players[explanation.player]
          writer.field(
            "ahead", seconds: sample.map { ($0.loadedEnd - $0.currentTime).nanoseconds })
          let rate = change.sample?.fillRates[explanation.player]
          writer.field("fillRate", rate.map { $0.bitsPerSecond })
        }
        writer.field("runs", Int64(explanation.runCount))
      }
    }
  }

  private static func write(
    _ failures: [FailureWords.FailureGroup], into writer: inout JSONWriter
  ) {
    writer.objects("wentWrong", failures) { writer, group in
      writer.field("code", Int64(group.first.errorStatusCode))
      writer.field("comment", text: group.first.errorComment)
      writer.field("first", seconds: (group.first.date - .start).nanoseconds)
      writer.field("last", seconds: (group.last - .start).nanoseconds)
      writer.field("count", Int64(group.count))
    }
  }

  private static func write(
    _ run: RunExplanation, _ explanation: Explanation, _ words: RemedyWords,
    into writer: inout JSONWriter
  ) {
    let outline = explanation.outline
    writer.field("wished", seconds: outline.wished.map { ($0 - .start).nanoseconds })
    writer.field("time", seconds: outline.startup?.nanoseconds)
    let path = outline.wished.flatMap { wished in
      CriticalPath(
        run.result, player: explanation.player, wished: wished,
        stories: run.stories[explanation.player])
    }
    writer.objects("path", path?.parts ?? []) { writer, part in
      writer.field("seconds", seconds: part.span.nanoseconds)
      writer.field("waitedFor", text: part.words)
    }
    writer.objects("causes", explanation.startup) { writer, cost in
      writer.field("cause", text: words.key(cost.remedy))
      writer.field("without", seconds: cost.without?.nanoseconds)
      writer.field("alone", seconds: cost.alone?.nanoseconds)
    }
  }

  private static func write(
    _ run: RunExplanation, _ reason: Explanation.StallReason, _ player: Int,
    _ words: RemedyWords, into writer: inout JSONWriter
  ) {
    let stoppage = reason.stoppage
    writer.field("start", seconds: (stoppage.start - .start).nanoseconds)
    writer.field("end", seconds: (stoppage.end - .start).nanoseconds)
    writer.field("count", Int64(stoppage.count))
    writer.field("stalled", seconds: stoppage.span.nanoseconds)
    writer.field("goesOn", stoppage.isOver)
    writer.field("played", seconds: stoppage.played.nanoseconds)
    writer.objects("waitedFor", run.awaited(stoppage, of: player)) { writer, story in
      writer.field("transfer", Int64(story.transfer))
      writer.field("what", text: run.result.scenario.words(for: story.request))
      writer.field("bytes", story.request.size.bytes)
      writer.field("asked", seconds: (story.request.opened - .start).nanoseconds)
      writer.field("end", seconds: (story.end - .start).nanoseconds)
    }
    writer.strings("causes", reason.causes.named.map { words.key($0) })
    writer.field("eachEnough", reason.causes.isEachEnough)
    writer.objects("without", reason.causes.trials) { writer, trial in
      writer.field("cause", text: words.key(trial.remedy))
      writer.field("remains", seconds: trial.remains?.nanoseconds)
    }
    writer.objects("wouldHelp", reason.counterfactuals ?? []) { writer, answer in
      writer.field("change", text: words.key(answer.remedy))
      if let value = words.value(answer.remedy) {
        writer.field("value", value.number)
        writer.field("unit", text: value.unit)
      }
      writer.field("words", text: TerminalText.withoutTies(words.answer(answer.remedy)))
      writer.field("monotone", answer.isMonotone)
    }
  }
}
