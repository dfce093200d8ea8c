import Autowait
import AutowaitScenario

/// How two runs differ: in what their scenarios say, in what happened first, in the state at that
/// instant, and in their metrics.
package struct RunDifference {
  /// A value that both runs have, or one of them.
  struct Row {
    let player: String?
    let name: String
    let first: String?
    let second: String?
    /// The second value less the first one; nil for what is no number.
    var change: String?

    var differs: Bool { first != second }
  }

  /// What is known of the state of the players.
  struct State {
    /// When it is, in nanoseconds.
    let instant: Int64
    /// Whether it is only what the events of the logs tell.
    let isLogged: Bool
    let rows: [Row]
  }

  let first: RunSide
  let second: RunSide
  /// The words that differ in the scenarios.
  package let words: [WordDifference]
  /// The first event that differs; nil if the same happens.
  let events: LogDifference?
  /// Whether the events are known; of long golden logs they are not.
  let hasEvents: Bool
  /// When the first difference is, in nanoseconds.
  let instant: Int64?
  /// The metrics, those that only one run has among them.
  let metrics: [Row]
  /// The state when the runs differ first.
  private(set) var state: State?
  /// Why one of them waits longer than the other one, in sentences.
  package var why: [String] = []

  /// Whether the same happens in both runs, whatever their scenarios are called.
  package var isSame: Bool {
    if events != nil || metrics.contains(where: { $0.differs }) { return false }
    return hasEvents || first.fingerprint == second.fingerprint
  }

  /// Compares two runs; a function returns how one stands at an instant, if it is known.
  package init(
    _ first: RunSide, _ second: RunSide,
    state: (RunSide, Instant) -> RunResult.Sample?
  ) {
    (self.first, self.second) = (first, second)
    words = WordDifference.between(first.scenario, second.scenario)
    metrics = Self.metrics(first, second)
    guard let firstEvents = first.events, let secondEvents = second.events else {
      (events, hasEvents, instant) = (nil, false, nil)
      return
    }
    hasEvents = true
    // Before the events stands what is no event: the numbers of the lines are those of the logs.
    let head = first.log[..<firstEvents.lowerBound]
    events = LogDifference(
      recorded: Array(head + first.log[firstEvents]),
      actual: Array(head + second.log[secondEvents]))
    instant = events.flatMap { Self.instant($0) }
    if let instant { self.state = Self.state(first, second, at: instant, state) }
  }

  /// When the earlier one of two lines happened.
  private static func instant(_ difference: LogDifference) -> Int64? {
    [difference.recorded, difference.actual].compactMap { line in
      let root = line.flatMap { Findings(SourceText(path: "", bytes: $0.bytes)).parseJSON() }
      return LoggedState.nanoseconds(root?.member("t"))
    }.min()
  }

  // MARK: - The state

  private static func state(
    _ first: RunSide, _ second: RunSide, at instant: Int64,
    _ state: (RunSide, Instant) -> RunResult.Sample?
  ) -> State {
    let time = Instant(nanoseconds: instant)
    if let one = first.result, let other = second.result, let left = state(first, time),
      let right = state(second, time)
    {
      let values = paired(rows(left, one.scenario), rows(right, other.scenario))
      return State(instant: instant, isLogged: false, rows: values)
    }
    let (left, right) = (
      LoggedState(first, upTo: instant), LoggedState(second, upTo: instant)
    )
    let values = paired(
      left.entries.map { ($0.player, $0.property, $0.value) },
      right.entries.map { ($0.player, $0.property, $0.value) })
    return State(instant: instant, isLogged: true, rows: values)
  }

  private static func rows(
    _ sample: RunResult.Sample, _ scenario: Scenario
  ) -> [(player: String?, name: String, value: String)] {
    let hasNames = scenario.playerNames.count > 1
    return zip(scenario.playerNames, sample.players).flatMap { name, player in
      Property.allCases.map { property in
        (
          hasNames ? name : nil, property.rawValue,
          OutcomeRendering.text(property.value(in: player))
        )
      }
    }
  }

  /// Puts the values of two runs side by side, in the order of the first one.
  private static func paired(
    _ first: [(player: String?, name: String, value: String)],
    _ second: [(player: String?, name: String, value: String)]
  ) -> [Row] {
    var rest = second
    var rows = first.map { row in
      let place = rest.firstIndex { $0.player == row.player && $0.name == row.name }
      let other = place.map { rest.remove(at: $0).value }
      return Row(player: row.player, name: row.name, first: row.value, second: other)
    }
    rows += rest.map { Row(player: $0.player, name: $0.name, first: nil, second: $0.value) }
    return rows
  }

  // MARK: - Metrics

  private static func metrics(_ first: RunSide, _ second: RunSide) -> [Row] {
    var rest = second.metrics
    var rows: [Row] = first.metrics.map { row in
      let place = rest.firstIndex { $0.player == row.player && $0.name == row.name }
      let other = place.map { rest.remove(at: $0).value }
      var shown = Row(
        player: row.player, name: row.name, first: text(row.value), second: other.map { text($0) })
      if let other { shown.change = change(row.value, other) }
      return shown
    }
    rows += rest.map { Row(player: $0.player, name: $0.name, first: nil, second: text($0.value)) }
    return rows
  }

  /// Returns the value of a metric as the log has it.
  private static func text(_ value: JSONValue) -> String { JSONWriter.text { $0.value(value) } }

  /// Returns by how much a number has changed, exactly; nil if one of the two is none.
  private static func change(_ first: JSONValue, _ second: JSONValue) -> String? {
    // No metric has more than nine decimals, and large ones are whole numbers.
    for unit in [1, 1_000_000_000] as [Int64] {
      guard case .exact(let old)? = first.decimal?.integer(scaledBy: unit),
        case .exact(let new)? = second.decimal?.integer(scaledBy: unit)
      else { continue }
      let change = new - old
      return change == 0 ? nil : (change > 0 ? "+" : "") + change.fixedPoint(unit)
    }
    return nil
  }
}
