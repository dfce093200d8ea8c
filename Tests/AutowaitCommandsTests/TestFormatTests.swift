import AutowaitCommands
import Foundation
import Testing

/// What `autowait test` tells of known bugs, in which formats, and while files change.
@Suite struct TestFormatTests {
  private static func known(_ text: String) -> String {
    text.replacing("  \"seed\"", with: "  \"xfail\": \"bug 12\",\n  \"seed\"")
  }

  private static let failing = Fixture.scenario(startupMax: "6.1 s")

  @Test func aKnownBugIsKeptUntilItIsMended() throws {
    let fixture = try CommandFixture(["a.json": Self.known(Self.failing)])
    let known = fixture.call("test", "$", "--junit", "$/r.xml")
    #expect(
      known
        == .init(
          code: 0, output: "1 scenario: 0 passed, 0 failed, 1 known to fail\n", messages: ""))
    let report = try fixture.read("r.xml")
    #expect(report.contains("<skipped message=\"known to fail: bug 12\"/>"), "\(report)")
    #expect(report.contains(" failures=\"0\" errors=\"0\" skipped=\"1\" "))
    let json = fixture.call("test", "$", "--format", "json").output
    #expect(json.contains("\"status\":\"known\"") && json.contains("\"reason\":\"bug 12\""))
    #expect(json.contains("\"known\":1"))
    // What a known bug does is not recorded.
    #expect(fixture.call("test", "$", "--record", "all").code == 0)
    #expect(!fixture.exists("a.expected.log"))
    try fixture.write("a.json", Self.known(Fixture.playing))
    let mended = """
      ✗ $/a.json: slow
        $/a.json:4: mended: remove 'xfail'
          it was known to fail: bug 12
        reproduce with: autowait test $/a.json

      1 scenario: 0 passed, 1 failed

      """
    #expect(fixture.call("test", "$") == .init(code: 1, output: mended, messages: ""))
  }

  @Test func onlyWhatIsJudgedIsKnown() throws {
    let bare = TestRecordingTests.bare(more: "\"xfail\": \"bug\", ")
    let fixture = try CommandFixture(["a.json": bare, "b.json": Self.known("{\"autowait\":")])
    #expect(fixture.call("test", "$/a.json", "--record", "never").code == 1)
    #expect(fixture.call("test", "$/b.json").code == 2)
    fixture.defective = "c.json"
    try fixture.write("c.json", Self.known(Self.failing))
    #expect(fixture.call("test", "$/c.json").code == 3)
    // A golden log that differs is known too.
    try fixture.write("d.json", TestRecordingTests.bare())
    fixture.call("test", "$/d.json")
    try fixture.write("d.json", TestRecordingTests.bare(at: 2, more: "\"xfail\": \"bug\", "))
    #expect(fixture.call("test", "$/d.json").code == 0)
    #expect(!fixture.exists("d.expected.log.new"))
  }

  /// What is known to fail in one file is not known of another that is made from it.
  @Test func theBaseOfAFileExcusesNothing() throws {
    let fixture = try CommandFixture([
      "known.json": Self.known(Self.failing),
      "own.json": #"{"autowait": 1, "extends": "known.json"}"#,
    ])
    #expect(fixture.call("test", "$/known.json").code == 0)
    let own = fixture.call("test", "$/own.json")
    #expect(own.code == 1 && !own.output.contains("known to fail"), "\(own.output)")
  }

  @Test(arguments: [
    ("\"xfail\": \"\"", "'xfail' must not be empty"),
    ("\"xfail\": true", "'xfail' must be a reason, not true"),
    ("\"tags\": [\"a b\"]", "must be a word without blanks, quotes or parentheses"),
    ("\"tags\": [\"\"]", "must be a word without blanks, quotes or parentheses"),
    ("\"tags\": [\"f(x)\"]", "must be a word without blanks, quotes or parentheses"),
    ("\"tags\": \"a\"", "'tags' must be an array"),
  ])
  func wrongKeysAreTold(_ key: String, _ message: String) throws {
    let text = Fixture.playing.replacing("  \"seed\"", with: "  \(key),\n  \"seed\"")
    let outcome = try CommandFixture(["a.json": text]).call("check", "$/a.json")
    #expect(outcome.code == 2)
    #expect(outcome.messages.contains(message), "\(outcome.messages)")
    #expect(outcome.messages.hasPrefix("$/a.json:4:"), "\(outcome.messages)")
  }

  private func mixed() throws -> CommandFixture {
    try CommandFixture([
      "a.json": Self.failing, "b.json": Self.known(Self.failing), "c.json": Fixture.playing,
      "d#.json": "{\"autowait\": 1}",
    ])
  }

  @Test func tapHasAllOfIt() throws {
    let outcome = try mixed().call("test", "$", "--format", "tap")
    #expect(outcome.code == 2)
    let text = """
      TAP version 14
      1..4
      not ok 1 - $/a.json: slow
        ---
        failures:
          - kind: expectation
            at: "$/a.json:13"
            message: "expected {\\"metric\\":\\"timeSpentInInitialStartup\\",\\"<=\\":\\"6.1 s\\"}"
            details:
              - "observed 6.1096875 s"
              - "why: playback starts after 6.109688 s because of the rule, which waits for \
      more than the first media: after 0 s without it"
        reproduce: "autowait run $/a.json --seed 1"
        ...
      not ok 2 - $/b.json: slow # TODO bug 12
      ok 3 - $/c.json: slow
      not ok 4 - $/d\\#.json
        ---
      """
    #expect(outcome.output.hasPrefix(text), "\(outcome.output)")
  }

  @Test func jsonLinesAreOneForEach() throws {
    let outcome = try mixed().call("test", "$", "--format", "jsonl")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.allSatisfy { $0.hasPrefix("{\"version\":1,\"kind\":\"") })
    #expect(lines.first?.hasSuffix(",\"reproduce\":\"autowait run $/a.json --seed 1\"}") == true)
    #expect(
      lines.last == """
        {"version":1,"kind":"summary",\(Fixture.madeBy),"passed":1,"failed":2,"known":1,\
        "skipped":0,"filtered":0,"updated":[],"new":[]}
        """)
    for line in lines { _ = try JSONSerialization.jsonObject(with: Data(line.utf8)) }
  }

  /// A clock that goes on by a millisecond each time that it is looked at.
  @Test func durationsAreReal() throws {
    let fixture = try mixed()
    fixture.ticks = 1_500_000
    let outcome = fixture.call("test", "$", "--jobs", "1", "--durations", "2", "--junit", "$/r.xml")
    #expect(
      outcome.messages.contains(
        "slowest 2 of 4 scenarios, in seconds:\n  0.001500  $/a.json\n  0.001500  $/b.json\n"))
    let report = try fixture.read("r.xml")
    #expect(report.contains(" line=\"13\" time=\"0.001500\">"), "\(report)")
    #expect(report.contains("skipped=\"1\" time=\"0.006000\">"))
    #expect(report.contains("<property name=\"simulatedTime\" value=\"45.459375\"/>"))
    // Nothing else depends on the clock.
    fixture.ticks = 0
    #expect(fixture.call("test", "$", "--junit", "$/s.xml").output == outcome.output)
    func without(_ text: String) -> String { text.replacing(/\ time="[0-9.]+"/, with: "") }
    #expect(without(try fixture.read("s.xml")) == without(report))
  }

  @Test func recordingsOfFailuresAreKeptAndAttached() throws {
    let fixture = try mixed()
    let outcome = fixture.call("test", "$", "--logs", "$/logs", "--junit", "$/r.xml")
    #expect(outcome.code == 2)
    let kept = try fixture.names().filter { $0.hasPrefix("logs/") && $0.hasSuffix(".recording") }
    #expect(kept == ["logs\(fixture.folder)/a.actual.recording"])
    let call = "autowait replay $/logs$/a.actual.recording"
    #expect(outcome.output.contains("  or anywhere with: \(call)\n"))
    #expect(fixture.call("replay", "$/\(kept[0])").code == 0)
    let report = try fixture.read("r.xml").replacing(fixture.folder, with: "$")
    #expect(
      report.contains("<system-out>[[ATTACHMENT|$/logs$/a.actual.recording]]</system-out>"),
      "\(report)")
    #expect(report.contains("or anywhere with: \(call)\n"))
    #expect(report.components(separatedBy: "system-out>").count == 3)
    #expect(fixture.call("test", "$", "--logs", "$/a.json").code == 2)
  }

  @Test func whatPassesIsNotSpokenOf() throws {
    // A script without steps is worth a warning, by 'check' or when something fails.
    let text = TestRecordingTests.bare().replacing(/,\s+"script".*/, with: "}")
    let fixture = try CommandFixture(["a.json": text])
    #expect(fixture.call("check", "$/a.json").messages.contains("warning"))
    fixture.call("test", "$")
    #expect(fixture.call("test", "$").messages == "")
  }

  // MARK: Watching

  @Test func aChangeIsTestedAgain() throws {
    let fixture = try CommandFixture(["a.json": TestRecordingTests.bare()])
    fixture.call("test", "$")
    fixture.isInputTerminal = true
    var round = 0
    fixture.whenWaiting = { [unowned fixture] in
      round += 1
      switch round {
      case 1: try? fixture.write("a.json", TestRecordingTests.bare(at: 2))
      // Nothing changes, but that a new log was put beside the golden one.
      case 2, 3: return nil
      case 4: return .bytes(Array("u\n".utf8))
      case 5: try? fixture.write("b.json", Fixture.playing)
      default: return .bytes(Array("q\n".utf8))
      }
      return nil
    }
    let outcome = fixture.call("test", "$", "--watch")
    #expect(outcome.code == 0)
    let closings = outcome.output.split(separator: "\n").filter { $0.contains("passed, ") }
    #expect(
      closings == [
        "1 scenario: 1 passed, 0 failed", "1 scenario: 0 passed, 1 failed",
        "1 scenario: 1 passed, 0 failed (1 golden log written)", "2 scenarios: 2 passed, 0 failed",
      ], "\(outcome.output)")
    let hints = outcome.messages.split(separator: "\n").map { $0.contains("u accepts") }
    #expect(hints == [false, true, false, false], "\(outcome.messages)")
    #expect(round == 6)
    // What expectations judge is not recorded by the way.
    #expect(fixture.exists("a.expected.log") && !fixture.exists("b.expected.log"))
  }

  @Test func watchingEndsAfterSoManyTimes() throws {
    let fixture = try CommandFixture(["a.json": TestRecordingTests.bare()])
    fixture.whenWaiting = { [unowned fixture] in
      try? fixture.write("a.json", TestRecordingTests.bare(at: 2))
      return .end
    }
    let outcome = fixture.call("test", "$", "--watch", "--rounds", "2")
    #expect(outcome.code == 1)
    #expect(outcome.output.contains("1 scenario: 0 passed, 1 failed\n"))
    #expect(fixture.call("test", "$", "--rounds", "2").code == 2)
    // The end of what is written at a terminal ends it.
    fixture.isInputTerminal = true
    fixture.whenWaiting = { .end }
    #expect(fixture.call("test", "$", "--watch").code == 1)
  }
}
