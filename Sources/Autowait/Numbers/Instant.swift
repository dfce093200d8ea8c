/// A point of simulated wall time, counted in nanoseconds since the start of the run.
public struct Instant: Comparable, Hashable, Sendable {
  /// The nanoseconds since the start of the run.
  public var nanoseconds: Int64

  /// Creates the instant that lies the given number of nanoseconds after the start of the run.
  @inlinable @inline(__always)
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// The start of the run.
  public static let start = Instant(nanoseconds: 0)

  /// An instant after all others, the time of what will not happen.
  public static let never = Instant(nanoseconds: .max)

  /// Returns whether the left instant is the earlier one.
  @inlinable @inline(__always)
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the time from the right instant to the left one.
  @inlinable @inline(__always)
  public static func - (left: Instant, right: Instant) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// Returns the instant a span after this one, or `never` when no number can name it.
  @inlinable @inline(__always)
  public static func + (instant: Instant, span: TimeSpan) -> Instant {
    let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(span.nanoseconds)
    return overflow ? .never : Instant(nanoseconds: sum)
  }
}
