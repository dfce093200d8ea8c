import Autowait
import AutowaitScenario
import Testing

/// Reads scenarios about a stream of which a row gives what matters.
enum StreamFixture {
  /// A stream of two variants, for rows that are about something else.
  static let streamMedia = """
    "duration":"60 s","variants":[{"bandwidth":2000000,"resolution":"1280x720"},\
    {"bandwidth":1000000,"resolution":"640x360"}]
    """

  /// Reads a scenario with a stream that has some fields.
  static func read(
    _ stream: String = streamMedia, player: String = "", script: String = "", seed: UInt64 = 0
  ) -> (scenario: Scenario?, findings: [Finding]) {
    let text = """
      {"link":{"rate":"2 Mbit/s"},"seed":\(seed),"media":{"kind":"hls",\(stream)},\
      "player":{\(player)},"script":[{"at":0,"do":"load"}\(script)]}
      """
    return ScenarioReader.read(SourceText(path: "a.json", text: text), loader: .none)
  }

  /// Returns the messages and notes about a stream, a line each.
  static func messages(
    _ stream: String = streamMedia, player: String = "", script: String = ""
  ) -> [String] {
    read(stream, player: player, script: script).findings.flatMap { finding in
      ["\(finding.severity): \(finding.message)"] + finding.notes.map { "note: \($0)" }
    }
  }

  /// Returns a stream that must be right.
  static func streamMedia(_ stream: String, seed: UInt64 = 0) throws -> StreamMedia {
    let (scenario, findings) = read(stream, seed: seed)
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    return try #require(scenario?.world.players[0].media[0].streamMedia)
  }
}

extension SegmentList {
  /// The sizes of all segments.
  var sizes: [Int64] { (0..<count).map { size(of: $0).bytes } }
}
