/// Where a clock stands: the time that it shows, and what that is rounded down by.
///
/// A rule that compares what is left to play with what arrives must not see the steps of a clock
/// that shows whole nanoseconds: it would turn to and fro with each of them.
struct Playhead: Hashable, Sendable {
  var time: MediaTime
  /// Millionths of a nanosecond.
  var part: Int64 = 0
}
