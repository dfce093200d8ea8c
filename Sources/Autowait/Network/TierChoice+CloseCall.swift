extension TierChoice {
  /// How far the fluid tier may be off: windows by 6 percent, or 12 percent less, and those that a
  /// rest has shrunk by a quarter; timeouts by 5 percent, or 10 percent more; the end of slow start
  /// (of drawn links, as far as it is from packets).
  private static let leanings = [
    FluidLeaning(windows: 64), FluidLeaning(windows: -64), FluidLeaning(windows: -128),
    FluidLeaning(rests: 256), FluidLeaning(rests: -256),
    FluidLeaning(timeouts: 100), FluidLeaning(timeouts: -48),
    FluidLeaning(exitsEarly: true, hearsLate: true),
  ]
  /// By how much a response may be larger or smaller: by a sixteenth, but four packets at least and
  /// eight at most; and by a fiftieth in any case.
  private static let packetsOff: ClosedRange<Int64> = 4...8
  private static let packetsPartOff: Int64 = 16, sizePartOff: Int64 = 50
  /// A request hangs on a trifle if one makes so many thousandths of its time.
  private static let trifleMin: Int64 = 50
  /// How long the requests of a plan are followed: a day.
  private static let end = Instant(nanoseconds: 86_400_000_000_000)

  /// Chooses the tier for a plan that is known to its end.
  ///
  /// Where all that it demands suits the fluid tier, it is run there with windows that are a little
  /// larger and smaller, timeouts that are a little longer and shorter, slow starts that end early,
  /// and responses that are a few packets larger and smaller: the tier is no nearer to packets than
  /// that. If a request is over much earlier or later then, a packet that just fits a window, or a
  /// rest that is just longer than a timeout, decides.
  package init(_ plan: TransferPlan, on links: [LinkProfile], policy: TransportPolicy?) {
    self.init(links: links, policy: policy, demand: TransferDemand(plan))
    guard tier == .fluid, let policy, Self.hangsOnTrifles(plan, links, policy) else { return }
    self.init(.packet, .closeCall)
  }

  /// Whether a request of a plan takes much longer or shorter if the tier is a little off.
  private static func hangsOnTrifles(
    _ plan: TransferPlan, _ links: [LinkProfile], _ policy: TransportPolicy
  ) -> Bool {
    var trial = TransferTrial(plan, on: links, policy: policy, tier: .fluid)
    let report = trial.run(to: end)
    if report.isUnsure { return true }
    let exact = totals(report)
    for leaning in leanings {
      trial.leaning = leaning
      if differ(exact, totals(trial.run(to: end)), besides: []) { return true }
    }
    trial.leaning = .none
    for isLarger in [true, false] {
      trial.plan = plan
      let spans = resize(&trial.plan, isLarger, FluidPacket(links[0], policy), links[0])
      if differ(exact, totals(trial.run(to: end)), besides: spans) { return true }
    }
    return false
  }

  private static func totals(_ report: TransferReport) -> [Int64] {
    report.outcomes.joined().map { $0.total?.nanoseconds ?? .max }
  }

  /// Whether a request takes much longer one time than another, beside what it must.
  private static func differ(_ some: [Int64], _ others: [Int64], besides spans: [Int64]) -> Bool {
    assert(some.count == others.count, "\(some.count) requests became \(others.count)")
    for (place, (one, other)) in zip(some, others).enumerated() {
      let span = place < spans.count ? spans[place] : 0
      if (abs(one - other) - span) / trifleMin > max(one, other) / 1_000 { return true }
    }
    return false
  }

  /// Makes the responses of a plan larger or smaller, and returns how long the difference takes.
  private static func resize(
    _ plan: inout TransferPlan, _ isLarger: Bool, _ packet: FluidPacket, _ link: LinkProfile
  ) -> [Int64] {
    var spans: [Int64] = []
    let slowest = link.down.track.samples.lazy.map { $0.rate }.filter { $0 > .zero }.min()
    for flow in plan.flows.indices {
      for step in plan.flows[flow].steps.indices {
        let bytes = plan.flows[flow].steps[step].request.size.bytes
        let packets = bytes / packetsPartOff / packet.segment + 1
        let least = min(max(packets, packetsOff.lowerBound), packetsOff.upperBound)
        let more = max(least * packet.segment, bytes / sizePartOff)
        let size = isLarger ? bytes + more : max(0, bytes - more)
        plan.flows[flow].steps[step].request.size = ByteCount(bytes: size)
        let carried = packet.carried(for: DataAmount(ByteCount(bytes: more)))
        let span = FlowShare(rate: slowest ?? .zero, flows: 1, place: 0)
        spans.append(slowest == nil ? 0 : span.span(for: carried).nanoseconds)
      }
    }
    return spans
  }
}
