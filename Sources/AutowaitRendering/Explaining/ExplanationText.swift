import Autowait
import AutowaitExperiment
import AutowaitFigures
import AutowaitScenario

/// Says in sentences why the players of a run waited, and what would have spared them that.
package enum ExplanationText {
  /// Nothing narrower can be read.
  private static let widthMin = 40
  private static let indent = 15
  /// The most requests of a stall that are shown, and what else was tried.
  private static let requestsMax = 4
  private static let trialsMax = 5

  /// Returns the text.
  package static func text(_ run: RunExplanation, style: TextStyle) -> String {
    let width = max(style.width, widthMin)
    var page = TextPage(TextStyle(width: width, usesColor: style.usesColor))
    let scenario = run.result.scenario
    page.line(TerminalText.safe(scenario.title), .bold)
    for explanation in run.explanations {
      let player = explanation.player
      let words = RemedyWords(
        scenario: scenario, player: player, firstPlayed: explanation.outline.firstPlayed)
      if run.explanations.count > 1 {
        page.separate()
        page.line(TerminalText.safe(scenario.playerNames[player]), .bold)
      }
      startup(run, explanation, words, on: &page)
      stalls(run, explanation, words, on: &page)
      switches(run, player, on: &page)
    }
    page.separate()
    let runs = run.explanations.reduce(0) { $0 + $1.runCount }
    page.paragraph([], "found by running it \(Plural.text(runs, "time"))", .dim)
    return page.text
  }

  private static func paragraph(_ head: String, _ text: String, on page: inout TextPage) {
    page.paragraph([PaintedText(head, .dim)], text, indent: indent)
  }

  private static func line(_ head: String, _ texts: [String], on page: inout TextPage) {
    for (number, text) in texts.enumerated() {
      let head = TerminalText.padded(number == 0 ? "  \(head)" : "", columns: indent)
      paragraph(head, text, on: &page)
    }
  }

  // MARK: - The start

  private static func startup(
    _ run: RunExplanation, _ explanation: Explanation, _ words: RemedyWords,
    on page: inout TextPage
  ) {
    let outline = explanation.outline
    page.separate()
    guard let wished = outline.wished else { return page.line("playback was not requested", .bold) }
    guard let startup = outline.startup else {
      page.line("start", .bold)
      let since = TimelineNumbers.text(wished)
      line("never", ["playback was wished for at \(since), and never began"], on: &page)
      causes(explanation, words, on: &page)
      return
    }
    page.line("start", .bold)
    if startup == .zero { return line("at once", ["nothing was waited for"], on: &page) }
    line(
      "took",
      [
        "\(TimelineNumbers.text(startup)), from the wish to play at "
          + "\(TimelineNumbers.text(wished)) to \(TimelineNumbers.text(wished + startup))"
      ], on: &page)
    let path = CriticalPath(
      run.result, player: explanation.player, wished: wished,
      stories: run.stories[explanation.player])
    if let path {
      line("waited for", path.lines, on: &page)
    }
    causes(explanation, words, on: &page)
  }

  private static func causes(
    _ explanation: Explanation, _ words: RemedyWords, on page: inout TextPage
  ) {
    let costs = explanation.startup.map { cost in
      let without = cost.without.map { "starts after \(TimelineNumbers.text($0)) without it" }
      let alone = cost.alone.map { ", after \(TimelineNumbers.text($0)) with it alone" } ?? ""
      return "\(words.cause(cost.remedy)): \(without ?? "no start without it")\(alone)"
    }
    line("because of", costs, on: &page)
    if costs.count > 1, let rest = explanation.startupRest {
      line("the rest", ["\(TimelineNumbers.text(rest)) without all of these"], on: &page)
    }
  }

  // MARK: - A stall

  private static func stalls(
    _ run: RunExplanation, _ explanation: Explanation, _ words: RemedyWords,
    on page: inout TextPage
  ) {
    let count = explanation.outline.stoppages.reduce(0) { $0 + $1.count }
    var number = 1
    for reason in explanation.stalls {
      let last = number + reason.stoppage.count - 1
      let numbers = last == number ? "stall \(number)" : "stalls \(number) to \(last)"
      page.separate()
      page.line("\(numbers) of \(count)", .bold)
      stall(run, reason, explanation.player, words, on: &page)
      number = last + 1
    }
    if number <= count {
      page.separate()
      page.line("and \(Plural.text(count - number + 1, "stall")) more", .dim)
    }
  }

  private static func stall(
    _ run: RunExplanation, _ reason: Explanation.StallReason, _ player: Int,
    _ words: RemedyWords, on page: inout TextPage
  ) {
    let stoppage = reason.stoppage
    let span = TimelineNumbers.text(stoppage.span) + (stoppage.count > 1 ? " in all" : "")
    let end = TimelineNumbers.text(stoppage.end)
    let last = stoppage.isOver ? end : "\(end), and did not end by playing"
    let played = TimelineNumbers.text(stoppage.played)
    line(
      "lasted",
      [
        "\(span), from \(TimelineNumbers.text(stoppage.start)) to \(last), after \(played) of "
          + "playing"
      ], on: &page)
    let awaited = run.awaited(stoppage, of: player)
    var requests = awaited.prefix(requestsMax).map { request($0, stoppage, run.result) }
    if requests.isEmpty { requests = ["nothing that was asked for"] }
    if let came = run.came(in: stoppage, of: player) {
      requests.append("in all \(TimelineNumbers.text(came)) of media came")
    }
    if awaited.count > requestsMax { requests.append("\(awaited.count - requestsMax) more") }
    line("waited for", requests, on: &page)
    line("because of", named(reason.causes, words, run, player, stoppage), on: &page)
    let others = reason.causes.trials.filter { !reason.causes.named.contains($0.remedy) }
    line(
      "others",
      others.prefix(trialsMax).map { trial in
        let remains = trial.remains.map { "\(TimelineNumbers.text($0)) remain without it" }
        return "\(words.cause(trial.remedy)): \(remains ?? "playback comes less far without it")"
      }, on: &page)
    var answers = reason.counterfactuals.map { answer in
      words.answer(answer.remedy)
        + (answer.isMonotone ? "" : " (more is not always better: 200 values were run)")
    }
    if answers.isEmpty { answers = ["nothing that was tried"] }
    line("would help", answers, on: &page)
  }

  private static func named(
    _ causes: StallCauses, _ words: RemedyWords, _ run: RunExplanation, _ player: Int,
    _ stoppage: Stoppage
  ) -> [String] {
    if causes.named.isEmpty { return ["nothing that can be taken away alone or with another"] }
    let what = causes.named.map { words.cause($0) + details($0, run, player, stoppage) }
    if !causes.isEachEnough {
      return [what.joined(separator: ", together with ")]
    }
    return zip(causes.named, what).map { remedy, what in
      let trial = causes.trials.first { $0.remedy == remedy }
      let remains = trial?.remains ?? .zero
      let text = remains == .zero ? "gone" : "\(TimelineNumbers.text(remains)) remain"
      return "\(what): \(text) without it"
    }
  }

  /// Returns when that happened which made a stall, if it has a time of its own.
  private static func details(
    _ remedy: Remedy, _ run: RunExplanation, _ player: Int, _ stoppage: Stoppage
  ) -> String {
    let result = run.result
    switch remedy {
    case .outages:
      guard let outage = result.outages.last(where: { $0.start < stoppage.end }) else { return "" }
      return " (\(TimelineNumbers.text(outage.start)) to \(TimelineNumbers.text(outage.end)))"
    case .keys:
      let key = run.awaited(stoppage, of: player).first { story in
        if case .contentKey = story.request.resource { true } else { false }
      }
      guard let key else { return "" }
      return " (\(result.scenario.words(for: key.request)), asked for at "
        + "\(TimelineNumbers.text(key.request.opened)), there at \(TimelineNumbers.text(key.end)))"
    case .linkChanges:
      let change = Array(result.records).last { record in
        if case .linkChanged = record.event { record.instant < stoppage.end } else { false }
      }
      return change.map { " (at \(TimelineNumbers.text($0.instant)))" } ?? ""
    default: return ""
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
    case _ where story.end > stoppage.end: became = "was not whole when the stall was over"
    case .whole: became = "came \(after)"
    case .givenUp: became = "given up \(after)"
    case .failed: became = "failed \(after)"
    }
    return "\(what), \(size), asked for at \(asked): \(became)"
  }

  // MARK: - Variants

  private static func switches(
    _ run: RunExplanation, _ player: Int, on page: inout TextPage
  ) {
    let switches = run.switches[player].filter { $0.from != nil }
    if switches.isEmpty { return }
    let names = RungNames(run.result.scenario, player)
    page.separate()
    page.line("variants", .bold)
    for change in switches {
      guard let sample = change.sample?.players[player],
        let item = change.item ?? sample.currentItem
      else { continue }
      let rate = change.sample?.fillRates[player]
      let ahead = sample.loadedEnd - sample.currentTime
      let name = names.name(StreamHistory.ItemVariant(item: item, variant: change.to))
      line(
        TimelineNumbers.text(change.instant),
        [
          "to \(name), with \(TimelineNumbers.text(ahead)) ahead"
            + (rate.map { ", filled at \(TimelineNumbers.text($0))" } ?? "")
        ], on: &page)
    }
  }
}
