import AutowaitCommands
import Foundation
import Testing

/// Threads that are started at the worst of times.
@Suite struct ThreadPoolTests {
  private static let roundCount = 50

  /// On a processor that is busy a thread may do much before the one that started it goes on; it
  /// must not leave when there is no room for results, as if nobody came to take them.
  @Test func aThreadMayRunBeforeItsStartIsOver() {
    let busy = (0..<2).map { _ in
      Thread {
        Self.stayOnOneProcessor()
        while !Thread.current.isCancelled {}
      }
    }
    for thread in busy { thread.start() }
    let isRound = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      Self.stayOnOneProcessor()
      for _ in 0..<Self.roundCount {
        // One that has had its turn is likely to be stopped as soon as another may run.
        let turn = ContinuousClock.now + .milliseconds(4)
        while ContinuousClock.now < turn {}
        var sum = 0
        let load = ThreadPool.Load(count: 6, threads: 1, ahead: 2)
        ThreadPool.stream(load, progress: { _ in }, state: {}) {
          $1
        } _: {
          sum += $0
        }
        if sum == 15 { isRound.signal() }
      }
    }
    // Work that hangs is left behind, so that the test ends.
    let count = (0..<Self.roundCount).prefix { _ in
      isRound.wait(timeout: .now() + 30) == .success
    }.count
    for thread in busy { thread.cancel() }
    #expect(count == Self.roundCount)
  }

  /// Threads of one processor take turns, so that any may be stopped at any place.
  private static func stayOnOneProcessor() {
    #if os(Linux)
    // The header hides it from Swift.
    typealias SetAffinity = @convention(c) (Int32, Int, UnsafeRawPointer) -> Int32
    guard let symbol = dlsym(nil, "sched_setaffinity") else { return }
    withUnsafeBytes(of: UInt64(1)) { mask in
      guard let address = mask.baseAddress else { return }
      _ = unsafeBitCast(symbol, to: SetAffinity.self)(0, mask.count, address)
    }
    #endif
  }
}
