import AutowaitCommands
import AutowaitScenario
import Foundation
import Testing

/// `autowait run --svg` and `--html`.
struct PictureCommandTests {
  /// A file and a stream on a link that changes, with names that are not easy.
  private static let hostile = #"""
    {"autowait": 1, "name": "a </title><script>alert(1)</script> & \"b\" 'c' \u0007\u202e",
     "about": "<b>& so on</b>",
     "link": [{"at": 0, "use": {"name": "<i>&fast", "rate": "8 Mbit/s"}},
              {"at": 5, "use": {"name": "slow\u0000\"", "rate": "1 Mbit/s"}}],
     "players": [
       {"name": "<p title='x'>",
        "media": {"kind": "progressive", "duration": 30, "bitrate": 3000000}},
       {"name": "two & more", "media": {
          "kind": "hls", "duration": "24 s", "segmentDuration": "4 s",
          "variants": [{"bandwidth": "1 Mbit/s", "name": "<low>"},
                       {"bandwidth": "2 Mbit/s", "name": "\"high\""}]}}],
     "script": [{"at": 0, "do": "load", "player": "<p title='x'>"},
                {"at": 0, "do": "play", "player": "<p title='x'>"},
                {"at": 1, "do": "load", "player": "two & more"},
                {"at": 1, "do": "play", "player": "two & more"}],
     "expect": [{"never": {"event": "playbackStalled"}}]}
    """#

  @Test func `a picture and a page are written beside the timeline`() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let plain = fixture.call("run", "$/a.json")
    let call = fixture.call("run", "$/a.json", "--svg", "$/a.svg", "--html", "$/a.html")
    #expect(call == plain)
    let svg = try fixture.read("a.svg")
    #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
    #expect(svg.contains("<title>slow</title>"))
    let html = try fixture.read("a.html")
    #expect(html.hasPrefix("<!DOCTYPE html>\n"))
    #expect(html.contains(">Plays after 6.11 s and never stalls.</p>"))
    #expect(html.contains("<p>✓ All 2 expectations are met.</p>"))
    let footer =
      "<footer>autowait 0.1.0 · model version \(Fixture.model) · "
      + "\(fixture.folder)/a.json · seed 1 · "
    #expect(html.contains(footer))
    #expect(html.contains("<th scope=\"row\">timeSpentInInitialStartup</th>"))
    // Drawn once more, everything is the same.
    fixture.call("run", "$/a.json", "--svg", "$/b.svg", "--html", "$/b.html")
    #expect(try fixture.read("b.svg") == svg)
    #expect(try fixture.read("b.html") == html)
  }

  /// An item that is prepared asks for a key, and the current one has none.
  @Test func `a picture shows what is requested of an item that is prepared`() throws {
    let stream = """
      {"autowait": 1, "name": "two", "link": {"name": "home", "rate": "2 Mbit/s"},
       "media": [
         {"kind": "hls", "duration": 10, "variants": [{"bandwidth": 500000}]},
         {"kind": "hls", "duration": 10, "variants": [{"bandwidth": 500000, "audio": "a"}],
          "audio": [{"group": "a", "bitrate": 64000}], "keys": {"sessionKey": true}}],
       "player": {"preloadsEligibleContentKeys": true},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"},
                  {"at": 1, "do": "createItem", "item": 1}]}
      """
    let fixture = try CommandFixture(["two.json": stream])
    let call = fixture.call("run", "$/two.json", "--svg", "-")
    #expect(call.code == 0, "\(call.messages)")
    #expect(call.output.contains("<title>key 0, 1.5 kB: asked for at 1.004 s"))
  }

  /// A startup that is short beside the rest has a picture of its own.
  @Test func `a page enlarges a short startup`() throws {
    let stream = """
      {"autowait": 1, "name": "short", "link": "nlc/3g", "transport": {},
       "media": {"kind": "hls", "duration": "60 s", "variants": [{"bandwidth": "100 kbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let file = """
      {"autowait": 1, "name": "long", "link": {"name": "home", "rate": "1 Mbit/s"},
       "media": {"kind": "progressive", "duration": "10 s", "bitrate": "2 Mbit/s"},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let fixture = try CommandFixture(["long.json": file, "short.json": stream])
    let short = fixture.call("run", "$/short.json", "--html", "-").output
    #expect(short.contains("class=\"heading\">The first "))
    #expect(short.split(separator: "<svg ").count == 5)
    // A request says what went before its first byte.
    #expect(short.contains("<title>the multivariant playlist, 280 B (name lookup "))
    let long = fixture.call("run", "$/long.json", "--html", "-").output
    #expect(long.split(separator: "<svg ").count == 2)
  }

  @Test(arguments: ["--svg", "--html"])
  func `a dash prints the picture instead of the timeline`(_ option: String) throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    fixture.call("run", "$/a.json", option, "$/a.out")
    let call = fixture.call("run", "$/a.json", option, "-")
    #expect(call.output == (try fixture.read("a.out").replacing(fixture.folder, with: "$")))
    #expect(call.code == 0 && call.messages == "")
    // The results have a file of their own.
    let both = fixture.call("run", "$/a.json", option, "-", "--output", "$/a.txt")
    #expect(both.output == call.output)
    #expect(try fixture.read("a.txt").hasPrefix("slow  "))
  }

  @Test func `a run that is not as expected ends with 1 and is drawn`() throws {
    let fixture = try CommandFixture(["a.json": Fixture.scenario(startupMax: "1 s")])
    let call = fixture.call("run", "$/a.json", "--html", "$/a.html")
    #expect(call.code == 1)
    let html = try fixture.read("a.html")
    #expect(html.contains(">✗ Failed: 1 of 2 expectations is not met.</p>"))
    #expect(html.contains("<li class=\"p-missed\"><span class=\"p-sign\">✗</span>"))
  }

  @Test(
    arguments: [
      (
        ["$/a.json", "$/b.json", "--svg", "$/x.svg"],
        """
        autowait: error: '--svg' takes one scenario, but there are 2
        note: run each by itself, with a FILE of its own

        """
      ),
      (
        ["$/a.json", "--svg", "$/x", "--html", "$/x"],
        "autowait: error: '--svg' and '--html' name one file, '$/x'\n"
      ),
      (
        ["$/a.json", "--svg", "-", "--html", "-"],
        "autowait: error: '--svg' and '--html' name one file, '-'\n"
      ),
      (
        ["$/a.json", "--output", "$/x", "--html", "$/x"],
        "autowait: error: '--output' and '--html' name one file, '$/x'\n"
      ),
      (
        ["$/a.json", "--svg", "$/a.json"],
        "autowait: error: '--svg' is one of the scenarios, '$/a.json'\n"
      ),
      (
        ["$/a.json", "--svg", "-", "--format", "json"],
        """
        autowait: error: a picture is printed instead of what '--format' asks for
        note: with '--output FILE' both are had

        """
      ),
      (
        ["$/a.json", "--html", "-", "--at", "3"],
        """
        autowait: error: a picture is printed instead of what '--at' asks for
        note: with '--output FILE' both are had

        """
      ),
      (
        ["$/a.json", "--svg"],
        """
        autowait: error: '--svg' needs a value: FILE
        note: see 'autowait run --help'

        """
      ),
      (
        ["$/a.json", "--svg", ""],
        """
        autowait: error: '--svg' needs a value: FILE
        note: see 'autowait run --help'

        """
      ),
    ])
  func `what cannot be drawn is not begun`(_ arguments: [String], _ messages: String) throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing, "b.json": Fixture.playing])
    let call = fixture.call(["run"] + arguments)
    #expect(call == .init(code: 2, output: "", messages: messages))
    #expect(try fixture.names() == ["a.json", "b.json"])
    #expect(try fixture.read("a.json") == Fixture.playing)
  }

  @Test func `a file that cannot be written is named`() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let call = fixture.call("run", "$/a.json", "--svg", "$/none/a.svg", "--html", "$/a.html")
    #expect(call.code == 2)
    #expect(
      call.messages == """
        $/none/a.svg: error: the file cannot be written: the folder '$/none' does not exist

        """)
    // The other one is there all the same.
    #expect(fixture.exists("a.html"))
  }

  @Test func `names of others stay texts`() throws {
    let fixture = try CommandFixture(["a.json": Self.hostile])
    fixture.call("run", "$/a.json", "--svg", "$/a.svg", "--html", "$/a.html")
    for name in ["a.svg", "a.html"] {
      let text = try fixture.read(name)
      for word in ["<script>alert", "<b>", "<i>", "<p title", "<low>", "\u{7}", "\u{202E}"] {
        #expect(!text.contains(word), "\(word) in \(name)")
      }
      let reader = MarkupParser()
      #expect(reader.isWellFormed(text), "\(name): \(reader.problem)")
      #expect(
        text.contains("&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;b&quot;"))
      #expect(text.contains("&lt;low&gt;") && text.contains("&lt;p title=&#39;x&#39;&gt;"))
    }
  }

  #if DEBUG
  /// How many names are passed for each scenario that is drawn: a debug build takes long for one.
  private static let stride = 5
  #else
  private static let stride = 1
  #endif

  /// Every scenario of the project has a picture that is well formed, small, and the same again.
  @Test func `every scenario can be drawn`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Scenarios")
    let folders = ["demo", "hls", "players", "seek", "wait", "network", "contract"]
    for folder in folders {
      let path = root.appending(path: folder).path
      let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      let scenarios = names.filter { $0.hasSuffix(".json") }
      for number in Swift.stride(from: 0, to: scenarios.count, by: Self.stride) {
        let (name, fixture) = (scenarios[number], try CommandFixture())
        let call = fixture.call("run", "\(path)/\(name)", "--svg", "-", "--root", root.path)
        let reader = MarkupParser()
        #expect(reader.isWellFormed(call.output), "\(folder)/\(name): \(reader.problem)")
        #expect(call.output.utf8.count < 400_000, "\(folder)/\(name)")
      }
    }
  }

  /// Where a rectangle that is drawn for something begins and ends, in pixels.
  private func span(_ title: String, in svg: String) throws -> (from: Double, to: Double) {
    let before = try #require(svg.range(of: "<title>\(title)"), "nothing is drawn for \(title)")
    let start = try #require(svg[..<before.lowerBound].range(of: "<rect ", options: .backwards))
    let tag = svg[start.upperBound..<before.lowerBound]
    func number(_ name: String) throws -> Double {
      let value = try #require(tag.range(of: "\(name)=\"")).upperBound
      return try #require(Double(tag[value...].prefix { $0 != "\"" }))
    }
    let from = try number("x")
    return (from, from + (try number("width")))
  }

  /// The demo's second act: it waits from 0.35 s until 6.46 s, and ends at 45.46 s.
  @Test func `states are drawn when they hold`() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Scenarios/demo/play-right-away.json").path
    let fixture = try CommandFixture()
    let result = fixture.call("run", path, "--format", "json").output
    let svg = fixture.call("run", path, "--svg", "-").output
    func seconds(_ name: String) throws -> Double {
      let value = try #require(result.range(of: "\"\(name)\":")).upperBound
      return try #require(Double(result[value...].prefix { $0.isNumber || $0 == "." }))
    }
    let scale = 864 / (try seconds("wallTime"))
    let played = 120 + scale * (try seconds("firstPlayed"))
    let wished = played - scale * (try seconds("timeSpentInInitialStartup"))
    let waits = try span("waits", in: svg)
    #expect(abs(waits.from - wished) < 0.1 && abs(waits.to - played) < 0.1)
    let plays = try span("plays", in: svg)
    #expect(abs(plays.from - played) < 0.1 && abs(plays.to - 984) < 0.1)
    let file = try span("the file", in: svg)
    #expect(file.from == 120 && abs(file.to - 984) < 0.1)
  }

  @Test func `requests stand in the lane of their variant`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Scenarios").path
    let fixture = try CommandFixture()
    let svg = fixture.call("run", "\(root)/hls/segment-abandoned.json", "--svg", "-").output
    let scale = 864 / 68.287778595
    let lost = try span("segment 1 of 20", in: svg)
    #expect(abs(lost.from - (120 + 3.733650934 * scale)) < 0.1)
    #expect(abs(lost.to - (120 + 11.733650934 * scale)) < 0.1)
    #expect(svg.contains("given up at 11.734 s</title>"))
    let played = try span("plays 2 Mbit/s", in: svg)
    #expect(abs(played.from - (120 + 14.287778595 * scale)) < 0.1)
    let stalled = try span("stalled from 9.734", in: svg)
    #expect(abs(stalled.to - (120 + 14.287778595 * scale)) < 0.1)
  }

  /// A stream of four thousand segments, each of which is asked for by itself.
  @Test func `a long run has a small picture`() throws {
    let scenario = """
      {"autowait": 1, "name": "long", "link": {"name": "home", "rate": "5 Mbit/s"},
       "media": {"kind": "hls", "duration": "8000 s", "segmentDuration": "2 s",
                 "variants": [{"bandwidth": "1 Mbit/s"}, {"bandwidth": "3 Mbit/s"}]},
       "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
      """
    let fixture = try CommandFixture(["a.json": scenario])
    #expect(fixture.call("run", "$/a.json", "--svg", "$/a.svg", "--html", "$/a.html").code == 0)
    #expect(try fixture.read("a.svg").utf8.count < 300_000)
    #expect(try fixture.read("a.html").utf8.count < 500_000)
  }
}

/// A small judge of XML, as much as pictures and pages need.
private final class MarkupParser {
  private(set) var problem = ""

  /// Whether all elements are closed in their order and all ampersands are escaped.
  func isWellFormed(_ text: String) -> Bool {
    var open: [Substring] = []
    var rest = Substring(text.replacing("<!DOCTYPE html>", with: ""))
    while let start = rest.firstIndex(of: "<") {
      if !check(rest[..<start]) { return false }
      guard let end = rest[start...].firstIndex(of: ">") else { return fail("no end of a tag") }
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.contains("<") { return fail("a < in the tag \(tag)") }
      if !check(tag) { return false }
      let name = tag.drop { $0 == "/" }.prefix { $0 != " " && $0 != "/" }
      if tag.hasPrefix("/") {
        if open.popLast() != name { return fail("\(name) ends and has not begun") }
      } else if !tag.hasSuffix("/") {
        open.append(name)
      }
    }
    return open.isEmpty || fail("\(open) are not closed")
  }

  private func check(_ text: Substring) -> Bool {
    for part in text.split(separator: "&", omittingEmptySubsequences: false).dropFirst() {
      let known = ["amp;", "lt;", "gt;", "quot;", "#39;"]
      if !known.contains(where: { part.hasPrefix($0) }) { return fail("an & before \(part)") }
    }
    return true
  }

  private func fail(_ text: String) -> Bool {
    problem = text
    return false
  }
}
