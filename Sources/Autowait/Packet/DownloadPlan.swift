/// Downloads over a link: flows side by side, each one request after the other.
public struct DownloadPlan: Hashable, Sendable {
  /// One request of a flow.
  public struct Step: Hashable, Sendable {
    /// The body of the response.
    public var size: ByteCount
    /// Whether it is made on a new connection.
    public var isNew: Bool
    /// How long the flow is silent before it.
    public var idle: TimeSpan
    /// The link that holds from the beginning of the step on; nil for no change.
    public var link: Int?
    /// How long after the request it is given up; nil for never.
    public var cancelledAfter: TimeSpan?
    /// How long after the request nobody reads any more; nil for never.
    public var suspendedAfter: TimeSpan?
    /// For how long nobody reads then.
    public var suspension = TimeSpan.zero
    /// Whether the next request of the flow does not wait for this one.
    public var isConcurrent = false
    /// The class among the streams of one connection; a higher one goes first.
    public var priority = 0

    /// Creates a request that is neither given up nor suspended.
    public init(
      size: ByteCount, isNew: Bool = false, idle: TimeSpan = .zero, link: Int? = nil
    ) {
      self.size = size
      self.isNew = isNew
      self.idle = idle
      self.link = link
    }
  }

  /// Requests one after the other, by one user of the network.
  public struct Flow: Hashable, Sendable {
    /// When the first request is made.
    public var start: Instant
    /// The requests.
    public var steps: [Step]

    /// Creates a flow.
    public init(start: Instant = .start, steps: [Step]) {
      self.start = start
      self.steps = steps
    }
  }

  /// The links, the first of which holds at the start.
  public var links: [LinkProfile]
  /// Planned changes of the link, by ascending instant.
  public var changes: [LinkChange] = []
  /// The flows.
  public var flows: [Flow]
  /// How requests are carried.
  public var policy: TransportPolicy
  /// What all chances are drawn from.
  public var seed: UInt64

  /// Creates a plan.
  public init(
    links: [LinkProfile], flows: [Flow], policy: TransportPolicy = TransportPolicy(),
    seed: UInt64 = 1
  ) {
    self.links = links
    self.flows = flows
    self.policy = policy
    self.seed = seed
  }
}

/// What became of a planned request.
public struct Download: Hashable, Sendable {
  /// When its steps were over.
  public var times: TransferTimes
  /// When each tenth of the body had arrived, from the first to the tenth.
  public var tenths: [Instant] = []
  /// Why it failed, if it did.
  public var failure: TransferFailure?
  /// Whether it was given up.
  public var isCancelled = false
  /// The bytes of the body that arrived.
  public var delivered = ByteCount.zero
}

/// What a link did with packets in one direction.
public struct PacketCounts: Hashable, Sendable {
  /// The packets offered.
  public var offered: Int
  /// Those lost by chance or in a blackout.
  public var lost: Int
  /// Those dropped because the queue was full.
  public var dropped: Int
  /// Those that arrived.
  public var delivered: Int
  /// The most that was in the queue.
  public var queuedMax: Int

  init(_ counts: PacketPipe.Counts) {
    offered = counts.offered
    lost = counts.lost
    dropped = counts.dropped
    delivered = counts.delivered
    queuedMax = counts.queuedMax
  }
}

/// The outcome of a plan.
public struct DownloadReport: Hashable, Sendable {
  /// The downloads of each flow, in the order of its steps.
  public var flows: [[Download]]
  /// What the link did from the server to the player.
  public var down: PacketCounts
  /// What it did in the other direction.
  public var up: PacketCounts
}

extension DownloadPlan {
  /// Carries the plan out, packet by packet, until a limit at the latest.
  public func run(until limit: Instant = .never) -> DownloadReport {
    var run = DownloadRun(self)
    run.advance(to: limit)
    return run.report
  }
}
