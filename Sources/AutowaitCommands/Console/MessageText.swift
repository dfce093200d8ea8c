import AutowaitRendering
import AutowaitScenario

/// The lines of messages as compilers print theirs, in colour where there is colour.
///
/// Whatever a file says, each line is printable, and none is a command to a CI server.
enum MessageText {
  /// Returns the lines of a finding.
  static func lines(_ finding: Finding, _ style: TextStyle) -> [String] {
    var lines = finding.lines.map { $0.printableLine }
    let notes = finding.notes.flatMap { note($0, style) }
    lines.removeLast(finding.notes.count)
    if lines.count > 2 {
      (lines[1], lines[2]) = narrowed(lines[1], mark: lines[2], to: style.width)
    }
    if style.usesColor {
      // Whatever made the line printable left each scalar one scalar.
      let head = lines[0].unicodeScalars
      let text = head.suffix(finding.message.unicodeScalars.count + 1)
      let word = "\(finding.severity.rawValue):"
      let place = head.dropLast(text.count + word.count)
      lines[0] =
        Paint.bold.painted(String(place)) + paint(finding.severity).painted(word)
        + Paint.bold.painted(String(text))
      if lines.count > 2 {
        let caret = lines[2].drop { $0 == " " }
        let margin = String(repeating: " ", count: lines[2].count - caret.count)
        lines[2] = margin + Paint.caret.painted(String(caret))
      }
    }
    return lines + notes
  }

  /// Cuts a line of a file and what is marked below it to the columns of the terminal, which would
  /// otherwise break the line, and leave the mark at another place.
  private static func narrowed(
    _ line: String, mark: String, to width: Int
  ) -> (line: String, mark: String) {
    let scalars = Array(line.unicodeScalars)
    if scalars.count <= width || width < 20 { return (line, mark) }
    let margin = mark.prefix { $0 == " " }.count
    var start = 0
    if margin + 10 > width { start = min(scalars.count - width, margin - width / 2) }
    var shown = scalars[start..<(start + width)]
    let dots = "...".unicodeScalars
    if start > 0 { shown.replaceSubrange(shown.startIndex..<(shown.startIndex + 3), with: dots) }
    if start + width < scalars.count {
      shown.replaceSubrange((shown.endIndex - 3)..<shown.endIndex, with: dots)
    }
    let marked = mark.dropFirst(margin).prefix(width - (margin - start))
    return (
      shown.reduce(into: "") { $0.unicodeScalars.append($1) },
      String(repeating: " ", count: margin - start) + marked
    )
  }

  /// Returns the line that says what is wrong, without a place in a file.
  static func error(_ text: String, by teller: String?, _ style: TextStyle) -> String {
    let head = teller.map { "\($0): " } ?? ""
    let line = "\(head)error: \(text)".printableLine
    if !style.usesColor { return line }
    return Paint.bold.painted(head) + Paint.error.painted("error:")
      + Paint.bold.painted(String(line.dropFirst(head.count + 6)))
  }

  /// Returns the lines of a note, which are no wider than the terminal.
  static func note(_ text: String, _ style: TextStyle) -> [String] {
    let head = "note:"
    var lines = [head]
    var filled = head.count
    for word in words(text.printable) {
      let columns = TerminalText.width(word)
      if filled > head.count, filled + 1 + columns > style.width {
        lines.append(String(repeating: " ", count: head.count))
        filled = head.count
      }
      lines[lines.count - 1] += " " + word
      filled += 1 + columns
    }
    lines = lines.map { $0.printableLine }
    if style.usesColor {
      lines[0] = Paint.note.painted(head) + lines[0].dropFirst(head.count)
    }
    return lines
  }

  private static func paint(_ severity: Finding.Severity) -> Paint {
    switch severity {
    case .error: .error
    case .warning: .warning
    }
  }

  /// The parts of a text at which it may be broken: its words, where what stands in quotation marks
  /// is one, since it may be a call to be copied.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var isOpen = false
    for part in text.split(separator: " ", omittingEmptySubsequences: false) {
      if isOpen {
        words[words.count - 1] += " " + part
      } else {
        words.append(String(part))
      }
      let marks = part.utf8.count { $0 == UInt8(ascii: "'") }
      let begins = part.drop { $0 == "(" }.first == "'"
      if isOpen || begins, !marks.isMultiple(of: 2) { isOpen.toggle() }
    }
    return words
  }
}
