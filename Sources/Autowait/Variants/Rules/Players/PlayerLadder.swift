/// What a player's rule knows of a stream: how long its segments are, and what each variant needs.
///
/// Numbers are those of the players: milliseconds, bytes, and bits per second, in floating point.
package struct PlayerLadder: Hashable, Sendable {
  /// The media in a segment, in milliseconds.
  package let segmentDuration: Double
  /// The number of segments.
  package let count: Int
  /// What each quality is said to need at most, in bit/s, ascending.
  package let rates: [Double]
  /// What each needs in the mean, in bit/s; the same as at most where nothing is said.
  package let meanRates: [Double]

  /// Creates a ladder.
  package init(segmentDuration: Double, count: Int, rates: [Double], meanRates: [Double]? = nil) {
    precondition(
      segmentDuration > 0 && count > 0 && !rates.isEmpty,
      "a ladder must have segments and rates, has \(count) segments of \(segmentDuration) s at "
        + "\(rates)")
    precondition(rates.allSatisfy { $0 > 0 }, "rates must be above 0, are \(rates)")
    assert(zip(rates, rates.dropFirst()).allSatisfy { $0 <= $1 }, "rates must ascend")
    assert(meanRates.map { $0.count == rates.count } ?? true, "a mean rate for each quality")
    (self.segmentDuration, self.count, self.rates) = (segmentDuration, count, rates)
    self.meanRates = meanRates ?? rates
  }

  /// The highest quality.
  package var best: Int { rates.count - 1 }

  /// The media of all segments, in milliseconds.
  var duration: Double { segmentDuration * Double(count) }

  /// Returns the best quality that needs at most a rate; the lowest one if none does.
  func highest(_ rate: Double) -> Int { rates.lastIndex { $0 <= rate } ?? 0 }
}

/// The moment at which a player's rule is asked or told something, all in milliseconds.
package struct PlayerMoment: Hashable, Sendable {
  /// The time since the session began.
  package var time: Double
  /// The media ahead of the playhead.
  package var level: Double
  /// Where the playhead is.
  package var position: Double
  /// The rate at which media plays, forwards or not (`playbackRate`); never zero.
  package var speed: Double

  /// Creates a moment.
  package init(time: Double, level: Double, position: Double, speed: Double = 1) {
    assert(speed > 0, "media plays at \(speed) times its speed")
    (self.time, self.level, self.position, self.speed) = (time, level, position, speed)
  }

  /// How long the media ahead lasts.
  var spare: Double { level / speed }
}

/// A request for a segment, as a player's rule is told of it.
package struct PlayerRequest: Hashable, Sendable {
  /// The segment, counted from 0.
  package var segment: Int
  /// The quality in which it is loaded.
  package var quality: Int
  /// Its bytes.
  package var size: Double
  /// When it was asked for, in milliseconds.
  package var opened: Double
  /// When its first byte came; nil if none has.
  package var responded: Double?
  /// Whether it is loaded only to measure the network.
  package var isToMeasure = false

  /// Creates a request of which nothing has come.
  package init(segment: Int, quality: Int, size: Double, opened: Double) {
    assert(segment >= 0 && quality >= 0, "segment \(segment) in quality \(quality)")
    (self.segment, self.quality) = (segment, quality)
    (self.size, self.opened) = (size, opened)
  }
}

/// A mean that forgets half of what it knows after so much weight, and that allows for having begun
/// with nothing.
struct HalvingMean: Hashable, Sendable {
  /// The weight after which half is forgotten.
  let halfLife: Double
  private var mean = 0.0
  private(set) var weight = 0.0

  init(_ halfLife: Double) {
    precondition(halfLife > 0, "halfLife must be above 0, is \(halfLife)")
    self.halfLife = halfLife
  }

  /// Takes note of a value.
  mutating func note(_ value: Double, weight: Double) {
    assert(weight >= 0, "a weight below zero, \(weight)")
    let kept = Elementary.half(to: weight / halfLife)
    mean = value * (1 - kept) + kept * mean
    self.weight += weight
  }

  /// The mean of what was noted; nil if that has no weight.
  var value: Double? {
    let seen = 1 - Elementary.half(to: weight / halfLife)
    return seen > 0 ? mean / seen : nil
  }
}
