import AutowaitScenario
import Testing

/// The article on complaints names scenarios that exist, and all that name a complaint.
@Suite struct ComplaintTableTests {
  /// The rows of the table: the complaint's number, and the paths of its scenarios.
  private static let rows: [(number: String, paths: [String])] = {
    MarkdownDocument.article("what-users-complain-of").prose.compactMap { line in
      let cells = line.split(separator: "|").map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      guard cells.count == 3, Int(cells[0]) != nil else { return nil }
      let paths = cells[2].split(separator: "`").map(String.init).filter { $0.contains("/") }
      return (cells[0], paths)
    }
  }()

  @Test func scenariosOfComplaintsExistAndExpectSomething() throws {
    let numbers = Array(6...40) + Array(44...53)
    #expect(Self.rows.map(\.number) == numbers.map { String($0) })
    for row in Self.rows {
      #expect(!row.paths.isEmpty)
      for path in row.paths {
        let text = try #require(MarkdownDocument.read("Scenarios/\(path).json"), "\(path)")
        #expect(text.contains("\"expect\""), "\(path)")
        #expect(MarkdownDocument.read("Scenarios/\(path).expected.log") != nil, "\(path)")
        guard let named = text.firstRange(of: "Complaint ") else { continue }
        let number = text[named.upperBound...].prefix { $0.isNumber }
        #expect(number == row.number, "\(path)")
      }
    }
  }

  @Test func theTableOfTheTitleCardIsOfItsScenarios() {
    let article = MarkdownDocument.article("what-users-complain-of")
    for done in TitleCardTests.all where !done.contains(.segments) {
      let path = "Scenarios/startup/title-card-\(done).json"
      let line = article.prose.first { $0.hasPrefix("| `\(done)` |") } ?? ""
      let seconds = line.split(separator: " ").dropFirst(3).first ?? ""
      let expected = "\"timeSpentInInitialStartup\", \"==\": \"\(seconds) s\""
      #expect(MarkdownDocument.read(path)?.contains(expected) == true, "\(done): \(seconds)")
    }
  }
}
