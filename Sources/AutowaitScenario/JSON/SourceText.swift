/// The bytes of one input file, with the means to say where in it something stands.
public struct SourceText: Hashable, Sendable {
  /// The path as the user wrote it; it opens each finding.
  public let path: String
  /// The bytes of the file, which need not be valid UTF-8.
  public let bytes: [UInt8]

  /// Creates a source from a path and what was read from it.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// Creates a source from text that is already in memory.
  public init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// Returns the line and column of a byte; linear in the offset.
  public func position(of offset: Int) -> TextPosition {
    var finder = PositionFinder()
    return finder.position(of: offset, in: bytes.span)
  }

  /// Returns the line that holds the start of a range, cut to what fits below a message.
  public func excerpt(around range: Range<Int>) -> SourceExcerpt {
    SourceExcerpt(bytes.span, around: range)
  }
}

/// A place in a text as people count: from one, in lines and Unicode scalars.
public struct TextPosition: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1; LF, CR and CR LF each end one.
  public let line: Int
  /// The column, from 1, in Unicode scalars.
  public let column: Int

  /// Creates a position from a line and a column.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Returns whether the left position comes first.
  public static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }

  /// The position as `line:column`.
  public var description: String { "\(line):\(column)" }
}

/// Finds the positions of many offsets in one text, cheaply when they come in order.
///
/// It remembers the last line found and walks on from there, so that a hundred findings in a
/// 100 MB file do not cost a hundred walks from the beginning.
struct PositionFinder {
  private var line = 1
  private var lineStart = 0

  /// Returns the line and column of a byte; an offset beyond the end counts as the end.
  mutating func position(of offset: Int, in text: Span<UInt8>) -> TextPosition {
    let target = min(max(offset, 0), text.count)
    if target < lineStart {
      walkBack(to: target, in: text)
    } else {
      walkForward(to: target, in: text)
    }
    var column = 1
    for index in lineStart..<target where !isContinuation(text[index]) { column += 1 }
    return TextPosition(line: line, column: column)
  }

  private mutating func walkForward(to target: Int, in text: Span<UInt8>) {
    for index in lineStart..<target where endsLine(text, index) {
      line += 1
      lineStart = index + 1
    }
  }

  private mutating func walkBack(to target: Int, in text: Span<UInt8>) {
    var index = lineStart - 1
    while index >= target {
      if endsLine(text, index) { line -= 1 }
      index -= 1
    }
    while index >= 0, !endsLine(text, index) { index -= 1 }
    lineStart = index + 1
  }
}

/// One line of source, made safe and short enough to print, and the columns to mark in it.
public struct SourceExcerpt: Hashable, Sendable {
  /// The longest line that is shown whole, in columns.
  public static let widthMax = 100

  /// The text of the line, or of a window of it.
  public let line: String
  /// The columns to mark, from 0, never empty.
  public let caret: Range<Int>

  init(_ text: Span<UInt8>, around range: Range<Int>) {
    let target = min(max(range.lowerBound, 0), text.count)
    var start = target
    while start > 0, !endsLine(text, start - 1) { start -= 1 }
    var end = target
    while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }

    let before = scalarCount(text, start..<target)
    let marked = scalarCount(text, target..<min(max(range.upperBound, target), end))
    let total = before + scalarCount(text, target..<end)
    let window = SourceExcerpt.window(total: total, caret: before)

    // Only the bytes of the window are decoded: a line may be 100 MB long.
    let first = skip(text, window.lowerBound, from: start)
    let last = skip(text, window.count, from: first)
    var shown = printable(text, first..<min(last, end))
    var caretStart = before - window.lowerBound
    if window.lowerBound > 0 {
      shown = "..." + shown
      caretStart += 3
    }
    let caretRoom = window.count - (before - window.lowerBound)
    if window.upperBound < total { shown += "..." }
    line = shown
    caret = caretStart..<caretStart + max(1, min(marked, caretRoom))
  }

  /// Chooses the columns to show of a line: all, or a window round the caret.
  private static func window(total: Int, caret: Int) -> Range<Int> {
    if total <= widthMax { return 0..<total }
    // Three columns at either end are for the dots that stand for what was cut.
    let body = widthMax - 6
    if caret < body - 20 { return 0..<body + 3 }
    let start = min(caret - body / 2, total - body - 3)
    return start..<min(start + body + (start + body + 3 >= total ? 3 : 0), total)
  }
}

/// Returns whether a byte is not the first of its scalar.
@inline(__always)
private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

/// Returns whether a line ends with the byte at an index; CR LF ends it once, at the LF.
@inline(__always)
private func endsLine(_ text: Span<UInt8>, _ index: Int) -> Bool {
  let byte = text[index]
  if byte == 0x0A { return true }
  return byte == 0x0D && !(index + 1 < text.count && text[index + 1] == 0x0A)
}

private func scalarCount(_ text: Span<UInt8>, _ range: Range<Int>) -> Int {
  var count = 0
  for index in range where !isContinuation(text[index]) { count += 1 }
  return count
}

/// Returns the offset that lies a number of scalars after another.
private func skip(_ text: Span<UInt8>, _ scalars: Int, from start: Int) -> Int {
  var index = start
  var left = scalars
  while index < text.count {
    if !isContinuation(text[index]) {
      if left == 0 { break }
      left -= 1
    }
    index += 1
  }
  return index
}

/// Decodes bytes for a terminal: one column for each scalar, and nothing that moves the cursor.
private func printable(_ text: Span<UInt8>, _ range: Range<Int>) -> String {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(range.count)
  for index in range { bytes.append(text[index]) }
  return String(decoding: bytes, as: UTF8.self).printable
}

extension String {
  /// The text with tabs as spaces, and U+FFFD for what would move the cursor, hide itself or
  /// turn the direction of the text: a finding must show what is there.
  var printable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.value {
      case 0x09: result.append(" ")
      case 0x00..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF:
        result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text as part of a message: printable, and not longer than a message can bear.
  var excerpt: String {
    let scalars = unicodeScalars.prefix(41)
    if scalars.count <= 40 { return printable }
    return String(String.UnicodeScalarView(scalars.prefix(37))).printable + "..."
  }
}
