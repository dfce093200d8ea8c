import AutowaitScenario
import Testing

/// Positions count lines and Unicode scalars from one; excerpts fit a terminal.
@Suite struct SourceTextTests {
  @Test(arguments: [
    ("an empty text", "»", 1, 1),
    ("the first byte", "»a", 1, 1),
    ("the end of a line", "ab»\nc", 1, 3),
    ("after a line feed", "ab\n»c", 2, 1),
    ("the end after a line feed", "ab\n»", 2, 1),
    ("after CR LF", "ab\r\n»c", 2, 1),
    ("between CR and LF", "ab\r»\nc", 1, 4),
    ("after a lone CR", "ab\r»c", 2, 1),
    ("after an empty line", "\n\n»", 3, 1),
    ("scalars count, not bytes", "é€𝄞»x", 1, 4),
    ("scalars count, not characters", "e\u{301}»x", 1, 3),
    ("a tab is one column", "\t»x", 1, 2),
  ])
  func position(_ name: String, _ marked: String, _ line: Int, _ column: Int) {
    let parts = marked.split(separator: "»", omittingEmptySubsequences: false)
    let source = SourceText(path: "", text: parts.joined())
    let position = source.position(of: parts[0].utf8.count)
    #expect(position == TextPosition(line: line, column: column), "\(name)")
  }

  /// Looking back and forth gives the same positions as looking from the start.
  @Test func positionsDoNotDependOnTheirOrder() {
    let source = SourceText(path: "", text: "ab\n\r\nc\rdé\n\nfgh")
    var random = SplitMix64(seed: 1)
    let findings = Findings(source)
    for _ in 0..<500 {
      let offset = Int(random.next() % UInt64(source.bytes.count + 1))
      #expect(findings.position(of: offset) == source.position(of: offset), "offset \(offset)")
    }
  }

  @Test func offsetsOutsideOfTheTextAreItsEnds() {
    let source = SourceText(path: "", text: "ab\nc")
    #expect(source.position(of: -1) == TextPosition(line: 1, column: 1))
    #expect(source.position(of: 99) == TextPosition(line: 2, column: 2))
  }

  @Test(arguments: [
    ("a whole line", "x\n  \"a\": »1«,\ny", "  \"a\": 1,", "       ^"),
    ("several columns", "»abc« d", "abc d", "^~~"),
    ("an empty range", "ab»«", "ab", "  ^"),
    ("a range over two lines ends with the first", "a »b c\nd« e", "a b c", "  ^~~"),
    ("a tab becomes a space", "\t»a«", " a", " ^"),
    ("no escape sequence reaches the terminal", "\u{1B}[31m»a«", "\u{FFFD}[31ma", "     ^"),
    ("nothing hides or turns", "\u{202E}»a«\u{FEFF}", "\u{FFFD}a\u{FFFD}", " ^"),
    ("scalars of several bytes", "é€»𝄞«", "é€𝄞", "  ^"),
    ("before CR LF", "a »b«\r\n", "a b", "  ^"),
  ])
  func excerpt(_ name: String, _ marked: String, _ line: String, _ caret: String) {
    let excerpt = excerpt(of: marked)
    #expect(excerpt.line == line, "\(name)")
    #expect(underline(excerpt) == caret, "\(name)")
  }

  /// Wherever the caret is in a line of any length, what is marked is shown below 101 columns.
  @Test func longLinesAreCut() {
    for length in [99, 100, 101, 102, 103, 150, 197, 250, 1_000] {
      for place in 0..<length {
        let letters = (0..<length).map { $0 == place ? "#" : "\($0 % 10)" }
        let source = SourceText(path: "", text: letters.joined())
        let excerpt = source.excerpt(around: place..<place + 1)
        let shown = Array(excerpt.line)
        #expect(shown.count <= SourceExcerpt.widthMax)
        #expect(shown.count >= min(length, SourceExcerpt.widthMax - 3))
        #expect(shown.firstIndex(of: "#") == excerpt.caret.lowerBound, "\(place) of \(length)")
        #expect(excerpt.caret.count == 1)
      }
    }
  }

  @Test func aLongRangeEndsWithTheWindow() {
    let source = SourceText(path: "", text: String(repeating: "a", count: 500))
    for start in [0, 50, 100, 450, 499] {
      let excerpt = source.excerpt(around: start..<500)
      #expect(excerpt.caret.upperBound <= excerpt.line.unicodeScalars.count)
    }
  }

  @Test func bytesThatAreNotUTF8AreShown() {
    let source = SourceText(path: "", bytes: [0x61, 0xFF, 0x62])
    #expect(source.excerpt(around: 1..<2).line == "a\u{FFFD}b")
  }

  private func excerpt(of marked: String) -> SourceExcerpt {
    let parts = marked.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "»" || $0 == "«" })
    let start = parts[0].utf8.count
    let source = SourceText(path: "", text: parts.joined())
    return source.excerpt(around: start..<start + parts[1].utf8.count)
  }

  private func underline(_ excerpt: SourceExcerpt) -> String {
    String(repeating: " ", count: excerpt.caret.lowerBound) + "^"
      + String(repeating: "~", count: excerpt.caret.count - 1)
  }
}
