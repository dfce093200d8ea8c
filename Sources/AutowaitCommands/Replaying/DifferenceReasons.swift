import Autowait
import AutowaitRendering
import AutowaitScenario

/// Why one of two runs stalls longer than the other one: what makes its stall, and which of the
/// differences between the scenarios takes it away alone.
struct DifferenceReasons {
  private let words: [WordDifference]
  private let files: ScenarioFiles

  /// So many differences are tried one by one, in runs of so many events; assumed.
  private static let triesMax = 20
  private static let eventsMax = 200_000

  init(_ difference: RunDifference, files: ScenarioFiles) {
    (words, self.files) = (difference.words, files)
  }

  /// Returns the sentences; none if both stall as long, or if a run cannot be run again.
  func sentences(_ first: RunResult?, _ second: RunResult?) -> [String] {
    guard let first, let second else { return [] }
    let (one, other) = (Self.stalled(first), Self.stalled(second))
    if one == other { return [] }
    let isFirst = one > other
    let result = isFirst ? first : second
    let (mark, otherMark) = isFirst ? ("-", "+") : ("+", "-")
    var reasons = WaitReasons(result)
    var sentences: [String] = []
    let players = result.metrics.indices.sorted {
      result.metrics[$0].timeSpentRecoveringFromStall
        > result.metrics[$1].timeSpentRecoveringFromStall
    }
    if let player = players.first, let reason = reasons.stall(of: player) {
      let name = players.count > 1 ? " of \(result.scenario.playerNames[player])" : ""
      sentences.append("in \(mark), \(reason)\(name)")
    }
    return sentences + deciding(result, takesSecond: isFirst, mark, otherMark)
  }

  /// Says which difference alone takes away at least half of what one run stalls longer.
  private func deciding(
    _ result: RunResult, takesSecond: Bool, _ mark: String, _ otherMark: String
  ) -> [String] {
    guard words.count > 1, words.count <= Self.triesMax, !result.scenario.asksPrograms,
      result.eventCount <= Self.eventsMax,
      let root = Findings(SourceText(path: "", bytes: result.scenario.resolved)).parseJSON()
    else { return [] }
    let draft = Draft(root)
    let whole = Self.stalled(result)
    var best: (path: String, stalled: TimeSpan)?
    for word in words {
      guard let changed = draft.setting(takesSecond ? word.second : word.first, at: word.path)
      else { continue }
      let source = SourceText(path: result.scenario.path, text: changed.text)
      guard let scenario = files.read(source).scenario else { continue }
      let stalled = Self.stalled(ScenarioRun.summary(scenario))
      if stalled < best?.stalled ?? whole { best = (word.path, stalled) }
    }
    guard let best, best.stalled.nanoseconds <= whole.nanoseconds / 2 else {
      return ["no single difference between the scenarios takes away half of what \(mark) stalls"]
    }
    let rest = best.stalled == .zero ? "never stalls" : "stalls \(Self.text(best.stalled))"
    return [
      "with \(best.path) of \(otherMark) alone, \(mark) \(rest), rather than \(Self.text(whole))"
    ]
  }

  private static func text(_ span: TimeSpan) -> String { TimelineNumbers.text(span) }

  private static func stalled(_ result: RunResult) -> TimeSpan {
    result.metrics.reduce(.zero) { $0 + $1.timeSpentRecoveringFromStall }
  }
}

extension Draft {
  /// Returns the value with a text of JSON at a path such as `script[1].at`, or with nothing there;
  /// nil if there is no such place.
  fileprivate func setting(_ text: String?, at path: String) -> Draft? {
    var value: Draft?
    if let text {
      guard let root = Findings(SourceText(path: "", text: text)).parseJSON() else { return nil }
      value = Draft(root)
    }
    var steps: [String] = []
    for key in path.split(separator: ".") {
      for step in key.split(separator: "[") { steps.append(String(step)) }
    }
    return setting(value, at: steps[...])
  }

  private func setting(_ value: Draft?, at steps: ArraySlice<String>) -> Draft? {
    guard let step = steps.first else { return value }
    let isLast = steps.count == 1
    guard step.last == "]", let index = Int(step.dropLast()) else {
      guard case .object = self else { return nil }
      var copy = self
      if isLast {
        copy[step] = value
        return copy
      }
      guard let inner = self[step]?.setting(value, at: steps.dropFirst()) else { return nil }
      copy[step] = inner
      return copy
    }
    guard case .array(var elements) = self, index <= elements.count else { return nil }
    if isLast {
      let isNew = index == elements.count
      elements.replaceSubrange(index..<(isNew ? index : index + 1), with: value.map { [$0] } ?? [])
      return .array(elements)
    }
    guard index < elements.count,
      let inner = elements[index].setting(value, at: steps.dropFirst())
    else { return nil }
    elements[index] = inner
    return .array(elements)
  }
}
