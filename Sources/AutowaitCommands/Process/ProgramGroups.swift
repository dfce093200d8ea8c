#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The groups of the programs that are rules and run now, so that a signal that ends autowait ends
/// them too.
///
/// What a terminal sends to a command does not reach them, since each is the head of a group of its
/// own; and one that no longer reads would never learn that nobody asks any more.
enum ProgramGroups {
  /// More than there can be threads that ask.
  private static let countMax = 1_024
  /// The numbers of the groups, and zeros; a handler may be called at any moment and only reads.
  ///
  /// Behind them is one place more, which is no zero when a signal has begun to end everything.
  nonisolated(unsafe) private static let groups = {
    let groups = UnsafeMutablePointer<pid_t>.allocate(capacity: countMax + 1)
    groups.initialize(repeating: 0, count: countMax + 1)
    return groups
  }()
  nonisolated(unsafe) private static let mutex = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    return mutex
  }()
  nonisolated(unsafe) private static var isPrepared = false
  /// The signals that end a process, and that programs would outlive.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// What stands for a program that is being started.
  private static let reserved: pid_t = -1
  /// How often a handler looks for what becomes of a place that is taken, every few milliseconds.
  private static let looksMax = 400

  /// Starts a program and notes it; no signal comes in between.
  ///
  /// A place is taken before: a handler in another thread waits for what becomes of it. When the
  /// end has begun nothing is started any more.
  static func start(_ spawn: () -> (code: Int32, process: pid_t)) -> (code: Int32, process: pid_t) {
    var (ending, before) = (sigset_t(), sigset_t())
    sigemptyset(&ending)
    for number in signals { sigaddset(&ending, number) }
    pthread_sigmask(SIG_BLOCK, &ending, &before)
    let place = reserve()
    while isEnding {
      if let place { groups[place] = 0 }
      _ = poll(nil, 0, 1_000)
    }
    let started = spawn()
    if let place { groups[place] = started.code == 0 ? started.process : 0 }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return started
  }

  /// Whether the end has begun; the lock orders this behind the place that was taken.
  private static var isEnding: Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return groups[countMax] != 0
  }

  /// Takes a place for a program that is about to be started; nil if there is none.
  private static func reserve() -> Int? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if !isPrepared { prepare() }
    for place in 0..<countMax where groups[place] == 0 {
      groups[place] = reserved
      return place
    }
    return nil
  }

  /// Forgets a program, before its number can be another's.
  static func remove(_ process: pid_t) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    for place in 0..<countMax where groups[place] == process { groups[place] = 0 }
  }

  /// Waits for signals that end a process; those that somebody ignores, as `nohup` does, stay so.
  private static func prepare() {
    isPrepared = true
    for number in signals {
      let before = signal(number) { ProgramGroups.end($0) }
      if unsafeBitCast(before, to: Int.self) != 0 { signal(number, before) }
    }
  }

  /// Makes what a handler needs, which is otherwise made when it is first used.
  static func prepareForCrash() { _ = groups }

  /// Ends all programs, and then as if there had been no handler.
  private static func end(_ number: Int32) {
    endAll()
    signal(number, nil)
    raise(number)
  }

  /// Ends all programs; it calls nothing that a handler may not call.
  static func endAll() {
    groups[countMax] = 1
    // A call of the system, behind which other threads see what was written.
    _ = poll(nil, 0, 0)
    var (place, looks) = (0, 0)
    while place < countMax {
      while groups[place] == reserved, looks < looksMax {
        _ = poll(nil, 0, 5)
        looks += 1
      }
      let group = groups[place]
      if group > 0 { _ = kill(-group, SIGKILL) }
      place += 1
    }
  }
}
