import Autowait
import AutowaitExperiment
import AutowaitScenario

/// What is said of a part of a run: of its start, of a stall, of the variants.
struct ExplanationSection {
  /// A line of several texts with a word before them.
  typealias Line = (head: String, texts: [String])

  let title: String
  /// Whether it says only that there is more.
  var isAside = false
  var lines: [Line] = []

  /// Whether it is of a wait, and not of variants or of what took no time.
  var isWait: Bool { title != "variants" && lines.count > 1 }

  /// The most requests of a stall that are shown, and what else was tried.
  private static let requestsMax = 4
  private static let trialsMax = 5

  /// Returns what is to be said of a player.
  static func all(_ run: RunExplanation, _ explanation: Explanation) -> [ExplanationSection] {
    let words = RemedyWords(
      scenario: run.result.scenario, player: explanation.player,
      firstPlayed: explanation.outline.firstPlayed)
    let failures = FailureWords(run.result, player: explanation.player)
    return [startup(run, explanation, words, failures)]
      + stalls(run, explanation, words, failures) + failedItems(run, explanation, failures)
      + [switches(run, explanation.player)].compactMap { $0 }
  }

  // MARK: - The start

  private static func startup(
    _ run: RunExplanation, _ explanation: Explanation, _ words: RemedyWords,
    _ failures: FailureWords
  ) -> ExplanationSection {
    let outline = explanation.outline
    guard let wished = outline.wished else {
      return ExplanationSection(title: "playback was never requested")
    }
    var section = ExplanationSection(title: "start")
    guard let startup = outline.startup else {
      let since = TimelineNumbers.text(wished)
      section.lines = [("never", ["playback was requested at \(since), and never began"])]
      section.lines += wentWrong(failures.groups(from: wished, to: run.result.end))
      section.lines += causes(explanation, words)
      return section
    }
    if startup == .zero {
      section.lines = [("at once", ["nothing was waited for"])]
      return section
    }
    section.lines = [
      (
        "took",
        [
          "\(TimelineNumbers.text(startup)), from the wish to play at "
            + "\(TimelineNumbers.text(wished)) to \(TimelineNumbers.text(wished + startup))"
        ]
      )
    ]
    let path = CriticalPath(
      run.result, player: explanation.player, wished: wished,
      stories: run.stories[explanation.player])
    if let path { section.lines.append(("waited for", path.lines)) }
    section.lines += wentWrong(failures.groups(from: wished, to: wished + startup))
    section.lines += causes(explanation, words)
    return section
  }

  private static func causes(_ explanation: Explanation, _ words: RemedyWords) -> [Line] {
    let costs = explanation.startup.map { cost in
      let without = cost.without.map { "starts after \(TimelineNumbers.text($0)) without it" }
      let alone = cost.alone.map { ", after \(TimelineNumbers.text($0)) with it alone" } ?? ""
      return "\(words.cause(cost.remedy)): \(without ?? "no start without it")\(alone)"
    }
    var lines: [Line] = [("because of", costs)]
    if costs.count > 1, let rest = explanation.startupRest {
      lines.append(("the rest", ["\(TimelineNumbers.text(rest)) without all of these"]))
    }
    return lines
  }

  // MARK: - A stall

  private static func stalls(
    _ run: RunExplanation, _ explanation: Explanation, _ words: RemedyWords,
    _ failures: FailureWords
  ) -> [ExplanationSection] {
    var sections: [ExplanationSection] = []
    let count = explanation.outline.stoppages.reduce(0) { $0 + $1.count }
    var number = 1
    for reason in explanation.stalls {
      let last = number + reason.stoppage.count - 1
      let numbers = last == number ? "stall \(number)" : "stalls \(number) to \(last)"
      var lines = stall(run, reason, explanation.player, words)
      let awaited = run.awaited(reason.stoppage, of: explanation.player)
      // Behind what it lasted and waited for.
      lines.insert(
        contentsOf: wentWrong(failures.groups(in: reason.stoppage, awaited: awaited)), at: 2)
      sections.append(ExplanationSection(title: "\(numbers) of \(count)", lines: lines))
      number = last + 1
    }
    if number <= count {
      sections.append(
        ExplanationSection(
          title: "and \(Plural.text(count - number + 1, "stall")) more", isAside: true))
    }
    return sections
  }

  private static func stall(
    _ run: RunExplanation, _ reason: Explanation.StallReason, _ player: Int, _ words: RemedyWords
  ) -> [Line] {
    let stoppage = reason.stoppage
    let span = TimelineNumbers.text(stoppage.span) + (stoppage.count > 1 ? " in all" : "")
    let end = TimelineNumbers.text(stoppage.end)
    let last = stoppage.isOver ? end : "\(end), and did not end by playing"
    let played = TimelineNumbers.text(stoppage.played)
    var lines: [Line] = [
      (
        "lasted",
        [
          "\(span), from \(TimelineNumbers.text(stoppage.start)) to \(last), after \(played) of "
            + "playing"
        ]
      )
    ]
    let awaited = run.awaited(stoppage, of: player)
    var requests = awaited.prefix(requestsMax).map { request($0, stoppage, run.result) }
    if requests.isEmpty { requests = ["nothing that was asked for"] }
    if let came = run.came(in: stoppage, of: player) {
      requests.append("\(TimelineNumbers.text(came)) of media arrived in total")
    }
    if awaited.count > requestsMax { requests.append("\(awaited.count - requestsMax) more") }
    lines.append(("waited for", requests))
    let cause = CauseWords(result: run.result, stories: run.stories[player], words: words)
    lines.append(("because of", cause.named(reason.causes, stoppage)))
    // What changes nothing is no cause, and what makes playback come less far is none, either.
    let others = reason.causes.trials.compactMap { trial -> String? in
      guard !reason.causes.named.contains(trial.remedy), let remains = trial.remains,
        remains < stoppage.span
      else { return nil }
      return "\(words.cause(trial.remedy)): \(TimelineNumbers.text(remains)) remain without it"
    }
    lines.append(("others", Array(others.prefix(trialsMax))))
    lines.append(("would help", answers(reason, words)))
    return lines
  }

  /// A line of what went wrong; none if nothing did.
  private static func wentWrong(_ groups: [FailureWords.FailureGroup]) -> [Line] {
    groups.isEmpty ? [] : [("went wrong", FailureWords.lines(groups))]
  }

  private static func failedItems(
    _ run: RunExplanation, _ explanation: Explanation, _ failures: FailureWords
  ) -> [ExplanationSection] {
    let count = run.result.scenario.world.players[explanation.player].media.count
    return failures.failedItems.map { failed in
      let item = count > 1 ? "item \(failed.item + 1) failed" : "the item failed"
      return ExplanationSection(
        title: item,
        lines: [("at", [TimelineNumbers.text(failed.instant)])]
          + wentWrong(failures.groups(ofItem: failed.item, until: failed.instant)))
    }
  }

  private static func answers(
    _ reason: Explanation.StallReason, _ words: RemedyWords
  ) -> [String] {
    guard let counterfactuals = reason.counterfactuals else {
      return ["not searched here; 'autowait explain' does"]
    }
    if counterfactuals.isEmpty { return ["nothing that was tried"] }
    return counterfactuals.map { answer in
      words.answer(answer.remedy)
        + (answer.isMonotone ? "" : " (more is not always better: 200 values were run)")
    }
  }

  private static func request(
    _ story: RequestStory, _ stoppage: Stoppage, _ result: RunResult
  ) -> String {
    let what = result.scenario.words(for: story.request)
    var size = TimelineNumbers.text(story.request.size)
    let length = story.end - story.request.opened
    if story.outcome == .whole, story.request.size > .zero, length > .zero {
      let rate = Int128(story.request.size.bytes) * 8_000_000_000 / Int128(length.nanoseconds)
      let rounded = TimelineNumbers.rounded(Int64(clamping: rate))
      size += " at \(TimelineNumbers.text(BitRate(bitsPerSecond: rounded)))"
    }
    let asked = TimelineNumbers.text(story.request.opened)
    let late = (story.end - stoppage.start)
    let after = "\(TimelineNumbers.text(late)) into the stall"
    let became: String
    switch story.outcome {
    case .open: became = "did not come"
    case _ where story.end > stoppage.end: became = "was incomplete when the stall was over"
    case .whole: became = "came \(after)"
    case .givenUp: became = "given up \(after)"
    case .failed: became = "failed \(after)"
    }
    return "\(what), \(size), asked for at \(asked): \(became)"
  }

  // MARK: - Variants

  private static func switches(_ run: RunExplanation, _ player: Int) -> ExplanationSection? {
    let switches = run.switches[player].filter { $0.from != nil }
    if switches.isEmpty { return nil }
    let names = RungNames(run.result.scenario, player)
    var section = ExplanationSection(title: "variants")
    for change in switches {
      guard let sample = change.sample?.players[player],
        let item = change.item ?? sample.currentItem
      else { continue }
      let rate = change.sample?.fillRates[player]
      let ahead = sample.loadedEnd - sample.currentTime
      let name = names.name(StreamHistory.ItemVariant(item: item, variant: change.to))
      let text =
        "to \(name), with \(TimelineNumbers.text(ahead)) ahead"
        + (rate.map { ", filled at \(TimelineNumbers.text($0))" } ?? "")
      section.lines.append((TimelineNumbers.text(change.instant), [text]))
    }
    return section
  }
}
