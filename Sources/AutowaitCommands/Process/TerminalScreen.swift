#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The terminal of the process, taken over to draw on it and to get each key at once.
///
/// Whatever ends or stops the process, the terminal is given back as it was. A handler of a signal
/// may do that at any moment, so that it calls only what POSIX allows:
/// `kill`, `pthread_sigmask`, `signal`, `tcgetattr`, `tcsetattr` and `write`.
enum TerminalScreen {
  /// Shows another screen without a cursor, so that what was there comes back.
  private static let opening = Array("\u{1B}[?1049h\u{1B}[?25l".utf8)
  nonisolated(unsafe) private static let closing = bytes("\u{1B}[?25h\u{1B}[?1049l")

  /// How the terminal was.
  nonisolated(unsafe) private static let saved = {
    let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    saved.initialize(to: termios())
    return saved
  }()
  /// Whether it is taken over.
  nonisolated(unsafe) private static let isEntered = {
    let flag = UnsafeMutablePointer<sig_atomic_t>.allocate(capacity: 1)
    flag.initialize(to: 0)
    return flag
  }()

  /// Bytes that are never given back, so that a handler finds them.
  private static func bytes(_ text: String) -> UnsafeBufferPointer<UInt8> {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    return UnsafeBufferPointer(bytes)
  }

  /// Takes the terminal over.
  static func enter() {
    _ = closing.count
    guard isEntered.pointee == 0, tcgetattr(STDIN_FILENO, saved) == 0 else { return }
    var raw = saved.pointee
    // Ctrl-C and Ctrl-Z are keys, too, so that the screen can be left before they take effect.
    raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    raw.c_iflag &= ~tcflag_t(IXON | ICRNL)
    isEntered.pointee = 1
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
    _ = opening.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    signal(SIGTSTP) { _ in TerminalScreen.stop() }
  }

  /// Gives it back as it was, if it is taken over.
  static func leave() {
    if isEntered.pointee == 0 { return }
    isEntered.pointee = 0
    _ = write(STDOUT_FILENO, closing.baseAddress, closing.count)
    tcsetattr(STDIN_FILENO, TCSANOW, saved)
  }

  /// Stops the process, and all that were started with it, until somebody lets it go on.
  static func stop() {
    leave()
    signal(SIGTSTP, nil)
    // In a handler of this signal it would wait for the handler's end.
    var stops = sigset_t()
    sigemptyset(&stops)
    sigaddset(&stops, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &stops, nil)
    // A signal to the group reaches what the shell waits for, where another program started this.
    kill(0, SIGTSTP)
    enter()
  }
}
