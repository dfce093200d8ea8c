import Autowait

/// How far a recorded player is from its log when its rule plays on a link, as far as that is more
/// than rules are off on the very link.
///
/// The inference asks each request by itself, sent when it was. On a link on which each is a little
/// early, or one comes whole just before an outage, the player can be a whole stall away from what
/// it did. Of drawn links those are kept on which it is not.
package struct Misfit: Comparable, Sendable {
  /// In nanoseconds.
  private var sum: Int64 = 0

  /// Of how many drawn links one is kept.
  ///
  /// Over 60 simulated links of a few rates and outages, the error of stalled time is 9.7 % if all
  /// are kept, 4.4 % with three, and 2.6 % with six.
  package static let drawnPerKept = 6

  /// What a rule may be off by for reasons of its own: as much as what counts as reproduced, or
  /// links take the blame for it.
  ///
  /// Without it predictions of recorded players from each other get worse: the 90th percentile of
  /// the error of stalled time is 1.4 s instead of .95 s.
  private static let tolerance = Refit.tolerance.nanoseconds
  /// What a stall counts that one has and the other has not (assumed).
  private static let stall: Int64 = 1_000_000_000
  /// What a segment counts at most; one that does not come counts that (assumed).
  private static let segmentMax: Int64 = 20_000_000_000

  package static func < (one: Misfit, other: Misfit) -> Bool { one.sum < other.sum }

  /// Takes a link of which nothing is known.
  package init() {}

  /// Compares stalls.
  package init(_ played: PlayedOutcome, stalledLike recorded: PlayedOutcome) {
    add(played.stalled.nanoseconds - recorded.stalled.nanoseconds)
    add(stalls: played.stalls.count - recorded.stalls.count)
  }

  /// Compares what the log says: for how long playback stalled, how often, and when segments came.
  init(_ played: PlayedOutcome, _ log: SessionLog, until horizon: Instant) {
    self.init()
    if let seen = log.outcome {
      self = Misfit(played, stalledLike: PlayedOutcome(seen, until: horizon))
    } else if let count = log.stallCount {
      add(stalls: played.stalls.count - count)
    }
    let pairs = Refit.pairs(log, played)
    for pair in pairs { add(pair.difference.nanoseconds, most: Self.segmentMax) }
    sum += Int64(Refit.wanted(log).count - pairs.count) * Self.segmentMax
  }

  private mutating func add(_ nanoseconds: Int64, most: Int64 = .max) {
    sum += min(max(0, abs(nanoseconds) - Self.tolerance), most)
  }

  private mutating func add(stalls: Int) { sum += Int64(abs(stalls)) * Self.stall }

  /// Returns the places of those that fit best, as many as are to be kept; of equals those that a
  /// chain drew far apart.
  package static func best(_ misfits: [Misfit], keeping count: Int) -> [Int] {
    func order(_ place: Int) -> (Misfit, Int, Int) {
      (misfits[place], place % drawnPerKept, place)
    }
    return Array(misfits.indices.sorted { order($0) < order($1) }.prefix(count))
  }
}
