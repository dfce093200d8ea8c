extension TransferPlan {
  /// How long a plan may take before what is not there yet is given up.
  public static let spanMax = TimeSpan.seconds(86_400)

  /// Makes the requests of the plan over a link; returns what became of them, flow by flow.
  ///
  /// The first of the links holds at the start. Without a policy the link is ideal.
  public func run(
    on links: [LinkProfile], policy: TransportPolicy?, tier: LinkTier, seed: UInt64
  ) -> [[TransferOutcome]] {
    guard let policy, tier != .ideal else {
      var run = IdealPlanRun(self, links)
      return run.outcomes(to: .start + Self.spanMax)
    }
    if tier == .fluid {
      var run = FluidPlanRun(self, links: links, policy: policy)
      run.run(to: .start + Self.spanMax)
      return run.outcomes
    }
    let flows = flows.map { flow in
      DownloadPlan.Flow(
        start: flow.start,
        steps: flow.steps.map {
          DownloadPlan.Step(
            size: $0.request.size, isNew: $0.request.connection == .new, idle: $0.idle,
            link: $0.link)
        })
    }
    let plan = DownloadPlan(links: links, flows: flows, policy: policy, seed: seed)
    return plan.run(until: .start + Self.spanMax).flows.map { downloads in
      downloads.map { download in
        var outcome = TransferOutcome(times: download.times)
        outcome.tenths = download.tenths
        outcome.failure = download.failure
        return outcome
      }
    }
  }
}

/// A plan of requests on its way over an ideal link.
private struct IdealPlanRun {
  private let plan: TransferPlan
  private var link: Link
  private var outcomes: [[TransferOutcome]]
  /// When each flow makes its next request; `never` while one is under way, or none is left.
  private var next: [Instant]
  /// The number of the transfer that each flow waits for.
  private var waiting: [Int?]

  init(_ plan: TransferPlan, _ links: [LinkProfile]) {
    self.plan = plan
    link = Link(links: links, changes: [])
    outcomes = plan.flows.map { _ in [] }
    waiting = plan.flows.map { _ in nil }
    next = plan.flows.map { flow in flow.steps.first.map { flow.start + $0.idle } ?? .never }
  }

  /// Runs until every request is over, or an instant has come.
  mutating func outcomes(to horizon: Instant) -> [[TransferOutcome]] {
    while true {
      let request = next.reduce(Instant.never) { min($0, $1) }
      let now = min(link.nextChange(), request)
      if now == .never || now > horizon { return outcomes }
      _ = link.advance(to: now)
      while let transfer = link.firstComplete() { end(transfer, at: now) }
      while let transfer = link.beginResponse(at: now) { begin(transfer, at: now) }
      for flow in next.indices where next[flow] <= now { ask(flow, at: now) }
    }
  }

  private mutating func ask(_ flow: Int, at now: Instant) {
    let step = plan.flows[flow].steps[outcomes[flow].count]
    if let number = step.link {
      link.use(link: number, at: now)
      link.divide()
    }
    waiting[flow] = link.open(Work(step.request.size), for: flow, at: now)
    outcomes[flow].append(TransferOutcome(times: TransferTimes(opened: now)))
    next[flow] = .never
  }

  private mutating func begin(_ transfer: Transfer, at now: Instant) {
    outcomes[transfer.player][outcomes[transfer.player].count - 1].times.firstByte = now
  }

  private mutating func end(_ transfer: Transfer, at now: Instant) {
    let flow = transfer.player
    _ = link.close(transfer.number, at: now)
    outcomes[flow][outcomes[flow].count - 1].times.completed = now
    let steps = plan.flows[flow].steps
    if outcomes[flow].count < steps.count { next[flow] = now + steps[outcomes[flow].count].idle }
  }
}
