import AutowaitWeb
import Testing

/// A scenario among files that a host holds.
struct EmbeddedRunTests {
  private static func scenario(_ link: String) -> [UInt8] {
    Array(
      """
      {
        "autowait": 1,
        "link": \(link),
        "media": { "kind": "progressive", "duration": "10 s", "bitrate": "1 Mbit/s" },
        "script": [{ "at": 0, "do": "load" }, { "at": 0, "do": "play" }]
      }
      """.utf8)
  }

  private static let link = Array(
    #"{ "rate": "2 Mbit/s" }"#.utf8)

  @Test func scenarioRunsToItsLog() throws {
    var files = EmbeddedFiles()
    files.put(Self.scenario(#"{ "rate": "2 Mbit/s" }"#), at: "a.json")
    let run = EmbeddedRun("a.json", in: files)
    let text = String(decoding: run.text, as: UTF8.self)
    let fingerprint = try #require(run.fingerprint, "\(text)")
    #expect(text.hasPrefix(#"{"autowaitLog":1,"#))
    #expect(text.contains(String(fingerprint, radix: 16)))
    #expect(run.missing.isEmpty)
  }

  @Test func fileThatIsNamedIsAskedForAndFoundWhereItBelongs() {
    var files = EmbeddedFiles()
    files.put(Self.scenario(#""links/slow.json""#), at: "tests/a.json")
    let first = EmbeddedRun("tests/a.json", in: files)
    #expect(first.fingerprint == nil)
    #expect(
      first.missing == ["tests/links/slow.json"], "\(String(decoding: first.text, as: UTF8.self))")

    files.put(Self.link, at: "./tests/links/../links/slow.json")
    let second = EmbeddedRun("tests/a.json", in: files)
    #expect(second.missing.isEmpty)
    #expect(second.fingerprint != nil, "\(String(decoding: second.text, as: UTF8.self))")
  }

  @Test func whatSpeaksAgainstAScenarioIsSaid() {
    var files = EmbeddedFiles()
    files.put(Array(#"{ "autowait": 1, "lnk": 3 }"#.utf8), at: "b.json")
    let run = EmbeddedRun("b.json", in: files)
    #expect(run.fingerprint == nil)
    let text = String(decoding: run.text, as: UTF8.self)
    #expect(text.contains("b.json:1:18: error: unknown key 'lnk'"), "\(text)")
  }

  @Test func noScenarioAtAllIsSaidToo() {
    let run = EmbeddedRun("nothing.json", in: EmbeddedFiles())
    #expect(run.fingerprint == nil)
    #expect(run.missing == ["nothing.json"])
    let text = String(decoding: run.text, as: UTF8.self)
    #expect(text == "nothing.json: error: the file does not exist\n")
  }
}
