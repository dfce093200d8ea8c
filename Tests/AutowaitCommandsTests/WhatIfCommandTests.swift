import AutowaitCommands
import Foundation
import Testing

/// `autowait whatif` on logs that the tool itself wrote.
@Suite struct WhatIfCommandTests {
  private static let secret = "hunter2"

  /// A short session over a link whose rate halves, and its archive with secrets wherever a browser
  /// may put one.
  private static func fixture() throws -> CommandFixture {
    let fixture = try CommandFixture([
      "page.json": """
      {"autowait": 1, "heuristic": "hls.js", "transport": {"tier": "fluid"},
       "link": {"down": {"track": [{"at": 0, "rate": "2 Mbit/s"},
         {"at": 4, "rate": "600 kbit/s"}], "delay": "20 ms"}, "up": {"delay": "20 ms"}},
       "media": {"kind": "hls", "duration": "12 s", "segmentDuration": "4 s",
                 "variants": [{"name": "hd", "bandwidth": "1 Mbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}], "until": "40 s"}
      """, "logs/x.har": "{}",
    ])
    fixture.call("run", "$/page.json", "--format", "har", "--output", "$/logs/one.har")
    let text = try fixture.read("logs/one.har")
      .replacing("https://media.invalid/item0", with: "https://\(secret).example/\(secret)")
      .replacing("\"headers\":[]", with: #""headers":[{"name":"Cookie","value":"\#(secret)"}]"#)
      .replacing("\"cookies\":[]", with: #""cookies":[{"name":"id","value":"\#(secret)"}]"#)
      .replacing("\"queryString\":[]", with: #""queryString":[{"name":"k","value":"\#(secret)"}]"#)
      .replacing("\"title\":\"", with: "\"title\":\"\(secret)")
    try fixture.write("logs/one.har", text)
    return fixture
  }

  private static let asked = [
    "--media", "$/page.json", "--player", "hls.js", "--rule", "fixed:start=10s", "--steps", "20000",
    "--samples", "2",
  ]

  /// The files of answers that calls without a shard have made.
  private static func answers(_ fixture: CommandFixture) throws -> [String] {
    try fixture.names().filter { $0.hasPrefix("answers/whatif-") && $0.hasSuffix(".1-of-1.csv") }
  }

  /// No secret reaches an output, a message, a table or a picture; addresses only on demand.
  @Test func secretsReachNoOutput() throws {
    let fixture = try Self.fixture()
    let calls = [
      [], ["--format", "json"], ["--csv"], ["--out", "$/answers"],
      ["--svg", "$/a.svg", "--html", "$/a.html"], ["--media", "$/logs/one.har"],
      ["--from", "cmcd2"], ["--from", "avmetrics"], ["--from", "accesslog"],
      ["--from", "timeline"],
    ]
    for more in calls {
      let call = fixture.call(["whatif", "$/logs/one.har"] + Self.asked + more)
      #expect(!call.output.contains(Self.secret) && !call.messages.contains(Self.secret), "\(more)")
    }
    let kept = try Self.answers(fixture)
    #expect(kept.count == 1)
    for file in ["a.svg", "a.html"] + kept where fixture.exists(file) {
      #expect(!(try fixture.read(file)).contains(Self.secret))
    }
    // The answer is in tables on the page, too.
    #expect(try fixture.read("a.html").contains("no stall</th>"))
    let asked = fixture.call(
      ["whatif", "$/logs/one.har", "--format", "json", "--keep-urls"] + Self.asked)
    #expect(asked.output.contains(Self.secret))
  }

  /// What was answered is not asked again, by any worker; and parts make the whole.
  @Test func answersAreKept() throws {
    let fixture = try Self.fixture()
    let text = try fixture.read("logs/one.har")
    try fixture.write(
      "logs/two.har", text.replacing("\"version\":\"1.2\"", with: "\"version\":\"1\""))
    let whole = fixture.call(["whatif", "$/logs", "--csv"] + Self.asked)
    let rows = whole.output.split(separator: "\n")
    #expect(rows.count == 4 && rows[0].hasPrefix("key,status,"), "\(whole)")
    // The answer is a message of several lines then.
    let lines = whole.messages.split(separator: "\n")
    #expect(lines.first == "2 sessions; 1 not usable" && lines.count > 5, "\(whole.messages)")
    for number in 1...2 {
      let part = fixture.call(
        ["whatif", "$/logs", "--shard", "\(number)/2", "--out", "$/answers"] + Self.asked)
      #expect(!part.output.isEmpty)
    }
    let merged = fixture.call(["whatif", "$/logs", "--out", "$/answers", "--csv"] + Self.asked)
    #expect(merged.output == whole.output && merged.messages == whole.messages)
    // Nothing was left to be asked.
    #expect(try Self.answers(fixture).isEmpty)
    // Another question has answers of its own.
    let other = fixture.call(
      ["whatif", "$/logs", "--out", "$/answers", "--csv", "--play-at", "15s"] + Self.asked)
    let files = try Self.answers(fixture)
    #expect(!other.output.isEmpty && files.count == 1)
    // A worker that was stopped in the middle of a line leaves that log to the next one.
    let file = try #require(files.first)
    try fixture.write(file, String(try fixture.read(file).dropLast(9)))
    for _ in 1...2 {
      let again = fixture.call(
        ["whatif", "$/logs", "--out", "$/answers", "--csv", "--play-at", "15s"] + Self.asked)
      #expect(again.output == other.output)
    }
  }

  /// What a fleet ends with says whether its logs were of use.
  @Test func aFleetWithoutAnswersFails() throws {
    let fixture = try Self.fixture()
    try fixture.write("bad/a.har", "{}")
    try fixture.write("bad/b.har", "[")
    let bad = fixture.call(["whatif", "$/bad"] + Self.asked)
    #expect(bad.code == 2 && bad.messages.contains("none of the logs can be used"), "\(bad)")
    // A player that loads so little ahead asks later than the recorded one did.
    let wrong = Self.asked.map {
      $0 == "hls.js" ? "fixed:start=1s,forwardBufferLimit=1s" : $0
    }
    let other = fixture.call(["whatif", "$/logs"] + wrong)
    #expect(other.code == 1, "\(other)")
    let good = fixture.call(["whatif", "$/logs"] + Self.asked)
    #expect(good.code == 0 && good.output.contains("stalls avoided"), "\(good)")
    #expect(good.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(good)")
    try FileManager.default.createDirectory(
      atPath: fixture.folder + "/empty", withIntermediateDirectories: true)
    #expect(fixture.call(["whatif", "$/empty"] + Self.asked).code == 4)
  }

  /// What is wrong with a call is said before anything is read.
  @Test func wrongCallsAreRefused() throws {
    let fixture = try Self.fixture()
    func messages(_ arguments: String...) -> String {
      let call = fixture.call(["whatif"] + arguments)
      #expect(call.code == 2)
      return call.messages
    }
    #expect(messages("$/logs/one.har").contains("no rule given"))
    #expect(messages("$/logs/one.har", "--rule", "medai3").contains("media3"))
    #expect(messages("$/logs/one.har", "--rule", "fixed:zonk=3").contains("zonk"))
    #expect(messages("$/logs/one.har", "--rule", "media3").contains("--media"))
    #expect(
      messages("$/logs/one.har", "--rule", "media3", "--media", "$/page.json").contains("--player"))
    #expect(messages("$/none", "--rule", "media3").contains("$/none"))
    #expect(messages("$/logs/one.har", "--rule", "media3", "--shard", "1/2").contains("--out"))
    #expect(
      messages("$/page.json", "--rule", "media3").contains("unknown log format"))
  }
}
