/// A piece of a file, and what should stand in its place.
package struct TextCorrection: Hashable, Sendable {
  package let range: Range<Int>
  package let text: String
}

/// Something to tell the user about an input file, and the place in it.
public struct Finding: Error, Hashable, CustomStringConvertible {
  /// How bad a finding is.
  public enum Severity: String, CaseIterable, Hashable, Sendable {
    /// The file cannot be used.
    case error
    /// The result should be looked at before it is trusted.
    case warning
  }

  /// How bad it is.
  public let severity: Severity
  /// The path of the file as the user wrote it.
  public let path: String
  /// The line from 1, or 0 when the finding is about the file as a whole.
  public let line: Int
  /// The column from 1, in Unicode scalars, or 0.
  public let column: Int
  /// What is the matter, in lower case and without a full stop.
  public let message: String
  /// The line of the source, or a window of a long one; empty without a place.
  package let sourceLine: String
  /// The columns of `sourceLine`, from 0, that the finding is about.
  package let caret: Range<Int>
  /// What helps: the nearest valid word, the other place.
  public let notes: [String]
  /// What would mend it, where there is little doubt.
  package let correction: TextCorrection?
  /// All words that are accepted in the place of an unknown one; a note lists few of them.
  package let choices: [String]

  /// Creates a finding about a range of bytes.
  package init(
    _ severity: Severity, _ message: String, at range: Range<Int>, in source: SourceText,
    notes: [String] = [], choices: [String] = []
  ) {
    let position = source.position(of: range.lowerBound)
    self.init(
      severity, message, at: range, position: position, in: source, notes: notes, choices: choices)
  }

  /// Creates a finding about a range of bytes whose position is known already.
  package init(
    _ severity: Severity, _ message: String, at range: Range<Int>, position: TextPosition,
    in source: SourceText, notes: [String], correction: TextCorrection? = nil,
    choices: [String] = []
  ) {
    let excerpt = source.excerpt(around: range)
    self.severity = severity
    path = source.path
    line = position.line
    column = position.column
    self.message = message
    sourceLine = excerpt.line
    caret = excerpt.caret
    self.notes = notes
    self.correction = correction
    self.choices = choices
  }

  /// Creates a finding about a file as a whole, such as one that cannot be read.
  package init(_ severity: Severity, _ message: String, path: String, notes: [String] = []) {
    self.severity = severity
    self.path = path
    line = 0
    column = 0
    self.message = message
    sourceLine = ""
    caret = 0..<0
    self.notes = notes
    correction = nil
    choices = []
  }

  /// The finding as compilers print theirs, with no line end after the last line.
  ///
  ///     demo/x.json:4:3: error: unknown key 'playr'
  ///       "playr": {
  ///       ^~~~~~~
  ///     note: did you mean 'player'?
  ///
  /// Whatever the file says, each line is printable, and none is a command to a CI server.
  public var rendered: String { lines.joined(separator: "\n") }

  /// The finding as compilers print theirs.
  public var description: String { rendered }

  /// The lines of the finding as compilers print theirs.
  package var lines: [String] {
    var head = path
    if line > 0 { head += ":\(line):\(column)" }
    var lines = [head + ": \(severity.rawValue): \(message)"]
    if line > 0 {
      let margin = String(repeating: " ", count: caret.lowerBound)
      lines.append(sourceLine)
      lines.append(margin + "^" + String(repeating: "~", count: max(caret.count - 1, 0)))
    }
    return (lines + notes.map { "note: \($0)" }).map { $0.printableLine }
  }
}
