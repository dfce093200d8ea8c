import Autowait
import AutowaitScenario
import Testing

/// What can be done behind a title card saves exactly the round trips and bytes that it saves.
///
/// The scenarios are those of `Scenarios/startup`, on an ideal link: a round trip of 200 ms and
/// 780 kbit/s, on which 975 bytes take 10 ms.
@Suite struct TitleCardTests {
  /// What is done before the title card is over.
  struct Preparation: OptionSet, Sendable, CustomStringConvertible {
    let rawValue: Int
    static let playlist = Preparation(rawValue: 1)
    static let keys = Preparation(rawValue: 2)
    static let gzip = Preparation(rawValue: 4)
    static let segments = Preparation(rawValue: 8)

    /// The words of the scenario's name.
    var description: String {
      let words: [(Preparation, String)] = [
        (.playlist, "playlist"), (.keys, "keys"), (.gzip, "gzip"), (.segments, "segments"),
      ]
      let held = words.filter { contains($0.0) }.map(\.1)
      return held.isEmpty ? "nothing" : held.joined(separator: "-")
    }
  }

  static let all = (0..<16).map { Preparation(rawValue: $0) }

  /// A response: a round trip, and 10 ms for each 975 bytes.
  private static func request(bytes: Int64) -> TimeSpan {
    .milliseconds(200 + bytes / 975 * 10)
  }

  /// The startup with nothing prepared, one request behind the other: the multivariant playlist,
  /// the media playlist, the key that takes the server 800 ms, the initialisation section, and
  /// 6 seconds at 390 kbit/s.
  private static let whole =
    request(bytes: 4_875) + request(bytes: 9_750) + request(bytes: 975) + .milliseconds(800)
    + request(bytes: 1_950) + request(bytes: 292_500)

  /// What each preparation saves, beside the others.
  private static func gain(_ done: Preparation) -> TimeSpan {
    if done.contains(.segments) { return whole }
    var gain = TimeSpan.zero
    if done.contains(.playlist) { gain = gain + request(bytes: 4_875) }
    if done.contains(.gzip) {
      // Four fifths of the playlists that are still to come.
      let others: Int64 = done.contains(.playlist) ? 0 : 3_900
      gain = gain + .milliseconds((others + 7_800) / 975 * 10)
    }
    if done.contains(.keys) {
      // Known from the start, the key costs nothing; else it comes beside the media playlist, which
      // then costs nothing, since it is there sooner.
      gain =
        gain
        + (done.contains(.playlist)
          ? request(bytes: 975) + .milliseconds(800)
          : request(bytes: done.contains(.gzip) ? 1_950 : 9_750))
    }
    return gain
  }

  @Test(arguments: all)
  func gainsAreTheRoundTripsAndBytesThatAreSaved(_ done: Preparation) throws {
    let path = "Scenarios/startup/title-card-\(done).json"
    let text = try #require(MarkdownDocument.read(path))
    let transport = "\"transport\": { \"tls\": \"1.3\" }"
    #expect(text.contains(transport))
    let ideal = text.replacing(transport, with: "\"transport\": \"ideal\"")
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: path, text: ideal), loader: .none)
    #expect(findings.isEmpty)
    let result = ScenarioRun.run(try #require(scenario))
    let metrics = result.metrics[0]
    #expect(metrics.timeSpentInInitialStartup == Self.whole - Self.gain(done))
    #expect(metrics.stallCount == 0)
    #expect(metrics.playedToEndCount == 1)
  }
}
