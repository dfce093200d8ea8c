/// A plan of requests on its way over a fluid link.
public struct FluidPlanRun: Sendable {
  /// What became of the requests, flow by flow, in the order of their steps.
  public private(set) var outcomes: [[TransferOutcome]]
  /// The changes that the link went through.
  public private(set) var eventCount = 0
  /// The instant up to which everything has happened.
  public private(set) var now = Instant.start

  private let plan: TransferPlan
  private var link: FluidLink
  /// When each flow makes its next request; `never` while one is under way, or none is left.
  private var next: [Instant]
  /// The number of the transfer that each flow waits for, and when it gives it up.
  private var waiting: [Int?]
  private var patience: [Instant]

  /// Prepares the run of a plan; the first link holds at the start.
  public init(_ plan: TransferPlan, links: [LinkProfile], policy: TransportPolicy) {
    self.plan = plan
    link = FluidLink(links: links, policy: policy)
    outcomes = plan.flows.map { _ in [] }
    waiting = plan.flows.map { _ in nil }
    patience = plan.flows.map { _ in .never }
    next = plan.flows.map { flow in flow.steps.first.map { flow.start + $0.idle } ?? .never }
  }

  /// Runs until every request is over, or an instant has come.
  public mutating func run(to horizon: Instant) {
    while true {
      let change = link.nextChange()
      let request = (next + patience).reduce(Instant.never) { min($0, $1) }
      let instant = min(change, request)
      if instant == .never || instant > horizon { return }
      noteTenths(until: instant)
      now = instant
      if change <= instant {
        eventCount += 1
        link.advance(to: instant)
        noteTenths(until: instant)
        takeNotices()
      }
      for flow in next.indices {
        if patience[flow] <= instant, let number = waiting[flow] { end(number, nil) }
        if next[flow] <= instant { ask(flow) }
      }
    }
  }

  private mutating func ask(_ flow: Int) {
    let step = plan.flows[flow].steps[outcomes[flow].count]
    if let number = step.link { link.change(to: number, at: now) }
    waiting[flow] = link.open(step.request, at: now)
    outcomes[flow].append(TransferOutcome(times: TransferTimes(opened: now)))
    next[flow] = .never
    patience[flow] = step.patience.map { now + $0 } ?? .never
    takeNotices()
  }

  private mutating func takeNotices() {
    for notice in link.takeNotices() {
      switch notice {
      case .responseBegan, .arrived: break
      case .completed(let number): end(number, nil)
      case .failed(let number, let failure): end(number, failure)
      }
    }
  }

  private mutating func end(_ number: Int, _ failure: TransferFailure?) {
    guard let flow = waiting.firstIndex(of: number) else { return }
    let transfer = link.close(number, at: now)
    let last = outcomes[flow].count - 1
    outcomes[flow][last].times = transfer.times
    outcomes[flow][last].failure = failure
    waiting[flow] = nil
    patience[flow] = .never
    let steps = plan.flows[flow].steps
    if last + 1 < steps.count { next[flow] = now + steps[last + 1].idle }
  }

  /// Takes note of the tenths of bodies that arrive by an instant, which nothing precedes.
  private mutating func noteTenths(until instant: Instant) {
    for flow in waiting.indices {
      guard let number = waiting[flow] else { continue }
      let last = outcomes[flow].count - 1
      let transfer = link.transfer(number)
      while outcomes[flow][last].tenths.count < 10 {
        let tenth = UInt128(outcomes[flow][last].tenths.count + 1)
        let mark = Work(nanobits: (transfer.size.nanobits * tenth + 9) / 10)
        guard transfer.delivered(for: instant - link.anchor) >= mark, mark > .zero else { break }
        let missing = mark - min(mark, transfer.delivered)
        outcomes[flow][last].tenths.append(
          missing == .zero ? now : link.anchor + transfer.share.span(for: missing))
      }
    }
  }
}
