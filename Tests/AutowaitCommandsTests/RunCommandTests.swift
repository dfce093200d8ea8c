import Autowait
import AutowaitCommands
import AutowaitRendering
import AutowaitScenario
import Foundation
import Testing

/// `autowait run`: what is printed where, and what the command ends with.
@Suite struct RunCommandTests {
  @Test func jsonIsOneObjectInALineForEachScenario() throws {
    let fixture = try CommandFixture([
      "a.json": Fixture.scenario(name: "a"), "b.json": Fixture.scenario(name: "b"),
    ])
    let outcome = fixture.call("run", "--format", "json", "$/b.json", "$/a.json")
    #expect(outcome.code == 0)
    #expect(outcome.messages == "")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(
      lines.first?.hasPrefix(
        "{\"version\":1,\(Fixture.madeBy),\"scenario\":\"b\",\"path\":\"$/b.json\"") == true)
    #expect(
      lines.last?.hasPrefix(
        "{\"version\":1,\(Fixture.madeBy),\"scenario\":\"a\",\"path\":\"$/a.json\"") == true)
    for line in lines {
      #expect(throws: Never.self) {
        try JSONSerialization.jsonObject(with: Data(line.utf8))
      }
    }
  }

  @Test(arguments: ["timeline", "states", "jsonl", "json"])
  func everyFormatPrintsSomethingAndEndsItsLine(_ format: String) throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let outcome = fixture.call("run", "$/a.json", "--format", format)
    #expect(outcome.code == 0)
    #expect(outcome.output.hasSuffix("\n"))
    #expect(outcome.output == fixture.call("run", "$/a.json", "--format=\(format)").output)
  }

  @Test(arguments: ["40", "80", "120"])
  func noRateIsTooHighForTheTimeline(_ width: String) throws {
    let fixture = try CommandFixture(["a.json": TimelineExamples.dense])
    let outcome = fixture.call("run", "$/a.json", "--width", width)
    #expect(outcome.code == 0)
    #expect(outcome.output.contains(" of 2 GB\n"), "\(outcome.output)")
  }

  @Test func unmetExpectationsEndWithOne() throws {
    let fixture = try CommandFixture(["a.json": Fixture.scenario(startupMax: "6.1 s")])
    #expect(fixture.call("run", "$/a.json").code == 1)
  }

  @Test func theSeedCanBeReplaced() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let outcome = fixture.call("run", "$/a.json", "--seed", "7", "--format", "json")
    #expect(outcome.output.contains("\"seed\":7,"))
  }

  @Test func nothingRunsIfOneFileIsInvalid() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing, "b.json": "{\"autowait\": 1"])
    let outcome = fixture.call("run", "$/a.json", "$/b.json")
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("$/b.json:1:15: error: "))
  }

  @Test func aFileThatIsMissingIsGuessed() throws {
    let fixture = try CommandFixture(["hotel.json": Fixture.playing])
    let outcome = fixture.call("run", "$/hotle.json")
    let message = """
      $/hotle.json: error: the file does not exist
      note: did you mean '$/hotel.json'?

      """
    #expect(outcome == .init(code: 2, output: "", messages: message))
  }

  @Test func aFolderIsNoScenario() throws {
    let fixture = try CommandFixture(["demo/a.json": Fixture.playing])
    let message = """
      $/demo: error: the file is a folder
      note: 'autowait test $/demo' runs the scenarios in a folder

      """
    #expect(fixture.call("run", "$/demo") == .init(code: 2, output: "", messages: message))
  }

  @Test(arguments: ["/dev/zero", "/dev/null"])
  func aDeviceIsNoFile(_ path: String) throws {
    let message = "\(path): error: the file is a device, not a file\n"
    #expect(
      try CommandFixture().call("run", path) == .init(code: 2, output: "", messages: message))
  }

  @Test func aPipeThatNobodyWritesToIsEmpty() throws {
    let fixture = try CommandFixture()
    try #require(mkfifo(fixture.path("pipe.json"), 0o600) == 0)
    let outcome = fixture.call("run", "$/pipe.json")
    #expect(outcome.code == 2)
    #expect(outcome.messages.hasPrefix("$/pipe.json:1:1: error: expected a value"))
  }

  /// What is no scenario, and how the answer begins.
  static let badFiles: [(bytes: [UInt8], message: String)] = [
    ([], "$/x.json:1:1: error: expected a value but found the end of the text"),
    (Array("\u{FEFF}{}".utf8), "$/x.json:1:1: error: "),
    (
      Array("{\"autowait\": 1, \"name\": \"caf".utf8) + [0xE9],
      "$/x.json:1:29: error: invalid UTF-8"
    ),
    (Array("nonsense".utf8), "$/x.json:1:1: error: "),
    ([0], "$/x.json:1:1: error: "),
    (
      Array(repeating: UInt8(ascii: "["), count: 1_000_000),
      "$/x.json:1:513: error: arrays and objects nest deeper than 512 levels"
    ),
    (
      Array(Fixture.scenario().replacing("\"39 s\"", with: "1e400").utf8),
      "$/x.json:6:48: error: 'duration' is above the limit of 366 d"
    ),
    (
      Array(Fixture.scenario().replacing("\"39 s\"", with: "0").utf8),
      "$/x.json:6:48: error: 'duration' must be more than 0"
    ),
  ]

  @Test(arguments: badFiles.indices)
  func badFilesAreExplained(_ index: Int) throws {
    let row = Self.badFiles[index]
    let fixture = try CommandFixture()
    try fixture.write("x.json", row.bytes)
    let outcome = fixture.call("run", "$/x.json", "--output", "$/result")
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix(row.message), "\(outcome.messages.prefix(200))")
    #expect(!fixture.exists("result"))
  }

  @Test func everyTruncationIsAnError() throws {
    let fixture = try CommandFixture()
    let text = Array(Fixture.playing.utf8)
    for length in stride(from: 0, to: text.count - 2, by: 11) {
      try fixture.write("x.json", Array(text[..<length]))
      #expect(fixture.call("check", "$/x.json").code == 2, "after \(length) bytes")
    }
  }

  @Test func stepsThatWereNeverDoneAreTold() throws {
    let link = "{\"rate\": \"0 bit/s\"}"
    let fixture = try CommandFixture(["a.json": Fixture.scenario(link: link)])
    let outcome = fixture.call("run", "$/a.json")
    #expect(
      outcome.messages
        == "$/a.json: warning: step 2 of the script, 'play', was never done\n")
  }

  @Test func playersThatWaitAtTheEndAreTold() throws {
    let text = Fixture.scenario(link: "{\"rate\": \"0 bit/s\"}")
      .replacing("{\"when\": {\"loaded\": {\">=\": \"0.3 s\"}}", with: "{\"at\": 1")
    let fixture = try CommandFixture(["a.json": text])
    let message = """
      $/a.json: warning: a player still waits when the run ends at 756 s
      note: a run is given more time with 'until'

      """
    #expect(fixture.call("run", "$/a.json").messages == message)
  }

  @Test func runawayRunsAreTold() throws {
    let text = Fixture.playing.replacing("\"seed\": 1", with: "\"seed\": 1, \"eventsMax\": 3")
    let fixture = try CommandFixture(["a.json": text])
    let outcome = fixture.call("run", "$/a.json")
    #expect(outcome.code == 6)
    #expect(
      outcome.messages.hasSuffix(
        "it reached its bound of 3 events\nnote: raise it with 'eventsMax'\n"))
  }

  /// What a summary is made of is kept without the other records, and what it says is the same.
  @Test func aSummaryNeedsFewRecords() throws {
    let root = MarkdownDocument.url("Scenarios").path
    let names = (FileManager.default.enumerator(atPath: root)?.allObjects ?? [])
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".expected.log") }.sorted()
    #expect(names.count > 200)
    var errorCount = 0
    for name in MarkdownDocument.part(of: names) {
      let path = "\(root)/\(name.replacing(".expected.log", with: ".json"))"
      // The golden log of a run lies beside a file of another name.
      if !FileManager.default.fileExists(atPath: path) { continue }
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let loader = FileLoader { file, _ in
        (try? String(contentsOfFile: "\(root)/\(file)", encoding: .utf8))
          .map { .success(SourceText(path: file, text: $0)) }
          ?? .failure(FileLoader.FileProblem("does not exist"))
      }
      let source = SourceText(path: path, text: text)
      guard var scenario = ScenarioReader.read(source, loader: loader).scenario else { continue }
      scenario.expectations.removeAll { expectation in
        switch expectation.kind {
        case .never, .always, .eventually, .sequence, .snapshotAtEvent: true
        case .snapshot, .metric, .finish: false
        }
      }
      let (whole, summary) = (ScenarioRun.run(scenario), ScenarioRun.summary(scenario))
      var (one, other) = (JSONWriter(), JSONWriter())
      ResultRendering.write(whole, into: &one)
      ResultRendering.write(summary, into: &other)
      #expect(one.bytes == other.bytes, "\(name)")
      #expect(steps(whole) == steps(summary), "\(name)")
      errorCount += ErrorLogEvent.logs(of: summary).reduce(0) { $0 + $1.count }
    }
    #expect(errorCount > 3)
  }

  private func steps(_ result: RunResult) -> [EventRecord] {
    result.records.filter { if case .step = $0.event { true } else { false } }
  }

  /// A run that changes with every nanosecond is cut off, and drawn.
  @Test func aTimelineOfManyEventsIsShort() throws {
    let text = #"""
      {"autowait": 1, "eventsMax": 60000, "link": {"down": {"track": [
        {"for": "1 ns", "rate": "1 Mbit/s"}, {"for": "1 ns", "rate": "2 Mbit/s"}],
        "trackEnd": "loop"}},
       "media": {"kind": "progressive", "duration": "100 s", "bitrate": "1 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """#
    let fixture = try CommandFixture(["a.json": text])
    let call = fixture.call("run", "$/a.json")
    #expect(call.output.contains("the bound of 60000 events is reached"))
    #expect(call.output.contains("changes of reading, buffer and link are not shown"))
  }

  @Test func theTableIsTakenAtTheGivenTime() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    for time in ["8.159375", "8.159375 s", "0", "1 h"] {
      #expect(fixture.call("run", "$/a.json", "--at", time).code == 0)
    }
  }

  /// A rule of conditions asks whether the rest will come, and of what lies behind an end that was
  /// put into the file nothing is missing.
  @Test func `a file is loaded beyond an end that was put into it`() throws {
    let text = """
      {"link": {"name": "x", "rate": "3 Mbit/s"}, "heuristic": "firefox",
       "media": {"kind": "progressive", "duration": "39 s", "bitrate": "1 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
                  {"at": 0, "do": "set", "forwardPlaybackEndTime": "5 s"}],
       "expect": [{"metric": "mediaPlayed", "==": "5 s"}]}
      """
    let fixture = try CommandFixture(["a.json": text])
    let call = fixture.call("run", "$/a.json")
    #expect(call.code == 0, "\(call.messages)")
  }
}
