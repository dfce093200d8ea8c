#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Measures CPU time of this thread: what other programs do to the machine does not count.
enum Stopwatch {
  /// Returns the least nanoseconds that a piece of work took in some rounds.
  static func best(of rounds: Int, _ work: () -> Void) -> Int64 {
    var best = Int64.max
    for _ in 0..<rounds {
      let start = nanoseconds()
      work()
      best = min(best, nanoseconds() - start)
    }
    return max(best, 1)
  }

  private static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
