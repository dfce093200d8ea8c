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
  nonisolated(unsafe) private static let groups = {
    let groups = UnsafeMutablePointer<pid_t>.allocate(capacity: countMax)
    groups.initialize(repeating: 0, count: countMax)
    return groups
  }()
  nonisolated(unsafe) private static let mutex = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    return mutex
  }()
  nonisolated(unsafe) private static var isPrepared = false

  /// Notes a program that was started.
  static func add(_ process: pid_t) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if !isPrepared { prepare() }
    for place in 0..<countMax where groups[place] == 0 {
      groups[place] = process
      return
    }
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
    for number in [SIGINT, SIGTERM, SIGHUP] {
      let before = signal(number) { ProgramGroups.end($0) }
      if unsafeBitCast(before, to: Int.self) != 0 { signal(number, before) }
    }
  }

  /// Ends all programs, and then as if there had been no handler; it calls nothing that a handler
  /// may not call.
  private static func end(_ number: Int32) {
    var place = 0
    while place < countMax {
      let group = groups[place]
      if group != 0 { _ = kill(-group, SIGKILL) }
      place += 1
    }
    signal(number, nil)
    raise(number)
  }
}
