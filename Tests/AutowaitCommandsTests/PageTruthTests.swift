import Foundation
import Testing

/// What pages say in words is what their pictures show.
@Suite struct PageTruthTests {
  private static func scenario(
    _ name: String, link: String = #"{"name": "thin", "rate": "80 kbit/s"}"#, _ rest: String = "",
    script: String = #"{"at": 0, "do": "load"}, {"at": 0, "do": "play"}"#
  ) -> String {
    """
    {"autowait": 1, "name": "\(name)", "link": \(link),
     "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
     "script": [\(script)]\(rest.isEmpty ? "" : ", " + rest)}
    """
  }

  /// An outage ends when it ends, whether something flows then or the player is between two tries.
  @Test(arguments: MarkdownDocument.part(of: [15, 23, 30, 31, 44, 60]))
  func theLinkIsDownAsLongAsItIs(_ seconds: Int) throws {
    let fixture = try CommandFixture()
    let train = fixture.call("init", "train", "--output", "-").output
    try fixture.write("a.json", train)
    let page = fixture.call(
      "run", "$/a.json", "--set", "link.events[0].for=\(seconds) s", "--html", "-"
    ).output
    #expect(page.contains("the link is down from 20 s to \(20 + seconds) s"))
  }

  /// Runs that are not as most are, each with what its page must say, and must not.
  static let odd: [(name: String, text: String, says: [String], not: [String])] = [
    (
      "never plays", scenario("never", #""until": 756"#),
      [
        "Never plays, and waits 756 s.", "748 s of waiting", ">waits 755 s<",
        "↑ needs 3.73 Mbit/s, above the lane", "p-answer p-doubtful", "No expectations.",
        "still coming at 756 s",
      ],
      ["<title>Failed", "class=\"need\"", "what the media needs"]
    ),
    (
      "fails", scenario("fails", #""until": 60, "expect": [{"metric": "stallCount", "==": 3}]"#),
      [
        "<title>Failed: fails</title>", "✗ Failed: the expectation is not met.", "p-answer p-bad",
        "href=\"#expectations\"", "<code>metric: stallCount, == 3</code>",
      ], []
    ),
    (
      "is as expected",
      scenario("fine", link: "\"demo/fast\"", #""expect": [{"metric": "stallCount", "==": 0}]"#),
      ["p-answer p-good", "✓ The expectation is met."], ["<title>Failed", "paper gap"]
    ),
    (
      "is cut off", scenario("cut", link: "\"nlc/3g\"", #""eventsMax": 3"#),
      ["<title>Failed: cut</title>", "the run reached its bound of 3 events."], []
    ),
    (
      "stalls for long",
      scenario(
        "stalls",
        link: #"{"rate": "4 Mbit/s", "events": [{"type": "blackout", "at": 9, "for": 3600}]}"#,
        #""until": 1200, "expect": [{"finish": "stillWaiting"}]"#,
        script: #"{"at": 0, "do": "load"}, {"at": 1, "do": "playImmediately"}"#),
      ["of a stall", "p-answer p-good", "The time of the run was up at 1200 s"], []
    ),
    (
      "has no time", scenario("nothing", script: ""),
      ["Never plays."], ["paper gap", "p-answer p-bad"]
    ),
    (
      "needs twice the link", scenario("half", link: #"{"rate": "1.9 Mbit/s"}"#),
      ["the media needs 3.73 Mbit/s", "what the media needs"], ["↑ needs"]
    ),
    (
      "has two players",
      """
      {"autowait": 1, "name": "two", "link": {"rate": "80 kbit/s"}, "until": 756, "players": [
        {"name": "a", "media": {"kind": "progressive", "duration": 39, "bitrate": 3730000}},
        {"name": "b", "media": {"kind": "progressive", "duration": 10, "bitrate": 40000}}],
       "script": [{"at": 0, "do": "load", "player": "a"}, {"at": 0, "do": "play", "player": "a"},
         {"at": 3, "do": "load", "player": "b"}, {"at": 4, "do": "play", "player": "b"}]}
      """,
      ["a: never plays, and waits 756 s.", "b: plays after ", " s left out"], []
    ),
  ]

  @Test(arguments: odd.indices)
  func pagesOfOddRunsAreTrue(_ number: Int) throws {
    let (name, text, says, not) = Self.odd[number]
    let fixture = try CommandFixture(["x.json": text])
    let page = fixture.call("run", "$/x.json", "--html", "-").output
    PageCheck.check(page, name)
    for words in says { #expect(page.contains(words), "\(name): does not say '\(words)'") }
    for words in not { #expect(!page.contains(words), "\(name): says '\(words)'") }
  }

  /// A part of the scenarios, so that several are under way.
  #if DEBUG
  /// A few of them: a debug build takes a second and a half for each.
  private static let (parts, partCount) = (3..<4, 72)
  #else
  private static let (parts, partCount) = (0..<4, 4)
  #endif

  @Test(arguments: parts) func pagesOfAllScenariosAreTrue(_ part: Int) throws {
    let root = MarkdownDocument.url("Scenarios").path
    let fixture = try CommandFixture()
    var count = 0
    for case let path as String in try #require(FileManager.default.enumerator(atPath: root)) {
      guard path.hasSuffix(".json"), !path.hasPrefix("experiments/"),
        path.utf8.reduce(0, { $0 + Int($1) }) % Self.partCount == part
      else { continue }
      let call = fixture.call("run", "\(root)/\(path)", "--html", "$/x.html")
      // Bases and presets are no scenarios.
      if call.code > 1 { continue }
      count += 1
      PageCheck.check(try fixture.read("x.html"), path)
    }
    #expect(count > 120 / Self.partCount)
  }

  private static let experiment = """
    {"experiment": 1, "name": "Thin and fast",
     "base": {"link": "demo/slow-server", "until": 800,
       "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]},
     "vary": {"heuristic": "*",
       "link": ["demo/fast", "demo/slow-server", {"name": "thin", "rate": "80 kbit/s"}]},
     "baseline": "avfoundation"}
    """

  /// Twenty rules; the one that is held against others never starts on one of three links.
  @Test func pagesOfComparisonsAreTrue() throws {
    let fixture = try CommandFixture(["x.json": Self.experiment])
    let call = fixture.call("compare", "$/x.json", "--html", "$/x.html", "--json")
    #expect(call.code == 0, "\(call.messages)")
    let page = try fixture.read("x.html")
    #expect(page.contains("avfoundation waits 800.00 s and never starts"))
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(call.output.utf8)) as? [String: Any])
    let common = try #require(object["common"] as? [String: Any])
    let listed = try #require(common["contestants"] as? [[String: Any]])
    var means: [String: PageCheck.Means] = [:]
    for entry in listed {
      means[try #require(entry["name"] as? String)] = (
        try #require(entry["startup"] as? Double), try #require(entry["stalled"] as? Double)
      )
    }
    #expect(means.count == 22)
    PageCheck.check(page, "compare", means: means)
    let footer =
      "<footer>autowait 0.1.0, model version \(Fixture.model), "
      + "experiment \(fixture.folder)/x.json, seed 0, "
    #expect(page.contains(footer))
    #expect(common["sessions"] as? Int == 2)
    #expect(page.contains("Means of the 2 sessions of each that started under all 22 contestants."))
    // Who stalls all the time is best for nobody, and does not head the table.
    let best = try #require(object["bestFor"] as? [[String: Any]])
    let names = best.flatMap { $0["contestants"] as? [String] ?? [] }
    #expect(!names.isEmpty && !names.contains("ffplay"), "\(names)")
    #expect(best.last?["stallWorthTo"] is NSNull)
    let rows = page.matches(of: /<th scope="row">([^<]*)<\/th>/).map(\.1)
    #expect(rows.first == "clairvoyant" && rows.dropFirst().first != "ffplay", "\(rows)")
  }

  /// The strips of a terminal reach the end as well, and add up to what the metrics say.
  @Test(arguments: [40, 60, 80, 120, 200])
  func stripsReachTheEnd(_ width: Int) throws {
    let fixture = try CommandFixture(["x.json": Self.scenario("never", #""until": 756"#)])
    let text = fixture.call("run", "$/x.json", "--width", "\(width)").output
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= width })
    let ruler = try #require(lines.first { $0.contains("├") })
    let state = try #require(lines.first { $0.hasPrefix("state") })
    let buffer = try #require(lines.first { $0.hasPrefix("buffer") })
    #expect(lines.contains { $0.hasPrefix("   ") && $0.hasSuffix(" 756 s") })
    for line in [ruler, state, buffer] {
      #expect(line.count == ruler.count && line.contains("≈"), "\(line)")
    }
    #expect(buffer.hasSuffix("█"))
    let legend = text.replacing(/\s+/, with: " ")
    #expect(legend.contains("buffer █ 16.2 s ahead"))
    let gap = try #require(legend.firstMatch(of: /≈ ([\d.]+) s of waiting, left out/))
    let span = try #require(legend.firstMatch(of: /a column is ([\d.]+) (ms|s)/))
    let column = (Double(span.1) ?? 0) * (span.2 == "ms" ? 0.001 : 1)
    let columns = state.count { $0 == "e" || $0 == "w" } - 1
    let waited = Double(columns) * column + (Double(gap.1) ?? 0)
    #expect(abs(waited - 756) <= column * 1.01, "\(waited)")
  }
}
