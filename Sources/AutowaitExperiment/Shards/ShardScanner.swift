/// Holds the lines of a file against the trailers among them; rows are not read, only counted and
/// digested, so that a file of any length takes no memory.
///
/// A file has one shard or several, each with its trailer: what engines gather from workers is
/// several behind one another.
package struct ShardScanner {
  /// What a line begins with.
  enum Kind {
    case row(SessionKey)
    case trailer, worker, refusal, other
  }

  private var digest = RowDigest()
  /// Whether a worker said that it did all that it was told to, which may be nothing.
  private var hasWorker = false
  /// The shards that were found.
  package private(set) var trailers: [ShardTrailer] = []

  /// Creates a scanner for a file.
  package init() {}

  /// Takes a line with its end; returns the trailer if it is one, and says if the lines before it
  /// are not what it tells of.
  package mutating func take(_ line: [UInt8]) throws(RowError) -> ShardTrailer? {
    switch Self.kind(of: line) {
    case .row(let key):
      if let last = digest.last, key.number - 1 != last.number {
        throw RowError("session \(key.number) comes after session \(last.number)")
      }
      digest.add(line, key: key)
      return nil
    case .trailer:
      let trailer = try ShardTrailer(line: line)
      guard trailer.tells(of: digest) else {
        throw RowError("the rows do not match the trailer")
      }
      digest = RowDigest()
      trailers.append(trailer)
      return trailer
    case .worker:
      if digest.count > 0 { throw RowError("the trailer of a shard is missing") }
      hasWorker = true
      return nil
    case .refusal: throw RowError("a job was refused")
    case .other: throw RowError("the line is not a row")
    }
  }

  /// Says if the file ends where it must not.
  package func finish() throws(RowError) {
    if digest.count > 0 || trailers.isEmpty && !hasWorker {
      throw RowError("the trailer is missing")
    }
  }

  /// Tells a line by its beginning, which is always spelled in one way.
  static func kind(of line: [UInt8]) -> Kind {
    if line.starts(with: rowStart) {
      var number: Int64 = 0
      var index = rowStart.count
      while index < line.count, case let digit = line[index] &- UInt8(ascii: "0"), digit <= 9 {
        number = number * 10 + Int64(digit)
        if number > ExperimentPlan.sessionsMax { return .other }
        index += 1
      }
      let isNumber = index > rowStart.count && index < line.count
      return isNumber && line[index] == UInt8(ascii: ",") ? .row(SessionKey(Int(number))) : .other
    }
    if line.starts(with: trailerStart) { return .trailer }
    if line.starts(with: workerStart) { return .worker }
    return line.starts(with: lineStart) ? .refusal : .other
  }

  private static let rowStart = Array(#"{"key":"#.utf8)
  private static let trailerStart = Array(#"{"trailer":"#.utf8)
  private static let workerStart = Array(#"{"worker":"#.utf8)
  private static let lineStart = Array(#"{"line":"#.utf8)

  /// Returns whether a line is a row.
  package static func isRow(_ line: [UInt8]) -> Bool {
    if case .row = kind(of: line) { true } else { false }
  }
}
