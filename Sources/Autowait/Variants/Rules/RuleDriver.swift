/// A rule of segments at work in a player: tells it what the player knows, in its own units.
///
/// The rule's pauses are left out, since the player's own limits say how much it buffers; downloads
/// are given up if the policy says so. What is between a rule and the player is whole: a quality,
/// and how often it is asked. So the trajectory is the same on every machine.
struct RuleDriver: Sendable {
  private let ladder: RuleLadder
  private let policy: SegmentRulePolicy
  /// The variants by quality.
  private let rungs: [Int]
  private var rule: SegmentRule
  private var estimator: ThroughputEstimator
  /// The bytes that have come and counted, and the milliseconds that they took.
  private var bytes = 0.0
  private var transferTime = 0.0
  /// What is taken for the throughput before anything is measured, in kbit/s.
  private let firstThroughput: Double?
  private var lastLevel = 0.0
  private var finishedAt: Instant?
  /// The variant that a segment made the first one that was loaded only to measure.
  private var choiceByMeasure: Int?

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
      Double(max(1, streamMedia.variants[$0].bandwidth.bitsPerSecond)) / 1_000
    }
    let duration = Self.milliseconds(list.end) / Double(count)
    self.ladder = RuleLadder(
      segmentDuration: duration > 0 ? duration : 1, bitRates: rates, count: count,
      sizes: Self.sizes(policy, streamMedia, rungs, count))
    let level = Self.milliseconds(bufferMax)
    rule = SegmentRule(
      policy, for: self.ladder, bufferMax: max(level, 2 * self.ladder.segmentDuration))
    estimator = ThroughputEstimator(
      policy.estimatorInUse, segmentDuration: self.ladder.segmentDuration)
    let expected = expected.map { Double($0.bitsPerSecond) / 1_000 }
    if case .player(let player) = policy.rule {
      firstThroughput = expected ?? player.firstThroughput(self.ladder)
    } else {
      firstThroughput = expected
    }
  }

  /// The bits of all segments, if the rule looks at them.
  private static func sizes(
    _ policy: SegmentRulePolicy, _ streamMedia: StreamMedia, _ rungs: [Int], _ count: Int
  ) -> [Double] {
    guard policy.rule == .predictive || policy.rule == .robustPredictive else { return [] }
    let lists = rungs.map { streamMedia.lists[streamMedia.variants[$0].list] }
    let common = lists.reduce(count) { min($0, $1.count) }
    return (0..<common).flatMap { segment in
      lists.map { Double($0.size(of: segment).bytes) * 8 }
    }
  }

  /// The player whose rule it is, if it is one's.
  private var player: PlayerRule? {
    if case .player(let player) = policy.rule { player } else { nil }
  }

  /// Whether a segment of the lowest variant is loaded first, only to measure.
  var measuresFirst: Bool { policy.measuresFirst && rungs.count > 1 }

  /// The lowest variant.
  var lowest: Int { rungs[0] }

  /// Returns the variant of the first segment behind one that was loaded only to measure: how long
  /// its first byte took, and all.
  ///
  /// hls.js leaves the wait for the first byte out of both, throughput and time.
  mutating func measured(_ size: DataAmount, latency: TimeSpan, in span: TimeSpan) -> Int {
    let (time, wait) = (Self.milliseconds(span), Self.milliseconds(latency))
    measure(Double(size.wholeBytes.bytes) * 8, in: time, after: wait)
    rule.noteMeasured(in: max(0, time - wait))
    let throughput = estimator.count > 0 ? estimator.throughput : firstThroughput
    if let throughput, throughput > 0 {
      let view = RuleView(
        segment: 0, level: 0, throughput: throughput, latency: estimator.latency)
      choiceByMeasure = rungs[rule.decide(view, ladder).quality]
    }
    return first()
  }

  /// Takes note of what so many bits showed of the network; what came at once tells nothing.
  private mutating func measure(_ bits: Double, in time: Double, after wait: Double) {
    guard time > wait, bits > 0, bits / 8 >= player?.bytesMin ?? 0 else { return }
    bytes += bits / 8
    transferTime += time - wait
    estimator.note(time: time - wait, throughput: bits / (time - wait), latency: wait)
  }

  /// Returns the variant of the first segment.
  mutating func first() -> Int {
    if let choiceByMeasure { return choiceByMeasure }
    guard case .player = policy.rule, let firstThroughput else {
      return rungs[rule.firstQuality(ladder)]
    }
    let view = RuleView(segment: 0, level: 0, throughput: firstThroughput, latency: 0)
    return rungs[rule.decide(view, ladder).quality]
  }

  /// Returns the variant of a segment with so much media before it.
  mutating func next(_ segment: Int, level: MediaTime, at now: Instant) -> Int {
    if let finishedAt, finishedAt < now {
      rule.noteDelay(Self.milliseconds(now - finishedAt))
    }
    finishedAt = nil
    lastLevel = Self.milliseconds(level)
    var isTrusted = estimator.count > 0
    if let player {
      isTrusted = bytes >= player.bytesTrusted || transferTime >= player.timeTrusted
    }
    guard let throughput = isTrusted ? estimator.throughput : firstThroughput, throughput > 0 else {
      return rungs[rule.firstQuality(ladder)]
    }
    var view = RuleView(
      segment: segment, level: lastLevel, throughput: throughput, latency: estimator.latency)
    view.time = Self.milliseconds(now - .start)
    return rungs[rule.decide(view, ladder).quality]
  }

  /// How far a segment has come.
  struct Progress {
    let variant: Int
    let size: DataAmount
    let delivered: DataAmount
    let opened: Instant
    /// When its first byte came, or now if none has.
    let responded: Instant
  }

  /// Whether segments are given up as the rule says.
  var abandons: Bool { rule.abandonsInPlayers }

  /// Returns the variant for which a segment is given up, if it is, and until when the rule need
  /// not be asked again if not.
  mutating func abandonment(
    _ progress: Progress, level: MediaTime, at now: Instant
  ) -> (variant: Int?, notBefore: Instant) {
    let asked = RuleProgress(
      quality: rungs.firstIndex(of: progress.variant) ?? 0,
      size: Double(progress.size.wholeBytes.bytes) * 8,
      downloaded: Double(progress.delivered.wholeBytes.bytes) * 8,
      time: Self.milliseconds(now - progress.opened),
      latency: Self.milliseconds(progress.responded - progress.opened))
    let level = Self.milliseconds(level)
    let quality = rule.abandonment(asked, level: level, latency: estimator.latency, ladder)
    if let quality { return (rungs[quality], now) }
    // A rule that will never give it up is patient for longer than any segment takes.
    let patience = min(max(0, rule.patience(asked, level: level, ladder)), 1e9)
    return (nil, now + TimeSpan(nanoseconds: Int64(patience * 1e6)))
  }

  /// Takes note of a segment of a variant that has come: how long its first byte took, and all.
  mutating func note(
    _ size: DataAmount, of variant: Int, latency: TimeSpan, in span: TimeSpan, at now: Instant
  ) {
    let (time, wait) = (Self.milliseconds(span), Self.milliseconds(latency))
    let bits = Double(size.wholeBytes.bytes) * 8
    // What came at once tells nothing.
    guard time > wait, bits > 0 else { return }
    measure(bits, in: time, after: wait)
    rule.noteTransfer(bytes: bits / 8, in: time)
    let quality = rungs.firstIndex(of: variant) ?? 0
    let level = max(0, lastLevel - time) + ladder.segmentDuration
    rule.noteDownload(RuleDownload(quality: quality, time: time), level: level, ladder)
    finishedAt = now
  }

  /// The one way from the player's times to the rules' own.
  private static func milliseconds(_ span: TimeSpan) -> Double { Double(span.nanoseconds) / 1e6 }

  private static func milliseconds(_ time: MediaTime) -> Double { Double(time.nanoseconds) / 1e6 }
}
