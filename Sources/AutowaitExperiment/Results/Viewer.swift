import Autowait

/// A viewer for whom a rule is chosen: what the viewer minds, and what cannot be asked of them.
package enum Viewer: String, CaseIterable, Hashable, Sendable {
  /// Leaves when playback starts late, and watches less of what stalls.
  case leavesLateStarts
  /// Minds a second of stall more than a second of startup.
  case hatesStalls
  /// Is content with any startup as long as few sessions stall.
  case fewStalledSessions
}

/// What viewers mind, in numbers.
package struct ViewerPolicy: Hashable, Sendable {
  /// The startup that nobody leaves for.
  ///
  /// Source: Krishnan and Sitaraman, "Video Stream Quality Impacts Viewer Behavior", IMC 2012:
  /// viewers start to leave when it takes more than two seconds.
  package var patience = TimeSpan.seconds(2)
  /// The viewers that leave for each further second of startup, in millionths of all.
  ///
  /// Source: the same study, over 23 million views: 5.8 %.
  package var leavingPerSecond: Int64 = 58_000
  /// How much less is watched for stalls: so many times their share of the media played.
  ///
  /// Source: the same study: stalls of 1 % of the duration cost 5 % of the viewing. Dobrian et al.,
  /// SIGCOMM 2011, found more than 3 of 90 minutes, 3.3 %, for live events.
  package var lossPerStalledShare: Int64 = 5
  /// The seconds of startup that a second of stall is worth to who hates stalls.
  ///
  /// Assumed: Hoßfeld et al., "Initial delay vs. interruptions", QoMEX 2012, found viewers
  /// extremely sensitive to interruptions compared with initial delays, and give no such number.
  package var stallWeight: Int64 = 10
  /// The most sessions that may stall, in millionths of all.
  ///
  /// Assumed.
  package var stalledSessionsMax: Int64 = 50_000

  /// The numbers that comparisons use.
  package static let standard = ViewerPolicy()

  /// Creates the standard policy.
  package init() {}

  /// Returns how much of a session's viewing is lost, in millionths, rounded down.
  ///
  /// Some viewers leave before it starts, and the others watch less of it for its stalls.
  package func lostViewing(in row: SessionRow) -> Int64 {
    let one: Int128 = 1_000_000
    let late = Int128(max(0, row.startup - patience.nanoseconds))
    let leaving = min(one, late * Int128(leavingPerSecond) / 1_000_000_000)
    let stalls = Int128(row.stalled) * Int128(lossPerStalledShare) * one
    let unwatched =
      row.mediaPlayed > 0 ? min(one, stalls / Int128(row.mediaPlayed)) : row.stalled > 0 ? one : 0
    return Int64(leaving + (one - leaving) * unwatched / one)
  }
}

/// Which contestant to choose for a viewer.
package struct ViewerAnswer: Sendable {
  /// A contestant, and how much more it costs the viewer than the best one.
  package struct Rival: Sendable {
    /// The number of the contestant.
    package let contestant: Int
    /// The mean difference, with its interval.
    package let difference: Interval
  }

  /// The viewer.
  package let viewer: Viewer
  /// The contestants that can be chosen, the one that costs the viewer least first.
  package let order: [Int]
  /// The best ones, several if they cost the same in every group of sessions.
  package let best: [Int]
  /// The contestants that cost more here, though the interval of the difference holds zero, so that
  /// they will do as well.
  package let alike: [Rival]
  /// The first contestant that costs more beyond doubt; nil if there is none.
  package let next: Rival?
  /// What the best ones cost the viewer in a session: nanoseconds, or millionths of lost viewing.
  package let cost: Int64?

  /// The contestants that will do.
  package var chosen: [Int] { best + alike.map { $0.contestant } }
}

extension CommonSessions {
  /// Returns which contestants to choose for a viewer, among some.
  ///
  /// A contestant that stalls more than once in a session and more than once in a minute is chosen
  /// for nobody: no weight of seconds says what it is to be interrupted all the time.
  package func answer(
    for viewer: Viewer, among contestants: [Int], policy: ViewerPolicy = .standard
  ) -> ViewerAnswer {
    typealias Known = (index: Int, costs: Costs, sum: Int128)
    let known = contestants.compactMap { index -> Known? in
      guard let costs = costs(of: index), costs.suits(viewer, policy) else { return nil }
      return (index, costs, costs.sum(for: viewer, policy))
    }.sorted { ($0.sum, $0.index) < ($1.sum, $1.index) }
    guard let first = known.first else {
      return ViewerAnswer(viewer: viewer, order: [], best: [], alike: [], next: nil, cost: nil)
    }
    var (best, alike, next) = ([first.index], [ViewerAnswer.Rival](), ViewerAnswer.Rival?.none)
    for other in known.dropFirst() {
      let clusters = other.costs.clusters(for: viewer, policy, beyond: first.costs)
      if clusters.allSatisfy({ $0.sum == 0 }) {
        best.append(other.index)
        continue
      }
      guard let difference = Bootstrap.interval(clusters, purpose: "bootstrap") else { break }
      let rival = ViewerAnswer.Rival(contestant: other.index, difference: difference)
      // Without bounds nothing is known of other networks, and what is less here is less.
      guard let bounds = difference.bounds, bounds.contains(0) else {
        next = rival
        break
      }
      alike.append(rival)
    }
    return ViewerAnswer(
      viewer: viewer, order: known.map { $0.index }, best: best, alike: alike, next: next,
      cost: Int64(clamping: first.sum / Int128(count)))
  }
}

extension CommonSessions.Costs {
  /// Whether a contestant can be chosen for a viewer at all.
  fileprivate func suits(_ viewer: Viewer, _ policy: ViewerPolicy) -> Bool {
    if stallsOften { return false }
    guard viewer == .fewStalledSessions else { return true }
    return Int128(sessionsWithStalls) * 1_000_000 <= Int128(policy.stalledSessionsMax)
      * Int128(count)
  }

  /// What all sessions together cost a viewer.
  fileprivate func sum(for viewer: Viewer, _ policy: ViewerPolicy) -> Int128 {
    switch viewer {
    case .leavesLateStarts: losses.reduce(0) { $0 + $1.sum }
    case .hatesStalls: totals.startup + totals.stalled * Int128(policy.stallWeight)
    case .fewStalledSessions: totals.startup
    }
  }

  /// What sessions cost a viewer more than another contestant's, by group.
  fileprivate func clusters(
    for viewer: Viewer, _ policy: ViewerPolicy, beyond other: Self
  ) -> [Cluster] {
    let startups = Self.differences(startups, other.startups)
    switch viewer {
    case .leavesLateStarts: return Self.differences(losses, other.losses)
    case .fewStalledSessions: return startups
    case .hatesStalls:
      let stalls = Self.differences(stalledTimes, other.stalledTimes)
      return zip(startups, stalls).map { startup, stall in
        var both = startup
        both.sum += stall.sum * Int128(policy.stallWeight)
        return both
      }
    }
  }
}

extension ExperimentResult {
  /// Which contestants to choose for each viewer, of those that can be compared; none where there
  /// is nothing to choose from.
  package var viewerAnswers: [ViewerAnswer] {
    if contestants.count < 2 || common.count == 0 { return [] }
    return Viewer.allCases.map { common.answer(for: $0, among: comparable) }
  }
}
