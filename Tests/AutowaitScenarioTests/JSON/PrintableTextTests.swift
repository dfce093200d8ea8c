import AutowaitScenario
import Testing

/// What of a text that somebody else wrote reaches people.
@Suite struct PrintableTextTests {
  private static let sign: Unicode.Scalar = "\u{FFFD}"

  /// Everything that moves a cursor, ends a line, hides itself or turns the direction of text.
  @Test(arguments: [
    ("C0, but for the tab", 0...8), ("line ends and escape", 0xA...0x1F),
    ("DEL and C1", 0x7F...0x9F),
    ("soft hyphen", 0xAD...0xAD), ("joiner of graphemes", 0x34F...0x34F),
    ("Arabic letter mark", 0x61C...0x61C), ("Hangul fillers", 0x115F...0x1160),
    ("zero width, and marks of direction", 0x200B...0x200F), ("separators", 0x2028...0x2029),
    ("embeddings and overrides", 0x202A...0x202E), ("invisible operators", 0x2060...0x2064),
    ("isolates", 0x2066...0x2069), ("a Hangul filler", 0x3164...0x3164),
    ("selectors of variations", 0xFE00...0xFE0D), ("byte order mark", 0xFEFF...0xFEFF),
    ("annotations", 0xFFF9...0xFFFB), ("tags", 0xE0001...0xE007F),
    ("more selectors", 0xE0100...0xE01EF),
  ])
  func nothingInvisibleStays(_ what: String, _ scalars: ClosedRange<UInt32>) {
    for value in scalars {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = "a" + String(scalar) + "b"
      #expect(Array(text.printable.unicodeScalars) == ["a", Self.sign, "b"], "\(what): \(value)")
      #expect(Array(text.printableLine.unicodeScalars) == ["a", Self.sign, "b"])
      if scalar != "\n" { #expect(text.printableLines() == "a\(Self.sign)b") }
    }
  }

  @Test(arguments: [
    "", "a ~", "é€𝄞", "数字", "e\u{301}", "\u{A0}", "❤\u{FE0F}", "\u{FFFD}", "\u{3000}x",
  ])
  func whatIsTextStays(_ text: String) {
    #expect(text.printable == text)
    #expect(text.printableLine == text)
    #expect(text.printableLines(keepsPaint: true) == text)
  }

  @Test(arguments: [
    ("::error::x", "\u{FFFD}:error::x"), ("  ::error::x", "  \u{FFFD}:error::x"),
    ("\u{3000}\u{A0}::x", "\u{3000}\u{A0}\u{FFFD}:x"), ("\t::x", " \u{FFFD}:x"),
    ("a::b", "a::b"), (":", ":"), ("::", "\u{FFFD}:"), (": :", ": :"),
    ("##[error]x", "\u{FFFD}#[error]x"), ("a ##[group]", "a \u{FFFD}#[group]"),
    ("##vso[task.x]", "\u{FFFD}#vso[task.x]"), ("##teamcity[x", "\u{FFFD}#teamcity[x"),
    ("###[x]", "#\u{FFFD}#[x]"), ("####[x]", "##\u{FFFD}#[x]"), ("## a [x]", "## a [x]"),
    ("##", "##"), ("#[x]", "#[x]"), ("\n::x", "\u{FFFD}::x"), ("a\r\n::x", "a\u{FFFD}\u{FFFD}::x"),
  ])
  func noLineIsACommand(_ text: String, _ expected: String) {
    #expect(Array(text.printableLine.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test(arguments: [
    ("a\n::x\n\n b ::y\n", "a\n\u{FFFD}:x\n\n b ::y\n", "a\n\u{FFFD}:x\n\n b ::y\n"),
    ("\u{1B}[31m::x\u{1B}[0m", "\u{FFFD}[31m::x\u{FFFD}[0m", "\u{1B}[31m\u{FFFD}:x\u{1B}[0m"),
    ("\u{1B}[1;2ma", "\u{FFFD}[1;2ma", "\u{1B}[1;2ma"), ("\u{1B}[2J", "\u{FFFD}[2J", "\u{FFFD}[2J"),
    ("\u{1B}]0;t\u{7}", "\u{FFFD}]0;t\u{FFFD}", "\u{FFFD}]0;t\u{FFFD}"),
    ("\u{1B}[31", "\u{FFFD}[31", "\u{FFFD}[31"), ("a\r\nb", "a\u{FFFD}\nb", "a\u{FFFD}\nb"),
  ])
  func linesStayLines(_ text: String, _ plain: String, _ painted: String) {
    #expect(Array(text.printableLines().unicodeScalars) == Array(plain.unicodeScalars))
    let kept = text.printableLines(keepsPaint: true)
    #expect(Array(kept.unicodeScalars) == Array(painted.unicodeScalars))
  }

  /// The line of the file that a finding shows, its path, its message and its notes.
  @Test func findingsAreLines() {
    let source = SourceText(path: "a\n::b.json", text: "x\n::set-output name=x::y\u{1B}\n")
    let finding = Finding(
      .error, "no '\n::x'", at: 4..<6, in: source, notes: ["a\n::y", "\r::z"])
    #expect(
      finding.rendered == """
        a\u{FFFD}::b.json:2:3: error: no '\u{FFFD}::x'
        \u{FFFD}:set-output name=x::y\u{FFFD}
          ^~
        note: a\u{FFFD}::y
        note: \u{FFFD}::z
        """)
  }
}
