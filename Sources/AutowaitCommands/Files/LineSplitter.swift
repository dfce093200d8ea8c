import AutowaitFiles

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Cuts bytes that come piece by piece into lines, none of which may be longer than a bound.
struct LineSplitter {
  /// A line that was read.
  enum Line: Hashable {
    /// A line with its end.
    case whole([UInt8])
    /// What stands at the end without the end of a line.
    case unfinished([UInt8])
    /// A line that is longer than the bound, of which nothing is kept.
    case tooLong
  }

  private static let end = UInt8(ascii: "\n")

  private let lineMax: Int
  private let more: () throws(Files.SystemProblem) -> [UInt8]
  private var bytes: [UInt8] = []
  /// Where the next line begins.
  private var start = 0
  /// Before this place there is no end of a line.
  private var searched = 0

  /// Creates a feed from a function that returns the next bytes, or none at the end.
  init(lineMax: Int, _ more: @escaping () throws(Files.SystemProblem) -> [UInt8]) {
    self.lineMax = lineMax
    self.more = more
  }

  /// The place of the next end of a line.
  private var endOfLine: Int? {
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress,
        let found = memchr(base + searched, Int32(Self.end), all.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Returns the next line; nil at the end.
  mutating func next() throws(Files.SystemProblem) -> Line? {
    var isTooLong = false
    while true {
      if let place = endOfLine {
        let line = bytes[start...place]
        start = place + 1
        searched = start
        return isTooLong || line.count > lineMax ? .tooLong : .whole(Array(line))
      }
      if bytes.count - start > lineMax {
        isTooLong = true
        start = bytes.count
      }
      bytes.removeFirst(start)
      start = 0
      searched = bytes.count
      let piece = try more()
      if piece.isEmpty {
        let rest = bytes
        bytes = []
        searched = 0
        if isTooLong { return .tooLong }
        return rest.isEmpty ? nil : .unfinished(rest)
      }
      bytes += piece
    }
  }
}
