import Autowait
import AutowaitScenario

/// Reads the sessions of Sabre and Pensieve that serve as references.
package struct ParityReader {
  private let oracles: Oracles

  package init(_ oracles: Oracles) {
    self.oracles = oracles
  }

  // MARK: Sabre

  /// Reads a session of Sabre.
  package func sabre(_ path: String) throws(Oracles.OracleProblem) -> ParityCase {
    let file = try oracles.json(path)
    let (input, output) = (try file["input"], try file["output"])
    let segment = TimeSpan(
      nanoseconds: try input["segment_duration_ms"].whole(times: 1_000_000))
    let bufferMax = TimeSpan(nanoseconds: try input["max_buffer_ms"].whole(times: 1_000_000))
    let thousandths = try input["bandwidth_multiplier"].whole(times: 1_000)
    let track = try sabreTrack(try input["trace"].word, thousandths: thousandths)
    var attempts: [ParityCase.Attempt] = []
    for attempt in try file["segments"].elements { attempts.append(try sabreAttempt(attempt)) }
    let outcome = ParityCase.Outcome(
      startup: try output["startup_delay_ms"].number,
      stalled: try output["total_rebuffer_ms"].number,
      total: try output["total_play_time_ms"].number, stalls: try Self.stalls(file))
    return ParityCase(
      name: try file["id"].word,
      policy: .sabre(segmentDuration: segment, bufferMax: bufferMax), track: track,
      link: ReferenceLink(track),
      attempts: attempts, outcome: outcome, playsOut: true)
  }

  private func sabreTrack(
    _ path: String, thousandths: Int64
  ) throws(Oracles.OracleProblem) -> LinkTrack {
    var samples: [LinkTrack.Sample] = []
    var start = TimeSpan.zero
    for row in try oracles.json(path).elements {
      let length = TimeSpan(nanoseconds: try row["duration_ms"].whole(times: 1_000_000))
      if length == .zero { continue }
      let rate = try row["bandwidth_kbps"].whole(times: thousandths)
      let latency = try row["latency_ms"].whole(times: 1_000_000)
      samples.append(
        LinkTrack.Sample(
          start: start, rate: BitRate(bitsPerSecond: rate),
          delay: TimeSpan(nanoseconds: latency)))
      start += length
    }
    return LinkTrack(samples, ending: .loop(after: start))
  }

  private func sabreAttempt(_ log: JSONValue) throws(Oracles.OracleProblem) -> ParityCase.Attempt {
    let size = DataAmount(nanobits: UInt128(UInt64(try log["size_bits"].whole())) * 1_000_000_000)
    let duration = try log["download_ms"].number
    let isAbandoned = try log["abandoned"].bool == true
    let limit = isAbandoned ? TimeSpan(nanoseconds: Int64(duration * 1e6 + 0.5)) : nil
    return ParityCase.Attempt(
      index: Int(try log["index"].whole()), quality: Int(try log["quality"].whole()),
      request: SegmentRequest(size: size, cancelledAfter: limit),
      requestedAt: try log["request_at_ms"].number, duration: duration,
      stalledBefore: try log["rebuffer_total_before_ms"].number)
  }

  /// Counts the stalls of a log: each segment that arrives ends at most one.
  static func stalls(_ file: JSONValue) throws(Oracles.OracleProblem) -> Int {
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

  // MARK: Pensieve

  /// Reads a session of Pensieve.
  package func pensieve(_ path: String) throws(Oracles.OracleProblem) -> ParityCase {
    let file = try oracles.json(path)
    let (input, output) = (try file["input"], try file["output"])
    let latency = TimeSpan(nanoseconds: try input["link_rtt_ms"].whole(times: 1_000_000))
    let track = try pensieveTrack(try input["trace"].word, latency: latency)
    let percent = try input["payload_portion"].whole(times: 100)
    let segment = try input["chunk_ms"].whole(times: 1_000_000)
    let bufferMax = try input["buffer_cap_ms"].whole(times: 1_000_000)
    let quantum = try input["drain_quantum_ms"].whole(times: 1_000_000)
    var attempts: [ParityCase.Attempt] = []
    for chunk in try file["chunks"].elements {
      let size = DataAmount(ByteCount(bytes: try chunk["size_bytes"].whole()))
      attempts.append(
        ParityCase.Attempt(
          index: Int(try chunk["chunk"].whole()), quality: Int(try chunk["quality"].whole()),
          request: SegmentRequest(size: size), duration: try chunk["delay_ms"].number))
    }
    let outcome = ParityCase.Outcome(
      startup: try output["startup_delay_ms"].number,
      stalled: try output["total_rebuffer_s_excluding_startup"].number * 1_000,
      total: try output["download_clock_end_s"].number * 1_000,
      stalls: Int(try output["rebuffer_events_excluding_startup"].whole()))
    return ParityCase(
      name: try file["id"].word,
      policy: SegmentPolicy(
        segmentDuration: TimeSpan(nanoseconds: segment),
        bufferMax: TimeSpan(nanoseconds: bufferMax),
        pause: .afterAppend(quantum: TimeSpan(nanoseconds: quantum))), track: track,
      link: ReferenceLink(
        track, latency: .beside, payload: PayloadShare(data: UInt32(percent), of: 100)),
      attempts: attempts, outcome: outcome, playsOut: false)
  }

  /// Reads rows of a time in seconds and a rate in Mbit/s, which holds from the row before.
  ///
  /// The traces have more digits than nanoseconds and bits per second. What a row's rate loses or
  /// gains by rounding is made good by the next one, so that errors do not add up.
  private func pensieveTrack(
    _ path: String, latency: TimeSpan
  ) throws(Oracles.OracleProblem) -> LinkTrack {
    let text = String(decoding: try oracles.text(path).bytes, as: UTF8.self)
    var samples: [LinkTrack.Sample] = []
    var start: TimeSpan?
    var owed = 0.0
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count == 2, let seconds = Double(words[0]), let megabits = Double(words[1]) else {
        throw Oracles.OracleProblem("\(path):\(index + 1)", "is no time and rate")
      }
      let end = TimeSpan(nanoseconds: Int64((seconds * 1e9).rounded()))
      if let start, start < end {
        let length = Double((end - start).nanoseconds)
        let exact = max(0, megabits * 1e6 + owed / length)
        let rate = BitRate(bitsPerSecond: Int64(exact.rounded()))
        owed = (exact - exact.rounded()) * length
        samples.append(LinkTrack.Sample(start: start, rate: rate, delay: latency))
      } else if start == nil, end != .zero {
        throw Oracles.OracleProblem("\(path):1", "begins at another time than zero")
      }
      start = end
    }
    return LinkTrack(samples, ending: .loop(after: start ?? .zero))
  }
}
