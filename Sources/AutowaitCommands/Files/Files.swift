import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reads and lists files.
package enum Files {
  /// Why something could not be done with a file, as the end of a sentence that names it.
  package struct SystemProblem: Error, Hashable {
    /// The reason, in lower case and without a full stop.
    package let reason: String

    init(_ reason: String) {
      self.reason = reason
    }

    /// Describes the error that the system gave last.
    init(doing what: String, _ code: Int32) {
      switch code {
      case ENOENT, ENOTDIR:
        // What is written need not exist; then something else is missing.
        reason =
          what == "written"
          ? "cannot be written: \(String(cString: strerror(code)))" : "does not exist"
      case EISDIR: reason = "is a folder"
      default: reason = "cannot be \(what): \(String(cString: strerror(code)))"
      }
    }
  }

  /// What a path names.
  enum Kind {
    case file, folder, other
  }

  /// The largest file that is read.
  package static let bytesMax = JSONDocument.bytesMax

  /// Reads a whole file; one that never ends is given up at the limit.
  package static func read(
    _ path: String, bytesMax: Int = Files.bytesMax
  ) throws(SystemProblem) -> [UInt8] {
    if path.utf8.contains(0) { throw SystemProblem("does not exist") }
    // Not to wait for somebody to write to a pipe that nobody has opened.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    if file < 0 { throw SystemProblem(doing: "read", errno) }
    defer { close(file) }
    var status = stat()
    if fstat(file, &status) != 0 { throw SystemProblem(doing: "read", errno) }
    let tooLarge = SystemProblem("is larger than \(bytesMax >> 20 + 1) MiB")
    switch status.st_mode & S_IFMT {
    case S_IFDIR: throw SystemProblem("is a folder")
    case S_IFREG: if Int(status.st_size) > bytesMax { throw tooLarge }
    case S_IFIFO, S_IFSOCK: break
    default: if isatty(file) != 1 { throw SystemProblem("is a device, not a file") }
    }
    _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK)
    var bytes: [UInt8] = []
    var room = max(Int(status.st_size) + 1, 1 << 16)
    while true {
      var code: Int32 = 0
      let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        repeat {
          let got = Self.read(file, buffer, from: count)
          if got < 0 { code = errno }
          if got <= 0 { return }
          count += got
        } while count < buffer.count
      }
      if code != 0 { throw SystemProblem(doing: "read", code) }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      if bytes.count > bytesMax { throw tooLarge }
      if part.count < room { return bytes }
      room = max(1 << 16, bytes.count / 2)
    }
  }

  private static func read(
    _ file: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>, from start: Int
  ) -> Int {
    while true {
      let count = buffer.count - start
      let got = buffer.baseAddress.map { systemRead(file, $0 + start, count) } ?? 0
      if got >= 0 || errno != EINTR { return got }
    }
  }

  /// Returns what a path names, or nil if nothing.
  static func kind(of path: String) -> Kind? {
    var status = stat()
    if path.utf8.contains(0) || stat(path, &status) != 0 { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Returns the size of a file without reading it.
  static func size(of path: String) throws(SystemProblem) -> Int64 {
    var status = stat()
    if path.utf8.contains(0) { throw SystemProblem("does not exist") }
    if stat(path, &status) != 0 { throw SystemProblem(doing: "read", errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Int64(status.st_size)
    case S_IFDIR: throw SystemProblem("is a folder")
    default: throw SystemProblem("is no file")
    }
  }

  /// Returns whether two paths name one file, or would if there were one.
  static func areSame(_ left: String, _ right: String) -> Bool {
    switch kind(of: left) {
    case .file: areEqual(realPath(left), realPath(right))
    case .folder, .other: false
    case nil: kind(of: right) == nil && areEqual(place(of: left), place(of: right))
    }
  }

  /// By bytes: two names that Unicode calls equivalent are two files.
  private static func areEqual(_ left: String?, _ right: String?) -> Bool {
    left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
  }

  /// Returns a path whose folder is without symbolic links, if there is such a folder.
  static func place(of path: String) -> String? {
    realPath(Path.folder(of: path)).map { Path.join($0, Path.name(of: path)) }
  }

  /// Returns a path without symbolic links, if it names something.
  static func realPath(_ path: String) -> String? {
    if path.utf8.contains(0) { return nil }
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the paths of all files below a folder, ordered by their bytes.
  ///
  /// Names that begin with a dot are left out, and folders behind symbolic links are not entered:
  /// they may lead around in a circle.
  package static func list(_ folder: String) throws(SystemProblem) -> [String] {
    var found: [String] = []
    var folders = [folder]
    while let part = folders.popLast() {
      let names = part == folder ? try names(in: part) : try namesBelow(part)
      for name in names where name.utf8.first != UInt8(ascii: ".") {
        let path = Path.join(part, name)
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append(path)
        case S_IFREG: found.append(path)
        case S_IFLNK: if kind(of: path) == .file { found.append(path) }
        default: break
        }
      }
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func namesBelow(_ folder: String) throws(SystemProblem) -> [String] {
    do throws(SystemProblem) {
      return try names(in: folder)
    } catch {
      throw SystemProblem("has a part that cannot be used: '\(folder)' \(error.reason)")
    }
  }

  /// Returns the names in a folder, ordered by their bytes.
  static func siblings(_ folder: String) throws(SystemProblem) -> [String] {
    try names(in: folder).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func names(in folder: String) throws(SystemProblem) -> [String] {
    guard let directory = opendir(folder) else { throw SystemProblem(doing: "listed", errno) }
    defer { closedir(directory) }
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
      preconditionFailure("an entry of a folder has no name")
    }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      names.append(String(cString: name))
    }
    return names
  }
}
