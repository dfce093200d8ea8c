import Autowait
import AutowaitExperiment
import AutowaitScenario

/// What a smaller scenario still has to show.
enum KeptThing: Hashable {
  /// A stall: the longest of the run.
  case stall
  /// A late start: the latest of the run, or that there is none.
  case startup
  /// An event of a name.
  case event(String)
  /// The result of an expectation, counted from 1 in the order of the file.
  case expectation(Int)

  /// Reads what an option says; nil for what is none of them.
  init?(_ text: String) {
    switch text {
    case "stall": self = .stall
    case "startup": self = .startup
    default:
      if let number = Int(text), number > 0 {
        self = .expectation(number)
      } else if Event.names.contains(text) {
        self = .event(text)
      } else {
        return nil
      }
    }
  }
}

/// What a run shows of a thing that is kept.
enum KeptSight: Hashable {
  /// A wait: its order of magnitude, a power of ten of nanoseconds, and whether it came to its end.
  case wait(order: Int, isOver: Bool)
  /// The event came.
  case event
  /// What became of the expectation, and by what it is told.
  case outcome(isMet: Bool, isImpossible: Bool, evidence: String, rest: KeptRest?)

  /// Whether the sight of another run shows the same: no wait is too long.
  func isShown(by other: KeptSight) -> Bool {
    guard case .wait(let order, let isOver) = self else { return self == other }
    guard case .wait(let otherOrder, isOver) = other else { return false }
    return otherOrder >= order
  }
}

/// How a run goes on in which something does not happen: a shorter one would not happen to show it.
struct KeptRest: Hashable {
  let finish: FinishReason
  let order: Int
}

extension KeptThing {
  /// Returns what a run of a scenario shows of the thing, and how many events it takes; nil if it
  /// does not show it, is cut off, or would have to ask a program.
  func sight(of scenario: Scenario) -> (sight: KeptSight?, eventCount: Int) {
    if scenario.asksPrograms { return (nil, 0) }
    switch self {
    case .stall, .startup:
      guard let outline = RunOutline(of: scenario.world) else { return (nil, 0) }
      let sight = wait(in: outline).map {
        KeptSight.wait(order: Self.order(of: $0.span), isOver: $0.isOver)
      }
      return (sight, outline.eventCount)
    case .event(let name):
      var simulation = Simulation(scenario.world)
      var isSeen = false
      _ = simulation.run { record in if "\(record.event.name)" == name { isSeen = true } }
      let isCutOff = simulation.finishReason == .eventLimit && name != "finished"
      return (isSeen && !isCutOff ? .event : nil, simulation.eventCount)
    case .expectation(let number):
      guard scenario.expectations.indices.contains(number - 1) else { return (nil, 0) }
      var scenario = scenario
      scenario.expectations = [scenario.expectations[number - 1]]
      let result = ScenarioRun.run(scenario)
      return (Self.sight(of: result), result.eventCount)
    }
  }

  /// The longest wait of a run: how long it is, and whether it came to its end.
  typealias Wait = (span: TimeSpan, isOver: Bool)

  /// Returns the wait that is kept in a scenario; nil if it has none.
  func wait(in scenario: Scenario) -> Wait? {
    RunOutline(of: scenario.world).flatMap { wait(in: $0) }
  }

  private func wait(in outline: RunOutline) -> Wait? {
    var longest: Wait?
    for player in outline.players {
      for wait in self == .stall ? Self.stalls(of: player) : Self.startup(of: player, outline.end)
      where wait.span > longest?.span ?? .zero {
        longest = wait
      }
    }
    return longest
  }

  private static func stalls(of player: RunOutline.PlayerOutline) -> [Wait] {
    player.stoppages.map { ($0.span, $0.isOver) }
  }

  private static func startup(of player: RunOutline.PlayerOutline, _ end: Instant) -> [Wait] {
    guard let wished = player.wished else { return [] }
    return [player.startup.map { ($0, true) } ?? (end - wished, false)]
  }

  /// The number of digits of the nanoseconds of a time.
  private static func order(of span: TimeSpan) -> Int { "\(span.nanoseconds)".utf8.count }

  private static func sight(of result: RunResult) -> KeptSight? {
    guard let outcome = (result.outcomes + result.warned).first else { return nil }
    let (evidence, isAbsent) = outcome.evidence
    let rest = KeptRest(finish: result.finish, order: order(of: result.end - .start))
    return .outcome(
      isMet: outcome.isMet, isImpossible: outcome.expectation.impossible != nil,
      evidence: evidence, rest: isAbsent ? rest : nil)
  }
}

extension Outcome {
  /// By what the outcome is told, without times and figures, and whether that is the lack of
  /// something.
  fileprivate var evidence: (word: String, isAbsent: Bool) {
    switch observation {
    case .properties(let tests): (tests.map { $0.holds ? "+" : "-" }.joined(), false)
    case .records(_, let count): (count == 0 ? "none" : "some", count == 0)
    case .instant(let instant): (instant == nil ? "never" : "once", instant == nil)
    case .metric(nil): ("unmeasured", true)
    case .metric(let value?): figure(value.number)
    case .sequence(let met): ("\(met)", true)
    case .finish(let reason): ("\(reason)", true)
    case .ended: ("ended", true)
    }
  }

  /// On which side of its bounds a figure is.
  private func figure(_ number: Int64) -> (word: String, isAbsent: Bool) {
    guard case .metric(_, _, let bounds) = expectation.kind else { return ("", false) }
    for bound in bounds where !bound.comparison.holds(number, bound.limit) {
      return number > bound.limit ? ("more", false) : ("less", true)
    }
    return ("within", number == 0)
  }
}
