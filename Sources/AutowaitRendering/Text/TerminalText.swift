import AutowaitScenario

/// How a piece of text stands out where colours are used.
package enum Paint {
  case plain, dim, bold, red, green, yellow
  /// How compilers paint the words `error:`, `warning:` and `note:`, and carets.
  case error, warning, note, caret

  /// The escape sequence that begins the paint; nil for plain text.
  fileprivate var opening: String? {
    switch self {
    case .plain: nil
    case .dim: "\u{1B}[2m"
    case .bold: "\u{1B}[1m"
    case .red: "\u{1B}[31m"
    case .green: "\u{1B}[32m"
    case .yellow: "\u{1B}[33m"
    case .error: "\u{1B}[1;31m"
    case .warning: "\u{1B}[1;33m"
    case .note: "\u{1B}[1;36m"
    case .caret: "\u{1B}[1;32m"
    }
  }

  /// Returns a text between the sequences that begin and end the paint.
  package func painted(_ text: String) -> String {
    opening.map { $0 + text + "\u{1B}[0m" } ?? text
  }
}

/// A piece of a line in one paint.
package struct PaintedText {
  var text: String
  var paint = Paint.plain

  package init(_ text: String, _ paint: Paint = .plain) {
    self.text = text
    self.paint = paint
  }
}

/// Lines of text for a terminal, none of them wider than it.
package struct TextPage {
  let style: TextStyle
  package private(set) var text = ""

  package init(_ style: TextStyle) {
    self.style = style
  }

  /// The columns that a line may fill.
  package var width: Int { style.width }

  /// Adds an empty line, unless the page is empty or ends in one.
  package mutating func separate() {
    if !text.isEmpty, !text.hasSuffix("\n\n") { text += "\n" }
  }

  /// Adds a line; what does not fit is cut, spaces at its end are left out.
  package mutating func line(_ pieces: [PaintedText]) {
    var room = width
    var shown: [PaintedText] = []
    for piece in pieces where room > 0 {
      let fitting = TerminalText.prefix(TerminalText.safe(piece.text), columns: room)
      room -= TerminalText.width(fitting)
      shown.append(PaintedText(fitting, piece.paint))
    }
    while let last = shown.last {
      let trimmed = TerminalText.withoutTrailingSpaces(last.text)
      shown.removeLast()
      if !trimmed.isEmpty {
        shown.append(PaintedText(trimmed, last.paint))
        break
      }
    }
    for piece in shown {
      let shownText = TerminalText.withoutTies(piece.text)
      text += style.usesColor ? piece.paint.painted(shownText) : shownText
    }
    text += "\n"
  }

  /// Adds a line of one paint.
  package mutating func line(_ text: String, _ paint: Paint = .plain) {
    line([PaintedText(text, paint)])
  }

  /// Adds text after a head; what does not fit goes on below, in line with where the text began.
  ///
  /// A head that is longer than the indent, or leaves too little room for words, has its text
  /// below itself.
  package mutating func paragraph(
    _ head: [PaintedText], _ text: String, indent: Int? = nil, _ paint: Paint = .plain
  ) {
    let headWidth = head.reduce(0) { $0 + TerminalText.width($1.text) }
    let indent = indent ?? headWidth
    let isNarrow = width - indent < 16 && TerminalText.width(text) > width - indent
    let isBelow = headWidth > indent || isNarrow
    let hanging = isNarrow ? min(4, width / 4) : indent
    let lines = TerminalText.wrapped(text, columns: width - hanging)
    let margin = TerminalText.spaces(hanging)
    if isBelow || lines.isEmpty { line(head) }
    for (number, part) in lines.enumerated() {
      let start = number == 0 && !isBelow ? head : [PaintedText(margin)]
      line(start + [PaintedText(part, paint)])
    }
  }
}

/// What text does to a terminal: how wide it is, and what must not reach it.
package enum TerminalText {
  /// A space at which no line is broken.
  static let tie = "\u{A0}"

  /// Returns a text with its ties as spaces.
  package static func withoutTies(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0xA0 ? " " : $0 }))
  }

  /// Returns the text printable and on one line, with spaces for line ends.
  package static func safe(_ text: String) -> String {
    let lineEnds = "\n\r\u{85}\u{2028}\u{2029}".unicodeScalars
    let line = text.unicodeScalars.map { lineEnds.contains($0) ? " " : $0 }
    return String(String.UnicodeScalarView(line)).printable
  }

  /// Returns the columns that a text fills in a terminal, as far as it can be told.
  package static func width(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E, 0x2500...0x25FF: return 1
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark: return 0
      default: return 1
      }
    }
  }

  /// Returns as much of the start of a text as fits.
  static func prefix(_ text: String, columns: Int) -> String {
    if width(text) <= columns { return text }
    var result = ""
    var filled = 0
    for character in text {
      let own = width(String(character))
      if filled + own > columns { break }
      filled += own
      result.append(character)
    }
    return result
  }

  /// Returns a text that fits, with an ellipsis where its end was cut.
  package static func shortened(_ text: String, columns: Int) -> String {
    width(text) <= columns ? text : prefix(text, columns: max(0, columns - 1)) + "…"
  }

  /// Returns a text filled up with spaces behind it.
  package static func padded(_ text: String, columns: Int) -> String {
    text + spaces(columns - width(text))
  }

  /// Returns a text filled up with spaces before it.
  static func rightAligned(_ text: String, columns: Int) -> String {
    spaces(columns - width(text)) + text
  }

  /// Returns so many spaces; none for a negative number.
  package static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  /// Returns a text without the spaces at its end.
  package static func withoutTrailingSpaces(_ text: String) -> String {
    var result = text[...]
    while result.last == " " || result.last == "\u{A0}" { result.removeLast() }
    return String(result)
  }

  /// Returns rows as lines whose cells stand one below the other: texts begin in one column, and
  /// what else there is ends in one.
  package static func table(
    _ rows: [[String]], gap: String = "  ", isText: (_ column: Int) -> Bool
  ) -> [String] {
    let columns = rows.first.map { Array($0.indices) } ?? []
    let widths = columns.map { column in rows.reduce(0) { max($0, width($1[column])) } }
    return rows.map { row in
      columns.map { column in
        isText(column)
          ? padded(row[column], columns: widths[column])
          : rightAligned(row[column], columns: widths[column])
      }.joined(separator: gap)
    }
  }

  /// The same; texts of one column are abridged where lines would not fit otherwise.
  package static func table(
    _ rows: [[String]], fitting most: Int, byAbridging column: Int, isText: (_ column: Int) -> Bool
  ) -> [String] {
    let lines = table(rows, isText: isText)
    let excess = lines.reduce(0) { max($0, width(withoutTrailingSpaces($1))) } - most
    guard excess > 0 else { return lines }
    let longest = rows.reduce(0) { max($0, width($1[column])) }
    var rows = rows
    for place in rows.indices {
      rows[place][column] = abridged(rows[place][column], columns: max(8, longest - excess))
    }
    return table(rows, isText: isText)
  }

  /// Returns a text that fits, with an ellipsis for what its middle was.
  static func abridged(_ text: String, columns: Int) -> String {
    if width(text) <= columns { return text }
    let head = prefix(text, columns: columns / 2)
    var tail = ""
    for character in text.reversed() {
      if width(head) + 1 + width(tail) + width(String(character)) > columns { break }
      tail = String(character) + tail
    }
    return head + "…" + tail
  }

  /// Returns the lines of a text that is broken at spaces, or within a word that fits no line.
  package static func wrapped(_ text: String, columns: Int) -> [String] {
    let room = max(2, columns)
    var lines: [String] = []
    var line = ""
    var filled = 0
    for word in text.split(separator: " ") {
      var rest = String(word)
      var needed = width(rest)
      if filled > 0, filled + 1 + needed <= room {
        line += " " + rest
        filled += 1 + needed
        continue
      }
      if filled > 0 { lines.append(line) }
      while needed > room {
        let part = prefix(rest, columns: room)
        // A character wider than a line can only be cut by the page.
        if part.isEmpty { break }
        lines.append(part)
        rest = String(rest.dropFirst(part.count))
        needed = width(rest)
      }
      line = rest
      filled = needed
    }
    if filled > 0 { lines.append(line) }
    return lines
  }
}
