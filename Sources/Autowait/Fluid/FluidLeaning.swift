/// By how much the fluid tier is off on purpose, to find out what hangs on trifles.
struct FluidLeaning: Hashable, Sendable {
  /// How much larger windows are, in 1,024ths.
  var windows: Int64 = 0
  /// How much longer the timeouts are after which windows shrink, in 1,024ths.
  var timeouts: Int64 = 0
  /// How much larger windows are that have shrunk in a rest, in 1,024ths.
  var rests: Int64 = 0

  /// Whether slow start is over as soon as a burst waits for itself before the link.
  var exitsEarly = false

  /// Whether a receiver takes a round trip for a millisecond longer than it is: it reads a clock of
  /// whole ones.
  var hearsLate = false

  /// As exact as it is.
  static let none = FluidLeaning()

  /// Returns a window that is off, by at least a packet.
  @inline(__always)
  func window(_ packets: Int64) -> Int64 {
    if windows == 0 { return packets }
    let more = (min(packets, Int64(1) << 40) * abs(windows)) >> 10 + 1
    return windows > 0 ? packets + more : max(1, packets - more)
  }

  /// Returns a window that a rest has shrunk, off by at least a packet.
  func rested(_ packets: Int64) -> Int64 {
    rests == 0 ? packets : FluidLeaning(windows: rests).window(packets)
  }

  /// Returns a timeout that is off.
  @inline(__always)
  func timeout(_ nanoseconds: Int64) -> Int64 {
    nanoseconds + (min(nanoseconds, Int64(1) << 40) * timeouts) >> 10
  }
}
