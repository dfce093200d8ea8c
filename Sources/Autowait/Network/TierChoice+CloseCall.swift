extension TierChoice {
  /// How far the windows and the timeouts of the fluid tier may be off, in 1,024ths: 3 and 5
  /// percent (of drawn links, as far as the tier is from packets).
  private static let windowsOff: Int64 = 32, timeoutsOff: Int64 = 48
  /// A request hangs on a trifle if one makes so many thousandths of its time.
  private static let trifleMin: Int64 = 50
  /// How long the requests of a plan are followed: a day.
  private static let end = Instant(nanoseconds: 86_400_000_000_000)

  /// Chooses the tier for a plan that is known to its end.
  ///
  /// Where all that it demands suits the fluid tier, it is run there with windows that are a little
  /// larger and smaller, and with timeouts that are a little longer and shorter: the tier is no
  /// nearer to packets than that. If a request is over much earlier or later then, a packet that
  /// just fits a window, or a rest that is just longer than a timeout, decides.
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
    func totals(_ windows: Int64, _ timeouts: Int64) -> [Int64] {
      trial.leaning = FluidLeaning(windows: windows, timeouts: timeouts)
      return trial.run(to: end).outcomes.joined().map {
        $0.total?.nanoseconds ?? .max
      }
    }
    let exact = totals(0, 0)
    for (windows, timeouts) in [
      (windowsOff, 0), (-windowsOff, 0), (0, timeoutsOff), (0, -timeoutsOff),
    ] {
      for (one, other) in zip(exact, totals(windows, timeouts)) {
        if abs(one - other) / trifleMin > max(one, other) / 1_000 { return true }
      }
    }
    return false
  }
}
