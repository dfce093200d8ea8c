import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

/// `autowait run A B --html`: one page of two runs.
@Suite struct SessionPairTests {
  private static func scenario(_ name: String, rate: String, at start: String = "0 s") -> String {
    """
    {"autowait": 1, "name": "\(name)", "link": {"rate": "\(rate)"},
     "media": {"kind": "progressive", "duration": "20 s", "bitrate": "2 Mbit/s"},
     "script": [{"at": 0, "do": "load"}, {"at": "\(start)", "do": "play"}],
     "expect": [{"metric": "stallCount", "==": 0}]}
    """
  }

  /// A value of the metrics that a run prints as JSON.
  private static func metric(
    _ name: String, _ file: String, _ fixture: CommandFixture
  ) throws
    -> Double
  {
    let output = fixture.call("run", file, "--format", "json").output
    let root = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    return try #require((root?["metrics"] as? [String: Any])?[name] as? Double)
  }

  private static func isXML(_ page: String) -> Bool { XMLParser(data: Data(page.utf8)).parse() }

  @Test func bothAreOnOnePage() throws {
    let fixture = try CommandFixture([
      "a.json": Self.scenario("Fast <link>", rate: "8 Mbit/s"),
      "b.json": Self.scenario("Slow & steady", rate: "1.6 Mbit/s"),
    ])
    let call = fixture.call("run", "$/a.json", "$/b.json", "--html", "$/p.html")
    #expect(call.code == 0, "\(call.messages)")
    let page = try fixture.read("p.html")
    #expect(Self.isXML(page))
    #expect(page.components(separatedBy: "class=\"p-data\"").count == 3, "two runs with data")
    #expect(page.contains("<h2>Fast &lt;link></h2>") || page.contains("<h2>Fast &lt;link&gt;</h2>"))
    #expect(page.contains("They differ from the start: ") || page.contains("Then they part: "))
    // One axis: that of the run that ends later.
    let spans = page.matches(of: /data-span="([0-9 ]+)"/).map { String($0.1) }
    #expect(spans.count >= 2 && Set(spans).count == 1, "\(spans)")
    let end = try Self.metric("wallTime", "$/b.json", fixture)
    #expect(Double(spans[0].split(separator: " ")[1]) == (end * 1e9).rounded())
    // The rows of metrics hold the numbers of both, and those that are equal stand back.
    for name in ["timeSpentInInitialStartup", "wallTime", "mediaPlayed", "stallCount"] {
      let row = try #require(
        page.matches(of: /<tr( class="p-reference")?><th scope="row">(\w+)<\/th>(.*)<\/tr>/)
          .first { $0.2 == name })
      let orders = row.3.matches(of: /data-order="(\d+)"/).compactMap { Double($0.1) }
      let values = try ["$/a.json", "$/b.json"].map { try Self.metric(name, $0, fixture) }
      let unit = name == "stallCount" ? 1.0 : 1e9
      #expect(orders == values.map { ($0 * unit).rounded() }, "\(name): \(orders)")
      #expect((row.1 != nil) == (values[0] == values[1]), "\(name)")
    }
  }

  @Test func aRunBesideItselfIsTheSame() throws {
    let fixture = try CommandFixture(["a.json": Self.scenario("Same", rate: "3 Mbit/s")])
    let page = fixture.call("run", "$/a.json", "$/a.json", "--html", "-").output
    #expect(page.contains("The same happens in both."))
    #expect(page.contains("$/a.json, first") || page.contains("a.json, first"), "told apart")
    #expect(Self.isXML(page))
  }

  /// Where they part is said with what each does then.
  @Test func wherePlaybackPartsIsSaid() throws {
    let fixture = try CommandFixture([
      "a.json": Self.scenario("Early", rate: "8 Mbit/s", at: "1 s"),
      "b.json": Self.scenario("Late", rate: "8 Mbit/s", at: "2 s"),
    ])
    let page = fixture.call("run", "$/a.json", "$/b.json", "--html", "-").output
    #expect(
      page.contains(
        "The same happens at first. Then they part: Early at 1 s: play → playing; Late"),
      "\(page.prefix(6_000))")
  }

  @Test func runsOfOneFileAreAPair() throws {
    let varied =
      Self.scenario("Varied", rate: "3 Mbit/s").dropLast()
      + ", \"vary\": {\"link.rate\": [\"1.5 Mbit/s\", \"6 Mbit/s\"]}}"
    let fixture = try CommandFixture(["a.json": String(varied)])
    let call = fixture.call("run", "$/a.json", "--html", "$/p.html")
    #expect(call.code == 0, "\(call.messages)")
    #expect(Self.isXML(try fixture.read("p.html")))
  }

  @Test(arguments: [
    (
      ["$/a.json", "$/a.json", "$/a.json", "--html", "$/p.html"],
      "'--html' takes two scenarios, but"
    ),
    (["$/a.json", "$/a.json", "--svg", "$/p.svg"], "'--svg' takes one scenario, but there are 2"),
  ])
  func moreAreRefused(_ words: [String], _ message: String) throws {
    let fixture = try CommandFixture(["a.json": Self.scenario("A", rate: "3 Mbit/s")])
    let call = fixture.call(["run"] + words)
    #expect(call.code == 2 && call.messages.contains(message), "\(call.messages)")
    #expect(!fixture.exists("p.html"))
  }
}
