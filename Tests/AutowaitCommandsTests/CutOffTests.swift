import Testing

/// A run that a bound cuts off ends with 6, and all that speaks of it says so.
@Suite struct CutOffTests {
  /// A scenario that is cut off at so many events, with what it expects.
  private static func scenario(
    _ events: Int, with fields: String = "", expecting expectations: String = ""
  ) -> String {
    """
    {"autowait": 1, "name": "cut", "eventsMax": \(events), "link": "demo/slow-server",
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
     \(fields) "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}],
     "expect": [\(expectations)]}
    """
  }

  private static let note = "note: raise it with 'eventsMax'"
  private static let failing = #"{"metric": "stallCount", "==": 7}"#

  /// What is expected of a scenario, its bound, and what `run` ends with.
  @Test(arguments: [
    ("", 5, 6), ("", 1_000_000, 0), (failing, 5, 6), (failing, 1_000_000, 1),
    (#"{"finish": "eventLimit"}"#, 5, 0), (#"{"finish": "settled"}"#, 5, 6),
    (#"{"finish": "eventLimit"}, "# + failing, 5, 1),
  ])
  func runEndsSo(_ expectations: String, _ events: Int, _ code: Int32) throws {
    let fixture = try CommandFixture(["a.json": Self.scenario(events, expecting: expectations)])
    let outcome = fixture.call("run", "$/a.json")
    #expect(outcome.code == code)
    #expect(outcome.messages.contains(Self.note) == (code == 6))
    // What is not met is shown all the same.
    if expectations.contains("stallCount") { #expect(outcome.output.contains("✗ line")) }
    let json = fixture.call("run", "$/a.json", "--format", "json")
    #expect(json.code == code)
    #expect(json.output.contains(#""finish":"eventLimit""#) == (events == 5))
  }

  /// A script seeks with every event: what the access log notes of each seek takes more memory
  /// than an event, and is bounded as well.
  @Test(arguments: [(20, "20 events"), (8_000, "1160 stalls and entries")])
  func entriesOfTheAccessLogAreBoundedToo(_ eventsMax: Int, _ bound: String) throws {
    let text = #"""
      {"autowait": 1, "name": "cut", "eventsMax": \#(eventsMax), "link": "demo/offline",
       "media": {"kind": "local", "duration": "39 s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
                  {"every": "1 ms", "do": "seek", "to": "1 s"}]}
      """#
    let fixture = try CommandFixture(["a.json": text])
    let outcome = fixture.call("run", "$/a.json")
    #expect(outcome.code == 6)
    #expect(outcome.messages.contains("it reached its bound of \(bound)\n"))
    #expect(outcome.output.contains("the bound of \(bound) is reached"))
    #expect(
      fixture.call("run", "$/a.json", "--html", "-").output.contains("its bound of \(bound)."))
    // The words go by how many there were; that there are no more is what keeps the memory small.
    let log = fixture.call("run", "$/a.json", "--format", "jsonl").output
    let count = log.split(separator: "\n").count { $0.contains("\"newAccessLogEntry\"") }
    #expect(eventsMax == 20 ? count <= 20 : count == 1_161, "\(count)")
  }

  /// A scenario that could be read does not hide one that was cut off, in any order.
  @Test func theHeaviestCodeWins() throws {
    let fixture = try CommandFixture([
      "cut.json": Self.scenario(5), "whole.json": Self.scenario(1_000_000),
      "fails.json": Self.scenario(1_000_000, expecting: Self.failing),
    ])
    for names in [["cut", "fails", "whole"], ["whole", "fails", "cut"]] {
      #expect(fixture.call(["run"] + names.map { "$/\($0).json" }).code == 6)
    }
  }

  @Test func testFailsItAsAnError() throws {
    let fixture = try CommandFixture(["a.json": Self.scenario(5, expecting: Self.failing)])
    #expect(fixture.call("test", "$/a.json", "--update").code == 6)
    let outcome = fixture.call("test", "$/a.json", "--junit", "$/report.xml")
    #expect(outcome.code == 6)
    #expect(outcome.output.contains("it reached its bound of 5 events"))
    #expect(outcome.output.contains("stallCount"))
    let report = try fixture.read("report.xml")
    #expect(report.contains(#"failures="0" errors="1""#))
    #expect(report.contains(#"<error message="the run was stopped at "#))
    #expect(report.contains(#"type="eventLimit">"#))
    let json = fixture.call("test", "$/a.json", "--format", "json").output
    #expect(json.contains(#""status":"cutOff""#))
    #expect(json.contains(#""kind":"eventLimit""#))
    try fixture.write("a.json", Self.scenario(5, expecting: #"{"finish": "eventLimit"}"#))
    _ = fixture.call("test", "$/a.json", "--update")
    #expect(fixture.call("test", "$/a.json").code == 0)
  }

  @Test func replaySaysSo() throws {
    let fixture = try CommandFixture(["a.json": Self.scenario(5)])
    _ = fixture.call("test", "$/a.json", "--update")
    let outcome = fixture.call("replay", "$/a.expected.log")
    #expect(outcome.code == 6)
    #expect(outcome.output.hasPrefix("identical: "))
    #expect(outcome.messages.hasSuffix(Self.note + "\n"))
  }

  private static let experiment = CompareCommandTests.experiment
    .replacing("\"link\": \"demo/slow-server\",", with: "\"eventsMax\": 8,")

  @Test func compareAndMergeSaySo() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let outcome = fixture.call("compare", "$/x.json", "--csv")
    #expect(outcome.code == 6)
    let rows = outcome.output.split(separator: "\n").dropFirst()
    let cut = rows.count { $0.contains(",eventLimit,") }
    #expect(cut > 0)
    #expect(outcome.messages.contains("\(cut) sessions reached the bound of events and were cut"))
    #expect(outcome.messages.contains("'eventsMax'"))
    let shard = fixture.call("compare", "$/x.json", "--shard", "1/1", "--out", "$/d")
    #expect(shard.code == 0)
    #expect(try fixture.read("d/x.1-of-1.ndjson").contains(#""outcome":"eventLimit""#))
    let merged = fixture.call("merge", "$/d", "--csv")
    #expect(merged.code == 6)
    #expect(merged.output == outcome.output)
    fixture.input = ["{\"shard\": \"1/1\"}\n"]
    let work = fixture.call("work", "$/x.json")
    #expect(work.code == 0)
    #expect(work.output.contains(#""outcome":"eventLimit""#))
  }

  @Test func workSaysSo() throws {
    let fixture = try CommandFixture(["a.json": Self.scenario(5)])
    fixture.input = ["{\"scenario\": \"\(fixture.path("a.json"))\"}\n"]
    let outcome = fixture.call("work")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains(#""finish":"eventLimit""#))
  }
}
