/// A trial that is being run; a copy is a fork.
package struct TransferRun: Sendable {
  /// A request that was made.
  private struct Request: Sendable {
    let flow: Int
    let step: Int
    /// Its number on the path.
    let number: Int
    var transfer: Transfer
    var outcome: TransferOutcome
    var cancelsAt = Instant.never
    var suspendsAt = Instant.never
    var resumesAt = Instant.never
    var isOver = false

    var nextInstant: Instant { isOver ? .never : min(cancelsAt, min(suspendsAt, resumesAt)) }
  }

  private let plan: TransferPlan
  private var path: NetworkPath
  private var requests: [Request] = []
  /// The places of the requests that are under way, ascending.
  private var active: [Int] = []
  /// When each flow makes its next request; `never` while it waits for one.
  private var startsAt: [Instant]
  private var stepsBegun: [Int]
  private var eventCount = 0
  /// What makes requests late; nil without noise.
  private var noise: HostNoise?
  /// The instant up to which everything has happened.
  package private(set) var now = Instant.start

  /// Creates a run at its start.
  package init(_ trial: TransferTrial) {
    plan = trial.plan
    path = NetworkPath(trial)
    if trial.hasHostNoise, trial.tier == .packet { noise = HostNoise(seed: trial.seed) }
    let phase = noise?.drawPhase() ?? .zero
    startsAt = []
    for flow in plan.flows {
      let late = noise?.drawLateness() ?? .zero
      startsAt.append(flow.steps.isEmpty ? .never : flow.start + flow.steps[0].idle + phase + late)
    }
    stepsBegun = plan.flows.map { _ in 0 }
  }

  /// Goes on to a limit, or until everything is over.
  package mutating func advance(to limit: Instant) {
    while !isOver {
      let own = nextOwnInstant
      let bound = min(own, limit)
      if !path.hasPackets { noteTenths(until: min(path.nextChange, bound)) }
      if let instant = path.advance(notAfter: bound) {
        now = instant
        eventCount += 1
        if !path.hasPackets { noteTenths(until: now) }
        takeNotices()
        continue
      }
      if own > limit || own == .never { break }
      now = own
      act()
    }
    path.checkConservation()
  }

  /// Whether every request was made and is over.
  package var isOver: Bool {
    active.isEmpty && startsAt.allSatisfy { $0 == .never }
  }

  /// What has happened so far.
  package var report: TransferReport {
    var outcomes: [[TransferOutcome]] = plan.flows.map { _ in [] }
    var path = path
    for var request in requests {
      if !request.isOver { Self.update(&request, on: &path, at: now) }
      outcomes[request.flow].append(request.outcome)
    }
    let counts = path.packetCounts
    return TransferReport(
      outcomes: outcomes, eventCount: counts == nil ? eventCount : 0,
      isUnsure: path.isUnsure, down: counts?.down, up: counts?.up)
  }
}

// MARK: - What the plan does

extension TransferRun {
  private var nextOwnInstant: Instant {
    var next = Instant.never
    for instant in startsAt { next = min(next, instant) }
    for index in active { next = min(next, requests[index].nextInstant) }
    return next
  }

  private mutating func act() {
    assert(
      nextOwnInstant >= now, "what was due at \(nextOwnInstant.nanoseconds) ns was passed over")
    for index in active where requests[index].nextInstant == now {
      if requests[index].cancelsAt == now {
        Self.update(&requests[index], on: &path, at: now)
        requests[index].outcome.isCancelled = true
        path.cancel(&requests[index].transfer, requests[index].number, at: now)
        requests[index].outcome.times.forget(after: now)
        end(index)
      } else if requests[index].suspendsAt == now {
        requests[index].suspendsAt = .never
        path.setSuspended(true, requests[index].number, at: now)
      } else {
        requests[index].resumesAt = .never
        path.setSuspended(false, requests[index].number, at: now)
      }
    }
    for flow in startsAt.indices where startsAt[flow] == now { begin(flow) }
    takeNotices()
  }

  private mutating func begin(_ flow: Int) {
    let place = stepsBegun[flow]
    let step = plan.flows[flow].steps[place]
    stepsBegun[flow] += 1
    startsAt[flow] = .never
    if let link = step.link { path.use(link: link, elapsed: .zero, at: now) }
    var request = step.request
    request.owner = plan.flows[flow].owner ?? flow
    let number = path.open(request, at: now)
    var made = Request(
      flow: flow, step: place, number: number,
      transfer: Transfer(
        number: number, player: flow, size: DataAmount(request.size),
        phase: .requested(firstByteAt: .never)),
      outcome: TransferOutcome(times: TransferTimes(opened: now)))
    if let span = step.patience { made.cancelsAt = now + span }
    if let span = step.suspendedAfter {
      made.suspendsAt = now + span
      made.resumesAt = now + span + step.suspension
    }
    requests.append(made)
    active.append(requests.count - 1)
    watch(requests.count - 1)
    if step.isConcurrent { planNext(flow) }
  }

  private mutating func planNext(_ flow: Int) {
    if stepsBegun[flow] < plan.flows[flow].steps.count {
      let late = noise?.drawLateness() ?? .zero
      startsAt[flow] = now + plan.flows[flow].steps[stepsBegun[flow]].idle + late
    }
  }
}

// MARK: - What the path tells

extension TransferRun {
  private mutating func takeNotices() {
    while let notice = path.takeNotice(at: now) {
      guard
        let index = active.first(where: { requests[$0].number == notice.transfer })
      else {
        preconditionFailure("a notice of transfer \(notice.transfer), which is not under way")
      }
      Self.update(&requests[index], on: &path, at: now)
      noteTenths(of: index, until: now)
      switch notice {
      case .responseBegan: requests[index].outcome.times.firstByte = now
      case .arrived: watch(index)
      case .completed:
        requests[index].outcome.times.completed = now
        finish(index)
      case .failed(_, let failure):
        requests[index].outcome.failure = failure
        finish(index)
      }
    }
  }

  private mutating func finish(_ index: Int) {
    path.forget(requests[index].number, at: now)
    end(index)
  }

  private mutating func end(_ index: Int) {
    assert(!requests[index].isOver, "request \(index) is over twice")
    requests[index].isOver = true
    active.removeAll { $0 == index }
    let (flow, step) = (requests[index].flow, requests[index].step)
    if !plan.flows[flow].steps[step].isConcurrent { planNext(flow) }
  }

  /// Takes over what is known of a request that is under way.
  private static func update(
    _ request: inout Request, on path: inout NetworkPath, at now: Instant
  ) {
    let anchor = path.update(&request.transfer, from: request.number)
    request.outcome.delivered = request.transfer.delivered(at: now, from: anchor).wholeBytes
    assert(
      request.outcome.delivered.bytes <= request.transfer.size.begunBytes.bytes,
      "more has come than was asked for")
    let own = request.outcome.times
    if let times = path.times(request.number) { request.outcome.times = times }
    request.outcome.times.opened = own.opened
  }

  // MARK: Tenths

  private func mark(_ index: Int) -> DataAmount {
    let tenth = UInt128(requests[index].outcome.tenths.count + 1)
    return DataAmount(nanobits: (requests[index].transfer.size.nanobits * tenth + 9) / 10)
  }

  private mutating func watch(_ index: Int) {
    path.watch(requests[index].number, for: mark(index).begunBytes)
  }

  /// Takes note of the tenths that arrive by an instant, which nothing precedes.
  private mutating func noteTenths(until instant: Instant) {
    for index in active {
      path.update(&requests[index].transfer, from: requests[index].number)
      noteTenths(of: index, until: instant)
    }
  }

  private mutating func noteTenths(of index: Int, until instant: Instant) {
    let (transfer, anchor) = (requests[index].transfer, path.anchor)
    while requests[index].outcome.tenths.count < 10 {
      let mark = mark(index)
      guard mark > .zero, transfer.delivered(at: instant, from: anchor) >= mark else { return }
      let missing = mark - min(mark, transfer.delivered)
      requests[index].outcome.tenths.append(
        missing == .zero ? instant : anchor + transfer.share.span(for: missing))
    }
  }
}
