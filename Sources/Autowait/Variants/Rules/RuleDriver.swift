/// A rule of segments at work in a player: tells it what the player knows, in its own units.
///
/// The rule's pauses are left out, since the player's own limits say how much it buffers; downloads
/// are given up if the policy says so. What is between a rule and the player is whole: a quality,
/// and when it is asked again. So the trajectory is the same on every machine.
struct RuleDriver: Sendable {
  /// How often a simulator's rule is asked whether to give a segment up.
  ///
  /// Assumed: the least time between two events of progress (XMLHttpRequest, 50 ms).
  static let askingInterval = TimeSpan.milliseconds(50)

  private let ladder: RuleLadder
  private let policy: SegmentRulePolicy
  /// The variants by quality.
  private let rungs: [Int]
  /// The rule of a simulator, or that of a player.
  private var rule: SegmentRule?
  private var session: PlayerSession?
  // What is asked with each look is apart: to see whether there is a session would copy it.
  /// Whether the rule is that of a player.
  private let isOfPlayer: Bool
  /// Whether the rule is asked while a segment comes: a player's, for what it measures meanwhile,
  /// or one that gives segments up.
  let asks: Bool
  /// What predicts throughput for a simulator's rule, or for a player's instead of its own.
  private var estimator: ThroughputEstimator?
  /// What is taken for the throughput before anything is measured, in kbit/s.
  private let firstThroughput: Double?
  /// The rate at which media plays, never zero; no rule of a simulator asks for it.
  var rate = PlaybackRate.normal
  private var lastLevel = 0.0
  private var finishedAt: Instant?
  /// The variant of the first segment, once it is chosen.
  private var firstChoice: Int?

  /// Prepares a rule for a stream and for so much buffered media.
  init(
    _ policy: SegmentRulePolicy, _ streamMedia: StreamMedia, bufferMax: MediaTime,
    expected: BitRate?
  ) {
    self.policy = policy
    let rungs = streamMedia.variants.indices.sorted {
      (streamMedia.variants[$0].bandwidth, $0) < (streamMedia.variants[$1].bandwidth, $1)
    }
    self.rungs = rungs
    let list = streamMedia.lists[streamMedia.variants[rungs[0]].list]
    let count = max(1, list.count)
    let rates = rungs.map {
      Double(max(1, streamMedia.variants[$0].bandwidth.bitsPerSecond))
    }
    let mean = Self.milliseconds(list.end) / Double(count)
    let duration = mean > 0 ? mean : 1
    ladder = RuleLadder(
      segmentDuration: duration, bitRates: rates.map { $0 / 1_000 }, count: count,
      sizes: Self.sizes(policy, streamMedia, rungs, count))
    firstThroughput = expected.map { Double($0.bitsPerSecond) / 1_000 }
    if case .player(let player) = policy.rule {
      (isOfPlayer, asks) = (true, player.measuresUnderWay || policy.abandons && player.givesUp)
      let means = rungs.map { rung in
        let variant = streamMedia.variants[rung]
        return Double(max(1, (variant.averageBandwidth ?? variant.bandwidth).bitsPerSecond))
      }
      session = PlayerSession(
        player,
        PlayerLadder(segmentDuration: duration, count: count, rates: rates, meanRates: means),
        first: expected.map { Double($0.bitsPerSecond) })
    } else {
      let level = Self.milliseconds(bufferMax)
      let rule = SegmentRule(policy, for: ladder, bufferMax: max(level, 2 * duration))
      (isOfPlayer, asks) = (false, rule.abandonsInPlayers)
      self.rule = rule
    }
    if session == nil || policy.estimator != nil {
      estimator = ThroughputEstimator(policy.estimatorInUse, segmentDuration: duration)
    }
    assert((rule == nil) != (session == nil), "one rule chooses")
  }

  /// The bits of all segments, if the rule looks at them.
  private static func sizes(
    _ policy: SegmentRulePolicy, _ streamMedia: StreamMedia, _ rungs: [Int], _ count: Int
  ) -> [Double] {
    guard policy.rule == .predictive || policy.rule == .robustPredictive else { return [] }
    let lists = rungs.map { streamMedia.lists[streamMedia.variants[$0].list] }
    let common = lists.reduce(count) { min($0, $1.count) }
    let sizes = (0..<common).flatMap { segment in
      lists.map { Double($0.size(of: segment).bytes) * 8 }
    }
    return common == count ? sizes + RuleLadder.sizesAfterEnd(of: lists) : sizes
  }

  /// Whether a segment of the lowest variant is loaded first, only to measure.
  var measuresFirst: Bool { policy.measuresFirst && rungs.count > 1 }

  /// The lowest variant.
  var lowest: Int { rungs[0] }

  private func quality(of variant: Int) -> Int { rungs.firstIndex(of: variant) ?? 0 }

  /// What a scenario's own estimator expects for a player's rule, in bit/s.
  private var estimate: Double? {
    guard let estimator, estimator.count > 0 else { return nil }
    return estimator.throughput * 1_000
  }

  /// Returns the variant of the first segment behind one that was loaded only to measure: how long
  /// its first byte took, and all.
  mutating func measured(
    _ size: DataAmount, latency: TimeSpan, in span: TimeSpan, at now: Instant
  ) -> Int {
    measure(size, latency: latency, in: span)
    firstChoice = nil
    if isOfPlayer {
      let moment = moment(.zero, .zero, at: now)
      session?.end(moment)
    } else if let estimator, estimator.count > 0, estimator.throughput > 0 {
      let view = RuleView(
        segment: 0, level: 0, throughput: estimator.throughput, latency: estimator.latency)
      firstChoice = rule.map { rungs[$0.decided(view, ladder)] }
    }
    return first(at: now)
  }

  /// Takes note of what so many bits showed of the network; what came at once tells nothing.
  private mutating func measure(_ size: DataAmount, latency: TimeSpan, in span: TimeSpan) {
    let (time, wait) = (Self.milliseconds(span), Self.milliseconds(latency))
    let bits = Double(size.wholeBytes.bytes) * 8
    guard time > wait, bits > 0 else { return }
    estimator?.note(time: time - wait, throughput: bits / (time - wait), latency: wait)
  }

  /// Returns the variant of the first segment.
  mutating func first(at now: Instant) -> Int {
    if let firstChoice { return firstChoice }
    let moment = moment(.zero, .zero, at: now)
    let expected = estimate
    let quality =
      session?.choose(moment, estimate: expected).quality ?? rule?.firstQuality(ladder) ?? 0
    firstChoice = rungs[quality]
    return rungs[quality]
  }

  /// Returns the variant of a segment with so much media before it.
  mutating func next(
    _ segment: Int, level: MediaTime, playhead: MediaTime, at now: Instant
  ) -> Int {
    let expected = estimate
    let moment = moment(level, playhead, at: now)
    if let choice = session?.choose(moment, estimate: expected) {
      return rungs[choice.quality]
    }
    if let finishedAt, finishedAt < now {
      rule?.noteDelay(Self.milliseconds(now - finishedAt))
    }
    finishedAt = nil
    lastLevel = Self.milliseconds(level)
    let latency = estimator?.latency ?? 0
    var throughput = firstThroughput
    if let estimator, estimator.count > 0 { throughput = estimator.throughput }
    guard let throughput, throughput > 0 else {
      return rungs[rule?.firstQuality(ladder) ?? 0]
    }
    var view = RuleView(
      segment: segment, level: lastLevel, throughput: throughput, latency: latency)
    view.time = Self.milliseconds(now - .start)
    return rungs[rule?.decide(view, ladder).quality ?? 0]
  }

  // MARK: What is under way

  /// How far a segment has come.
  struct Progress {
    let variant: Int
    let size: DataAmount
    let delivered: DataAmount
    let opened: Instant
    /// When its first byte came, or now if none has.
    let responded: Instant
  }

  /// Whether it is asked while a segment of the lowest variant comes.
  var asksOfLowest: Bool { isOfPlayer }

  /// Takes note of a request for a segment; returns when the rule is asked about it first.
  mutating func begin(
    _ segment: Int, of variant: Int, _ size: DataAmount, at now: Instant, isToMeasure: Bool = false
  ) -> Instant {
    guard isOfPlayer else { return now + Self.askingInterval }
    var request = PlayerRequest(
      segment: segment, quality: quality(of: variant),
      size: Double(size.wholeBytes.bytes), opened: Self.milliseconds(now - .start))
    request.isToMeasure = isToMeasure
    session?.begin(request)
    return nextLook(after: now)
  }

  /// Takes note of the first byte of a segment; returns when the rule is asked about it next, nil
  /// if that is as it was.
  mutating func noteResponse(at now: Instant) -> Instant? {
    guard isOfPlayer else { return nil }
    session?.noteResponse(at: Self.milliseconds(now - .start))
    return nextLook(after: now)
  }

  private func nextLook(after now: Instant) -> Instant {
    let next = session?.nextLook(after: Self.milliseconds(now - .start)) ?? .infinity
    guard next < 1e12 else { return .never }
    // A time that is rounded down may be the one that has just been looked at.
    return max(
      Instant(nanoseconds: Int64(next * 1e6 + 0.5)), now + TimeSpan(nanoseconds: 1))
  }

  /// Returns the variant for which a segment is given up, if it is, and when the rule is asked
  /// again if not.
  mutating func abandonment(
    _ progress: Progress, level: MediaTime, playhead: MediaTime, at now: Instant
  ) -> (variant: Int?, again: Instant) {
    if isOfPlayer {
      let loaded = Double(min(progress.delivered, progress.size).wholeBytes.bytes)
      let moment = moment(level, playhead, at: now)
      let quality = session?.look(loaded, moment)
      guard let quality else { return (nil, nextLook(after: now)) }
      session?.giveUp(for: quality, loaded, moment)
      return (rungs[quality], .never)
    }
    let asked = RuleProgress(
      quality: quality(of: progress.variant),
      size: Double(progress.size.wholeBytes.bytes) * 8,
      downloaded: Double(progress.delivered.wholeBytes.bytes) * 8,
      time: Self.milliseconds(now - progress.opened),
      latency: Self.milliseconds(progress.responded - progress.opened))
    let level = Self.milliseconds(level)
    let latency = estimator?.latency ?? 0
    if let quality = rule?.abandonment(asked, level: level, latency: latency, ladder) {
      return (rungs[quality], now)
    }
    // A rule that will never give it up is patient for longer than any segment takes.
    let patience = min(max(0, rule?.patience(asked, level: level, ladder) ?? 1e9), 1e9)
    let notBefore = now + TimeSpan(nanoseconds: Int64(patience * 1e6))
    return (nil, Self.asksAgain(at: now, notBefore: notBefore, opened: progress.opened))
  }

  /// Returns when a rule is asked again: at the last look within its patience, or else at the next.
  private static func asksAgain(at now: Instant, notBefore: Instant, opened: Instant) -> Instant {
    let interval = askingInterval.nanoseconds
    let looks = max(0, (notBefore - opened).nanoseconds) / interval
    let passed = (now - opened).nanoseconds / interval
    return opened + TimeSpan(nanoseconds: max(looks, passed + 1) * interval)
  }

  /// Takes note of a segment of a variant that has come: how long its first byte took, and all; the
  /// level is that before it.
  mutating func note(
    _ size: DataAmount, of variant: Int, latency: TimeSpan, in span: TimeSpan,
    _ moment: (level: MediaTime, playhead: MediaTime, now: Instant)
  ) {
    measure(size, latency: latency, in: span)
    let end = self.moment(moment.level, moment.playhead, at: moment.now)
    session?.end(end)
    let (time, wait) = (Self.milliseconds(span), Self.milliseconds(latency))
    let bits = Double(size.wholeBytes.bytes) * 8
    // What came at once tells nothing.
    guard time > wait, bits > 0 else { return }
    rule?.noteTransfer(bytes: bits / 8, in: time)
    let level = max(0, lastLevel - time) + ladder.segmentDuration
    let download = RuleDownload(quality: quality(of: variant), time: time)
    rule?.noteDownload(download, level: level, ladder)
    finishedAt = moment.now
  }

  /// Takes note of reads beside those for segments of the picture, each of which showed the same.
  mutating func noteReads(_ count: Int, of size: DataAmount, in span: TimeSpan) {
    session?.noteReads(count, of: Double(size.wholeBytes.bytes), in: Self.milliseconds(span))
  }

  /// Takes note of a playlist that has come, of which a player's rule may ask.
  mutating func notePlaylist(of list: Int, _ streamMedia: StreamMedia, in span: TimeSpan) {
    for (quality, variant) in rungs.enumerated() where streamMedia.variants[variant].list == list {
      session?.notePlaylist(of: quality, in: Self.milliseconds(span))
    }
  }

  /// The one way from the player's times to the rules' own.
  private static func milliseconds(_ span: TimeSpan) -> Double { Double(span.nanoseconds) / 1e6 }

  private static func milliseconds(_ time: MediaTime) -> Double { Double(time.nanoseconds) / 1e6 }

  private func moment(
    _ level: MediaTime, _ playhead: MediaTime, at now: Instant
  ) -> PlayerMoment {
    PlayerMoment(
      time: Self.milliseconds(now - .start), level: Self.milliseconds(level),
      position: Self.milliseconds(playhead), speed: Double(rate.millionths.magnitude) / 1e6)
  }
}
