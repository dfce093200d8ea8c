#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Runs this tool again in a process of its own: what ends a child before its time is found, and
/// does not end the search.
enum ChildProcess {
  /// How a child ended.
  enum End: Hashable {
    case code(Int32)
    case signal(Int32)
  }

  /// Starts the tool with some arguments; what it prints goes to files.
  static func start(_ arguments: [String], output: String, messages: String) -> pid_t {
    var actions = FileActions()
    posix_spawn_file_actions_init(&actions)
    let flags = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o644)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, flags, 0o644)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The reason stands in the first line; a backtrace costs a second.
    let variables = ["SWIFT_BACKTRACE=enable=no", "PATH=/usr/bin:/bin"]
    var process: pid_t = 0
    let code = withPointers([path] + arguments) { words in
      withPointers(variables) { posix_spawn(&process, path, &actions, nil, words, $0) }
    }
    if code != 0 { ToolFiles.fail("cannot start \(path): error \(code)") }
    return process
  }

  /// Waits until any child has ended.
  static func wait() -> (process: pid_t, end: End) {
    var status: Int32 = 0
    while true {
      let process = waitpid(-1, &status, 0)
      if process > 0 { return (process, end(status)) }
      if errno != EINTR { ToolFiles.fail("no child is left to wait for") }
    }
  }

  /// Runs the tool and waits for it.
  static func run(_ arguments: [String], output: String, messages: String) -> End {
    let process = start(arguments, output: output, messages: messages)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return end(status)
  }

  private static func end(_ status: Int32) -> End {
    let signal = status & 0x7F
    return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
  }

  #if canImport(Darwin)
  private typealias FileActions = posix_spawn_file_actions_t?
  #else
  private typealias FileActions = posix_spawn_file_actions_t
  #endif

  /// The path of this tool.
  private static var path: String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &bytes, bytes.count)
    if count > 0 { return String(decoding: bytes[..<count], as: UTF8.self) }
    return CommandLine.arguments[0]
  }

  private static func withPointers<Result>(
    _ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers)
  }
}

/// Files of this tool, all of them below folders that its caller names.
enum ToolFiles {
  static func fail(_ reason: String) -> Never {
    let bytes = Array("autowait-worlds: error: \(reason)\n".utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
    exit(2)
  }

  /// Returns the bytes of a file; nil if it cannot be opened.
  static func bytes(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY)
    if file < 0 { return nil }
    defer { close(file) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = read(file, &buffer, buffer.count)
      if count <= 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  static func text(_ path: String) -> String {
    String(decoding: bytes(of: path) ?? [], as: UTF8.self)
  }

  static func store(_ text: String, at path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    let bytes = Array(text.utf8)
    var start = 0
    while file >= 0, start < bytes.count {
      let count = bytes[start...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      start += count
    }
    if file < 0 || close(file) != 0 || start < bytes.count { fail("cannot write '\(path)'") }
  }

  /// Makes a folder and those that it lies in.
  static func makeFolder(_ path: String) {
    var whole = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      whole += part + "/"
      _ = mkdir(whole, 0o755)
    }
  }
}

/// The number of the world that a child is at, in a file that outlives the child.
struct Note {
  private let file: Int32

  init(_ path: String) {
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    if file < 0 { ToolFiles.fail("cannot write '\(path)'") }
  }

  func take(_ seed: UInt64) {
    let digits = "\(seed)"
    let bytes = Array((digits + String(repeating: " ", count: 20 - digits.utf8.count)).utf8)
    _ = pwrite(file, bytes, bytes.count, 0)
  }
}
