import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What the tool does when it crashes, which is a defect of it.
///
/// It says what to report, removes files that were written in part, and ends with the code of a
/// defect. When somebody ends it, it removes those files too, and ends as any process does.
///
/// A precondition that fails is a trap, which is a signal; Swift has printed its message by then,
/// where there is one. The runtime's backtrace is left out: a run is the same every time, so that
/// the scenario and the call say more. A handler may be called at any moment, and calls only what
/// POSIX allows it to: `kill`, `poll`, `tcsetattr`, `unlink`, `write` and `_exit`.
enum CrashReport {
  /// The signals that a process gets for what it did wrong itself.
  private static let signals = [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT]
  /// The signals by which somebody ends a process.
  private static let endSignals = [SIGINT, SIGTERM, SIGHUP]
  /// More files than are written at a time.
  private static let filesMax = 4_096
  private static let stackBytes = 1 << 16

  /// What is printed; made beforehand, because a handler can allocate nothing.
  nonisolated(unsafe) private static var message = UnsafeMutableBufferPointer<UInt8>(
    start: nil, count: 0)
  /// The files that are being written, and nils.
  nonisolated(unsafe) private static let files = {
    let files = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: filesMax)
    files.initialize(repeating: nil, count: filesMax)
    return files
  }()
  nonisolated(unsafe) private static let mutex = {
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    return mutex
  }()

  /// Takes over the signals of a crash; to be called once, at the start of the process.
  static func install(version: String, call: String) {
    let text = """
      autowait: error: this is a defect of autowait \(version); please report it with the files \
      and this call
      note: \(call)

      """
    let bytes = Array(text.utf8)
    message = .allocate(capacity: bytes.count)
    _ = message.initialize(from: bytes)
    // What is made when it is first used must be there before a handler uses it.
    _ = files
    ProgramGroups.prepareForCrash()
    _ = useSignalStack()
    for number in signals {
      var action = sigaction()
      #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = { _ in CrashReport.end() }
      #elseif canImport(Musl)
      action.__sa_handler.sa_handler = { _ in CrashReport.end() }
      #else
      action.__sigaction_handler.sa_handler = { _ in CrashReport.end() }
      #endif
      sigemptyset(&action.sa_mask)
      // A crash in the handler ends the process as if there had been none.
      action.sa_flags = Int32(
        truncatingIfNeeded: Int64(SA_ONSTACK) | Int64(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
    for number in endSignals {
      let before = signal(number) { CrashReport.end(by: $0) }
      // What somebody ignores, as `nohup` does, stays so.
      if unsafeBitCast(before, to: Int.self) != 0 { signal(number, before) }
    }
  }

  /// Does work on a thread whose handlers have a stack of their own, for when its own is used up.
  static func withSignalStack(_ body: () -> Void) {
    let memory = useSignalStack()
    body()
    var none = stack_t()
    none.ss_flags = Int32(SS_DISABLE)
    sigaltstack(&none, nil)
    memory.deallocate()
  }

  private static func useSignalStack() -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: stackBytes, alignment: 16)
    var stack = stack_t()
    stack.ss_sp = memory
    stack.ss_size = numericCast(stackBytes)
    sigaltstack(&stack, nil)
    return memory
  }

  /// Notes a file that is being written, to be removed in a crash; returns its place.
  static func note(file path: String) -> Int? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    for place in 0..<filesMax where files[place] == nil {
      files[place] = strdup(path)
      return place
    }
    return nil
  }

  /// Forgets a file that is whole, or gone.
  ///
  /// Its name is not given back: a handler on another thread may be reading it.
  static func forget(_ place: Int?) {
    guard let place else { return }
    pthread_mutex_lock(mutex)
    files[place] = nil
    pthread_mutex_unlock(mutex)
  }

  /// Removes the files that are written in part; called by a handler.
  private static func removeFiles() {
    var place = 0
    while place < filesMax {
      if let path = files[place] { unlink(path) }
      place += 1
    }
  }

  /// Ends the process as if there had been no handler; called by one.
  private static func end(by number: Int32) {
    TerminalScreen.leave()
    removeFiles()
    ProgramGroups.endAll()
    signal(number, nil)
    raise(number)
  }

  /// Ends the process; called by a handler.
  private static func end() -> Never {
    TerminalScreen.leave()
    removeFiles()
    ProgramGroups.endAll()
    _ = write(STDERR_FILENO, message.baseAddress, message.count)
    _exit(ExitCode.defect.rawValue)
  }
}
