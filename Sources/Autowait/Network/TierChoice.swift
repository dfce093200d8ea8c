/// What a run asks of its link, as far as the choice of a tier depends on it.
package struct TransferDemand: Hashable, Sendable {
  /// The largest response; nil if none is known to be the largest.
  package var largest: ByteCount?
  /// The responses, if all of them are known.
  package var sizes: [ByteCount] = []
  /// How many requests may be under way at the same time.
  package var flowsMax = 1
  /// The largest upload.
  package var largestUpload = ByteCount.zero
  /// Whether a connection may carry more than one response.
  package var reusesConnections = true

  /// Creates the demand of a player that asks for one thing at a time.
  package init(largest: ByteCount? = nil) {
    self.largest = largest
  }

  /// Creates the demand of a plan.
  package init(_ plan: TransferPlan) {
    var most = ByteCount.zero
    flowsMax = 0
    reusesConnections = false
    for flow in plan.flows {
      // A step that the next one does not wait for is under way with it.
      var (atOnce, atOnceMax) = (1, 1)
      for step in flow.steps {
        most = max(most, step.request.size)
        sizes.append(step.request.size)
        largestUpload = max(largestUpload, step.request.upload)
        atOnceMax = max(atOnceMax, atOnce)
        atOnce = step.isConcurrent ? atOnce + 1 : 1
      }
      flowsMax += atOnceMax
    }
    for flow in plan.flows {
      for step in flow.steps.dropFirst() where step.request.connection == .pooled {
        reusesConnections = true
      }
    }
    largest = most
  }
}

/// Which tier models a link, and why.
///
/// The fluid tier knows no loss. It is exact where nothing is lost, and near enough where what a
/// full queue drops is made good before the queue runs dry; measured transfers part from it
/// everywhere else.
package struct TierChoice: Hashable, Sendable {
  /// Why a tier was chosen.
  package enum Reason: Hashable, Sendable, CaseIterable {
    /// It was asked for.
    case asked
    /// There is no transport to model.
    case noTransport
    /// Every response fits into the queue: nothing can be dropped.
    case responsesFitQueue
    /// The queue is so deep that the path stays full whatever it drops.
    case queueKeepsPathFull
    /// Packets are lost by chance.
    case loss
    /// The delay varies from packet to packet.
    case jitter
    /// Packets overtake others.
    case reordering
    /// Packets arrive twice.
    case duplication
    /// An outage drops packets, and the sender finds out by its timers.
    case droppingOutage
    /// Nothing passes for a while, and the sender takes for lost what only waits.
    case stoppingRate
    /// The delay changes as the rate does: packets that leave later may arrive before others.
    case varyingDelay
    /// Timers run out before answers come.
    case slowAnswers
    /// The sender does not wait for the queue, but measures the path.
    case bbrSender
    /// The sender knows what waits in the queue, which is in its own host.
    case queueInServer
    /// Flows share a queue by what they have in it, and not equally.
    case parallelFlows
    /// Acknowledgements would fill the way up.
    case narrowUplink
    /// Slow start overflows the queue before the path is full.
    case shallowQueue
    /// A sender that does not pace throws a whole window into the queue when it sends again.
    case unpacedBursts
    /// The queue may overflow, and a response is over before what that cost is made up for.
    case visibleOverflow
    /// An upload does not fit into the queue of the way up.
    case largeUpload
    /// So few packets may be under way that single acknowledgements decide.
    case smallWindow
    /// Which of two things comes first decides how long a request takes, and both come about at
    /// once.
    case closeCall
  }

  /// The tier.
  package let tier: LinkTier
  /// Why.
  package let reason: Reason

  init(_ tier: LinkTier, _ reason: Reason) {
    self.tier = tier
    self.reason = reason
  }

  /// Takes the tier that is asked for; without a transport a link is ideal whatever is asked for.
  package init(asked tier: LinkTier, policy: TransportPolicy?) {
    self.init(
      policy == nil ? .ideal : tier, policy == nil && tier != .ideal ? .noTransport : .asked)
  }

  /// Chooses the tier for links, of which any may hold at any time, and for what is asked of them.
  package init(
    links: [LinkProfile], policy: TransportPolicy?, demand: TransferDemand
  ) {
    guard let policy else {
      self.init(.ideal, .noTransport)
      return
    }
    for link in links {
      for direction in [link.down, link.up] {
        if let reason = Self.chance(in: direction) {
          self.init(.packet, reason)
          return
        }
      }
      if link.events.contains(where: { $0.dropsPackets }) {
        self.init(.packet, .droppingOutage)
        return
      }
    }
    for link in links {
      if link.stops {
        self.init(.packet, .stoppingRate)
        return
      }
      if link.down.track.constantDelay == nil || link.up.track.constantDelay == nil {
        self.init(.packet, .varyingDelay)
        return
      }
    }
    if links.contains(where: { $0.answersLate(policy) }) {
      self.init(.packet, .slowAnswers)
      return
    }
    if policy.congestionControl == .bbr {
      self.init(.packet, .bbrSender)
      return
    }
    if policy.isQueueInServer {
      self.init(.packet, .queueInServer)
      return
    }
    if demand.flowsMax > 1 {
      self.init(.packet, .parallelFlows)
      return
    }
    var fits = true
    for link in links {
      let path = Capacity(link, policy)
      if path.isUplinkNarrow {
        self.init(.packet, .narrowUplink)
        return
      }
      if !path.upHolds(demand.largestUpload) {
        self.init(.packet, .largeUpload)
        return
      }
      if path.isWindowSmall {
        self.init(.packet, .smallWindow)
        return
      }
      guard !path.holds(demand.largest) else { continue }
      fits = false
      if let reason = path.overflow(demand) {
        self.init(.packet, reason)
        return
      }
    }
    self.init(.fluid, fits ? .responsesFitQueue : .queueKeepsPathFull)
  }

  /// Returns what in a direction is left to chance, or to a list of losses.
  private static func chance(in direction: LinkDirection) -> Reason? {
    if direction.loss != .none { return .loss }
    if direction.track.samples.contains(where: { $0.loss ?? .never > .never }) { return .loss }
    if direction.jitter != nil { return .jitter }
    if direction.reorder != nil { return .reordering }
    return direction.duplicate > .never ? .duplication : nil
  }
}

extension TierChoice {
  /// What a link holds where it is fastest and longest, in full packets.
  private struct Capacity {
    /// The packets on the way there and back.
    let product: Int64
    /// The packets that pass while a sender waits for its timer to end: 0.2 s at least (Linux), and
    /// half of that for what delays it (assumed).
    private let timeout: Int64
    /// The packets that fit before the link.
    let queue: Int64
    /// The packets that fit before the way up.
    private let upQueue: Int64
    /// The data of a packet on the way up.
    private let upSegment: Int64
    /// The most packets that the client lets be under way, if it was told so.
    private let receiveWindow: Int64
    /// The packets of the longest flight of a handshake, and of what the response to early data
    /// finds before it.
    private let flight: Int64, ahead: Int64
    let isUplinkNarrow: Bool
    let policy: TransportPolicy
    let packet: FluidPacket

    /// How many times what an error costs a response must be for the fluid tier.
    ///
    /// That tier may be off by 8 percent. A packet, or what the path and the queue hold, is less
    /// than that of twelve times as much.
    private static let shareMin: Int64 = 12
    /// The packets of a receive window that the path is larger than, at least: which of them go
    /// together, and which one waits for another, makes a round differ by up to three.
    private static let windowMin: Int64 = 36
    /// How many times what the path and the queue hold a receive window must be.
    private static let windowsMin: Int64 = 2

    init(_ link: LinkProfile, _ policy: TransportPolicy) {
      self.policy = policy
      packet = FluidPacket(link, policy)
      let fastest = link.down.fastest.rate
      let roundTrip = link.down.track.delayMax + link.up.track.delayMax
      product = packet.count(in: DataAmount(fastest, for: roundTrip))
      timeout = packet.count(in: DataAmount(fastest, for: .milliseconds(300)))
      let limit = QueueLimit.limit(of: link.down, back: link.up)
      let bytes = packet.segment + packet.header
      queue = limit.packets(of: ByteCount(bytes: bytes)) ?? Int64.max / 16
      // A receiver acknowledges every second packet.
      let up = link.up.track.samples.lazy.map { $0.rate }.filter { $0 > .zero }.min() ?? .zero
      receiveWindow = policy.receiveWindow == nil ? .max : packet.count(in: packet.receiveWindow)
      upSegment = policy.segmentBytes(on: link.up)
      let upBytes = ByteCount(bytes: upSegment + policy.packetOverhead)
      upQueue =
        QueueLimit.limit(of: link.up, back: link.down).packets(of: upBytes) ?? Int64.max / 16
      let segment = packet.segment
      let flights = Handshake(policy).flights.filter { $0.isFromServer }
        .map { ($0.bytes + segment - 1) / segment }
      flight = flights.max() ?? 0
      ahead = policy.tls == .zeroRoundTrip ? flight : 0
      // One that widens its window acknowledges each.
      let each: Int64 = policy.receiveWindow == nil ? 1 : 2
      isUplinkNarrow =
        up.bitsPerSecond * each * bytes < fastest.bitsPerSecond * policy.acknowledgementSize
    }

    /// Whether the queue holds all that can be under way: a whole response if there is a largest
    /// one, or as much as the client lets.
    func holds(_ largest: ByteCount?) -> Bool {
      guard flight <= queue else { return false }
      // What waits with a response: what ends the handshake, and the acknowledgements of both.
      let others = ahead + 2
      if receiveWindow < queue - others { return true }
      guard let largest else { return false }
      return packets(largest) + others <= queue
    }

    /// Whether the queue of the way up holds a request with an upload, and the end of a handshake
    /// that goes with it.
    func upHolds(_ upload: ByteCount) -> Bool {
      assert(upSegment > 0, "packets of \(upSegment) bytes go up")
      let bytes = policy.wire(policy.requestSize.bytes + upload.bytes)
      let last = Handshake(policy).flights.last.map { $0.isFromServer ? 0 : 1 } ?? 0
      return (bytes + upSegment - 1) / upSegment + Int64(last) <= upQueue
    }

    /// Whether the window is less than a flight of a handshake, or so small that it matters when
    /// single packets are acknowledged.
    var isWindowSmall: Bool {
      // Every second packet is acknowledged, and a lone one late.
      if Int64(policy.initialWindow) < max(flight, 3) { return true }
      return receiveWindow < min(product + 4, Self.windowMin)
    }

    private func packets(_ size: ByteCount) -> Int64 {
      let bytes = policy.wire(size.bytes + policy.responseHeaderSize.bytes)
      return (bytes + packet.segment - 1) / packet.segment
    }

    /// Returns how an overflow of the queue would show, if it would.
    func overflow(_ demand: TransferDemand) -> Reason? {
      // After a loss the window is 0.7 of what the path and the queue hold (RFC 9438), or half of
      // it (RFC 5681): as long as that fills the path, nobody notices.
      let isKept: Bool
      switch policy.congestionControl {
      case .cubic: isKept = 7 * (product + queue) >= 10 * product
      case .reno: isKept = queue >= product
      case .bbr, .none: isKept = false
      }
      if !isKept || flight > queue || overshoots(demand.largest) { return .shallowQueue }
      // A receiver that lets hardly more be under way keeps its sender in recovery: of drawn links
      // such a response took up to a quarter longer on packets.
      if receiveWindow / Self.windowsMin < product + queue { return .visibleOverflow }
      // What an overflow costs is at most what the path and the queue hold: so long the first lost
      // packet keeps the others from being read, and so much less the next response finds in the
      // window. One that fits the first window does not need it. Of a plan each request counts, so
      // a packet that is lost a second time does, too: its sender waits until a timer ends.
      // That timer is about a quarter longer than a round trip that rises and falls with the queue.
      let isPlan = !demand.sizes.isEmpty
      let sizes = isPlan ? demand.sizes : [demand.largest].compactMap { $0 }
      let first = Int64(policy.initialWindow), full = product + queue
      let cost = isPlan ? full + full / 4 + timeout : full
      for size in sizes where demand.reusesConnections || !holds(size) {
        if packets(size) > first, packets(size) / Self.shareMin < cost {
          return .visibleOverflow
        }
      }
      return !policy.isPaced && demand.reusesConnections ? .unpacedBursts : nil
    }

    /// Whether slow start drops packets before its window is as large as the path.
    ///
    /// A burst enters the queue twice as fast as the link takes it; a paced one in half a round
    /// trip, in which the link takes half of what the path holds.
    private func overshoots(_ largest: ByteCount?) -> Bool {
      let first = Int64(policy.initialWindow)
      var window = first
      let most = largest.map(packets) ?? .max
      // The first packets of a connection are not paced, and one of them passes at once.
      if min(first, most) - 1 > queue { return true }
      while window < product, window - first < most {
        if policy.isPaced ? window - product / 2 > queue : window / 2 > queue { return true }
        window *= 2
      }
      return false
    }
  }
}

extension LinkTrack {
  /// Whether its rate is zero at times.
  fileprivate var stops: Bool { samples.contains { $0.rate == .zero } }

  /// The longest delay.
  fileprivate var delayMax: TimeSpan {
    constantDelay ?? samples.reduce(.zero) { max($0, $1.delay) }
  }
}

extension LinkProfile {
  /// Whether nothing passes for a while, and nothing is lost.
  fileprivate var stops: Bool {
    if down.track.stops || up.track.stops { return true }
    return events.contains { event in
      if case .blackout = event.kind { true } else { false }
    }
  }

  /// Whether a client that hears nothing asks again before it can have heard.
  fileprivate func answersLate(_ policy: TransportPolicy) -> Bool {
    let longest = down.track.delayMax + up.track.delayMax
    return longest >= policy.synTimeout
      || (policy.usesDNSLookup && longest + names.delay >= policy.nameTimeout)
  }
}

extension LinkEvent {
  /// Whether it loses packets, or the connections that they belong to.
  fileprivate var dropsPackets: Bool {
    switch kind {
    case .blackout(_, let drops): drops != .nothing
    // The players have given everything up that it could lose.
    case .offline: false
    case .handover(let handover): handover.flushesQueue || handover.endsConnections
    }
  }
}
