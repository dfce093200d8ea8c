import Foundation
import Testing

/// `autowait shrink`: what is left shows the same, and is small.
@Suite struct ShrinkCommandTests {
  private static let scenario = """
    {
      "autowait": 1,
      "name": "a tunnel",
      "about": "Secret words.",
      "tags": ["secret"],
      "link": {
        "down": { "delay": "13 ms", "track": [
          {"for": "10 s", "rate": "3 Mbit/s"}, {"for": "25 s", "rate": 0},
          {"for": "60 s", "rate": "3.1 Mbit/s"}, {"for": "60 s", "rate": "4.2 Mbit/s"}
        ] }
      },
      "players": [
        {"name": "a", "media": {"kind": "progressive", "duration": "63 s", "bitrate": "2 Mbit/s"}},
        {"name": "b", "media": {"kind": "local", "duration": "9 s", "bitrate": "2 Mbit/s"}}
      ],
      "script": [
        {"at": 0, "do": "load", "player": "a"}, {"at": 0, "do": "play", "player": "a"},
        {"at": "1 s", "do": "load", "player": "b"}, {"at": "2 s", "do": "play", "player": "b"},
        {"at": "40 s", "do": "pause", "player": "b"}
      ],
      "expect": [
        {"metric": "stallCount", "player": "b", "==": 0},
        {"metric": "stallCount", "player": "a", "==": 0},
        {"eventually": {"event": "didPlayToEndTime", "player": "a"}, "within": "30 s"}
      ]
    }

    """

  private func fixture() throws -> CommandFixture {
    try CommandFixture(["a.json": Self.scenario])
  }

  private func json(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8))
  }

  /// The longest stall that `autowait run` tells of; nil if it refuses the scenario.
  private func stalled(_ fixture: CommandFixture, _ text: String) throws -> Double? {
    try fixture.write("x.json", text)
    let call = fixture.call("run", "$/x.json", "--format", "json")
    guard call.code < 2 else { return nil }
    let run = try #require(try json(call.output) as? [String: Any])
    let players = run["players"] as? [[String: Any]] ?? [run]
    return players.compactMap { player in
      (player["metrics"] as? [String: Any])?["timeSpentRecoveringFromStall"] as? Double
    }.max()
  }

  @Test func aStallIsKept() throws {
    let fixture = try fixture()
    let call = fixture.call("shrink", "$/a.json")
    #expect(call.code == 0, "\(call)")
    #expect(call.messages.contains("nothing more can be left out alone"))
    #expect(call.messages.contains("1 of 2 players") || call.messages.contains("0 of 2 players"))
    #expect(!call.output.contains("Secret") && !call.output.contains("secret"))
    #expect(try #require(try stalled(fixture, call.output)) >= 10)
    try fixture.write("small.json", call.output)
    let again = fixture.call("shrink", "$/small.json", "--output", "$/again.json")
    #expect(again.code == 0 && again.output == "")
    #expect(try fixture.read("again.json") == call.output)
    #expect(fixture.call("check", "$/small.json").code == 0)
    #expect(fixture.call("shrink", "$/a.json") == call)
  }

  /// A log has the scenario, and gives the same.
  @Test func logsAndChangesAreTaken() throws {
    let fixture = try fixture()
    let call = fixture.call("shrink", "$/a.json")
    fixture.call("run", "$/a.json", "--format", "jsonl", "--output", "$/a.log")
    #expect(fixture.call("shrink", "$/a.log").output == call.output)
    fixture.call(
      "run", "$/a.json", "--format", "jsonl", "--output", "$/b.log", "--recording", "$/a.recording")
    #expect(fixture.call("shrink", "$/a.recording").output == call.output)
    let changed = fixture.call("shrink", "$/a.json", "--set", "link.down.track[1].for=1 s")
    #expect(changed.code == 2 && changed.messages.contains("no player stalls"), "\(changed)")
  }

  @Test func theResultOfAnExpectationIsKept() throws {
    let fixture = try fixture()
    let met = fixture.call("shrink", "$/a.json", "--keep", "1")
    #expect(met.code == 0 && met.messages.contains("expectation 1, met"), "\(met)")
    let missed = fixture.call("shrink", "$/a.json", "--keep", "2")
    #expect(missed.messages.contains("expectation 2, missed"), "\(missed)")
    try fixture.write("missed.json", missed.output)
    let run = fixture.call("run", "$/missed.json")
    #expect(run.code == 1 && run.output.contains("0 met, 1 not"), "\(run)")
    // What is missed because it comes too late comes too late, and not never for want of a play().
    let late = fixture.call("shrink", "$/a.json", "--keep", "3")
    try fixture.write("late.json", late.output)
    #expect(fixture.call("run", "$/late.json").code == 1)
    #expect(late.output.contains(#""within": "30 s""#))
    let none = fixture.call("shrink", "$/a.json", "--keep", "4")
    #expect(none.code == 2 && none.messages.contains("the scenario has 3 expectations"))
  }

  @Test func startsAndEventsAreKept() throws {
    let fixture = try fixture()
    let start = fixture.call("shrink", "$/a.json", "--keep", "startup", "--set", "link=nlc/3g")
    #expect(start.code == 0 && start.messages.contains("a startup of"), "\(start)")
    let event = fixture.call("shrink", "$/a.json", "--keep", "didPlayToEndTime")
    #expect(event.code == 0, "\(event)")
    try fixture.write("event.json", event.output)
    let log = fixture.call("run", "$/event.json", "--format", "jsonl").output
    #expect(log.contains("didPlayToEndTime"))
    let wrong = fixture.call("shrink", "$/a.json", "--keep", "stal")
    #expect(wrong.code == 2 && wrong.messages.contains("did you mean 'stall'"), "\(wrong)")
  }

  /// What stands in files stands in the scenario once it is cut, and no path is told.
  @Test func aTraceIsCutAndStandsInTheScenario() throws {
    var trace = "t,kbps\n"
    for second in 0..<120 { trace += "\(second),\(second < 9 || second > 30 ? 5_000 : 120)\n" }
    let scenario = """
      {
        "autowait": 1, "link": "t.csv",
        "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}],
        "media": {"kind": "progressive", "duration": "60 s", "bitrate": "3 Mbit/s"}
      }
      """
    let fixture = try CommandFixture(["t.csv": trace, "a.json": scenario])
    let call = fixture.call("shrink", "$/a.json")
    #expect(call.code == 0)
    #expect(!call.output.contains("csv"), "\(call.output)")
    #expect(try #require(try stalled(fixture, call.output)) >= 10)
  }

  @Test func theWorstNetworkCanBeShrunk() throws {
    let experiment = """
      {
        "experiment": 1,
        "base": {
          "link": "demo/slow-server",
          "media": {"kind": "progressive", "duration": "12 s", "bitrate": "3.73 Mbit/s"},
          "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
        },
        "vary": { "heuristic": ["mpv", "fixed"], "seed": [7] }
      }
      """
    let fixture = try CommandFixture(["x.json": experiment])
    let arguments = ["compare", "$/x.json", "--worst", "mpv", "--shrink"]
    let call = fixture.call(arguments + ["--output", "$/worst.json"])
    #expect(call.code == 0, "\(call)")
    #expect(try fixture.read("worst.json").contains("\"heuristic\": \"mpv\""))
    let run = fixture.call("run", "$/worst.json")
    #expect(run.code == 0 && run.output.contains("4 expectations: 4 met"), "\(run)")
    #expect(fixture.call("compare", "$/x.json", "--shrink").code == 2)
  }
}
