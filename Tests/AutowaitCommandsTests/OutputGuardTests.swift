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
  private func bench() throws -> CommandBench {
    let bench = try CommandBench([
      "Scenarios/x/e.json": Self.experiment,
      "Scenarios/x/s.json": Fixture.playing,
      "Scenarios/links/bus.csv": "time_s,bandwidth_kbps\n0,5000\n10,4000\n",
      "Scenarios/x/rule.sh": "#!/bin/sh\nwhile read -r question; do echo true; done\n",
      "apart/x": "",
    ])
    try bench.makeExecutable("Scenarios/x/rule.sh")
    bench.variables["AUTOWAIT_ALLOW_PROGRAMS"] = "1"
    for shard in ["1/2", "2/2"] {
      let call = bench.call("compare", "$/Scenarios/x/e.json", "--shard", shard, "--out", "$/d")
      try #require(call.code == 0, "\(call)")
    }
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: bench.path("link"), withDestinationPath: "Scenarios/x/s.json")
    try manager.createSymbolicLink(atPath: bench.path("shards"), withDestinationPath: "d")
    return bench
  }

  /// All files and what is in them.
  private func contents(_ bench: CommandBench) throws -> [String] {
    try bench.names().map { name in
      "\(name): \((try? bench.read(name)) ?? "")"
    }
  }

  private static let inputs = [
    "Scenarios/x/e.json", "Scenarios/x/s.json", "Scenarios/x/../links/bus.csv",
    "Scenarios/x/rule.sh", "link",
  ]

  @Test(arguments: inputs, ["--output", "--html"])
  func aComparisonReplacesNothingThatItReads(_ name: String, _ option: String) throws {
    let bench = try bench()
    let before = try contents(bench)
    let message = "autowait: error: '\(option)' is one of the files that are read, '$/\(name)'\n"
    let worst = option == "--output" ? [["--worst", "media3"], ["--csv"]] : []
    for more in [[]] + worst {
      let call = bench.call(["compare", "$/Scenarios/x/e.json", option, "$/\(name)"] + more)
      #expect(call == .init(code: 2, output: "", messages: message))
    }
    let merge = bench.call("merge", "$/d", option, "$/\(name)")
    #expect(merge == .init(code: 2, output: "", messages: message))
    #expect(try contents(bench) == before)
  }

  @Test(arguments: [
    ("d/e.1-of-2.ndjson", "is one of the files that are read"),
    ("shards/e.2-of-2.ndjson", "is one of the files that are read"),
    ("d/new.ndjson", "would be taken for a shard"), ("shards/part-1", "would be taken for a shard"),
  ])
  func aMergeLeavesItsShardsAlone(_ name: String, _ what: String) throws {
    let bench = try bench()
    let before = try contents(bench)
    for option in ["--output", "--html"] {
      let call = bench.call("merge", "$/d", option, "$/\(name)")
      #expect(call.code == 2 && call.output == "")
      #expect(
        call.messages.hasPrefix("autowait: error: '\(option)' \(what), '$/\(name)'\n"), "\(call)")
    }
    #expect(try contents(bench) == before)
  }

  @Test(arguments: ["d/result", "rows.ndjson", "apart/part-1"])
  func aMergeWritesElsewhere(_ name: String) throws {
    let bench = try bench()
    let printed = bench.call("merge", "$/d", "--ndjson")
    #expect(printed.code == 0)
    #expect(bench.call("merge", "$/d", "--ndjson", "--output", "$/\(name)").code == 0)
    #expect(try bench.read(name) == printed.output)
    #expect(bench.call("merge", "$/d", "--ndjson") == printed)
  }

  /// The names of the pictures are known only when all has run.
  @Test(arguments: ["d/how-long-it-takes-to-start.svg", "./d/../d/x.svg", "shards/x.svg", "al"])
  func noPictureReplacesAnotherFile(_ name: String) throws {
    let bench = try bench()
    try FileManager.default.createSymbolicLink(
      atPath: bench.path("al"), withDestinationPath: "d/startup.svg")
    let before = try contents(bench)
    for option in ["--html", "--output"] {
      let call = bench.call(
        "compare", "$/Scenarios/x/e.json", "--svg", "$/d", option, "$/\(name)")
      let message = "'\(option)' lies among the pictures of '--svg', '$/\(name)'"
      #expect(call == .init(code: 2, output: "", messages: "autowait: error: \(message)\n"))
    }
    #expect(try contents(bench) == before)
    #expect(
      bench.call("compare", "$/Scenarios/x/e.json", "--svg", "$/new", "--html", "$/new/x.svg").code
        == 2)
    #expect(!bench.exists("new"))
  }

  // MARK: Links that lead nowhere

  @Test(arguments: ["run $/s.json", "compare $/e.json", "convert $/bus.csv"])
  func whatIsWrittenThroughALinkLeavesIt(_ call: String) throws {
    let bench = try CommandBench([
      "s.json": Fixture.playing, "bus.csv": "time_s,bandwidth_kbps\n0,5000\n10,4000\n",
      "e.json": CompareCommandTests.experiment, "there/x": "",
    ])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: bench.path("l"), withDestinationPath: "there/m")
    try manager.createSymbolicLink(atPath: bench.path("there/m"), withDestinationPath: "../n")
    let arguments = call.split(separator: " ").map(String.init)
    let printed = bench.call(arguments).output
    // First it leads nowhere, then to a file.
    for _ in 1...2 {
      #expect(bench.call(arguments + ["--output", "$/l"]).code == 0)
      #expect(try manager.destinationOfSymbolicLink(atPath: bench.path("l")) == "there/m")
      #expect(try manager.destinationOfSymbolicLink(atPath: bench.path("there/m")) == "../n")
      #expect(try bench.read("n") == printed)
    }
  }

  @Test func aLinkAndWhatItLeadsToAreOneFile() throws {
    let bench = try CommandBench(["s.json": Fixture.playing])
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: bench.path("al"), withDestinationPath: "a")
    try manager.createSymbolicLink(atPath: bench.path("round"), withDestinationPath: "round")
    let call = bench.call("run", "$/s.json", "--output", "$/a", "--html", "$/al")
    let message = "autowait: error: '--output' and '--html' name one file, '$/al'\n"
    #expect(call == .init(code: 2, output: "", messages: message))
    #expect(try bench.names() == ["al", "round", "s.json"])
    let round = bench.call("run", "$/s.json", "--output", "$/round")
    #expect(round.code == 2)
    #expect(round.messages.hasPrefix("$/round: error: the file cannot be written: "), "\(round)")
  }

  @Test(arguments: ["check", "run", "test", "compare", "convert"])
  func aLinkThatLeadsNowhereIsNamed(_ command: String) throws {
    let bench = try CommandBench(["dong.json": Fixture.playing])
    try FileManager.default.createSymbolicLink(
      atPath: bench.path("dang.json"), withDestinationPath: "dangling")
    let call = bench.call(command, "$/dang.json")
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
    let bench = try CommandBench([
      "s.json": Fixture.playing, "e.json": CompareCommandTests.experiment, "d/x": "",
      "m.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n",
      "a.ts": "x",
    ])
    let outcome = bench.call(call.split(separator: " ").map(String.init))
    let message = "autowait: error: '$/s.json' is a file; \(needer) needs a folder\n"
    #expect(outcome == .init(code: 2, output: "", messages: message))
    #expect(try bench.read("s.json") == Fixture.playing)
  }

  // MARK: What is printed

  @Test(arguments: [
    "run $/s.json --format json", "compare $/e.json --csv", "compare $/e.json --worst mpv",
    "merge $/d", "convert $/bus.csv", "convert $/m.m3u8 --to ladder",
  ])
  func aDashIsTheStandardOutput(_ call: String) throws {
    let bench = try CommandBench([
      "s.json": Fixture.playing, "e.json": CompareCommandTests.experiment,
      "bus.csv": "time_s,bandwidth_kbps\n0,5000\n10,4000\n",
      "m.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n",
      "a.ts": "x",
    ])
    bench.call("compare", "$/e.json", "--shard", "1/1", "--out", "$/d")
    let arguments = call.split(separator: " ").map(String.init)
    let printed = bench.call(arguments)
    #expect(printed.code == 0 && !printed.output.isEmpty, "\(printed)")
    #expect(bench.call(arguments + ["--output", "-"]) == printed)
    #expect(!FileManager.default.fileExists(atPath: "-"))
  }

  @Test(arguments: [
    ("compare $/e.json --html -", "'--html' needs a file; what it writes is not printed"),
    ("merge $/d --html -", "'--html' needs a file; what it writes is not printed"),
    ("test $/s.json --junit -", "'--junit' needs a file; what it writes is not printed"),
    ("run $/s.json --output - --svg -", "'--output' and '--svg' name one file, '-'"),
  ])
  func aDashIsNoFile(_ call: String, _ message: String) throws {
    let bench = try CommandBench([
      "s.json": Fixture.playing, "e.json": CompareCommandTests.experiment,
    ])
    let outcome = bench.call(call.split(separator: " ").map(String.init))
    #expect(outcome.code == 2 && outcome.output == "")
    #expect(outcome.messages.hasPrefix("autowait: error: \(message)\n"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: "-"))
  }
}
