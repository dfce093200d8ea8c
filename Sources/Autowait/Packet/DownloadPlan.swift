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

    /// Creates a request.
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
    return run.finish(until: limit)
  }
}

/// A plan that is being carried out.
struct DownloadRun: Sendable {
  private let plan: DownloadPlan
  private var network: PacketNetwork
  private var downloads: [[Download]]
  /// When each flow makes its next request; `never` while one is under way.
  private var startsAt: [Instant]
  private var transfers: [Int]
  private var owners: [Owner] = []

  private struct Owner { var flow: Int; var size: Int64 }

  /// Creates a run at its start.
  init(_ plan: DownloadPlan) {
    self.plan = plan
    network = PacketNetwork(links: plan.links, changes: [], policy: plan.policy, seed: plan.seed)
    downloads = plan.flows.map { _ in [] }
    startsAt = plan.flows.map { $0.steps.isEmpty ? .never : $0.start + $0.steps[0].idle }
    transfers = plan.flows.map { _ in -1 }
  }

  /// Goes on to the end, or to a limit, and returns what happened.
  mutating func finish(until limit: Instant) -> DownloadReport {
    while true {
      let start = startsAt.min() ?? .never
      let stop = min(start, limit)
      if network.nextInstant == .never, start == .never { break }
      if network.nextInstant < stop, network.advance(notAfter: stop) != nil {
        while let notice = network.popNotice() { take(notice) }
        continue
      }
      if start >= limit || start == .never {
        if transfers.allSatisfy({ $0 < 0 }) || stop == limit { break }
        continue
      }
      for flow in startsAt.indices where startsAt[flow] == start { begin(flow, at: start) }
    }
    network.checkConservation()
    for flow in downloads.indices where transfers[flow] >= 0 {
      downloads[flow].append(finished(transfers[flow], flow))
    }
    return DownloadReport(
      flows: downloads, down: PacketCounts(network.down.counts),
      up: PacketCounts(network.up.counts))
  }

  private mutating func begin(_ flow: Int, at now: Instant) {
    let step = plan.flows[flow].steps[downloads[flow].count]
    startsAt[flow] = .never
    if let link = step.link { network.use(link: link, elapsed: .zero, at: now) }
    var request = TransferRequest(owner: flow, size: step.size)
    request.connection = step.isNew ? .new : .pooled
    transfers[flow] = network.open(request, at: now)
    owners.append(Owner(flow: flow, size: step.size.bytes))
    tenths = tenths + (transfers[flow] < tenths.count ? [] : [[]])
    watch(transfers[flow])
  }

  private var tenths: [[Instant]] = []

  private mutating func watch(_ transfer: Int) {
    let tenth = Int64(tenths[transfer].count + 1)
    let bytes = (owners[transfer].size * tenth + 9) / 10
    network.watch(transfer, for: ByteCount(bytes: bytes))
  }

  private mutating func noteArrival(_ transfer: Int) {
    let delivered = network.delivered(transfer).bytes
    while tenths[transfer].count < 10,
      delivered * 10 >= owners[transfer].size * Int64(tenths[transfer].count + 1)
    {
      tenths[transfer].append(network.now)
    }
    watch(transfer)
  }

  private mutating func take(_ notice: TransferNotice) {
    switch notice {
    case .responseBegan: break
    case .arrived(let transfer): noteArrival(transfer)
    case .completed(let transfer):
      noteArrival(transfer)
      end(transfer, nil)
    case .failed(let transfer, let failure): end(transfer, failure)
    }
  }

  private mutating func end(_ transfer: Int, _ failure: TransferFailure?) {
    let flow = owners[transfer].flow
    var download = finished(transfer, flow)
    download.failure = failure
    downloads[flow].append(download)
    transfers[flow] = -1
    let next = downloads[flow].count
    if next < plan.flows[flow].steps.count {
      startsAt[flow] = network.now + plan.flows[flow].steps[next].idle
    }
  }

  private func finished(_ transfer: Int, _ flow: Int) -> Download {
    Download(
      times: network.times(transfer), tenths: tenths[transfer],
      delivered: network.delivered(transfer))
  }
}
