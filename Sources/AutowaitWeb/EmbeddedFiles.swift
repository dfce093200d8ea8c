import AutowaitScenario

/// Files that a host holds instead of a file system: a page, or a runtime without folders.
///
/// A scenario names files that the host may not know of. A run tells which of them were asked for
/// and are not here, so that the host can bring them and run the scenario again.
package struct EmbeddedFiles {
  private var files: [String: [UInt8]] = [:]

  /// Creates a table without files.
  package init() {}

  /// Puts a file at a path, in place of the one that may be there.
  package mutating func put(_ bytes: [UInt8], at path: String) {
    files[Path.normalized(path)] = bytes
  }

  /// Forgets all files.
  package mutating func removeAll() { files = [:] }

  /// Returns the bytes of a file.
  func bytes(at path: String) -> [UInt8]? { files[Path.normalized(path)] }

  /// A loader of these files; as on disk, a path begins where the file lies that names it.
  func loader(onMissing: @escaping (String) -> Void) -> FileLoader {
    FileLoader { path, base in
      if Path.isAbsolute(path) { return .failure(.isAbsolute) }
      let place = Path.normalized(Path.join(Path.folder(of: base), path))
      if let bytes = files[place] { return .success(SourceText(path: place, bytes: bytes)) }
      onMissing(place)
      return .failure(.doesNotExist)
    }
  }
}
