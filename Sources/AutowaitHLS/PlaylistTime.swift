/// A time in a playlist.
package struct PlaylistTime: Hashable, Comparable, Sendable {
  /// The nanoseconds.
  package var nanoseconds: Int64

  /// Creates a time.
  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// No time.
  package static let zero = PlaylistTime(nanoseconds: 0)

  /// Returns a number of seconds.
  package static func seconds(_ seconds: Int64) -> PlaylistTime {
    PlaylistTime(nanoseconds: seconds * 1_000_000_000)
  }

  /// Returns the sum of two times.
  package static func + (left: PlaylistTime, right: PlaylistTime) -> PlaylistTime {
    PlaylistTime(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  /// Returns whether a time is shorter than another one.
  package static func < (left: PlaylistTime, right: PlaylistTime) -> Bool {
    left.nanoseconds < right.nanoseconds
  }
}
