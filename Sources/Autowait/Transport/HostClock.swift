/// The timers of the measured hosts, which are never early and the later the longer they run.
///
/// They count ticks of 4 ms and sort what is due into a wheel: up to 64 ticks by the tick, up to
/// 512 by eight ticks, up to 4,096 by 64 and so on, always to the next step (measured: a try to
/// connect after a second comes 20 to 30 ms later, the fifth 107 ms).
enum HostClock {
  /// The length of a tick.
  static let tick: Int64 = 4_000_000

  /// Returns how many ticks a host counts between two instants.
  @inline(__always)
  static func ticks(from start: Instant, to end: Instant) -> Int64 {
    assert(start <= end, "ticks from \(start.nanoseconds) ns back to \(end.nanoseconds) ns")
    return end.nanoseconds / tick &- start.nanoseconds / tick
  }

  /// Returns when a timer goes off that is set now.
  @inline(__always)
  static func instant(_ span: TimeSpan, after now: Instant) -> Instant {
    let nanoseconds = span.nanoseconds
    if nanoseconds >= 4_000_000_000_000 { return now + span }
    let ticks = (nanoseconds &+ tick &- 1) / tick
    let due = now.nanoseconds / tick &+ ticks
    var shift: Int64 = 0
    if ticks >= 64 {
      shift = ticks < 512 ? 3 : ticks < 4_096 ? 6 : ticks < 32_768 ? 9 : 12
    }
    assert(span >= .zero && ticks >= 0, "a timer for \(nanoseconds) ns ago")
    return Instant(nanoseconds: (((due >> shift) &+ 1) << shift) &* tick)
  }
}
