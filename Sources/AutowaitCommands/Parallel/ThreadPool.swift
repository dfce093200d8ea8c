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
enum ThreadPool {
  /// Returns what a function makes of each input; calls back now and then on the calling thread.
  static func map<Input: Sendable, Output: Sendable>(
    _ inputs: [Input], threads: Int, progress: ((_ done: Int) -> Void)? = nil,
    _ transform: @escaping @Sendable (Input) -> Output
  ) -> [Output] {
    let results = UnsafeMutablePointer<Output?>.allocate(capacity: inputs.count)
    results.initialize(repeating: nil, count: inputs.count)
    defer {
      results.deinitialize(count: inputs.count)
      results.deallocate()
    }
    // Each index is given out once, so that no two threads write to one place.
    let work = SharedWork(count: inputs.count) { results[$0] = transform(inputs[$0]) }
    work.run(threads: min(threads, inputs.count), progress: progress)
    return (0..<inputs.count).map { index in
      guard let result = results[index] else { preconditionFailure("work was left undone") }
      return result
    }
  }
}

/// The work that the threads share: the next index to be done, behind a lock.
private final class SharedWork {
  private let count: Int
  private let body: (Int) -> Void
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var next = 0
  private var done = 0

  /// A scenario may nest deeply; the stacks that some systems give to threads are small.
  private static let stackSize = 8 << 20
  /// How often progress is told.
  private static let progressMilliseconds = 250
  /// How many of these times pass before the first is told.
  private static let silentPeriods = 4

  init(count: Int, _ body: @escaping (Int) -> Void) {
    self.count = count
    self.body = body
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Does the work; without threads, or if the system gives none, on the calling one.
  func run(threads: Int, progress: ((Int) -> Void)?) {
    var started: [pthread_t] = []
    if threads > 1 || progress != nil {
      for _ in 0..<threads {
        guard let thread = start() else { break }
        started.append(thread)
      }
    }
    if started.isEmpty {
      work()
    } else if let progress {
      watch(progress)
    }
    for thread in started { pthread_join(thread, nil) }
  }

  private func start() -> pthread_t? {
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
    Unmanaged<SharedWork>.fromOpaque(pointer).takeUnretainedValue().work()
    return nil
  }

  private func work() {
    while let index = take() {
      body(index)
      pthread_mutex_lock(mutex)
      done += 1
      pthread_cond_signal(changed)
      pthread_mutex_unlock(mutex)
    }
  }

  private func take() -> Int? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if next == count { return nil }
    next += 1
    return next - 1
  }

  /// Tells of progress until all is done, but not in the first second.
  private func watch(_ progress: (Int) -> Void) {
    var periods = 0
    pthread_mutex_lock(mutex)
    while done < count {
      var deadline = timespec()
      clock_gettime(CLOCK_REALTIME, &deadline)
      deadline.tv_nsec += Self.progressMilliseconds * 1_000_000
      if deadline.tv_nsec >= 1_000_000_000 {
        deadline.tv_nsec -= 1_000_000_000
        deadline.tv_sec += 1
      }
      while done < count, pthread_cond_timedwait(changed, mutex, &deadline) == 0 {}
      periods += 1
      if periods < Self.silentPeriods { continue }
      let current = done
      pthread_mutex_unlock(mutex)
      progress(current)
      pthread_mutex_lock(mutex)
    }
    pthread_mutex_unlock(mutex)
  }
}
