/// A speed of playback in millionths: one million is natural speed, zero stands still.
///
/// Negative rates play backwards. AVFoundation uses a floating-point number here; a whole number
/// of millionths keeps the playhead exact.
public struct PlaybackRate: Comparable, Hashable, Sendable {
  /// The speed in millionths of natural speed.
  public var millionths: Int64

  /// Creates a rate of the given number of millionths of natural speed.
  @inlinable @inline(__always)
  public init(millionths: Int64) {
    self.millionths = millionths
  }

  /// No motion: the rate of a paused player.
  public static let zero = PlaybackRate(millionths: 0)

  /// Natural speed.
  public static let normal = PlaybackRate(millionths: 1_000_000)

  /// Returns whether the left rate is the smaller one; backwards is smaller than forwards.
  @inlinable @inline(__always)
  public static func < (left: PlaybackRate, right: PlaybackRate) -> Bool {
    left.millionths < right.millionths
  }

  /// Returns the media that passes in a span of wall time, rounded towards the playhead's start.
  @inline(__always)
  func media(in span: TimeSpan) -> MediaTime {
    millionths == 1_000_000 ? MediaTime(nanoseconds: span.nanoseconds) : scaledMedia(in: span)
  }

  /// Returns the media that is played forwards in a span, and what it is rounded down by, in
  /// millionths of a nanosecond.
  func way(in span: TimeSpan) -> (media: MediaTime, part: Int64) {
    let product = span.nanoseconds.multipliedFullWidth(by: millionths)
    let divisor: Int64 = 1_000_000
    if product.high == 0, let low = Int64(exactly: product.low) {
      return (MediaTime(nanoseconds: low / divisor), low % divisor)
    }
    let way = divisor.dividingFullWidth(product)
    return (MediaTime(nanoseconds: way.quotient), way.remainder)
  }

  private func scaledMedia(in span: TimeSpan) -> MediaTime {
    assert(span >= .zero, "a playhead moves in no time below zero, \(span.nanoseconds) ns")
    let product = span.nanoseconds.multipliedFullWidth(by: millionths)
    if product.high == 0, product.low <= UInt64(Int64.max) {
      return MediaTime(nanoseconds: Int64(product.low) / 1_000_000)
    }
    return MediaTime(nanoseconds: Int64(Int128(span.nanoseconds) * Int128(millionths) / 1_000_000))
  }

  /// Returns the wall time that a length of media takes at this rate, rounded up.
  ///
  /// A length and a rate of opposite signs never meet; their time is the longest there is.
  @inline(__always)
  func span(of media: MediaTime) -> TimeSpan {
    if media.nanoseconds == 0 { return .zero }
    guard millionths != 0, (media.nanoseconds > 0) == (millionths > 0) else {
      return TimeSpan(nanoseconds: .max)
    }
    if millionths == 1_000_000 { return TimeSpan(nanoseconds: media.nanoseconds) }
    let distance = media.nanoseconds.magnitude.multipliedFullWidth(by: 1_000_000)
    let speed = millionths.magnitude
    if distance.high == 0 {
      let (quotient, rest) = distance.low.quotientAndRemainder(dividingBy: speed)
      return TimeSpan(nanoseconds: Int64(clamping: rest == 0 ? quotient : quotient + 1))
    }
    let wide = UInt128(distance.high) << 64 | UInt128(distance.low)
    return TimeSpan(nanoseconds: Int64(clamping: (wide + UInt128(speed) - 1) / UInt128(speed)))
  }
}
