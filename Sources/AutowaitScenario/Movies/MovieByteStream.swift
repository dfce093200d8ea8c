/// Why a movie cannot be read, as the end of a sentence that begins with its path.
package struct MovieProblem: Error, Hashable {
  package let reason: String

  init(_ reason: String) {
    self.reason = reason
  }

  /// The file ends inside a box.
  static func ends(in type: MovieBoxType, at offset: Int64) -> MovieProblem {
    MovieProblem("ends in the box '\(type.name)' at byte \(offset)")
  }

  /// A box holds something that cannot be.
  static func wrong(_ box: MovieBox, _ what: String) -> MovieProblem {
    MovieProblem("has a box '\(box.type.name)' at byte \(box.offset) \(what)")
  }
}

/// The bytes of a movie, read once from the beginning as far as they are needed.
///
/// No more than a piece of the file is in memory beside what was taken.
struct MovieByteStream {
  private let source: ByteSource
  /// What was read last, and how much of it was taken.
  private var piece: [UInt8] = []
  private var taken = 0
  /// How many bytes of the file were taken or skipped.
  private(set) var offset: Int64 = 0

  init(_ source: ByteSource) {
    self.source = source
    source.isReadInParts = true
  }

  /// Returns the next bytes, fewer than asked for only at the end of the file.
  mutating func take(_ count: Int) throws(MovieProblem) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard try fill() else { break }
      let part = min(count - bytes.count, piece.count - taken)
      bytes += piece[taken..<taken + part]
      taken += part
    }
    if !bytes.isEmpty { source.onRead?(offset, bytes) }
    offset += Int64(bytes.count)
    return bytes
  }

  /// Passes over so many bytes, or over all that are left if those are fewer.
  mutating func skip(_ count: Int64) throws(MovieProblem) {
    var left = count
    while left > 0 {
      guard try fill() else { break }
      let part = Int(min(left, Int64(piece.count - taken)))
      taken += part
      left -= Int64(part)
    }
    offset += count - left
  }

  /// Returns whether there is a byte that was not taken.
  private mutating func fill() throws(MovieProblem) -> Bool {
    if taken < piece.count { return true }
    do throws(TraceError) {
      piece = try source.take()
    } catch {
      throw MovieProblem("cannot be read: \(error.findings.first?.message ?? "no reason is known")")
    }
    taken = 0
    return !piece.isEmpty
  }
}
