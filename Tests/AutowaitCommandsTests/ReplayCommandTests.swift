import AutowaitScenario
import Foundation
import Testing

/// `autowait replay`: every change of a log is found, and what is no log is told.
@Suite struct ReplayCommandTests {
  private let fixture: CommandFixture
  private let log: String

  init() throws {
    fixture = try CommandFixture(["a.json": Fixture.playing])
    #expect(fixture.call("run", "$/a.json", "--format", "jsonl", "--output", "$/a.log").code == 0)
    log = try fixture.read("a.log")
  }

  @Test func identicalLogs() {
    let events = log.split(separator: "\n").count - 2
    let line = "identical: \(events) events, fingerprint \(log.dropLast(3).suffix(16))\n"
    #expect(fixture.call("replay", "$/a.log") == .init(code: 0, output: line, messages: ""))
    let both = "$/a.log: \(line)$/a.log: \(line)"
    #expect(fixture.call("replay", "$/a.log", "$/a.log").output == both)
  }

  @Test func everyGoldenLogIsWhatItsHeaderDoes() {
    let logs = MarkdownDocument.url("Scenarios").path
    let names = (FileManager.default.enumerator(atPath: logs)?.allObjects ?? [])
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".expected.log") }
    #expect(names.count > 100)
    let outcome = fixture.call(
      ["replay", "--allow-programs"]
        + MarkdownDocument.part(of: names.sorted()).map { "\(logs)/\($0)" })
    #expect(outcome.code == 0, "\(outcome.output) \(outcome.messages)")
  }

  @Test func aReplayDoesNotNeedTheMovieThatAnItemNames() throws {
    let movie = try Data(contentsOf: MarkdownDocument.url("Scenarios/files/clip.mp4"))
    try fixture.write("clip.mp4", Array(movie))
    try fixture.write(
      "movie.json",
      """
      {"autowait": 1, "link": "demo/fast", "media": [{"file": "clip.mp4", "host": "edge"}],
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """)
    let written = fixture.call("run", "$/movie.json", "--format", "jsonl", "--output", "$/m.log")
    #expect(written.code == 0, "\(written.messages)")
    try fixture.remove("clip.mp4")
    #expect(fixture.call("run", "$/movie.json").code == 2)
    #expect(fixture.call("replay", "$/m.log").code == 0)
  }

  @Test func theSeedOfTheRunIsPartOfTheLog() {
    _ = fixture.call("run", "$/a.json", "--seed", "9", "--format", "jsonl", "--output", "$/b.log")
    #expect(fixture.call("replay", "$/b.log").code == 0)
  }

  /// A named heuristic is spelled out in the log: with all numbers beside its name, and without
  /// those that the scenario's own heuristic has.
  @Test(arguments: [
    (#""avfoundation""#, #"{"rule": "fixed", "forwardBufferLimit": "8 s"}"#),
    (#""avfoundation""#, #"{"rule": "fixed", "frameDuration": "0.5 s"}"#),
    (#""avfoundation""#, #"{"rule": "fixed", "forwardBufferSizeMax": "3 MB"}"#),
    (#"{"forwardBufferLimit": "8 s", "forwardBufferResume": "1 s"}"#, #""webkit""#),
    (#"{"forwardBufferSizeMax": "1 MB", "forwardBufferSizeSlack": "1 kB"}"#, #""ios9""#),
    (
      #"{"forwardBufferSizeMin": "1 MB", "forwardBufferLimit": "4 s"}"#,
      #"{"rule": "webkit", "forwardBufferLimit": "3 s"}"#
    ),
    (
      #"{"forwardBufferLimitMax": "4 s", "forwardBufferSizesOfFiles": true}"#,
      #"{"rule": "webkit", "forwardBufferSizeMax": "3 MB"}"#
    ),
  ])
  func heuristicsAreSpelledAsTheyAre(_ common: String, _ own: String) throws {
    let text = """
      {"autowait": 1, "name": "two", "link": {"name": "x", "rate": "9 Mbit/s"}, "until": "99 s",
        "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
        "heuristic": \(common),
        "players": [{"name": "a"}, {"name": "b", "heuristic": \(own)}],
        "script": [{"at": 0, "do": "load", "player": "b"}, {"at": 0, "do": "play", "player": "b"}]}
      """
    try fixture.write("b.json", text)
    let run = fixture.call("run", "$/b.json", "--format", "jsonl", "--output", "$/b.log")
    #expect(run.code == 0, "\(run.messages)")
    let outcome = fixture.call("replay", "$/b.log")
    #expect(outcome.code == 0, "\(outcome.output) \(outcome.messages)")
  }

  /// Changes each field of each line, one after the other.
  @Test func everyChangedFieldIsFound() throws {
    let lines = log.split(separator: "\n").map(String.init)
    for (number, line) in lines.enumerated() {
      let root = try JSONDocument(SourceText(path: "", text: line)).root
      for member in root.members {
        let value = member.value.range
        var bytes = Array(line.utf8)
        bytes.replaceSubrange(value, with: changed(member.value))
        var tampered = lines
        tampered[number] = String(decoding: bytes, as: UTF8.self)
        try fixture.write("b.log", tampered.joined(separator: "\n") + "\n")
        let outcome = fixture.call("replay", "$/b.log")
        let place = "line \(number + 1), \(member.key.string ?? "")"
        if member.key.string == "modelVersion" {
          // What made the log is not compared, nor told of a log that is what this build makes.
          #expect(outcome.code == 0 && outcome.messages == "", "\(outcome)")
        } else if number == 0 {
          #expect(outcome.code == 2, "\(place)")
          #expect(outcome.messages.hasPrefix("$/b.log:1:"), "\(place)")
        } else {
          #expect(outcome.code == 5, "\(place)")
          #expect(
            outcome.output.hasPrefix(
              "differs from line \(number + 1) on (- the log, + this run)\n"),
            "\(place): \(outcome.output)")
        }
      }
    }
  }

  private func changed(_ value: JSONValue) -> [UInt8] {
    let old = Array(value.source.bytes[value.range])
    return old == Array("1".utf8) ? Array("2".utf8) : Array("1".utf8)
  }

  @Test func theDifferenceIsShownWithItsCause() throws {
    let tampered = try #require(TamperedLine(in: log))
    try fixture.write("b.log", tampered.log)
    let text = """
      differs from line \(tampered.number) on (- the log, + this run)
      \(tampered.shown(indent: 2))

      """
    #expect(fixture.call("replay", "$/b.log") == .init(code: 5, output: text, messages: ""))
  }

  @Test func everyCutIsFound() throws {
    let bytes = Array(log.utf8)
    let header = bytes.firstIndex(of: 10) ?? 0
    for length in stride(from: 0, to: bytes.count, by: 41) {
      try fixture.write("b.log", Array(bytes[..<length]))
      let outcome = fixture.call("replay", "$/b.log")
      #expect(outcome.code == (length < header ? 2 : 5), "after \(length) bytes")
      #expect(outcome.output.hasPrefix("cut off: ") == (length >= header), "after \(length) bytes")
    }
    try fixture.write("b.log", Array(bytes.dropLast()))
    #expect(fixture.call("replay", "$/b.log").output.contains("the recorded line has no line end"))
  }

  @Test func moreThanTheRunIsFound() throws {
    try fixture.write("b.log", log + "{}\n")
    let outcome = fixture.call("replay", "$/b.log")
    #expect(outcome.code == 5)
    let number = log.split(separator: "\n").count + 1
    #expect(outcome.output.hasPrefix("differs from line \(number) on"))
    #expect(outcome.output.contains("  - \(number) | {}\n  +    | (this run ends here)\n"))
  }

  @Test func aChangedScenarioIsFoundByItsDigest() throws {
    try fixture.write("b.log", log.replacing("3.73 Mbit/s", with: "3.74 Mbit/s"))
    let outcome = fixture.call("replay", "$/b.log")
    #expect(outcome.code == 2)
    #expect(outcome.messages.hasPrefix("$/b.log:1:27: error: the scenario was changed: its digest"))
  }

  @Test(arguments: [
    ("", "$/b.log: error: the file is empty\n"),
    (
      "{}\n",
      "$/b.log:1:1: error: this is not a log of autowait: its first line has no 'autowaitLog'\n"
    ),
    ("nonsense", "$/b.log:1:1: error: "),
    ("[1]\n", "$/b.log:1:1: error: this is not a log of autowait"),
    ("{\"autowaitLog\":2}\n", "$/b.log:1:16: error: this version of the log's format is unknown"),
    ("{\"autowaitLog\":1}\n", "$/b.log:1:1: error: the first line of a log needs the keys"),
    ("{\"autowaitLog\":1,\"digest\":3,\"scenario\":{}}\n", "$/b.log:1:27: error: the scenario was"),
    ("\n\n", "$/b.log:1:1: error: "),
  ])
  func whatIsNoLogIsTold(_ text: String, _ message: String) throws {
    try fixture.write("b.log", text)
    let outcome = fixture.call("replay", "$/b.log")
    #expect(outcome.code == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix(message), "\(outcome.messages)")
  }

  @Test func aScenarioIsNoLog() {
    let oneLine = Fixture.playing.replacing("\n", with: "")
    #expect(throws: Never.self) { try fixture.write("b.json", oneLine) }
    for path in ["$/a.json", "$/b.json"] {
      let messages = """
        \(path): error: this is a scenario, not a log
        note: 'autowait run \(path)' runs it; with '--format jsonl' it prints the log

        """
      #expect(fixture.call("replay", path) == .init(code: 2, output: "", messages: messages))
    }
  }

  @Test func bytesThatAreNoTextAreTold() throws {
    var bytes = Array(log.utf8)
    bytes[bytes.count - 10] = 0xFF
    try fixture.write("b.log", bytes)
    let outcome = fixture.call("replay", "$/b.log")
    #expect(outcome.code == 2)
    #expect(outcome.messages.contains(": error: this is not a log: these bytes are not UTF-8\n"))
  }

  @Test func missingLogs() {
    #expect(
      fixture.call("replay", "$/zonk", "$").messages == """
        $/zonk: error: the file does not exist
        $: error: the file is a folder
        note: 'autowait test $' runs the scenarios in a folder

        """)
  }

  /// A link with more samples than a log embeds, so that it is named by its digest.
  private func largeLink(rate: Int) -> String {
    let sample = "{\"for\": \"1 s\", \"rate\": \(rate)}"
    let samples = Array(repeating: sample, count: 3_000).joined(separator: ",\n")
    return "{\"down\": {\"track\": [\(samples)], \"length\": \"3000 s\"}}"
  }

  @Test func largeFilesAreVerified() throws {
    try fixture.write("x/Scenarios/links/big.json", largeLink(rate: 3_200_000))
    try fixture.write("x/Scenarios/b.json", Fixture.scenario(link: "\"links/big.json\""))
    let path = "$/x/Scenarios/b.log"
    let run = fixture.call(
      "run", "$/x/Scenarios/b.json", "--format", "jsonl", "--output", path)
    #expect(run == .init(code: 0, output: "", messages: ""))
    #expect(fixture.call("replay", path).code == 0)

    let log = try fixture.read("x/Scenarios/b.log")
    try fixture.write("elsewhere/b.log", log)
    #expect(fixture.call("replay", "$/elsewhere/b.log").code == 2)
    #expect(fixture.call("replay", "$/elsewhere/b.log", "--root", "$/x/Scenarios").code == 0)

    try fixture.write("x/Scenarios/links/big.json", largeLink(rate: 3_200_001))
    let outcome = fixture.call("replay", path)
    #expect(outcome.code == 2)
    #expect(
      outcome.messages.contains("error: the file 'links/big.json' is not the one that was recorded")
    )
  }

  /// Many samples at which the rate changes make a log longer than a golden may be.
  @Test func longLogsAreKeptAsHeaderAndSummary() throws {
    let samples = (0..<300).map { "{\"for\": \"0.1 s\", \"rate\": \(3_000_000 + $0 % 7)}" }
    let link = "{\"down\": {\"track\": [\(samples.joined(separator: ","))]}}"
    let text = Fixture.scenario(link: link, startupMax: "20 s")
    try fixture.write("long/long.json", text)
    #expect(fixture.call("test", "$/long", "--update").code == 1)
    let golden = try fixture.read("long/long.expected.log")
    #expect(golden.split(separator: "\n").count == 2)
    let path = "$/long/long.expected.log"
    #expect(fixture.call("replay", path).code == 0)
    try fixture.write(
      "long/long.expected.log", golden.replacing("\"stallCount\":0", with: "\"stallCount\":1"))
    let outcome = fixture.call("replay", path)
    #expect(outcome.code == 5)
    #expect(outcome.output.hasPrefix("differs from line 2 on"))
    #expect(fixture.call("test", "$/long").code == 1)
    _ = fixture.call("run", "$/long/long.json", "--format", "jsonl", "--output", "$/long/full.log")
    #expect(fixture.call("replay", "$/long/full.log").code == 0)
  }
}
