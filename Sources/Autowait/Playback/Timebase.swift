/// The clock of actual playback: the only way from wall time to media time.
///
/// There is no way to project the current time from a player's `rate`. The rate is a wish; while a
/// player waits, the wish is 1 and the time stands still. The scenario
/// `Scenarios/contract/rate-is-a-wish.json` shows how far off such a projection would be.
package struct Timebase: Hashable, Sendable {
  /// The instant at which the clock had the time `anchorTime`; before it the clock stands.
  private let anchor: Instant
  private let anchorTime: MediaTime
  /// The speed of the clock; zero while nothing plays.
  package let rate: PlaybackRate

  /// Creates a clock that shows a time at an instant and runs from there.
  init(time: MediaTime, at instant: Instant, rate: PlaybackRate = .zero) {
    assert(time >= .zero, "a clock must not show less than zero, shows \(time.nanoseconds) ns")
    assert(
      rate.millionths.magnitude <= Limits.playbackRateMax.millionths.magnitude,
      "a clock that runs at \(rate.millionths) millionths")
    anchor = instant
    anchorTime = time
    self.rate = rate
  }

  /// Whether the clock runs at an instant; a clock set to a host time in the future does not yet.
  func isRunning(at instant: Instant) -> Bool {
    rate != .zero && instant >= anchor
  }

  /// The instant from which the clock runs.
  var start: Instant { anchor }

  /// Returns the time that the clock shows at an instant, rounded towards where it came from.
  ///
  /// There is no time before the media begins: a clock that goes backwards stands there.
  @inline(__always)
  package func time(at instant: Instant) -> MediaTime {
    if rate == .zero || instant <= anchor { return anchorTime }
    let time = anchorTime + rate.media(in: instant - anchor)
    return rate < .zero ? max(time, .zero) : time
  }

  /// Returns where the clock stands at an instant, without rounding.
  @inline(__always)
  func playhead(at instant: Instant) -> Playhead {
    guard rate > .zero, rate != .normal, instant > anchor else {
      return Playhead(time: time(at: instant))
    }
    let way = rate.way(in: instant - anchor)
    return Playhead(time: anchorTime + way.media, part: way.part)
  }

  /// Returns the first instant at which the clock, running on, shows a time ahead of it.
  @inline(__always)
  func instant(of time: MediaTime, from now: Instant) -> Instant {
    if rate != .normal { return instantAtRate(of: time, from: now) }
    return time < anchorTime
      ? .never : max(now, anchor + TimeSpan(nanoseconds: (time - anchorTime).nanoseconds))
  }

  private func instantAtRate(of time: MediaTime, from now: Instant) -> Instant {
    if rate == .zero { return .never }
    let distance = time - anchorTime
    if distance != .zero, (distance > .zero) != (rate > .zero) { return .never }
    return max(now, anchor + rate.span(of: distance))
  }

  /// Returns the clock as it goes on with another rate.
  func with(rate: PlaybackRate, at instant: Instant) -> Timebase {
    Timebase(time: time(at: instant), at: instant, rate: rate)
  }
}

/// A clock in 64-bit numbers, which counts in so many parts of a nanosecond that it rounds nothing.
struct PackedClock {
  /// The parts of a nanosecond, and how many of them the clock goes on in one.
  let parts: Int64
  fileprivate let speed: Int64
  /// A place of the clock, and when it is there.
  fileprivate let start: Int64
  fileprivate let anchor: Int64

  /// Where the clock stands at an instant, in parts.
  @inline(__always)
  func place(at instant: Int64) -> Int64 { start &+ speed &* (instant &- anchor) }

  /// The time that the clock shows at an instant.
  @inline(__always)
  func time(at instant: Instant) -> Int64 {
    let place = place(at: instant.nanoseconds)
    return parts == 1 ? place : place / parts
  }

  /// The first time that the clock has not passed at an instant.
  @inline(__always)
  func timeRoundedUp(at instant: Instant) -> Int64 {
    let place = place(at: instant.nanoseconds)
    return parts == 1 ? place : (place &+ parts &- 1) / parts
  }
}

extension Timebase {
  /// The clock in 64-bit numbers from an instant on; nil if it counts in too small parts, or goes
  /// backwards.
  @inline(__always)
  func packed(at now: Instant) -> PackedClock? {
    if rate == .zero || rate == .normal {
      return PackedClock(
        parts: 1, speed: rate == .zero ? 0 : 1, start: time(at: now).nanoseconds,
        anchor: now.nanoseconds)
    }
    let million: Int64 = 1_000_000
    // Sixteen parts keep all products within 64 bits (``LinearRule/packed``).
    guard rate > .zero,
      let parts = (Int64(1)...16).first(where: { rate.millionths * $0 % million == 0 })
    else { return nil }
    let playhead = playhead(at: now)
    return PackedClock(
      parts: parts, speed: rate.millionths * parts / million,
      start: playhead.time.nanoseconds &* parts &+ playhead.part * parts / million,
      anchor: now.nanoseconds)
  }
}
