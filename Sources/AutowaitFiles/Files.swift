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
  package typealias SystemProblem = FileLoader.FileProblem

  /// The reason why a file cannot be opened for reading.
  package static func problem(opening path: String, _ code: Int32) -> SystemProblem {
    guard code == ENOENT, let target = try? target(of: path), target != path else {
      return SystemProblem(doing: "read", code)
    }
    return SystemProblem("is a link that leads nowhere: there is no '\(target)'")
  }

  /// What a path names.
  package enum Kind {
    case file, folder, other
  }

  /// The largest file that is read.
  package static let bytesMax = JSONDocument.bytesMax

  /// Reads a whole file; one that never ends is given up at the limit.
  package static func read(
    _ path: String, bytesMax: Int = Files.bytesMax
  ) throws(SystemProblem) -> [UInt8] {
    let file = try OpenFile(path)
    let tooLarge = SystemProblem("is larger than \(bytesMax >> 20 + 1) MiB")
    if file.size > bytesMax { throw tooLarge }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(file.size)
    while true {
      let piece = try file.next()
      if piece.isEmpty { return bytes }
      bytes += piece
      if bytes.count > bytesMax { throw tooLarge }
    }
  }

  /// Returns what a path names, or nil if nothing.
  package static func kind(of path: String) -> Kind? {
    var status = stat()
    if path.utf8.contains(0) || stat(path, &status) != 0 { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Returns what changes when a file is written or replaced; nil if there is none.
  package static func stamp(of path: String) -> String? {
    var status = stat()
    if path.utf8.contains(0) || stat(path, &status) != 0 { return nil }
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    return "\(status.st_ino) \(status.st_size) \(time.tv_sec) \(time.tv_nsec)"
  }

  /// Returns the size of a file without reading it.
  package static func size(of path: String) throws(SystemProblem) -> Int64 {
    var status = stat()
    if path.utf8.contains(0) { throw .doesNotExist }
    if stat(path, &status) != 0 { throw SystemProblem(doing: "read", errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Int64(status.st_size)
    case S_IFDIR: throw SystemProblem("is a folder")
    default: throw SystemProblem("is not a file")
    }
  }

  /// Returns whether two paths name one file, or would if there were one.
  package static func areSame(_ left: String, _ right: String) -> Bool {
    for path in [left, right] {
      if let kind = kind(of: path), kind != .file { return false }
    }
    guard let one = place(of: left), let other = place(of: right) else { return false }
    // By bytes: two names that Unicode calls equivalent are two files.
    return Array(one.utf8) == Array(other.utf8)
  }

  /// Returns the path of a file, or of one that is to be, without symbolic links; nil if its folder
  /// does not exist.
  package static func place(of path: String) -> String? {
    guard let target = try? target(of: path) else { return nil }
    return realPath(Path.folder(of: target)).map { Path.join($0, Path.name(of: target)) }
  }

  /// Returns the path of the file that a path leads to through symbolic links, whether there is
  /// such a file or not: a path that is no link is returned as it is.
  package static func target(of path: String) throws(SystemProblem) -> String {
    var place = path
    for _ in 0..<linksMax {
      guard let next = try link(at: place) else { return place }
      place = Path.join(Path.folder(of: place), next)
    }
    throw SystemProblem(doing: "written", ELOOP)
  }

  /// As many links as Linux follows for one path.
  private static let linksMax = 40
  /// The longest path on Linux, with the zero at its end.
  private static let pathBytesMax = 4_096

  /// Returns what a symbolic link says; nil if the path is no link.
  private static func link(at path: String) throws(SystemProblem) -> String? {
    if path.utf8.contains(0) { return nil }
    var count = -1
    let bytes = [UInt8](unsafeUninitializedCapacity: pathBytesMax) { buffer, filled in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let base = characters.baseAddress else { return }
        count = readlink(path, base, characters.count)
      }
      filled = max(count, 0)
    }
    if count < 0 { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw SystemProblem("is a link to \(Path.quoted(bytes)), which is not UTF-8")
    }
    return text
  }

  /// Returns a path without symbolic links, if it names something.
  package static func realPath(_ path: String) -> String? {
    if path.utf8.contains(0) { return nil }
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the paths of all files below a folder, ordered by their bytes.
  ///
  /// Names that begin with a dot are left out, and folders behind symbolic links are not entered:
  /// they may lead around in a circle. Files that are not wanted are left out too. A file that is
  /// wanted, or a folder, with a name that is not UTF-8 is an error, since it would be passed over.
  package static func list(
    _ folder: String, _ isWanted: (_ path: String) -> Bool = { _ in true }
  ) throws(SystemProblem) -> [String] {
    var found: [String] = []
    var unnamed: [[UInt8]] = []
    var folders = [folder]
    while let part = folders.popLast() {
      let entries = part == folder ? try entries(of: part) : try entriesBelow(part)
      for entry in entries.unnamed {
        let path = Array(Path.join(part, "").utf8) + entry.name
        let isMissed = entry.isFolder || isWanted(String(decoding: path, as: UTF8.self))
        if isMissed { unnamed.append(path) }
      }
      for name in entries.names where name.utf8.first != UInt8(ascii: ".") {
        let path = Path.join(part, name)
        var status = stat()
        guard lstat(path, &status) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append(path)
        case S_IFREG: if isWanted(path) { found.append(path) }
        case S_IFLNK: if isWanted(path), kind(of: path) == .file { found.append(path) }
        default: break
        }
      }
    }
    if let first = unnamed.min(by: { $0.lexicographicallyPrecedes($1) }) {
      let count = unnamed.count == 1 ? "1 name that is" : "\(unnamed.count) names that are"
      throw SystemProblem("holds \(count) not UTF-8, such as \(Path.quoted(first))")
    }
    return found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func entriesBelow(_ folder: String) throws(SystemProblem) -> Entries {
    do throws(SystemProblem) {
      return try entries(of: folder)
    } catch {
      throw SystemProblem("has a part that cannot be used: '\(folder)' \(error.reason)")
    }
  }

  /// Returns the names in a folder that are UTF-8, ordered by their bytes.
  package static func siblings(_ folder: String) throws(SystemProblem) -> [String] {
    try entries(of: folder).names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// What lies in a folder.
  private struct Entries {
    var names: [String] = []
    /// The names that are not UTF-8 and do not begin with a dot.
    var unnamed: [(name: [UInt8], isFolder: Bool)] = []
  }

  private static func entries(of folder: String) throws(SystemProblem) -> Entries {
    guard let directory = opendir(folder) else { throw SystemProblem(doing: "listed", errno) }
    defer { closedir(directory) }
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
      preconditionFailure("an entry of a folder has no name")
    }
    var entries = Entries()
    while let entry = readdir(directory) {
      let name = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      if let text = String(validatingCString: name) {
        entries.names.append(text)
        continue
      }
      let bytes = (0..<strlen(name)).map { UInt8(bitPattern: name[$0]) }
      if bytes.first == UInt8(ascii: ".") { continue }
      var status = stat()
      let isThere = fstatat(dirfd(directory), name, &status, AT_SYMLINK_NOFOLLOW) == 0
      entries.unnamed.append((bytes, isThere && status.st_mode & S_IFMT == S_IFDIR))
    }
    return entries
  }
}

extension Files.SystemProblem {
  /// Describes the error that the system gave last.
  package init(doing what: String, _ code: Int32) {
    // What is written need not exist; then something else is missing.
    let isSought = what != "written" && what != "made"
    switch code {
    case ENOENT where isSought, ENOTDIR where isSought: self = .doesNotExist
    case EISDIR: self.init("is a folder")
    default: self.init("cannot be \(what): \(String(cString: strerror(code)))")
    }
  }
}
