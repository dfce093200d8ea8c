/// How fast senders send that pace: of windows and round trips, as packets are paced.
extension FluidLink {
  /// How fast a connection's sender sends in the present round; nil for as fast as it can.
  func pace(of index: Int) -> BitRate? {
    guard isPaced, let roundTrip = connections[index].window.roundTrip, roundTrip > .zero
    else { return nil }
    if let bits = cappedWindow(of: index) {
      let packets = packet.count(in: bits)
      let percent = Pacing.percent(
        window: packets, threshold: connections[index].window.threshold)
      return pace(bits.nanobits * UInt128(percent) / 100, in: roundTrip)
    }
    let window = connections[index].left
    let isSlow = packet.count(in: window) < connections[index].window.threshold
    // In slow start the pace follows the window, which grows while the round before is
    // acknowledged: after a first burst, rounds become longer, towards the whole round trip.
    let isBurst = connections[index].isFresh || connections[index].isRested
    let tenths: UInt128 =
      switch connections[index].round - (isBurst ? 1 : 0) {
      case _ where policy.congestionControl == .none: 20
      case _ where !isSlow: 12
      case ...0: 20
      case 1: 16
      default: 14
      }
    return pace(window.nanobits * tenths / 10, in: roundTrip)
  }

  /// Returns the congestion window of a sender whose receiver lets less be under way, when it has
  /// grown as far as that lets it; nil if it has not.
  private func cappedWindow(of index: Int) -> DataAmount? {
    if policy.congestionControl == .none || policy.receiveWindow == nil { return nil }
    let window = connections[index].window
    let most = max(window.packets, 2 * packet.count(in: packet.receiveWindow))
    let grown = window.grown(
      acknowledged: packet.count(in: connections[index].served),
      spacing: connections[index].spacing, capacity: capacity, policy)
    return grown >= most ? packet.size.times(most) : nil
  }

  /// The pace that the last acknowledgement of a busy time leaves behind.
  func paceKept(by window: FluidWindow) -> BitRate? {
    guard isPaced, let roundTrip = window.roundTrip, roundTrip > .zero else { return nil }
    let bits =
      policy.congestionControl == .none
      ? packet.receiveWindow.nanobits : packet.size.times(window.packets).nanobits
    let percent = Pacing.percent(window: window.packets, threshold: window.threshold)
    return pace(bits * UInt128(percent) / 100, in: roundTrip)
  }

  func pace(_ nanobits: UInt128, in roundTrip: TimeSpan) -> BitRate {
    let rate = nanobits / UInt128(UInt64(roundTrip.nanoseconds))
    return BitRate(bitsPerSecond: max(1, Int64(clamping: rate)))
  }

  /// Whether senders pace, and by windows that say how fast.
  var isPaced: Bool {
    policy.isPaced && (policy.congestionControl != .none || policy.http == .http3)
  }

  /// Paces the first round of a busy time, which goes at the rate of before: what is left of the
  /// first packets of a connection leaves at once, the others by bursts.
  ///
  /// The pace after the first burst is such that the last one leaves when it does with bursts. A
  /// sender that was silent takes half of the first wait back.
  mutating func paceFirstRound(_ index: Int) {
    guard isPaced, let pace = keptPace(of: index, at: connections[index].roundStart) else {
      return
    }
    let count = packet.count(in: min(connections[index].left, outstanding(on: index)))
    let free = max(0, Int64(Pacing.unpacedPackets) - connections[index].sent)
    let burst = burst(index, at: pace)
    let waits = (count - free - 1) / burst
    guard count > free, waits > 0 else { return }
    connections[index].atOnce = packet.size.times(count - waits * burst)
    let (rate, over) = pace.bitsPerSecond.multipliedReportingOverflow(by: 2 * waits)
    if over { return }
    connections[index].paceNext = BitRate(bitsPerSecond: rate / (2 * waits - 1))
  }

  /// What of a window is under way of a sender that paces when it hears of something that happens
  /// now, since it began to send a response; nil if it does not pace, or has gone on to a second
  /// round.
  ///
  /// On a path that is full the first round lasts. A busy time begins at the pace of before it.
  /// Then the pace is the window in the round trip that is measured, which is what is under way at
  /// the link's rate: what is under way times its growth is the window times that rate, and so its
  /// square grows evenly.
  func underWay(
    _ index: Int, since begun: FluidTransfer.Beginning, at now: Instant
  ) -> DataAmount? {
    let (spacing, isFirst) = (
      connections[index].spacing, begun.at == connections[index].busySince
    )
    guard isPaced, connections[index].round == 0 || !isFirst, spacing > .zero,
      let pace = keptPace(of: index, at: connections[index].busySince)
    else { return nil }
    assert(begun.at <= now, "a response that begins at \(begun.at) is under way at \(now)")
    assert(pace.bitsPerSecond > 0, "connection \(connections[index].number) sends at no pace")
    let span = max(.zero, now + up.delay + down.delay - begun.at)
    var (early, first) = (packet.count(in: begun.ahead), TimeSpan.zero)
    if isFirst {
      first = min(span, roundTrip(besides: connections[index].number) + spacing.times(8))
      let free = max(
        burst(index, at: pace), Int64(Pacing.unpacedPackets) - connections[index].sent)
      let sent = packet.size.times(free) + FlowShare(rate: pace, flows: 1, place: 0).data(in: first)
      early = packet.count(in: sent - min(sent, connections[index].share.data(in: first)))
    }
    let later = (span - first).nanoseconds / spacing.nanoseconds
    let window = connections[index].window
    let percent = Pacing.percent(window: window.packets, threshold: window.threshold)
    let square =
      UInt128(UInt64(early)) * UInt128(UInt64(early)) + 2 * UInt128(percent)
      * UInt128(UInt64(window.packets)) * UInt128(UInt64(later)) / 100
    return packet.size.times(Int64(clamping: IntegerRoot.square(of: square)))
  }

  /// The pace at which a busy time begins.
  ///
  /// A sender of HTTP/3 that answers early data has measured no round trip yet: until what it sent
  /// before is acknowledged, it does not pace.
  func keptPace(of index: Int, at now: Instant) -> BitRate? {
    let isMeasured = policy.http != .http3 || !connections[index].isAfterHandshake
    guard isMeasured || connections[index].ends.aheadUntil <= now else { return nil }
    return connections[index].paceKept ?? paceKept(by: connections[index].window)
  }

  /// Returns the data of packets that go at a pace, in bytes per second.
  func dataRate(of pace: BitRate) -> UInt64 {
    let data = UInt128(UInt64(pace.bitsPerSecond)) * UInt128(UInt64(packet.segment))
    return max(1, UInt64(clamping: data * 1_000_000_000 / packet.size.nanobits))
  }

  /// Returns how many packets leave together at a pace.
  func burst(_ index: Int, at pace: BitRate) -> Int64 {
    let burst = Int64(
      Pacing.burst(
        rate: dataRate(of: pace),
        roundTripMin: connections[index].window.roundTripMin.nanoseconds,
        segmentBytes: Int(packet.segment)))
    assert(burst > 0, "bursts of \(burst) packets")
    return burst
  }
}
