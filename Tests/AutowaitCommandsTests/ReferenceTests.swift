import Autowait
import AutowaitScenario
import Foundation
import Testing

/// The articles name all there is, and no more.
@Suite struct ReferenceTests {
  private static func scenario(
    _ fields: String = "\"about\": \"\"", link: String = "\"demo/fast\"", media: String = "[]"
  ) -> String {
    "{\"link\": \(link), \"media\": \(media), \(fields)}"
  }

  @Test func everyKeyIsDescribed() {
    let kinds = SchemaWriter.kinds(in: .object { ScenarioKeys.object })
    #expect(kinds.count > 80)
    for kind in kinds where !kind.name.hasPrefix("comparisonOf_") {
      for row in kind.keys + kind.cases.flatMap(\.keys) {
        expectDescribed(row.name, "a key of \(kind.subject)")
      }
    }
  }

  /// The article is printed by the tool, which asks the readers.
  ///
  /// With `AUTOWAIT_RECORD=all` in the environment, and without `CI`, it is written again.
  @Test func theReferenceIsWhatTheToolPrints() throws {
    let outcome = try CommandFixture().call("manual", "scenario")
    #expect(outcome.code == 0)
    let path = "Sources/Autowait/Autowait.docc/scenario-reference.md"
    let isSame = MarkdownDocument.read(path) == outcome.output
    #expect(isSame, "\(path) is not what 'autowait manual scenario' prints: AUTOWAIT_RECORD=all")
    if DocumentTests.records, !isSame {
      try Data(outcome.output.utf8).write(to: MarkdownDocument.url(path))
    }
  }

  /// Each key that a file may have has one row for each object that may have it, with a meaning.
  @Test func theReferenceHasEveryKey() {
    var sections: [String: [String]] = [:]
    var name = ""
    for line in MarkdownDocument.article("scenario-reference").prose {
      if line.hasPrefix("## ") { name = String(line.dropFirst(3)) }
      guard line.hasPrefix("| `") else { continue }
      let cells = line.split(separator: " | ", omittingEmptySubsequences: false)
      #expect(cells.count == 4 && cells[1] != "" && cells[3] != " |", "\(line)")
      sections[name, default: []].append(String(cells[0].dropFirst(3).dropLast()))
    }
    let kinds = SchemaWriter.kinds(in: .object { ScenarioKeys.object })
    for kind in kinds where !kind.name.hasPrefix("comparisonOf_") {
      let keys = Set((kind.keys + kind.cases.flatMap(\.keys)).map(\.name))
      let rows = (sections[kind.name] ?? []).filter { $0 != "NAME" }
      #expect(Set(rows) == keys && rows.count == keys.count, "\(kind.name)")
    }
  }

  /// The tables of the guide name no key that there is not, and no default that is another one.
  @Test func theGuideAgreesWithTheReference() throws {
    let printed = try CommandFixture().call("list", "keys", "--format", "json").output
    let root = try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any]
    var standards: [String: Set<String>] = [:]
    for section in try #require(root?["keys"] as? [[String: Any]]) {
      for key in try #require(section["keys"] as? [[String: Any]]) {
        let name = try #require(key["name"] as? String)
        standards[name, default: []].insert(key["default"] as? String ?? "")
      }
    }
    var (head, count) = (Substring(), 0)
    var last = Substring()
    for line in MarkdownDocument.article("writing-a-scenario").prose {
      if line.hasPrefix("|--") { head = last }
      last = Substring(line)
      guard line.hasPrefix("| `"), head.hasPrefix("| key") else { continue }
      let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
      let keys = cells[0].split(separator: "`").filter { $0 != ", " }.map(String.init)
      for key in keys where !key.contains(".") {
        #expect(standards[key] != nil, "no file has the key '\(key)'")
      }
      // What has one default wherever it stands is said to have that.
      guard head.hasSuffix("default |"), keys.count == 1, let known = standards[keys[0]],
        known.count == 1, let standard = known.first, standard != "", cells.count == 3
      else { continue }
      count += 1
      let isSame = Self.spellings(of: standard).contains { cells[2].contains($0) }
      #expect(isSame, "the default of '\(keys[0])' is \(standard), not \(cells[2])")
    }
    #expect(count > 60)
  }

  /// How a default may be spelled for people: with a unit, in percent, or as its value.
  private static func spellings(of standard: String) -> [String] {
    let bare = standard.filter { $0 != "\"" }
    guard let number = Double(bare) else { return [bare] + (bare == "0 s" ? ["0"] : []) }
    let grouped = bare.reversed().enumerated().map { index, digit in
      index > 0 && index % 3 == 0 ? "\(digit)," : "\(digit)"
    }
    return [
      bare, grouped.reversed().joined(), "\(Int(number * 100)) %", "\(Int(number / 1_048_576)) MiB",
    ]
  }

  @Test func everyWordOfAConditionIsDescribed() throws {
    let scenario = Self.scenario("\"heuristic\": {\"rule\": {\"start\": \"?\"}}")
    let fixture = try CommandFixture(["x.json": scenario])
    let lines = fixture.call("check", "$/x.json").messages.split(separator: "\n")
    let message = lines.first { $0.contains("or an object of conditions") } ?? ""
    let words = message.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }
    #expect(words.count == 6)
    for word in words { expectDescribed(String(word.element), "a condition") }
  }

  @Test func everyActionAndItsKeysAreDescribed() {
    let actions = known(in: Self.scenario("\"script\": [{\"at\": 0, \"do\": \"?\"}]"))
    #expect(actions.count > 10)
    for action in actions {
      expectDescribed(action, "an action")
      let step = "{\"at\": 0, \"do\": \"\(action)\", \"?\": 1}"
      for key in known(in: Self.scenario("\"script\": [\(step)]")) {
        expectDescribed(key, "a key of \(action)")
      }
    }
  }

  @Test func everyPropertyHasARow() {
    let rows = MarkdownDocument.article("writing-a-scenario").rows
    for property in Property.allCases {
      #expect(rows.contains { $0.key == property.rawValue }, "\(property) has no row")
    }
    for reason in FinishReason.allCases { expectDescribed("\(reason.word)", "a way to finish") }
  }

  @Test func everyMetricHasItsDefinition() {
    let rows = MarkdownDocument.article("metrics").rows
    for metric in Metric.allCases {
      let row = rows.first { $0.key == metric.rawValue }
      #expect(row?.cells == [metric.definition], "\(metric) is defined otherwise")
    }
    let names = Metric.allCases.map(\.rawValue)
    let first = rows.prefix(names.count).map(\.key)
    #expect(first == names)
  }

  @Test func everyEventHasARow() {
    let rows = MarkdownDocument.article("keeping-runs-repeatable").rows
    for name in Event.names {
      let meaning = Event.meaning(of: name).map { "\($0)" }
      #expect(rows.contains { $0.key == name && $0.cells.first == meaning }, "\(name)")
    }
  }

  @Test func streamsGiveTheNumbersOfTheArticle() throws {
    var count = 0
    for line in MarkdownDocument.article("keeping-runs-repeatable").prose {
      let cells = line.split(separator: "|").map { $0.trimmingPrefix(" ") }
      guard cells.count == 4, let seed = UInt64(cells[0].dropLast()) else { continue }
      func name(_ cell: Substring) -> String {
        cell.contains("`") ? cell.split(separator: "`").first.map(String.init) ?? "" : ""
      }
      var stream = RandomStream(seed: seed, component: name(cells[1]), purpose: name(cells[2]))
      for word in cells[3].split(whereSeparator: { ", ".contains($0) }) {
        #expect(stream.next() == UInt64(word, radix: 16), "\(line)")
      }
      count += 1
    }
    #expect(count == 6)
  }

  @Test(arguments: ["README.md", "keeping-runs-repeatable.md"])
  func exitCodesAreThoseOfTheHelp(_ name: String) throws {
    let document = try #require(MarkdownDocument.all.first { $0.path.hasSuffix(name) })
    let help = try CommandFixture().call("--help").output
    let codes = help.split(separator: "exit codes:\n").last?.split(separator: "\n") ?? []
    #expect(codes.count == 7)
    for code in codes {
      let words = code.split(separator: " ", maxSplits: 1).map { $0.trimmingPrefix(" ") }
      #expect(document.prose.contains("| \(words[0]) | \(words[1]) |"), "\(name): \(code)")
    }
  }

  @Test func theReadmeHasARowForEachCommand() throws {
    let readme = try #require(MarkdownDocument.all.first { $0.path == "README.md" })
    let rows = readme.rows.map(\.key).filter { $0.hasPrefix("autowait ") }
    let overview = try CommandFixture().call("--help").output.components(separatedBy: "options:\n")[
      0]
    let commands = overview.components(separatedBy: "commands:\n").last?.split(separator: "\n")
    let usages = (commands ?? []).filter { !$0.hasPrefix("   ") }.map { line in
      "autowait " + line.dropFirst(2).components(separatedBy: "  ")[0]
    }
    #expect(usages.count >= 12)
    #expect(rows == usages)
  }

  /// What the guides for contributors name is there: files behind links, and scripts.
  @Test(arguments: ["CONTRIBUTING.md", "SECURITY.md"])
  func guidesNameWhatExists(_ name: String) throws {
    let text = try #require(MarkdownDocument.read(".github/\(name)"))
    var paths: [String] = []
    for part in text.components(separatedBy: "](").dropFirst() {
      paths.append(".github/" + part.prefix { $0 != ")" })
    }
    for part in text.components(separatedBy: ".ci/").dropFirst() {
      paths.append(".ci/" + part.prefix { $0.isLetter || $0 == "-" })
    }
    for path in paths where !path.contains("://") {
      let url = MarkdownDocument.url(path).standardized
      #expect(FileManager.default.fileExists(atPath: url.path), "\(name): \(path)")
    }
    let isSecurity = name == "SECURITY.md"
    #expect(isSecurity ? paths.isEmpty : paths.count >= 6)
  }

  @Test func everyArticleIsLinkedToTwice() throws {
    let readme = MarkdownDocument.all[0].prose.joined(separator: "\n")
    let start = MarkdownDocument.article("Autowait").prose.joined(separator: "\n")
    for document in MarkdownDocument.all.dropFirst() {
      let name = try #require(document.path.split(separator: "/").last?.dropLast(".md".count))
      if name == "Autowait" { continue }
      #expect(readme.contains("](\(document.path))"), "README.md has no link to \(document.path)")
      #expect(start.contains("<doc:\(name)>"), "Autowait.md has no link to \(document.path)")
    }
  }

  /// Returns the words that the reader would take instead of `?` in a scenario.
  private func known(in scenario: String) -> [String] {
    let source = SourceText(path: "x.json", bytes: Array(scenario.utf8))
    return ScenarioReader.read(source, loader: .none).findings
      .filter { $0.message.hasSuffix(" '?'") }.flatMap(\.choices)
  }

  /// Expects a word to stand as code, or as a part of code, in the article on scenarios.
  private func expectDescribed(
    _ word: String, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    // Options of rules stand with the simulators that they are from.
    let articles = ["writing-a-scenario", "other-simulators"].map { MarkdownDocument.article($0) }
    let spans = articles.flatMap(\.prose).flatMap { line in
      line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map(\.element)
    }
    let isDescribed = spans.contains { $0 == word || $0.contains("\"\(word)\"") }
    #expect(isDescribed, "\(what), '\(word)', is not described", sourceLocation: sourceLocation)
  }
}
