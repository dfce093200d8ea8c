import Autowait
import AutowaitExperiment
import AutowaitFigures
import AutowaitScenario

/// Says which contestant to choose for which viewer.
enum ViewerRendering {
  /// The lines of the answer: what to choose, and for each viewer why.
  static func lines(_ comparison: Comparison) -> [ComparisonAnswer.AnswerLine] {
    let answers = comparison.result.viewerAnswers
    if answers.isEmpty { return [] }
    if answers.allSatisfy({ $0.best.isEmpty }) {
      return [("choose", "none of these: each stalls more than once a session and once a minute")]
    }
    return [("choose", choice(answers, comparison))]
      + answers.map { (head($0.viewer), reason($0, comparison)) }
  }

  /// The answer in a sentence: viewers for whom the same will do are named together.
  private static func choice(_ answers: [ViewerAnswer], _ comparison: Comparison) -> String {
    var groups: [(chosen: [Int], viewers: [Viewer])] = []
    for answer in answers {
      if let place = groups.firstIndex(where: { $0.chosen == answer.chosen }) {
        groups[place].viewers.append(answer.viewer)
      } else {
        groups.append((answer.chosen, [answer.viewer]))
      }
    }
    return groups.map { group in
      if group.chosen.isEmpty { return "no contestant \(wishes(group.viewers))" }
      return "\(choice(of: group.chosen, comparison)) \(wishes(group.viewers))"
    }.joined(separator: "; ")
  }

  /// Names those that will do, or those few that will not.
  private static func choice(of chosen: [Int], _ comparison: Comparison) -> String {
    let others = comparison.comparable.filter { !chosen.contains($0) }
    if chosen.count <= 4 || others.count > 3 { return names(chosen, comparison, "or") }
    return others.isEmpty ? "any" : "any but \(names(others, comparison, "and"))"
  }

  private static func wishes(_ viewers: [Viewer]) -> String {
    let wishes = viewers.map(wish)
    guard wishes.count > 1, let last = wishes.last else { return wishes.first ?? "" }
    return wishes.dropLast().joined(separator: ", ") + " and " + last
  }

  private static func wish(_ viewer: Viewer) -> String {
    switch viewer {
    case .leavesLateStarts: "for viewers who leave when playback starts late"
    case .hatesStalls: "for viewers who hate stalls"
    case .fewStalledSessions: "where at most \(stalledSessionsMax) of the sessions may stall"
    }
  }

  /// The most sessions that may stall, as people write it.
  private static var stalledSessionsMax: String {
    "\(ViewerPolicy.standard.stalledSessionsMax / 10_000)\(TerminalText.tie)%"
  }

  private static func head(_ viewer: Viewer) -> String {
    switch viewer {
    case .leavesLateStarts: "late starts"
    case .hatesStalls: "hated stalls"
    case .fewStalledSessions: "few stalls"
    }
  }

  /// What the best ones cost a viewer, and how far behind the others are.
  private static func reason(_ answer: ViewerAnswer, _ comparison: Comparison) -> String {
    guard let cost = answer.cost else { return none(answer.viewer, comparison) }
    var text = names(answer.best, comparison, "and") + ": "
    switch answer.viewer {
    case .leavesLateStarts: text += "\(ComparisonTable.percent(cost)) of the viewing is lost"
    case .hatesStalls:
      let weight = ViewerPolicy.standard.stallWeight
      text += "\(ComparisonTable.seconds(cost)) s, with each second of stall counted as \(weight)"
    case .fewStalledSessions:
      let stalled = share(of: answer.best[0], comparison).map(ComparisonTable.percent) ?? "0 %"
      text +=
        "starts after \(ComparisonTable.seconds(cost)) s, and \(stalled) of the sessions stall"
    }
    if let rival = answer.alike.first {
      let others = names(answer.alike.map { $0.contestant }, comparison, "and")
      let lead = answer.alike.count > 1 ? ", the first by " : " by "
      text += "; \(others) \(answer.alike.count > 1 ? "differ" : "differs")\(lead)"
      text += difference(rival, answer.viewer) + ", which can be chance"
    }
    if let next = answer.next {
      text += "; next is \(names([next.contestant], comparison, "")), "
      text += difference(next, answer.viewer)
    }
    return text + neverStarted(answer.best[0], comparison)
  }

  /// Says that a contestant never starts in sessions in which others do; nothing if it is no worse.
  private static func neverStarted(_ contestant: Int, _ comparison: Comparison) -> String {
    let counts = comparison.comparable.map { comparison.entries[$0].summary.neverStarted }
    let more = comparison.entries[contestant].summary.neverStarted - (counts.min() ?? 0)
    if more <= 0 { return "" }
    return
      "; but \(Plural.text(Int(more), "more session")) never \(more == 1 ? "starts" : "start") "
      + "than with others, which is not counted here"
  }

  private static func none(_ viewer: Viewer, _ comparison: Comparison) -> String {
    let shares = comparison.comparable.compactMap { index in
      share(of: index, comparison).map { (share: $0, index: index) }
    }
    guard viewer == .fewStalledSessions, let least = shares.min(by: { $0 < $1 }) else {
      return "none of these"
    }
    return "none of these; the fewest are those of \(names([least.index], comparison, "")), "
      + "\(ComparisonTable.percent(least.share)) of the sessions"
  }

  /// The sessions of a contestant with a stall, in millionths of those that count.
  private static func share(of contestant: Int, _ comparison: Comparison) -> Int64? {
    comparison.result.common.costs(of: contestant).flatMap {
      Ratio.millionths(Int128($0.sessionsWithStalls), of: Int128($0.count))
    }
  }

  /// Returns a difference with two digits behind the point, in points or seconds.
  private static func text(_ value: Int64, _ viewer: Viewer) -> String {
    guard viewer == .leavesLateStarts else { return ComparisonTable.signed(value) }
    // A hundredth of a per cent is a hundred millionths, a hundredth of a second 10⁷ ns.
    return ComparisonTable.signed(value * 100_000)
  }

  private static func difference(_ rival: ViewerAnswer.Rival, _ viewer: Viewer) -> String {
    func text(_ value: Int64) -> String { Self.text(value, viewer) }
    let unit = viewer == .leavesLateStarts ? " points" : " s"
    // What is less than is shown needs no interval of zeros.
    let ends = rival.difference.bounds.map { [$0.lowerBound, $0.upperBound] } ?? []
    if ([rival.difference.mean] + ends).allSatisfy({ text($0) == text(0) }) {
      return "less than 0.01\(unit)"
    }
    let bounds = rival.difference.bounds.map {
      " (\(text($0.lowerBound)) … \(text($0.upperBound)))"
    }
    return text(rival.difference.mean) + unit + (bounds ?? "")
  }

  private static func names(
    _ contestants: [Int], _ comparison: Comparison, _ word: String
  ) -> String {
    ComparisonAnswer.names(contestants.map { comparison.entries[$0] }, word: word)
  }

  /// What the answer goes by, and whose numbers it uses.
  static var note: String {
    let policy = ViewerPolicy.standard
    let percentOfMedia = "1\(TerminalText.tie)%"
    let percentOfViewing = "\(policy.lossPerStalledShare)\(TerminalText.tie)%"
    return "'Late starts': \(percent(policy.leavingPerSecond)) of the viewers leave for each "
      + "second of startup beyond \(policy.patience.nanoseconds / 1_000_000_000) s, and stalls of "
      + "\(percentOfMedia) of the media cost \(percentOfViewing) of the viewing (Krishnan and "
      + "Sitaraman, IMC 2012). 'Hated stalls': a second of stall is worth \(policy.stallWeight) s "
      + "of startup, assumed. 'Few stalls': the soonest start of those with stalls in at most "
      + "\(stalledSessionsMax) of the sessions, assumed."
  }

  /// What the sliders of the page do.
  static let choicesNote =
    "The sliders reorder the table below them: it holds the sums of the sessions that started "
    + "under all contestants. A line strikes out those that stall all the time, or in more "
    + "sessions than may stall."

  private static func percent(_ millionths: Int64) -> String {
    "\(millionths / 10_000).\(millionths / 1_000 % 10)\(TerminalText.tie)%"
  }

  /// Writes which contestants to choose for which viewers.
  static func write(_ result: ExperimentResult, into writer: inout JSONWriter) {
    func names(_ contestants: [Int]) -> [String] { contestants.map { result.contestants[$0].name } }
    writer.objects("viewers", result.viewerAnswers) { writer, answer in
      let kind: ColumnKind = answer.viewer == .leavesLateStarts ? .ratio : .time
      func write(_ rival: ViewerAnswer.Rival, _ writer: inout JSONWriter) {
        writer.field("contestant", text: result.contestants[rival.contestant].name)
        writer.number("mean", rival.difference.mean, kind)
        if let bounds = rival.difference.bounds {
          writer.array("interval", [bounds.lowerBound, bounds.upperBound]) { $0.number($1, kind) }
        } else {
          writer.nullField("interval")
        }
      }
      writer.field("viewer", text: answer.viewer.rawValue)
      writer.strings("choose", names(answer.chosen))
      writer.strings("best", names(answer.best))
      writer.number("cost", answer.cost, kind)
      writer.objects("alike", answer.alike) { write($1, &$0) }
      writer.key("next")
      if let next = answer.next {
        writer.object { write(next, &$0) }
      } else {
        writer.null()
      }
      writer.strings("order", names(answer.order))
    }
  }

  /// The contestants with what the page needs to order them for any viewer.
  static func choices(_ comparison: Comparison) -> ChoiceTable? {
    let common = comparison.result.common
    let known = comparison.comparable.compactMap { index -> (Int, CommonSessions.Costs)? in
      common.costs(of: index).map { (index, $0) }
    }
    if known.count < 2 { return nil }
    let choices = known.map { index, costs in
      var choice = ChoiceTable.Choice(
        name: comparison.entries[index].summary.name, sessions: costs.count,
        startup: costs.totals.startup, stalled: costs.totals.stalled,
        stalledSessions: costs.sessionsWithStalls)
      choice.isChosen = !costs.stallsOften
      return choice
    }
    return ChoiceTable(choices, stallWeight: ViewerPolicy.standard.stallWeight)
  }
}
