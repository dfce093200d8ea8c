import AutowaitFiles
import AutowaitScenario

/// Which scenarios are tested, of those that are found.
struct TestSelection: Sendable {
  /// What must hold of the name, the path and the tags.
  var filter: TestFilter?
  /// The real paths of the scenarios that failed last, with their runs, ordered by their bytes.
  var failed: PathList?
  /// The real paths of all files that changed.
  var changed: PathList?
  /// The part of the tests that is run here, if it follows from the path alone.
  var partition: TestPartition?

  /// Whether a run of a scenario is selected; of a file that cannot be read there is only its path.
  func selects(
    _ path: String, run: String?, _ scenario: Scenario?, _ loaded: [String]
  ) -> Bool {
    if let filter, !filter.holds(of: path, scenario?.name, run: run, scenario?.tags ?? []) {
      return false
    }
    let whole = TestLabel.identity(path, run)
    if let partition, partition.kind == .hash, !partition.holds(whole) { return false }
    if failed == nil, changed == nil { return true }
    let place = Files.place(of: path) ?? path
    if let failed, !failed.contains(TestLabel.identity(place, run)) { return false }
    guard let changed else { return true }
    let programs = scenario?.programs.compactMap { $0?.words.first } ?? []
    let folder = Path.folder(of: place)
    return changed.contains(place) || changed.contains(GoldenPath.golden(of: place, run: run))
      || loaded.contains { changed.contains($0) }
      || programs.contains { changed.contains(Path.normalized(Path.join(folder, $0))) }
  }
}

/// What a test is called: the path of its scenario, and its run if that has several.
enum TestLabel {
  /// Returns what people are shown.
  static func text(_ path: String, _ run: String?) -> String {
    run.map { "\(path) [\($0)]" } ?? path
  }

  /// Returns what no other test has; no path holds the byte before the run.
  static func identity(_ path: String, _ run: String?) -> String {
    run.map { "\(path)\u{0}\($0)" } ?? path
  }

  /// Returns the path of an identity.
  static func path(of identity: String) -> String {
    String(decoding: identity.utf8.prefix { $0 != 0 }, as: UTF8.self)
  }
}

/// Paths that are found by their bytes: two names that Unicode calls equivalent are two files.
struct PathList: Sendable {
  /// The paths, each once, ordered by their bytes.
  let paths: [String]

  init(_ paths: [String]) {
    var ordered: [String] = []
    for path in paths.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      let isSame = ordered.last.map { $0.utf8.elementsEqual(path.utf8) } ?? false
      if !isSame { ordered.append(path) }
    }
    self.paths = ordered
  }

  func contains(_ path: String) -> Bool {
    var (low, high) = (0, paths.count)
    while low < high {
      let middle = (low + high) / 2
      if paths[middle].utf8.lexicographicallyPrecedes(path.utf8) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < paths.count && paths[low].utf8.elementsEqual(path.utf8)
  }
}

/// A part of the tests, for one of several machines.
struct TestPartition: Hashable, Sendable {
  /// How tests are dealt out.
  enum Kind: String, CaseIterable, Sendable {
    /// In turn, so that all parts are equally large.
    case slice
    /// By a digest of the path, so that a new scenario moves no other.
    case hash
  }

  private static let countMax: UInt64 = 10_000

  let kind: Kind
  /// The number of the part, from 1.
  let number: UInt64
  /// The number of parts.
  let count: UInt64

  /// Reads `slice:2/3` or `hash:2/3`.
  init(_ text: String, of option: String) throws(Command.UsageError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.count == 2 ? parts[1].split(separator: "/", maxSplits: 1) : []
    guard let kind = parts.first.flatMap({ Kind(rawValue: String($0)) }), numbers.count == 2,
      let number = UInt64(numbers[0]), let count = UInt64(numbers[1]),
      (1...Self.countMax).contains(count), (1...count).contains(number)
    else {
      throw Command.UsageError(
        message: "'\(option)' must be slice:M/N or hash:M/N, not '\(text)'",
        notes: ["M is the number of this part, from 1 to N, as in slice:2/3"])
    }
    (self.kind, self.number, self.count) = (kind, number, count)
  }

  /// Whether the part has a scenario, by its path.
  func holds(_ path: String) -> Bool {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // The lowest bits of this hash follow from the lowest bits of the bytes alone.
    return (hash >> 32) % count == number - 1
  }

  /// Whether the part has a scenario, by its place among those that are selected, from 0.
  func holds(at place: Int) -> Bool { UInt64(place) % count == number - 1 }
}
