import Autowait
import AutowaitScenario

/// The last line of a shard: what must stand before it.
///
/// With it a file that was cut off, changed, or made from something else is known for what it is,
/// and nothing else has to be kept beside the files.
package struct ShardTrailer: Hashable, Sendable {
  /// The version of the format of shards.
  package static let formatVersion: Int64 = 1

  /// The path of the experiment as the user wrote it.
  package let path: String
  /// The number of seeds that the experiment was told to have; nil if it has its own.
  package let seedCount: Int?
  /// What was changed in the base of the experiment, as it was given.
  package let changes: [String]
  /// The digest of the experiment and of all that it reads.
  package let experiment: UInt64
  /// The version of what was simulated.
  package let modelVersion: Int64
  /// Which shard it is; nil for units that were asked for by their numbers.
  package let shard: Shard?
  /// The units.
  package let units: Range<Int>
  /// The number of rows.
  package let rows: Int
  /// The key of the first row; nil without rows.
  package let firstKey: Int?
  /// The key of the last row; nil without rows.
  package let lastKey: Int?
  /// The digest of the rows.
  package let digest: UInt64

  /// Creates the trailer of some units, whose rows were written.
  package init(
    _ origin: ShardOrigin, shard: Shard? = nil, units: Range<Int>, _ digest: RowDigest
  ) {
    path = origin.path
    seedCount = origin.seedCount
    changes = origin.changes
    experiment = origin.digest
    modelVersion = SimulationModel.version
    self.shard = shard
    self.units = units
    rows = digest.count
    firstKey = digest.first?.number
    lastKey = digest.last?.number
    self.digest = digest.value
  }

  /// Whether the rows that were seen are those that the trailer tells of.
  func tells(of seen: RowDigest) -> Bool {
    rows == seen.count && firstKey == seen.first?.number && lastKey == seen.last?.number
      && digest == seen.value
  }

  /// The line, with its end.
  package var line: [UInt8] {
    JSONWriter.line(capacity: 512) { writer in
      func number(_ value: Int?) -> Int64? { value.map { Int64($0) } }
      writer.field("trailer", Self.formatVersion)
      writer.field("path", text: path)
      writer.field("seeds", number(seedCount))
      if !changes.isEmpty { writer.strings("set", changes) }
      writer.field("experiment", text: SessionRowWriter.hexadecimal(experiment))
      writer.field("modelVersion", modelVersion)
      writer.field("shard", number(shard?.number))
      writer.field("shards", number(shard?.count))
      writer.array("units", [units.lowerBound, units.upperBound]) { $0.integer(Int64($1)) }
      writer.field("rows", Int64(rows))
      writer.field("firstKey", number(firstKey))
      writer.field("lastKey", number(lastKey))
      writer.field("digest", text: SessionRowWriter.hexadecimal(digest))
    }
  }
}

/// Where rows come from: what shards must have in common to be merged.
package struct ShardOrigin: Hashable, Sendable {
  /// The path of the experiment as the user wrote it.
  package let path: String
  /// The number of seeds that the experiment was told to have; nil if it has its own.
  package let seedCount: Int?
  /// What was changed in the base of the experiment, as it was given.
  package let changes: [String]
  /// The digest of the experiment and of all that it reads.
  package let digest: UInt64

  /// Creates an origin.
  package init(path: String, seedCount: Int?, changes: [String] = [], digest: UInt64) {
    self.path = path
    self.seedCount = seedCount
    self.changes = changes
    self.digest = digest
  }
}

extension ShardTrailer {
  /// Reads such a line.
  package init(line: [UInt8]) throws(RowError) {
    guard let root = Findings(SourceText(path: "", bytes: line)).parseJSON(depthMax: 4),
      root.kind == .object
    else { throw RowError("the trailer is not a JSON object") }
    func number(_ key: String) throws(RowError) -> Int? {
      guard let value = root.member(key) else { throw RowError("the trailer has no '\(key)'") }
      return try Self.number(value, key)
    }
    func needed(_ key: String) throws(RowError) -> Int {
      guard let value = try number(key) else { throw RowError("the trailer has no '\(key)'") }
      return value
    }
    func digest(_ key: String) throws(RowError) -> UInt64 {
      guard let text = root.member(key)?.string, text.utf8.count == 16,
        let value = UInt64(text, radix: 16)
      else { throw RowError("'\(key)' of the trailer must be sixteen digits") }
      return value
    }
    let format = try needed("trailer")
    guard format == Self.formatVersion else {
      throw RowError("the trailer has version \(format) of the format, not \(Self.formatVersion)")
    }
    guard let path = root.member("path")?.string else {
      throw RowError("the trailer has no 'path'")
    }
    self.path = path
    seedCount = try number("seeds")
    changes = root.member("set").map { $0.elements.compactMap { $0.string } } ?? []
    experiment = try digest("experiment")
    modelVersion = Int64(try needed("modelVersion"))
    rows = try needed("rows")
    firstKey = try number("firstKey")
    lastKey = try number("lastKey")
    self.digest = try digest("digest")
    let bounds = root.member("units").map { Array($0.elements) } ?? []
    guard bounds.count == 2, let lower = try Self.number(bounds[0], "units"),
      let upper = try Self.number(bounds[1], "units"), lower <= upper
    else { throw RowError("'units' of the trailer must be two numbers, ascending") }
    units = lower..<upper
    if let number = try number("shard") {
      guard let shard = Shard(number, of: try needed("shards")) else {
        throw RowError("the trailer names a shard that does not exist")
      }
      self.shard = shard
    } else {
      shard = nil
    }
  }

  private static func number(_ value: JSONValue, _ key: String) throws(RowError) -> Int? {
    if value.kind == .null { return nil }
    guard let decimal = value.decimal, case .exact(let number) = decimal.integer(scaledBy: 1),
      0...Int64(ExperimentPlan.sessionsMax) ~= number
    else { throw RowError("'\(key)' of the trailer must be a whole number") }
    return Int(number)
  }
}
