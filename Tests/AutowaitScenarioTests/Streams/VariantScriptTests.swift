import Autowait
import AutowaitScenario
import Testing

/// Scripts that give segments up, against times that follow from sizes and rate alone.
@Suite struct VariantScriptTests {
  /// What became of a request for a segment of the picture.
  private struct Request: Equatable, CustomStringConvertible {
    let list: Int
    let segment: Int
    let asked: Int64
    /// When it had come; nil if it was given up.
    let done: Int64?

    var description: String { "\(list).\(segment): \(asked) – \(done.map { "\($0)" } ?? "–")" }
  }

  /// Three variants of which each segment of 4 s takes a second, two and four at 1 Mbit/s.
  private static func text(_ rule: String, streaming: String = "") -> String {
    func variant(_ size: Int) -> String {
      #"{"bandwidth": \#(size * 2), "sizes": [\#(size), \#(size), \#(size)]}"#
    }
    return #"""
      {"autowait": 1, "link": {"rate": "1 Mbit/s"},
       "media": {"kind": "hls", "duration": "12 s", "segmentDuration": "4 s",
         "mediaPlaylist": 12500,
         "variants": [\#(variant(125_000)), \#(variant(250_000)), \#(variant(500_000))]},
       "heuristic": {"rule": {"name": "first", "start": {"buffered": {">=": 1}}}},
       "player": {"streaming": {"rule": \#(rule)\#(streaming)}},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """#
  }

  private static func run(_ rule: String, streaming: String = "") throws -> RunResult {
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text(rule, streaming: streaming)), loader: .none)
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    return ScenarioRun.run(try #require(scenario))
  }

  /// The requests for segments, in milliseconds from the first one on.
  private static func requests(_ result: RunResult) -> [Request] {
    var (index, asked) = (RequestIndex(), [(transfer: Int, request: Request)]())
    var first: Instant?
    for record in result.records {
      let now = (record.instant - (first ?? record.instant)).nanoseconds / 1_000_000
      if let transfer = index.take(record),
        case .segment(let list, let number) = index[transfer]?.resource
      {
        first = first ?? record.instant
        asked.append((transfer, Request(list: list, segment: number, asked: now, done: nil)))
      }
      if case .mediaRequestCompleted(let transfer, _) = record.event,
        let place = asked.firstIndex(where: { $0.transfer == transfer })
      {
        let request = asked[place].request
        asked[place].request = Request(
          list: request.list, segment: request.segment, asked: request.asked, done: now)
      }
    }
    return asked.map { $0.request }
  }

  private static let known = #", "knowsPlaylists": true"#

  /// The first segment is asked for in the third variant, dropped after 0.7 s, and asked for in the
  /// second, which is dropped as well.
  @Test func segmentsAreGivenUp() throws {
    let rule = #"""
      {"scripted": [0, 1, 0], "givenUp": [
        {"segment": 0, "variant": 2, "after": "0.7 s"},
        {"segment": 0, "variant": 1, "after": "0.5 s"},
        {"segment": 2, "variant": 2, "after": "3.999 s"}]}
      """#
    let result = try Self.run(rule, streaming: Self.known)
    #expect(
      Self.requests(result) == [
        Request(list: 2, segment: 0, asked: 0, done: nil),
        Request(list: 1, segment: 0, asked: 700, done: nil),
        Request(list: 0, segment: 0, asked: 1_200, done: 2_200),
        Request(list: 1, segment: 1, asked: 2_200, done: 4_200),
        Request(list: 2, segment: 2, asked: 4_200, done: nil),
        Request(list: 0, segment: 2, asked: 8_199, done: 9_199),
      ])
    let metrics = try #require(result.metrics.first)
    #expect(metrics.streaming?.abandonedSegmentCount == 3)
    #expect(metrics.playedToEndCount == 1)
  }

  /// What comes just in time is kept, and what is requested later is as the script has it.
  @Test func whatComesInTimeStays() throws {
    for (after, isKept) in [("4.001 s", true), ("4 s", true), ("3.999999999 s", false)] {
      let rule = #"""
        {"scripted": [0], "givenUp": [{"segment": 1, "variant": 2, "after": "\#(after)"}]}
        """#
      let requests = Self.requests(try Self.run(rule, streaming: Self.known))
      #expect(requests.count == (isKept ? 3 : 4), "\(after): \(requests)")
      #expect(requests.map(\.list) == (isKept ? [0, 2, 0] : [0, 2, 0, 0]))
    }
  }

  /// The same variant may be asked for again, and what lies behind the end changes nothing.
  @Test func theSameVariantIsAskedForAgain() throws {
    let rule = #"""
      {"scripted": [0], "givenUp": [{"segment": 1, "variant": 0, "after": "0.25 s"},
        {"segment": 9, "variant": 2, "after": "1 s"}]}
      """#
    let requests = Self.requests(try Self.run(rule, streaming: Self.known))
    #expect(requests.map(\.asked) == [0, 1_000, 1_250, 2_250])
    #expect(requests.map(\.list) == [0, 0, 0, 0])
  }

  /// A playlist of 12,500 B takes 0.1 s of each variant, unless it is known.
  @Test func playlistsMayBeKnown() throws {
    func playlists(_ result: RunResult) -> Int {
      result.records.count { if case .playlistRequest = $0.event { true } else { false } }
    }
    let rule = #"{"scripted": [0, 1, 0]}"#
    let (asked, known) = (try Self.run(rule), try Self.run(rule, streaming: Self.known))
    #expect(playlists(asked) == 3 && playlists(known) == 1)
    #expect(Self.requests(known).map(\.done) == [1_000, 3_000, 4_000])
    #expect(Self.requests(asked).map(\.done) == [1_000, 3_100, 4_100])
  }

  @Test(arguments: [
    (
      #"{"scripted": [0], "givenUp": [{"segment": 1, "variant": 1, "after": 1}, "#
        + #"{"segment": 0, "variant": 1, "after": 1}]}"#,
      "the segments of 'givenUp' must ascend"
    ),
    (
      #"{"scripted": [0], "givenUp": [{"segment": 0, "variant": 3, "after": 1}]}"#,
      "there is no variant 3; they count from 0 to 2"
    ),
    (
      #"{"scripted": [0], "givenUp": [{"segment": 0, "variant": 1}]}"#,
      "a request that is given up needs the key 'after'"
    ),
    (
      #"{"scripted": [0], "givenUp": [{"segment": 0, "variant": 1, "after": 0}]}"#,
      "'after' must be more than 0"
    ),
    (#"{"scripted": [], "givenUp": []}"#, "'scripted' has no variants"),
  ])
  func wrongScriptsAreTold(_ rule: String, _ message: String) {
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: Self.text(rule)), loader: .none)
    #expect(scenario == nil)
    #expect(findings.map(\.message).contains { $0.contains(message) }, "\(findings.map(\.message))")
  }
}
