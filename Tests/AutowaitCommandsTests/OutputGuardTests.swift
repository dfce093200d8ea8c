import AutowaitCommands
import Foundation
import Testing

/// What is written never replaces what is read, and no file is written twice.
@Suite struct OutputGuardTests {
  private static let experiment = """
    {"experiment": 1, "base": "s.json",
     "vary": {"heuristic": ["media3", {"name": "own", "program": ["./rule.sh"]}],
              "link": ["../links/bus.csv", "demo/fast"], "seed": 2}}
    """

  /// An experiment with a base, a trace and a program, and its shards.
  private func fixture() throws -> CommandFixture {
    let fixture = try CommandFixture([
      "Scenarios/x/e.json": Self.experiment,
      "Scenarios/x/s.json": Fixture.playing,
      "Scenarios/links/bus.csv": "time_s,bandwidth_kbps\n0,5000\n10,4000\n",
      "Scenarios/x/rule.sh": "#!/bin/sh\nwhile read -r question; do echo true; done\n",
      "apart/x": "",
    ])
    try fixture.makeExecutable("Scenarios/x/rule.sh")
    fixture.variables["AUTOWAIT_ALLOW_PROGRAMS"] = "1"
    for shard in ["1/2", "2/2"] {
      let call = fixture.call("compare", "$/Scenarios/x/e.json", "--shard", shard, "--out", "$/d")
      try #require(call.code == 0, "\(call)")
    }
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: fixture.path("link"), withDestinationPath: "Scenarios/x/s.json")
    try manager.createSymbolicLink(atPath: fixture.path("shards"), withDestinationPath: "d")
    return fixture
  }

  /// All files and what is in them.
  private func contents(_ fixture: CommandFixture) throws -> [String] {
    try fixture.names().map { name in
      "\(name): \((try? fixture.read(name)) ?? "")"
    }
  }

  private static let inputs = [
    "Scenarios/x/e.json", "Scenarios/x/s.json", "Scenarios/x/../links/bus.csv",
    "Scenarios/x/rule.sh", "link",
  ]

  @Test(arguments: inputs, ["--output", "--html"])
  func aComparisonReplacesNothingThatItReads(_ name: String, _ option: String) throws {
    let fixture = try fixture()
    let before = try contents(fixture)
    let message = "autowait: error: '\(option)' is one of the files that are read, '$/\(name)'\n"
    let worst = option == "--output" ? [["--worst", "media3"], ["--csv"]] : []
    for more in [[]] + worst {
      let call = fixture.call(["compare", "$/Scenarios/x/e.json", option, "$/\(name)"] + more)
      #expect(call == .init(code: 2, output: "", messages: message))
    }
    let merge = fixture.call("merge", "$/d", option, "$/\(name)")
    #expect(merge == .init(code: 2, output: "", messages: message))
    #expect(try contents(fixture) == before)
  }

  @Test(arguments: [
    ("d/e.1-of-2.ndjson", "is one of the files that are read"),
    ("shards/e.2-of-2.ndjson", "is one of the files that are read"),
    ("d/new.ndjson", "would be taken for a shard"), ("shards/part-1", "would be taken for a shard"),
  ])
  func aMergeLeavesItsShardsAlone(_ name: String, _ what: String) throws {
    let fixture = try fixture()
    let before = try contents(fixture)
    for option in ["--output", "--html"] {
      let call = fixture.call("merge", "$/d", option, "$/\(name)")
      #expect(call.code == 2 && call.output == "")
      #expect(
        call.messages.hasPrefix("autowait: error: '\(option)' \(what), '$/\(name)'\n"), "\(call)")
    }
    #expect(try contents(fixture) == before)
  }

  @Test(arguments: ["d/result", "rows.ndjson", "apart/part-1"])
  func aMergeWritesElsewhere(_ name: String) throws {
    let fixture = try fixture()
    let printed = fixture.call("merge", "$/d", "--ndjson")
    #expect(printed.code == 0)
    #expect(fixture.call("merge", "$/d", "--ndjson", "--output", "$/\(name)").code == 0)
    #expect(try fixture.read(name) == printed.output)
    #expect(fixture.call("merge", "$/d", "--ndjson") == printed)
  }

  /// The names of the pictures are known only when all has run.
  @Test(arguments: ["d/how-long-it-takes-to-start.svg", "./d/../d/x.svg", "shards/x.svg", "al"])
  func noPictureReplacesAnotherFile(_ name: String) throws {
    let fixture = try fixture()
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path("al"), withDestinationPath: "d/startup.svg")
    let before = try contents(fixture)
    for option in ["--html", "--output"] {
      let call = fixture.call(
        "compare", "$/Scenarios/x/e.json", "--svg", "$/d", option, "$/\(name)")
      let message = "'\(option)' lies among the pictures of '--svg', '$/\(name)'"
      #expect(call == .init(code: 2, output: "", messages: "autowait: error: \(message)\n"))
    }
    #expect(try contents(fixture) == before)
    #expect(
      fixture.call("compare", "$/Scenarios/x/e.json", "--svg", "$/new", "--html", "$/new/x.svg")
        .code
        == 2)
    #expect(!fixture.exists("new"))
  }

  // MARK: Links that lead nowhere

  @Test(arguments: ["run $/s.json", "compare $/e.json", "convert $/bus.csv"])
  func whatIsWrittenThroughALinkLeavesIt(_ call: String) throws {
    let fixture = try CommandFixture([
      "s.json": Fixture.playing, "bus.csv": "time_s,bandwidth_kbps\n0,5000\n10,4000\n",
      "e.json": CompareCommandTests.experiment, "there/x": "",
    ])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: fixture.path("l"), withDestinationPath: "there/m")
    try manager.createSymbolicLink(atPath: fixture.path("there/m"), withDestinationPath: "../n")
    let arguments = call.split(separator: " ").map(String.init)
    let printed = fixture.call(arguments).output
    // First it leads nowhere, then to a file.
    for _ in 1...2 {
      #expect(fixture.call(arguments + ["--output", "$/l"]).code == 0)
      #expect(try manager.destinationOfSymbolicLink(atPath: fixture.path("l")) == "there/m")
      #expect(try manager.destinationOfSymbolicLink(atPath: fixture.path("there/m")) == "../n")
      #expect(try fixture.read("n") == printed)
    }
  }

  @Test func aLinkAndWhatItLeadsToAreOneFile() throws {
    let fixture = try CommandFixture(["s.json": Fixture.playing])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: fixture.path("al"), withDestinationPath: "a")
    try manager.createSymbolicLink(atPath: fixture.path("round"), withDestinationPath: "round")
    let call = fixture.call("run", "$/s.json", "--output", "$/a", "--html", "$/al")
    let message = "autowait: error: '--output' and '--html' name one file, '$/al'\n"
    #expect(call == .init(code: 2, output: "", messages: message))
    #expect(try fixture.names() == ["al", "round", "s.json"])
    let round = fixture.call("run", "$/s.json", "--output", "$/round")
    #expect(round.code == 2)
    #expect(round.messages.hasPrefix("$/round: error: the file cannot be written: "), "\(round)")
  }

  @Test(arguments: ["check", "run", "test", "compare", "convert"])
  func aLinkThatLeadsNowhereIsNamed(_ command: String) throws {
    let fixture = try CommandFixture(["dong.json": Fixture.playing])
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path("dang.json"), withDestinationPath: "dangling")
    let call = fixture.call(command, "$/dang.json")
    #expect(call.code == 2)
    #expect(
      call.messages
        == "$/dang.json: error: the file is a link that leads nowhere: there is no '$/dangling'\n")
  }

  // MARK: Files in the place of folders

  @Test(arguments: [
    ("merge $/s.json", "'autowait merge'"), ("compare $/e.json --out $/s.json", "'--out'"),
    ("compare $/e.json --svg $/s.json", "'--svg'"), ("merge $/d --svg $/s.json", "'--svg'"),
    ("test $/s.json --defects $/s.json", "'--defects'"),
    ("convert $/m.m3u8 --to hls --output $/s.json", "'--to hls'"),
  ])
  func aFileIsNoFolder(_ call: String, _ needer: String) throws {
    let fixture = try CommandFixture([
      "s.json": Fixture.playing, "e.json": CompareCommandTests.experiment, "d/x": "",
      "m.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n",
      "a.ts": "x",
    ])
    let outcome = fixture.call(call.split(separator: " ").map(String.init))
    let message = "autowait: error: '$/s.json' is a file; \(needer) needs a folder\n"
    #expect(outcome == .init(code: 2, output: "", messages: message))
    #expect(try fixture.read("s.json") == Fixture.playing)
  }

  // MARK: What is printed

  @Test(arguments: [
    "run $/s.json --format json", "compare $/e.json --csv", "compare $/e.json --worst mpv",
    "merge $/d", "convert $/bus.csv", "convert $/m.m3u8 --to ladder",
  ])
  func aDashIsTheStandardOutput(_ call: String) throws {
    let fixture = try CommandFixture([
      "s.json": Fixture.playing, "e.json": CompareCommandTests.experiment,
      "bus.csv": "time_s,bandwidth_kbps\n0,5000\n10,4000\n",
      "m.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n",
      "a.ts": "x",
    ])
    fixture.call("compare", "$/e.json", "--shard", "1/1", "--out", "$/d")
    let arguments = call.split(separator: " ").map(String.init)
    let printed = fixture.call(arguments)
    #expect(printed.code == 0 && !printed.output.isEmpty, "\(printed)")
    #expect(fixture.call(arguments + ["--output", "-"]) == printed)
    #expect(!FileManager.default.fileExists(atPath: "-"))
  }

  @Test(arguments: [
    ("compare $/e.json --html -", "'--html' needs a file; what it writes is not printed"),
    ("merge $/d --html -", "'--html' needs a file; what it writes is not printed"),
    ("test $/s.json --junit -", "'--junit' needs a file; what it writes is not printed"),
    ("run $/s.json --output - --svg -", "'--output' and '--svg' name one file, '-'"),
  ])
  func aDashIsNoFile(_ call: String, _ message: String) throws {
    let fixture = try CommandFixture([
      "s.json": Fixture.playing, "e.json": CompareCommandTests.experiment,
    ])
    let outcome = fixture.call(call.split(separator: " ").map(String.init))
    #expect(outcome.code == 2 && outcome.output == "")
    #expect(outcome.messages.hasPrefix("autowait: error: \(message)\n"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: "-"))
  }
}
