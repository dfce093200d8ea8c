/// What a link is like: its two directions, how names are resolved on it, and what happens to it.
///
/// The order of things in a direction is that of dummynet, the kernel part of Apple's conditioner
/// (xnu `ip_dummynet.c`): a packet is lost by chance, or dropped from a full queue, or queued; it
/// is carried at the rate; then it is under way for the delay. A lost packet takes no bandwidth.
public struct LinkProfile: Hashable, Sendable {
  /// From the server to the player.
  public var down: LinkDirection
  /// From the player to the server.
  public var up: LinkDirection
  /// What a lookup of a name costs.
  public var names = NameResolution()
  /// What happens to the link, by ascending time since it began to hold.
  public var events: [LinkEvent] = []

  /// Creates a link.
  public init(down: LinkDirection, up: LinkDirection = LinkDirection()) {
    self.down = down
    self.up = up
  }

  /// Creates a link that is ideal but for a track of what it brings.
  public init(_ track: LinkTrack) {
    self.init(down: LinkDirection(track))
  }
}

/// One direction of a link.
public struct LinkDirection: Hashable, Sendable {
  /// The rate, in bits of IP packets, the one-way delay, and a loss that changes, over time.
  public var track: LinkTrack
  /// How much waits before the link, the packet in service included.
  public var queue = LinkQueue.automatic
  /// Which packets are lost by chance.
  public var loss = LossModel.none
  /// Where they are lost.
  public var lossPlace = LossPlace.beforeQueue
  /// How the delay varies.
  public var jitter: Jitter?
  /// Which packets overtake others.
  public var reorder: Reordering?
  /// The chance that a packet arrives twice.
  public var duplicate = Probability.never
  /// The largest IP packet.
  public var mtu = ByteCount(bytes: 1_500)
  /// What the link carries with each packet beside the packet itself.
  public var overheadPerPacket = ByteCount.zero

  /// Creates a direction; without a track one that is unlimited and takes no time.
  public init(_ track: LinkTrack = LinkTrack(rate: .unlimited)) {
    self.track = track
  }
}

/// How much may wait before a direction of a link; what does not fit is dropped.
public enum LinkQueue: Hashable, Sendable {
  /// 100 packets or the bandwidth-delay product of the fastest second, whichever is more.
  ///
  /// With less than that product results are ruled by bursts that nobody expects (measured).
  case automatic
  /// So many packets; 50 is what dummynet makes of a size of zero.
  case packets(Int)
  /// So many bytes.
  case bytes(ByteCount)
  /// What the rate carries in so much time.
  case time(TimeSpan)
  /// Everything.
  case unlimited
}

/// Where packets are lost by chance.
public enum LossPlace: Hashable, Sendable {
  /// Before the queue, as in dummynet: a lost packet takes no bandwidth.
  case beforeQueue
  /// Behind the rate, as on a radio link: a lost packet has taken its place and its time.
  case afterQueue
}

/// Which packets are lost by chance.
public enum LossModel: Hashable, Sendable {
  /// None.
  case none
  /// Each with the same chance.
  case bernoulli(Probability)
  /// In bursts (Gilbert, 1960; Elliott, 1963).
  case gilbertElliott(BurstLoss)
  /// Every packet whose number, counted from 1 in its direction, is a multiple.
  case everyNth(Int)
  /// The packets with these numbers, counted from 1 in their direction, ascending.
  case packets([Int64])
  /// Each with the same chance by the generator with which the reference measurements were made.
  ///
  /// SplitMix64 from the state (2 · seed + (0 down, 1 up)) · 1,000,003 + 17, one draw for each
  /// packet offered to the direction, no matter who sent it, so that measured runs can be repeated.
  case measured(Probability, seed: UInt64)
}

/// Losses that come in bursts: a chain of two states, one step for each packet.
public struct BurstLoss: Hashable, Sendable {
  /// The chance to go from the good state to the bad one.
  public var fromGoodToBad: Probability
  /// The chance to go from the bad state to the good one.
  public var fromBadToGood: Probability
  /// The loss in the good state.
  public var lossWhenGood: Probability
  /// The loss in the bad state.
  public var lossWhenBad: Probability

  /// Creates a model of bursts.
  public init(
    fromGoodToBad: Probability, fromBadToGood: Probability,
    lossWhenGood: Probability = .never, lossWhenBad: Probability = .always
  ) {
    self.fromGoodToBad = fromGoodToBad
    self.fromBadToGood = fromBadToGood
    self.lossWhenGood = lossWhenGood
    self.lossWhenBad = lossWhenBad
  }
}

/// How the delay of packets varies.
public struct Jitter: Hashable, Sendable {
  /// The distribution of the deviation.
  public enum Distribution: Hashable, Sendable {
    /// Evenly between minus and plus the deviation.
    case uniform
    /// Normal, with the deviation as standard deviation.
    case normal
    /// Pareto with a shape of 3, moved and scaled to the standard deviation.
    case pareto
    /// A quarter normal, three quarters Pareto, scaled to the standard deviation.
    case paretoNormal
    /// By a table of ascending quantiles, in 8192ths of the deviation.
    case table([Int16])
  }

  /// How much the delay deviates.
  public var deviation: TimeSpan
  /// How the deviations are distributed.
  public var distribution: Distribution
  /// Whether a packet waits for those that were sent before it.
  public var keepsOrder: Bool

  /// Creates a variation of the delay.
  public init(
    deviation: TimeSpan, distribution: Distribution = .uniform, keepsOrder: Bool = true
  ) {
    self.deviation = deviation
    self.distribution = distribution
    self.keepsOrder = keepsOrder
  }
}

/// Which packets skip the delay, and so overtake others.
public struct Reordering: Hashable, Sendable {
  /// The chance of each candidate.
  public var chance: Probability
  /// Every Nth packet is a candidate; 1 for all.
  public var gap: Int

  /// Creates a rule of reordering.
  public init(chance: Probability, gap: Int = 1) {
    self.chance = chance
    self.gap = gap
  }
}

/// What a lookup of a name costs; a name that is known costs nothing.
public struct NameResolution: Hashable, Sendable {
  /// What a query over UDP to port 53 waits on its way up, beside the link's delay.
  public var delay = TimeSpan.zero
  /// Whether an answer is kept.
  public var isCached = true

  /// Creates the rules of a link that delays no queries.
  public init() {}
}

/// Something that happens to a link at a time since it began to hold.
public struct LinkEvent: Hashable, Sendable {
  /// What happens to a link.
  public enum Kind: Hashable, Sendable {
    /// For a while nothing that is sent gets through.
    case blackout(TimeSpan, drops: Dropped)
    /// For a while the device has no network, and knows it: what is under way fails when it
    /// begins, and what is requested meanwhile at once. No connection survives it.
    case offline(TimeSpan)
    /// The way to the server becomes another one after a gap in which nothing gets through.
    case handover(Handover)
  }

  /// What a blackout loses.
  public enum Dropped: CaseIterable, Hashable, Sendable {
    /// Nothing: the link stands still, and all goes on behind it.
    case nothing
    /// What is sent during it; what was on the link when it began still arrives, as where all
    /// packets are lost that come to it.
    case new
    /// What was on the link when it began.
    case inFlight
    /// Both.
    case both
  }

  /// A change of the way to the server.
  public struct Handover: Hashable, Sendable {
    /// How long nothing gets through.
    public var gap: TimeSpan
    /// Whether what waits in the queues is lost.
    public var flushesQueue: Bool
    /// Whether connections do not survive it.
    public var endsConnections: Bool
    /// Which of the world's links holds behind the gap; nil for the same.
    public var link: Int?

    /// Creates a handover.
    public init(gap: TimeSpan, flushesQueue: Bool, endsConnections: Bool, link: Int? = nil) {
      self.gap = gap
      self.flushesQueue = flushesQueue
      self.endsConnections = endsConnections
      self.link = link
    }
  }

  /// When it happens, from when the link began to hold.
  public var start: TimeSpan
  /// What happens.
  public var kind: Kind

  /// Creates an event.
  public init(at start: TimeSpan, _ kind: Kind) {
    self.start = start
    self.kind = kind
  }
}

extension LinkEvent.Kind {
  /// How long nothing gets through.
  package var standstill: TimeSpan {
    switch self {
    case .blackout(let span, _), .offline(let span): span
    case .handover(let handover): handover.gap
    }
  }
}
