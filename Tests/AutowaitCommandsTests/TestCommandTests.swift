import Foundation
import Testing

/// `autowait test`: what is found, what is held against it, and how goldens change.
@Suite struct TestCommandTests {
  @Test func goldensAreWrittenOnlyWhenAsked() throws {
    let bench = try CommandBench(["s/a.json": Fixture.playing])
    let missing = """
      ✗ $/s/a.json: slow
        $/s/a.json:1: there is no golden log '$/s/a.expected.log'
          accept with: autowait test $/s/a.json --update
        reproduce with: autowait run $/s/a.json --seed 1

      1 scenario: 0 passed, 1 failed

      """
    #expect(bench.call("test", "$/s") == .init(code: 1, output: missing, messages: ""))
    #expect(!bench.exists("s/a.expected.log"))
    let written = """
      wrote $/s/a.expected.log
      1 scenario: 1 passed, 0 failed (1 golden log written)

      """
    #expect(bench.call("test", "$/s", "--update") == .init(code: 1, output: written, messages: ""))
    let log = bench.call("run", "$/s/a.json", "--format", "jsonl").output
    #expect(try bench.read("s/a.expected.log") == log)
    let passed = "1 scenario: 1 passed, 0 failed\n"
    #expect(bench.call("test", "$/s") == .init(code: 0, output: passed, messages: ""))
    #expect(
      bench.call("test", "$/s", "--update") == .init(code: 0, output: passed, messages: ""))
    #expect(try bench.names() == ["s", "s/a.expected.log", "s/a.json"])
  }

  @Test func theFirstDifferenceIsShownWithItsCause() throws {
    let bench = try accepted(["a.json": Fixture.playing])
    let golden = try bench.read("a.expected.log")
    let tampered = try #require(TamperedLine(in: golden))
    try bench.write("a.expected.log", tampered.log)
    let outcome = bench.call("test", "$")
    #expect(outcome.code == 1)
    let number = tampered.number
    let text = """
      ✗ $/a.json: slow
        $/a.expected.log:\(number): the run differs from the golden log from line \(number) on
      \(tampered.shown(indent: 4))
          accept with: autowait test $/a.json --update
        reproduce with: autowait run $/a.json --seed 1

      1 scenario: 0 passed, 1 failed

      """
    #expect(outcome.output == text)
    #expect(bench.call("test", "$", "--update").code == 1)
    #expect(try bench.read("a.expected.log") == golden)
  }

  @Test func anEditedScenarioIsToldApartFromAnotherRun() throws {
    let bench = try accepted(["a.json": Fixture.playing])
    try bench.write("a.json", Fixture.scenario(startupMax: "6.3 s"))
    let same = bench.call("test", "$").output
    #expect(
      same.contains(
        "  $/a.expected.log:1: the scenario is not the one that the golden log was recorded of; "
          + "its run is the same\n    - 1 | …"))
    #expect(same.contains("\"<=\":\"6.2 s\"}]}\n    + 1 | …"))
    #expect(same.contains("\"<=\":\"6.3 s\"}]}\n    accept with: "))
    let link = "{\"name\": \"demo/slow-server\", \"rate\": \"3.3 Mbit/s\"}"
    try bench.write("a.json", Fixture.scenario(link: link))
    let other = bench.call("test", "$").output
    #expect(other.contains("; its run differs from line "), "\(other)")
    #expect(other.contains("\n    cause: "))
  }

  /// What was done to the text of a golden log, and what is said of it.
  static let damages: [(damage: @Sendable (String) -> String, message: String)] = [
    ({ $0.replacing("\n", with: "\r\n") }, "the golden log's lines end in CR LF, not in LF alone"),
    ({ "\u{FEFF}" + $0 }, "the golden log begins with a byte order mark"),
    (
      { "\u{FEFF}" + $0.replacing("\n", with: "\r\n") },
      "the golden log begins with a byte order mark"
    ),
    (
      { $0.replacing("\"autowaitLog\":1,", with: "\"autowaitLog\":2,") },
      "the golden log has a version of the format that is unknown"
    ),
    (
      { $0.replacing("\"digest\":\"", with: "\"digest\":\"0") },
      "the header of the golden log was changed, but the scenario in it is the same"
    ),
    (
      { "{\"a\":1," + $0.dropFirst() },
      "the header of the golden log was changed, but the scenario in it is the same"
    ),
    (
      { $0.replacing("\"autowaitLog\"", with: "\"log\"") },
      "the first line of the golden log is not the header of one"
    ),
    ({ "\n" + $0 }, "the first line of the golden log is not the header of one"),
    ({ _ in "nonsense\n" }, "the first line of the golden log is not the header of one"),
  ]

  @Test(arguments: damages.indices)
  func aDamagedGoldenIsToldApartFromAnotherScenario(_ index: Int) throws {
    let row = Self.damages[index]
    let bench = try accepted(["a.json": Fixture.playing])
    let golden = try bench.read("a.expected.log")
    try bench.write("a.expected.log", row.damage(golden))
    let outcome = bench.call("test", "$")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("  $/a.expected.log:1: \(row.message)\n"), "\(outcome.output)")
    #expect(bench.call("test", "$", "--update").code == 1)
    #expect(try bench.read("a.expected.log") == golden)
  }

  @Test func unmetExpectationsAreShownAndNotAccepted() throws {
    let bench = try CommandBench(["a.json": Fixture.scenario(startupMax: "6.1 s")])
    #expect(bench.call("test", "$", "--update").code == 1)
    let text = """
      ✗ $/a.json: slow
        $/a.json:13: expected {"metric":"timeSpentInInitialStartup","<=":"6.1 s"}
          observed 6.1096875 s
        reproduce with: autowait run $/a.json --seed 1

      1 scenario: 0 passed, 1 failed

      """
    #expect(bench.call("test", "$") == .init(code: 1, output: text, messages: ""))
  }

  @Test func otherJSONIsSkippedAndCounted() throws {
    let bench = try accepted([
      "a.json": Fixture.playing, "link.json": "{\"rate\": 1}", "deep/list.json": "[\"autowait\"]",
      "broken.json": "{", ".hidden/b.json": Fixture.playing, "notes.txt": "",
    ])
    #expect(
      bench.call("test", "$").output
        == "1 scenario: 1 passed, 0 failed (3 other JSON files skipped)\n")
  }

  @Test func aBrokenScenarioIsNotSkipped() throws {
    let bench = try accepted(["a.json": Fixture.playing])
    try bench.write("b.json", "{\"autowait\": 1,")
    let outcome = bench.call("test", "$")
    #expect(outcome.code == 2)
    #expect(outcome.messages.hasPrefix("$/b.json:1:16: error: "))
    #expect(outcome.output.hasPrefix("✗ $/b.json\n  $/b.json:1: "))
    #expect(outcome.output.hasSuffix("\n\n2 scenarios: 1 passed, 1 failed\n"))
  }

  @Test func aNamedFileIsAlwaysTaken() throws {
    let bench = try CommandBench(["link.json": "{}"])
    #expect(bench.call("test", "$/link.json").code == 2)
    #expect(bench.call("test", "$").code == 4)
  }

  @Test func orphansFail() throws {
    let bench = try accepted(["a.json": Fixture.playing, "b.json": "{\"rate\": 1}"])
    try bench.write("b.expected.log", "")
    try bench.write("c.expected.log", "")
    let text = """
      ✗ $/b.json
        $/b.expected.log:1: this golden log has no scenario '$/b.json'
          remove it with: rm $/b.expected.log

      ✗ $/c.expected.log
        $/c.expected.log:1: this golden log has no scenario '$/c.json'
          remove it with: rm $/c.expected.log

      3 scenarios: 1 passed, 2 failed

      """
    #expect(bench.call("test", "$") == .init(code: 1, output: text, messages: ""))
    #expect(bench.call("test", "$", "--update").code == 1)
    #expect(bench.exists("b.expected.log") && bench.exists("c.expected.log"))
  }

  @Test(arguments: [
    ("", false), ("false", false), ("true", true), ("1", true), ("0", true),
  ])
  func goldensAreNotWrittenOnServers(_ value: String, _ isRefused: Bool) throws {
    let bench = try CommandBench(["a.json": Fixture.playing])
    bench.variables["CI"] = value
    let outcome = bench.call("test", "$", "--update")
    #expect(outcome.code == (isRefused ? 2 : 1))
    #expect(bench.exists("a.expected.log") == !isRefused)
    #expect(outcome.messages.hasPrefix("autowait: error: '--update' is refused") == isRefused)
  }

  @Test func aGoldenThatCannotBeWrittenIsToldAndNothingIsLeft() throws {
    let bench = try CommandBench(["a.json": Fixture.playing, "a.expected.log/x": ""])
    let outcome = bench.call("test", "$", "--update")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("$/a.expected.log:1: the golden log is a folder\n"))
    #expect(try bench.names() == ["a.expected.log", "a.expected.log/x", "a.json"])
  }

  @Test func theFilterLooksAtPathsAndNames() throws {
    let bench = try accepted([
      "one.json": Fixture.scenario(name: "Hotel"), "two.json": Fixture.scenario(name: "Train"),
    ])
    #expect(
      bench.call("test", "$", "--filter", "one").output
        == "1 scenario: 1 passed, 0 failed (1 filtered out)\n")
    #expect(
      bench.call("test", "$", "--filter", "Train").output
        == "1 scenario: 1 passed, 0 failed (1 filtered out)\n")
    let message = "autowait: error: none of 2 scenarios has 'zonk' in its path or name\n"
    #expect(
      bench.call("test", "$", "--filter", "zonk") == .init(code: 4, output: "", messages: message))
  }

  @Test func nothingToTestEndsWithFour() throws {
    let message = """
      autowait: error: there is no scenario in '$'
      note: a scenario is a .json file with the key "autowait"

      """
    #expect(
      try CommandBench().call("test", "$") == .init(code: 4, output: "", messages: message))
  }

  @Test func aMissingPathIsAnError() throws {
    let bench = try accepted(["a.json": Fixture.playing])
    let outcome = bench.call("test", "$/none", "$")
    #expect(
      outcome
        == .init(code: 2, output: "", messages: "$/none: error: the file does not exist\n"))
  }

  @Test func aFileNamedTwiceIsTestedOnce() throws {
    let bench = try accepted(["a.json": Fixture.playing])
    #expect(
      bench.call("test", "$/a.json", "$", "$/./a.json").output
        == "1 scenario: 1 passed, 0 failed\n")
  }

  @Test func aFileNamedByTwoPathsIsTestedOnce() throws {
    let bench = try CommandBench(["g/a.json": Fixture.playing])
    try FileManager.default.createSymbolicLink(
      atPath: bench.path("g/linked"), withDestinationPath: ".")
    let paths = ["$/g/../g/a.json", "$/g/linked/a.json", "$/g/a.json", "$/g/./linked"]
    let written = """
      wrote $/g/a.expected.log
      1 scenario: 1 passed, 0 failed (1 golden log written)

      """
    for order in [paths, paths.reversed()] {
      let outcome = bench.call(["test", "--update"] + order)
      #expect(outcome == .init(code: 1, output: written, messages: ""))
      try FileManager.default.removeItem(atPath: bench.path("g/a.expected.log"))
    }
  }

  @Test func aFileWithTwoNamesIsTestedUnderBoth() throws {
    let bench = try CommandBench(["\u{E9}.json": Fixture.playing])
    for name in ["b", "e\u{301}"] {
      try FileManager.default.createSymbolicLink(
        atPath: bench.path("\(name).json"), withDestinationPath: "\u{E9}.json")
    }
    let outcome = bench.call("test", "$", "--update")
    #expect(outcome.output.hasSuffix("3 scenarios: 3 passed, 0 failed (3 golden logs written)\n"))
  }

  @Test(arguments: ["text", "json"])
  func theOutputDoesNotDependOnTheNumberOfThreads(_ format: String) throws {
    var files: [String: String] = [:]
    for index in 0..<24 {
      let startup = index % 3 == 0 ? "6.1 s" : "6.2 s"
      files["\(index % 4)/\(index).json"] = Fixture.scenario(
        name: "s\(index)", startupMax: startup, seed: index)
    }
    files["2/broken.json"] = "{\"autowait\": "
    let bench = try CommandBench(files)
    let one = bench.call("test", "$", "--format", format, "--jobs", "1")
    let eight = bench.call("test", "$", "--format", format, "--jobs", "8")
    #expect(one == eight)
    #expect(one.code == 2)
    let reports = ["1", "8"].map { jobs in
      bench.call("test", "$", "--jobs", jobs, "--junit", "$/\(jobs).xml")
    }
    #expect(reports.first == reports.last)
    #expect(try bench.read("1.xml") == bench.read("8.xml"))
  }

  @Test func jsonIsOneObject() throws {
    let bench = try accepted(["a.json": Fixture.playing])
    let outcome = bench.call("test", "$", "--format", "json")
    let golden = try bench.read("a.expected.log")
    let fingerprint = golden.dropLast(3).suffix(16)
    let text = """
      {"version":1,"scenarios":[{"path":"$/a.json","name":"slow","seed":1,"status":"passed",\
      "fingerprint":"\(fingerprint)","failures":[]}],"passed":1,"failed":0,"skipped":0,\
      "filtered":0,"updated":[]}

      """
    #expect(outcome == .init(code: 0, output: text, messages: ""))
  }

  /// Makes files and the golden logs of the scenarios among them.
  private func accepted(_ files: [String: String]) throws -> CommandBench {
    let bench = try CommandBench(files)
    #expect(bench.call("test", "$", "--update").code == 1)
    return bench
  }
}
