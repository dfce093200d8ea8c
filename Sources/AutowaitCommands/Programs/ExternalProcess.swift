import AutowaitFiles
import Autowait

#if canImport(Glibc)
import AutowaitRendering
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A program that runs beside a run: lines go to its standard input, lines come from its standard
/// output.
///
/// Its standard error is that of autowait, so that a rule can say what troubles it. Of the
/// environment it has the search path alone, so that runs do not depend on who starts them. It is
/// a class because it ends the program when nobody needs it any more.
final class ExternalProcess {
  /// Why a line did not come, as the end of a sentence that begins with the program.
  struct ProcessProblem: Error, Hashable {
    let reason: String
    /// What the program wrote, if that is what is wrong.
    var written: [UInt8] = []
  }

  /// The longest line that a program may write.
  static let lineMax = 65_536

  private let process: pid_t
  private let input: Int32
  private let output: Int32
  private var received: [UInt8] = []
  private var isOver = false

  /// Starts a program; its first word is its path, so that it finds what lies beside it.
  init(_ path: String, _ words: [String]) throws(ProcessProblem) {
    let toProgram = try Pipe()
    let fromProgram: Pipe
    do throws(ProcessProblem) { fromProgram = try Pipe() } catch {
      toProgram.closeBoth()
      throw error
    }
    input = toProgram.writing
    output = fromProgram.reading
    var actions = FileActions()
    defer {
      actions.destroy()
      close(toProgram.reading)
      close(fromProgram.writing)
    }
    actions.prepare(input: toProgram.reading, output: fromProgram.writing)
    let searchPath = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    let variables = ["PATH=\(searchPath)", "LC_ALL=C"]
    let (code, number) = ProgramGroups.start {
      Self.spawn(path, [path] + words.dropFirst(), variables, &actions)
    }
    process = number
    if code != 0 {
      isOver = true
      close(input)
      close(output)
      throw ProcessProblem(reason: "cannot be started: \(String(cString: strerror(code)))")
    }
    // A program that does not read, or writes half a line, must not hold the run up.
    for descriptor in [input, output] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  deinit { end() }

  /// Sends a line and returns the one that answers it, without its end.
  func ask(_ line: [UInt8], within timeout: TimeSpan) throws(ProcessProblem) -> [UInt8] {
    if !received.isEmpty {
      throw ProcessProblem(reason: "wrote more than one line", written: received)
    }
    let deadline = Self.now + timeout
    var rest = (line + [0x0A])[...]
    while true {
      if let end = received.firstIndex(of: 0x0A) {
        let answer = Array(received[..<end])
        received.removeSubrange(...end)
        if !rest.isEmpty {
          throw ProcessProblem(reason: "answered before it had read the question", written: answer)
        }
        if received.isEmpty { return answer }
        throw ProcessProblem(reason: "wrote more than one line", written: received)
      }
      if received.count > Self.lineMax {
        throw ProcessProblem(
          reason: "wrote a line of more than \(Self.lineMax) bytes", written: received)
      }
      try wait(writes: !rest.isEmpty, until: deadline, timeout)
      if !rest.isEmpty { try send(&rest) }
      try receive()
    }
  }

  /// Waits until there is something to do, or throws when the time is over.
  private func wait(
    writes: Bool, until deadline: Instant, _ timeout: TimeSpan
  ) throws(ProcessProblem) {
    var descriptors = [pollfd(fd: output, events: Int16(POLLIN), revents: 0)]
    if writes { descriptors.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
    while true {
      let left = deadline - Self.now
      if left <= .zero {
        let seconds = OutcomeRendering.seconds(timeout.nanoseconds)
        throw ProcessProblem(reason: "gave no answer within \(seconds) s", written: received)
      }
      let milliseconds = min(left.nanoseconds / 1_000_000 + 1, 60_000)
      let count = poll(&descriptors, nfds_t(descriptors.count), Int32(milliseconds))
      if count > 0 { return }
      if count < 0, errno != EINTR {
        throw ProcessProblem(reason: "cannot be waited for: \(String(cString: strerror(errno)))")
      }
    }
  }

  private func send(_ rest: inout ArraySlice<UInt8>) throws(ProcessProblem) {
    let count = rest.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return SignalMask.withoutBrokenPipe { systemWrite(input, base, buffer.count) }
    }
    if count >= 0 {
      rest = rest.dropFirst(count)
    } else if errno == EPIPE {
      rest = []  // how the program ended is told by what it wrote, and then by its end
    } else if errno != EAGAIN, errno != EINTR {
      throw ProcessProblem(reason: "cannot be asked: \(String(cString: strerror(errno)))")
    }
  }

  private func receive() throws(ProcessProblem) {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { systemRead(output, $0, buffer.count) } ?? 0
    }
    if count > 0 {
      received += bytes[..<count]
    } else if count == 0 {
      throw ProcessProblem(reason: ending(), written: received)
    } else if errno != EAGAIN, errno != EINTR {
      throw ProcessProblem(reason: "cannot be heard: \(String(cString: strerror(errno)))")
    }
  }

  /// Says how a program ended that closed its output.
  private func ending() -> String {
    close(input)
    close(output)
    let status = reap()
    isOver = true
    switch status {
    case nil: return "closed its output"
    case .some(let status) where status & 0x7F == 0:
      return "ended with the code \((status >> 8) & 0xFF)"
    case .some(let status): return "was ended by the signal \(status & 0x7F)"
    }
  }

  /// Stops a program that did not do what it should.
  func stop() {
    if isOver { return }
    isOver = true
    _ = kill(-process, SIGKILL)
    close(input)
    close(output)
    _ = reap()
  }

  /// Ends the program: it is told by the end of its input, and else by a signal.
  func end() {
    if isOver { return }
    isOver = true
    close(input)
    var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    let deadline = Self.now + .milliseconds(500)
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while Self.now < deadline {
      if poll(&descriptor, 1, 100) <= 0 { continue }
      let count = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { systemRead(output, $0, buffer.count) } ?? 0
      }
      if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { break }
    }
    close(output)
    _ = reap()
  }

  /// Waits for a program whose output is closed, and stops it if it goes on; returns its status.
  ///
  /// What it left behind is stopped while its own number is still taken.
  private func reap() -> Int32? {
    var status: Int32 = 0
    let deadline = Self.now + .milliseconds(200)
    repeat {
      var ended = siginfo_t()
      let code = waitid(P_PID, id_t(process), &ended, WEXITED | WNOHANG | WNOWAIT)
      if code == 0, ended.si_signo != 0 {
        _ = kill(-process, SIGKILL)
        ProgramGroups.remove(process)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
      }
      if code < 0, errno != EINTR {
        ProgramGroups.remove(process)
        return nil
      }
      _ = poll(nil, 0, 2)
    } while Self.now < deadline
    _ = kill(-process, SIGKILL)
    ProgramGroups.remove(process)
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return nil
  }

  private static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }
}

// MARK: - Starting

extension ExternalProcess {
  /// Starts a program as the head of a group of its own; returns an error's number, or zero.
  private static func spawn(
    _ path: String, _ words: [String], _ variables: [String], _ actions: inout FileActions
  ) -> (code: Int32, process: pid_t) {
    var attributes = SpawnAttributes()
    defer { attributes.destroy() }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup($0) } + [nil]
    defer { for text in arguments + environment { free(text) } }
    var process: pid_t = 0
    var code: Int32 = 0
    // A file that was just written may be open for a moment in a process that begins elsewhere.
    for patience in 0..<8 {
      code = posix_spawn(
        &process, path, &actions.value, &attributes.value, &arguments, &environment)
      if code != ETXTBSY { break }
      _ = poll(nil, 0, 1 << Int32(patience))
    }
    return (code, process)
  }

  /// A way into a program, or out of one.
  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws(ProcessProblem) {
      var ends: [Int32] = [-1, -1]
      if pipe(&ends) != 0 {
        throw ProcessProblem(reason: "cannot be started: \(String(cString: strerror(errno)))")
      }
      (reading, writing) = (ends[0], ends[1])
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    func closeBoth() {
      close(reading)
      close(writing)
    }
  }

  /// What is done to files before a program begins.
  private struct FileActions {
    #if canImport(Darwin)
    var value: posix_spawn_file_actions_t?
    #else
    var value = posix_spawn_file_actions_t()
    /// More than all threads can have open, each with the four ends of a program's pipes.
    private static let descriptorsMax: Int32 = 1_280
    #endif

    /// Lets a program have its three streams and nothing else: a way into another program that
    /// is started at the same time would keep that one from seeing its end.
    mutating func prepare(input: Int32, output: Int32) {
      posix_spawn_file_actions_init(&value)
      posix_spawn_file_actions_adddup2(&value, input, STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&value, output, STDOUT_FILENO)
      #if !canImport(Darwin)
      for descriptor in STDERR_FILENO + 1..<Self.descriptorsMax {
        posix_spawn_file_actions_addclose(&value, descriptor)
      }
      #endif
    }

    mutating func destroy() { posix_spawn_file_actions_destroy(&value) }
  }

  /// How a program begins: with a group of its own and with signals as everybody expects them.
  private struct SpawnAttributes {
    #if canImport(Darwin)
    var value: posix_spawnattr_t?
    private static let inheritsNothing = Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #else
    var value = posix_spawnattr_t()
    private static let inheritsNothing: Int32 = 0
    #endif

    init() {
      posix_spawnattr_init(&value)
      var signals = sigset_t()
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&value, &signals)
      sigaddset(&signals, SIGPIPE)
      sigaddset(&signals, SIGXFSZ)
      posix_spawnattr_setsigdefault(&value, &signals)
      posix_spawnattr_setpgroup(&value, 0)
      let flags =
        Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK)
        | Int32(POSIX_SPAWN_SETSIGDEF) | Self.inheritsNothing
      posix_spawnattr_setflags(&value, Int16(flags))
    }

    mutating func destroy() { posix_spawnattr_destroy(&value) }
  }
}

/// Keeps a signal from ending the process.
private enum SignalMask {
  /// Writes to what may be closed at the other end: an error, and no signal, is what comes of it.
  static func withoutBrokenPipe(_ write: () -> Int) -> Int {
    var (broken, pending, before) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&broken)
    sigaddset(&broken, SIGPIPE)
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    pthread_sigmask(SIG_BLOCK, &broken, &before)
    let count = write()
    let code = errno
    sigpending(&pending)
    if !wasPending, sigismember(&pending, SIGPIPE) == 1 {
      var signal: Int32 = 0
      sigwait(&broken, &signal)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
    return count
  }
}
