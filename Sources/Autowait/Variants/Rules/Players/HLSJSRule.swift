/// The rule of hls.js: what comes before the buffer is empty, and giving up what does not.
///
/// Source: `src/controller/abr-controller.ts` of 1.7.1, whose steps and their order it follows.
struct HLSJSRule: Sendable {
  /// The parts of the estimate that a variant may need, to stay and to climb.
  static let parts = (stay: 0.95, climb: 0.7)
  /// The time that a segment may take with an empty buffer, in seconds (`maxStarvationDelay`).
  static let starvation = 4.0
  /// How often a request under way is looked at, in milliseconds, from the request on.
  static let interval = 100.0
  /// How many of its own durations a segment may take to be worth asking for.
  static let durationsMax = 10.0

  let ladder: PlayerLadder
  private(set) var estimator: HLSJSEstimator
  /// Whether each variant's playlist was loaded: without it hls.js knows less, and counts a wait.
  private var hasPlaylist: [Bool]
  /// How long the last playlist took from its first byte on, in seconds.
  private var playlistTime = 0.0
  /// The quality of the last segment that was loaded to be played.
  private var last: Int?
  /// The quality that is being loaded.
  private var loading: Int?
  /// The first choice, which stays until a segment has come.
  private var first: Int?
  /// The quality that was chosen last, and whether it is to be loaded whatever the network says.
  private var chosen: Int?
  private var isForced = false
  /// How long the present segment is, in seconds; zero if there is none.
  private var duration = 0.0
  /// How long a segment took that was loaded only to measure, in seconds.
  private var measured = 0.0
  /// Whether the request is looked at.
  private var isWatched = false

  init(_ ladder: PlayerLadder, first: Double) {
    self.ladder = ladder
    estimator = HLSJSEstimator(first: first)
    hasPlaylist = ladder.rates.map { _ in false }
  }

  /// Takes note of a playlist that has come, and of how long it took from its first byte on.
  mutating func notePlaylist(of quality: Int, in span: Double) {
    hasPlaylist[quality] = true
    playlistTime = span / 1_000
  }

  // MARK: Choosing

  /// Returns the variant of the next segment.
  mutating func choose(_ moment: PlayerMoment, estimate other: Double?) -> Int {
    if let chosen, isForced { return chosen }
    let throughput = other ?? estimator.throughput
    let choice =
      estimator.isKnown && last != nil
      ? next(moment.spare / 1_000, throughput) : start(moment.spare / 1_000, throughput)
    assert(ladder.rates.indices.contains(choice), "quality \(choice) of \(ladder.best)")
    (chosen, isForced) = (choice, false)
    return choice
  }

  /// How long a search may let a segment take: with the buffer, and beyond it.
  private struct Allowance {
    var level: Double
    var beyond: Double
    var stay = 1.0
    var climb = 1.0
  }

  private mutating func start(_ level: Double, _ throughput: Double) -> Int {
    let allowance = Allowance(level: level / 2, beyond: Self.starvation)
    return best(upTo: ladder.best, throughput, allowance) ?? 0
  }

  private mutating func next(_ level: Double, _ throughput: Double) -> Int {
    var allowance = Allowance(
      level: level, beyond: 0, stay: Self.parts.stay, climb: Self.parts.climb)
    if level > 0, let choice = best(upTo: ladder.best, throughput, allowance) { return choice }
    allowance.beyond = duration > 0 ? min(duration, Self.starvation) : Self.starvation
    if level <= 0, measured > 0 {
      allowance.beyond -= measured
      (allowance.stay, allowance.climb) = (1, 1)
    }
    return best(upTo: ladder.best, throughput, allowance) ?? 0
  }

  /// The best variant whose segment comes within an allowance; nil if none does.
  private mutating func best(
    upTo top: Int, _ throughput: Double, _ allowance: Allowance
  ) -> Int? {
    if ladder.best == 0 { return 0 }
    var throughput = throughput
    if last == nil {
      if let first { return first }
      throughput = max(throughput, ladder.rates[0])
    }
    let wait = estimator.latency / 1_000
    // The mean counts once two segments are buffered.
    let countsMean =
      duration > 0 && allowance.level >= duration * 2 && allowance.beyond == 0
    for quality in stride(from: top, through: 0, by: -1) {
      let part = quality > last ?? 0 ? allowance.climb : allowance.stay
      let rate = countsMean ? ladder.meanRates[quality] : ladder.rates[quality]
      let length =
        hasPlaylist[quality] ? ladder.segmentDuration / 1_000 : duration > 0 ? duration : 1
      let time = time(
        of: rate * length, at: part * throughput, loadsPlaylist: !hasPlaylist[quality])
      if part * throughput >= rate, time <= wait || time < allowance.level + allowance.beyond {
        if last == nil { first = quality }
        return quality
      }
    }
    return nil
  }

  /// How long so many bits take, in seconds, with the waits for them and for a playlist.
  private func time(of bits: Double, at throughput: Double, loadsPlaylist: Bool) -> Double {
    let wait = estimator.latency / 1_000
    return wait + bits / throughput + (loadsPlaylist ? wait + playlistTime : 0)
  }

  // MARK: Loading

  mutating func begin(_ request: PlayerRequest) {
    loading = request.quality
    if !request.isToMeasure { duration = ladder.segmentDuration / 1_000 }
    isWatched = !request.isToMeasure
  }

  /// When the request is looked at next.
  func nextLook(_ request: PlayerRequest, after time: Double) -> Double {
    guard isWatched, request.quality > 0 else { return .infinity }
    let passed = ((time - request.opened) / Self.interval).wholePart
    return request.opened + (passed + 1) * Self.interval
  }

  /// Returns the variant for which the request is given up; nil to go on.
  mutating func look(
    _ request: PlayerRequest, _ loaded: Double, _ moment: PlayerMoment
  ) -> Int? {
    guard isWatched else { return nil }
    if request.quality == 0 || loaded >= request.size {
      (isWatched, chosen) = (false, nil)
      return nil
    }
    let isBlocking = chosen.map { $0 != request.quality } ?? false
    // Nothing plays before the first segment has come.
    if !isBlocking, last == nil { return nil }
    let time = moment.time - request.opened
    if time <= max(estimator.latency, ladder.segmentDuration / (moment.speed * 2)) { return nil }
    let nominal =
      (ladder.segmentDuration / 1_000 * ladder.meanRates[request.quality] / 8 + 0.5).wholePart
    let progress = Progress(request, loaded, of: nominal, moment, estimator.throughput)
    let wait = estimator.latency / 1_000
    let rest = progress.rest(wait)
    if rest <= progress.spare { return nil }
    let (quality, instead) = lower(than: request.quality, progress)
    if instead >= rest || instead > ladder.segmentDuration / 1_000 * Self.durationsMax {
      return nil
    }
    return fall(to: quality, request, progress, isAtOnce: isBlocking || rest > instead * 2)
  }

  /// How far a request is, in seconds.
  private struct Progress {
    /// What has come, and what will.
    let loaded: Double
    let expected: Double
    /// The time since the request, and the wait for its first byte; nil if none has come.
    let time: Double
    let latency: Double?
    /// The media ahead.
    let spare: Double
    /// Bytes in a second; zero if none has come.
    let rate: Double
    let estimate: Double

    init(
      _ request: PlayerRequest, _ loaded: Double, of nominal: Double, _ moment: PlayerMoment,
      _ estimate: Double
    ) {
      (self.loaded, self.estimate) = (loaded, estimate)
      expected = max(loaded, nominal)
      time = moment.time - request.opened
      latency = loaded > 0 ? request.responded.map { $0 - request.opened } : nil
      spare = moment.spare / 1_000
      guard let latency else {
        rate = 0
        return
      }
      var streaming = time - latency
      if streaming < 1 { streaming = min(time, loaded * 8 / estimate) }
      rate = loaded * 1_000 / streaming
    }

    /// How long the rest takes.
    func rest(_ wait: Double) -> Double {
      rate > 0 ? (expected - loaded) / rate : expected * 8 / estimate + wait
    }

    /// What the network brings, in bit/s.
    var throughput: Double { rate > 0 ? rate * 8 : estimate }
  }

  /// The best lower variant whose segment would come in time, and how long it would take.
  private func lower(than present: Int, _ progress: Progress) -> (quality: Int, time: Double) {
    var (quality, time) = (present - 1, Double.infinity)
    let duration = ladder.segmentDuration / 1_000
    while quality > 0 {
      time = self.time(
        of: duration * ladder.rates[quality], at: progress.throughput,
        loadsPlaylist: !hasPlaylist[quality])
      if time < min(progress.spare, duration + estimator.latency / 1_000) { break }
      quality -= 1
    }
    return (quality, time)
  }

  /// Takes note of what the slow request showed, and goes down.
  private mutating func fall(
    to lower: Int, _ request: PlayerRequest, _ progress: Progress, isAtOnce: Bool
  ) -> Int {
    if let latency = progress.latency {
      estimator.note(progress.loaded, in: progress.time - min(estimator.latency, latency))
    } else {
      estimator.note(latency: progress.time)
    }
    var quality = lower
    let rate = ladder.rates[quality]
    if estimator.throughput * Self.parts.climb > rate { reset(to: rate) }
    let allowance = Allowance(level: 0, beyond: progress.spare)
    quality = best(upTo: quality, rate, allowance) ?? quality
    force(quality)
    isWatched = false
    // Else the request is left alone for a while, which the next one ends at once.
    return isAtOnce ? abort(quality, progress) : quality
  }

  private mutating func abort(_ quality: Int, _ progress: Progress) -> Int {
    if quality == 0 { return quality }
    duration = 0
    let allowance = Allowance(level: 0, beyond: progress.spare)
    let lowest = best(upTo: quality, ladder.rates[0], allowance) ?? 0
    force(lowest)
    reset(to: ladder.rates[lowest])
    return lowest
  }

  private mutating func force(_ quality: Int) {
    if chosen != quality { (chosen, isForced) = (quality, true) }
    loading = quality
  }

  /// Forgets what was measured: the rate of a variant is what is expected from now on.
  private mutating func reset(to rate: Double) {
    estimator = HLSJSEstimator(first: rate)
    first = nil
  }

  /// Takes note of a segment that has come.
  mutating func end(_ request: PlayerRequest, at time: Double) {
    let latency = (request.responded ?? time) - request.opened
    estimator.note(latency: latency)
    isWatched = false
    if request.quality == chosen { chosen = nil }
    first = nil
    let span = time - request.opened - min(latency, estimator.latency)
    estimator.note(request.size, in: span)
    measured = request.isToMeasure ? span / 1_000 : 0
    if !request.isToMeasure { last = request.quality }
  }

  /// Takes note that a request was given up, whatever the rule said.
  mutating func giveUp(for quality: Int) { isWatched = false }
}
