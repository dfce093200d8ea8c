import Testing

/// `autowait test` of scenarios that vary: each run is a test of its own.
@Suite struct VariedTestTests {
  private static let bare = TestRecordingTests.bare(
    more: #""vary": [{"name": "one"}, {"name": "two", "set": {"script[1].at": 2}}], "#)

  private func recorded() throws -> CommandFixture {
    let fixture = try CommandFixture(["a.json": Self.bare])
    let first = fixture.call("test", "$")
    #expect(
      first.output
        == "wrote $/a.one.expected.log\nwrote $/a.two.expected.log\n"
        + "2 scenarios: 2 passed, 0 failed (2 golden logs written)\n", "\(first)")
    #expect(first.code == 1)
    #expect(fixture.call("test", "$").code == 0)
    return fixture
  }

  @Test func eachRunHasItsGoldenLog() throws {
    let fixture = try recorded()
    #expect(
      try fixture.read("a.one.expected.log") != (try fixture.read("a.two.expected.log")))
    #expect(fixture.call("replay", "$/a.two.expected.log").code == 0)
    // A golden log that is that of the other run differs, and says how it is accepted.
    try fixture.write("a.two.expected.log", try fixture.read("a.one.expected.log"))
    fixture.variables["CI"] = "1"
    let call = fixture.call("test", "$")
    #expect(call.code == 1)
    #expect(call.output.hasPrefix("✗ $/a.json [two]: bare\n  $/a.two.expected.log:"), "\(call)")
    #expect(
      call.output.contains("accept with: autowait test $/a.json --filter 'run(=two)' --update\n"))
    #expect(
      call.output.contains("  reproduce with: autowait test $/a.json --filter 'run(=two)'\n"))
    fixture.variables = [:]
    #expect(
      fixture.call("test", "$/a.json", "--filter", "run(=two)", "--update").output
        == "wrote $/a.two.expected.log\n1 scenario: 1 passed, 0 failed (1 golden log written, "
        + "1 filtered out)\n")
    #expect(fixture.call("test", "$").code == 0)
  }

  @Test func newLogsAreThoseOfRuns() throws {
    let fixture = try recorded()
    try fixture.write("a.json", Self.bare.replacing(#"script[1].at": 2"#, with: #"until": 3"#))
    fixture.call("test", "$")
    #expect(fixture.exists("a.two.expected.log.new") && !fixture.exists("a.one.expected.log.new"))
    #expect(fixture.call("review", "$").output.hasPrefix("1 of 1  $/a.two.expected.log.new\n"))
    // The scenario, the golden log and the new log all name it.
    for path in ["$/a.json", "$/a.two.expected.log", "$/a.two.expected.log.new"] {
      #expect(fixture.call("review", path).code == 1, "\(path)")
    }
    #expect(
      fixture.call("accept", "$/a.json")
        == .init(code: 0, output: "wrote $/a.two.expected.log\n1 new log accepted\n", messages: ""))
    #expect(fixture.call("test", "$").code == 0)
    // That of a run that is no longer there is not accepted.
    try fixture.write("a.three.expected.log.new", "x")
    #expect(fixture.call("accept", "$").messages.contains("this new log has no scenario"))
  }

  @Test func orphansAreTold() throws {
    let fixture = try recorded()
    let logs = ["a.expected.log", "a.three.expected.log", "b.one.expected.log"]
    for log in logs { try fixture.write(log, try fixture.read("a.one.expected.log")) }
    let output = fixture.call("test", "$").output
    for message in [
      "$/a.expected.log:1: this golden log is that of no run: '$/a.json' varies, and each run",
      "$/a.three.expected.log:1: this golden log has no scenario '$/a.three.json', and '$/a.json' "
        + "has no run 'three'\n    rename it if its scenario has another name now, or\n"
        + "    remove it with: rm $/a.three.expected.log\n",
      "$/b.one.expected.log:1: this golden log has no scenario '$/b.one.json'\n",
    ] {
      #expect(output.contains(message), "\(message)\n\(output)")
    }
    #expect(output.hasSuffix("5 scenarios: 2 passed, 3 failed\n"), "\(output)")
    for log in logs { try fixture.remove(log) }
    // Of a file that cannot be read nobody knows which runs it has.
    try fixture.write("a.json", Self.bare.replacing("\"vary\": [", with: "\"vary\": [3, "))
    let broken = fixture.call("test", "$")
    #expect(broken.code == 2 && broken.output.hasSuffix("1 scenario: 0 passed, 1 failed\n"))
    // One that no longer varies has none.
    try fixture.write("a.json", TestRecordingTests.bare())
    #expect(fixture.call("test", "$").output.contains("has no run 'one'"))
  }

  @Test func twoTestsDoNotShareAGoldenLog() throws {
    let fixture = try recorded()
    try fixture.write("a.one.json", TestRecordingTests.bare())
    for path in ["$", "$/a.json"] {
      let call = fixture.call("test", path)
      #expect(call.code == 2)
      let message = "the run 'one' would have the golden log of '$/a.one.json'"
      #expect(call.output.contains(message), "\(call)")
    }
  }

  @Test func runsAreChosen() throws {
    let files = [
      "a.json": Self.bare, "b.json": TestRecordingTests.bare(more: "\"tags\": [\"one\"], "),
    ]
    let fixture = try CommandFixture(files)
    func chosen(_ options: String...) -> [String] {
      fixture.call(["test", "$", "--record", "never", "--format", "tap"] + options).output
        .split(separator: "\n").filter { $0.contains("ok ") }
        .map { line in
          String(line.split(separator: "$/").last ?? "").split(separator: ":").first.map(
            String.init)
            ?? ""
        }
    }
    #expect(chosen() == ["a.json [one]", "a.json [two]", "b.json"])
    #expect(chosen("--filter", "run(one)") == ["a.json [one]"])
    #expect(chosen("--filter", "run(=on)") == [])
    #expect(chosen("--filter", "two") == ["a.json [two]"])
    #expect(chosen("--filter", "not run(o)") == ["b.json"])
    #expect(chosen("--filter", "one") == ["a.json [one]"])
    for kind in ["slice", "hash"] {
      let parts = (1...3).map { chosen("--partition", "\(kind):\($0)/3") }
      #expect(parts.joined().sorted() == ["a.json [one]", "a.json [two]", "b.json"])
      #expect(kind == "hash" || parts.allSatisfy { $0.count == 1 })
    }
  }

  @Test func onlyTheRunThatFailedIsTestedAgain() throws {
    let fixture = try recorded()
    fixture.variables["XDG_CACHE_HOME"] = fixture.path("cache")
    try fixture.write("a.two.expected.log", try fixture.read("a.one.expected.log"))
    #expect(fixture.call("test", "$").output.hasSuffix("2 scenarios: 1 passed, 1 failed\n"))
    let again = fixture.call("test", "$", "--failed").output
    #expect(again.contains("a.json [two]") && !again.contains("a.json [one]"))
    #expect(again.contains("1 scenario: 0 passed, 1 failed (1 filtered out"), "\(again)")
  }

  @Test func reportsNameTheRun() throws {
    let fixture = try recorded()
    try fixture.write("a.two.expected.log", try fixture.read("a.one.expected.log"))
    fixture.variables["GITHUB_STEP_SUMMARY"] = fixture.path("summary.md")
    let lines = fixture.call(
      "test", "$", "--format", "jsonl", "--junit", "$/report.xml", "--github", "--logs", "$/logs")
    #expect(
      lines.output.contains(#""path":"$/a.json","name":"bare","run":"two","seed":0"#), "\(lines)")
    let report = try fixture.read("report.xml")
    for part in [" name=\"a[one]\" file=", " name=\"a[two]\" file="] {
      #expect(report.contains(part), "\(report)")
    }
    #expect(try fixture.read("summary.md").contains("/a.json [two] |"))
    #expect(try fixture.names().contains { $0.hasSuffix("a.two.actual.recording") })
  }

  /// A changed scenario is judged by its expectations, and nothing is written.
  @Test func changesJudgeByExpectations() throws {
    let fixture = try CommandFixture([
      "a.json": VariedRunTests.scenario(#"[{"name": "x"}, {"name": "y z"}]"#),
      "b.json": TestRecordingTests.bare(),
    ])
    fixture.call("test", "$", "--record", "all")
    let names = try fixture.names()
    #expect(fixture.call("test", "$", "--set", "until=20").code == 0)
    let call = fixture.call(
      "test", "$", "--set", "link.down.rate=500 kbit/s", "--set", "heuristic=\"vlc\"", "--logs",
      "$/l")
    #expect(call.code == 1 && call.output.hasSuffix("3 scenarios: 1 passed, 2 failed\n"), "\(call)")
    let slow = fixture.call(
      "test", "$/a.json", "--set", "link.down.rate=500 kbit/s", "--set", "heuristic=vlc")
    #expect(slow.code == 1)
    #expect(
      slow.output.contains(
        "  reproduce with: autowait run $/a.json --run y-z --set 'link.down.rate=500 kbit/s' "
          + "--set heuristic=vlc --seed 0\n"), "\(slow)")
    let reproduced = fixture.call(
      "run", "$/a.json", "--run", "y-z", "--set", "link.down.rate=500 kbit/s", "--set",
      "heuristic=vlc",
      "--seed", "0")
    #expect(reproduced.code == 1)
    #expect(try fixture.names().filter { !$0.hasPrefix("l") } == names)
    for option in [["--update"], ["--record", "failed"]] {
      let refused = fixture.call(["test", "$", "--set", "until=20"] + option)
      #expect(refused.code == 2 && refused.messages.contains("and '--set' exclude each other"))
    }
    let checked = fixture.call("check", "$/a.json", "--set", "link.rat=3")
    #expect(checked.code == 2)
    #expect(checked.messages.hasPrefix("--set:1:6: error: unknown key 'rat'"), "\(checked)")
  }
}
