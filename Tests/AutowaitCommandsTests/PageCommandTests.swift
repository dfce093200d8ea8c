import AutowaitCommands
import Foundation
import Testing

/// `autowait page`: the page in which scenarios run.
///
/// What its script does is judged in browsers, by `.ci/live`.
@Suite struct PageCommandTests {
  /// What begins as a packed module does, and is none.
  private static let module: [UInt8] = [0x1F, 0x8B, 8, 0, 1, 2, 3, 4]

  private func fixture(_ files: [String: String] = [:]) throws -> CommandFixture {
    let fixture = try CommandFixture(files)
    try fixture.write("m.wasm.gz", Self.module)
    return fixture
  }

  /// The data of a page, as its script reads it.
  private struct PageData: Decodable {
    struct Tab: Decodable {
      let title: String
      let kind: String?
      let path: String
      let text: String
      let files: [String: String]
      let native: String?
    }
    struct Rule: Decodable {
      let name: String
    }
    let tabs: [Tab]
    let files: [Tab]
    let rules: [Rule]
  }

  private func data(_ page: String) throws -> PageData {
    let mark = page.range(of: "id=\"data\">")
    let start = try #require(mark, "the page has no data").upperBound
    let close = page.range(of: "</script>", range: start..<page.endIndex)
    let end = try #require(close, "the data does not end").lowerBound
    return try JSONDecoder().decode(PageData.self, from: Data(page[start..<end].utf8))
  }

  /// The fingerprint that `autowait run` prints.
  private func fingerprint(_ call: CommandFixture.Call) throws -> String {
    let found = try #require(
      call.output.matches(of: /"fingerprint":"([0-9a-f]+)"/).last, "\(call)")
    return String(found.output.1)
  }

  @Test func withoutAModuleThePageIsNotWritten() throws {
    let fixture = try fixture()
    let none = fixture.call("page", "--module", "$/none.wasm.gz", "--output", "$/page.html")
    #expect(none.code == 2)
    #expect(none.output.isEmpty)
    #expect(none.messages.contains("none.wasm.gz: error: the page's module does not exist"))
    #expect(none.messages.contains("note: '.ci/web' in the folder of the project makes it"))
    #expect(!fixture.exists("page.html"))
    try fixture.write("text.wasm.gz", "no module")
    let other = fixture.call("page", "--module", "$/text.wasm.gz")
    #expect(other.code == 2)
    #expect(other.messages.contains("text.wasm.gz: error: this is not a WebAssembly module"))
    // What xz writes begins with its properties, a window, and no size.
    let lzma: [UInt8] = [0x5D, 0, 0, 0, 4] + Array(repeating: 0xFF, count: 8) + [0, 1, 2]
    try fixture.write("m.wasm.lzma", lzma)
    #expect(fixture.call("page", "--module", "$/m.wasm.lzma", "--output", "$/page.html").code == 0)
  }

  @Test func pageHoldsItsScenariosAndTheirFingerprints() throws {
    let fixture = try fixture()
    let page = fixture.call("page", "--module", "$/m.wasm.gz")
    #expect(page.code == 0, "\(page.messages)")
    let data = try data(page.output)
    #expect(
      data.tabs.map(\.path) == [
        "act-1.json", "act-2.json", "act-3.json", "act-4.json", "queue.json", "looper.json",
        "stream.json", "experiment.json",
      ])
    #expect(data.rules.contains { $0.name == "avfoundation" })
    for tab in data.tabs {
      try fixture.write(tab.path, tab.text)
      let check = fixture.call("check", "$/\(tab.path)")
      #expect(check.code == 0 && !check.messages.contains("warning"), "\(check)")
      guard let native = tab.native else {
        #expect(tab.kind == "experiment")
        continue
      }
      let run = fixture.call("run", "--format", "json", "$/\(tab.path)")
      #expect(try fingerprint(run) == native, "\(tab.path)")
    }
  }

  /// The acts are those of the scenarios that are shipped, whose logs are golden.
  @Test func actsAreThoseOfTheDemo() throws {
    let fixture = try fixture()
    let data = try data(fixture.call("page", "--module", "$/m.wasm.gz").output)
    let names = ["fast", "play-right-away", "play-immediately", "wait-until-likely"]
    for (tab, name) in zip(data.tabs, names) {
      let log = try #require(MarkdownDocument.read("Scenarios/demo/\(name).expected.log"))
      let native = try #require(tab.native)
      #expect(log.contains("\"fingerprint\":\"\(native)\""), "\(tab.path), \(name)")
    }
  }

  @Test func filesOfAScenarioAreEmbeddedWhereItFindsThem() throws {
    let fixture = try fixture([
      "Scenarios/a/b.json": Fixture.playing.replacing(
        "\"demo/slow-server\"", with: "\"../links/c.json\""),
      "Scenarios/links/c.json": #"{ "down": { "rate": "3.2 Mbit/s" } }"#,
    ])
    let page = fixture.call("page", "--module", "$/m.wasm.gz", "$/Scenarios/a/b.json")
    #expect(page.code == 0, "\(page.messages)")
    let tab = try #require(try data(page.output).files.first)
    // The page does not say where its files lie on this machine.
    #expect(tab.path == "b.json")
    #expect(!page.output.contains(fixture.folder))
    #expect(tab.files.keys.sorted() == ["../links/c.json"])
    let bytes = try #require(tab.files.values.first.flatMap { Data(base64Encoded: $0) })
    #expect(String(decoding: bytes, as: UTF8.self).contains("3.2 Mbit/s"))
    let run = fixture.call("run", "--format", "json", "$/Scenarios/a/b.json")
    #expect(tab.native == (try fingerprint(run)))
  }

  @Test func whatCannotRunInAPageIsRefused() throws {
    let experiment = #"{"experiment": 1, "base": "nothing.json", "vary": {}}"#
    let fixture = try fixture([
      "bad.json": #"{"autowait": 1}"#, "x.json": experiment, "rule.sh": "#!/bin/sh\n",
      "program.json": Fixture.playing.replacing(
        "\"seed\"", with: #""heuristic": {"program": ["./rule.sh"]}, "seed""#),
    ])
    for name in ["bad.json", "x.json", "program.json", "none.json"] {
      let call = fixture.call("page", "--module", "$/m.wasm.gz", "$/\(name)")
      #expect(call.code == 2, "\(name)")
      #expect(call.output.isEmpty, "\(name)")
      #expect(call.messages.contains("\(name):"), "\(name): \(call.messages)")
    }
    let program = fixture.call("page", "--module", "$/m.wasm.gz", "$/program.json")
    #expect(program.messages.contains("its rule is a program, and a page cannot start programs"))
  }

  /// Names are data for the script, which puts them into the page as text alone.
  @Test func namesCannotEndTheirElement() throws {
    let hostile = "</script><script>alert(1)</script><!-- <b> \u{2028} ]]>"
    let text = Fixture.scenario(name: hostile)
    let fixture = try fixture(["</script><img src=x>.json": text, "a.json": text])
    let page = fixture.call(
      "page", "--module", "$/m.wasm.gz", "$/a.json", "$/</script><img src=x>.json")
    #expect(page.code == 0, "\(page.messages)")
    #expect(!page.output.contains("<script>alert"))
    #expect(!page.output.contains("<img"))
    #expect(page.output.components(separatedBy: "</script>").count == 5)
    let data = try data(page.output)
    #expect(data.files.first?.text == text)
    #expect(data.files.first?.title == hostile)
    for part in page.output.components(separatedBy: "innerHTML").dropFirst() {
      Issue.record("markup is made of text: \(part.prefix(60))")
    }
  }

  /// All but the module is small: of the 2 MB of a page it takes 1.7 as text.
  @Test func pageIsSmallAndSelfContained() throws {
    let fixture = try fixture()
    let page = fixture.call("page", "--module", "$/m.wasm.gz").output
    #expect(page.utf8.count < 300_000)
    // Thirteen bits after another: 1009 is 11 times 91 and 8, 3104 is 34 times 91 and 10.
    #expect(page.contains("\n-*E,!!PD2|\n"))
    for word in ["http://", "https://", "src=", "@import", "url("] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(fixture.call("page", "--module", "$/m.wasm.gz").output == page)
  }
}
