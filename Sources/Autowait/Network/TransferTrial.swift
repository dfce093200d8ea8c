/// A plan of requests and the links over which they are made: all that their outcome depends on.
public struct TransferTrial: Hashable, Sendable {
  /// The links, the first of which holds at the start.
  public var links: [LinkProfile]
  /// Planned changes of the link, by ascending instant.
  public var changes: [LinkChange] = []
  /// The requests.
  public var plan: TransferPlan
  /// How requests are carried, unless the links are ideal.
  public var policy: TransportPolicy
  /// How exactly the links are modelled.
  public var tier: LinkTier
  /// What all chances are drawn from.
  public var seed: UInt64

  /// Creates a trial.
  public init(
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
  public func run(to limit: Instant = .never) -> TransferReport {
    var run = TransferRun(self)
    run.advance(to: limit)
    return run.report
  }
}

/// What became of a trial.
public struct TransferReport: Hashable, Sendable {
  /// What became of the requests, flow by flow, in the order of their steps.
  public var outcomes: [[TransferOutcome]]
  /// The changes that a link went through that is not made of packets.
  public var eventCount: Int
  /// What the link did with packets on the way down; nil if there were none.
  public var down: PacketCounts?
  /// What it did with them on the way up.
  public var up: PacketCounts?
}
