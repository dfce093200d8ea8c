import Autowait
import AutowaitScenario

/// Reads newer measurements of real TCP, in the format of `tcp-fresh/*.jsonl`: a case a line.
///
/// The runs of a steady link are two; a request of them is clean where they agree within 1 %.
package enum FreshReader {
  /// The files, from the folder of all measurements.
  package static let files = ["tcp-fresh/steady.jsonl", "tcp-fresh/reordering.jsonl"]

  /// Reads all cases of a file.
  package static func cases(_ source: SourceText) throws(Oracles.OracleProblem) -> [MeasuredCase] {
    var cases: [MeasuredCase] = []
    let lines = source.bytes.split(separator: UInt8(ascii: "\n"))
    for (index, line) in lines.enumerated() {
      let text = SourceText(path: "\(source.path):\(index + 1)", bytes: Array(line))
      cases.append(try measuredCase(try Oracles.json(text)))
    }
    return cases
  }

  private static func measuredCase(_ entry: JSONValue) throws(Oracles.OracleProblem) -> MeasuredCase
  {
    let name = try entry["name"].word
    let link = try entry["p"]
    let runs = Array(try entry["runs"].elements)
    var steps: [MeasuredCase.Step] = []
    var requests: [MeasuredRequest] = []
    for (index, log) in try entry["steps"].elements.enumerated() {
      let parts = Array(log.elements)
      guard parts.count == 3 else { throw Oracles.OracleProblem(name, "has a step without idle") }
      steps.append(
        MeasuredCase.Step(
          size: ByteCount(bytes: try parts[0].whole()), isNew: try parts[1].whole() == 1,
          idle: TimeSpan(nanoseconds: try parts[2].whole(times: 1_000_000_000))))
      requests.append(try request(index, of: runs, steps[index]))
    }
    let up = MeasuredCase.Direction(
      rate: try rate(link["ru"]), delay: try span(link["du"]), loss: try chance(link, "loss"),
      queue: Int(try link["q"].whole()))
    var measured = MeasuredCase(
      group: String(name.split(separator: ":")[0]), name: name, profile: name,
      sender: try sender(entry), isParallel: false, down: try down(link), up: up, steps: steps,
      changesAtStep: 0, seeds: runs.indices.map { UInt64($0 + 1) }, requests: requests)
    measured.cleanSpread = 0.01
    return measured
  }

  private static func sender(
    _ entry: JSONValue
  ) throws(Oracles.OracleProblem) -> MeasuredCase.Sender {
    let word = try entry["cc"].word
    guard let sender = MeasuredCase.Sender(rawValue: word) else {
      throw Oracles.OracleProblem(try entry["name"].word, "no sender is called '\(word)'")
    }
    return sender == .cubic && entry.member("paced")?.bool == true ? .pacedCubic : sender
  }

  /// Jitter, reordering and bursts act on the way down only.
  private static func down(
    _ link: JSONValue
  ) throws(Oracles.OracleProblem) -> MeasuredCase.Direction {
    var down = MeasuredCase.Direction(
      rate: try rate(link["rd"]), delay: try span(link["dd"]), loss: try chance(link, "loss"),
      queue: Int(try link["q"].whole()))
    down.reordered = try chance(link, "reord")
    if let deviation = link.member("jit") {
      let isNormal = link.member("jdist") != nil
      let keeps = link.member("keep")
      down.jitter = Jitter(
        deviation: try span(deviation), distribution: isNormal ? .normal : .uniform,
        keepsOrder: try keeps?.whole() ?? 1 == 1)
    }
    if let bursts = link.member("ge") {
      let parts = Array(bursts.elements)
      guard parts.count == 4 else { throw Oracles.OracleProblem("ge", "has not 4 chances") }
      down.bursts = BurstLoss(
        fromGoodToBad: try MeasuredReader.probability(parts[0]),
        fromBadToGood: try MeasuredReader.probability(parts[1]),
        lossWhenGood: try MeasuredReader.probability(parts[2]),
        lossWhenBad: try MeasuredReader.probability(parts[3]))
    }
    return down
  }

  private static func request(
    _ index: Int, of runs: [JSONValue], _ step: MeasuredCase.Step
  ) throws(Oracles.OracleProblem) -> MeasuredRequest {
    var totals: [Double] = []
    var tenths: [[Double]] = Array(repeating: [], count: 10)
    for run in runs {
      let steps = Array(run.elements)
      totals.append(try steps[index]["total"].number)
      let times = try MeasuredReader.numbers(try steps[index]["dec"])
      for (place, time) in zip(tenths.indices, times) { tenths[place].append(time) }
    }
    let label = "\(index + 1):\(step.size.bytes)"
    return MeasuredRequest(
      label: label, totals: totals, tenths: tenths.map { Statistics.median($0) })
  }

  private static func rate(_ entry: JSONValue) throws(Oracles.OracleProblem) -> BitRate {
    BitRate(bitsPerSecond: try entry.whole())
  }

  private static func span(_ entry: JSONValue) throws(Oracles.OracleProblem) -> TimeSpan {
    TimeSpan(nanoseconds: try entry.whole(times: 1_000_000))
  }

  private static func chance(
    _ link: JSONValue, _ key: String
  ) throws(Oracles.OracleProblem) -> Probability {
    guard let entry = link.member(key) else { return .never }
    return try MeasuredReader.probability(entry)
  }
}
