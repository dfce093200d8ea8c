/// A plan of requests and the links over which they are made: all that their outcome depends on.
package struct TransferTrial: Hashable, Sendable {
  /// The links, the first of which holds at the start.
  package var links: [LinkProfile]
  /// Planned changes of the link, by ascending instant.
  package var changes: [LinkChange] = []
  /// The requests.
  package var plan: TransferPlan
  /// How requests are carried, unless the links are ideal.
  package var policy: TransportPolicy
  /// How exactly the links are modelled.
  package var tier: LinkTier
  /// What all chances are drawn from.
  package var seed: UInt64
  /// Whether hosts are as noisy as real ones.
  ///
  /// Their clocks tick at any phase, requests leave up to 200 µs late, and bursts are denser or
  /// looser. It is for packets only, and off unless somebody asks.
  package var hasHostNoise = false

  /// By how much a fluid link is off on purpose.
  var leaning = FluidLeaning.none

  /// Creates a trial.
  package init(
    _ plan: TransferPlan, on links: [LinkProfile], policy: TransportPolicy, tier: LinkTier,
    seed: UInt64 = 0
  ) {
    self.plan = plan
    self.links = links
    self.policy = policy
    self.tier = tier
    self.seed = seed
  }

  /// Makes the requests until all are over, or an instant has come.
  package func run(to limit: Instant = .never) -> TransferReport {
    var run = TransferRun(self)
    run.advance(to: limit)
    return run.report
  }
}

/// What became of a trial.
package struct TransferReport: Hashable, Sendable {
  /// What became of the requests, flow by flow, in the order of their steps.
  package var outcomes: [[TransferOutcome]]
  /// The changes that a link went through that is not made of packets.
  package var eventCount: Int
  /// Whether something has come about that only packets can tell, and there are none.
  var isUnsure = false
  /// What the link did with packets on the way down; nil if there were none.
  package var down: PacketCounts?
  /// What it did with them on the way up.
  package var up: PacketCounts?
}
