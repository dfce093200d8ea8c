import Autowait
import AutowaitScenario

/// Looks for the smallest scenario that still shows something.
struct ScenarioShrinking {
  /// What came of it.
  struct Shrunk {
    let draft: Draft
    let scenario: Scenario
    let tryCount: Int
    /// Whether everything was tried that could be.
    let isDone: Bool
  }

  let subject: ShrinkSubject
  let keep: KeptThing
  /// What the scenario shows before.
  let seen: KeptSight
  /// The scenario as it is before.
  let scenario: Scenario
  /// The members of the scenario that stay as they are.
  var fixedKeys: [String] = []
  private let warningsMax: Int
  private let eventsMax: Int

  /// The most scenarios that are tried.
  static let triesMax = 50_000
  /// A scenario may take more events than the one that it is made of, but not many times as many.
  private static let eventsFactor = 10
  private static let eventsLeast = 100_000
  /// A scenario of this size stands in one file even if one that names others is smaller: it can be
  /// sent as it is; assumed.
  private static let spelledBytesMax: Int64 = 2_000

  /// Begins with a scenario; nil if it does not show the thing.
  init?(_ subject: ShrinkSubject, keep: KeptThing) {
    let (scenario, findings) = subject.read(subject.draft)
    guard let scenario else { return nil }
    let (sight, eventCount) = keep.sight(of: scenario)
    guard let sight else { return nil }
    (self.subject, self.keep, self.scenario) = (subject, keep, scenario)
    seen = sight
    warningsMax = findings.count { $0.severity == .warning }
    eventsMax = max(Self.eventsLeast, eventCount * Self.eventsFactor)
  }

  /// Looks for it; tells how many scenarios were tried.
  func shrunk(progress: @escaping (Int) -> Void) -> Shrunk {
    var start = subject.draft
    for key in ["$schema", "xfail", "tags"] { start[key] = nil }
    if case .expectation(let number) = keep, case .array(let all)? = start["expect"] {
      start["expect"] = .array([all[number - 1]])
    } else {
      start["expect"] = nil
    }
    if !holds(start) { start = subject.draft }
    var shrinking = shrinking(start, from: 0, progress)
    shrinking.run()
    var (best, tryCount) = (shrinking.best, shrinking.tryCount)
    var isDone = !shrinking.isSpent
    // What stands in files may be smaller once it stands in the scenario, and is cut there.
    let spelled = SpelledFiles(best, subject)
    if let draft = spelled.draft, holds(draft) {
      var inside = self.shrinking(draft, from: tryCount, progress)
      inside.run()
      tryCount += inside.tryCount
      let most = max(Int64(best.text.utf8.count) + spelled.bytes, Self.spelledBytesMax)
      if Int64(inside.best.text.utf8.count) <= most {
        best = inside.best
        isDone = !inside.isSpent
      }
    }
    guard let scenario = subject.read(best).scenario else {
      preconditionFailure("what was shrunk cannot be read")
    }
    return Shrunk(draft: best, scenario: scenario, tryCount: tryCount, isDone: isDone)
  }

  private func shrinking(
    _ draft: Draft, from count: Int, _ progress: @escaping (Int) -> Void
  ) -> DraftShrinking {
    var tries = count
    var shrinking = DraftShrinking(draft, triesMax: Self.triesMax - count) { draft in
      tries += 1
      progress(tries)
      return holds(draft)
    }
    shrinking.moves = { ScenarioMoves.all(of: $0) }
    return shrinking
  }

  /// Whether a scenario can be read, and shows the thing.
  func holds(_ draft: Draft) -> Bool {
    guard draft["autowait"] != nil, isExpected(draft),
      fixedKeys.allSatisfy({ draft[$0] == subject.draft[$0] })
    else { return false }
    let (read, findings) = subject.read(draft)
    guard var scenario = read,
      findings.count(where: { $0.severity == .warning }) <= warningsMax
    else { return false }
    scenario.world.eventsMax = min(scenario.world.eventsMax, eventsMax)
    guard let sight = keptInDraft.sight(of: scenario).sight else { return false }
    return seen.isShown(by: sight)
  }

  /// The thing in a scenario that has only one expectation left.
  private var keptInDraft: KeptThing {
    if case .expectation = keep { .expectation(1) } else { keep }
  }

  /// Whether the expectation that is kept stands there as it did; only the name of the only player
  /// may be gone.
  private func isExpected(_ draft: Draft) -> Bool {
    guard case .expectation(let number) = keep else { return true }
    guard case .array(let all)? = subject.draft["expect"], case .array(let left)? = draft["expect"],
      left.count == 1
    else { return false }
    var (before, after) = (all[number - 1], left[0])
    if draft["players"] == nil { (before["player"], after["player"]) = (nil, nil) }
    return before == after
  }
}
