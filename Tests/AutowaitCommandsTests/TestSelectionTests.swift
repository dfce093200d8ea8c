import Foundation
import Testing

/// Which scenarios `autowait test` chooses.
@Suite struct TestSelectionTests {
  private static func tagged(_ name: String, _ tags: String) -> String {
    Fixture.playing.replacing(
      "\"name\": \"slow\"", with: "\"name\": \"\(name)\", \"tags\": [\(tags)]")
  }

  private func fixture() throws -> CommandFixture {
    try CommandFixture([
      "hls/one.json": Self.tagged("Hotel", "\"slow\", \"smoke\""),
      "hls/two.json": Self.tagged("Two trains", "\"slow\""), "three.json": Self.tagged("and", ""),
      "four.json": Self.tagged("Hotel (old)", "\"smoke\", \"not\""),
      "broken.json": "{\"autowait\":",
    ])
  }

  /// Returns the last part of the path of each scenario that was tested.
  private func chosen(
    _ fixture: CommandFixture, _ options: [String], in folder: String = "$"
  ) -> [String] {
    fixture.call(["test", folder, "--format", "jsonl"] + options).output.split(separator: "\n")
      .compactMap { line in
        guard let path = line.split(separator: "\"path\":\"").dropFirst().first else { return nil }
        return path.split(separator: "\"").first?.split(separator: "/").last.map(String.init)
      }
  }

  static let filters: [(filter: String, chosen: [String])] = [
    ("Hotel", ["four", "one"]), ("hls/", ["one", "two"]), ("tag(slow)", ["one", "two"]),
    ("tag( slow )", ["one", "two"]), ("tag(slo)", []), ("tag(not)", ["four"]),
    ("not tag(slow)", ["broken", "four", "three"]), ("tag(slow) and tag(smoke)", ["one"]),
    ("tag(slow) or tag(smoke)", ["four", "one", "two"]), ("not not tag(slow)", ["one", "two"]),
    ("tag(smoke) and not tag(slow) or two", ["four", "two"]),
    ("tag(smoke) and (not tag(slow) or two)", ["four"]),
    ("two or tag(smoke) and Hotel", ["four", "one", "two"]),
    ("name(Hotel)", ["four", "one"]), ("name(=Hotel)", ["one"]), ("name(= Two trains)", ["two"]),
    ("name(Two trains)", ["two"]), ("\"Two trains\"", ["two"]), ("'Hotel (old)'", ["four"]),
    ("\"and\"", ["three"]), ("path(broken)", ["broken"]), ("path(hls) and name(T)", ["two"]),
    ("name(hls)", []), ("(((Hotel)))", ["four", "one"]), ("hoTEL", ["four", "one"]),
    ("name(hotel)", []), ("tag(SLOW)", []),
  ]

  @Test(arguments: filters.indices)
  func filtersChoose(_ index: Int) throws {
    let row = Self.filters[index]
    let names = chosen(try fixture(), ["--filter", row.filter])
    #expect(names == row.chosen.map { "\($0).json" }, "\(row.filter)")
  }

  /// A filter with a mark below the place at which it goes wrong, and what is said of it.
  static let wrong: [(filter: String, mark: String, message: String)] = [
    ("", "^", "lacks a condition"), ("tag(a) and", "          ^", "lacks a condition"),
    ("or a", "^", "lacks a condition before 'or'"),
    ("a and or b", "      ^", "lacks a condition before 'or'"),
    ("a b", "  ^", "lacks 'and' or 'or' between two conditions"),
    ("(a or b", "^", "lacks the ')' of this '('"),
    ("a or b)", "      ^", "has a ')' without a '('"),
    ("()", " ^", "lacks a condition before ')'"), ("tag(a", "   ^", "lacks the ')' of this '('"),
    ("tag()", "   ^", "has nothing in the parentheses of 'tag'"),
    ("ü and tga(a)", "      ^", "has the unknown condition 'tga(…)'"),
    ("a or 'b", "     ^", "lacks the end of this quoted text"),
  ]

  @Test(arguments: wrong.indices)
  func wrongFiltersAreShownWithAMark(_ index: Int) throws {
    let row = Self.wrong[index]
    let outcome = try fixture().call("test", "$", "--filter", row.filter)
    #expect(outcome.code == 2 && outcome.output == "")
    let text = """
      autowait: error: '--filter' \(row.message)
      note: \(row.filter)
      note: \(row.mark)

      """
    #expect(outcome.messages.hasPrefix(text), "\(outcome.messages)")
    #expect(!row.filter.contains("tga") || outcome.messages.contains("did you mean 'tag'?"))
  }

  @Test func deepFiltersAreRefused() throws {
    let deep = String(repeating: "(", count: 100_000)
    #expect(try fixture().call("test", "$", "--filter", deep).code == 2)
    let nots = String(repeating: "not ", count: 100_000)
    #expect(try fixture().call("test", "$", "--filter", nots + "a").code == 2)
  }

  @Test(arguments: ["slice", "hash"], 1...4)
  func partsAreAllAndEachOnce(_ kind: String, _ count: Int) throws {
    var files: [String: String] = [:]
    for index in 0..<9 {
      files["\(index).json"] = Self.tagged("\(index)", index > 6 ? "\"x\"" : "")
    }
    let fixture = try CommandFixture(files)
    let parts = (1...count).map { chosen(fixture, ["--partition", "\(kind):\($0)/\(count)"]) }
    #expect(parts.joined().sorted() == (0..<9).map { "\($0).json" })
    if kind == "slice" {
      #expect(parts.allSatisfy { (9 / count...(9 + count - 1) / count).contains($0.count) })
    }
    let filtered = (1...count).flatMap {
      chosen(fixture, ["--filter", "tag(x)", "--partition", "\(kind):\($0)/\(count)"])
    }
    #expect(filtered.sorted() == ["7.json", "8.json"])
  }

  @Test(arguments: [
    "slice", "slice:1", "slice:0/2", "slice:3/2", "part:1/2", "hash:1/0", "hash:a/b",
  ])
  func wrongPartsAreRefused(_ part: String) throws {
    let outcome = try fixture().call("test", "$", "--partition", part)
    #expect(outcome.code == 2)
    #expect(
      outcome.messages.hasPrefix("autowait: error: '--partition' must be slice:M/N or hash:M/N"))
  }

  @Test func anEmptyPartIsNothing() throws {
    let fixture = try CommandFixture(["a.json": Fixture.playing])
    let outcome = fixture.call("test", "$", "--partition", "slice:2/2")
    let message = "autowait: error: none of 1 scenario is in slice:2/2\n"
    #expect(outcome == .init(code: 4, output: "", messages: message))
  }

  @Test func whatFailedIsRemembered() throws {
    let failing = Fixture.scenario(startupMax: "6.1 s")
    let fixture = try CommandFixture([
      "a.json": failing, "b.json": Fixture.playing, "c.json": failing, "cache/x": "",
    ])
    fixture.variables["XDG_CACHE_HOME"] = fixture.path("cache")
    let none = fixture.call("test", "$", "--failed")
    #expect(none.code == 4)
    #expect(
      none.messages.hasPrefix("autowait: error: none of 3 scenarios is known to have failed "))
    #expect(none.messages.contains("note: that is kept in '$/cache/autowait/failed-"))
    #expect(fixture.call("test", "$").code == 1)
    #expect(chosen(fixture, ["--failed"]) == ["a.json", "c.json"])
    // What is not tested keeps what is known of it.
    try fixture.write("a.json", Fixture.playing)
    #expect(fixture.call("test", "$/a.json", "$/b.json").code == 0)
    #expect(chosen(fixture, ["--failed"]) == ["c.json"])
    try fixture.write("c.json", Fixture.playing)
    #expect(fixture.call("test", "$", "--failed").code == 0)
    #expect(fixture.call("test", "$", "--failed").code == 4)
    // Servers keep nothing.
    fixture.variables["CI"] = "true"
    try fixture.write("c.json", failing)
    #expect(fixture.call("test", "$").code == 1)
    fixture.variables["CI"] = nil
    #expect(fixture.call("test", "$", "--failed").code == 4)
    // Damage is no knowledge, and what cannot be kept is told.
    let name = try #require(try fixture.names().first { $0.hasPrefix("cache/autowait/failed-") })
    try fixture.write(name, "{")
    #expect(fixture.call("test", "$", "--failed").code == 4)
    try fixture.remove(name)
    try fixture.write("\(name)/x", "")
    try fixture.write("c.json", failing)
    let outcome = fixture.call("test", "$")
    #expect(outcome.code == 1)
    #expect(
      outcome.messages.contains(": warning: cannot remember which tests failed, for '--failed'"))
  }

  @Test func withoutACacheNothingIsKept() throws {
    let fixture = try CommandFixture(["a.json": Fixture.scenario(startupMax: "6.1 s")])
    #expect(fixture.call("test", "$").code == 1)
    #expect(try fixture.names() == ["a.json"])
  }

  @Test func gitSaysWhatChanged() throws {
    let named = Fixture.scenario(link: "\"link.json\"")
    let fixture = try CommandFixture([
      "r/Scenarios/a.json": Fixture.playing, "r/Scenarios/b.json": Fixture.playing,
      "r/Scenarios/c d.json": named, "r/Scenarios/link.json": "{\"rate\": \"3.2 Mbit/s\"}",
    ])
    func git(_ words: String...) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      let who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
      process.arguments = ["git", "-C", fixture.path("r")] + who + words
      process.standardOutput = nil
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(words)")
    }
    try git("init", "-q", "-b", "main")
    try git("add", ".")
    try git("commit", "-q", "-m", "one")
    let none = fixture.call("test", "$/r/Scenarios", "--changed")
    #expect(none.code == 4)
    #expect(none.messages == "autowait: error: none of 3 scenarios has changed, by what git says\n")
    try fixture.write("r/Scenarios/b.json", Fixture.scenario(name: "other"))
    #expect(chosen(fixture, ["--changed"], in: "$/r") == ["b.json"])
    try fixture.write("r/Scenarios/link.json", "{\"rate\": \"3.3 Mbit/s\"}")
    #expect(chosen(fixture, ["--changed"], in: "$/r") == ["b.json", "c d.json"])
    try git("commit", "-q", "-a", "-m", "two")
    try fixture.write("r/Scenarios/new.json", Fixture.playing)
    #expect(chosen(fixture, ["--changed"], in: "$/r") == ["new.json"])
    #expect(chosen(fixture, ["--changed=HEAD~1"], in: "$/r") == ["b.json", "c d.json", "new.json"])
    try git("checkout", "-q", "-b", "side", "HEAD~1")
    // What only the other branch changed did not change here.
    #expect(chosen(fixture, ["--changed=main"], in: "$/r") == ["new.json"])
    for reference in ["nope", "--output=x", "a'b;c"] {
      let outcome = fixture.call("test", "$/r/Scenarios", "--changed=\(reference)")
      #expect(outcome.code == 2 && outcome.output == "", "\(outcome)")
    }
  }
}
