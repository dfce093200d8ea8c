/// A model of BBR, version 1: a sender that estimates the bottleneck's rate and the least round
/// trip, and sends by them instead of by losses (Cardwell et al., ACM Queue 14(5), 2016;
/// draft-cardwell-iccrg-bbr-congestion-control-00).
struct BBR: Sendable {
  /// What an acknowledgement says about the rate.
  struct RateSample {
    /// The packets delivered since the newest acknowledged one was sent, and in what time.
    var delivered = 0
    var interval: Int64 = 0
    /// What had been delivered when it was sent.
    var priorDelivered = -1
    /// Whether the sender had had nothing to send.
    var isApplicationLimited = false
    /// The round trip, if one was measured.
    var roundTrip: Int64 = -1
    /// The packets that this acknowledgement delivered, and those it showed to be lost.
    var acknowledged = 0
    var lost = 0
  }

  /// What the model needs to know of its sender.
  struct SenderState {
    var delivered: Int
    var inFlight: Int
    var isRecovering: Bool
    var segmentBytes: Int
  }

  private enum Mode: UInt8 { case startup, drain, probeRate, probeRoundTrip }

  private var mode = Mode.startup
  /// The greatest rates of the last ten rounds, each round with its rate; packets · 2²⁴ per µs.
  private var best: (rate: UInt64, round: Int) = (0, 0)
  private var second: (rate: UInt64, round: Int) = (0, 0)
  private var third: (rate: UInt64, round: Int) = (0, 0)
  private var round = 0
  private var roundEnd = 0
  private var isRoundStart = false
  private var fullRate: UInt64 = 0
  private var fullRounds = 0
  private var isFull = false
  private var leastRoundTrip: Int64 = .max
  private var leastSeenAt = Instant.start
  private var probeEndsAt: Instant?
  private var isProbeRoundOver = false
  private var phase = 0
  private var phaseStart = Instant.start
  private var windowBefore = 0
  private var wasRecovering = false
  private var conservesPackets = false
  private var isRestarting = false
  private var pacingGain = BBR.highGain
  private var windowGain = BBR.highGain
  /// The window that the model allows.
  private(set) var window: Int
  /// The rate at which it sends, in bytes per second.
  private(set) var pacingRate: UInt64

  /// 2 / ln 2 in 256ths: the least gain that doubles the rate each round.
  private static let highGain: UInt64 = 739
  private static let drainGain: UInt64 = 88
  private static let windowMin = 4
  private static let roundsKept = 10
  private static let leastKept: Int64 = 10_000_000_000
  private static let probeTime: Int64 = 200_000_000

  /// Creates the model of a new connection.
  init(initialWindow: Int, roundTrip: Int64, segmentBytes: Int, number: Int, at now: Instant) {
    window = initialWindow
    leastSeenAt = now
    if roundTrip > 0 { leastRoundTrip = roundTrip }
    let span = UInt64(roundTrip > 0 ? roundTrip : 1_000_000)
    pacingRate = UInt64(initialWindow * segmentBytes) * 1_000_000_000 / span
    pacingRate = pacingRate * BBR.highGain / 256 * 99 / 100
    phase = 2 + number % 6
  }

  /// Takes note of a loss that the sender found by its acknowledgements.
  mutating func saveWindow() {
    if !wasRecovering, mode != .probeRoundTrip {
      windowBefore = window
    } else {
      windowBefore = max(windowBefore, window)
    }
  }

  /// Takes note of a timeout: one packet goes out, then the window grows back.
  mutating func timeOut(inFlight: Int) {
    saveWindow()
    wasRecovering = true
    fullRate = 0
    window = inFlight + 1
  }

  /// Takes note that data goes out after a time without any.
  mutating func restart(segmentBytes: Int) {
    isRestarting = true
    if mode == .probeRate { setPacingRate(gain: 256, segmentBytes: segmentBytes) }
  }

  /// Takes an acknowledgement.
  mutating func acknowledge(_ sample: RateSample, _ senderState: SenderState, at now: Instant) {
    updateRate(sample, senderState)
    updatePhase(sample, senderState, at: now)
    checkFull(sample)
    checkDrain(senderState, at: now)
    updateLeast(sample, senderState, at: now)
    setGains()
    setPacingRate(gain: pacingGain, segmentBytes: senderState.segmentBytes)
    setWindow(sample, senderState)
    assertInvariants()
  }

  /// Asserts what holds of the model between two calls.
  private func assertInvariants() {
    assert(window > 0 && pacingRate > 0, "\(window) packets at \(pacingRate) B/s")
    assert(best.rate >= second.rate && second.rate >= third.rate, "the greatest rates must fall")
    assert(best.round <= second.round && second.round <= third.round, "a rate of a later round")
    assert(third.round <= round, "a rate of round \(third.round), and it is round \(round)")
    assert(0..<8 ~= phase, "phase \(phase) of a cycle of 8")
    assert(leastRoundTrip > 0, "a round trip of \(leastRoundTrip) ns")
  }

  private var rate: UInt64 { best.rate }

  private mutating func updateRate(_ sample: RateSample, _ senderState: SenderState) {
    isRoundStart = false
    if sample.delivered <= 0 || sample.interval <= 0 { return }
    if sample.priorDelivered >= roundEnd {
      roundEnd = senderState.delivered
      round += 1
      isRoundStart = true
      conservesPackets = false
    }
    let rate = (UInt64(sample.delivered) << 24) * 1_000 / UInt64(sample.interval)
    if !sample.isApplicationLimited || rate >= self.rate { keep(rate) }
  }

  /// Keeps the greatest rate of the last rounds, and what would follow it.
  private mutating func keep(_ rate: UInt64) {
    let newest = (rate: rate, round: round)
    if rate >= best.rate || round - third.round > BBR.roundsKept {
      (best, second, third) = (newest, newest, newest)
      return
    }
    if rate >= second.rate {
      (second, third) = (newest, newest)
    } else if rate >= third.rate {
      third = newest
    }
    let age = round - best.round
    if age > BBR.roundsKept {
      (best, second, third) = (second, third, newest)
      if round - best.round > BBR.roundsKept {
        (best, second) = (second, third)
      }
    } else if second.round == best.round, age > BBR.roundsKept / 4 {
      (second, third) = (newest, newest)
    } else if third.round == second.round, age > BBR.roundsKept / 2 {
      third = newest
    }
  }

  /// What is under way when a rate fills the least round trip, with some room for bursts.
  private func target(gain: UInt64, _ senderState: SenderState) -> Int {
    if leastRoundTrip == .max { return 10 }
    let product = UInt128(rate) * UInt128(UInt64(leastRoundTrip / 1_000)) * UInt128(gain)
    // No receiver lets 2³⁰ packets go.
    var packets = Int(min((product >> 8 + (1 << 24) - 1) >> 24, 1 << 30))
    packets += 3 * burst(segmentBytes: senderState.segmentBytes)
    packets = (packets + 1) & ~1
    return mode == .probeRate && phase == 0 ? packets + 2 : packets
  }

  /// The packets that leave the host together: a millisecond of them.
  @inline(__always)
  func burst(segmentBytes: Int) -> Int {
    let bytes = Int(min(pacingRate >> 10, 1 << 24))
    return min(127, max(bytes / segmentBytes, pacingRate < 150_000 ? 1 : 2))
  }

  private mutating func updatePhase(
    _ sample: RateSample, _ senderState: SenderState, at now: Instant
  ) {
    guard mode == .probeRate else { return }
    let isLong = (now - phaseStart).nanoseconds > leastRoundTrip
    let isOver: Bool
    switch phase {
    case 0:
      isOver =
        isLong && (sample.lost > 0 || senderState.inFlight >= target(gain: pacingGain, senderState))
    case 1: isOver = isLong || senderState.inFlight <= target(gain: 256, senderState)
    default: isOver = isLong
    }
    if isOver { enter(phase: (phase + 1) % 8, at: now) }
  }

  private mutating func enter(phase: Int, at now: Instant) {
    self.phase = phase
    phaseStart = now
  }

  /// The path is full when three rounds have not brought a quarter more.
  private mutating func checkFull(_ sample: RateSample) {
    if isFull || !isRoundStart || sample.isApplicationLimited { return }
    if rate >= fullRate * 5 / 4 {
      fullRate = rate
      fullRounds = 0
    } else {
      fullRounds += 1
      isFull = fullRounds >= 3
    }
  }

  private mutating func checkDrain(_ senderState: SenderState, at now: Instant) {
    if mode == .startup, isFull { mode = .drain }
    if mode == .drain, senderState.inFlight <= target(gain: 256, senderState) { probeRate(at: now) }
  }

  /// A cycle may begin anywhere but in the phase that drains.
  private mutating func probeRate(at now: Instant) {
    mode = .probeRate
    enter(phase: phase == 1 ? 2 : phase, at: now)
  }

  private mutating func updateLeast(
    _ sample: RateSample, _ senderState: SenderState, at now: Instant
  ) {
    let isStale = (now - leastSeenAt).nanoseconds > BBR.leastKept
    if sample.roundTrip > 0, sample.roundTrip < leastRoundTrip || isStale {
      leastRoundTrip = sample.roundTrip
      leastSeenAt = now
    }
    if isStale, !isRestarting, mode != .probeRoundTrip {
      mode = .probeRoundTrip
      saveWindow()
      probeEndsAt = nil
    }
    if mode == .probeRoundTrip { probeRoundTrip(senderState, at: now) }
    if sample.delivered > 0 { isRestarting = false }
  }

  /// For 200 ms and a round next to nothing is under way, so that the least is seen.
  private mutating func probeRoundTrip(_ senderState: SenderState, at now: Instant) {
    guard let probeEndsAt else {
      if senderState.inFlight <= BBR.windowMin {
        probeEndsAt = now + TimeSpan(nanoseconds: BBR.probeTime)
        isProbeRoundOver = false
        roundEnd = senderState.delivered
      }
      return
    }
    if isRoundStart { isProbeRoundOver = true }
    if isProbeRoundOver, now > probeEndsAt {
      leastSeenAt = now
      window = max(window, windowBefore)
      if isFull { probeRate(at: now) } else { mode = .startup }
    }
  }

  private mutating func setGains() {
    switch mode {
    case .startup: (pacingGain, windowGain) = (BBR.highGain, BBR.highGain)
    case .drain: (pacingGain, windowGain) = (BBR.drainGain, BBR.highGain)
    case .probeRate: (pacingGain, windowGain) = (phase == 0 ? 320 : phase == 1 ? 192 : 256, 512)
    case .probeRoundTrip: (pacingGain, windowGain) = (256, 256)
    }
  }

  private mutating func setPacingRate(gain: UInt64, segmentBytes: Int) {
    // One part in a hundred less, so that a queue at the bottleneck empties.
    let bytes = UInt128(rate) * UInt128(UInt64(segmentBytes)) * UInt128(gain) * 990_000
    let wanted = UInt64(clamping: bytes >> 32)
    if isFull || wanted > pacingRate { pacingRate = max(wanted, 1) }
  }

  private mutating func setWindow(_ sample: RateSample, _ senderState: SenderState) {
    defer { if mode == .probeRoundTrip { window = min(window, BBR.windowMin) } }
    if sample.acknowledged == 0 { return }
    if recover(sample, senderState) { return }
    let target = target(gain: windowGain, senderState)
    if isFull {
      window = min(window + sample.acknowledged, target)
    } else if window < target || senderState.delivered < 10 {
      window += sample.acknowledged
    }
    window = max(window, BBR.windowMin)
  }

  /// In the first round of a recovery a packet goes out for each that is delivered.
  private mutating func recover(_ sample: RateSample, _ senderState: SenderState) -> Bool {
    if sample.lost > 0 { window = max(window - sample.lost, 1) }
    if senderState.isRecovering, !wasRecovering {
      conservesPackets = true
      roundEnd = senderState.delivered
      window = senderState.inFlight + sample.acknowledged
    } else if !senderState.isRecovering, wasRecovering {
      window = max(window, windowBefore)
      conservesPackets = false
    }
    wasRecovering = senderState.isRecovering
    if conservesPackets { window = max(window, senderState.inFlight + sample.acknowledged) }
    return conservesPackets
  }
}
