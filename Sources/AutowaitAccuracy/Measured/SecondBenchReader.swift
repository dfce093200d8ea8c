import Autowait
import AutowaitScenario

/// Reads the transfers of a second bench, which was built and run apart from the first one.
///
/// Its links have queues of 50 packets, as the conditioner of Apple has them; each transfer is on a
/// new connection. Runs of equal conditions lie anywhere in the file. What disturbs a run only ever
/// delays it: of runs without losses the fastest one counts.
///
/// Assumed: a request of 40 bytes and a response without a header. The file does not say it; on a
/// way up of 256 kbit/s a request of 400 bytes would take 11 ms that were not measured.
package enum SecondBenchReader {
  /// Reads all transfers, in the format of `tcp/queue50.csv`, with the links they went over.
  package static func cases(
    _ transfers: SourceText, links: JSONValue
  ) throws(Oracles.OracleProblem) -> [MeasuredCase] {
    let text = String(decoding: transfers.bytes, as: UTF8.self)
    var cases: [MeasuredCase] = []
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated().dropFirst() {
      let words = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard words.count == 6, let size = Int64(words[2]), let connect = Double(words[3]),
        let total = Double(words[5])
      else { throw Oracles.OracleProblem("\(transfers.path):\(index + 1)", "is not a transfer") }
      let name = words[0..<3].joined(separator: "/")
      let place: Int
      if let known = cases.firstIndex(where: { $0.name == name }) {
        place = known
      } else {
        place = cases.count
        cases.append(
          try measuredCase(name, try links[words[0]], words, size: ByteCount(bytes: size)))
      }
      cases[place].requests[0].totals.append((connect + total) * 1_000)
      cases[place].seeds.append(UInt64(cases[place].seeds.count))
    }
    for index in cases.indices where !cases[index].isLossy {
      let totals = cases[index].requests[0].totals.sorted()
      cases[index].requests[0].totals = Array(totals.prefix(1))
      cases[index].requests[0].disturbed = Array(totals.dropFirst())
    }
    return cases
  }

  private static func measuredCase(
    _ name: String, _ link: JSONValue, _ words: [String], size: ByteCount
  ) throws(Oracles.OracleProblem) -> MeasuredCase {
    guard let sender = MeasuredCase.Sender(rawValue: words[1]) else {
      throw Oracles.OracleProblem(name, "no sender is called '\(words[1])'")
    }
    return MeasuredCase(
      group: "second bench", name: name, profile: words[0], sender: sender, isParallel: false,
      down: try direction(link, "down"), up: try direction(link, "up"),
      steps: [MeasuredCase.Step(size: size, isNew: true)],
      requestSize: ByteCount(bytes: 40), responseHeaderSize: .zero, changesAtStep: 0, seeds: [],
      requests: [MeasuredRequest(label: "new", totals: [], tenths: [])])
  }

  private static func direction(
    _ link: JSONValue, _ name: String
  ) throws(Oracles.OracleProblem) -> MeasuredCase.Direction {
    MeasuredCase.Direction(
      rate: BitRate(bitsPerSecond: try link["\(name)_bps"].whole()),
      delay: TimeSpan(nanoseconds: try link["\(name)_delay_ms"].whole(times: 1_000_000)),
      loss: try MeasuredReader.probability(try link["\(name)_plr"]),
      queue: Int(try link["\(name)_queue_pkts"].whole()))
  }
}
