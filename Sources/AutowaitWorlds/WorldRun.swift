import Autowait
import AutowaitScenario

/// A run over many worlds.
public struct WorldRun: Sendable {
  /// A law that did not hold.
  public struct Found: Hashable, Sendable {
    /// The number of the world.
    public let seed: UInt64
    /// What does not hold.
    public let breach: Breach
  }

  /// The worlds that were judged.
  public private(set) var worldCount = 0
  /// How many of them were of each kind.
  public private(set) var kinds: [DrawnWorld.Kind: Int] = [:]
  /// The draws that the reader refused.
  public private(set) var refusedCount = 0
  /// The events of all runs that were judged.
  public private(set) var eventCount = 0
  /// What was found.
  public private(set) var found: [Found] = []
  private var batch: [(seed: UInt64, scenario: Scenario, fingerprint: UInt64)] = []

  /// The worlds that are run on several threads at a time.
  private static let batchSize = 64

  /// Creates a run that has judged nothing.
  public init() {}

  /// Judges the world of a number by all laws.
  public mutating func judge(_ seed: UInt64) {
    let (world, scenario, refused) = DrawnWorld.valid(seed)
    refusedCount += refused
    worldCount += 1
    kinds[world.kind, default: 0] += 1
    var judge = WorldJudge(world, scenario)
    judge.judge()
    eventCount += judge.result.eventCount
    found += judge.breaches.map { Found(seed: seed, breach: $0) }
    found += MonotoneLaw.breaches(seed).map { Found(seed: seed, breach: $0) }
    batch.append((seed, scenario, judge.result.fingerprint))
    if batch.count == Self.batchSize { finish() }
  }

  /// Judges what is judged of several worlds at a time.
  public mutating func finish() {
    let threads = 2 + worldCount % 4
    found += WorldJudge.breachesOfThreads(batch, threads: threads)
      .map { Found(seed: $0.seed, breach: $0.breach) }
    batch = []
  }

  /// Returns what identifies the run of a world, for two builds to agree upon.
  public static func digest(_ seed: UInt64) -> String {
    let (world, scenario, _) = DrawnWorld.valid(seed)
    let result = WorldJudge(world, scenario).result
    return "\(seed) \(result.fingerprint) \(result.end.nanoseconds) \(result.eventCount)"
  }
}
