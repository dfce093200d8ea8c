import AutowaitFiles
import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension CommandEnvironment {
  /// The environment of this process.
  static var process: CommandEnvironment {
    var environment = CommandEnvironment(
      output: .descriptor(STDOUT_FILENO), messages: .descriptor(STDERR_FILENO))
    environment.input = { next() }
    environment.inputWithin = { next(within: $0, listens: $1) }
    environment.isInputTerminal = isatty(STDIN_FILENO) == 1
    environment.nanoseconds = {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    environment.variable = { name in getenv(name).map { String(cString: $0) } }
    environment.terminalWidth = {
      var size = winsize()
      guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
      return Int(size.ws_col)
    }
    environment.terminalHeight = {
      var size = winsize()
      guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return nil }
      return Int(size.ws_row)
    }
    if environment.isInputTerminal, environment.output.isTerminal {
      environment.screen = Screen(
        enter: TerminalScreen.enter, leave: TerminalScreen.leave, stop: TerminalScreen.stop)
    }
    environment.tellsProgress = true
    // Linux says where a process comes from; elsewhere it is what the tool was called by.
    let own = Files.realPath("/proc/self/exe") ?? Files.realPath(CommandLine.arguments[0])
    environment.toolFolder = own.map { Path.folder(of: $0) }
    environment.processorCount = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    return environment
  }

  /// The bytes of the first argument of this process that is not UTF-8.
  ///
  /// As a text it would have replaced characters, and so name another file.
  static var argumentThatIsNoText: [UInt8]? {
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      if String(validatingCString: argument) != nil { continue }
      return (0..<strlen(argument)).map { UInt8(bitPattern: argument[$0]) }
    }
    return nil
  }

  /// The bytes that are read from the standard input at a time.
  private static let inputBytes = 1 << 16

  /// Reads what is there of the standard input, or waits for something.
  private static func next() -> Input {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: inputBytes) { buffer, count in
      guard let base = buffer.baseAddress else { return }
      var got = -1
      repeat { got = systemRead(STDIN_FILENO, base, buffer.count) } while got < 0 && errno == EINTR
      if got < 0 { code = errno }
      count = max(got, 0)
    }
    if code != 0 { return .failed(String(cString: strerror(code))) }
    return bytes.isEmpty ? .end : .bytes(bytes)
  }

  /// Reads what comes of the standard input within some milliseconds; nil if nothing does.
  private static func next(within milliseconds: Int, listens: Bool) -> Input? {
    var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, listens ? 1 : 0, Int32(milliseconds)) > 0 ? next() : nil
  }

  /// Makes the process one that bad surroundings cannot hurt; to be called once, at its start.
  ///
  /// A reader that goes away and a limit on the size of files must be errors of `write`, not
  /// signals: a signal would leave a file behind that was written in part. And if a standard
  /// stream is closed, the next file opened would take its number and results would land in that
  /// file.
  static func prepareProcess() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) == -1 {
      // Opened for reading, so that writing to a closed stdout is still an error.
      _ = open("/dev/null", O_RDONLY)
    }
  }
}

extension CommandEnvironment.Stream {
  /// A stream into a file descriptor.
  fileprivate static func descriptor(_ descriptor: Int32) -> Self {
    Self(isTerminal: isatty(descriptor) == 1) { bytes in
      bytes.withUnsafeBytes { buffer in
        var rest = UnsafeRawBufferPointer(rebasing: buffer[...])
        while let base = rest.baseAddress, !rest.isEmpty {
          let count = systemWrite(descriptor, base, rest.count)
          if count >= 0 {
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
          } else if errno == EPIPE {
            return .closed
          } else if errno != EINTR, errno != EAGAIN {
            return .failed(String(cString: strerror(errno)))
          }
        }
        return .written
      }
    }
  }
}
