/// Reads a text line by line, and holds no more of it than a line and what was read with it.
///
/// A line ends with LF or CR LF. It is a class because a line is where it stands in the buffer,
/// and that belongs to nobody else.
final class LineReader {
  /// The longest line; none of the formats has lines that come near it.
  static let lineMax = 65_536
  /// As many lines in a row may bring the time no further; assumed.
  ///
  /// A text without an end, such as that of `yes`, is given up then.
  static let standstillMax = 100_000

  let path: String
  /// The number of the line, from 1; 0 before the first.
  private(set) var number = 0
  /// Where the line stands among the bytes, without its end.
  private(set) var line = 0..<0
  /// The bytes of the line, and more.
  private(set) var bytes: [UInt8] = []

  private let source: ByteSource
  /// How many lines in a row brought the time no further.
  private var standstill = 0
  /// Where the next line begins.
  private var next = 0
  /// How far the next line is known to have no end.
  private var searched = 0

  init(_ source: ByteSource) {
    self.source = source
    path = source.path
  }

  /// Moves on to the next line; returns whether there is one.
  func advance() throws(TraceError) -> Bool {
    while true {
      if let end = bytes[searched...].firstIndex(of: 0x0A) {
        begin(next..<end)
        next = end + 1
        searched = next
        return try checkLength()
      }
      searched = bytes.count
      if searched - next > Self.lineMax {
        begin(next..<searched)
        return try checkLength()
      }
      if try !readMore() { break }
    }
    if next == bytes.count { return false }
    begin(next..<bytes.count)
    next = bytes.count
    searched = next
    return try checkLength()
  }

  /// Moves on to the next line that is not blank; returns whether there is one.
  func advanceToText() throws(TraceError) -> Bool {
    while try advance() {
      if !isBlank { return true }
      try count(isLater: false)
    }
    return false
  }

  private func readMore() throws(TraceError) -> Bool {
    let more = try source.take()
    if more.isEmpty { return false }
    bytes.removeSubrange(..<next)
    searched -= next
    next = 0
    if bytes.isEmpty { bytes = more } else { bytes += more }
    return true
  }

  private func begin(_ range: Range<Int>) {
    number += 1
    line = range
    if number == 1, bytes[line].starts(with: ByteSource.byteOrderMark) {
      line = line.lowerBound + ByteSource.byteOrderMark.count..<line.upperBound
    }
    if !line.isEmpty, bytes[line.upperBound - 1] == 0x0D {
      line = line.lowerBound..<line.upperBound - 1
    }
  }

  private func checkLength() throws(TraceError) -> Bool {
    if line.count <= Self.lineMax { return true }
    throw error("the line is longer than \(Self.lineMax) bytes", at: line)
  }

  /// Counts a line that brings the time further, or does not; throws if too many do not.
  func count(isLater: Bool, max: Int = standstillMax) throws(TraceError) {
    standstill = isLater ? 0 : standstill + 1
    if standstill <= max { return }
    throw error("the time has not moved for \(max) lines", at: line)
  }

  /// Whether nothing but spaces stands in the line.
  var isBlank: Bool { bytes[line].allSatisfy(Self.isSpace) }

  /// The text of a part of the line.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Returns the error that something is wrong with a part of the line.
  func error(_ message: String, at range: Range<Int>, notes: [String] = []) -> TraceError {
    TraceError([finding(.error, message, at: range, notes: notes)])
  }

  /// Returns a finding about a part of the line.
  func finding(
    _ severity: Finding.Severity, _ message: String, at range: Range<Int>, notes: [String] = []
  ) -> Finding {
    let source = SourceText(path: path, bytes: Array(bytes[line]))
    let place = range.lowerBound - line.lowerBound..<range.upperBound - line.lowerBound
    let column = source.position(of: place.lowerBound).column
    return Finding(
      severity, message, at: place, position: TextPosition(line: number, column: column),
      in: source, notes: notes)
  }

  /// The parts of the line between spaces.
  func words() -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    for index in line {
      if Self.isSpace(bytes[index]) {
        if let begun = start { words.append(begun..<index) }
        start = nil
      } else if start == nil {
        start = index
      }
    }
    if let begun = start { words.append(begun..<line.upperBound) }
    return words
  }

  /// The parts of the line between separators, without spaces and quotation marks around them.
  func cells(_ separator: UInt8 = UInt8(ascii: ",")) throws(TraceError) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var index = line.lowerBound
    while true {
      let start = index
      var isQuoted = false
      while index < line.upperBound, isQuoted || bytes[index] != separator {
        if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
        index += 1
      }
      if isQuoted {
        throw error("the quotation marks are not closed in this line", at: start..<index)
      }
      cells.append(trimmed(start..<index))
      if index == line.upperBound { return cells }
      index += 1
    }
  }

  private func trimmed(_ cell: Range<Int>) -> Range<Int> {
    var (start, end) = (cell.lowerBound, cell.upperBound)
    while start < end, Self.isSpace(bytes[start]) { start += 1 }
    while start < end, Self.isSpace(bytes[end - 1]) { end -= 1 }
    let quote = UInt8(ascii: "\"")
    if end - start >= 2, bytes[start] == quote, bytes[end - 1] == quote {
      return start + 1..<end - 1
    }
    return start..<end
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
