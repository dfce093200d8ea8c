import Autowait

/// What a session of Pensieve's simulator is given.
package struct PensieveSetup: Sendable {
  /// A row of a trace of Pensieve: a rate that has held since the row before.
  package struct RateRow: Hashable, Sendable {
    /// The end of the row in seconds.
    package var time: Double
    /// Megabits per second.
    package var megabits: Double

    /// Creates a row.
    package init(time: Double, megabits: Double) {
      (self.time, self.megabits) = (time, megabits)
    }
  }

  /// The stream, with the sizes of its segments.
  package var ladder: RuleLadder
  /// The network; the first row says only when the trace begins.
  package var rows: [RateRow]
  /// The rule.
  package var rule: SegmentRulePolicy
  /// How throughput is predicted, for rules that do not do it themselves.
  package var estimator = EstimatorPolicy.harmonic(5)
  /// What is added to each download, in milliseconds.
  package var latency = 80.0
  /// The part of what the network carries that is media.
  package var payload = 0.95
  /// The most media that is buffered, in milliseconds.
  package var bufferMax = 60_000.0
  /// What a full buffer makes the player sleep for, or a multiple of it, in milliseconds.
  package var quantum = 500.0
  /// Whether the network's own time passes during the latency.
  ///
  /// In Pensieve it does not: in 48 segments the network falls 3.84 seconds behind.
  package var spendsLatency = false

  /// Creates a setup with Pensieve's constants.
  package init(_ ladder: RuleLadder, over rows: [RateRow], rule: SegmentRulePolicy) {
    precondition(ladder.sizes.count >= ladder.count * ladder.bitRates.count, "segments of no size")
    precondition(rows.count > 1, "a trace of no length")
    (self.ladder, self.rows, self.rule) = (ladder, rows, rule)
  }
}

/// A session as `fixed_env.py` of hongzimao/pensieve plays it, and many simulators after it.
///
/// There is no startup: the first download is a stall to it. Here it is a number of its own. All
/// sums are made in its order, so that they end in the same digit.
package struct PensieveSession: Sendable {
  /// The rows that are gone through before a session is said never to end.
  ///
  /// Assumed, as for Sabre.
  static let crossingsMax = 100_000_000

  /// What the session is given.
  package let setup: PensieveSetup
  /// The downloads, if they are kept.
  package private(set) var downloads: [PeerDownload] = []
  private let keepsDownloads: Bool
  private var row = 1
  /// The network's own time in seconds.
  private var last: Double
  private var crossings = 0
  /// The buffered media in milliseconds.
  private var level = 0.0
  private var rule: SegmentRule
  private var estimator: ThroughputEstimator
  private var outcome = PeerOutcome()
  private var lastQuality: Int?

  /// Creates a session before its first request.
  package init(_ setup: PensieveSetup, keepsDownloads: Bool = false) {
    self.setup = setup
    self.keepsDownloads = keepsDownloads
    last = setup.rows[0].time
    let isAlive = zip(setup.rows, setup.rows.dropFirst()).contains {
      $0.time < $1.time && $1.megabits > 0
    }
    if !isAlive { crossings = Self.crossingsMax }
    rule = SegmentRule(setup.rule, for: setup.ladder, bufferMax: setup.bufferMax)
    estimator = ThroughputEstimator(
      setup.estimator, segmentDuration: setup.ladder.segmentDuration)
  }

  /// Plays the session up to its last download.
  package mutating func run() -> PeerOutcome {
    let ladder = setup.ladder
    for segment in 0..<ladder.count {
      let quality = segment == 0 ? rule.firstQuality(ladder) : decide(segment, ladder)
      load(segment, quality, ladder)
      if crossings >= Self.crossingsMax { outcome.isEndless = true }
      if outcome.isEndless { break }
    }
    outcome.linkClock = last * 1_000
    outcome.ownStalled = outcome.startup + outcome.stalled
    return outcome
  }

  private mutating func decide(_ segment: Int, _ ladder: RuleLadder) -> Int {
    var view = RuleView(
      segment: segment, level: level, throughput: estimator.throughput, latency: estimator.latency)
    view.time = outcome.total
    return rule.decide(view, ladder).quality
  }

  private mutating func load(_ segment: Int, _ quality: Int, _ ladder: RuleLadder) {
    let bits = ladder.sizes[segment * ladder.bitRates.count + quality]
    let before = level
    if setup.spendsLatency { _ = pass(setup.latency) }
    let time = carry(bits / 8) * 1_000 + setup.latency
    let stalled = max(time - level, 0)
    level = max(level - time, 0) + ladder.segmentDuration
    let asked = outcome.total
    outcome.total += time
    outcome.ownTotal += time
    if segment == 0 {
      outcome.startup = stalled
    } else {
      outcome.stalled += stalled
      if stalled >= 0.001 { outcome.stalls += 1 }
    }
    // A first download of no time is no stall even to Pensieve.
    if stalled > 0 { outcome.ownStalls += 1 }
    if level > setup.bufferMax { pauseForRoom() }
    note(quality, bits: bits, in: time, ladder)
    guard keepsDownloads else { return }
    downloads.append(
      PeerDownload(
        segment: segment, quality: quality, requestedAt: asked, duration: time,
        latency: setup.latency, downloaded: bits, levelBefore: before, levelAfter: level))
  }

  /// Adds up what the log says, and tells the rule what the segment showed.
  private mutating func note(
    _ quality: Int, bits: Double, in time: Double, _ ladder: RuleLadder
  ) {
    let rate = ladder.bitRates[quality]
    outcome.playedBitRate += rate
    outcome.playedUtility += ladder.utilities[quality]
    if let lastQuality, lastQuality != quality {
      outcome.switches += 1
      outcome.changedBitRate += abs(rate - ladder.bitRates[lastQuality])
    }
    lastQuality = quality
    outcome.qualities.append(Int32(quality))
    let flowed = time - setup.latency
    if flowed > 0 {
      estimator.note(time: flowed, throughput: bits / flowed, latency: setup.latency)
    }
    rule.noteDownload(RuleDownload(quality: quality, time: time), level: level, ladder)
    rule.noteTransfer(bytes: bits / 8, in: time)
  }

  /// Sleeps for so many quanta that the buffer is full at most.
  private mutating func pauseForRoom() {
    let quanta = (level - setup.bufferMax) / setup.quantum
    let whole = Double(Int(quanta))
    let span = (whole < quanta ? whole + 1 : whole) * setup.quantum
    level -= span
    outcome.total += span
    outcome.ownTotal += pass(span)
    rule.noteDelay(span)
  }

  @inline(__always)
  private mutating func enterNext() {
    last = setup.rows[row].time
    row += 1
    crossings += 1
    if row >= setup.rows.count { (row, last) = (1, 0) }
  }

  /// Carries some bytes and returns the seconds that it takes; it is over within a row, never at
  /// its end.
  private mutating func carry(_ bytes: Double) -> Double {
    var (sent, time) = (0.0, 0.0)
    while crossings < Self.crossingsMax {
      let throughput = setup.rows[row].megabits * 1_000_000 / 8
      let duration = setup.rows[row].time - last
      let brought = throughput * duration * setup.payload
      if sent + brought > bytes {
        let span = (bytes - sent) / throughput / setup.payload
        last += span
        return time + span
      }
      sent += brought
      time += duration
      enterNext()
    }
    return .infinity
  }

  /// Lets milliseconds pass on the network, and returns those of its last row.
  private mutating func pass(_ span: Double) -> Double {
    var rest = span
    while crossings < Self.crossingsMax {
      let duration = setup.rows[row].time - last
      if duration > rest / 1_000 {
        last += rest / 1_000
        break
      }
      rest -= duration * 1_000
      enterNext()
    }
    return rest
  }
}
