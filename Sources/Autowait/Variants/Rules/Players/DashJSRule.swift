/// dash.js' rules: the network's throughput while the buffer is low, BOLA while it is not, and
/// never more than the buffer pays for or than was taken back before.
///
/// Source: `AbrController.js`, `ABRRulesCollection.js`, `ThroughputModel.js`, the rules of 5.1.1.
struct DashJSRule: Sendable {
  /// The buffer that is planned with (`bufferTimeDefault`), in milliseconds.
  static let bufferTime = 18_000.0
  /// The part of the throughput that is counted on (`bandwidthSafetyFactor`).
  static let safety = 0.9
  /// The seconds of weight for a millisecond of downloads.
  static let weight = 0.0015
  /// The part of what the buffer pays for, and how many segments are not asked that.
  static let bufferShare = (part: 0.7, segmentsBefore: 2)
  /// The level below which the buffer counts as empty (`stallThreshold`), in milliseconds.
  static let levelEmpty = 300.0

  let ladder: PlayerLadder
  /// The rates in kbit/s.
  private let kilobits: [Double]
  private var first: Double
  private var fast = HalvingMean(3)
  private var slow = HalvingMean(8)
  private var bola: DashJSBola
  private var history = DashJSHistory()
  private var patience = DashJSPatience()
  private var usesBola = false
  /// The quality that is to be loaded.
  private var present: Int?
  private var segmentsLoaded = 0

  init(_ ladder: PlayerLadder, first: Double) {
    (self.ladder, self.first) = (ladder, first / 1_000)
    kilobits = ladder.rates.map { $0 / 1_000 }
    bola = DashJSBola(ladder, bufferTime: Self.bufferTime)
  }

  /// What is expected of the network, in whole kbit/s; nil before anything was measured.
  private var throughput: Double? {
    guard let fast = fast.value, let slow = slow.value else { return nil }
    return (min(fast, slow) + 0.5).wholePart
  }

  /// The same in bit/s.
  var estimate: Double? { throughput.map { $0 * 1_000 } }

  private func highest(_ rate: Double) -> Int { kilobits.lastIndex { $0 <= rate } ?? 0 }

  /// Returns the variant of the next segment, and how long to wait for it.
  mutating func choose(_ moment: PlayerMoment, estimate other: Double?) -> RuleDecision {
    guard let present else {
      let choice = highest(other.map { $0 / 1_000 } ?? first)
      self.present = choice
      return RuleDecision(quality: choice)
    }
    follow(moment.level)
    let throughput = other.map { $0 / 1_000 } ?? self.throughput
    let allows = !patience.isSilent(at: moment.time)
    var (choice, delay): (Int?, Double) = (nil, 0)
    if usesBola {
      let safe = throughput.map { highest($0 * Self.safety) }
      (choice, delay) = bola.decide(moment, safe)
    } else if allows, moment.level >= Self.levelEmpty, let throughput {
      choice = highest(throughput * Self.safety)
    }
    choice = least(choice, affordable(moment.level, throughput))
    choice = least(choice, history.limit(ladder.best))
    guard let choice else { return RuleDecision(quality: present) }
    assert(ladder.rates.indices.contains(choice), "quality \(choice) of \(ladder.best)")
    history.note(from: present, to: choice)
    if choice < present || allows { change(to: choice) }
    return RuleDecision(quality: self.present ?? choice, delay: delay)
  }

  private func least(_ left: Int?, _ right: Int?) -> Int? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }

  private mutating func change(to quality: Int) {
    if quality == present { return }
    present = quality
    bola.enter(quality)
  }

  /// BOLA is on from a full buffer down to half of one.
  private mutating func follow(_ level: Double) {
    usesBola = level >= (usesBola ? Self.bufferTime / 2 : Self.bufferTime)
  }

  /// The best quality that the buffer pays for.
  private func affordable(_ level: Double, _ throughput: Double?) -> Int? {
    if segmentsLoaded < Self.bufferShare.segmentsBefore { return nil }
    if level < Self.levelEmpty { return 0 }
    guard let throughput, throughput > 0 else { return nil }
    let seconds = (level / 1_000, ladder.segmentDuration / 1_000)
    return highest(throughput * Self.bufferShare.part * seconds.0 / seconds.1)
  }

  mutating func begin(_ request: PlayerRequest) {
    present = request.quality
    patience.begin(request)
  }

  /// When progress is told next.
  func nextLook(_ request: PlayerRequest, after time: Double) -> Double {
    patience.nextLook(request, after: time)
  }

  /// Returns the variant for which the request is given up; nil to go on.
  mutating func look(
    _ request: PlayerRequest, _ loaded: Double, _ moment: PlayerMoment
  ) -> Int? {
    guard patience.note(loaded, at: moment.time), request.quality > 0,
      moment.level <= Self.bufferTime, loaded < request.size
    else { return nil }
    guard
      let throughput = patience.tooSlow(request, loaded, at: moment.time, ladder.segmentDuration)
    else { return nil }
    let choice = highest(throughput)
    let size = request.size * kilobits[choice] / kilobits[request.quality]
    if request.size - loaded <= size { return nil }
    patience.leave(request.segment)
    return choice
  }

  /// Takes note that a request was given up for another variant.
  mutating func giveUp(
    _ request: PlayerRequest, for quality: Int, _ loaded: Double, _ moment: PlayerMoment
  ) {
    patience.silence(at: moment.time)
    patience.leave(request.segment)
    history = DashJSHistory()
    change(to: quality)
    bola.giveUp(moment.level)
    if let sample = patience.sample(loaded, at: moment.time) { measure(sample.bytes, sample.time) }
    bola.noteTransfer(from: request.opened, to: moment.time)
  }

  private mutating func measure(_ bytes: Double, _ span: Double) {
    if span <= 0 { return }
    let rate = (8 * bytes / span + 0.5).wholePart
    fast.note(rate, weight: Self.weight * span)
    slow.note(rate, weight: Self.weight * span)
  }

  /// Takes note of a segment that has come; the level is that before it.
  mutating func end(_ request: PlayerRequest, _ moment: PlayerMoment) {
    measure(request.size, moment.time - (request.responded ?? request.opened))
    // It has no such segments; assumed: the first choice is one by what they showed.
    if request.isToMeasure {
      (present, first) = (nil, throughput.map { $0 * Self.safety } ?? first)
      return
    }
    follow(moment.level)
    bola.noteTransfer(from: request.opened, to: moment.time)
    bola.noteSegment(request, moment.level)
    segmentsLoaded += 1
    follow(moment.level + ladder.segmentDuration)
  }
}

/// What dash.js remembers of the changes that it made: a quality that it mostly had to leave again
/// is not asked for (`SwitchHistoryRule.js`).
struct DashJSHistory: Sendable {
  /// The choices that count, and how many of them may have gone down for one that did not.
  static let size = (choices: 8, downMax: 0.075)

  private var choices: [(from: Int, isDown: Bool)] = []

  mutating func note(from present: Int, to next: Int) {
    choices.append((present, next < present))
    if choices.count > Self.size.choices { choices.removeFirst() }
    assert(choices.count <= Self.size.choices, "\(choices.count) choices are remembered")
  }

  /// The best quality that may be asked for; nil for any.
  func limit(_ best: Int) -> Int? {
    var (down, other) = (0, 0)
    for quality in 0...best {
      let here = choices.filter { $0.from == quality }
      let downHere = here.count { $0.isDown }
      down += downHere
      other += here.count - downHere
      if down + other >= Self.size.choices, Double(down) > Self.size.downMax * Double(other) {
        return quality > 0 && downHere > 0 ? quality - 1 : quality
      }
    }
    return nil
  }
}

/// When dash.js gives a request up (`AbandonRequestsRule.js`).
struct DashJSPatience: Sendable {
  /// How often progress is told, in milliseconds, from the first byte on.
  static let progressInterval = 50.0
  /// How long a response flows before it is judged, in milliseconds, and how often progress is
  /// told.
  static let patience = (time: 500.0, looks: 6)
  /// How many segments' time a download may take.
  static let durations = 1.8
  /// How long nothing climbs behind what was given up, in milliseconds (`abandonLoadTimeout`).
  static let silence = 10_000.0

  private var silentUntil = -Double.infinity
  /// The segments of which one was given up: none is twice.
  private var left: [Int] = []
  private var segment = 0
  private var looks = 0
  private var seen = 0.0
  /// When progress was first told, and what had come by then.
  private var first: (time: Double, loaded: Double)?

  func isSilent(at time: Double) -> Bool { time < silentUntil }

  mutating func silence(at time: Double) { silentUntil = time + Self.silence }

  mutating func leave(_ segment: Int) { if !left.contains(segment) { left.append(segment) } }

  mutating func begin(_ request: PlayerRequest) {
    (segment, looks, seen, first) = (request.segment, 0, 0, nil)
  }

  func nextLook(_ request: PlayerRequest, after time: Double) -> Double {
    guard let start = request.responded else { return .infinity }
    let passed = max(0, ((time - start) / Self.progressInterval).wholePart)
    return start + (passed + 1) * Self.progressInterval
  }

  /// Takes note of progress; returns whether the request may be judged.
  ///
  /// Where nothing has come since the last time, nothing is told.
  mutating func note(_ loaded: Double, at time: Double) -> Bool {
    if loaded <= seen { return false }
    seen = loaded
    looks += 1
    guard let first else {
      self.first = (time, loaded)
      return false
    }
    return looks >= Self.patience.looks && time - first.time > Self.patience.time
      && !left.contains(segment)
  }

  /// What has come since progress was first told, in bytes and milliseconds.
  func sample(_ loaded: Double, at time: Double) -> (bytes: Double, time: Double)? {
    first.map { (loaded - $0.loaded, max(1, time - $0.time)) }
  }

  /// Returns the throughput in kbit/s of a request that takes too long; nil if it does not.
  func tooSlow(
    _ request: PlayerRequest, _ loaded: Double, at time: Double, _ duration: Double
  ) -> Double? {
    guard let sample = sample(loaded, at: time) else { return nil }
    let throughput = (8 * sample.bytes / sample.time + 0.5).wholePart
    // To the hundredth of a second.
    let expected = (request.size * 8 / throughput / 10 + 0.5).wholePart / 100
    return expected < duration / 1_000 * Self.durations ? nil : throughput
  }
}
