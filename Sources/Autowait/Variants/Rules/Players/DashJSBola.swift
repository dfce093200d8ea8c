/// BOLA as dash.js has it: it never climbs above what the network brings, and what it counts as
/// buffered decays.
///
/// Source: `BolaRule.js` of 5.1.1; times are in seconds there, and here.
struct DashJSBola: Sendable {
  /// The buffer that is planned with in seconds: at least, and for each quality.
  static let bufferMin = (least: 10.0, each: 2.0)
  /// What is left of the media that is counted as buffered, with each segment.
  static let decay = 0.99

  private let rates: [Double]
  private let utilities: [Double]
  private let gammaP: Double
  private let control: Double
  private let segmentDuration: Double
  /// Whether it was ever asked: nothing is noted before.
  private var isOn = false
  private var isSteady = false
  /// Media that is counted as buffered, in seconds.
  private var placeholder = 0.0
  private var present: Int?
  private var hasSegment = false
  private var furthest: Int?
  /// When the last transfer ended, and when it was last asked, in seconds.
  private var finishedAt: Double?
  private var askedAt: Double?
  private var transfer: (start: Double, end: Double)?

  init(_ ladder: PlayerLadder, bufferTime: Double) {
    self.init(rates: ladder.rates, bufferTime: bufferTime, ladder.segmentDuration)
  }

  private init(rates: [Double], bufferTime: Double, _ segmentDuration: Double) {
    self.rates = rates
    let logarithms = rates.map { Elementary.ln($0) }
    utilities = logarithms.map { $0 - logarithms[0] + 1 }
    let top = utilities.max() ?? 1
    let planned = max(
      bufferTime / 1_000, Self.bufferMin.least + Self.bufferMin.each * Double(rates.count))
    gammaP = (top - 1) / (planned / Self.bufferMin.least - 1)
    control = gammaP > 0 ? Self.bufferMin.least / gammaP : 0
    self.segmentDuration = segmentDuration / 1_000
  }

  /// Returns how far ahead each of some rates, which ascend, is loaded before waiting is better, in
  /// milliseconds, rounded down.
  static func levelsMax(rates: [Double], bufferTime: Double) -> [Int64] {
    let bola = DashJSBola(rates: rates, bufferTime: bufferTime, 0)
    return rates.indices.map { quality in
      bola.gammaP > 0
        ? Int64(min(bola.levelMax(quality) * 1_000, 1e12)) : Int64(min(bufferTime, 1e12))
    }
  }

  /// Returns the quality, and how long to wait for it in milliseconds; `safe` is what the network
  /// brings.
  mutating func decide(_ moment: PlayerMoment, _ safe: Int?) -> (Int?, Double) {
    if gammaP <= 0 { return (nil, 0) }
    isOn = true
    let level = moment.level / 1_000
    guard isSteady, let last = present, let safe else {
      guard let safe else { return (nil, 0) }
      placeholder = max(0, levelMin(safe) - level)
      present = safe
      if hasSegment, level >= segmentDuration { isSteady = true }
      return (safe, 0)
    }
    let now = moment.time / 1_000
    if let since = finishedAt ?? askedAt { placeholder += max(0, now - since) }
    (askedAt, finishedAt, transfer) = (now, nil, nil)
    var quality = best(at: level + placeholder)
    if quality > last, quality > safe { quality = max(safe, last) }
    var delay = max(0, level + placeholder - levelMax(quality))
    if delay <= placeholder {
      placeholder -= delay
      delay = 0
    } else {
      delay -= placeholder
      placeholder = 0
      if quality == rates.count - 1 { delay = 0 }
    }
    assert(placeholder >= 0, "\(placeholder) s are counted as buffered")
    present = quality
    return (quality, delay * 1_000)
  }

  private func best(at level: Double) -> Int {
    var (best, largest) = (0, -Double.infinity)
    for quality in rates.indices {
      let score = (control * (utilities[quality] - 1 + gammaP) - level) / rates[quality]
      if score >= largest { (best, largest) = (quality, score) }
    }
    return best
  }

  /// The level from which a quality is preferred to all lower ones.
  private func levelMin(_ quality: Int) -> Double {
    var level = 0.0
    for lower in 0..<quality where utilities[lower] < utilities[quality] {
      let worth =
        (rates[quality] * utilities[lower] - rates[lower] * utilities[quality])
        / (rates[quality] - rates[lower])
      level = max(level, control * (gammaP + worth))
    }
    return level
  }

  /// The level above which waiting is better than loading a quality.
  private func levelMax(_ quality: Int) -> Double { control * (utilities[quality] + gammaP) }

  /// Takes note of another quality that was decided for.
  mutating func enter(_ quality: Int) { if isOn { present = quality } }

  /// Takes note that a request was given up; the quality is the one that is loaded instead.
  mutating func giveUp(_ level: Double) {
    guard isOn, let present else { return }
    let wanted = present > 0 ? levelMin(present) : Self.bufferMin.least
    placeholder = min(placeholder, max(0, wanted - level / 1_000))
  }

  /// Takes note of a transfer that is over.
  mutating func noteTransfer(from start: Double, to end: Double) {
    guard isOn else { return }
    assert(end >= start, "a transfer that ended before it began")
    transfer = (start / 1_000, end / 1_000)
    finishedAt = end / 1_000
  }

  /// Takes note of a segment that has come; the level is that before it.
  mutating func noteSegment(_ request: PlayerRequest, _ level: Double) {
    guard isOn else { return }
    let isReplacement = furthest.map { request.segment <= $0 } ?? false
    if !isReplacement { furthest = request.segment }
    hasSegment = true
    present = request.quality
    guard let span = transfer else { return }
    placeholder *= Self.decay
    let before = level / 1_000 + (span.end - span.start)
    placeholder = min(max(0, levelMax(request.quality) - before), placeholder)
    if isReplacement { placeholder += segmentDuration }
    transfer = nil
  }
}

extension StreamMedia {
  /// How far ahead BOLA, planning with a buffer, loads the picture of each variant.
  func bolaLimits(planning buffer: MediaTime) -> [MediaTime] {
    if variants.isEmpty { return [] }
    let rates = variants.map { Double(max(1, $0.bandwidth.bitsPerSecond)) }
    let order = rates.indices.sorted { (rates[$0], $0) < (rates[$1], $1) }
    let levels = DashJSBola.levelsMax(
      rates: order.map { rates[$0] }, bufferTime: Double(buffer.nanoseconds / 1_000_000))
    assert(levels.count == rates.count, "\(levels.count) levels of \(rates.count) variants")
    var limits = [MediaTime](repeating: .zero, count: rates.count)
    for (place, variant) in order.enumerated() {
      limits[variant] = MediaTime(nanoseconds: max(1, levels[place]) * 1_000_000)
    }
    return limits
  }
}
