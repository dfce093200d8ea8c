import Autowait
import AutowaitRendering
import AutowaitScenario

/// What was taken away from a scenario, in words.
struct ShrinkSummary {
  /// The parts that are counted, by the keys of the arrays that they stand in.
  private static let counted: [(key: String, word: String)] = [
    ("script", "step"), ("players", "player"), ("media", "item"), ("variants", "variant"),
    ("sizes", "segment"), ("segments", "segment"), ("track", "link sample"),
    ("events", "link event"), ("traffic", "flow"), ("failures", "failure"),
    ("expect", "expectation"),
  ]

  /// The sentences, the most important first.
  let lines: [String]

  init(_ shrinking: ScenarioShrinking, _ shrunk: ScenarioShrinking.Shrunk) {
    let (before, after) = (shrinking.subject.draft, shrunk.draft)
    var parts: [String] = []
    for (key, word) in Self.counted {
      let (old, new) = (Self.count(key, before), Self.count(key, after))
      if old > new { parts.append("\(new) of \(Plural.text(old, word))") }
    }
    let bytes = (before.text.utf8.count, after.text.utf8.count)
    parts.append("\(Plural.text(bytes.1, "byte")) for \(bytes.0)")
    lines = [
      "kept: \(Self.words(shrinking, shrunk))",
      "left: " + parts.joined(separator: ", "),
      "found by running \(Plural.text(shrunk.tryCount, "smaller scenario")); "
        + (shrunk.isDone
          ? "nothing more can be left out alone"
          : "it stopped there, and may get smaller still"),
    ]
  }

  private static func count(_ key: String, _ draft: Draft) -> Int {
    var count = 0
    if case .array(let elements)? = draft[key] { count += elements.count }
    for part in draft.parts { count += self.count(key, part) }
    return count
  }

  /// Says what was kept, as it was and as it is.
  private static func words(
    _ shrinking: ScenarioShrinking, _ shrunk: ScenarioShrinking.Shrunk
  ) -> String {
    switch shrinking.keep {
    case .stall, .startup:
      let (old, new) = (
        shrinking.keep.wait(in: shrinking.scenario), shrinking.keep.wait(in: shrunk.scenario)
      )
      guard let old, let new else { preconditionFailure("a wait was kept that is not there") }
      let word = shrinking.keep == .stall ? "a stall" : "a startup"
      let never = shrinking.keep == .stall ? "that does not end" : "that never comes to playing"
      let end = old.isOver ? "" : " \(never)"
      return "\(word) of \(TimelineNumbers.text(new.span))\(end), for one of "
        + TimelineNumbers.text(old.span)
    case .event(let name): return "the event '\(name)'"
    case .expectation(let number):
      guard case .outcome(let isMet, _, _, _) = shrinking.seen else { return "" }
      let text = shrinking.scenario.expectations[number - 1].text
      return "expectation \(number), \(isMet ? "met" : "missed"): \(text)"
    }
  }
}
