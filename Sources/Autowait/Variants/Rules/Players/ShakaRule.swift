/// Shaka's rule: the least of two means, asked whenever some of a segment has come.
///
/// Source: `simple_abr_manager.js`, `ewma_bandwidth_estimator.js` and the sampling of
/// `http_fetch_plugin.js`, of 4.7.0 and 5.2.7.
struct ShakaRule: Sendable {
  /// How often the body of a response is read, in milliseconds, from its first byte on.
  ///
  /// Assumed: a browser hands out what has come at least as often.
  static let readInterval = 50.0
  /// The time that a sample takes more than, in milliseconds.
  static let sampleTime = 100.0
  /// Below this a response is taken for one of the cache (`cacheLoadThreshold`).
  static let cacheTime = 5.0
  /// The least bytes of a sample (`minBytes`), and of all before they are trusted
  /// (`minTotalBytes`).
  static let bytesMin = (sample: 16_000.0, total: 128_000.0)
  /// How long a choice holds, in milliseconds (`switchInterval`).
  static let interval = 8_000.0
  /// The part of the estimate that a variant may need, and that the next one must not.
  static let targets = (downgrade: 0.95, upgrade: 0.85)

  private let ladder: PlayerLadder
  private let first: Double
  /// Whether a sample grows until it has enough bytes, as in 5; in 4 it is taken and left out.
  private let waitsForBytes: Bool
  private var fast = HalvingMean(2)
  private var slow = HalvingMean(5)
  private var bytes = 0.0
  /// The variant that is chosen, and when that was.
  private var chosen: Int?
  private var chosenAt = 0.0
  private var isStarted = false
  /// The speed at which media plays, as far as it is known.
  private var speed = 1.0
  /// When the last sample of the request ended, and what had come by then.
  private var sampled = (time: 0.0, bytes: 0.0)

  init(_ ladder: PlayerLadder, first: Double, waitsForBytes: Bool) {
    (self.ladder, self.first, self.waitsForBytes) = (ladder, first, waitsForBytes)
  }

  /// What is expected of the network, in bit/s.
  var estimate: Double {
    guard bytes >= Self.bytesMin.total, let fast = fast.value, let slow = slow.value else {
      return first
    }
    return min(fast, slow)
  }

  /// Returns the variant that stands; the first is chosen now.
  mutating func choose(_ moment: PlayerMoment, estimate other: Double?) -> Int {
    speed = moment.speed
    if let chosen, other == nil { return chosen }
    if other != nil, chosen != nil, moment.time - chosenAt < Self.interval { return chosen ?? 0 }
    return choose(at: moment.time, other ?? estimate)
  }

  private mutating func choose(at time: Double, _ estimate: Double) -> Int {
    assert(time >= chosenAt, "a choice before the last one")
    var choice = 0
    for quality in ladder.rates.indices {
      let next = ladder.rates[quality...].first { $0 != ladder.rates[quality] } ?? .infinity
      if estimate >= speed * ladder.rates[quality] / Self.targets.downgrade,
        estimate <= speed * next / Self.targets.upgrade,
        ladder.rates[choice] != ladder.rates[quality]
      {
        choice = quality
      }
    }
    (chosen, chosenAt) = (choice, time)
    return choice
  }

  /// Takes note of a request; the variant of which it is stands from now on.
  mutating func begin(_ request: PlayerRequest) {
    if chosen != nil { chosen = request.quality }
    sampled = (request.opened, 0)
  }

  /// When the body is read next.
  func nextLook(_ request: PlayerRequest, after time: Double) -> Double {
    guard let first = request.responded else { return .infinity }
    if time < first { return first }
    return first + ((time - first) / Self.readInterval).wholePart * Self.readInterval
      + Self.readInterval
  }

  /// Takes note of what has come of a request that is under way.
  mutating func look(_ loaded: Double, _ moment: PlayerMoment) {
    speed = moment.speed
    look(loaded, at: moment.time)
  }

  /// The same, while media plays at the speed that is known.
  mutating func look(_ loaded: Double, at time: Double) {
    let fresh = loaded - sampled.bytes
    assert(fresh >= 0, "what had come is gone")
    if time - sampled.time <= Self.sampleTime { return }
    if waitsForBytes, fresh < Self.bytesMin.sample { return }
    note(loaded, at: time)
  }

  mutating func end(_ size: Double, _ moment: PlayerMoment) {
    speed = moment.speed
    note(size, at: moment.time)
  }

  private mutating func note(_ loaded: Double, at time: Double) {
    let (span, fresh) = (time - sampled.time, loaded - sampled.bytes)
    sampled = (time, loaded)
    if span >= Self.cacheTime, fresh >= Self.bytesMin.sample {
      bytes += fresh
      fast.note(8_000 * fresh / span, weight: span / 1_000)
      slow.note(8_000 * fresh / span, weight: span / 1_000)
    }
    if chosen == nil { return }
    if !isStarted {
      // The first estimate that is good acts at once.
      if bytes < Self.bytesMin.total { return }
      isStarted = true
    } else if time - chosenAt < Self.interval {
      return
    }
    _ = choose(at: time, estimate)
  }
}
