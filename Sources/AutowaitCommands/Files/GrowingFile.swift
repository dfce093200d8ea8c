#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that grows beside its place and is put there when it is whole, so that nobody ever sees a
/// part of it there.
///
/// What a killed process leaves behind has another name; whoever puts the file in its place at last
/// removes that too.
final class GrowingFile {
  /// So many bytes are kept before they are written.
  private static let bufferedMax = 1 << 18

  private let target: String
  private let temporary: String
  private var descriptor: Int32
  private var buffer: [UInt8] = []

  /// Begins the file that is to be at a path.
  init(for path: String) throws(Files.Problem) {
    if path.isEmpty || path.utf8.contains(0) { throw Files.Problem("is no name for a file") }
    switch Files.kind(of: path) {
    case .folder: throw Files.Problem("is a folder")
    case .other: throw Files.Problem("is no file")
    case .file, nil: break
    }
    target = path
    var number = 0
    repeat {
      let name = Self.temporaryStart(of: path) + "\(getpid())-\(number)" + Self.temporaryEnd
      let place = Path.join(Path.folder(of: path), name)
      descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 || errno != EEXIST {
        temporary = place
        if descriptor < 0 { throw Files.Problem(doing: "written", errno) }
        return
      }
      number += 1
    } while true
  }

  deinit {
    if descriptor < 0 { return }
    close(descriptor)
    unlink(temporary)
  }

  /// Writes at the end.
  func write(_ bytes: [UInt8]) throws(Files.Problem) {
    buffer += bytes
    if buffer.count >= Self.bufferedMax { try flush() }
  }

  /// Makes what was written last, and puts the file in its place.
  func finish() throws(Files.Problem) {
    try flush()
    // Not all that can be written to can be made to last.
    if fsync(descriptor) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP {
      throw Files.Problem(doing: "written", errno)
    }
    if rename(temporary, target) != 0 { throw Files.Problem(doing: "written", errno) }
    close(descriptor)
    descriptor = -1
    settle()
  }

  private func flush() throws(Files.Problem) {
    var code: Int32 = 0
    buffer.withUnsafeBytes { all in
      var start = 0
      while code == 0, start < all.count, let base = all.baseAddress {
        let count = systemWrite(descriptor, base + start, all.count - start)
        if count >= 0 { start += count } else if errno != EINTR { code = errno }
      }
    }
    buffer.removeAll(keepingCapacity: true)
    if code != 0 { throw Files.Problem(doing: "written", code) }
  }

  /// Makes the new name last, and removes what killed processes left of the same file.
  ///
  /// One that still runs loses its part, and finds the whole in its place.
  private func settle() {
    let folder = Path.folder(of: target)
    let directory = open(folder, O_RDONLY | O_CLOEXEC)
    if directory >= 0 {
      _ = fsync(directory)
      close(directory)
    }
    guard let names = try? Files.siblings(folder) else { return }
    let start = Self.temporaryStart(of: target)
    for name in names where name.hasPrefix(start) && name.hasSuffix(Self.temporaryEnd) {
      unlink(Path.join(folder, name))
    }
  }

  private static let temporaryEnd = ".tmp"

  private static func temporaryStart(of path: String) -> String { ".\(Path.name(of: path))." }
}
