/// BBA in the form of Pensieve's simulators: a straight line over the buffer.
///
/// Source: Huang et al., "A Buffer-Based Approach to Rate Adaptation" (SIGCOMM 2014), with the
/// reservoir and cushion of hongzimao/pensieve `test/bb.py`.
enum BufferBasedRule {
  /// The seconds that are buffered before anything but the lowest quality is asked for.
  static let reservoir = 5.0
  /// The seconds above them at which the best quality is asked for.
  static let cushion = 10.0

  /// Returns the quality at a level in milliseconds.
  static func quality(at level: Double, best: Int) -> Int {
    let seconds = level / 1_000
    if seconds < reservoir { return 0 }
    if seconds >= reservoir + cushion { return best }
    return Int(Double(best) * (seconds - reservoir) / cushion)
  }
}

/// MPC: the first step of the best plan for the next segments.
///
/// Source: Yin et al., "A Control-Theoretic Approach for Dynamic Adaptive Video Streaming over
/// HTTP" (SIGCOMM 2015), in the form of hongzimao/pensieve `test/mpc.py`: the reward of a plan is
/// its Mbit/s, less 4.3 for each second of stall, less the Mbit/s of all changes. The sizes that it
/// looks at are those of the segments one further on, as there.
struct PredictiveRule: Sendable {
  /// The segments of a plan, and of the past.
  static let horizon = 5
  /// What a second of stall costs, in Mbit/s.
  static let stallCost = 4.3
  /// The most plans that are looked at.
  ///
  /// Assumed: with more than ten qualities the horizon is shorter, lest a choice take seconds.
  static let plansMax = 100_000

  private var throughputs: [Double] = []
  private var errors: [Double] = []
  private var predicted: Double?
  private var last: Int?

  /// Takes note of a segment: its bytes, and the milliseconds from its request on.
  mutating func note(bytes: Double, in time: Double) {
    let throughput = bytes / time / 1_000
    throughputs.append(throughput)
    if throughputs.count > Self.horizon { throughputs.removeFirst() }
    errors.append(predicted.map { abs($0 - throughput) / throughput } ?? 0)
    if errors.count > Self.horizon { errors.removeFirst() }
    assert(
      errors.count == throughputs.count, "\(errors.count) errors of \(throughputs.count) segments")
  }

  /// Returns the quality of the next segment.
  mutating func quality(_ view: RuleView, _ ladder: RuleLadder, isRobust: Bool) -> Int {
    let present = last ?? min(1, ladder.best)
    guard !throughputs.isEmpty else { return present }
    let paces = throughputs.reduce(0) { $0 + 1 / $1 }
    let mean = 1 / (paces / Double(throughputs.count))
    predicted = mean
    let worst = errors.reduce(0) { max($0, $1) }
    var plan = Plan(
      throughput: isRobust ? mean / (1 + worst) : mean,
      segmentSeconds: ladder.segmentDuration / 1_000)
    // A live stream goes on behind what is known of it.
    let steps = max(1, min(Self.steps(ladder.bitRates.count), ladder.count - view.segment))
    let step = Step(
      left: steps, segment: view.segment + 1, level: view.level / 1_000, last: present)
    plan.search(step, ladder)
    assert(0...ladder.best ~= plan.choice, "quality \(plan.choice) of \(ladder.best)")
    last = plan.choice
    return plan.choice
  }

  /// How far a plan reaches with so many qualities.
  private static func steps(_ qualities: Int) -> Int {
    var (steps, plans) = (0, 1)
    while steps < horizon, plans <= plansMax / qualities {
      plans *= qualities
      steps += 1
    }
    return max(1, steps)
  }
}

/// A step of a plan, and what came before it.
private struct Step {
  var left: Int
  var segment: Int
  var level: Double
  var last: Int
  var first: Int?
  var stalled = 0.0
  var rates = 0.0
  var changes = 0.0
}

/// The search for the best plan.
private struct Plan {
  /// Megabytes in a second.
  let throughput: Double
  let segmentSeconds: Double
  var choice = 0
  private var largest = -100_000_000.0

  init(throughput: Double, segmentSeconds: Double) {
    (self.throughput, self.segmentSeconds) = (throughput, segmentSeconds)
  }

  /// Tries all qualities of a step; of equal plans the last one counts.
  mutating func search(_ step: Step, _ ladder: RuleLadder) {
    if step.left == 0 {
      let reward =
        step.rates / 1_000 - PredictiveRule.stallCost * step.stalled - step.changes / 1_000
      if reward >= largest, let first = step.first { (choice, largest) = (first, reward) }
      return
    }
    for quality in ladder.bitRates.indices {
      var next = step
      let bytes = Self.bytes(step.segment, quality, ladder)
      let time = bytes / 1_000_000 / throughput
      if next.level < time {
        next.stalled += time - next.level
        next.level = 0
      } else {
        next.level -= time
      }
      assert(next.level >= 0, "a plan with a buffer below zero, \(next.level) s")
      next.level += segmentSeconds
      next.rates += ladder.bitRates[quality]
      next.changes += abs(ladder.bitRates[quality] - ladder.bitRates[step.last])
      next.first = step.first ?? quality
      (next.last, next.left, next.segment) = (quality, step.left - 1, step.segment + 1)
      search(next, ladder)
    }
  }

  /// The bytes of a segment; beyond the last one that is known, those that are nominal.
  private static func bytes(_ segment: Int, _ quality: Int, _ ladder: RuleLadder) -> Double {
    let place = segment * ladder.bitRates.count + quality
    return (place < ladder.sizes.count ? ladder.sizes[place] : ladder.nominalSizes[quality]) / 8
  }
}
