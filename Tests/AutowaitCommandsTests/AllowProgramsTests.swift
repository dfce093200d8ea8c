import AutowaitCommands
import Foundation
import Testing

/// Rules that are programs are started only where somebody says so.
@Suite struct AllowProgramsTests {
  /// Tells of every start in a file.
  private static let script = """
    #!/bin/sh
    echo started >> "${0%/*}/starts"
    while read -r question; do echo true; done

    """

  static let scenario = """
    {"autowait": 1, "name": "asks", "link": "demo/slow-server",
     "media": {"kind": "progressive", "duration": "9 s", "bitrate": "1 Mbit/s"},
     "heuristic": {"program": ["./two.sh"], "timeout": "60 s"},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """

  private static func experiment(_ vary: String, base: String = "") -> String {
    """
    {"experiment": 1, "base": {"link": "demo/slow-server"\(base),
     "media": {"kind": "progressive", "duration": "9 s", "bitrate": "1 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}, "vary": {\(vary)}}
    """
  }

  private static let rules = #""heuristic": ["mpv", {"name": "own", "program": ["./two.sh"]}]"#
  private static let reason = "is a program, which is started only with '--allow-programs'"

  private func fixture() throws -> CommandFixture {
    let fixture = try CommandFixture([
      "s/a.json": Self.scenario, "s/two.sh": Self.script, "two.sh": Self.script,
      "x.json": Self.experiment(Self.rules), "s/b.json": Fixture.playing,
      "axis.json": Self.experiment(#""heuristic.program": [["./two.sh"]]"#),
      "base.json": Self.experiment(
        #""seed": 2"#, base: #", "heuristic": {"pro\u0067ram": ["./two.sh"]}"#),
      "late.json": Self.experiment(
        #""heuristic": [\#((0..<1_001).map { #"{"name": "r\#($0)"}"# }.joined(separator: ", ")), "#
          + #"{"name": "own", "program": ["./two.sh"]}], "link": ["demo/fast"]"#),
    ])
    try fixture.makeExecutable("two.sh")
    try fixture.makeExecutable("s/two.sh")
    return fixture
  }

  private func hasStarted(_ fixture: CommandFixture) -> Bool {
    fixture.exists("starts") || fixture.exists("s/starts")
  }

  @Test(arguments: [
    ["run", "$/s/a.json"], ["run", "$/s/a.json", "--format", "json"],
    ["run", "$/s/b.json", "$/s/a.json"], ["run", "$/s/a.json", "--html", "$/a.html"],
    ["compare", "$/x.json"], ["compare", "$/axis.json"], ["compare", "$/base.json"],
    ["compare", "$/late.json"], ["compare", "$/x.json", "--worst", "own"],
    ["compare", "$/x.json", "--worst", "mpv", "--output", "$/w.json"],
    ["compare", "$/x.json", "--search"], ["compare", "$/x.json", "--csv"],
    ["compare", "$/x.json", "--html", "$/x.html"],
    ["compare", "$/x.json", "--shard", "1/2", "--out", "$/shards"],
    ["compare", "$/late.json", "--shard", "1/2", "--out", "$/shards"],
    ["recipe", "xargs", "$/x.json", "--shards", "2"], ["work", "$/x.json"],
    ["recipe", "spark", "$/late.json", "--shards", "2"],
  ])
  func nothingStartsUnasked(_ arguments: [String]) throws {
    let fixture = try fixture()
    fixture.input = ["{\"shard\": \"1/1\"}\n"]
    for variables in [[:], ["AUTOWAIT_ALLOW_PROGRAMS": "0"], ["AUTOWAIT_ALLOW_PROGRAMS": ""]] {
      fixture.variables = variables
      let call = fixture.call(arguments)
      #expect(call.code == 2, "\(call)")
      #expect(call.output == "")
      #expect(call.messages.contains(Self.reason), "\(call)")
      #expect(call.messages.contains("AUTOWAIT_ALLOW_PROGRAMS=1 in the environment"))
      #expect(call.messages.contains("the article 'Running what others wrote'"))
    }
    #expect(!hasStarted(fixture))
    #expect(!fixture.exists("w.json") && !fixture.exists("x.html") && !fixture.exists("a.html"))
    #expect(!fixture.exists("shards"))
  }

  @Test func logsStartNothingUnasked() throws {
    let fixture = try fixture()
    fixture.call(
      "run", "$/s/a.json", "--format", "jsonl", "--output", "$/s/a.log", "--allow-programs")
    try fixture.remove("s/starts")
    let call = fixture.call("replay", "$/s/a.log")
    #expect(call.code == 2 && call.output == "")
    #expect(call.messages.contains(Self.reason), "\(call)")
    #expect(!hasStarted(fixture))
    #expect(fixture.call("replay", "$/s/a.log", "--allow-programs").code == 0)
    #expect(hasStarted(fixture))
  }

  @Test(arguments: ["1 in the environment", "the option"])
  func whoAsksStartsThem(_ way: String) throws {
    let fixture = try fixture()
    if way != "the option" { fixture.variables["AUTOWAIT_ALLOW_PROGRAMS"] = "1" }
    let option = way == "the option" ? ["--allow-programs"] : []
    for arguments in [
      ["run", "$/s/a.json"], ["test", "$/s/a.json", "--update"], ["compare", "$/x.json"],
      ["compare", "$/axis.json"], ["compare", "$/base.json"],
      ["compare", "$/x.json", "--worst", "own", "--output", "$/w.json"],
      ["compare", "$/x.json", "--html", "$/x.html"], ["work", "$/x.json"],
      ["compare", "$/x.json", "--shard", "1/1", "--out", "$/shards"],
    ] {
      fixture.input = ["{\"shard\": \"1/1\"}\n"]
      let call = fixture.call(arguments + option)
      #expect(call.code == (arguments.contains("--update") ? 1 : 0), "\(arguments) \(call)")
      #expect(hasStarted(fixture), "\(arguments)")
      for starts in ["starts", "s/starts"] where fixture.exists(starts) {
        try fixture.remove(starts)
      }
    }
  }

  @Test(arguments: ["true", "yes", "01", " 1", "2", "1\n"])
  func otherValuesAreRefused(_ value: String) throws {
    let fixture = try fixture()
    fixture.variables["AUTOWAIT_ALLOW_PROGRAMS"] = value
    let call = fixture.call("run", "$/s/b.json")
    #expect(call.code == 2)
    #expect(
      call.messages.hasPrefix("autowait: error: AUTOWAIT_ALLOW_PROGRAMS must be 1 or 0, not '"))
    // What is said in the call counts more, and what starts nothing does not ask.
    #expect(fixture.call("run", "$/s/b.json", "--allow-programs").code == 0)
    #expect(fixture.call("check", "$/s/a.json").code == 0)
    #expect(!hasStarted(fixture))
  }

  @Test(arguments: [
    ["check", "$/s/a.json", "$/x.json", "$/axis.json", "$/base.json"], ["list", "heuristics"],
    ["recipe", "xargs", "$/x.json", "--shards", "2", "--allow-programs"],
    ["convert", "$/s/a.json", "--to", "link"], ["link", "$/s/a.json"],
  ])
  func readingStartsNothing(_ arguments: [String]) throws {
    let fixture = try fixture()
    fixture.variables["AUTOWAIT_ALLOW_PROGRAMS"] = "1"
    _ = fixture.call(arguments)
    #expect(!hasStarted(fixture))
  }

  /// Scenarios that were not run are counted, each with the reason.
  @Test func testsSkip() throws {
    let fixture = try fixture()
    fixture.call("test", "$/s", "--update")
    #expect(!fixture.exists("s/a.expected.log"))
    let text = """
      - $/s/a.json: asks
        skipped: the rule \(Self.reason)

      2 scenarios: 1 passed, 0 failed, 1 skipped

      """
    #expect(fixture.call("test", "$/s") == .init(code: 0, output: text, messages: ""))
    let json = fixture.call("test", "$/s", "--format", "json", "--junit", "$/r.xml")
    #expect(json.code == 0)
    let row =
      #""name":"asks","seed":null,"status":"skipped","fingerprint":null,"reason":"the rule "#
      + Self.reason + #"","failures":[]}"#
    #expect(json.output.contains(row), "\(json.output)")
    #expect(
      json.output.hasSuffix(
        #""passed":1,"failed":0,"known":0,"skipped":1,"filtered":0,"updated":[],"new":[]}"# + "\n")
    )
    let report = try fixture.read("r.xml")
    #expect(report.contains(#"tests="2" failures="0" errors="0" skipped="1""#), "\(report)")
    #expect(report.contains(#"      <skipped message="the rule \#(Self.reason)"/>"#), "\(report)")
    fixture.variables = ["GITHUB_STEP_SUMMARY": fixture.path("s.md")]
    fixture.call("test", "$/s", "--github")
    let summary = try fixture.read("s.md").replacing(fixture.folder, with: "$")
    #expect(
      summary.contains(
        "2 scenarios: 1 passed, 0 failed, 1 skipped\n\n| skipped | why |\n|---|---|\n"
          + "| $/s/a.json | the rule \(Self.reason) |\n"), "\(summary)")
    #expect(!hasStarted(fixture))
  }

  @Test func nothingButSkippedIsNothing() throws {
    let fixture = try fixture()
    for arguments in [["test", "$/s/a.json"], ["test", "$/s", "--filter", "asks"]] {
      let call = fixture.call(arguments)
      #expect(call.code == 4)
      #expect(call.output.contains("1 scenario: 0 passed, 0 failed, 1 skipped"), "\(call)")
      #expect(
        call.messages.hasPrefix(
          "autowait: error: nothing was tested: 1 scenario skipped for want of "
            + "'--allow-programs'\nnote: "), "\(call)")
    }
    // What is wrong with a scenario is reported even if its program may not start.
    try fixture.write("s/a.json", Self.scenario.replacing("\"9 s\"", with: "\"9 z\""))
    #expect(fixture.call("test", "$/s/a.json").code == 2)
    try fixture.write("s/a.json", Self.scenario)
    try fixture.write("s/a.expected.log", "old\n")
    let update = fixture.call("test", "$/s/a.json", "--allow-programs")
    #expect(update.output.contains("--update --allow-programs\n"), "\(update)")
    #expect(
      update.output.contains("reproduce with: autowait test $/s/a.json --allow-programs\n"),
      "\(update)")
    #expect(!hasStarted(fixture) == false)
  }

  @Test func workersAnswerWithTheFlag() throws {
    let fixture = try fixture()
    fixture.input = [
      "{\"scenario\": \"\(fixture.path("s/a.json"))\"}\n",
      "{\"scenario\": \"\(fixture.path("s/b.json"))\"}\n",
      "{\"experiment\": \"\(fixture.path("x.json"))\", \"units\": [0, 1]}\n",
    ]
    let call = fixture.call("work")
    let lines = call.output.split(separator: "\n")
    #expect(call.code == 0 && lines.count == 4, "\(call)")
    for line in [lines[0], lines[2]] {
      #expect(line.contains("\"error\":"))
      #expect(line.contains(Self.reason), "\(line)")
    }
    #expect(lines[1].contains("\"result\":{"))
    #expect(!hasStarted(fixture))
  }

  /// Where an experiment needs it, all calls that are printed say it; else none does.
  @Test(arguments: RecipeCommandTests.engines)
  func recipesPassItOn(_ engine: String) throws {
    let fixture = try fixture()
    try fixture.write("plain.json", Self.experiment(#""heuristic": ["mpv"]"#))
    let own = fixture.call("recipe", engine, "$/x.json", "--shards", "2", "--allow-programs")
    #expect(own.code == 0, "\(own)")
    #expect(own.output.contains("--allow-programs"), "\(own.output)")
    let plain = fixture.call("recipe", engine, "$/plain.json", "--shards", "2", "--allow-programs")
    #expect(plain.code == 0)
    #expect(!plain.output.contains("--allow-programs"))
  }

  /// Merging plays nothing again but for a page.
  @Test func mergesNeedItForPages() throws {
    let fixture = try fixture()
    let shard = ["compare", "$/x.json", "--allow-programs", "--out", "$/shards", "--shard"]
    #expect(fixture.call(shard + ["1/2"]).code == 0)
    let missing = fixture.call("merge", "$/shards")
    #expect(missing.messages.contains("x.json --allow-programs --shard 2/2"), "\(missing)")
    #expect(fixture.call(shard + ["2/2"]).code == 0)
    try fixture.remove("starts")
    #expect(fixture.call("merge", "$/shards").code == 0)
    #expect(fixture.call("merge", "$/shards", "--html", "$/x.html", "--sessions", "0").code == 0)
    try fixture.remove("x.html")
    let page = fixture.call("merge", "$/shards", "--html", "$/x.html")
    #expect(page.code == 2)
    #expect(page.messages.contains(Self.reason), "\(page)")
    #expect(!hasStarted(fixture) && !fixture.exists("x.html"))
    #expect(fixture.call("merge", "$/shards", "--html", "$/x.html", "--allow-programs").code == 0)
    #expect(hasStarted(fixture))
  }
}
