/// The bytes of one input file, with the means to say where in it something stands.
package struct SourceText: Hashable, Sendable {
  /// The path as the user wrote it; it opens each finding.
  package let path: String
  /// The bytes of the file, which need not be valid UTF-8.
  package let bytes: [UInt8]

  /// Creates a source from a path and what was read from it.
  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// Creates a source from text that is already in memory.
  package init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// Returns the line and column of a byte; linear in the offset.
  package func position(of offset: Int) -> TextPosition {
    var finder = PositionFinder()
    return finder.position(of: offset, in: bytes.span)
  }

  /// Returns the line that holds the start of a range, cut to what fits below a message.
  package func excerpt(around range: Range<Int>) -> SourceExcerpt {
    SourceExcerpt(bytes.span, around: range)
  }
}

/// A place in a text as people count: from one, in lines and Unicode scalars.
package struct TextPosition: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// The line, from 1; LF, CR and CR LF each end one.
  package let line: Int
  /// The column, from 1, in Unicode scalars.
  package let column: Int

  /// Creates a position from a line and a column.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Returns whether the left position comes first.
  package static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }

  /// The position as `line:column`.
  package var description: String { "\(line):\(column)" }
}

/// Finds the positions of many offsets in one text, cheaply when they are near each other.
///
/// It walks on from the last offset in either direction, so that a hundred findings in a file of
/// 100 MB, be it all one line, do not cost a hundred walks from the beginning.
struct PositionFinder {
  private var offset = 0
  private var line = 1
  private var lineStart = 0
  /// The scalars that begin between the start of the line and the offset.
  private var scalars = 0

  /// Returns the line and column of a byte; an offset beyond the end counts as the end.
  mutating func position(of place: Int, in text: Span<UInt8>) -> TextPosition {
    let target = min(max(place, 0), text.count)
    if target < lineStart {
      walkBack(to: target, in: text)
    } else if target < offset {
      scalars -= scalarCount(text, target..<offset)
    } else {
      walkForward(to: target, in: text)
    }
    offset = target
    return TextPosition(line: line, column: scalars + 1)
  }

  private mutating func walkForward(to target: Int, in text: Span<UInt8>) {
    var counted = offset
    for index in offset..<target where endsLine(text, index) {
      line += 1
      lineStart = index + 1
      counted = lineStart
      scalars = 0
    }
    scalars += scalarCount(text, counted..<target)
  }

  private mutating func walkBack(to target: Int, in text: Span<UInt8>) {
    for index in target..<lineStart where endsLine(text, index) { line -= 1 }
    lineStart = target
    while lineStart > 0, !endsLine(text, lineStart - 1) { lineStart -= 1 }
    scalars = scalarCount(text, lineStart..<target)
  }
}

/// One line of source, made safe and short enough to print, and the columns to mark in it.
package struct SourceExcerpt: Hashable, Sendable {
  /// The longest line that is shown whole, in columns.
  package static let widthMax = 100

  /// The text of the line, or of a window of it.
  package let line: String
  /// The columns to mark, from 0, never empty.
  package let caret: Range<Int>

  init(_ text: Span<UInt8>, around range: Range<Int>) {
    // More bytes than these on either side are never shown: a line may be 100 MB long.
    let reach = 4 * (SourceExcerpt.widthMax + 1)
    let target = min(max(range.lowerBound, 0), text.count)
    var start = target
    while start > 0, target - start < reach, !endsLine(text, start - 1) { start -= 1 }
    var end = target
    while end < text.count, end - target < reach, text[end] != 0x0A, text[end] != 0x0D {
      end += 1
    }
    let before = printable(text, start..<target)
    let after = printable(text, target..<end)
    let marked = printable(text, target..<max(target, min(range.upperBound, end))).count

    let (left, right) = SourceExcerpt.window(before.count, after.count)
    let opening = left < before.count ? "..." : ""
    let closing = right < after.count ? "..." : ""
    line =
      opening + SourceExcerpt.text(before.suffix(left))
      + SourceExcerpt.text(after.prefix(right)) + closing
    let column = opening.utf8.count + left
    caret = column..<column + max(1, min(marked, right))
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  /// Returns how many columns to show before and after the start of the caret.
  ///
  /// Three columns at each end that is cut are for dots.
  private static func window(_ before: Int, _ after: Int) -> (left: Int, right: Int) {
    if before + after <= widthMax { return (before, after) }
    if before <= widthMax * 3 / 4 { return (before, widthMax - 3 - before) }
    if after <= widthMax / 2 { return (widthMax - 3 - after, after) }
    return (widthMax / 2 - 3, widthMax / 2 - 3)
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

/// Decodes bytes for a terminal: one column for each scalar, and nothing that moves the cursor.
private func printable(_ text: Span<UInt8>, _ range: Range<Int>) -> [Unicode.Scalar] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(range.count)
  for index in range { bytes.append(text[index]) }
  return Array(String(decoding: bytes, as: UTF8.self).printable.unicodeScalars)
}
