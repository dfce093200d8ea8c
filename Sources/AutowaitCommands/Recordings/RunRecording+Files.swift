import Autowait
import AutowaitFiles
import AutowaitScenario

/// The files of a recording: for a scenario that is read out of it, and on disk.
extension RunRecording {
  /// So many zeros are given at a time for what was passed over.
  private static let pieceBytes = 1 << 16

  /// A loader that finds the files of the recording, and no others.
  var loader: FileLoader {
    var table: [[UInt8]: File] = [:]
    for file in files { table[Array(file.name.utf8)] = file }
    func found<Value>(
      _ path: String, _ base: String, _ read: (File) -> Result<Value, Files.SystemProblem>
    ) -> Result<Value, Files.SystemProblem> {
      if Path.isAbsolute(path) { return .failure(.isAbsolute) }
      let name = Path.normalized(Path.join(Path.folder(of: base), path))
      guard let file = table[Array(name.utf8)] else { return .failure(.doesNotExist) }
      return read(file)
    }
    return FileLoader(
      open: { path, base in found(path, base) { .success(Self.stream($0)) } },
      size: { path, base in
        found(path, base) { file in
          guard let size = file.size else { return .failure(Self.isCut(file)) }
          return .success(ByteCount(bytes: size))
        }
      },
      { path, base in
        found(path, base) { file in
          guard let content = file.content else { return .failure(Self.isCut(file)) }
          return .success(SourceText(path: file.name, bytes: content))
        }
      })
  }

  private static func isCut(_ file: File) -> Files.SystemProblem {
    Files.SystemProblem(
      "was recorded only up to its byte \(file.pieces.last?.end ?? 0), which were all that was "
        + "needed")
  }

  /// Opens a file; what was passed over when it was recorded reads as zeros.
  private static func stream(_ file: File) -> ByteSource {
    var (offset, next) = (Int64(0), 0)
    return ByteSource(path: file.name) {
      if next < file.pieces.count, file.pieces[next].offset == offset {
        let piece = file.pieces[next]
        (offset, next) = (piece.end, next + 1)
        return .success(piece.bytes)
      }
      guard let end = next < file.pieces.count ? file.pieces[next].offset : file.size else {
        return .failure(isCut(file))
      }
      let count = min(Int64(pieceBytes), end - offset)
      offset += count
      return .success(Array(repeating: 0, count: Int(count)))
    }
  }

  /// Writes all files into a folder that does not exist yet or is empty; returns their paths, or
  /// says why it cannot.
  ///
  /// Nothing outside of the folder can be written: the names lead nowhere else, and there are no
  /// links in an empty folder.
  func extract(to folder: String) -> Result<[String], Finding> {
    func problem(_ message: String, _ path: String, notes: [String] = []) -> Finding {
      Finding(.error, message, path: path, notes: notes)
    }
    var place = folder
    return Result { () throws(Finding) in
      do throws(Files.SystemProblem) {
        if Files.kind(of: folder) == .folder, !(try Files.isEmpty(folder)) {
          throw Files.SystemProblem("is not empty, and nothing there may be replaced")
        }
        try Files.makeFolders(folder)
        var paths: [String] = []
        for file in files {
          place = Path.join(folder, file.name)
          try Files.makeFolders(Path.folder(of: place))
          try Files.create(
            place, file.pieces.map { ($0.offset, $0.bytes) },
            size: file.size ?? file.pieces.last?.end ?? 0)
          paths.append(place)
        }
        return paths
      } catch {
        let what = place == folder ? "the folder" : "the file"
        throw problem("\(what) \(error.reason)", place)
      }
    }
  }
}
