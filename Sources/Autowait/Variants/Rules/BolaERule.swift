/// BOLA-E: BOLA that counts media which it chose not to have, so that it neither starts at the
/// lowest quality nor needs a long buffer.
///
/// Source: Spiteri, Sitaraman, Sparacio, "From Theory to Practice: Improving Bitrate Adaptation in
/// the DASH Reference Player" (MMSys 2018), as UMass-LIDS/sabre 09b03bb has it.
struct BolaERule: Hashable, Sendable {
  /// The buffer that is planned with in milliseconds: at least, and for each quality.
  static let bufferMin = (least: 10_000.0, each: 2_000.0)

  private let gammaP: Double
  /// The media that a unit of utility is worth, in milliseconds.
  private let control: Double
  /// Media that is counted as buffered, in milliseconds.
  private(set) var virtualLevel = 0.0
  private var last = 0
  private var isSteady = false
  private var safety = ThroughputRule()

  /// Creates a rule for a buffer of so many milliseconds.
  init(_ ladder: RuleLadder, _ policy: SegmentRulePolicy, bufferMax: Double) {
    let top = ladder.raisedUtilities[ladder.best]
    if policy.checksBuffer {
      let planned = max(
        Self.bufferMin.least + Self.bufferMin.each * Double(ladder.bitRates.count), bufferMax)
      gammaP = (top - 1) / (planned / Self.bufferMin.least - 1)
      control = gammaP > 0 ? Self.bufferMin.least / gammaP : 0
    } else {
      gammaP = policy.gammaP - 1
      control = (bufferMax - ladder.segmentDuration) / (top + gammaP)
    }
  }

  /// Returns the quality of the next segment, and how long to wait before.
  mutating func decide(
    _ view: RuleView, _ ladder: RuleLadder, _ policy: SegmentRulePolicy
  ) -> RuleDecision {
    if ladder.best == 0 { return RuleDecision(quality: 0) }
    if !isSteady { return start(view, ladder) }
    var quality = best(at: view.level + virtualLevel, ladder)
    let sustained = ladder.quality(at: view.throughput, latency: view.latency)
    if quality > last, quality > sustained {
      quality = max(last, sustained)
      if !policy.avoidsOscillation { quality += 1 }
    }
    var delay = wait(for: quality, view, ladder)
    if quality == ladder.best { delay = 0 }
    if policy.checksBuffer {
      let affordable = safety.affordable(quality, view, ladder)
      if affordable < quality {
        (quality, delay) = (affordable, 0)
        virtualLevel = min(max(0, levelMin(for: quality, ladder) - view.level), virtualLevel)
      }
    }
    assert(0...ladder.best ~= quality, "quality \(quality) of \(ladder.best)")
    assert(virtualLevel >= 0, "a virtual level below zero, \(virtualLevel) ms")
    return RuleDecision(quality: quality, delay: delay)
  }

  /// Begins with what the network brings, as if the buffer were as full as that needs.
  private mutating func start(_ view: RuleView, _ ladder: RuleLadder) -> RuleDecision {
    if view.throughput == 0 { return RuleDecision(quality: last) }
    isSteady = true
    safety = ThroughputRule()
    let quality = ladder.quality(at: view.throughput, latency: view.latency)
    virtualLevel = max(0, levelMin(for: quality, ladder) - view.level)
    return RuleDecision(quality: quality)
  }

  /// Takes what is counted too much from the virtual level first; the rest is to be waited.
  private mutating func wait(
    for quality: Int, _ view: RuleView, _ ladder: RuleLadder
  ) -> Double {
    let delay = view.level + virtualLevel - levelMax(for: quality, ladder)
    if delay <= 0 { return 0 }
    if delay <= virtualLevel {
      virtualLevel -= delay
      return 0
    }
    let rest = delay - virtualLevel
    assert(rest > 0, "the virtual level of \(virtualLevel) ms pays for \(delay) ms")
    virtualLevel = 0
    return rest
  }

  private func best(at level: Double, _ ladder: RuleLadder) -> Int {
    var best = 0
    var largest = -Double.infinity
    for quality in ladder.bitRates.indices {
      let score =
        (control * (ladder.raisedUtilities[quality] + gammaP) - level) / ladder.bitRates[quality]
      if quality == 0 || score > largest { (best, largest) = (quality, score) }
    }
    return best
  }

  /// The level from which a quality is preferred to all lower ones.
  private func levelMin(for quality: Int, _ ladder: RuleLadder) -> Double {
    let (rate, utility) = (ladder.bitRates[quality], ladder.raisedUtilities[quality])
    var level = 0.0
    for lower in 0..<quality where ladder.raisedUtilities[lower] < utility {
      let (lowerRate, lowerUtility) = (ladder.bitRates[lower], ladder.raisedUtilities[lower])
      level = max(
        level,
        control * (gammaP + (rate * lowerUtility - lowerRate * utility) / (rate - lowerRate)))
    }
    return level
  }

  /// The level above which a quality has no score.
  private func levelMax(for quality: Int, _ ladder: RuleLadder) -> Double {
    control * (ladder.raisedUtilities[quality] + gammaP)
  }

  /// Takes note of a wait that a full buffer imposed.
  @inline(__always)
  mutating func noteDelay(_ delay: Double) {
    assert(delay >= 0, "a wait below zero, \(delay) ms")
    virtualLevel += delay
  }

  /// Takes note of a jump.
  mutating func noteSeek() { isSteady = false }

  /// Takes note of a download; `level` is what is buffered after it.
  mutating func noteDownload(_ download: RuleDownload, level: Double, _ ladder: RuleLadder) {
    assert(0...ladder.best ~= download.quality, "quality \(download.quality) of \(ladder.best)")
    last = download.quality
    if let abandonedFor = download.abandonedFor {
      if download.isReplacement { return }
      // Something went wrong: count on no more than a careful choice needs.
      let wanted = abandonedFor > 0 ? levelMin(for: abandonedFor, ladder) : Self.bufferMin.least
      virtualLevel = min(virtualLevel, max(0, wanted - level))
    } else if download.isReplacement {
      virtualLevel += ladder.segmentDuration
    } else {
      let before = level + download.time
      virtualLevel = min(virtualLevel, max(0, levelMax(for: download.quality, ladder) - before))
      // A choice that was not its own may need more; a buffer that ran dry counts for nothing.
      if level > 0 {
        virtualLevel = max(virtualLevel, levelMin(for: download.quality, ladder) - before)
      }
    }
  }

  /// Returns the quality for which a download is given up; nil to go on.
  ///
  /// Another request costs another latency, in which the buffer shrinks and the download goes on.
  func abandonment(_ progress: RuleProgress, level: Double, _ ladder: RuleLadder) -> Int? {
    let missing = progress.size - progress.downloaded
    if progress.downloaded <= 0 || missing <= 0 { return nil }
    let later = max(0, level + virtualLevel - progress.latency)
    let throughput = progress.downloaded / (progress.time - progress.latency)
    let rest = missing - progress.latency * throughput
    if rest <= 0 { return nil }
    var choice: Int?
    var largest = (control * (gammaP + ladder.raisedUtilities[progress.quality]) - later) / rest
    for quality in 0..<progress.quality {
      let size = progress.size * ladder.bitRates[quality] / ladder.bitRates[progress.quality]
      let worth = control * (gammaP + ladder.raisedUtilities[quality]) - later
      // Most are too far below to need a division, which takes longer than all the rest.
      let bound = largest * size
      if size >= rest || worth < bound - abs(bound) * 1e-6 { continue }
      let score = worth / size
      if score > largest { (choice, largest) = (quality, score) }
    }
    return choice
  }

  /// Returns for how many milliseconds a download is not given up, whatever the network does.
  ///
  /// What goes on arriving during another latency is counted as missing, to be on the safe side.
  func patience(_ progress: RuleProgress, level: Double, _ ladder: RuleLadder) -> Double {
    let later = max(0, level + virtualLevel - progress.latency)
    return ladder.patience(progress, level: later) {
      control * (gammaP + ladder.raisedUtilities[$0])
    }
  }
}

/// A download that is over, for a rule that keeps count.
package struct RuleDownload {
  var quality: Int
  /// How long it took, in milliseconds.
  var time: Double
  /// The quality for which it was given up; −1 if for none, nil if it was not.
  var abandonedFor: Int?
  /// Whether it was to replace a segment that was there.
  var isReplacement: Bool

  package init(
    quality: Int, time: Double, abandonedFor: Int? = nil, isReplacement: Bool = false
  ) {
    (self.quality, self.time) = (quality, time)
    (self.abandonedFor, self.isReplacement) = (abandonedFor, isReplacement)
  }
}
