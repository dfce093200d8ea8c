/// What of a text that somebody else wrote may reach people: nothing that moves the cursor, hides
/// itself, turns the direction of the text, ends a line, or is a command to a CI server.
extension String {
  /// The text with tabs as spaces, and U+FFFD for what would move the cursor, end the line, hide
  /// itself or turn the direction of the text: readers must see what is there.
  ///
  /// Every scalar stays one scalar.
  package var printable: String {
    if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.printable }))
  }

  /// The text as a line of a message: printable, and no command to a CI server.
  ///
  /// A runner of GitHub takes a line for a command that begins with `::`, behind spaces or not, or
  /// that has `##[` anywhere; Azure Pipelines takes `##vso[` and TeamCity `##teamcity[`. The first
  /// of these characters becomes U+FFFD.
  package var printableLine: String {
    var scalars = Array(printable.unicodeScalars)
    Self.disarm(&scalars)
    return String(String.UnicodeScalarView(scalars))
  }

  /// Returns the text with each of its lines printable and no command, for texts of several lines;
  /// sequences that change the colour of text can be kept.
  package func printableLines(keepsPaint: Bool = false) -> String {
    var result = String.UnicodeScalarView()
    for (number, line) in unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).enumerated() {
      if number > 0 { result.append("\n") }
      var scalars = Array(line)
      var paint = keepsPaint ? Self.paint(in: scalars) : []
      for index in scalars.indices {
        if let range = paint.first, range.contains(index) {
          if index == range.upperBound - 1 { paint.removeFirst() }
        } else {
          scalars[index] = scalars[index].printable
        }
      }
      Self.disarm(&scalars)
      result.append(contentsOf: scalars)
    }
    return String(result)
  }

  /// The text as part of a message: printable, and not longer than a message can bear.
  package var excerpt: String {
    let scalars = unicodeScalars.prefix(41)
    if scalars.count <= 40 { return printable }
    return String(String.UnicodeScalarView(scalars.prefix(37))).printable + "..."
  }

  /// Takes from a line what makes it a command.
  private static func disarm(_ line: inout [Unicode.Scalar]) {
    var start = 0
    while start < line.count {
      if let end = paintEnd(line, start) {
        start = end
      } else if line[start].properties.isWhitespace {
        start += 1
      } else {
        break
      }
    }
    if start + 1 < line.count, line[start] == ":", line[start + 1] == ":" {
      line[start] = "\u{FFFD}"
    }
    for index in line.indices.dropLast(2) where line[index] == "#" && line[index + 1] == "#" {
      let behind = line[(index + 2)...].first { !$0.isASCII || !$0.properties.isAlphabetic }
      if behind == "[" { line[index] = "\u{FFFD}" }
    }
  }

  /// The sequences of a line that change the colour of text.
  private static func paint(in line: [Unicode.Scalar]) -> [Range<Int>] {
    line.indices.compactMap { index in paintEnd(line, index).map { index..<$0 } }
  }

  /// Returns where a sequence ends that changes the colour of text, if one begins at an index.
  private static func paintEnd(_ line: [Unicode.Scalar], _ start: Int) -> Int? {
    guard start + 2 < line.count, line[start] == "\u{1B}", line[start + 1] == "[" else {
      return nil
    }
    var end = start + 2
    while end < line.count, "0"..."9" ~= line[end] || line[end] == ";" { end += 1 }
    return end < line.count && line[end] == "m" ? end + 1 : nil
  }
}

extension Unicode.Scalar {
  /// The scalar as it may be shown; see ``Swift/String/printable``.
  var printable: Unicode.Scalar {
    if 0x20..<0x7F ~= value { return self }
    if self == "\t" { return " " }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: return "\u{FFFD}"
    default: break
    }
    // What chooses between a black sign and a coloured one does no harm; all else that is invisible
    // can hide words.
    let isHidden = properties.isDefaultIgnorableCodePoint && !(0xFE0E...0xFE0F ~= value)
    return isHidden ? "\u{FFFD}" : self
  }
}

extension StringProtocol {
  /// Returns whether a text occurs in this one, byte for byte.
  ///
  /// It stands for `contains`, which for texts is a part of regular expressions: Embedded Swift
  /// has none.
  package func holds(_ text: String) -> Bool {
    var rest = utf8[...]
    while let first = text.utf8.first, let at = rest.firstIndex(of: first) {
      if rest[at...].starts(with: text.utf8) { return true }
      rest = rest[rest.index(after: at)...]
    }
    return text.isEmpty
  }
}
