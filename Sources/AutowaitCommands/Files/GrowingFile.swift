import AutowaitFiles
import AutowaitScenario

/// A file that grows beside its place and is put there when it is whole, so that nobody ever sees a
/// part of it there.
final class GrowingFile {
  /// So many bytes are kept before they are written.
  private static let bufferedMax = 1 << 18

  private let target: String
  private let file: TemporaryFile
  private var buffer: [UInt8] = []

  /// Begins the file that is to be at a path.
  init(for path: String) throws(Files.SystemProblem) {
    if path.isEmpty || path.utf8.contains(0) {
      throw Files.SystemProblem("is not a name for a file")
    }
    switch Files.kind(of: path) {
    case .folder: throw Files.SystemProblem("is a folder")
    case .other: throw Files.SystemProblem("is not a file")
    case .file, nil: break
    }
    target = try Files.target(of: path)
    file = try TemporaryFile(in: Path.folder(of: target))
  }

  /// Writes at the end.
  func write(_ bytes: [UInt8]) throws(Files.SystemProblem) {
    buffer += bytes
    if buffer.count >= Self.bufferedMax { try flush() }
  }

  /// Makes what was written last, and puts the file in its place.
  func finish() throws(Files.SystemProblem) {
    try flush()
    try file.finish()
    try file.put(at: target)
    Files.synchronizeFolder(of: target)
  }

  private func flush() throws(Files.SystemProblem) {
    try file.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
