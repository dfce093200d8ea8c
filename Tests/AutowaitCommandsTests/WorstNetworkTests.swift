import AutowaitCommands
import Testing

/// `autowait compare --worst` and `--output`: scenarios and results that are kept.
@Suite struct WorstNetworkTests {
  private static func experiment(_ rule: String, base: String = "") -> String {
    """
    {
      "experiment": 1,
      "base": {
        \(base)"link": "demo/slow-server",
        "media": {"kind": "progressive", "duration": "12 s", "bitrate": "3.73 Mbit/s"},
        "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]
      },
      "vary": { "heuristic": [\(rule)], "seed": [7] }
    }
    """
  }

  @Test func theScenarioKeepsItsPromise() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment(#""mpv", "fixed""#)])
    let printed = fixture.call("compare", "$/x.json", "--worst", "mpv")
    #expect(printed.code == 0)
    let call = fixture.call("compare", "$/x.json", "--worst", "mpv", "--output", "$/worst.json")
    #expect(call.code == 0)
    #expect(call.output == "")
    #expect(try fixture.read("worst.json") == printed.output)
    #expect(
      call.messages == printed.messages
        + "$/worst.json: written; play it with: autowait run $/worst.json\n"
        + "keep it as a test with: autowait test $/worst.json --update\n")
    let run = fixture.call("run", "$/worst.json")
    #expect(run.code == 0)
    #expect(run.output.contains("4 expectations: 4 met"), "\(run.output)")
    #expect(run.output.contains("seed 7"))
    fixture.call("test", "$/worst.json", "--update")
    #expect(fixture.call("test", "$/worst.json").code == 0)
    // Another rule does not come to the same.
    try fixture.write(
      "other.json",
      try fixture.read("worst.json").replacing("\"mpv\"\n", with: "\"fixed\"\n")
        .replacing("\"heuristic\": \"mpv\"", with: "\"heuristic\": \"fixed\""))
    #expect(fixture.call("run", "$/other.json").code == 1)
  }

  /// What the scenario names is named from where it lies.
  @Test func pathsAreThoseOfTheFile() throws {
    let rule = #"{"name": "mine", "program": ["./rule.sh"], "timeout": "60 s"}"#
    let script = "#!/bin/sh\nwhile read -r q; do echo true; done\n"
    let fixture = try CommandFixture([
      "Scenarios/a/x.json": Self.experiment(rule), "Scenarios/a/rule.sh": script,
      "Scenarios/b/README.md": "", "c/README.md": "",
    ])
    try fixture.makeExecutable("Scenarios/a/rule.sh")
    fixture.variables["AUTOWAIT_ALLOW_PROGRAMS"] = "1"
    let path = "$/Scenarios/a/x.json"
    let call = fixture.call("compare", path, "--worst", "mine", "--output", "$/Scenarios/b/w.json")
    #expect(call.code == 0, "\(call)")
    #expect(fixture.call("run", "$/Scenarios/b/w.json").code == 0)
    #expect(try fixture.read("Scenarios/b/w.json").contains("\"../a/rule.sh\""))
    let outside = fixture.call("compare", path, "--worst", "mine", "--output", "$/c/w.json")
    #expect(outside.code == 2)
    #expect(outside.messages.contains("lies outside of the scenario's root"))
    #expect(outside.messages.hasSuffix("write it next to '$/Scenarios/a/x.json'\n"))
    #expect(!fixture.exists("c/w.json"))
  }

  @Test func aProgramThatFailsEndsTheSearch() throws {
    let fixture = try CommandFixture([
      "x.json": Self.experiment(#"{"program": ["./rule.sh"], "timeout": "60 s"}"#),
      "rule.sh": "#!/bin/sh\nexit 3\n",
    ])
    try fixture.makeExecutable("rule.sh")
    fixture.variables["AUTOWAIT_ALLOW_PROGRAMS"] = "1"
    let name = "./rule.sh timeout 60 s"
    let call = fixture.call("compare", "$/x.json", "--worst", name, "--output", "$/w.json")
    #expect(call.code == 2)
    #expect(
      call.messages
        == "$/x.json: error: the rule './rule.sh' ended with the code 3, at question 1\n")
    #expect(!fixture.exists("w.json"))
  }

  @Test func theScriptMustBePlain() throws {
    let text = Self.experiment("\"mpv\"").replacing(
      #"{"at": 0, "do": "play"}"#, with: #"{"at": 0, "do": "play"}, {"at": "1 s", "do": "pause"}"#)
    let call = try CommandFixture(["x.json": text]).call("compare", "$/x.json", "--worst", "mpv")
    #expect(call.code == 2)
    #expect(call.messages.contains("the best possible start is unknown"))
  }

  @Test(arguments: ["--json", "--csv", "--ndjson", "--markdown", "--color=never"])
  func resultsGoToAFile(_ format: String) throws {
    let fixture = try CommandFixture(["x.json": Self.experiment(#""mpv", "fixed""#)])
    let printed = fixture.call("compare", format, "$/x.json")
    let call = fixture.call("compare", format, "$/x.json", "--output", "$/results")
    #expect(call.code == 0 && call.output == "")
    let text = try fixture.read("results").replacing(fixture.folder, with: "$")
    #expect(text == printed.output)
    let own = fixture.call("compare", format, "$/x.json", "--output", "$/x.json")
    #expect(own.code == 2)
    #expect(own.messages.contains("'--output' is one of the files that are read"))
    #expect(fixture.call("compare", "$/x.json", "--output", "$/none/results").code == 2)
    let shard = fixture.call("compare", "$/x.json", "--output", "$/y", "--out", "$/shards")
    #expect(shard.messages.contains("'--output' cannot be combined with '--out'"))
  }
}
