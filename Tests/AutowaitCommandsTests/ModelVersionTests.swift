import Autowait
import AutowaitScenario
import Foundation
import Testing

/// The shipped golden logs are what the version of the model stands for.
///
/// `Tests/ModelVersion.txt` has the version and, for each golden log, the digest of its scenario
/// and the fingerprint of its run. A scenario that says something else may do something else; one
/// that says the same may not, unless the version is raised. `AUTOWAIT_RECORD=all` writes the file
/// again.
@Suite struct ModelVersionTests {
  private static let path = "Tests/ModelVersion.txt"

  /// What is known of a golden log.
  private struct Row: Hashable {
    let name: String
    let digest: String
    let fingerprint: String

    var text: String { "\(digest) \(fingerprint) \(name)" }
  }

  private static func member(_ key: String, _ line: Substring) throws -> String {
    let root = try JSONDocument(SourceText(path: "", text: String(line))).root
    return try #require(root.member(key)?.string)
  }

  /// Reads all golden logs.
  private static func golden() throws -> [Row] {
    let folder = MarkdownDocument.url("Scenarios").path
    let names = (FileManager.default.enumerator(atPath: folder)?.allObjects ?? [])
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".expected.log") }.sorted()
    return try names.map { name in
      let text = try #require(MarkdownDocument.read("Scenarios/\(name)"))
      let lines = text.split(separator: "\n")
      let (first, last) = (try #require(lines.first), try #require(lines.last))
      return Row(
        name: name, digest: try member("digest", first),
        fingerprint: try member("fingerprint", last))
    }
  }

  /// Returns the golden logs that have moved although their scenarios have not.
  private static func moved(from old: [Row], to new: [Row]) -> [String] {
    new.filter { row in
      old.contains {
        $0.name == row.name && $0.digest == row.digest && $0.fingerprint != row.fingerprint
      }
    }.map(\.name)
  }

  @Test func goldenLogsMoveOnlyWithTheVersion() throws {
    let rows = try Self.golden()
    #expect(rows.count > 100)
    let text =
      "model version \(Fixture.model)\n"
      + rows.map { $0.text + "\n" }.joined()
    if DocumentTests.records {
      try Data(text.utf8).write(to: MarkdownDocument.url(Self.path))
      return
    }
    let recorded = try #require(MarkdownDocument.read(Self.path)).split(separator: "\n")
    let known = recorded.dropFirst().map { line in
      let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
      return Row(name: parts[2], digest: parts[0], fingerprint: parts[1])
    }
    let record = "write \(Self.path) again with AUTOWAIT_RECORD=all"
    guard recorded.first == "model version \(Fixture.model)" else {
      Issue.record("the version of the model is \(Fixture.model); \(record)")
      return
    }
    let moved = Self.moved(from: known, to: rows)
    #expect(
      moved.isEmpty,
      """
      what happens has changed in scenarios that say the same as before: raise \
      Fixture.model by one, say in what-is-new.md what has changed, and \(record)
      """)
  }

  @Test func theNewsNamesTheVersion() throws {
    let news = try #require(MarkdownDocument.read("Sources/Autowait/Autowait.docc/what-is-new.md"))
    #expect(news.contains("this is version \(Fixture.model)."))
  }

  @Test func aFingerprintThatMovesIsFound() {
    let old = [Row(name: "a", digest: "1", fingerprint: "2")]
    #expect(Self.moved(from: old, to: old) == [])
    #expect(Self.moved(from: old, to: [Row(name: "a", digest: "1", fingerprint: "3")]) == ["a"])
    // Another scenario may do something else, and a new one is nobody's change.
    #expect(Self.moved(from: old, to: [Row(name: "a", digest: "2", fingerprint: "3")]) == [])
    #expect(Self.moved(from: old, to: [Row(name: "b", digest: "1", fingerprint: "3")]) == [])
  }
}
