/// BOLA: the quality whose utility for each bit is largest at the present buffer level.
///
/// Source: Spiteri, Urgaonkar, Sitaraman, "BOLA: Near-Optimal Bitrate Adaptation for Online Videos"
/// (INFOCOM 2016); the finite-buffer form and its options are those of UMass-LIDS/sabre 09b03bb.
struct BolaRule: Hashable, Sendable {
  private let gammaP: Double
  private let bufferMax: Double
  /// The media that a unit of utility is worth, in milliseconds.
  private var control: Double
  private var last = 0
  /// The segment to which playback last jumped.
  private var seekSegment = 0

  /// Creates a rule for a buffer of so many milliseconds.
  init(_ ladder: RuleLadder, gammaP: Double, bufferMax: Double) {
    self.gammaP = gammaP
    self.bufferMax = bufferMax
    control = (bufferMax - ladder.segmentDuration) / (ladder.utilities[ladder.best] + gammaP)
  }

  /// Returns the quality of the next segment, and how long to wait before.
  mutating func decide(
    _ view: RuleView, _ ladder: RuleLadder, _ policy: SegmentRulePolicy
  ) -> RuleDecision {
    if !policy.isBasic { fitControl(to: view.segment, ladder) }
    var decision = RuleDecision(quality: best(at: view.level, ladder))
    if decision.quality > last {
      decision = climb(to: decision.quality, view, ladder, policy)
    }
    assert(0...ladder.best ~= decision.quality, "quality \(decision.quality) of \(ladder.best)")
    assert(decision.delay >= 0, "a wait below zero, \(decision.delay) ms")
    last = decision.quality
    return decision
  }

  /// Near the beginning and the end a long buffer is never reached: less of it is planned with.
  @inline(__always)
  private mutating func fitControl(to segment: Int, _ ladder: RuleLadder) {
    let near = Double(min(segment - seekSegment, ladder.count - segment))
    let reachable = min(bufferMax, max(near / 2, 3) * ladder.segmentDuration)
    control = (reachable - ladder.segmentDuration) / (ladder.utilities[ladder.best] + gammaP)
  }

  /// The quality of the largest score; of equal ones the lowest.
  private func best(at level: Double, _ ladder: RuleLadder) -> Int {
    var best = 0
    var largest = (control * (ladder.utilities[0] + gammaP) - level) / ladder.bitRates[0]
    for quality in ladder.bitRates.indices.dropFirst() {
      let score =
        (control * (ladder.utilities[quality] + gammaP) - level) / ladder.bitRates[quality]
      if score > largest { (best, largest) = (quality, score) }
    }
    return best
  }

  /// Goes up no further than a step above what the network brings.
  private func climb(
    to quality: Int, _ view: RuleView, _ ladder: RuleLadder, _ policy: SegmentRulePolicy
  ) -> RuleDecision {
    let sustained = ladder.quality(at: view.throughput, latency: view.latency)
    if quality <= sustained { return RuleDecision(quality: quality) }
    if last > sustained { return RuleDecision(quality: last) }
    if !policy.avoidsOscillation { return RuleDecision(quality: sustained + 1) }
    let level = control * (gammaP + ladder.utilities[sustained])
    let delay = sustained == ladder.best ? 0 : max(0, view.level - level)
    return RuleDecision(quality: sustained, delay: delay)
  }

  /// Takes note of a jump to a time in milliseconds.
  mutating func noteSeek(to time: Double, _ ladder: RuleLadder) {
    seekSegment = Int(time / ladder.segmentDuration)
  }

  /// Returns the quality for which a download is given up; nil to go on.
  mutating func abandonment(
    _ progress: RuleProgress, level: Double, _ ladder: RuleLadder, isBasic: Bool
  ) -> Int? {
    let missing = progress.size - progress.downloaded
    if isBasic || progress.downloaded <= 0 || missing <= 0 { return nil }
    let present = control * (gammaP + ladder.utilities[progress.quality]) - level
    var largest = present / missing
    if largest < 0 { return nil }
    var choice: Int?
    for quality in 0..<progress.quality {
      let size = progress.size * ladder.bitRates[quality] / ladder.bitRates[progress.quality]
      let worth = control * (gammaP + ladder.utilities[quality]) - level
      // Most are too far below to need a division, which takes longer than all the rest.
      if size >= missing || worth < largest * size * 0.999_999 { continue }
      let score = worth / size
      if score > largest { (choice, largest) = (quality, score) }
    }
    if let choice {
      assert(choice < progress.quality, "quality \(progress.quality) is given up for a better one")
      last = choice
    }
    return choice
  }

  /// Returns for how many milliseconds a download is not given up, whatever the network does.
  @inline(__always)
  func patience(_ progress: RuleProgress, level: Double, _ ladder: RuleLadder) -> Double {
    ladder.patience(progress, level: level) { control * (gammaP + ladder.utilities[$0]) }
  }
}
