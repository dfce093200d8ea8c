import AutowaitCommands
import Foundation
import Testing

/// `autowait list scenarios`: finds scenarios by what they show.
@Suite struct ScenarioListTests {
  private let fixture: CommandFixture

  init() throws {
    fixture = try CommandFixture([
      "s/a/tunnel.json": #"{"autowait": 1, "name": "A hole", "about": "First. Then 3.5 s later."}"#,
      "s/b.json": #"{"autowait": 1, "about": "On Wi-Fi? It delivers nothing."}"#,
      "s/c.json": #"{"experiment": 1, "name": "Tunnels, compared"}"#,
      "s/link.json": #"{"rate": "1 Mbit/s", "name": "tunnel"}"#,
      "s/broken.json": "tunnel",
      "s/a/tunnel.expected.log": "tunnel",
    ])
  }

  private func list(_ words: String...) -> CommandFixture.Call {
    fixture.call(["list", "scenarios", "--root", "$/s"] + words)
  }

  private func paths(_ words: String...) -> [String] {
    fixture.call(["list", "scenarios", "--root", "$/s", "--width", "200"] + words).output
      .split(separator: "\n").filter { $0.hasPrefix("$/s") }
      .map { String($0.dropFirst(4).prefix { $0 != " " }) }
  }

  @Test func eachHasItsPathNameAndFirstSentence() {
    let outcome = list()
    #expect(outcome.code == 0)
    #expect(outcome.messages == "")
    fixture.variables["COLUMNS"] = "200"
    #expect(outcome.output.contains("\n    On Wi-Fi?\n"))
    #expect(
      list().output == """
        $/s/a/tunnel.json  A hole
            First.
        $/s/b.json  $/s/b.json
            On Wi-Fi?
        $/s/c.json  Tunnels, compared

        3 files

        """)
  }

  /// A word begins a word of the path, the name or the text, and all words are needed.
  @Test func wordsChoose() {
    #expect(paths("tunnel") == ["a/tunnel.json", "c.json"])
    #expect(paths("HOLE") == ["a/tunnel.json"])
    #expect(paths("later") == ["a/tunnel.json"])
    #expect(paths("wifi") == ["b.json"])
    #expect(paths("wi-fi") == ["b.json"])
    #expect(paths("live") == [])
    #expect(paths("deliver") == ["b.json"])
    #expect(paths("tunnel", "compared") == ["c.json"])
    #expect(paths("a/tun") == ["a/tunnel.json"])
    #expect(list("tunnel").output.hasSuffix("\nfound 2 of 3 files\n"))
  }

  @Test func nothingFoundIsToldWithTheNearestWord() {
    let outcome = list("tunel", "wifi")
    #expect(
      outcome
        == .init(
          code: 4, output: "",
          messages: """
            autowait: error: no scenario in '$/s' has 'tunel'
            note: did you mean 'tunnel'?
            note: 'autowait list scenarios' lists all 3

            """))
    #expect(list("hole", "wifi").messages.contains("has all of 'hole', 'wifi'\n"))
  }

  @Test func withoutAFolderItSaysWhatToDo() throws {
    let outcome = fixture.call("list", "scenarios", "--root", "$/none")
    #expect(outcome.code == 2)
    try fixture.write("empty/x.txt", "")
    let empty = fixture.call("list", "scenarios", "--root", "$/empty")
    #expect(empty.code == 4)
    #expect(empty.messages.contains("there is no scenario in '$/empty'"))
    #expect(
      fixture.call("list", "events", "--root", "$/s").messages
        == "autowait: error: '--root' belongs to 'autowait list scenarios'\n")
  }

  @Test func json() throws {
    let output = fixture.call("list", "scenarios", "--root", "$/s", "compared", "--format", "json")
    #expect(
      output.output == #"{"version":1,"# + Fixture.madeBy
        + #","scenarios":[{"path":"$/s/c.json","kind":"experiment","#
        + #""name":"Tunnels, compared","about":"","tags":[],"runs":[]}]}"# + "\n")
  }

  /// Tags and runs, also those of a file that is extended; a word finds a tag.
  @Test func tagsAndRuns() throws {
    let runs = (1...9).map { "\($0)" }.joined(separator: ", ")
    try fixture.write(
      "s/d.json", #"{"autowait": 1, "name": "D", "tags": ["subway", "ci"], "about": "Under."}"#)
    try fixture.write(
      "s/e.json",
      #"{"autowait": 1, "name": "E", "extends": "d.json", "vary": {"until": [60, 90]}}"#)
    try fixture.write("s/f.json", #"{"autowait": 1, "name": "F", "extends": "none.json"}"#)
    try fixture.write("s/g.json", #"{"autowait": 1, "name": "G", "vary": {"seed": [\#(runs)]}}"#)
    #expect(
      list("subway").output == """
        $/s/d.json  D
            Under.
            tags: subway, ci
        $/s/e.json  E
            tags: subway, ci
            2 runs: until-60, until-90

        found 2 of 7 files

        """)
    fixture.variables["COLUMNS"] = "200"
    let all = list().output
    #expect(all.contains("\n$/s/f.json  F\n$/s/g.json  G\n    9 runs: seed-1, seed-2, "), "\(all)")
    #expect(all.contains(", seed-8 and 1 more\n"), "\(all)")
    #expect(list("subwya").messages.contains("note: did you mean 'subway'?\n"))
    let json = fixture.call(
      "list", "scenarios", "--root", "$/s", "subway", "--format", "json"
    ).output
    #expect(
      json.contains(#""name":"D","about":"Under.","tags":["subway","ci"],"runs":[]}"#), "\(json)")
    #expect(json.contains(#""tags":["subway","ci"],"runs":["until-60","until-90"]}]}"#), "\(json)")
  }

  /// What the repository ships is found by what it shows.
  @Test func shippedScenariosAreFound() throws {
    fixture.variables["COLUMNS"] = "300"
    let root = MarkdownDocument.repository.appending(path: "Scenarios").path
    let all = fixture.call("list", "scenarios", "--root", root)
    #expect(all.code == 0)
    #expect(
      all.output.contains("Scenarios/network/tunnel.json  A tunnel\n") || all.output.count > 9)
    for word in ["live", "looper", "queue", "key", "handover", "feed", "tunnel", "stall"] {
      let found = fixture.call("list", "scenarios", "--root", root, word)
      #expect(found.code == 0, "\(word)")
      #expect(found.output.count < all.output.count, "\(word)")
    }
  }
}
