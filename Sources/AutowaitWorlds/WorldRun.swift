import Autowait
import AutowaitRendering
import AutowaitScenario

/// A run over many worlds.
package struct WorldRun: Sendable {
  /// A law that did not hold.
  package struct Found: Hashable, Sendable {
    /// The number of the world.
    package let seed: UInt64
    /// What does not hold.
    package let breach: Breach
  }

  /// The worlds that were judged.
  package private(set) var worldCount = 0
  /// How many of them were of each kind.
  package private(set) var kinds: [DrawnWorld.Kind: Int] = [:]
  /// The draws that the reader refused.
  package private(set) var refusedCount = 0
  /// The events of all runs that were judged.
  package private(set) var eventCount = 0
  /// What was found.
  package private(set) var found: [Found] = []
  private var batch: [(seed: UInt64, scenario: Scenario, fingerprint: UInt64)] = []

  /// The worlds that are run on several threads at a time.
  private static let batchSize = 64

  /// Creates a run that has judged nothing.
  package init() {}

  /// Judges the world of a number by all laws.
  package mutating func judge(_ seed: UInt64) {
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
  package mutating func finish() {
    let threads = 2 + worldCount % 4
    found += WorldJudge.breachesOfThreads(batch, threads: threads)
      .map { Found(seed: $0.seed, breach: $0.breach) }
    batch = []
  }

  /// Returns what identifies the run of a world, for two builds, or two ways, to agree upon: its
  /// fingerprint, its end, a digest of its metrics and logs as `run --format json` prints them, why
  /// it ended, and the number of its events.
  ///
  /// Where a run is cut off by the number of its events, two ways may differ.
  package static func digest(_ seed: UInt64, pace: Simulation.Pace = .fast) -> String {
    let (_, scenario, _) = DrawnWorld.valid(seed)
    let result = WorldJudge.run(scenario, pace: pace)
    var writer = JSONWriter()
    ResultRendering.write(result, into: &writer)
    // FNV-1a with 64 bits.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in writer.bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return "\(seed) \(result.fingerprint) \(result.end.nanoseconds) \(hash) \(result.finish) "
      + "\(result.eventCount)"
  }
}
