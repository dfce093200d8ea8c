import Autowait
import AutowaitScenario
import Testing

/// All mistakes of a file are found at once and told in the words of the rows below.
@Suite struct FieldReaderTests {
  enum Source: String, CaseIterable, Sendable {
    case local
    case progressive
  }

  /// What the rows read: every way of asking.
  private func readLink(_ value: JSONValue, _ findings: Findings) {
    var fields = FieldReader(value, "a link", findings)
    _ = fields.required("rate", .bitRate)
    _ = fields.optional("latency", .time, default: .zero)
    _ = fields.optional("source", .word(of: Source.self))
    _ = fields.optional("loops", .bool)
    _ = fields.optional("name", .nullable(.string))
    _ = fields.optional("marks", .list(of: .time))
    for element in fields.elements("steps") {
      var step = FieldReader(element, "a step", findings)
      if step.one(of: ["at", "when"]) == "at" { _ = step.required("at", .instant) }
      step.finish()
    }
    if var player = fields.object("player", "a player") {
      _ = player.optional("rate", .playbackRate)
      player.finish()
    }
    fields.finish()
  }

  @Test(arguments: [
    "{\"rate\": 1}",
    "{\"rate\": \"1 Mbit/s\", \"latency\": 0.04, \"source\": \"local\", \"loops\": true}",
    "{\"rate\": 1, \"name\": null, \"marks\": [0, \"1 s\"], \"steps\": [], \"player\": {}}",
    "{\"rate\": 1, \"name\": \"x\", \"steps\": [{\"at\": 0}, {\"when\": []}]}",
    "{\"r\\u0061te\": 1}",
  ])
  func isRight(_ text: String) {
    check(text, "")
  }

  @Test func unknownKeys() {
    check(
      """
      {
        "rate": 1,
        "playr": {},
        "Loops": true,
        "zonk": 1,
        "player": {"rote": 1}
      }
      """,
      """
      demo/x.json:3:3: error: unknown key 'playr'
        "playr": {},
        ^~~~~~~
      note: did you mean 'player'? that key is there already
      demo/x.json:4:3: error: unknown key 'Loops'
        "Loops": true,
        ^~~~~~~
      note: did you mean 'loops'?
      demo/x.json:5:3: error: unknown key 'zonk'
        "zonk": 1,
        ^~~~~~
      note: the nearest of 6 are: 'loops', 'name', 'marks', 'source', 'steps'
      demo/x.json:6:14: error: unknown key 'rote'
        "player": {"rote": 1}
                   ^~~~~~
      note: did you mean 'rate'?
      """)
    check(
      "{\"rate\": 1, \"playr\": 1}",
      """
      demo/x.json:1:13: error: unknown key 'playr'
      {"rate": 1, "playr": 1}
                  ^~~~~~~
      note: did you mean 'player'?
      """)
  }

  @Test func duplicateKeys() {
    check(
      "{\"rate\": 1,\n \"r\\u0061te\": 2, \"loops\": true,\n \"rate\": 3, \"loops\": 4}",
      """
      demo/x.json:2:2: error: duplicate key 'rate'
       "r\\u0061te": 2, "loops": true,
       ^~~~~~~~~~~
      note: the first one is at 1:2
      demo/x.json:3:2: error: duplicate key 'rate'
       "rate": 3, "loops": 4}
       ^~~~~~
      note: the first one is at 1:2
      demo/x.json:3:13: error: duplicate key 'loops'
       "rate": 3, "loops": 4}
                  ^~~~~~~
      note: the first one is at 2:18
      """)
  }

  @Test func wrongTypes() {
    check(
      """
      {"rate": [1], "latency": null, "source": 5,
       "loops": "yes", "name": 1, "marks": {},
       "steps": true, "player": "x"}
      """,
      """
      demo/x.json:1:10: error: 'rate' must be a rate such as "3.2 Mbit/s", not an array
      {"rate": [1], "latency": null, "source": 5,
               ^~~
      demo/x.json:1:26: error: 'latency' must be a time such as "39 s", not null
      {"rate": [1], "latency": null, "source": 5,
                               ^~~~
      demo/x.json:1:42: error: 'source' must be a word, not a number
      {"rate": [1], "latency": null, "source": 5,
                                               ^
      note: the values are: 'local', 'progressive'
      demo/x.json:2:11: error: 'loops' must be true or false, not a string
       "loops": "yes", "name": 1, "marks": {},
                ^~~~~
      demo/x.json:2:26: error: 'name' must be a string, not a number
       "loops": "yes", "name": 1, "marks": {},
                               ^
      demo/x.json:2:38: error: 'marks' must be an array, not an object
       "loops": "yes", "name": 1, "marks": {},
                                           ^~
      demo/x.json:3:11: error: 'steps' must be an array, not true
       "steps": true, "player": "x"}
                ^~~~
      demo/x.json:3:27: error: 'player' must be an object, not a string
       "steps": true, "player": "x"}
                                ^~~
      """)
  }

  @Test func missingKeys() {
    check(
      "{\n}",
      """
      demo/x.json:1:1: error: a link needs the key 'rate'
      {
      ^
      """)
    check(
      "[]",
      """
      demo/x.json:1:1: error: a link must be an object, not an array
      []
      ^~
      """)
    check(
      "{\"rate\": 1, \"steps\": [{}, {\"at\": 1, \"when\": 2}, 7]}",
      """
      demo/x.json:1:23: error: a step needs one of the keys 'at', 'when'
      {"rate": 1, "steps": [{}, {"at": 1, "when": 2}, 7]}
                            ^
      demo/x.json:1:37: error: 'when' cannot be combined with 'at'
      {"rate": 1, "steps": [{}, {"at": 1, "when": 2}, 7]}
                                          ^~~~~~
      demo/x.json:1:49: error: a step must be an object, not a number
      {"rate": 1, "steps": [{}, {"at": 1, "when": 2}, 7]}
                                                      ^
      """)
  }

  @Test func wrongWordsAndElements() {
    check(
      "{\"rate\": 1, \"source\": \"progresive\", \"marks\": [1, -1, \"2 s\", {}]}",
      """
      demo/x.json:1:23: error: 'source' has the unknown value 'progresive'
      {"rate": 1, "source": "progresive", "marks": [1, -1, "2 s", {}]}
                            ^~~~~~~~~~~~
      note: did you mean 'progressive'?
      demo/x.json:1:50: error: an element of 'marks' must not be negative
      {"rate": 1, "source": "progresive", "marks": [1, -1, "2 s", {}]}
                                                       ^~
      demo/x.json:1:61: error: an element of 'marks' must be a time such as "39 s", not an object
      {"rate": 1, "source": "progresive", "marks": [1, -1, "2 s", {}]}
                                                                  ^~
      """)
  }

  @Test func whatIsNoJSON() {
    check(
      "{\"rate\": 1,\n \"steps\": [1, 2",
      """
      demo/x.json:2:16: error: the text ends too early
       "steps": [1, 2
                     ^
      note: the array begins at 2:11
      """)
  }

  @Test func namesFromTheFileAreSafeToPrint() {
    check(
      "{\"rate\": 1, \"\\u001b[31m\(String(repeating: "k", count: 60))\": 1}",
      """
      demo/x.json:1:13: error: unknown key '\u{FFFD}[31m\(String(repeating: "k", count: 32))...'
      {"rate": 1, "\\u001b[31m\(String(repeating: "k", count: 60))": 1}
                  ^\(String(repeating: "~", count: 71))
      note: the nearest of 7 are: 'marks', 'name', 'latency', 'source', 'loops'
      """)
  }

  @Test func freeNamesAreNotUnknown() throws {
    let source = SourceText(path: "", text: "{\"kind\": 1, \"b\": 2, \"a\": 3, \"b\": 4}")
    let findings = Findings(source)
    var fields = FieldReader(try #require(findings.parseJSON()), "a map", findings)
    let hasKind = fields.contains("kind")
    #expect(hasKind)
    #expect(fields.others().map(\.key.string) == ["b", "a", "b"])
    fields.finish()
    #expect(findings.sorted.map(\.message) == ["duplicate key 'b'"])
  }

  /// The comparison of pairs and the dictionary of large objects find the same.
  @Test(arguments: [2, 15, 16, 17, 18, 300])
  func duplicatesInObjectsOfAnySize(_ count: Int) throws {
    let members = (0..<count - 1).map { "\"k\($0)\": \($0)" } + ["\"k0\": 1"]
    let source = SourceText(path: "", text: "{" + members.joined(separator: ",\n") + "}")
    let findings = Findings(source)
    var fields = FieldReader(try #require(findings.parseJSON()), "a map", findings)
    _ = fields.others()
    fields.finish()
    #expect(findings.sorted.map(\.message) == ["duplicate key 'k0'"])
    #expect(findings.sorted.first?.line == count)
    #expect(findings.sorted.first?.notes == ["the first one is at 1:2"])
  }

  @Test func findingsAreBounded() {
    let text = "[" + String(repeating: "x,", count: 10) + "]"
    let findings = Findings(SourceText(path: "big.json", text: text))
    for index in 0..<150 { findings.warning("number \(index)", at: 1..<2) }
    #expect(!findings.hasErrors)
    findings.error("the last", at: 0..<1)
    #expect(findings.hasErrors)
    #expect(findings.sorted.count == Findings.countMax + 1)
    #expect(findings.sorted.last?.rendered == "big.json: error: 51 more findings are not listed")
  }

  /// A file of nothing but mistakes, all in one line, is told of as quickly as it is read.
  @Test(.timeLimit(.minutes(1))) func manyMistakesAreNoBurden() throws {
    let members = (0..<20_000).map { "\"k\($0 / 2)\":1" }.joined(separator: ",")
    let findings = Findings(SourceText(path: "", text: "{" + members + "}"))
    readLink(try #require(findings.parseJSON()), findings)
    #expect(findings.sorted.count == Findings.countMax + 1)
    #expect(findings.sorted.last?.message == "29901 more findings are not listed")
  }

  @Test func findingsStandInTheOrderOfTheText() {
    let findings = Findings(SourceText(path: "", text: "abcdef"))
    for (offset, message) in [(4, "d"), (0, "a"), (4, "e"), (2, "c")] {
      findings.error(message, at: offset..<offset + 1)
    }
    #expect(findings.sorted.map(\.message) == ["a", "c", "d", "e"])
  }

  @Test func findingAboutAWholeFile() {
    let finding = Finding(
      .error, "the file does not exist", path: "demo/y.json", notes: ["look in demo"])
    #expect(finding.rendered == "demo/y.json: error: the file does not exist\nnote: look in demo")
  }

  private func check(_ text: String, _ expected: String) {
    let findings = Findings(SourceText(path: "demo/x.json", text: text))
    if let root = findings.parseJSON() { readLink(root, findings) }
    let rendered = findings.sorted.map(\.rendered).joined(separator: "\n")
    #expect(rendered == expected)
    #expect(findings.hasErrors == !expected.isEmpty)
  }
}
