import AutowaitScenario
import Foundation
import Testing

/// `autowait explain`: what it says of a run follows from runs, and reads well.
@Suite struct ExplainCommandTests {
  private static let tunnel = """
    {
      "autowait": 1,
      "name": "a tunnel",
      "link": {
        "down": { "track": [
          {"for": "10 s", "rate": "3 Mbit/s"}, {"for": "25 s", "rate": 0},
          {"for": "60 s", "rate": "3 Mbit/s"}
        ] }
      },
      "media": {"kind": "progressive", "duration": "60 s", "bitrate": "2 Mbit/s"},
      "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
    }

    """

  private func fixture() throws -> CommandFixture { try CommandFixture(["a.json": Self.tunnel]) }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func player(_ fixture: CommandFixture, _ path: String) throws -> [String: Any] {
    let call = fixture.call("explain", path, "--format", "json")
    #expect(call.code == 0 && call.messages.isEmpty, "\(call)")
    let players = try object(call.output)["players"] as? [[String: Any]]
    return try #require(players?.first)
  }

  @Test func anOutageIsNamedWithItsTimes() throws {
    let call = try fixture().call("explain", "$/a.json")
    #expect(call.code == 0)
    #expect(call.output.contains("an outage of the link (10 s to 35 s): gone without it"))
    #expect(call.output.contains("no outage longer than"))
  }

  /// From 7 to 67 s nothing comes, and all that goes wrong is named with the stall.
  ///
  /// The segment of 6 s that was asked for at 4 s falls silent and is given up at 16 s, two target
  /// durations later, the next ones after one.
  @Test func whatWentWrongIsNamed() throws {
    let text = """
      {
        "autowait": 1, "name": "a dead path", "until": "120 s",
        "link": {
          "down": {"rate": "3 Mbit/s"}, "events": [{"type": "blackout", "at": "7 s", "for": "60 s"}]
        },
        "media": {
          "kind": "hls", "duration": "60 s", "segmentDuration": "6 s",
          "multivariantPlaylist": 0, "mediaPlaylist": 0, "variants": [{"bandwidth": "2 Mbit/s"}]
        },
        "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
      }

      """
    let fixture = try CommandFixture(["a.json": text])
    let output = fixture.call("explain", "$/a.json").output
    #expect(output.contains("  went wrong   Media file not received in 12 s (-16830), at 16 s\n"))
    #expect(output.contains("No response for media file in 6 s (-12889), at"), "\(output)")
    let stalls = try #require(try player(fixture, "$/a.json")["stalls"] as? [[String: Any]])
    let codes = (stalls.first?["wentWrong"] as? [[String: Any]])?.map { $0["code"] as? Int }
    #expect(codes == [-16_830, -12_880, -12_889])
  }

  /// A file that a server refuses fails: the item is named, and its code.
  @Test func anItemThatFailedIsNamed() throws {
    let path = "Scenarios/outages/missing-segments.json"
    let output = try fixture().call("explain", path).output
    #expect(output.contains("\nthe item failed\n  at "), "\(output)")
    #expect(output.contains("HTTP 404: File Not Found (-12938), at"), "\(output)")
  }

  /// What a program is told is enough: playback from then on does not stall, and it does from a
  /// step before: a millisecond.
  @Test func theValueOfAnAnswerIsEnough() throws {
    let path = "Scenarios/demo/play-immediately.json"
    let text = try fixture().call("explain", path, "--format", "json").output
    let key = #""change":"play","value":"#
    let value = try #require(text.split(separator: key).dropFirst().first)
    let time = try #require(Int64(value.prefix { $0.isNumber }))
    #expect(value.dropFirst("\(time)".count).hasPrefix(#","unit":"ns""#), "\(value.prefix(40))")
    func stalls(_ time: Int64) throws -> Bool {
      let step = "script[1]={\"at\": \"\(time) ns\", \"do\": \"playImmediately\"}"
      let run = try fixture().call("run", path, "--set", step, "--format", "json").output
      return run.contains("\"stallCount\":1")
    }
    #expect(try !stalls(time) && stalls(time - 1_000_000))
  }

  @Test func theStallIsThatOfTheMetrics() throws {
    let fixture = try fixture()
    let stalls = try #require(try player(fixture, "$/a.json")["stalls"] as? [[String: Any]])
    try #require(stalls.count == 1)
    #expect(stalls[0]["causes"] as? [String] == ["outage"])
    let run = try object(fixture.call("run", "$/a.json", "--format", "json").output)
    let players = run["players"] as? [[String: Any]]
    let metrics = (players?.first?["metrics"] ?? run["metrics"]) as? [String: Any]
    let stalled = try #require(metrics?["timeSpentRecoveringFromStall"] as? Double)
    let start = try #require(stalls[0]["start"] as? Double)
    let end = try #require(stalls[0]["end"] as? Double)
    #expect(abs(end - start - stalled) < 1e-6)
  }

  /// What the start waited for adds up to the startup, to the nanosecond.
  @Test func thePartsOfTheStartAddUp() throws {
    let fixture = try fixture()
    for path in ["complaints/wifi-to-cellular-no-reconnect", "complaints/cold-feed-waits"] {
      let startup = try #require(
        try player(fixture, "Scenarios/\(path).json")["startup"] as? [String: Any])
      let path = try #require(startup["path"] as? [[String: Any]])
      let whole = try #require(startup["time"] as? Double)
      let parts = path.compactMap { $0["seconds"] as? Double }
      #expect(!parts.isEmpty && parts.count == path.count)
      let sum = parts.reduce(0) { $0 + ($1 * 1e9).rounded() }
      #expect(sum == (whole * 1e9).rounded(), "\(path)")
    }
  }

  @Test(arguments: [80, 120])
  func noLineIsWiderThanTheTerminal(_ columns: Int) throws {
    let fixture = try fixture()
    fixture.variables["COLUMNS"] = "\(columns)"
    let text = fixture.call("explain", "$/a.json").output
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= columns })
    #expect(text.split(separator: "\n").contains { $0.count > columns * 7 / 10 })
  }

  @Test func aLogIsExplainedAsItsScenario() throws {
    let fixture = try fixture()
    try fixture.write("a.log", fixture.call("run", "$/a.json", "--format", "jsonl").output)
    let log = fixture.call("explain", "$/a.log", "--format", "json")
    #expect(log == fixture.call("explain", "$/a.json", "--format", "json"))
  }

  @Test func aChangedScenarioIsExplainedAsItIsThen() throws {
    let call = try fixture().call(
      "explain", "$/a.json", "--set", "link.down.track[1].rate=3 Mbit/s")
    #expect(call.code == 0 && !call.output.contains("stall 1"), "\(call)")
  }

  /// A page explains what it can wait for: where packets travel the causes alone, and nothing of a
  /// run whose every packet would take too long.
  @Test(arguments: [
    (#"{"tier": "fluid"}"#, "3 Mbit/s", "2 Mbit/s", true, true),
    (#"{"tier": "packet"}"#, "300 kbit/s", "200 kbit/s", true, false),
    (#"{"tier": "packet"}"#, "6 Mbit/s", "4 Mbit/s", false, false),
  ])
  func aPageExplainsWhatItCanWaitFor(
    _ transport: String, _ rate: String, _ bitrate: String, _ hasCauses: Bool, _ hasAnswers: Bool
  ) throws {
    let text = Self.tunnel.replacing("3 Mbit/s", with: rate).replacing("2 Mbit/s", with: bitrate)
      .replacing("\"link\":", with: "\"transport\": \(transport), \"link\":")
    let page = try CommandFixture(["a.json": text]).call("run", "$/a.json", "--html", "-").output
    #expect(page.contains("an outage of the link (10 s to 35 s)") == hasCauses)
    #expect(page.contains("no outage longer than") == hasAnswers)
    #expect(page.contains("not searched here") == (hasCauses && !hasAnswers))
  }

  @Test func whatCannotBeExplainedIsSaid() throws {
    let fixture = try fixture()
    #expect(fixture.call("explain", "$/missing.json").code == 2)
    #expect(fixture.call("explain", "$/a.json", "$/a.json").code == 2)
    let program = "Scenarios/heuristics/rule-in-the-shell.json"
    #expect(fixture.call("explain", program).code == 2)
    let allowed = fixture.call("explain", program, "--allow-programs")
    #expect(allowed.code == 2)
    #expect(allowed.messages.contains("asks a program"))
    let log = fixture.call("run", "$/a.json", "--format", "jsonl").output
    try fixture.write("b.log", log.replacing("\"playbackStalled\"", with: "\"didPlayToEndTime\""))
    let call = fixture.call("explain", "$/b.log")
    #expect(call.code == 2)
    #expect(call.messages.contains("does not produce the log again"))
  }
}
