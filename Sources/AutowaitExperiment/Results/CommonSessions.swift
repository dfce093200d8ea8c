/// The sessions that started under every contestant, which are the only ones in which startups can
/// be held against each other.
///
/// A contestant that could not be run in a unit has no say in whether it counts. As soon as the
/// best possible is known of any session, only sessions count of which it is known, so that the
/// clairvoyant is one more contestant of the same sessions.
package struct CommonSessions: Sendable {
  /// What a contestant's sessions came to.
  package struct Costs: Sendable {
    /// The sessions.
    package private(set) var count: Int64 = 0
    /// The sums over them.
    package private(set) var totals = ContestantSummary.Totals()
    /// The sessions with a stall.
    package private(set) var sessionsWithStalls: Int64 = 0
    /// The startups, by group of sessions.
    private(set) var startups: [Cluster]
    /// The time spent in stalls.
    private(set) var stalledTimes: [Cluster]
    /// How much of the viewing is lost, in millionths.
    private(set) var losses: [Cluster]

    init(clusterCount: Int) {
      startups = Array(repeating: Cluster(), count: clusterCount)
      stalledTimes = startups
      losses = startups
    }

    mutating func add(_ row: SessionRow, cluster: Int) {
      count += 1
      totals.add(row)
      if row.stallCount > 0 { sessionsWithStalls += 1 }
      startups[cluster].add(row.startup)
      stalledTimes[cluster].add(row.stalled)
      losses[cluster].add(ViewerPolicy.standard.lostViewing(in: row))
    }

    /// The mean startup, in nanoseconds.
    package var meanStartup: Int64 { count == 0 ? 0 : Int64(totals.startup / Int128(count)) }
    /// The mean time in stalls.
    package var meanStalled: Int64 { count == 0 ? 0 : Int64(totals.stalled / Int128(count)) }
    /// Whether it stalls more than once in a session, and more than once in a minute watched.
    package var stallsOften: Bool { totals.stallsOften(in: count) }

    /// Returns the differences to another contestant in the same sessions with their intervals, of
    /// startup and of time in stalls; nil unless all its sessions count, too.
    package func differences(to other: Self?) -> (startup: Interval?, stalled: Interval?) {
      guard let other, other.count == count else { return (nil, nil) }
      func interval(_ own: [Cluster], _ others: [Cluster]) -> Interval? {
        Bootstrap.interval(Self.differences(own, others), purpose: "bootstrap")
      }
      return (interval(startups, other.startups), interval(stalledTimes, other.stalledTimes))
    }

    /// Returns what the sums of some groups of sessions are beyond those of others.
    static func differences(_ own: [Cluster], _ others: [Cluster]) -> [Cluster] {
      zip(own, others).map { own, other in
        var difference = own
        difference.sum -= other.sum
        return difference
      }
    }
  }

  /// The sessions of each contestant that count.
  package private(set) var count: Int64 = 0
  /// What they came to, by contestant.
  package private(set) var contestants: [Costs]
  /// The result for a player that had known the network.
  package private(set) var clairvoyant: Costs
  /// Whether the best possible is known of any session.
  private var knowsBest = false
  private let empty: Costs

  init(contestantCount: Int, clusterCount: Int) {
    empty = Costs(clusterCount: clusterCount)
    contestants = Array(repeating: empty, count: contestantCount)
    clairvoyant = empty
  }

  /// Adds a unit if playback began in all of its sessions.
  mutating func add(_ rows: [SessionRow], best: SessionRow?, cluster: Int) {
    if best != nil, !knowsBest {
      // Sessions of which it is not known do not count from now on.
      knowsBest = true
      count = 0
      contestants = contestants.map { _ in empty }
    }
    let isCommon = rows.allSatisfy { $0.isStarted || $0.outcome == .error }
    guard isCommon, rows.contains(where: { $0.isStarted }), best != nil || !knowsBest else {
      return
    }
    count += 1
    for (index, row) in rows.enumerated() where row.outcome != .error {
      contestants[index].add(row, cluster: cluster)
    }
    if let best { clairvoyant.add(best, cluster: cluster) }
  }

  /// Returns what a contestant's sessions came to; nil unless all that count are among them.
  package func costs(of contestant: Int) -> Costs? {
    let costs = contestants[contestant]
    return count > 0 && costs.count == count ? costs : nil
  }

  /// What the sessions of the clairvoyant came to; nil unless all that count are among them.
  package var clairvoyantCosts: Costs? {
    count > 0 && clairvoyant.count == count ? clairvoyant : nil
  }
}

/// For whom a contestant is the best: viewers to whom a second of stall is worth so much startup.
package struct ViewerChoice: Hashable, Sendable {
  /// The contestants, several if their costs are equal.
  package let contestants: [Int]
  /// The least startup that a second of stall is worth to the viewer, in millionths of a second.
  package let least: Int64
  /// The most; nil if there is no bound.
  package let most: Int64?

  /// Returns who is best for which viewers, from those who mind a stall no more than startup to
  /// those who mind nothing else: who has the least startup and stalls, weighed so, at each weight.
  ///
  /// A contestant that stalls more than once a session and once a minute is best for nobody: no
  /// weight of seconds says what it is to be interrupted all the time.
  package static func all(_ common: CommonSessions, among contestants: [Int]) -> [ViewerChoice] {
    let known = contestants.compactMap { index in
      common.costs(of: index).flatMap { $0.stallsOften ? nil : (index: index, costs: $0.totals) }
    }
    typealias Known = (index: Int, costs: ContestantSummary.Totals)
    // At a weight of one, the one with fewer stalls of those that are equal.
    let first = known.min { left, right in
      func rank(_ known: Known) -> (Int128, Int128) {
        (known.costs.startup + known.costs.stalled, known.costs.stalled)
      }
      return rank(left) < rank(right)
    }
    guard var current = first else { return [] }
    var choices: [ViewerChoice] = []
    var least: Int64 = 1_000_000
    while true {
      let equal = known.filter {
        $0.costs.startup == current.costs.startup && $0.costs.stalled == current.costs.stalled
      }.map { $0.index }
      func weight(_ other: Known) -> Int128 {
        (other.costs.startup - current.costs.startup) * 1_000_000
          / (current.costs.stalled - other.costs.stalled)
      }
      let next = known.filter { $0.costs.stalled < current.costs.stalled }.min { left, right in
        (weight(left), left.costs.stalled) < (weight(right), right.costs.stalled)
      }
      let most = next.map { max(least, Int64(clamping: weight($0))) }
      choices.append(ViewerChoice(contestants: equal, least: least, most: most))
      guard let next, let most else { return choices }
      (current, least) = (next, most)
    }
  }
}
