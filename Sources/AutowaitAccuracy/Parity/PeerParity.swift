import Autowait
import AutowaitReference
import AutowaitScenario

/// How far a session that the rules decided again is from the peer's own.
package struct PeerParity {
  /// The name of the session.
  package var name: String
  /// Whether a rule decided, or the qualities of the session were followed for want of one.
  package var isDecided: Bool
  /// The qualities that were chosen.
  package var segments: Int
  /// The first segment of which another quality was chosen; nil if none.
  package var firstDifference: Int?
  /// The largest difference of startup, stalls, total, and of when a download was asked for, of how
  /// long it took, in milliseconds.
  package var startup = 0.0
  package var stalled = 0.0
  package var total = 0.0
  package var request = 0.0
  /// The differences of the number of stalls of a microsecond and more, of the peer's own count,
  /// and of the downloads.
  package var stalls = 0
  package var ownStalls = 0
  package var downloads = 0

  /// Whether nothing differs by more than the bar.
  package var isInside: Bool {
    firstDifference == nil && stalls == 0 && ownStalls == 0 && downloads == 0
      && max(startup, stalled, total, request) <= Self.bar
  }

  /// What a session may err, in milliseconds.
  package static let bar = 0.2

  /// Lists results, with the differences in nanoseconds.
  package static func table(_ results: [PeerParity]) -> String {
    var lines = [
      "session          chosen by      startup   stalled     total  a request  qualities"
    ]
    for result in results {
      let differences = [result.startup, result.stalled, result.total, result.request]
      let cells = differences.map { AccuracyText.right(AccuracyText.fixed($0 * 1e6, 3), 10) }
      let qualities =
        result.firstDifference.map { "differ from segment \($0) on" }
        ?? "\(result.segments) alike"
      lines.append(
        AccuracyText.left(result.name, 17)
          + AccuracyText.left(result.isDecided ? "rule" : "script", 12)
          + cells.joined() + "  " + qualities + (result.isInside ? "" : " !"))
    }
    let decided = results.filter(\.isDecided)
    lines.append(
      "\(decided.count { $0.isInside }) of \(decided.count) decided sessions alike, "
        + "\(results.count { $0.isInside && !$0.isDecided }) of \(results.count - decided.count) "
        + "scripted ones")
    let largest = results.map { max($0.startup, $0.stalled, $0.total, $0.request) }.max() ?? 0
    lines.append("largest difference \(AccuracyText.fixed(largest * 1e6, 3)) ns")
    return lines.map { $0 + "\n" }.joined()
  }
}

extension PeerReader {
  /// Plays a reference session again and compares.
  package func parity(
    _ path: String, _ oracles: Oracles
  ) throws(Oracles.OracleProblem) -> PeerParity {
    let file = try oracles.json(path)
    return try file.member("segments") == nil ? pensieveParity(file) : sabreParity(file)
  }

  private func sabreParity(_ file: JSONValue) throws(Oracles.OracleProblem) -> PeerParity {
    let setup = try sabre(file)
    let (outcome, downloads) = PeerSession.sabre(setup).played()
    let output = try file["output"]
    var parity = try compared(file, outcome, setup.rule)
    parity.startup = abs(outcome.startup - (try output["startup_delay_ms"].number))
    parity.stalled = abs(outcome.stalled - (try output["total_rebuffer_ms"].number))
    parity.total = abs(outcome.total - (try output["total_play_time_ms"].number))
    parity.ownStalls = outcome.ownStalls - Int(try output["rebuffer_events"].whole())
    parity.stalls = outcome.stalls - (try Self.stalls(file))
    let attempts = Array(try file["segments"].elements)
    parity.downloads = downloads.count - attempts.count
    for (download, attempt) in zip(downloads, attempts) {
      parity.request = max(
        parity.request, abs(download.requestedAt - (try attempt["request_at_ms"].number)),
        abs(download.duration - (try attempt["download_ms"].number)),
        abs(download.levelBefore - (try attempt["buffer_before_ms"].number)))
    }
    return parity
  }

  /// Counts the stalls of a log: each segment that arrives ends at most one.
  private static func stalls(_ file: JSONValue) throws(Oracles.OracleProblem) -> Int {
    var sums: [Double] = []
    var isAfterAppend = true
    for log in try file["segments"].elements {
      // What is stalled before a request was stalled in the requests before it.
      let sum = try log["rebuffer_total_before_ms"].number
      if isAfterAppend { sums.append(sum) } else { sums[sums.count - 1] = min(sum, sums.last ?? 0) }
      isAfterAppend = try log["abandoned"].bool != true
    }
    sums.append(try file["output"]["total_rebuffer_ms"].number)
    return zip(sums, sums.dropFirst()).count { $1 - $0 >= 0.001 }
  }

  private func pensieveParity(_ file: JSONValue) throws(Oracles.OracleProblem) -> PeerParity {
    let setup = try pensieve(file)
    let (outcome, downloads) = PeerSession.pensieve(setup).played()
    let output = try file["output"]
    var parity = try compared(file, outcome, setup.rule)
    parity.startup = abs(outcome.startup - (try output["startup_delay_ms"].number))
    parity.stalled = abs(
      outcome.stalled - (try output["total_rebuffer_s_excluding_startup"].number) * 1_000)
    parity.total = abs(outcome.total - (try output["download_clock_end_s"].number) * 1_000)
    parity.stalls =
      outcome.stalls - Int(try output["rebuffer_events_excluding_startup"].whole())
    let chunks = Array(try file["chunks"].elements)
    parity.downloads = downloads.count - chunks.count
    for (download, chunk) in zip(downloads, chunks) {
      parity.request = max(
        parity.request, abs(download.duration - (try chunk["delay_ms"].number)),
        abs(download.levelAfter - (try chunk["buffer_after_s"].number) * 1_000))
    }
    return parity
  }

  private func compared(
    _ file: JSONValue, _ outcome: PeerOutcome, _ policy: SegmentRulePolicy
  ) throws(Oracles.OracleProblem) -> PeerParity {
    let expected = try file["quality_sequence"].wholeNumbers
    let chosen = outcome.qualities.map { Int($0) }
    let first = zip(chosen, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    let isShort = chosen.count != expected.count
    let isScripted = if case .scripted = policy.rule { true } else { false }
    return PeerParity(
      name: try file["id"].word, isDecided: !isScripted, segments: chosen.count,
      firstDifference: first ?? (isShort ? min(chosen.count, expected.count) : nil))
  }
}
