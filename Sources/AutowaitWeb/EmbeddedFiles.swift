import AutowaitScenario

/// Files that a host holds instead of a file system: a page, or a runtime without folders.
///
/// A scenario names files that the host may not know of. Those that are asked for and are not here
/// are remembered, so that the host can bring them and run the scenario again.
package struct EmbeddedFiles {
  private final class Missing {
    var paths: [String] = []
  }

  private var files: [String: [UInt8]] = [:]
  private let wanted = Missing()

  /// Creates a table without files.
  package init() {}

  /// The paths that were asked for and are not here, in the order in which they were asked for.
  package var missing: [String] { wanted.paths }

  /// Puts a file at a path, in place of the one that may be there.
  package mutating func put(_ bytes: [UInt8], at path: String) {
    let place = Path.normalized(path)
    files[place] = bytes
    wanted.paths.removeAll { $0 == place }
  }

  /// Returns the bytes of a file.
  func bytes(at path: String) -> [UInt8]? { files[Path.normalized(path)] }

  /// A loader of these files; as on disk, a path begins where the file lies that names it.
  var loader: FileLoader {
    FileLoader { [files, wanted] path, base in
      let place = Path.normalized(Path.join(Path.folder(of: base), path))
      if Path.isAbsolute(path) {
        return .failure(FileLoader.FileProblem("must be a path relative to the scenario"))
      }
      if let bytes = files[place] { return .success(SourceText(path: place, bytes: bytes)) }
      if !wanted.paths.contains(place) { wanted.paths.append(place) }
      return .failure(FileLoader.FileProblem("does not exist"))
    }
  }
}
