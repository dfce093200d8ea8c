#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs independent work on some threads and gives its results back in the order of the inputs.
///
/// Whole runs are what goes in parallel; nothing in a run knows of it. The threads share a counter
/// and nothing else, so that results do not depend on their number.
package enum ThreadPool {
  /// Returns what a function makes of each input; calls back now and then on the calling thread.
  static func map<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], threads: Int, progress: ((_ done: Int) -> Void)? = nil,
    _ transform: @escaping @Sendable (Input) -> Output
  ) -> [Output] {
    var results: [Output] = []
    results.reserveCapacity(inputs.count)
    let load = Load(count: inputs.count, threads: threads, ahead: inputs.count)
    stream(load, progress: progress, state: {}) { _, index in
      transform(inputs[index])
    } _: {
      results.append($0)
    }
    return results
  }

  /// How much work there is, for how many threads, and how far it may be ahead of what takes its
  /// results.
  package struct Load {
    let count: Int
    let threads: Int
    /// The results that are kept at a time, which is what bounds memory.
    let ahead: Int

    package init(count: Int, threads: Int, ahead: Int) {
      self.count = count
      self.threads = threads
      self.ahead = ahead
    }
  }

  /// Does work on some threads, and hands its results on in order on the calling thread while the
  /// work goes on; an error of whom they are handed to ends the work.
  ///
  /// Each thread has a state of its own, which its work may keep things in.
  package static func stream<State, Output: Sendable, Problem>(
    _ load: Load, progress: ((_ done: Int) -> Void)? = nil,
    state: @escaping @Sendable () -> State,
    _ work: @escaping @Sendable (inout State, Int) -> Output,
    _ consume: (Output) throws(Problem) -> Void
  ) throws(Problem) {
    let threads = min(load.threads, load.count)
    if threads <= 1, progress == nil {
      var own = state()
      for index in 0..<load.count { try consume(work(&own, index)) }
      return
    }
    let slots = max(1, min(load.ahead, load.count))
    let results = UnsafeMutablePointer<Output?>.allocate(capacity: slots)
    results.initialize(repeating: nil, count: slots)
    defer {
      results.deinitialize(count: slots)
      results.deallocate()
    }
    // A place is given out once until its result was taken, so that no two threads write to it.
    let shared = SharedWork(count: load.count, slots: slots) { shared in
      var own = state()
      while let index = shared.take() {
        results[index % slots] = work(&own, index)
        shared.finish(index)
      }
    }
    shared.start(threads: threads)
    // What is left undone by an error is not begun, and what is under way is waited for.
    defer { shared.end() }
    for index in 0..<load.count {
      shared.wait(for: index, progress)
      guard let result = results[index % slots] else { preconditionFailure("work left undone") }
      results[index % slots] = nil
      shared.release(index)
      try consume(result)
    }
  }
}

/// The work that the threads share: the next index to be done, behind a lock.
private final class SharedWork {
  private let count: Int
  private let slots: Int
  private let body: (SharedWork) -> Void
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  /// Somebody waits for what is done next in order.
  private let finished = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// Threads wait for a place.
  private let freed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var threads: [pthread_t] = []
  private var next = 0
  private var doneCount = 0
  /// The number of results that were taken, which are the first ones.
  private var released = 0
  private var isEnded = false
  /// By place, whether its work is done and its result not yet taken.
  private var isDone: [Bool]
  /// When progress is told next, in nanoseconds of the system's clock.
  private var tellAt: Int64

  /// A scenario may nest deeply; the stacks that some systems give to threads are small.
  private static let stackSize = 8 << 20
  /// How often progress is told.
  private static let progressNanoseconds: Int64 = 250_000_000
  /// How long nothing is told at first.
  private static let silentNanoseconds: Int64 = 1_000_000_000

  /// Creates work whose body takes one index after another, until there is none.
  init(count: Int, slots: Int, _ body: @escaping (SharedWork) -> Void) {
    self.count = count
    self.slots = slots
    self.body = body
    isDone = Array(repeating: false, count: slots)
    tellAt = Self.now() + Self.silentNanoseconds
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(finished, nil)
    pthread_cond_init(freed, nil)
  }

  deinit {
    pthread_cond_destroy(finished)
    pthread_cond_destroy(freed)
    pthread_mutex_destroy(mutex)
    finished.deallocate()
    freed.deallocate()
    mutex.deallocate()
  }

  /// Begins the work on so many threads, or on as many as the system gives; if it gives none, all
  /// is done where results are waited for.
  ///
  /// The threads are kept out until all of them are known. One that ran before it was would find
  /// that there is none to wait for, and be gone before the work is done.
  func start(threads count: Int) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    for _ in 0..<count {
      guard let thread = startThread() else { break }
      threads.append(thread)
    }
  }

  /// Returns the next index, once there is a place for its result; nil if there is none.
  func take() -> Int? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while next < count, next - released >= slots, !isEnded {
      if threads.isEmpty { return nil }
      pthread_cond_wait(freed, mutex)
    }
    if next == count || isEnded { return nil }
    next += 1
    return next - 1
  }

  /// Takes note that an index is done.
  func finish(_ index: Int) {
    pthread_mutex_lock(mutex)
    isDone[index % slots] = true
    doneCount += 1
    if index == released { pthread_cond_signal(finished) }
    pthread_mutex_unlock(mutex)
  }

  /// Waits until an index is done; tells of progress now and then, but not in the first second.
  func wait(for index: Int, _ progress: ((Int) -> Void)?) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if threads.isEmpty, !isDone[index % slots] {
      pthread_mutex_unlock(mutex)
      body(self)
      pthread_mutex_lock(mutex)
    }
    while true {
      let isHere = isDone[index % slots]
      if let progress, Self.now() >= tellAt {
        tellAt = Self.now() + Self.progressNanoseconds
        let current = doneCount
        pthread_mutex_unlock(mutex)
        progress(current)
        pthread_mutex_lock(mutex)
        continue
      }
      if isHere { return }
      if progress == nil {
        pthread_cond_wait(finished, mutex)
      } else {
        var deadline = timespec()
        deadline.tv_sec = Int(tellAt / 1_000_000_000)
        deadline.tv_nsec = Int(tellAt % 1_000_000_000)
        pthread_cond_timedwait(finished, mutex, &deadline)
      }
    }
  }

  /// Makes room where the result of an index was.
  func release(_ index: Int) {
    pthread_mutex_lock(mutex)
    isDone[index % slots] = false
    released = index + 1
    pthread_cond_signal(freed)
    pthread_mutex_unlock(mutex)
  }

  /// Gives out no more work, and waits for the threads.
  func end() {
    pthread_mutex_lock(mutex)
    isEnded = true
    pthread_cond_broadcast(freed)
    pthread_mutex_unlock(mutex)
    for thread in threads { pthread_join(thread, nil) }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private func startThread() -> pthread_t? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    // The threads are joined before the work goes away, so that none needs to own it.
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, &attributes, { SharedWork.enter($0) }, pointer)
    return code == 0 ? thread : nil
    #else
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes, { $0.flatMap { SharedWork.enter($0) } }, pointer)
    return code == 0 ? thread : nil
    #endif
  }

  private static func enter(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    let work = Unmanaged<SharedWork>.fromOpaque(pointer).takeUnretainedValue()
    CrashReport.withSignalStack { work.body(work) }
    return nil
  }
}
