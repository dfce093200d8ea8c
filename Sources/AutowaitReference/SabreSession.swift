import Autowait

/// What a session of Sabre is given.
package struct SabreSetup: Sendable {
  /// Which buffered segment of a lower quality is loaded again in the quality that is chosen
  /// (`-r`).
  package enum Replacement: Hashable, Sendable {
    /// None.
    case none
    /// The first one.
    case left
    /// The last one.
    case right
  }

  /// A jump: once segments from a time on are asked for, the next one is that at another time.
  package struct Jump: Hashable, Sendable {
    /// The media time in milliseconds at which the player jumps.
    package var at: Double
    /// The media time in milliseconds to which it jumps.
    package var to: Double

    /// Creates a jump.
    package init(at: Double, to: Double) {
      (self.at, self.to) = (at, to)
    }
  }

  /// The stream, with the sizes of its segments.
  package var ladder: RuleLadder
  /// The network.
  package var rows: [SabreRow]
  /// The rule.
  package var rule: SegmentRulePolicy
  /// How throughput is predicted (`-ma`, `-hl`, `-ws`).
  package var estimator = EstimatorPolicy.sabre
  /// The most media that is buffered, in milliseconds (`-b`).
  package var bufferMax = 25_000.0
  /// Whether downloads may be given up; not with `-noa`.
  package var abandons = true
  /// Which segments are replaced.
  package var replacement = Replacement.none
  /// A jump of the user.
  package var seek: Jump?
  /// Whether a download that was given up is followed by what it was given up for.
  ///
  /// Sabre means to, but asks its rule again: two of its variables have nearly the same name.
  package var honoursAbandonment = false
  /// Whether it is solved for the time before which a rule cannot give a download up, instead of
  /// asking it after each slice; what comes out is the same.
  package var solvesForAbandonment = true

  /// Creates a setup with Sabre's defaults.
  package init(_ ladder: RuleLadder, over rows: [SabreRow], rule: SegmentRulePolicy) {
    precondition(ladder.sizes.count == ladder.count * ladder.bitRates.count, "segments of no size")
    (self.ladder, self.rows, self.rule) = (ladder, rows, rule)
  }
}

/// A session as UMass-LIDS/sabre 09b03bb plays it.
///
/// Playback starts with the last byte of the first segment, and goes on after a stall with that of
/// one more. Before a request the player waits until the buffer has room for a segment; what a
/// download takes is played after it. All sums are made in Sabre's order, so that they end in the
/// same digit.
package struct SabreSession: Sendable {
  /// What the session is given.
  package let setup: SabreSetup
  /// The downloads, if they are kept.
  package private(set) var downloads: [PeerDownload] = []
  private let keepsDownloads: Bool
  private var link: SabreLink
  private var buffer: SabreBuffer
  private var rule: SegmentRule
  private var estimator: ThroughputEstimator
  private var seek: SabreSetup.Jump?
  private var next = 1
  private var abandonedFor: Int?
  private var outcome = PeerOutcome()
  private var replacement: Int?

  /// Creates a session before its first request.
  package init(_ setup: SabreSetup, keepsDownloads: Bool = false) {
    self.setup = setup
    self.keepsDownloads = keepsDownloads
    link = SabreLink(setup.rows)
    buffer = SabreBuffer(capacity: setup.ladder.count)
    rule = SegmentRule(setup.rule, for: setup.ladder, bufferMax: setup.bufferMax)
    estimator = ThroughputEstimator(
      setup.estimator, segmentDuration: setup.ladder.segmentDuration)
    seek = setup.seek
  }

  /// Plays the session.
  package mutating func run() -> PeerOutcome {
    let ladder = setup.ladder
    loadFirst(ladder)
    let mayAbandon = setup.abandons
    while next < ladder.count, !link.isEndless {
      loadNext(ladder, mayAbandon: mayAbandon)
    }
    outcome.linkClock = link.clock
    outcome.isEndless = link.isEndless
    buffer.playOut(ladder)
    outcome.stalled = buffer.stalled
    outcome.total = buffer.clock
    outcome.stalls = buffer.stalls
    outcome.ownStalls = buffer.events
    outcome.ownStalled = buffer.stalled
    outcome.ownTotal = buffer.clock
    outcome.playedBitRate = buffer.playedBitRate
    outcome.changedBitRate = buffer.changedBitRate
    outcome.playedUtility = buffer.playedUtility
    outcome.switches = buffer.switches
    outcome.qualities = buffer.segments
    return outcome
  }

  private mutating func loadFirst(_ ladder: RuleLadder) {
    let quality = rule.firstQuality(ladder)
    let size = ladder.sizes[quality]
    let latency = link.wait()
    let time = latency + link.carry(size)
    buffer.start(quality, after: time)
    outcome.startup = time
    let flowed = time - latency
    if flowed > 0 { estimator.note(time: flowed, throughput: size / flowed, latency: latency) }
    rule.noteTransfer(bytes: size / 8, in: time)
    guard keepsDownloads else { return }
    downloads.append(
      PeerDownload(
        segment: 0, quality: quality, requestedAt: 0, duration: time, latency: latency,
        downloaded: size, levelBefore: 0, levelAfter: buffer.level(ladder)))
  }

  private mutating func loadNext(_ ladder: RuleLadder, mayAbandon: Bool) {
    if seek != nil { jumpIfDue(ladder) }
    let excess = buffer.level(ladder) + ladder.segmentDuration - setup.bufferMax
    if excess > 0 {
      idle(excess, ladder)
      rule.noteDelay(excess)
    }
    var decision: RuleDecision
    if let abandonedFor, setup.honoursAbandonment {
      decision = RuleDecision(quality: abandonedFor)
      replacement = nil
    } else {
      let level = buffer.level(ladder)
      var view = RuleView(
        segment: next, level: level, throughput: estimator.throughput,
        latency: estimator.latency)
      view.time = buffer.clock
      decision = rule.decide(view, ladder)
      if setup.replacement != .none { chooseReplacement(for: decision.quality, ladder) }
    }
    abandonedFor = nil
    if decision.delay > 0, replacement == nil { idle(decision.delay, ladder) }
    let segment = next + (replacement ?? 0)
    let level = buffer.level(ladder)
    let size = ladder.sizes[segment * ladder.bitRates.count + decision.quality]
    var progress = RuleProgress(
      quality: decision.quality, size: size, downloaded: size, time: 0, latency: 0)
    let asked = buffer.clock
    if mayAbandon {
      abandonedFor = loadInSlices(&progress, level, ladder)
    } else {
      progress.latency = link.wait()
      progress.time = progress.latency + link.carry(size)
    }
    if link.isEndless { return }
    buffer.drain(progress.time, ladder)
    finish(progress, ladder)
    guard keepsDownloads else { return }
    downloads.append(
      PeerDownload(
        segment: segment, quality: decision.quality, requestedAt: asked,
        duration: progress.time, latency: progress.latency, downloaded: progress.downloaded,
        levelBefore: level, levelAfter: buffer.level(ladder), abandonedFor: abandonedFor,
        isReplacement: replacement != nil))
  }

  private mutating func idle(_ span: Double, _ ladder: RuleLadder) {
    buffer.drain(span, ladder)
    link.idle(span)
  }

  /// Takes note of a download that is over.
  private mutating func finish(_ progress: RuleProgress, _ ladder: RuleLadder) {
    if let replacement {
      let isInTime = buffer.level(ladder) + ladder.segmentDuration * Double(replacement) >= 0
      if abandonedFor == nil, isInTime { buffer.replace(replacement, by: progress.quality) }
    } else if abandonedFor == nil {
      buffer.append(progress.quality)
      next += 1
    }
    rule.noteDownload(
      RuleDownload(
        quality: progress.quality, time: progress.time, abandonedFor: abandonedFor,
        isReplacement: replacement != nil), level: buffer.level(ladder), ladder)
    if abandonedFor != nil {
      outcome.abandoned += 1
      return
    }
    let flowed = progress.time - progress.latency
    // Sabre divides by it, and ends there.
    if flowed > 0 {
      estimator.note(
        time: flowed, throughput: progress.downloaded / flowed, latency: progress.latency)
    }
    rule.noteTransfer(bytes: progress.downloaded / 8, in: progress.time)
  }

  /// Downloads slice by slice, and asks the rule after each whether to give up; returns for what.
  @inline(never)
  private mutating func loadInSlices(
    _ progress: inout RuleProgress, _ levelBefore: Double, _ ladder: RuleLadder
  ) -> Int? {
    progress.latency = link.wait()
    progress.time = progress.latency
    progress.downloaded = 0
    let patience = replacement == nil ? rule.patienceMin : 0
    let asksRule = replacement == nil && patience < .infinity
    var patientUntil = asksRule && !setup.solvesForAbandonment ? 0 : patience
    var firstTime: Double? = SabreLink.slice.time - progress.latency
    while !link.carrySlices(&progress, firstTime: firstTime, until: patientUntil) {
      firstTime = nil
      let level = max(0, levelBefore - progress.time)
      if asksRule {
        let answer = rule.ask(
          progress, level: level, latency: estimator.latency, ladder,
          solves: setup.solvesForAbandonment)
        if let quality = answer.quality { return quality }
        patientUntil = answer.patientUntil
      } else if let replacement, level + ladder.segmentDuration * Double(replacement) <= 0 {
        return -1
      }
    }
    return nil
  }

  /// Finds a buffered segment that is worth another download, as its distance from the next one.
  private mutating func chooseReplacement(for quality: Int, _ ladder: RuleLadder) {
    replacement = nil
    let near = 1.5 + buffer.used / ladder.segmentDuration
    let first = near > 2 ? 3 : 2
    guard first < buffer.count else { return }
    let places = first..<buffer.count
    let place =
      setup.replacement == .left
      ? places.first { buffer.quality($0) < quality }
      : places.last { buffer.quality($0) < quality }
    replacement = place.map { $0 - buffer.count }
  }

  /// Jumps if the next segment is late enough.
  private mutating func jumpIfDue(_ ladder: RuleLadder) {
    guard let seek, Double(next) * ladder.segmentDuration >= seek.at else { return }
    next = min(ladder.count - 1, Int(seek.to / ladder.segmentDuration))
    buffer.clear()
    rule.noteSeek(to: seek.to, ladder)
    self.seek = nil
  }
}
