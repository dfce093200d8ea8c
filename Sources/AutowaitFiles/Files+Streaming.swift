import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reading files piece by piece.
extension Files {
  /// The bytes that are read at a time.
  private static let pieceBytes = 1 << 18

  /// A file that is open for reading; it is closed with the last reference to it.
  package final class OpenFile {
    private let descriptor: Int32
    /// The bytes of the file when it was opened; 0 of what is none, such as a pipe.
    let size: Int

    init(_ path: String) throws(SystemProblem) {
      if path.utf8.contains(0) { throw .doesNotExist }
      // Not to wait for somebody to write to a pipe that nobody has opened.
      descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      if descriptor < 0 { throw Files.problem(opening: path, errno) }
      var status = stat()
      if fstat(descriptor, &status) != 0 { throw SystemProblem(doing: "read", errno) }
      size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
      switch status.st_mode & S_IFMT {
      case S_IFDIR: throw SystemProblem("is a folder")
      case S_IFREG, S_IFIFO, S_IFSOCK: break
      default: if isatty(descriptor) != 1 { throw SystemProblem("is a device, not a file") }
      }
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// Returns the next bytes; none at the end.
    func next() throws(SystemProblem) -> [UInt8] {
      var code: Int32 = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: pieceBytes) { buffer, count in
        guard let base = buffer.baseAddress else { return }
        var got = -1
        repeat { got = systemRead(descriptor, base, buffer.count) } while got < 0 && errno == EINTR
        if got < 0 { code = errno }
        count = max(got, 0)
      }
      if code != 0 { throw SystemProblem(doing: "read", code) }
      return bytes
    }
  }

  /// Opens a file to be read as far as it is needed; tells how many bytes were read so far.
  package static func stream(
    _ path: String, shownAs shown: String? = nil, onRead: ((Int) -> Void)? = nil
  ) throws(SystemProblem) -> ByteSource {
    let next = try pieces(path)
    var total = 0
    return ByteSource(path: shown ?? path) {
      do throws(SystemProblem) {
        let bytes = try next()
        total += bytes.count
        onRead?(total)
        return .success(bytes)
      } catch {
        return .failure(FileLoader.FileProblem(error.reason))
      }
    }
  }

  /// Opens a file; returns a function that reads its next bytes, and none at the end.
  package static func pieces(
    _ path: String
  ) throws(SystemProblem) -> () throws(SystemProblem) -> [UInt8] {
    let file = try OpenFile(path)
    return { () throws(SystemProblem) in try file.next() }
  }
}
