import AutowaitExperiment
import AutowaitFiles
import AutowaitScenario

/// The files that shards lie in, and what is wrong with them.
enum ShardFiles {
  /// The longest line of a shard.
  ///
  /// Assumed: names and reasons are never longer.
  static let lineMax = 1 << 20

  /// A shard in a file.
  struct Section {
    let trailer: ShardTrailer
    let path: String
    /// The lines of the file before the first row.
    let linesBefore: Int
  }

  /// Returns the name of the file that a shard of an experiment is written to.
  static func name(of path: String, _ shard: Shard) -> String {
    stem(of: path) + ".\(shard.fileText).ndjson"
  }

  /// Returns the name of an experiment's file without its ending.
  static func stem(of path: String) -> String {
    let name = Path.name(of: path)
    return name.hasSuffix(".json") ? String(name.dropLast(5)) : name
  }

  /// Returns the shard that the name of a file tells of; nil if it tells of none.
  static func shard(inName path: String) -> Shard? {
    let parts = Path.name(of: path).split(separator: ".")
    guard parts.count >= 2, parts.last == "ndjson" else { return nil }
    return Shard(String(parts[parts.count - 2]).replacing("-of-", with: "/"))
  }

  /// Whether a file in a folder of shards is one: by the names that this tool gives, and that
  /// engines give which write what workers print.
  static func isShard(_ path: String) -> Bool {
    let name = Path.name(of: path)
    return name.hasSuffix(".ndjson") || name.hasPrefix("part-")
  }

  /// Reads a file and holds its rows against its trailers; it is read as a stream.
  static func sections(
    _ path: String
  ) throws(Files.SystemProblem) -> Result<[Section], FindingPlace> {
    var scanner = ShardScanner()
    var sections: [Section] = []
    var feed = LineSplitter(lineMax: lineMax, try Files.pieces(path))
    var line = 0
    var before = 0
    do throws(RowError) {
      while let next = try Self.line(&feed) {
        line += 1
        if let trailer = try scanner.take(next) {
          sections.append(Section(trailer: trailer, path: path, linesBefore: before))
          before = line
        } else if !ShardScanner.isRow(next) {
          before = line
        }
      }
      try scanner.finish()
    } catch {
      return .failure(FindingPlace(line: line, reason: error.reason))
    }
    return .success(sections)
  }

  /// Where a file is damaged, and how.
  struct FindingPlace: Error, Hashable {
    let line: Int
    let reason: String

    /// The place and the reason in words.
    var text: String { line == 0 ? reason : "line \(line): \(reason)" }
  }

  /// Returns the next line of a shard, which must have an end; what cannot be read is damaged.
  static func line(_ feed: inout LineSplitter) throws(RowError) -> [UInt8]? {
    let line: LineSplitter.Line?
    do throws(Files.SystemProblem) { line = try feed.next() } catch { throw RowError(error.reason) }
    switch line {
    case .whole(let bytes)?: return bytes
    case .unfinished?: throw RowError("the last line is cut off")
    case .tooLong?: throw RowError("the line is longer than \(lineMax >> 20) MiB")
    case nil: return nil
    }
  }
}
