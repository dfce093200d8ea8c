import AutowaitCommands
import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// What every command ends with, for each thing that may come of it, and what CI servers are told.
@Suite struct ExitCodeTests {
  /// Files of which each stands for an outcome.
  private func fixture() throws -> CommandFixture {
    let fixture = try CommandFixture([
      "good/a.json": Fixture.playing, "good/b.json": Fixture.scenario(name: "other"),
      "cut/a.json": Fixture.playing.replacing("\"seed\"", with: "\"eventsMax\": 3, \"seed\""),
      "unmet/a.json": Fixture.scenario(startupMax: "6.1 s"),
      "unrecorded/a.json": TestRecordingTests.bare(),
      "differing/a.json": Fixture.playing, "invalid/a.json": "{\"autowait\": 1}",
      "orphan/a.expected.log": "", "nothing/a.txt": "",
      "x.json": CompareCommandTests.experiment,
      "random/a.json": Self.random, "random/rule.sh": Self.rule,
      "defect/a.json": Fixture.playing,
    ])
    try fixture.makeExecutable("random/rule.sh")
    fixture.call("test", "$/good", "$/unmet", "$/differing", "--update")
    let golden = try fixture.read("differing/a.expected.log")
    try fixture.write("differing/a.expected.log", String(golden.dropLast()))
    fixture.call("run", "$/good/a.json", "--recording", "$/good/a.recording")
    for number in 1...2 {
      fixture.call("compare", "$/x.json", "--shard", "\(number)/2", "--out", "$/whole")
    }
    fixture.call("compare", "$/x.json", "--shard", "1/2", "--out", "$/part")
    try fixture.write("jobs", "")
    try fixture.write("m.wasm.gz", [0x1F, 0x8B])
    fixture.defective = "defect/a.json"
    fixture.screen = .init(enter: {}, leave: {}, stop: {})
    return fixture
  }

  private static let random = """
    {"autowait": 1, "link": "demo/slow-server",
     "media": {"kind": "progressive", "duration": "9 s", "bitrate": "3 Mbit/s"},
     "heuristic": {"program": ["./rule.sh"]},
     "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """

  /// Every other run waits for half a second.
  private static let rule = """
    #!/bin/sh
    read -r question; echo run >> "${0%/*}/runs"
    case $(($(wc -l < "${0%/*}/runs") % 2)) in
      0) echo '{"keepsUp": false, "askAgain": "0.5 s"}' ;;
      *) echo true ;;
    esac
    while read -r question; do echo true; done

    """

  /// A call and what it ends with.
  static let rows: [(call: String, code: Int32)] = [
    ("run $/good/a.json", 0), ("run $/unmet/a.json", 1), ("run $/invalid/a.json", 2),
    ("run $/none.json", 2), ("run $/good", 2), ("run $/good/a.json $/unmet/a.json", 1),
    ("run $/unmet/a.json $/invalid/a.json", 2), ("run $/good/a.json --output $/none/x", 2),
    ("test $/good", 0), ("test $/unmet", 1), ("test $/unrecorded", 1), ("test $/differing", 1),
    ("test $/orphan", 1), ("test $/invalid", 2), ("test $/none", 2),
    ("test $/defect", 3), ("test $/random --allow-programs", 1),
    ("test $/nothing", 4), ("test $/good --filter zonk", 4), ("test $/good $/nothing", 0),
    // What matters most counts: a defect, then what is invalid.
    ("test $/good $/unmet", 1), ("test $/unmet $/invalid", 2),
    ("test $/invalid $/defect", 3), ("test $/unmet $/defect", 3),
    ("test $/invalid $/random --allow-programs", 2), ("test $/good --junit $/none/x", 2),
    ("test $/defect --junit $/none/x", 3), ("test $/good --update", 0),
    ("test $/random", 4), ("test $/random $/good", 0), ("run $/random/a.json", 2),
    ("run $/random/a.json --allow-programs", 0),
    // What was cut off by a bound says nothing of what was expected.
    ("run $/cut/a.json", 6), ("test $/cut", 6), ("test $/cut $/unmet", 6),
    ("test $/cut $/invalid", 2), ("run $/cut/a.json $/good/a.json", 6),
    ("review --help", 0), ("review $/new", 1), ("review $/none", 2), ("review $/good", 4),
    ("accept $/new", 0), ("accept $/new $/none", 2), ("accept $/good", 4),
    ("replay $/good/a.expected.log", 0), ("replay $/differing/a.expected.log", 5),
    ("replay $/good/a.json", 2), ("replay $/none.log", 2),
    ("replay $/good/a.recording", 0), ("replay $/good/a.recording --extract $/extracted", 0),
    ("replay $/good/a.recording --extract $/good", 2),
    ("replay $/good/a.expected.log --extract $/extracted", 2),
    ("run $/good/a.json --recording $/b.recording", 0),
    ("run $/good/a.json --recording $/none/b.recording", 2),
    ("run $/good/a.json --recording $/good/a.json", 2),
    ("explain $/good/a.json", 0), ("explain $/none.json", 2), ("explain $/cut/a.json", 2),
    ("shrink $/good/a.json", 2), ("shrink $/good/a.json --keep currentItem", 0),
    ("shrink $/good/a.json --keep zonk", 2), ("shrink $/none.json", 2),
    ("diff $/good/a.json $/good/b.json", 0), ("diff $/good/a.json $/good/a.recording", 0),
    ("diff $/good/a.json $/cut/a.json", 1), ("diff $/good/a.json $/none.json", 2),
    ("diff $/good/a.json $/nothing/a.txt", 2), ("diff $/good/a.json", 2),
    ("diff $/good/a.json $/good/a.json $/good/a.json", 2), ("diff - -", 2),
    ("replay $/good/a.expected.log $/differing/a.expected.log", 5),
    ("replay $/differing/a.expected.log $/none.log", 2),
    // That a run does not end well is no business of its log.
    ("replay $/unmet/a.expected.log", 0),
    ("check $/good/a.json", 0), ("check $/unmet/a.json", 0), ("check $/x.json", 0),
    ("check $/invalid/a.json", 2), ("check $/good/a.json $/invalid/a.json", 2),
    ("compare $/x.json", 0), ("compare $/good/a.json", 2), ("compare $/none.json", 2),
    ("compare $/x.json --shard 1/2 --out $/whole", 0), ("compare $/x.json --output $/none/x", 2),
    // Another try may mend a disk that is full, but not a file in the way of a folder.
    ("compare $/x.json --shard 1/2 --out $/jobs", 2),
    ("completions bash", 0), ("completions bahs", 2), ("manual --", 0), ("manual run", 2),
    ("init", 0), ("init train --output $/train.json", 0), ("init zonk", 2),
    ("init train --output $/good/a.json", 2),
    ("schema", 0), ("schema link", 0), ("schema links", 2),
    ("merge $/whole", 0), ("merge $/part", 1), ("merge $/nothing", 4), ("merge $/none", 2),
    ("merge $/whole --experiment $/good/a.json", 2),
    ("tune media3 $/six.json", 0), ("tune media3 $/x.json", 2), ("tune zonk $/six.json", 2),
    ("work $/x.json", 0), ("work $/good/a.json", 2), ("work $/none.json", 2),
    ("recipe xargs $/x.json --shards 2", 0), ("recipe zonk $/x.json", 2),
    ("page --module $/m.wasm.gz", 0), ("page --module $/none", 2),
    ("page $/none.json --module $/none", 2),
    ("play $/good/a.json", 0), ("play $/none.json", 2), ("link demo/fast", 0), ("link zonk", 2),
    ("list profiles", 0), ("list zonk", 2),
    ("fidelity $/recordings", 0), ("fidelity $/recordings --brief --only zonk", 4),
    ("infer $/recordings/timelines/hlsjs__clip__slow__r1.json --steps 200", 0),
    ("infer $/none.har", 2), ("infer $/good/a.json", 2), ("infer $/page.har --tier zonk", 2),
    ("fidelity $/recordings --whatif", 4), ("fidelity $/recordings --whatif --brief", 2),
    ("whatif $/recordings/timelines/hlsjs__clip__slow__r1.json --rule media3 --steps 400", 0),
    ("whatif $/none.har --rule media3", 2), ("whatif $/good/a.json --rule media3", 2),
    ("whatif $/good/a.json", 2), ("whatif $/good/a.json --rule zonk", 2),
    ("whatif $/good --rule media3", 2), ("whatif $/nothing --rule media3 --shard 2/2 --out $/w", 4),
    ("fidelity $/none", 2), ("fidelity --rules $/good", 2),
    ("convert $/link.csv", 0), ("convert $/good/a.json", 2), ("help run", 0), ("help zonk", 2),
    ("--version", 0), ("--help", 0), ("zonk", 2), ("", 2),
  ]

  /// An experiment with as many networks as a search needs.
  private static let six = """
    {"experiment": 1, "base": {"media": {"kind": "local", "duration": "1 s"},
    "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]},
    "vary": {"heuristic": ["media3"], "link": ["nlc/3g", "nlc/lte", "nlc/dsl", "nlc/edge",
    "nlc/wifi", "nlc/very-bad"]}}
    """

  @Test func everyOutcomeHasItsCode() throws {
    let fixture = try fixture()
    try fixture.write("new/a.json", Fixture.playing)
    try fixture.write(
      "new/a.expected.log.new", "{\"autowaitLog\":1}\n{\"fingerprint\":\"0\"}\n")
    try fixture.write("link.csv", "time_s,bytes\n0,5000000\n10,4000000\n")
    try fixture.write("six.json", Self.six)
    try fixture.write("recordings/timelines/hlsjs__clip__slow__r1.json", RecordedSession().text)
    try fixture.write("recordings/media/clip.map.json", RecordedSession.map)
    // Each call finds the files as they were made, which takes longer than to copy them.
    let made = try CommandFixture().folder + "-made"
    defer { try? FileManager.default.removeItem(atPath: made) }
    try FileManager.default.copyItem(atPath: fixture.folder, toPath: made)
    for (call, code) in Self.rows {
      try FileManager.default.removeItem(atPath: fixture.folder)
      try FileManager.default.copyItem(atPath: made, toPath: fixture.folder)
      let outcome = fixture.call(call.split(separator: " ").map(String.init))
      #expect(outcome.code == code, "\(call): \(outcome)")
      // Whatever is an error is said, and what is none needs no words.
      let says =
        outcome.messages.contains("error: ")
        || call.hasPrefix("test") && outcome.output.contains("error: ")
      #expect(
        says == (code == 2 || code == 4) || [1, 3, 5, 6].contains(code), "\(call): \(outcome)")
    }
  }

  @Test func everyCommandHasRows() throws {
    let commands = try CommandFixture().call("completions", "words", "--", "=").output
      .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(commands.count > 10)
    for command in commands {
      for code in [0, 2] as [Int32] {
        #expect(
          Self.rows.contains { $0.call.hasPrefix(command + " ") && $0.code == code },
          "no row in which '\(command)' ends with \(code)")
      }
    }
  }

  // MARK: What CI servers are told

  /// An element of a report.
  private final class Element {
    let name: String
    let attributes: [String: String]
    var children: [Element] = []

    init(_ name: String, _ attributes: [String: String]) {
      (self.name, self.attributes) = (name, attributes)
    }

    /// All elements of a name below this one.
    func all(_ wanted: String) -> [Element] {
      children.flatMap { ($0.name == wanted ? [$0] : []) + $0.all(wanted) }
    }

    /// What became of a case: at most one thing, beside what describes its run.
    var outcomes: [Element] { children.filter { $0.name != "properties" } }

    func number(_ key: String) -> Int? { attributes[key].flatMap { Int($0) } }
  }

  /// Reads elements and their attributes.
  private final class Reader: NSObject, XMLParserDelegate {
    var open = [Element("", [:])]

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      let element = Element(name, attributes)
      open.last?.children.append(element)
      open.append(element)
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      open.removeLast()
    }
  }

  @Test func theReportCountsWhatIsInIt() throws {
    let fixture = try fixture()
    let call = fixture.call(
      "test", "$", "--junit", "$/report.xml", "--format", "json", "--allow-programs", "--record",
      "never")
    #expect(call.code == 3)
    let parser = XMLParser(data: Data(try fixture.read("report.xml").utf8))
    let reader = Reader()
    parser.delegate = reader
    #expect(parser.parse(), "\(String(describing: parser.parserError))")
    let root = try #require(reader.open.first?.children.first)
    #expect(root.name == "testsuites" && reader.open.first?.children.count == 1)
    for suite in [root] + root.children {
      let cases = suite.all("testcase")
      #expect(suite.number("tests") == cases.count)
      #expect(suite.number("failures") == suite.all("failure").count)
      #expect(suite.number("errors") == suite.all("error").count)
      #expect(suite.number("skipped") == 0)
      #expect(cases.allSatisfy { $0.outcomes.count <= 1 })
    }
    // One for each folder, and what became of each.
    let outcomes = root.all("testcase").map { test in
      let file = test.attributes["file"]?.replacing(fixture.folder + "/", with: "") ?? ""
      let child = test.outcomes.first
      return "\(file) \(child?.name ?? "passed") \(child?.attributes["type"] ?? "-")"
    }
    #expect(
      outcomes.sorted() == [
        "cut/a.json error eventLimit", "defect/a.json error defect",
        "differing/a.json failure golden", "good/a.json passed -", "good/b.json passed -",
        "invalid/a.json error invalid", "orphan/a.expected.log failure goldenOrphan",
        "random/a.json failure program", "unmet/a.json failure expectation",
        "unrecorded/a.json failure goldenMissing",
      ])
    // The other report counts alike.
    let passed = outcomes.count { $0.hasSuffix(" passed -") }
    #expect(call.output.contains("\"passed\":\(passed),\"failed\":\(outcomes.count - passed),"))
  }
}
