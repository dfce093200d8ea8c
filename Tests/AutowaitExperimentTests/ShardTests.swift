import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// Shards cut an experiment without a gap, and their trailers tell what stands before them.
@Suite struct ShardTests {
  @Test(arguments: [0, 1, 2, 3, 7, 12, 1_000, 1_000_000_000_000_000])
  func shardsCoverTheUnits(_ units: Int) throws {
    for count in [1, 2, 3, 7, 13, 1_000] {
      var end = 0
      var sizes: Set<Int> = []
      for number in 1...count {
        let shard = try #require(Shard(number, of: count))
        let own = shard.units(of: units)
        #expect(own.lowerBound == end)
        end = own.upperBound
        sizes.insert(own.count)
      }
      #expect(end == units)
      #expect(sizes.count <= 2 && (sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
    }
  }

  @Test(arguments: [
    ("3/8", "3/8"), ("1/1", "1/1"), ("1000000/1000000", "1000000/1000000"), ("0/8", nil),
    ("9/8", nil), ("1/1000001", nil), ("1/0", nil), ("3", nil), ("3/8/9", nil), ("+3/8", nil),
    ("-1/8", nil), ("3/ 8", nil), ("", nil), ("/", nil), ("99999999999999999999/1", nil),
  ])
  func shardsAreSpelledInOneWay(_ text: String, _ shard: String?) {
    #expect(Shard(text)?.text == shard)
  }

  /// Returns the lines of some units.
  private func lines(_ plan: ExperimentPlan, _ units: Range<Int>, _ shard: String?) -> [[UInt8]] {
    var runner = UnitRunner(plan, files: .none)
    var writer = SessionRowWriter(plan)
    var digest = RowDigest()
    var lines: [[UInt8]] = []
    for unit in units {
      for row in runner.rows(of: unit) {
        lines.append(writer.json(row))
        digest.add(lines[lines.count - 1], key: row.key)
      }
    }
    let origin = ShardOrigin(path: plan.path, seedCount: nil, digest: plan.digest)
    let trailer = ShardTrailer(origin, shard: shard.flatMap { Shard($0) }, units: units, digest)
    return lines + [trailer.line]
  }

  /// Returns what is wrong with a file, or its trailers.
  private func scan(_ lines: [[UInt8]]) -> Result<[ShardTrailer], RowError> {
    Result { () throws(RowError) in
      var scanner = ShardScanner()
      for line in lines { _ = try scanner.take(line) }
      try scanner.finish()
      return scanner.trailers
    }
  }

  @Test func aTrailerComesBack() throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.small)
    let file = lines(plan, 1..<3, "2/4") + lines(plan, 0..<0, nil) + lines(plan, 3..<4, nil)
    let trailers = try scan(file).get()
    #expect(trailers.map(\.units) == [1..<3, 0..<0, 3..<4])
    #expect(trailers.map(\.rows) == [4, 0, 2])
    #expect(trailers.map(\.firstKey) == [2, nil, 6])
    #expect(trailers.map(\.lastKey) == [5, nil, 7])
    #expect(trailers.map(\.shard?.text) == ["2/4", nil, nil])
    #expect(trailers.map(\.line) == [file[4], file[5], file[8]])
    #expect(trailers.allSatisfy { $0.modelVersion == SimulationModel.version })
  }

  /// A text, what it is replaced by in the file, and what is said then.
  @Test(arguments: [
    ("\"key\":3", "\"key\":4", "session 4 comes after session 2"),
    ("\"outcome\":\"ended\"", "\"outcome\":\"failed\"", "the rows do not match"),
    ("\"rows\":4", "\"rows\":5", "the rows do not match"),
    ("\"firstKey\":2", "\"firstKey\":3", "the rows do not match"),
    ("\"lastKey\":5", "\"lastKey\":null", "the rows do not match"),
    ("\"trailer\":1", "\"trailer\":2", "the trailer has version 2"),
    ("\"trailer\":1", "\"trailer\":\"1\"", "'trailer' of the trailer must be a whole number"),
    ("\"units\":[1,3]", "\"units\":[3,1]", "'units' of the trailer must be two numbers"),
    ("\"units\":[1,3]", "\"units\":[1,null]", "'units' of the trailer must be two numbers"),
    ("\"shards\":4", "\"shards\":1", "the trailer names a shard that does not exist"),
    ("\"shards\":4", "\"shards\":9223372036854775808", "'shards' of the trailer must be a whole"),
    ("\"digest\":\"", "\"digest\":\"0", "'digest' of the trailer must be sixteen digits"),
    ("\"path\":", "\"paht\":", "the trailer has no 'path'"),
    ("\"modelVersion\":\(SimulationModel.version),", "", "the trailer has no 'modelVersion'"),
    ("{\"trailer\"", "{\"worker\"", "the trailer of a shard is missing"),
    ("{\"trailer\"", "{\"line\"", "a job was refused"),
    ("{\"trailer\"", "{\"zonk\"", "the line is not a row"),
    ("{\"key\":2,", "{\"key\":,", "the line is not a row"),
    ("{\"key\":2,", "{\"key\":99999999999999999999,", "the line is not a row"),
  ])
  func aDamagedShardIsRefused(_ old: String, _ new: String, _ reason: String) throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.small)
    let file = lines(plan, 1..<3, "2/4").map { String(decoding: $0, as: UTF8.self) }
    let damaged = file.map { Array($0.replacing(old, with: new, maxReplacements: 1).utf8) }
    guard case .failure(let error) = scan(damaged) else {
      Issue.record("nothing is said of it")
      return
    }
    #expect(error.reason.hasPrefix(reason), "\(error.reason)")
  }

  @Test func aShardThatIsCutOffIsRefused() throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.small)
    let file = lines(plan, 1..<3, "2/4")
    #expect(throws: Never.self) { try scan(file).get() }
    for count in 0..<file.count {
      #expect(throws: RowError("the trailer is missing")) {
        try scan(Array(file.prefix(count))).get()
      }
    }
    for index in file.indices.dropLast() {
      var rest = file
      rest.remove(at: index)
      #expect(throws: RowError.self) { try scan(rest).get() }
    }
  }

  /// Shards, and what is said of them beside ten units.
  @Test(
    arguments: [
      ([0..<10], [0], [], [], []),
      ([5..<10, 0..<5], [1, 0], [], [], []),
      ([0..<3, 5..<7], [0, 1], [], [], [3..<5, 7..<10]),
      ([0..<5, 0..<5, 5..<10], [0, 2], [1], [], []),
      ([0..<5, 4..<10], [0], [], [1], [5..<10]),
      ([0..<10, 3..<4], [0], [], [1], []),
      ([3..<3, 0..<10], [1], [], [], []),
      ([], [], [], [], [0..<10]),
    ] as [([Range<Int>], [Int], [Int], [Int], [Range<Int>])])
  func shardsLieBesideEachOther(
    _ shards: [Range<Int>], _ order: [Int], _ duplicates: [Int], _ overlaps: [Int],
    _ missing: [Range<Int>]
  ) {
    let cover = ShardCover(shards, unitCount: 10)
    #expect(cover.order == order)
    #expect(cover.duplicates.map(\.second) == duplicates)
    #expect(cover.overlaps.map(\.second) == overlaps)
    #expect(cover.missing == missing)
  }

  @Test func whatIsMissingIsToldByShards() throws {
    for units in [1, 5, 10, 11] {
      for count in [1, 2, 3, 7, 20] {
        let all = try (1...count).map { try #require(Shard($0, of: count)) }
        for mask in 0..<min(1 << count, 256) {
          let here = all.filter { mask >> ($0.number - 1) & 1 == 1 }
          let cover = ShardCover(here.map { $0.units(of: units) }, unitCount: units)
          let expected = all.filter { !here.contains($0) && !$0.units(of: units).isEmpty }
          #expect(cover.missingShards(of: count, unitCount: units) == expected)
        }
      }
    }
  }

  @Test(arguments: [
    ("startup", Int64.max), ("startup", -1), ("stallCount", Int64.max), ("played", -1),
    ("excessWait", Int64.max), ("linkToMedia", -1),
  ])
  func whatNoSessionComesToIsNotSummed(_ column: String, _ value: Int64) throws {
    let plan = try ExperimentFixture.plan(ExperimentFixture.small)
    var runner = UnitRunner(plan, files: .none)
    var row = try #require(runner.rows(of: 0).first)
    #expect(row.isPlausible)
    switch column {
    case "startup": row.startup = value
    case "stallCount": row.stallCount = value
    case "played": row.played = value
    case "excessWait": row.excessWait = value
    default: row.linkToMedia = value
    }
    #expect(!row.isPlausible)
  }

  /// When this digest changes, sessions come to something else than before: raise the version of
  /// the model, so that nobody merges the old rows with the new ones.
  @Test func theModelVersionNamesWhatIsSimulated() throws {
    let text = ExperimentFixture.experiment(
      #""heuristic": ["avfoundation"], "#
        + #""link": ["demo/slow-server", "nlc/3g", "nlc/lte"], "seed": 2"#)
    let plan = try ExperimentFixture.plan(text)
    var digest = Fingerprint()
    for row in ExperimentFixture.rows(plan) {
      digest.mix(row.fingerprint, UInt64(row.startup), 0, 0)
    }
    #expect(SimulationModel.version == 25)
    #expect(SessionRowWriter.hexadecimal(digest.value) == "00c8f2815f8d6671")
  }
}
