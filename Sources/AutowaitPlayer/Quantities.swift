import Autowait

// Quantities as people write them. A number with a fraction is rounded to the nearest unit that is
// counted, which for what people write is the number that they mean.

extension TimeSpan {
  /// Creates a span of some seconds and a fraction.
  @_disfavoredOverload  // a number without a fraction is the core's
  public static func seconds(_ seconds: Double) -> TimeSpan {
    TimeSpan(nanoseconds: rounded(seconds, 1e9, "seconds"))
  }
}

extension MediaTime {
  /// Creates a position or length of some seconds and a fraction.
  @_disfavoredOverload  // a number without a fraction is the core's
  public static func seconds(_ seconds: Double) -> MediaTime {
    MediaTime(nanoseconds: rounded(seconds, 1e9, "seconds"))
  }
}

extension Instant {
  /// The seconds since the start of the run, as near as a `Double` is.
  public var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension TimeSpan {
  /// The length in seconds, as near as a `Double` is.
  public var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension MediaTime {
  /// The seconds, as near as a `Double` is.
  public var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension BitRate {
  /// Creates a rate of so many million bits per second.
  public static func megabits(_ count: Double) -> BitRate {
    positive(count, 1e6, "megabits")
  }

  /// Creates a rate of so many thousand bits per second.
  public static func kilobits(_ count: Double) -> BitRate {
    positive(count, 1e3, "kilobits")
  }

  private static func positive(_ count: Double, _ unit: Double, _ name: String) -> BitRate {
    precondition(count >= 0, "a rate of \(count) \(name) per second is negative, or no number")
    return BitRate(bitsPerSecond: rounded(count, unit, name))
  }
}

extension PlaybackRate {
  /// Creates a rate that is so many times as fast as normal.
  public static func times(_ factor: Double) -> PlaybackRate {
    PlaybackRate(millionths: rounded(factor, 1e6, "times"))
  }
}

extension LinkProfile {
  /// Creates a link of one rate and delay.
  public init(rate: BitRate, delay: TimeSpan = .zero) {
    self.init(LinkTrack(rate: rate, delay: delay))
  }
}

private func rounded(_ count: Double, _ unit: Double, _ name: String) -> Int64 {
  let parts = count * unit
  precondition(
    parts.magnitude < 9e18, "\(count) \(name) are no number, or too many to be counted")
  return Int64(parts < 0 ? parts - 0.5 : parts + 0.5)
}
