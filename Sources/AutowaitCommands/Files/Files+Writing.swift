import AutowaitFiles
import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writing files.
extension Files {
  /// Writes a file whole or not at all: under another name in the same folder, then renamed.
  ///
  /// What is no file, such as `/dev/stdout` or a pipe, is written to as it is; a symbolic link
  /// stays one, also if it leads nowhere yet. A file keeps its permissions.
  static func write(_ bytes: [UInt8], to path: String) throws(SystemProblem) {
    try put(try stage(bytes, for: path))
  }

  /// What is ready to be put in its place, which can hardly fail then.
  struct Staged {
    /// Where it is to be.
    fileprivate let target: String
    /// The file that is to be renamed, and is removed if it is not; nil for what is written to as
    /// it is.
    fileprivate let temporary: TemporaryFile?
    /// What is written to such a thing.
    fileprivate var bytes: [UInt8] = []

    /// Whether it is only renamed, and cannot fail for want of room.
    var isFile: Bool { temporary != nil }
  }

  /// Writes a file under another name in the folder of a path; several can be tried before the
  /// first one is put in its place.
  static func stage(_ bytes: [UInt8], for path: String) throws(SystemProblem) -> Staged {
    if path.isEmpty || path.utf8.contains(0) { throw SystemProblem("is not a name for a file") }
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR { throw SystemProblem("is a folder") }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      return Staged(target: path, temporary: nil, bytes: bytes)
    }
    let target = try target(of: path)
    let folder = Path.folder(of: target)
    switch kind(of: folder) {
    case .folder: break
    case .file, .other: throw SystemProblem("cannot be written: '\(folder)' is not a folder")
    case nil: throw SystemProblem("cannot be written: the folder '\(folder)' does not exist")
    }
    let file = try TemporaryFile(in: folder)
    try file.write(bytes)
    try file.finish(mode: exists ? status.st_mode & 0o777 : nil)
    return Staged(target: target, temporary: file)
  }

  /// Puts what is ready in its place.
  static func put(_ staged: Staged) throws(SystemProblem) {
    guard let temporary = staged.temporary else {
      return try store(staged.bytes, into: staged.target, flags: O_WRONLY | O_NONBLOCK)
    }
    try temporary.put(at: staged.target)
  }

  /// Whether a path is a symbolic link, wherever it leads.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Makes a file that was not there, with pieces at their places and zeros between them.
  static func create(
    _ path: String, _ pieces: [(offset: Int64, bytes: [UInt8])], size: Int64
  ) throws(SystemProblem) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if file < 0 { throw SystemProblem(doing: "written", errno) }
    do throws(SystemProblem) {
      if ftruncate(file, off_t(size)) != 0 { throw SystemProblem(doing: "written", errno) }
      for (offset, bytes) in pieces {
        if lseek(file, off_t(offset), SEEK_SET) < 0 { throw SystemProblem(doing: "written", errno) }
        try write(bytes, into: file)
      }
    } catch {
      close(file)
      throw error
    }
    if close(file) != 0 { throw SystemProblem(doing: "written", errno) }
  }

  /// Returns whether there is nothing in a folder.
  static func isEmpty(_ folder: String) throws(SystemProblem) -> Bool {
    try siblings(folder).allSatisfy { $0 == "." || $0 == ".." }
  }

  /// Removes a file.
  static func remove(_ path: String) throws(SystemProblem) {
    if unlink(path) != 0 { throw SystemProblem(doing: "removed", errno) }
  }

  /// Makes a folder, unless it is there.
  static func makeFolder(_ path: String) throws(SystemProblem) {
    if path.isEmpty || path.utf8.contains(0) { throw SystemProblem("is not a name for a folder") }
    switch kind(of: path) {
    case .folder: return
    case .file, .other: throw SystemProblem("is not a folder")
    case nil: if mkdir(path, 0o777) != 0 { throw SystemProblem(doing: "made", errno) }
    }
  }

  /// Makes a folder and those that it lies in, unless they are there; others may make them too.
  static func makeFolders(_ path: String) throws(SystemProblem) {
    if kind(of: path) == .folder { return }
    let parent = Path.folder(of: path)
    // What no system takes for a path is not worth going up in.
    if parent != path, path.utf8.count < 4_096, kind(of: parent) == nil { try makeFolders(parent) }
    do throws(SystemProblem) {
      try makeFolder(path)
    } catch {
      if kind(of: path) != .folder { throw error }
    }
  }

  /// Adds to the end of a file, which is made if it does not exist.
  static func append(_ bytes: [UInt8], to path: String) throws(SystemProblem) {
    try store(bytes, into: path, flags: O_WRONLY | O_CREAT | O_APPEND)
  }

  /// Writes into one file as it is.
  private static func store(
    _ bytes: [UInt8], into path: String, flags: Int32
  ) throws(SystemProblem) {
    let file = open(path, flags | O_CLOEXEC, 0o666)
    if file < 0 { throw SystemProblem(doing: "written", errno) }
    if flags & O_NONBLOCK != 0 { _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK) }
    do throws(SystemProblem) {
      try write(bytes, into: file)
      try synchronize(file)
    } catch {
      close(file)
      throw error
    }
    if close(file) != 0 { throw SystemProblem(doing: "written", errno) }
  }

  /// Writes all of some bytes into an open file.
  static func write(_ bytes: [UInt8], into file: Int32) throws(SystemProblem) {
    var code: Int32 = 0
    bytes.withUnsafeBytes { buffer in
      var start = 0
      while code == 0, start < buffer.count, let base = buffer.baseAddress {
        let count = systemWrite(file, base + start, buffer.count - start)
        if count >= 0 { start += count } else if errno != EINTR { code = errno }
      }
    }
    if code != 0 { throw SystemProblem(doing: "written", code) }
  }

  /// Makes last what was written into an open file; pipes and devices cannot be made to.
  static func synchronize(_ file: Int32) throws(SystemProblem) {
    if fsync(file) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP {
      throw SystemProblem(doing: "written", errno)
    }
  }

  /// Makes the names in the folder of a file last, where that can be done.
  static func synchronizeFolder(of path: String) {
    let folder = open(Path.folder(of: path), O_RDONLY | O_CLOEXEC)
    if folder < 0 { return }
    _ = fsync(folder)
    close(folder)
  }
}
