/// A position in media, or a length of media, in nanoseconds of the media's own timeline.
///
/// It is a type apart from ``Instant`` and ``TimeSpan`` because the two clocks run at different
/// speeds: only a ``Timebase`` may turn one into the other.
public struct MediaTime: Comparable, Hashable, Sendable {
  /// The position or length in nanoseconds of media.
  public var nanoseconds: Int64

  /// Creates a position or length of the given number of nanoseconds.
  @inlinable @inline(__always)
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates a position or length of the given number of seconds.
  @inlinable @inline(__always)
  public static func seconds(_ count: Int64) -> MediaTime {
    MediaTime(nanoseconds: count * 1_000_000_000)
  }

  /// The beginning of the media.
  public static let zero = MediaTime(nanoseconds: 0)

  /// Behind all media.
  @inline(__always)
  static var unbounded: MediaTime { MediaTime(nanoseconds: .max) }

  /// Returns whether the left time is the earlier or shorter one.
  @inlinable @inline(__always)
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns a position moved on by a length.
  @inlinable @inline(__always)
  public static func + (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  /// Returns the length from the right position to the left one.
  @inlinable @inline(__always)
  public static func - (left: MediaTime, right: MediaTime) -> MediaTime {
    MediaTime(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
}
