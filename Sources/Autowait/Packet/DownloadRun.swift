/// A plan that is being carried out; a copy is a fork.
public struct DownloadRun: Sendable {
  /// A request that was made.
  private struct Request: Sendable {
    var flow: Int
    var step: Int
    var download: Download
    var cancelsAt = Instant.never
    var suspendsAt = Instant.never
    var resumesAt = Instant.never
    var isOver = false

    var nextInstant: Instant { isOver ? .never : min(cancelsAt, min(suspendsAt, resumesAt)) }
  }

  private let plan: DownloadPlan
  private var network: PacketNetwork
  private var requests: [Request] = []
  /// When each flow makes its next request; `never` while it waits for one.
  private var startsAt: [Instant]
  private var stepsBegun: [Int]

  /// Creates a run at its start.
  public init(_ plan: DownloadPlan) {
    self.plan = plan
    network = PacketNetwork(
      links: plan.links, changes: plan.changes, policy: plan.policy, seed: plan.seed)
    startsAt = plan.flows.map { $0.steps.isEmpty ? .never : $0.start + $0.steps[0].idle }
    stepsBegun = plan.flows.map { _ in 0 }
  }

  /// Goes on to a limit, or until everything is over.
  public mutating func advance(to limit: Instant) {
    while !isOver {
      let own = nextOwnInstant
      if network.advance(notAfter: min(own, limit)) != nil {
        while let notice = network.popNotice() { take(notice) }
        continue
      }
      if own > limit || own == .never { break }
      act(at: own)
    }
    network.checkConservation()
  }

  /// Whether every request was made and is over.
  public var isOver: Bool {
    startsAt.allSatisfy { $0 == .never } && requests.allSatisfy { $0.isOver }
  }

  /// What has happened so far.
  public var report: DownloadReport {
    var flows: [[Download]] = plan.flows.map { _ in [] }
    for number in requests.indices {
      var download = requests[number].download
      download.times = network.times(number)
      download.delivered = network.delivered(number)
      flows[requests[number].flow].append(download)
    }
    return DownloadReport(
      flows: flows, down: PacketCounts(network.down.counts), up: PacketCounts(network.up.counts))
  }

  // MARK: - What the plan does

  private var nextOwnInstant: Instant {
    var next = Instant.never
    for instant in startsAt { next = min(next, instant) }
    for request in requests where !request.isOver { next = min(next, request.nextInstant) }
    return next
  }

  private mutating func act(at now: Instant) {
    for number in requests.indices where requests[number].nextInstant == now {
      if requests[number].cancelsAt == now {
        network.cancel(number, at: now)
        requests[number].download.isCancelled = true
        end(number, at: now)
      } else if requests[number].suspendsAt == now {
        requests[number].suspendsAt = .never
        network.setSuspended(true, number, at: now)
      } else {
        requests[number].resumesAt = .never
        network.setSuspended(false, number, at: now)
      }
    }
    for flow in startsAt.indices where startsAt[flow] == now { begin(flow, at: now) }
  }

  private mutating func begin(_ flow: Int, at now: Instant) {
    let place = stepsBegun[flow]
    let step = plan.flows[flow].steps[place]
    stepsBegun[flow] += 1
    startsAt[flow] = .never
    if let link = step.link { network.use(link: link, elapsed: .zero, at: now) }
    var request = TransferRequest(owner: flow, size: step.size)
    request.connection = step.isNew ? .new : .pooled
    request.priority = step.priority
    let number = network.open(request, at: now)
    precondition(number == requests.count, "a request has the number of another one")
    var made = Request(
      flow: flow, step: place, download: Download(times: TransferTimes(opened: now)))
    if let span = step.cancelledAfter { made.cancelsAt = now + span }
    if let span = step.suspendedAfter {
      made.suspendsAt = now + span
      made.resumesAt = now + span + step.suspension
    }
    requests.append(made)
    watch(number)
    if step.isConcurrent { planNext(flow, at: now) }
  }

  private mutating func planNext(_ flow: Int, at now: Instant) {
    if stepsBegun[flow] < plan.flows[flow].steps.count {
      startsAt[flow] = now + plan.flows[flow].steps[stepsBegun[flow]].idle
    }
  }

  // MARK: - What the network tells

  private func size(_ number: Int) -> Int64 {
    plan.flows[requests[number].flow].steps[requests[number].step].size.bytes
  }

  private mutating func watch(_ number: Int) {
    let tenth = Int64(requests[number].download.tenths.count + 1)
    network.watch(number, for: ByteCount(bytes: (size(number) * tenth + 9) / 10))
  }

  private mutating func noteArrival(_ number: Int) {
    let delivered = network.delivered(number).bytes
    while requests[number].download.tenths.count < 10,
      delivered * 10 >= size(number) * Int64(requests[number].download.tenths.count + 1)
    {
      requests[number].download.tenths.append(network.now)
    }
    watch(number)
  }

  private mutating func take(_ notice: TransferNotice) {
    switch notice {
    case .responseBegan: break
    case .arrived(let number): noteArrival(number)
    case .completed(let number):
      noteArrival(number)
      end(number, at: network.now)
    case .failed(let number, let failure):
      requests[number].download.failure = failure
      end(number, at: network.now)
    }
  }

  private mutating func end(_ number: Int, at now: Instant) {
    requests[number].isOver = true
    let (flow, step) = (requests[number].flow, requests[number].step)
    if !plan.flows[flow].steps[step].isConcurrent { planNext(flow, at: now) }
  }
}
