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

  private var list: [(offset: Int, finding: Finding)] = []
  private var unlistedCount = 0
  private var positions = PositionFinder()

  /// Creates an empty collection for a file.
  package init(_ source: SourceText) {
    self.source = source
    merged = nil
  }

  /// Creates an empty collection for a text that was put together.
  init(_ merged: MergedText) {
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
    report(.error, message, at: range, notes)
  }

  /// Reports a warning about a range of bytes.
  package func warning(_ message: String, at range: Range<Int>, notes: [String] = []) {
    report(.warning, message, at: range, notes)
  }

  /// Reports an error about a value.
  package func error(_ message: String, at value: JSONValue, notes: [String] = []) {
    report(.error, message, at: value.range, notes)
  }

  /// Reports an error about a string in the place of which another one was probably meant.
  func error(_ message: String, at value: JSONValue, notes: [String], meant: String?) {
    let correction = meant.map { word in
      TextCorrection(range: value.range, text: JSONWriter.text { $0.string(text: word) })
    }
    report(.error, message, at: value.range, notes, correction)
  }

  /// Reports a warning about a value.
  package func warning(_ message: String, at value: JSONValue, notes: [String] = []) {
    report(.warning, message, at: value.range, notes)
  }

  /// Reports that the text is not JSON.
  package func report(_ error: JSONError) {
    var notes: [String] = []
    if let note = error.note { notes = ["\(note.message) at \(position(of: note.offset))"] }
    report(.error, error.message, at: error.range, notes)
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
  func line(of range: Range<Int>) -> Int {
    guard let merged else { return position(of: range.lowerBound).line }
    guard let origin = merged.origin(of: range), origin.source.path == source.path else { return 1 }
    return origin.source.position(of: origin.range.lowerBound).line
  }

  /// Whether further findings are only counted, so that none needs a note.
  var isFull: Bool { list.count >= Findings.countMax }

  /// All findings in the order of the text, those of one place in the order of reporting.
  package var sorted: [Finding] {
    var ordered = list.indices.sorted { (list[$0].offset, $0) < (list[$1].offset, $1) }
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

  private func report(
    _ severity: Finding.Severity, _ message: String, at range: Range<Int>, _ notes: [String],
    _ correction: TextCorrection? = nil
  ) {
    if severity == .error { hasErrors = true }
    guard !isFull else {
      unlistedCount += 1
      return
    }
    if let merged {
      list.append(
        (range.lowerBound, finding(severity, message, range, (notes, correction), in: merged)))
      return
    }
    let finding = Finding(
      severity, message, at: range, position: position(of: range.lowerBound), in: source,
      notes: notes, correction: correction)
    list.append((range.lowerBound, finding))
  }

  /// Makes a finding about the file that a part of a text came from.
  private func finding(
    _ severity: Finding.Severity, _ message: String, _ range: Range<Int>,
    _ help: (notes: [String], correction: TextCorrection?), in merged: MergedText
  ) -> Finding {
    guard let origin = merged.origin(of: range) else {
      return Finding(severity, message, path: source.path, notes: help.notes)
    }
    // Only what is spelled as it was there can be corrected there.
    let corrected = help.correction.flatMap { correction in
      origin.range.count == correction.range.count
        ? TextCorrection(range: origin.range, text: correction.text) : nil
    }
    return Finding(
      severity, message, at: origin.range,
      position: origin.source.position(of: origin.range.lowerBound), in: origin.source,
      notes: help.notes, correction: corrected)
  }
}
