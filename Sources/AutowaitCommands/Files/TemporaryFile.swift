import AutowaitFiles

#if canImport(Glibc)
import AutowaitScenario
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that grows under another name in the folder of its target and is renamed to it when it is
/// whole, so that nobody ever sees a part of it there.
///
/// A process that is killed leaves its temporary files behind. The next one that writes into the
/// folder removes them, and must not remove those of a process that still runs, perhaps in another
/// container or on another host that shares the disk, where the number of a process says nothing.
/// So each is locked (`flock`) for as long as it is written, and the system takes the lock back
/// from a process however it ends: what can be locked is nobody's any more. Where a file system
/// knows no locks, nothing is removed.
final class TemporaryFile {
  /// Nobody has so many under way in one folder.
  private static let numberMax = 100_000

  private var descriptor: Int32
  private let path: String
  /// Where it is noted as a file that is not in its place, for a crash to remove.
  private var note: Int?

  /// Begins a file in a folder, and removes what killed processes left there.
  init(in folder: String) throws(Files.SystemProblem) {
    Self.removeStale(in: folder)
    for number in 0..<Self.numberMax {
      let place = Path.join(folder, Self.name(process: getpid(), number))
      // Somebody else's, which no crash of this process may remove.
      if Files.kind(of: place) != nil { continue }
      // Before there is a file, so that there is no moment at which a crash would leave it.
      note = CrashReport.note(file: place)
      let file = open(place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if file < 0 {
        let code = errno
        CrashReport.forget(note)
        if code == EEXIST { continue }
        throw Files.SystemProblem(doing: "written", code)
      }
      // Before the lock was taken, another process may have taken the file for a stale one.
      if Self.lock(file) != .held, Self.isStill(file, at: place) {
        (descriptor, path) = (file, place)
        return
      }
      CrashReport.forget(note)
      close(file)
    }
    throw Files.SystemProblem(doing: "written", EEXIST)
  }

  deinit {
    if descriptor < 0 { return }
    // Still locked, so that nobody else has put something else in this place.
    unlink(path)
    CrashReport.forget(note)
    close(descriptor)
  }

  /// Writes at the end.
  func write(_ bytes: [UInt8]) throws(Files.SystemProblem) {
    try Files.write(bytes, into: descriptor)
  }

  /// Makes what was written last; the file gets the permissions given, or those of any new one.
  func finish(mode: mode_t? = nil) throws(Files.SystemProblem) {
    if let mode, fchmod(descriptor, mode) != 0 {
      throw Files.SystemProblem(doing: "written", errno)
    }
    try Files.synchronize(descriptor)
  }

  /// Puts a finished file in the place of another one.
  func put(at target: String) throws(Files.SystemProblem) {
    if rename(path, target) != 0 { throw Files.SystemProblem(doing: "written", errno) }
    CrashReport.forget(note)
    note = nil
    let code = close(descriptor) == 0 ? 0 : errno
    descriptor = -1
    if code != 0 { throw Files.SystemProblem(doing: "written", code) }
  }

  // MARK: What is left of killed processes

  /// Removes the temporary files in a folder that no process is writing any more.
  static func removeStale(in folder: String) {
    guard let names = try? Files.siblings(folder) else { return }
    for name in names where isName(name) { removeIfStale(Path.join(folder, name)) }
  }

  private static func removeIfStale(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    // For writing, since a disk that lies elsewhere locks nothing else.
    let file = open(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    // Its writer may have renamed it since; then the name is free, or that of another file.
    if lock(file) == .taken, isStill(file, at: path) { unlink(path) }
  }

  private enum Lock {
    /// It is ours now.
    case taken
    /// Somebody else has it.
    case held
    /// There are no locks here.
    case unknown
  }

  private static func lock(_ file: Int32) -> Lock {
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return .held }
      if errno != EINTR { return .unknown }
    }
    return .taken
  }

  /// Whether a path names the file that is open.
  private static func isStill(_ file: Int32, at path: String) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(file, &open) == 0 && lstat(path, &named) == 0
      && open.st_dev == named.st_dev && open.st_ino == named.st_ino
  }

  private static let nameStart = ".autowait-"
  private static let nameEnd = ".tmp"

  private static func name(process: Int32, _ number: Int) -> String {
    "\(nameStart)\(process)-\(number)\(nameEnd)"
  }

  /// Whether a name is exactly such as ``name(process:_:)`` gives.
  private static func isName(_ name: String) -> Bool {
    guard name.hasPrefix(nameStart), name.hasSuffix(nameEnd) else { return false }
    let numbers = name.dropFirst(nameStart.count).dropLast(nameEnd.count)
      .split(separator: "-", omittingEmptySubsequences: false)
    guard numbers.count == 2, let process = Int32(numbers[0]), let number = Int(numbers[1]) else {
      return false
    }
    return process > 0 && number >= 0 && name == Self.name(process: process, number)
  }
}
