import AutowaitScenario
import Foundation
import Testing

/// `autowait diff`: what differs is named exactly, and nothing else.
@Suite struct DiffCommandTests {
  private static let stalling = """
    {
      "autowait": 1,
      "name": "stalls",
      "link": {"name": "x", "down": {"rate": "1500 kbit/s", "delay": "20 ms"}},
      "media": {"kind": "progressive", "duration": "20 s", "bitrate": "2 Mbit/s"},
      "player": {"automaticallyWaitsToMinimizeStalling": false},
      "script": [{"at": 0, "do": "load"}, {"at": "1 s", "do": "play"}],
      "until": "60 s"
    }

    """

  private func fixture() throws -> CommandFixture {
    try CommandFixture([
      "a.json": Self.stalling,
      "b.json": Self.stalling.replacing("1500 kbit/s", with: "3000 kbit/s"),
    ])
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func words(_ object: [String: Any]) -> [String] {
    (object["words"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
  }

  @Test(arguments: [
    ("1500 kbit/s", "1501 kbit/s", "link.down.rate"), ("20 ms", "21 ms", "link.down.delay"),
    ("20 s", "21 s", "media.duration"), ("2 Mbit/s", "2.5 Mbit/s", "media.bitrate"),
    ("false", "true", "player.automaticallyWaitsToMinimizeStalling"),
    ("\"1 s\"", "\"2 s\"", "script[1].at"), ("60 s", "61 s", "until"),
    ("\"stalls\"", "\"other\"", "name"), ("\"name\": \"x\"", "\"name\": \"y\"", "link.name"),
  ])
  func oneChangedWordIsNamedExactly(_ old: String, _ new: String, _ path: String) throws {
    let fixture = try fixture()
    try fixture.write("b.json", Self.stalling.replacing(old, with: new))
    let call = fixture.call("diff", "$/a.json", "$/b.json", "--format", "json")
    let object = try json(call.output)
    #expect(words(object) == [path])
    let isSame = object["same"] as? Bool
    #expect(call.code == (isSame == true ? 0 : 1), "\(call)")
    if path == "name" { #expect(isSame == true) }
    if path == "link.down.rate" { #expect(isSame == false) }
    // The other way round it is the same difference.
    let back = try json(fixture.call("diff", "$/b.json", "$/a.json", "--format", "json").output)
    #expect(words(back) == [path])
  }

  /// One file is compared with itself after changes, and two of its runs with each other, as if
  /// they were files of their own.
  @Test func oneFileIsComparedWithItself() throws {
    let fixture = try fixture()
    let files = fixture.call("diff", "$/a.json", "$/b.json").output.split(separator: "\n")
      .dropFirst(2)
    let changed = fixture.call("diff", "$/a.json", "--set", "link.down.rate=3000 kbit/s")
    #expect(changed.code == 1)
    #expect(changed.output.hasPrefix("- $/a.json: stalls\n+ $/a.json, changed: stalls\n"))
    #expect(Array(changed.output.split(separator: "\n").dropFirst(2)) == Array(files))
    let varied = Self.stalling.replacing(
      "\"until\"",
      with: "\"vary\": {\"link.down.rate\": [\"1500 kbit/s\", \"3000 kbit/s\"]}, \"until\"")
    try fixture.write("v.json", varied)
    let names = ["rate-1500-kbit-s", "rate-3000-kbit-s"]
    let runs = fixture.call("diff", "$/v.json", "--run", names[0], "--run", names[1])
    #expect(runs.output.hasPrefix("- $/v.json [\(names[0])]"), "\(runs)")
    #expect(runs.output.contains("link.down.rate"))
    let same = fixture.call("diff", "$/v.json", "$/a.json", "--run", names[0])
    #expect(same.code == 0, "\(same)")
  }

  @Test(arguments: [
    ("$/a.json", "'autowait diff' needs two runs, but was given 1"),
    ("$/a.json $/b.json --set until=3", "'--set' changes one scenario"),
    ("$/a.json --run a --run b --run c", "'autowait diff' compares two runs, not 3"),
    ("- --set until=3", "standard input can be read only once"),
  ])
  func whatCannotBeCompared(_ call: String, _ message: String) throws {
    let outcome = try fixture().call(["diff"] + call.split(separator: " ").map(String.init))
    #expect(outcome.code == 2)
    #expect(outcome.messages.contains(message), "\(outcome)")
  }

  @Test func elementsThatOnlyOneHasDoNotMoveOthers() throws {
    let fixture = try fixture()
    try fixture.write(
      "b.json",
      Self.stalling.replacing(
        "{\"at\": 0,", with: "{\"at\": 0, \"do\": \"pause\"}, {\"at\": 0,"))
    let object = try json(fixture.call("diff", "$/a.json", "$/b.json", "--format", "json").output)
    #expect(words(object) == ["script[0]"])
  }

  @Test func theFirstDifferenceHasCauseStateAndMetrics() throws {
    let fixture = try fixture()
    let call = fixture.call("diff", "$/a.json", "$/b.json")
    #expect(call.code == 1 && call.messages.isEmpty, "\(call)")
    for part in [
      "- $/a.json: stalls\n+ $/b.json: stalls\n",
      "1 difference in the scenarios\n  link.down.rate\n",
      "\n    - \"1500 kbit/s\"\n    + \"3000 kbit/s\"\n",
      "\nfirst difference at ", "\n  cause: ", "\nstate at ", "\nmetrics\n", "stallCount ",
      "change\n",
    ] {
      #expect(call.output.contains(part), "\(part): \(call.output)")
    }
    // What is equal is shown only if it is asked for.
    #expect(!call.output.contains("actionAtItemEnd"))
    let all = fixture.call("diff", "$/a.json", "$/b.json", "--all").output
    #expect(all.contains("actionAtItemEnd") && all.contains("playedToEndCount"))
  }

  @Test func aScenarioItsLogAndItsRecordingAreTheSame() throws {
    let fixture = try fixture()
    fixture.call("run", "$/a.json", "--format", "jsonl", "--output", "$/a.log")
    fixture.call("run", "$/a.json", "--recording", "$/a.recording")
    let names = ["a.json", "a.log", "a.recording"]
    for one in names {
      for other in names {
        let call = fixture.call("diff", "$/\(one)", "$/\(other)")
        #expect(call.code == 0 && call.messages.isEmpty, "\(one) \(other): \(call)")
        #expect(call.output.contains("the scenarios say the same\n"))
        #expect(call.output.hasSuffix("the same happens, event by event\n"))
      }
    }
    fixture.input = [Self.stalling]
    #expect(fixture.call("diff", "-", "$/a.log").code == 0)
    fixture.input = [try fixture.read("a.recording")]
    #expect(fixture.call("diff", "$/b.json", "-").code == 1)
  }

  /// A log that this build does not give again.
  @Test func logsOfOtherBuildsAreComparedByTheirEvents() throws {
    let fixture = try fixture()
    fixture.call("run", "$/a.json", "--format", "jsonl", "--output", "$/a.log")
    let log = try fixture.read("a.log")
    let lines = log.split(separator: "\n").map(String.init)
    let index = try #require(lines.firstIndex { $0.contains("\"event\":\"playbackStalled\"") })
    try fixture.write(
      "b.log",
      (lines[..<index] + lines[(index + 1)...]).joined(separator: "\n").replacing(
        "\"stallCount\":1", with: "\"stallCount\":0") + "\n")
    let call = fixture.call("diff", "$/a.log", "$/b.log")
    #expect(call.code == 1, "\(call)")
    #expect(call.output.contains(", in line \(index + 1)\n"), "\(call.output)")
    let all = fixture.call("diff", "$/a.log", "$/b.log", "--all").output
    #expect(all.contains("\nlast said by the events up to "), "\(all)")
    #expect(all.contains("timeControlStatus"))
    // An event is a difference, whatever the metrics say.
    try fixture.write(
      "d.log", (lines[..<index] + lines[(index + 1)...]).joined(separator: "\n") + "\n")
    #expect(fixture.call("diff", "$/a.log", "$/d.log").code == 1)
    // A log that is cut off has no metrics.
    try fixture.write("c.log", lines[..<index].joined(separator: "\n") + "\n")
    let cut = fixture.call("diff", "$/a.log", "$/c.log")
    #expect(cut.code == 1 && cut.output.contains("$/c.log is cut off"), "\(cut)")
    #expect(cut.output.contains("(the second run ends here)"))
  }

  @Test func playersAreToldApart() throws {
    let text = """
      {"autowait": 1, "link": {"name": "x", "rate": "9 Mbit/s"},
        "media": {"kind": "progressive", "duration": "9 s", "bitrate": "3 Mbit/s"},
        "players": [{"name": "one"}, {"name": "two"}],
        "script": [
          {"at": 0, "do": "load", "player": "one"}, {"at": 0, "do": "play", "player": "one"},
          {"at": "1 s", "do": "load", "player": "two"},
          {"at": "1 s", "do": "play", "player": "two"}]}
      """
    let fixture = try CommandFixture([
      "a.json": text,
      "b.json": text.replacing("\"1 s\", \"do\": \"play\"", with: "\"5 s\", \"do\": \"play\""),
      "c.json": text.replacing(", {\"name\": \"two\"}", with: "")
        .replacing("\"two\"", with: "\"one\""),
    ])
    let call = fixture.call("diff", "$/a.json", "$/b.json")
    #expect(call.code == 1 && call.output.contains("  two.timeControlStatus"), "\(call.output)")
    #expect(call.output.contains("  two.timePaused"))
    #expect(!call.output.contains("one.stallCount"))
    #expect(fixture.call("diff", "$/a.json", "$/c.json").code == 1)
  }

  @Test func longGoldenLogsAreRunAgain() throws {
    let samples = (0..<300).map { "{\"for\": \"0.1 s\", \"rate\": \(3_000_000 + $0 % 7)}" }
    let link = "{\"down\": {\"track\": [\(samples.joined(separator: ","))]}}"
    let fixture = try CommandFixture([
      "a.json": Fixture.scenario(link: link, startupMax: "20 s"), "b.json": Fixture.playing,
    ])
    #expect(fixture.call("test", "$/a.json", "--record", "all").code == 1)
    #expect(try fixture.read("a.expected.log").split(separator: "\n").count == 2)
    #expect(fixture.call("diff", "$/a.expected.log", "$/a.json").code == 0)
    let other = fixture.call("diff", "$/a.expected.log", "$/b.json")
    #expect(other.code == 1 && other.output.contains("first difference at "))
    // If this build does not give it, its events are not known.
    let golden = try fixture.read("a.expected.log")
    try fixture.write(
      "c.log", golden.replacing("\"stallCount\":0", with: "\"stallCount\":5"))
    let call = fixture.call("diff", "$/c.log", "$/a.json")
    #expect(call.code == 1 && call.output.contains("the first difference is unknown"), "\(call)")
    #expect(call.output.contains("stallCount"))
  }

  @Test(arguments: [80, 120, 60])
  func noLineIsTooWide(_ columns: Int) throws {
    let fixture = try fixture()
    fixture.variables["COLUMNS"] = "\(columns)"
    let output = fixture.call("diff", "$/a.json", "$/b.json", "--all").output
    for line in output.replacing("$", with: fixture.folder).split(separator: "\n") {
      #expect(line.count <= columns, "\(line)")
    }
    #expect(!output.contains("\u{1B}"))
    fixture.isTerminal = true
    #expect(fixture.call("diff", "$/a.json", "$/b.json").output.contains("\u{1B}[31m"))
    fixture.variables["NO_COLOR"] = "1"
    #expect(!fixture.call("diff", "$/a.json", "$/b.json").output.contains("\u{1B}"))
  }

  @Test(arguments: [
    ("none.json", "", "$/none.json: error: the file does not exist"),
    ("x.json", "{}", "this is neither a scenario, nor a log, nor a recording"),
    ("x.json", "", "error: "), ("x.log", "zonk", "neither a scenario, nor a log"),
    ("x.json", "{\"autowait\": 1, \"lnik\": 3}", "unknown key 'lnik'"),
    ("x.json", CompareCommandTests.experiment, "this is an experiment, not a scenario"),
    ("x.m3u8", "#EXTM3U\n", "neither a scenario, nor a log"),
    ("x.log", "{\"autowaitLog\":1}\n", "the first line of a log needs the keys"),
    ("x.log", "{\"autowaitLog\":7}\n", "this version of the log's format is unknown"),
    ("x.recording", "{\"autowaitRecording\":1}\n", "error: the recording is cut off"),
  ])
  func whatCannotBeComparedIsSaid(_ name: String, _ text: String, _ message: String) throws {
    let fixture = try fixture()
    if name != "none.json" { try fixture.write(name, text) }
    for paths in [["$/\(name)", "$/a.json"], ["$/a.json", "$/\(name)"]] {
      let call = fixture.call(["diff"] + paths)
      #expect(call.code == 2 && call.output.isEmpty, "\(call)")
      #expect(call.messages.contains(message), "\(call.messages)")
    }
  }
}
