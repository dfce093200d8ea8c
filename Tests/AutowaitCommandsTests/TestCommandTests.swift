import Foundation
import Testing

/// `autowait test`: what is found, what is held against it, and how goldens change.
@Suite struct TestCommandTests {
  @Test func goldensAreWrittenOnlyWhenAsked() throws {
    let fixture = try CommandFixture(["s/a.json": Fixture.playing])
    let passed = "1 scenario: 1 passed, 0 failed\n"
    #expect(fixture.call("test", "$/s") == .init(code: 0, output: passed, messages: ""))
    #expect(!fixture.exists("s/a.expected.log"))
    let written = """
      wrote $/s/a.expected.log
      1 scenario: 1 passed, 0 failed (1 golden log written)

      """
    #expect(
      fixture.call("test", "$/s", "--update") == .init(code: 1, output: written, messages: ""))
    let log = fixture.call("run", "$/s/a.json", "--format", "jsonl").output
    #expect(try fixture.read("s/a.expected.log") == log)
    #expect(fixture.call("test", "$/s") == .init(code: 0, output: passed, messages: ""))
    #expect(
      fixture.call("test", "$/s", "--update") == .init(code: 0, output: passed, messages: ""))
    #expect(try fixture.names() == ["s", "s/a.expected.log", "s/a.json"])
  }

  @Test func theFirstDifferenceIsShownWithItsCause() throws {
    let fixture = try accepted(["a.json": Fixture.playing])
    let golden = try fixture.read("a.expected.log")
    let tampered = try #require(TamperedLine(in: golden))
    try fixture.write("a.expected.log", tampered.log)
    let outcome = fixture.call("test", "$")
    #expect(outcome.code == 1)
    let number = tampered.number
    let text = """
      ✗ $/a.json: slow
        $/a.expected.log:\(number): the run differs from the golden log from line \(number) on
      \(tampered.shown(indent: 4))
          accept with: autowait test $/a.json --update
        reproduce with: autowait test $/a.json

      new log next to the golden one: autowait review $/a.expected.log.new
      1 scenario: 0 passed, 1 failed

      """
    #expect(outcome.output == text)
    #expect(fixture.call("test", "$", "--update").code == 1)
    #expect(try fixture.read("a.expected.log") == golden)
  }

  @Test func anEditedScenarioIsToldApartFromAnotherRun() throws {
    let fixture = try accepted(["a.json": Fixture.playing])
    try fixture.write("a.json", Fixture.scenario(startupMax: "6.3 s"))
    #expect(fixture.call("test", "$").code == 0)
    let link = "{\"name\": \"demo/slow-server\", \"rate\": \"3.3 Mbit/s\"}"
    try fixture.write("a.json", Fixture.scenario(link: link))
    let other = fixture.call("test", "$").output
    #expect(other.contains("was recorded; the runs differ from line "), "\(other)")
    #expect(other.contains("\n    - 1 | ") && other.contains("\n    + 1 | "), "\(other)")
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
      "the header of the golden log is not as it was recorded"
    ),
    (
      { "{\"a\":1," + $0.dropFirst() },
      "the header of the golden log is not as it was recorded"
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
    let fixture = try accepted(["a.json": Fixture.playing])
    let golden = try fixture.read("a.expected.log")
    try fixture.write("a.expected.log", row.damage(golden))
    let outcome = fixture.call("test", "$")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("  $/a.expected.log:1: \(row.message)\n"), "\(outcome.output)")
    #expect(fixture.call("test", "$", "--update").code == 1)
    #expect(try fixture.read("a.expected.log") == golden)
  }

  private static let reason =
    "why: playback starts after 6.109688 s because of the rule, which waits for more than the "
    + "first media: after 0 s without it"

  @Test func unmetExpectationsAreShownAndNotAccepted() throws {
    let fixture = try CommandFixture(["a.json": Fixture.scenario(startupMax: "6.1 s")])
    #expect(fixture.call("test", "$", "--update").code == 1)
    let text = """
      ✗ $/a.json: slow
        $/a.json:13: expected metric: timeSpentInInitialStartup, <= 6.1 s
          observed 6.1096875 s
          \(Self.reason)
        reproduce with: autowait run $/a.json --seed 1

      1 scenario: 0 passed, 1 failed

      """
    #expect(fixture.call("test", "$") == .init(code: 1, output: text, messages: ""))
  }

  /// Where somebody looks no failure is wider than the terminal, and no word is lost.
  @Test func failuresFitTheTerminal() throws {
    let fixture = try CommandFixture(["a.json": Fixture.scenario(startupMax: "6.1 s")])
    let whole = fixture.call("test", "$").output
    fixture.variables["COLUMNS"] = "80"
    let text = fixture.call("test", "$").output
    let lines = text.split { $0 == "\n" }
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
    func words(_ text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }
    #expect(words(text) == words(whole) && text != whole)
  }

  @Test func otherJSONIsSkippedAndCounted() throws {
    let fixture = try accepted([
      "a.json": Fixture.playing, "link.json": "{\"rate\": 1}", "deep/list.json": "[\"autowait\"]",
      "broken.json": "{", ".hidden/b.json": Fixture.playing, "notes.txt": "",
    ])
    #expect(
      fixture.call("test", "$").output
        == "1 scenario: 1 passed, 0 failed (3 other JSON files skipped)\n")
  }

  @Test func aBrokenScenarioIsNotSkipped() throws {
    let fixture = try accepted(["a.json": Fixture.playing])
    try fixture.write("b.json", "{\"autowait\": 1,")
    let outcome = fixture.call("test", "$")
    #expect(outcome.code == 2)
    #expect(outcome.output.hasPrefix("✗ $/b.json\n  $/b.json:1:16: error: "))
    #expect(outcome.output.hasSuffix("\n\n2 scenarios: 1 passed, 1 failed\n"))
  }

  @Test func aNamedFileIsAlwaysTaken() throws {
    let fixture = try CommandFixture(["link.json": "{}"])
    #expect(fixture.call("test", "$/link.json").code == 2)
    #expect(fixture.call("test", "$").code == 4)
  }

  @Test func orphansFail() throws {
    let fixture = try accepted(["a.json": Fixture.playing, "b.json": "{\"rate\": 1}"])
    try fixture.write("b.expected.log", "")
    try fixture.write("c.expected.log", "")
    let text = """
      ✗ $/b.json
        $/b.expected.log:1: this golden log has no scenario '$/b.json'
          rename it if its scenario has another name now, or
          remove it with: rm $/b.expected.log

      ✗ $/c.expected.log
        $/c.expected.log:1: this golden log has no scenario '$/c.json'
          rename it if its scenario has another name now, or
          remove it with: rm $/c.expected.log

      3 scenarios: 1 passed, 2 failed

      """
    #expect(fixture.call("test", "$") == .init(code: 1, output: text, messages: ""))
    #expect(fixture.call("test", "$", "--update").code == 1)
    #expect(fixture.exists("b.expected.log") && fixture.exists("c.expected.log"))
  }

  /// A new log whose scenario is gone, or is none any more.
  @Test func newLogsWithoutScenariosFail() throws {
    let fixture = try accepted(["a.json": Fixture.playing, "b.json": "{\"rate\": 1}"])
    try fixture.write("b.expected.log.new", "")
    try fixture.write("c d.expected.log.new", "")
    let text = """
      ✗ $/b.json
        $/b.expected.log.new:1: this new log has no scenario '$/b.json'
          rename it if its scenario has another name now, or
          remove it with: rm $/b.expected.log.new

      ✗ $/c d.expected.log.new
        $/c d.expected.log.new:1: this new log has no scenario '$/c d.json'
          rename it if its scenario has another name now, or
          remove it with: rm '$/c d.expected.log.new'

      3 scenarios: 1 passed, 2 failed

      """
    #expect(fixture.call("test", "$") == .init(code: 1, output: text, messages: ""))
    try fixture.remove("b.expected.log.new")
    try fixture.remove("c d.expected.log.new")
    #expect(fixture.call("test", "$").code == 0)
  }

  /// What only warns is one line, and fails nothing.
  @Test func aMissedWarningIsShown() throws {
    let scenario = Fixture.playing.replacing(
      #""<=": "6.2 s"}"#, with: #""<=": "6 s", "level": "warn"}"#)
    let fixture = try accepted(["a.json": scenario])
    let line =
      #"$/a.json:13: warning: expected {"metric":"timeSpentInInitialStartup","<=":"6 s","#
      + #""level":"warn"}; observed 6.1096875 s"#
    #expect(
      fixture.call("test", "$")
        == .init(
          code: 0, output: "! \(line)\n1 scenario: 1 passed, 0 failed; 1 warning\n", messages: ""))
    #expect(
      fixture.call("test", "$", "--format", "tap").output.hasSuffix(
        "\nok 1 - $/a.json: slow\n# \(line)\n"))
    let lines = fixture.call("test", "$", "--format", "jsonl").output.split(separator: "\n")
    #expect(
      lines[0].contains(#""failures":[],"warnings":[{"kind":"expectation","path":"$/a.json""#))
    let annotated = fixture.call("test", "$", "--github", "--junit", fixture.path("j.xml"))
    #expect(annotated.output.contains("\n::warning file=$/a.json,line=13,title=slow::expected {"))
    #expect(!annotated.output.contains("::error"))
    let report = try fixture.read("j.xml")
    #expect(report.contains("failures=\"0\" errors=\"0\" skipped=\"0\""))
    #expect(report.contains("<system-out>"))
    #expect(report.contains("; observed 6.1096875 s</system-out>\n    </testcase>"))
    fixture.variables["GITHUB_STEP_SUMMARY"] = fixture.path("summary.md")
    fixture.call("test", "$", "--github")
    #expect(try fixture.read("summary.md").contains("| warning | what |\n|---|---|\n| "))
    let run = fixture.call("run", "$/a.json", "--html", "$/a.html")
    #expect(run.code == 0)
    let page = try fixture.read("a.html")
    #expect(page.contains("<li class=\"p-warned\"><span class=\"p-sign\">!</span>"))
    #expect(page.contains("The expectation is met. 1 warning."))
  }

  /// The line that reproduces a failure does so, from the folder that one stands in.
  @Test(arguments: ["a.json", "two words.json", "it's & more.json", "-x.json"])
  func whatReproducesAFailureDoes(_ name: String) throws {
    let fixture = try accepted([name: Fixture.scenario(startupMax: "6.1 s")])
    let output = fixture.call("test", "$").output
    let line = output.split(separator: "\n").first { $0.contains("reproduce with: ") }
    let call = try #require(line?.components(separatedBy: ": autowait ").last)
    // As a shell takes words apart.
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "printf '%s\\n' \(call.replacing("$", with: fixture.folder))"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let again = fixture.call(exactly: words)
    #expect(again.code == 1, "\(words): \(again.messages)")
    #expect(again.output.contains("observed: 6.1096875 s"))
  }

  @Test(arguments: [
    ("", false), ("false", false), ("true", true), ("1", true), ("0", true),
  ])
  func goldensAreNotWrittenOnServers(_ value: String, _ isRefused: Bool) throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    fixture.variables["CI"] = value
    let outcome = fixture.call("test", "$", "--update")
    #expect(outcome.code == (isRefused ? 2 : 1))
    #expect(fixture.exists("a.expected.log") == !isRefused)
    #expect(outcome.messages.hasPrefix("autowait: error: '--update' is refused") == isRefused)
  }

  @Test func aGoldenThatCannotBeWrittenIsToldAndNothingIsLeft() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing, "a.expected.log/x": ""])
    let outcome = fixture.call("test", "$", "--update")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("$/a.expected.log:1: the golden log is a folder\n"))
    #expect(try fixture.names() == ["a.expected.log", "a.expected.log/x", "a.json"])
  }

  @Test func theFilterLooksAtPathsAndNames() throws {
    let fixture = try accepted([
      "one.json": Fixture.scenario(name: "Hotel"), "two.json": Fixture.scenario(name: "Train"),
    ])
    #expect(
      fixture.call("test", "$", "--filter", "one").output
        == "1 scenario: 1 passed, 0 failed (1 filtered out)\n")
    #expect(
      fixture.call("test", "$", "--filter", "Train").output
        == "1 scenario: 1 passed, 0 failed (1 filtered out)\n")
    let message = "autowait: error: none of 2 scenarios has 'zonk' in its path or name\n"
    #expect(
      fixture.call("test", "$", "--filter", "zonk") == .init(code: 4, output: "", messages: message)
    )
  }

  @Test func nothingToTestEndsWithFour() throws {
    let message = """
      autowait: error: there is no scenario in '$'
      note: a scenario is a .json file with the key "autowait"

      """
    #expect(
      try CommandFixture().call("test", "$") == .init(code: 4, output: "", messages: message))
  }

  @Test func aMissingPathIsAnError() throws {
    let fixture = try accepted(["a.json": Fixture.playing])
    let outcome = fixture.call("test", "$/none", "$")
    #expect(
      outcome
        == .init(code: 2, output: "", messages: "$/none: error: the file does not exist\n"))
  }

  @Test func aFileNamedTwiceIsTestedOnce() throws {
    let fixture = try accepted(["a.json": Fixture.playing])
    #expect(
      fixture.call("test", "$/a.json", "$", "$/./a.json").output
        == "1 scenario: 1 passed, 0 failed\n")
  }

  @Test func aFileNamedByTwoPathsIsTestedOnce() throws {
    let fixture = try CommandFixture(["g/a.json": Fixture.playing])
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path("g/linked"), withDestinationPath: ".")
    let paths = ["$/g/../g/a.json", "$/g/linked/a.json", "$/g/a.json", "$/g/./linked"]
    let written = """
      wrote $/g/a.expected.log
      1 scenario: 1 passed, 0 failed (1 golden log written)

      """
    for order in [paths, paths.reversed()] {
      let outcome = fixture.call(["test", "--update"] + order)
      #expect(outcome == .init(code: 1, output: written, messages: ""))
      try FileManager.default.removeItem(atPath: fixture.path("g/a.expected.log"))
    }
  }

  @Test func aFileWithTwoNamesIsTestedUnderBoth() throws {
    let fixture = try CommandFixture(["\u{E9}.json": Fixture.playing])
    for name in ["b", "e\u{301}"] {
      try FileManager.default.createSymbolicLink(
        atPath: fixture.path("\(name).json"), withDestinationPath: "\u{E9}.json")
    }
    let outcome = fixture.call("test", "$", "--update")
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
    let fixture = try CommandFixture(files)
    let one = fixture.call("test", "$", "--format", format, "--jobs", "1")
    let eight = fixture.call("test", "$", "--format", format, "--jobs", "8")
    #expect(one == eight)
    #expect(one.code == 2)
    let reports = ["1", "8"].map { jobs in
      fixture.call("test", "$", "--jobs", jobs, "--junit", "$/\(jobs).xml")
    }
    #expect(reports.first == reports.last)
    #expect(try fixture.read("1.xml") == fixture.read("8.xml"))
  }

  @Test func jsonIsOneObject() throws {
    let fixture = try accepted(["a.json": Fixture.playing])
    let outcome = fixture.call("test", "$", "--format", "json")
    let golden = try fixture.read("a.expected.log")
    let fingerprint = golden.dropLast(3).suffix(16)
    let text = """
      {"version":1,\(Fixture.madeBy),"scenarios":[{"path":"$/a.json","name":"slow","seed":1,\
      "status":"passed","fingerprint":"\(fingerprint)","failures":[]}],\
      "passed":1,"failed":0,"known":0,"skipped":0,"filtered":0,"updated":[],"new":[]}

      """
    #expect(outcome == .init(code: 0, output: text, messages: ""))
  }

  /// Makes files and the golden logs of the scenarios among them.
  private func accepted(_ files: [String: String]) throws -> CommandFixture {
    let fixture = try CommandFixture(files)
    #expect(fixture.call("test", "$", "--update").code == 1)
    return fixture
  }
}
