import Testing

/// Texts with everything in them that must not reach people, and what is looked for in what does.
enum HostileText {
  /// A name that ends its line, begins commands, drives a terminal, hides and turns.
  static let name =
    "h\n::set-output name=x::y\r\n  ::z##[error]##vso[x]\u{1B}[2J\u{1B}]0;t\u{7}\u{9B}31m\u{7F}"
    + "\u{202E}\u{2066}\u{200B}\u{FEFF}\u{61C}\u{85}\u{2028}::q"
  /// The name as JSON spells it.
  static let json =
    #"h\n::set-output name=x::y\r\n  ::z##[error]##vso[x]\u001b[2J\u001b]0;t\u0007\u009b31m\u007f"#
    + #"\u202e\u2066\u200b\ufeff\u061c\u0085\u2028::q"#
  /// The name as what a file can hold where lines have a meaning.
  static let inline =
    "h::x##[error]\u{1B}[2J\u{1B}]0;t\u{7}\u{9B}31m\u{7F}\u{202E}\u{2066}\u{200B}\u{FEFF}\u{61C}"
    + "\u{2028}"
  /// The name as one of a file.
  static let file = "h\n::set-env\r\u{1B}[2J\u{9B}\u{7F}\u{202E}##[x]"

  /// Returns what is wrong with what people are shown, if anything is; lines may begin as
  /// annotations do where the tool itself makes some.
  static func problem(in text: String, annotates: Bool = false) -> String? {
    for line in text.unicodeScalars.split(separator: "\n") {
      let shown = String(String.UnicodeScalarView(line))
      for scalar in line {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator:
          return "U+\(String(scalar.value, radix: 16)) in a line: \(shown.debugDescription)"
        default: break
        }
      }
      let start = line.drop { $0.properties.isWhitespace }
      if annotates, shown.hasPrefix("::error file=") { continue }
      for mark in ["::", "##[", "##vso["] where start.starts(with: mark.unicodeScalars) {
        return "a line begins with \(mark): \(shown.debugDescription)"
      }
      for mark in ["##[", "##vso["] where shown.contains(mark) {
        return "a line has \(mark): \(shown.debugDescription)"
      }
    }
    return nil
  }

  /// Checks what people are shown of a call.
  static func check(
    _ call: CommandFixture.Call, annotates: Bool = false, _ comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for text in [call.output, call.messages] {
      let problem = problem(in: text, annotates: annotates)
      #expect(problem == nil, "\(comment)", sourceLocation: sourceLocation)
    }
  }
}
