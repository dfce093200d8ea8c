import Autowait
import AutowaitScenario

/// Reads measured transfers, in the format of `tcp/truth.json`.
package enum MeasuredReader {
  /// Reads all cases of a file.
  package static func cases(_ file: JSONValue) throws(Oracles.OracleProblem) -> [MeasuredCase] {
    var cases: [MeasuredCase] = []
    for entry in try file["cases"].elements { cases.append(try measuredCase(entry)) }
    return cases
  }

  private static func measuredCase(_ entry: JSONValue) throws(Oracles.OracleProblem) -> MeasuredCase
  {
    let profile = try entry["profile"]
    let word = try entry["cc"].word
    guard let sender = MeasuredCase.Sender(rawValue: word) else {
      throw Oracles.OracleProblem(try entry["case"].word, "no sender is called '\(word)'")
    }
    let seeds = try entry["seeds"].wholeNumbers.map { UInt64($0) }
    var steps: [MeasuredCase.Step] = []
    let isParallel = try entry["kind"].word == "par"
    for log in try entry["steps"].elements {
      steps.append(
        MeasuredCase.Step(
          size: ByteCount(bytes: try log["size"].whole()),
          isNew: isParallel || log.member("new")?.bool == true,
          idle: try span(log.member("idle_s"), times: 1_000_000_000),
          start: try span(log.member("at_s"), times: 1_000_000_000)))
    }
    var requests: [MeasuredRequest] = []
    for log in try entry["requests"].elements { requests.append(try request(log)) }
    let changes = try entry["sched"]
    let step = try entry["sched_step"]
    return MeasuredCase(
      group: try entry["group"].word, name: try entry["case"].word,
      profile: try profile["name"].word, sender: sender, isParallel: isParallel,
      down: try direction(try profile["down"], changes.member("down")),
      up: try direction(try profile["up"], changes.member("up")), steps: steps,
      changesAtStep: step.kind == .number ? Int(try step.whole()) : 0, seeds: seeds,
      requests: requests)
  }

  private static func direction(
    _ entry: JSONValue, _ changes: JSONValue?
  ) throws(Oracles.OracleProblem) -> MeasuredCase.Direction {
    var direction = MeasuredCase.Direction(
      rate: BitRate(bitsPerSecond: try entry["rate"].whole()),
      delay: try span(entry.member("delay_ms"), times: 1_000_000),
      loss: try probability(try entry["loss"]), queue: Int(try entry["qpkts"].whole()))
    direction.losesAtExit = try entry["lossat"].word == "out"
    guard let changes else { return direction }
    for change in changes.elements {
      let parts = Array(change.elements)
      guard parts.count >= 2 else { continue }
      // What began before the step holds when it is made.
      let start = max(0, try parts[0].whole(times: 1_000_000, allowingNegative: true))
      direction.changes.append(
        MeasuredCase.Change(
          start: TimeSpan(nanoseconds: start), rate: BitRate(bitsPerSecond: try parts[1].whole()),
          loss: parts.count > 2 ? try probability(parts[2]) : nil))
    }
    return direction
  }

  private static func request(_ entry: JSONValue) throws(Oracles.OracleProblem) -> MeasuredRequest {
    MeasuredRequest(
      label: try entry["label"].word, totals: try numbers(try entry["total_ms"]["all"]),
      tenths: try numbers(try entry["deciles_ms"]))
  }

  static func numbers(_ list: JSONValue) throws(Oracles.OracleProblem) -> [Double] {
    var numbers: [Double] = []
    for entry in list.elements { numbers.append(try entry.number) }
    return numbers
  }

  static func probability(_ entry: JSONValue) throws(Oracles.OracleProblem) -> Probability {
    // A part of 2⁵³ is what the generator compares with; a chance like 0.1 is rounded up to one.
    Probability(parts: UInt64((try entry.number * 0x1p53).rounded(.up)))
  }

  private static func span(
    _ entry: JSONValue?, times factor: Int64
  ) throws(Oracles.OracleProblem) -> TimeSpan {
    guard let entry else { return .zero }
    return TimeSpan(nanoseconds: try entry.whole(times: factor))
  }
}
