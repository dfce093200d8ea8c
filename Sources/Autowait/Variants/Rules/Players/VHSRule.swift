/// The rule of video.js' VHS: the last segment's throughput, a timeout, and early aborts.
///
/// Source: `playlist-selectors.js`, `playlist-controller.js`, `segment-loader.js` of 3.17.4.
struct VHSRule: Sendable {
  /// How much more than its rate a variant needs (`BANDWIDTH_VARIANCE`).
  static let variance = 1.2
  /// The most that is asked to be buffered before it goes up, in milliseconds.
  static let levelMax = 30_000.0
  /// How often progress is told, in milliseconds, from the first byte on.
  static let progressInterval = 50.0
  /// How long a response flows before it is judged, in milliseconds.
  static let patience = 1_000.0
  /// The target durations after which a request times out.
  static let timeout = 1.5
  /// How long a variant is left alone that was given up, in milliseconds.
  static let exclusion = 10_000.0
  /// The time that giving up must save, in milliseconds, and the same once the buffer is empty.
  static let savingMin = (usual: 500.0, empty: 1_000.0)
  /// What counts as an empty buffer, in milliseconds: `TIME_FUDGE_FACTOR`.
  static let fudge = 1_000.0 / 30

  private let ladder: PlayerLadder
  /// How much of the last sample counts in a moving average; nil for the last sample alone.
  private let decay: Double?
  private var bandwidth: Double
  private var average: Double?
  private var averaged = 0.0
  /// The variant that is being loaded.
  private var present: Int?
  private var excludedUntil: [Double]
  /// The variant that was asked for last, and whether nothing of it has come since it was entered.
  private var asked: Int?
  private var isFirst = true
  private var timesOutAt = Double.infinity
  /// Whether a variant was chosen instead of what was given up.
  private var isSettled = false

  init(_ ladder: PlayerLadder, first: Double, decay: Double?) {
    (self.ladder, self.decay, bandwidth) = (ladder, decay, first)
    excludedUntil = ladder.rates.map { _ in -Double.infinity }
  }

  /// What is expected of the network, in whole bit/s.
  var estimate: Double { (1 / (1 / bandwidth)).wholePart }

  /// Returns the variant of the next segment.
  mutating func choose(_ moment: PlayerMoment, estimate other: Double?) -> Int {
    guard let present else {
      let choice = selected(at: moment.time, other)
      self.present = choice
      return choice
    }
    guard let other, !isSettled else { return present }
    return check(moment, other)
  }

  /// Goes over to the variant that is selected, if that is allowed.
  private mutating func check(_ moment: PlayerMoment, _ other: Double?) -> Int {
    let choice = selected(at: moment.time, other)
    guard let present, choice != present else { return choice }
    let mayClimb =
      ladder.duration < Self.levelMax || moment.level >= min(moment.position, Self.levelMax)
    if ladder.rates[choice] < ladder.rates[present] || mayClimb { self.present = choice }
    return self.present ?? choice
  }

  /// The best enabled variant that the network brings.
  private mutating func selected(at time: Double, _ other: Double?) -> Int {
    var throughput = other ?? estimate
    if let decay {
      let past = average ?? throughput
      if average == nil {
        averaged = throughput
      } else if throughput > 0, throughput != averaged {
        average = decay * throughput + (1 - decay) * past
        averaged = throughput
      }
      average = average ?? past
      throughput = average ?? throughput
    }
    let enabled = self.enabled(at: time)
    assert(!enabled.isEmpty, "no variant may be played")
    return enabled.last { ladder.rates[$0] * Self.variance < throughput } ?? enabled[0]
  }

  /// The variants that are not left alone; all if that leaves none.
  private func enabled(at time: Double) -> [Int] {
    let enabled = ladder.rates.indices.filter { excludedUntil[$0] <= time }
    return enabled.isEmpty ? Array(ladder.rates.indices) : enabled
  }

  mutating func begin(_ request: PlayerRequest) {
    if asked != request.quality { isFirst = true }
    (asked, present, isSettled) = (request.quality, request.quality, false)
    let isLowest = enabled(at: request.opened).first.map {
      ladder.rates[$0] >= ladder.rates[request.quality]
    }
    let target = -(-ladder.segmentDuration / 1_000).wholePart * 1_000
    timesOutAt =
      isLowest ?? true ? .infinity : request.opened + (target * Self.timeout).wholePart
  }

  /// When progress is told next, or the request times out.
  func nextLook(_ request: PlayerRequest, after time: Double) -> Double {
    var next = timesOutAt
    if timesOutAt < .infinity, let first = request.responded {
      let earliest = max(time, first + Self.patience - Self.progressInterval)
      let passed = ((earliest - first) / Self.progressInterval).wholePart
      next = min(next, first + (passed + 1) * Self.progressInterval)
    }
    assert(next >= time, "a look that is due was passed over")
    return next
  }

  /// Returns the variant for which the request is given up; nil to go on.
  mutating func look(
    _ request: PlayerRequest, _ loaded: Double, _ moment: PlayerMoment
  ) -> Int? {
    if moment.time >= timesOutAt {
      bandwidth = 1
      timesOutAt = .infinity
      isSettled = true
      let choice = check(moment, nil)
      return choice
    }
    guard timesOutAt < .infinity, let first = request.responded,
      moment.time - first >= Self.patience, loaded > 0
    else { return nil }
    let throughput = (loaded / (moment.time - request.opened) * 8 * 1_000).wholePart
    let duration = ladder.segmentDuration / 1_000
    let rest = (duration * ladder.rates[request.quality] - loaded * 8) / throughput
    let spare = moment.spare / 1_000 - 1
    if rest <= spare { return nil }
    let (candidate, impact) = leastRebuffering(throughput, spare, at: moment.time)
    let saved = rest - spare - impact
    let savingMin = spare <= Self.fudge / 1_000 ? Self.savingMin.empty : Self.savingMin.usual
    // Without any bytes it is no number, which stops nothing.
    if candidate == request.quality || saved < savingMin / 1_000 { return nil }
    bandwidth = ladder.rates[candidate] * Self.variance + 1
    exclude(request.quality, at: moment.time)
    timesOutAt = .infinity
    let choice = selected(at: moment.time, nil)
    (present, isSettled) = (choice, true)
    return choice
  }

  /// The best variant that would not let the buffer run dry, or else the one that would least.
  private func leastRebuffering(
    _ throughput: Double, _ spare: Double, at time: Double
  ) -> (quality: Int, impact: Double) {
    var least: (quality: Int, impact: Double)?
    var best: (quality: Int, impact: Double)?
    for quality in enabled(at: time) {
      let impact = ladder.segmentDuration / 1_000 * ladder.rates[quality] / throughput - spare
      if impact <= 0 { best = (quality, impact) }
      if least.map({ impact < $0.impact }) ?? true { least = (quality, impact) }
    }
    return best ?? least ?? (0, 0)
  }

  /// Leaves a variant alone for a while; if it is the last one, the others are not any more.
  private mutating func exclude(_ quality: Int, at time: Double) {
    let others = ladder.rates.indices.filter { $0 != quality && excludedUntil[$0] <= time }
    if others.isEmpty {
      for other in ladder.rates.indices { excludedUntil[other] = -.infinity }
    }
    excludedUntil[quality] = time + Self.exclusion
  }

  /// Takes note that a request was given up for another variant, whatever the rule said.
  mutating func giveUp(for quality: Int) {
    (present, isSettled, timesOutAt) = (quality, true, .infinity)
  }

  /// Takes note of a segment that has come, and looks at the variants again behind all but the
  /// first one of each; the level is that before it.
  mutating func end(_ request: PlayerRequest, _ moment: PlayerMoment) {
    timesOutAt = .infinity
    let span = moment.time - request.opened
    if span > 0 { bandwidth = max(1, (request.size / span * 8 * 1_000).wholePart) }
    if request.isToMeasure { return present = nil }
    var moment = moment
    moment.level += ladder.segmentDuration
    if !isFirst { _ = check(moment, nil) }
    isFirst = false
  }
}
