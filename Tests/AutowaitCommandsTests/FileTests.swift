import AutowaitCommands
import Foundation
import Testing

/// Files are read inside the root only, and written whole or not at all.
@Suite struct FileTests {
  private static let link = "{\"down\": {\"rate\": \"3.2 Mbit/s\"}}"

  @Test func aNamedFileIsReadBesideTheScenario() throws {
    let fixture = try CommandFixture([
      "a.json": Fixture.scenario(link: "\"links/slow.json\""), "links/slow.json": Self.link,
    ])
    #expect(fixture.call("run", "$/a.json").messages == "")
    #expect(fixture.call("run", "$/links/../a.json").code == 0)
  }

  @Test func theRootIsTheNearestFolderNamedScenarios() throws {
    let fixture = try CommandFixture([
      "Scenarios/a/a.json": Fixture.scenario(link: "\"../slow.json\""),
      "Scenarios/slow.json": Self.link,
      "Scenarios/b.json": Fixture.scenario(link: "\"../slow.json\""),
      "slow.json": Self.link,
    ])
    #expect(fixture.call("run", "$/Scenarios/a/a.json").code == 0)
    let outcome = fixture.call("run", "$/Scenarios/b.json")
    #expect(outcome.code == 2)
    let message = """
      $/Scenarios/b.json:5:11: error: the link '../slow.json' lies outside of the scenario's root, \
      '$/Scenarios'
      """
    #expect(outcome.messages.hasPrefix(message))
    #expect(fixture.call("run", "$/Scenarios/b.json", "--root", "$").code == 0)
    #expect(fixture.call("run", "$/Scenarios/a/a.json", "--root", "$/Scenarios/a").code == 2)
  }

  /// Ways out of the root, and how each is answered.
  @Test(arguments: [
    ("../slow.json", "lies outside of the scenario's root, '$/in'"),
    ("../in/../slow.json", "lies outside of the scenario's root, '$/in'"),
    ("../../../../../../../../../etc/x.json", "lies outside of the scenario's root, '$/in'"),
    ("link.json", "lies outside of the scenario's root, '$/in'"),
    ("folder/slow.json", "lies outside of the scenario's root, '$/in'"),
    ("/etc/x.json", "must be a path relative to the scenario"),
    ("none.json", "does not exist"),
    ("none/none.json", "does not exist"),
    ("ok.json\\u0000.json", "does not exist"),
    ("sub.json", "is a folder"),
  ])
  func thereIsNoWayOut(_ path: String, _ answer: String) throws {
    let fixture = try CommandFixture([
      "in/a.json": Fixture.scenario(link: "\"\(path)\""), "slow.json": Self.link,
      "in/ok.json": Self.link, "in/sub.json/x": "",
    ])
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: fixture.path("in/link.json"), withDestinationPath: fixture.path("slow.json"))
    try manager.createSymbolicLink(
      atPath: fixture.path("in/folder"), withDestinationPath: fixture.folder)
    let outcome = fixture.call("run", "$/in/a.json")
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    let line = outcome.messages.split(separator: "\n").first ?? ""
    #expect(line.hasPrefix("$/in/a.json:5:11: error: the link "))
    #expect(line.hasSuffix(answer), "\(line)")
  }

  @Test func symbolicLinksInsideTheRootAreFollowed() throws {
    let fixture = try CommandFixture([
      "a.json": Fixture.scenario(link: "\"link.json\""), "slow.json": Self.link,
    ])
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path("link.json"), withDestinationPath: "slow.json")
    #expect(fixture.call("run", "$/a.json").code == 0)
  }

  @Test func outputIsWhatWouldBePrinted() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing, "b.json": Fixture.playing])
    let printed = fixture.call("run", "$/a.json", "$/b.json", "--format", "jsonl").output
    try fixture.write("result", "old")
    let outcome = fixture.call(
      "run", "$/a.json", "$/b.json", "--format", "jsonl", "--output", "$/result")
    #expect(outcome == .init(code: 0, output: "", messages: ""))
    #expect(try fixture.read("result") == printed)
    #expect(try fixture.names() == ["a.json", "b.json", "result"])
  }

  @Test func outputNeverReplacesTheScenario() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let outcome = fixture.call("run", "$/a.json", "--output", "$/./a.json")
    let message = "autowait: error: '--output' is one of the scenarios, '$/./a.json'\n"
    #expect(outcome == .init(code: 2, output: "", messages: message))
    #expect(try fixture.read("a.json") == Fixture.playing)
  }

  /// Names of what is read, and what is said of writing to it.
  @Test(arguments: [
    ("g/a.json", "one of the scenarios"), ("g/../g/a.json", "one of the scenarios"),
    ("g/a.expected.log", "the golden log of a scenario"),
    ("h/../g/b.expected.log", "the golden log of a scenario"),
    ("g/link.json", "a file that a scenario names"), ("same", "a file that a scenario names"),
  ])
  func whatIsReadIsNeverReplaced(_ name: String, _ what: String) throws {
    let scenario = Fixture.scenario(link: "\"../link.json\"")
    let fixture = try CommandFixture([
      "g/a.json": scenario, "g/a.expected.log": "old", "g/b.json": Fixture.playing,
      "link.json": Self.link, "h/x": "", "Scenarios/x": "",
    ])
    let manager = FileManager.default
    for link in ["g/link.json", "same"] {
      try manager.createSymbolicLink(
        atPath: fixture.path(link), withDestinationPath: fixture.path("link.json"))
    }
    let names = try fixture.names()
    // A run reads no golden log, and may write one.
    let run = what.hasPrefix("the golden log") ? [] : [("--output", ["run"])]
    for (option, call) in run + [("--junit", ["test", "--update"])] {
      let outcome = fixture.call(
        call + ["$/g/a.json", "$/g/b.json", "--root", "$", option, "$/\(name)"])
      let message = "autowait: error: '\(option)' is \(what), '$/\(name)'\n"
      #expect(outcome.code == 2)
      #expect(outcome.messages.hasPrefix(message), "\(outcome.messages)")
      #expect(outcome.output == "")
      #expect(try fixture.names() == names)
      #expect(try fixture.read("g/a.json") == scenario)
      #expect(try fixture.read("g/a.expected.log") == "old")
      #expect(try fixture.read("link.json") == Self.link)
    }
  }

  @Test func aRunMayWriteItsGoldenLog() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let golden = "$/a.expected.log"
    #expect(fixture.call("run", "$/a.json", "--format", "jsonl", "--output", golden).code == 0)
    #expect(fixture.call("test", "$/a.json").code == 0)
  }

  @Test func outputKeepsPermissionsAndLinks() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing, "real": "old"])
    let manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: fixture.path("real"))
    try manager.createSymbolicLink(
      atPath: fixture.path("link"), withDestinationPath: fixture.path("real"))
    #expect(fixture.call("run", "$/a.json", "--output", "$/link").code == 0)
    #expect(try fixture.read("real") != "old")
    let attributes = try manager.attributesOfItem(atPath: fixture.path("real"))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(
      try manager.destinationOfSymbolicLink(atPath: fixture.path("link")) == fixture.path("real"))
  }

  @Test(arguments: [
    ("$/none/x", "$/none/x: error: the file cannot be written: the folder '$/none' does not exist"),
    ("$/folder", "$/folder: error: the file is a folder"),
    ("$/a.json/x", "$/a.json/x: error: the file cannot be written: '$/a.json' is not a folder"),
    ("/dev/null/x", "/dev/null/x: error: the file cannot be written: '/dev/null' is not a folder"),
    ("", "autowait: error: '--output' needs a value: FILE\nnote: see 'autowait run --help'"),
  ])
  func outputThatCannotBeWritten(_ path: String, _ message: String) throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing, "folder/x": ""])
    let outcome = fixture.call("run", "$/a.json", "--output", path)
    #expect(outcome == .init(code: 2, output: "", messages: message + "\n"))
    #expect(try fixture.names() == ["a.json", "folder", "folder/x"])
  }

  @Test func nothingIsLeftWhenTheDiskIsFull() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let outcome = fixture.call("run", "$/a.json", "--output", "/dev/full")
    #expect(outcome.code == 2)
    #expect(outcome.messages.hasPrefix("/dev/full: error: the file cannot be written: "))
  }

  @Test func resultsThatCannotBePrintedAreAnError() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    fixture.outputOutcome = .failed("No space left on device")
    let outcome = fixture.call("run", "$/a.json")
    #expect(outcome.code == 2)
    #expect(
      outcome.messages
        == "autowait: error: the results cannot be written: No space left on device\n")
  }

  @Test func aReaderThatGoesAwayIsNoError() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    fixture.outputOutcome = .closed
    #expect(fixture.call("run", "$/a.json") == .init(code: 0, output: "", messages: ""))
  }

  @Test(arguments: [
    (true, [:], "auto", true), (false, [:], "auto", false), (true, ["NO_COLOR": ""], "auto", false),
    (true, ["TERM": "dumb"], "auto", false), (true, [:], "never", false),
    (false, [:], "always", true), (false, ["NO_COLOR": "1"], "always", true),
  ])
  func colorFollowsTheTerminal(
    _ isTerminal: Bool, _ variables: [String: String], _ choice: String, _ isColored: Bool
  ) throws {
    let fixture = try CommandFixture(["a.json": Fixture.scenario(startupMax: "6.1 s")])
    fixture.isTerminal = isTerminal
    fixture.variables = variables
    let output = fixture.call("test", "$", "--color", choice).output
    #expect(output.contains("\u{1B}[31m") == isColored)
  }
}
