/// The next instants of many timers, the first of them at the root of a tree.
///
/// Moving a timer costs the depth of the tree; timers that only move back are better left where
/// they are and moved when they go off.
struct TimerTree: Sendable {
  private var instants: [Instant] = [.never, .never]
  private var capacity = 1

  /// The first instant.
  @inline(__always)
  var first: Instant { instants[1] }

  /// The timer of the first instant; of several, the one of the least number.
  var firstTimer: Int {
    var place = 1
    while place < capacity {
      place = instants[2 * place] <= instants[2 * place + 1] ? 2 * place : 2 * place + 1
    }
    assert(instants[place] == first, "the first timer is not the one at the root")
    return place - capacity
  }

  /// The instant of a timer.
  @inline(__always)
  subscript(timer: Int) -> Instant { instants[capacity + timer] }

  /// Makes room for a number of timers.
  mutating func reserve(_ count: Int) {
    while capacity < count {
      var wider = [Instant](repeating: .never, count: 4 * capacity)
      for timer in 0..<capacity { wider[2 * capacity + timer] = instants[capacity + timer] }
      capacity *= 2
      instants = wider
      for place in stride(from: capacity - 1, through: 1, by: -1) {
        instants[place] = min(instants[2 * place], instants[2 * place + 1])
      }
    }
  }

  /// Sets a timer.
  @inline(__always)
  mutating func set(_ timer: Int, at instant: Instant) {
    assert(timer < capacity, "timer \(timer) of \(capacity)")
    var place = capacity + timer
    if instants[place] == instant { return }
    instants[place] = instant
    while place > 1 {
      let least = min(instants[place & ~1], instants[place | 1])
      place >>= 1
      if instants[place] == least { return }
      instants[place] = least
    }
  }
}
