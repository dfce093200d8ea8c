import Autowait
import AutowaitScenario
import Testing

/// A player that looks into the first segment of each track before it loads any of them: the order
/// of what it asks for, and how much, as sessions of Chromium's own HLS player were recorded.
@Suite struct ProbingTests {
  private static func requests(_ heuristic: String, _ audio: Int = 90_000) throws -> [String] {
    let text = """
      {"autowait": 1, "link": {"rate": "1 Mbit/s"},
       "media": {"kind": "hls", "duration": "12 s", "segmentDuration": "4 s",
         "variants": [{"bandwidth": "310 kbit/s", "sizes": [150000, 150001, 150002], "init": 700,
           "audio": "a"}],
         "audio": [{"group": "a", "sizes": [\(audio), 50001, 50002], "init": 600}]},
       "heuristic": \(heuristic),
       "player": {"streaming": {"rule": "fixed"}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}],
       "expect": [{"metric": "playedToEndCount", "==": 1}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    let result = ScenarioRun.run(try #require(scenario))
    #expect(result.outcomes.allSatisfy { $0.isMet })
    return result.records.compactMap { record in
      switch record.event {
      case .playlistRequest(_, let list, _, _): "playlist \(list.map { "\($0)" } ?? "of all")"
      case .segmentRequest(_, let size, let list, let segment?, _):
        "\(list).\(segment): \(size.bytes)"
      case .segmentRequest(_, _, let list, nil, _): "section \(list)"
      default: nil
      }
    }
  }

  /// 33,304 B are read of each segment, and need not come again.
  @Test func chromiumLooksIntoBothTracks() throws {
    #expect(
      try Self.requests("\"chromium-hls\"") == [
        "playlist of all", "playlist 0", "section 0", "0.0: 33304",
        "playlist 1", "section 1", "1.0: 33304", "0.0: 116696", "1.0: 56696",
        "0.1: 150001", "1.1: 50001", "0.2: 150002", "1.2: 50002",
      ])
  }

  /// A segment that is smaller comes whole, and of what is left of it nothing is asked for twice.
  @Test func aSmallSegmentComesWhole() throws {
    let requests = try Self.requests("\"chromium-hls\"", 30_000)
    #expect(requests[6] == "1.0: 30000" && requests[8] == "1.0: 0")
  }

  /// What was under way of a dropped connection holds up the next response, unless the round
  /// trip of that takes as long: 20,500 B take 0.164 s at 1 Mbit/s.
  @Test(arguments: [0, 50, 150, 164, 300] as [Int64])
  func whatIsDroppedHoldsUpTheNext(_ roundTrip: Int64) throws {
    let text = """
      {"autowait": 1,
       "link": {"down": {"rate": "1 Mbit/s", "delay": "\(roundTrip) ms"}},
       "media": {"kind": "hls", "duration": "8 s", "segmentDuration": "4 s",
         "variants": [{"bandwidth": "310 kbit/s", "sizes": [150000, 150001], "audio": "a"}],
         "audio": [{"group": "a", "sizes": [40000, 50001]}]},
       "heuristic": "chromium-hls", "player": {"streaming": {"rule": "fixed"}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let (scenario, _) = ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
    var (index, asked, came, answered) = (RequestIndex(), [Instant](), [Instant](), [Instant]())
    for record in ScenarioRun.run(try #require(scenario)).records {
      if index.take(record) != nil { asked.append(record.instant) }
      if case .mediaRequestCompleted = record.event { came.append(record.instant) }
      if case .mediaResponse = record.event { answered.append(record.instant) }
    }
    // The multivariant playlist, that of the picture, its probe; the playlist of the sound, its
    // probe, of which 6,696 B are left; the rest.
    #expect(asked.dropFirst().prefix(6) == came.prefix(6), "each is asked for at once")
    let waits = zip(came, answered.dropFirst()).map { ($1 - $0).nanoseconds / 1_000 }
    let trip = roundTrip * 1_000
    let (whole, rest) = (max(trip, 20_500 * 8), max(trip, 6_696 * 8))
    #expect(waits.prefix(6) == [trip, trip, whole, trip, rest, trip], "\(waits)")
  }

  @Test func itsNumbersCanBeReplaced() throws {
    let probes = try Self.requests(
      #"{"rule": "chromium-hls", "probeSize": 10000, "probeDropped": 0}"#)
    #expect(probes[3] == "0.0: 10000" && probes[7] == "0.0: 140000")
    let none = try Self.requests(#"{"rule": "chromium-hls", "probeSize": null}"#)
    #expect(none.filter { $0.hasPrefix("0.0") } == ["0.0: 150000"])
    // Who asks for several things at once looks into none.
    let others = try Self.requests(#"{"rule": "hls.js", "probeSize": 10000}"#)
    #expect(others.filter { $0.hasPrefix("0.0") } == ["0.0: 150000"])
  }

  /// The variants that its rule chooses on a steady link, for a second variant that needs so many
  /// millionths of it.
  private static func variants(_ part: Int64, first: Int64 = 120_000) throws -> [Int] {
    let rate: Int64 = 10_000_000
    let nine = String(repeating: "90000, ", count: 8) + "90000"
    let text = """
      {"autowait": 1, "link": {"rate": \(rate)},
       "media": {"kind": "hls", "duration": "40 s", "segmentDuration": "4 s",
         "variants": [
           {"bandwidth": 100000, "sizes": [\(first + 33_304), \(nine)],
            "audio": "a"},
           {"bandwidth": \(rate / 1_000_000 * part), "sizes": [\(nine), 100000],
            "audio": "a"}],
         "audio": [{"group": "a", "sizes": [50000, \(nine)]}]},
       "heuristic": "chromium-hls", "player": {"streaming": {"rule": "chromium-hls"}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: .none)
    let errors = findings.filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors.map(\.message))")
    return ScenarioRun.run(try #require(scenario)).records.compactMap { record in
      if case .segmentRequest(_, _, let list, _?, _) = record.event, list < 2 { list } else { nil }
    }.map { Int($0) }
  }

  /// Its slower mean is 1 − 0.8ⁿ of the rate after n samples: one for each look into a segment, one
  /// for each 33,304 B that are left of it, and one for each segment of picture or sound after it.
  @Test func eachReadCounts() throws {
    // A look each, four reads of 120,000 B, one of what is left of 50,000 B: seven.
    let climbs: [(part: Int64, segment: Int)] = [
      (780_000, 1), (790_284, 1), (790_285, 2), (865_000, 2), (865_783, 3), (912_000, 3),
    ]
    for (part, segment) in climbs {
      // The first segment is asked for twice: looked into, and loaded.
      let variants = try Self.variants(part)
      #expect(variants.firstIndex(of: 1) == segment + 1, "\(part): \(variants)")
    }
    // One read less.
    #expect(try Self.variants(737_000, first: 99_000).firstIndex(of: 1) == 2)
    #expect(try Self.variants(738_500, first: 99_000).firstIndex(of: 1) == 3)
  }
}
