#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Measures how long work takes.
enum Stopwatch {
  /// What is measured.
  enum Clock {
    /// CPU time of this thread: what other programs do to the machine does not count.
    case thread
    /// Time as it passes, for work on several threads: other programs make it longer.
    case wall
  }

  /// Returns the least nanoseconds that a piece of work took in some rounds.
  static func best(of rounds: Int, by clock: Clock = .thread, _ work: () -> Void) -> Int64 {
    var best = Int64.max
    for _ in 0..<rounds {
      let start = nanoseconds(clock)
      work()
      best = min(best, nanoseconds(clock) - start)
    }
    return max(best, 1)
  }

  private static func nanoseconds(_ clock: Clock) -> Int64 {
    var time = timespec()
    clock_gettime(clock == .thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
