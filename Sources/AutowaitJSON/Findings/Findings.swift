/// Collects all that is to be said about one input file.
///
/// Readers never stop at the first mistake: they report it here, go on with what else the file
/// holds, and their caller looks at ``hasErrors`` once at the end. It is a class because every
/// reader of one file reports to the same list; it stays on one thread.
package final class Findings {
  /// The most findings that are kept of one file; of the rest only their number is told.
  package static let countMax = 100

  /// The file that the findings are about.
  package let source: SourceText
  /// Where the parts of the file came from, if it was put together.
  private let merged: MergedText?
  /// Whether one of the findings is an error.
  package private(set) var hasErrors = false

  /// A key that an object lacks.
  private struct MissingKey: Equatable {
    /// Where the object begins.
    let object: Int
    let name: String
  }

  private var list: [(offset: Int, finding: Finding)] = []
  /// The keys that findings of the list call missing, each with the number of its finding.
  private var missing: [(key: MissingKey, number: Int)] = []
  /// The keys that were meant by unknown ones.
  private var mistyped: [MissingKey] = []
  /// The numbers of the findings about keys that were mistyped.
  private var forgiven: [Int] = []
  private var unlistedCount = 0
  private var positions = PositionFinder()

  /// Creates an empty collection for a file.
  package init(_ source: SourceText) {
    self.source = source
    merged = nil
  }

  /// Creates an empty collection for a text that was put together.
  package init(_ merged: MergedText) {
    source = merged.source
    self.merged = merged
  }

  /// Reads the file as JSON; returns its root, or nil after having reported why there is none.
  package func parseJSON(depthMax: Int = JSONDocument.depthMaxDefault) -> JSONValue? {
    do throws(JSONError) {
      return try JSONDocument(source, depthMax: depthMax).root
    } catch {
      report(error)
      return nil
    }
  }

  /// Reports an error about a range of bytes.
  package func error(_ message: String, at range: Range<Int>, notes: [String] = []) {
    report(Statement(.error, message, notes), at: range)
  }

  /// Reports a warning about a range of bytes.
  package func warning(_ message: String, at range: Range<Int>, notes: [String] = []) {
    report(Statement(.warning, message, notes), at: range)
  }

  /// Reports an error about a value.
  package func error(_ message: String, at value: JSONValue, notes: [String] = []) {
    report(Statement(.error, message, notes), at: value.range)
  }

  /// Reports an error about a string in the place of which another one was probably meant.
  package func error(
    _ message: String, at value: JSONValue, notes: [String], meant: String? = nil,
    choices: [String]
  ) {
    let correction = meant.map { word in
      TextCorrection(range: value.range, text: JSONWriter.text { $0.string(text: word) })
    }
    var statement = Statement(.error, message, notes)
    statement.correction = correction
    statement.choices = choices
    report(statement, at: value.range)
  }

  /// Reports that an object lacks a key, or one of some keys; not if an unknown key of it was meant
  /// as such a key, which is one mistake and is reported there.
  package func error(
    _ message: String, missing names: [String], in object: JSONValue, notes: [String] = []
  ) {
    let keys = names.map { MissingKey(object: object.opening.lowerBound, name: $0) }
    if keys.contains(where: { mistyped.contains($0) }) { return }
    let number = list.count
    error(message, at: object.opening, notes: notes)
    if list.count > number { missing += keys.map { (key: $0, number: number) } }
  }

  /// Whether an object was reported to lack a key.
  package func isMissing(_ name: String, in object: JSONValue) -> Bool {
    missing.contains { $0.key == MissingKey(object: object.opening.lowerBound, name: name) }
  }

  /// Takes note of what an unknown key of an object was meant to be; that it is missing is not
  /// reported.
  package func forgive(missing name: String, in object: JSONValue) {
    let key = MissingKey(object: object.opening.lowerBound, name: name)
    mistyped.append(key)
    for number in missing.filter({ $0.key == key }).map({ $0.number }) {
      forgiven.append(number)
    }
  }

  /// Reports a warning about a value.
  package func warning(_ message: String, at value: JSONValue, notes: [String] = []) {
    report(Statement(.warning, message, notes), at: value.range)
  }

  /// Reports that the text is not JSON.
  package func report(_ error: JSONError) {
    var notes: [String] = []
    if let note = error.note { notes = ["\(note.message) at \(position(of: note.offset))"] }
    if let help = error.help { notes.append(help) }
    report(Statement(.error, error.message, notes), at: error.range)
  }

  /// Returns the line and column of a byte of the file.
  package func position(of offset: Int) -> TextPosition {
    if let merged {
      let origin = merged.origin(of: offset..<offset + 1)
      return origin?.source.position(of: origin?.range.lowerBound ?? 0)
        ?? TextPosition(line: 1, column: 1)
    }
    let bytes = source.bytes
    return positions.position(of: offset, in: bytes.span)
  }

  /// Returns the line of the file on which something begins; the first one for what stands in
  /// another file.
  package func line(of range: Range<Int>) -> Int {
    guard let merged else { return position(of: range.lowerBound).line }
    guard let origin = merged.origin(of: range), origin.source.path == source.path else { return 1 }
    return origin.source.position(of: origin.range.lowerBound).line
  }

  /// Whether further findings are only counted, so that none needs a note.
  package var isFull: Bool { list.count >= Findings.countMax }

  /// All findings in the order of the text, those of one place in the order of reporting.
  package var sorted: [Finding] {
    var ordered = list.indices.filter { !forgiven.contains($0) }
      .sorted { (list[$0].offset, $0) < (list[$1].offset, $1) }
      .map { list[$0].finding }
    if unlistedCount > 0 {
      ordered.append(
        Finding(
          hasErrors ? .error : .warning, "\(unlistedCount) more findings are not listed",
          path: source.path))
    }
    return ordered
  }

  /// Takes over a finding about a file that this one includes; it is listed after this file's own.
  package func adopt(_ finding: Finding) {
    if finding.severity == .error { hasErrors = true }
    guard list.count < Findings.countMax else {
      unlistedCount += 1
      return
    }
    list.append((.max, finding))
  }

  /// What a finding says, wherever it stands.
  private struct Statement {
    let severity: Finding.Severity
    let message: String
    let notes: [String]
    var correction: TextCorrection?
    var choices: [String] = []

    init(_ severity: Finding.Severity, _ message: String, _ notes: [String]) {
      self.severity = severity
      self.message = message
      self.notes = notes
    }
  }

  private func report(_ statement: Statement, at range: Range<Int>) {
    if statement.severity == .error { hasErrors = true }
    guard !isFull else {
      unlistedCount += 1
      return
    }
    if let merged {
      list.append((range.lowerBound, finding(statement, range, in: merged)))
      return
    }
    let finding = Finding(
      statement.severity, statement.message, at: range,
      position: position(of: range.lowerBound), in: source, notes: statement.notes,
      correction: statement.correction, choices: statement.choices)
    list.append((range.lowerBound, finding))
  }

  /// Makes a finding about the file that a part of a text came from.
  private func finding(
    _ statement: Statement, _ range: Range<Int>, in merged: MergedText
  ) -> Finding {
    guard let origin = merged.origin(of: range) else {
      return Finding(
        statement.severity, statement.message, path: source.path, notes: statement.notes)
    }
    // Only what is spelled as it was there can be corrected there.
    let corrected = statement.correction.flatMap { correction in
      origin.range.count == correction.range.count
        ? TextCorrection(range: origin.range, text: correction.text) : nil
    }
    return Finding(
      statement.severity, statement.message, at: origin.range,
      position: origin.source.position(of: origin.range.lowerBound), in: origin.source,
      notes: statement.notes, correction: corrected, choices: statement.choices)
  }
}
