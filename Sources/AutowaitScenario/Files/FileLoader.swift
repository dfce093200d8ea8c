import Autowait

/// Finds and reads the files that a scenario names.
package struct FileLoader {
  /// Why a file could not be read, as the end of a sentence that begins with its path.
  package struct FileProblem: Error, Hashable, Sendable {
    /// The reason, in lower case and without a full stop.
    package let reason: String

    /// Creates a problem.
    package init(_ reason: String) {
      self.reason = reason
    }

    /// There is no such file.
    package static let doesNotExist = FileProblem("does not exist")
    /// A scenario would mean another file elsewhere.
    package static let isAbsolute = FileProblem("must be a path relative to the scenario")
  }

  /// Reads the file at a path relative to the folder of another file.
  package let load: (_ path: String, _ base: String) -> Result<SourceText, FileProblem>

  /// Opens the file at such a path, to be read as far as it is needed.
  package let open: (_ path: String, _ base: String) -> Result<ByteSource, FileProblem>

  /// Returns the size of the file at such a path.
  package let size: (_ path: String, _ base: String) -> Result<ByteCount, FileProblem>

  /// Whether traces are read to their ends, for sessions that know no end of a run.
  package var readsWholeTraces = false

  /// Takes what was understood of each trace that is read; nil where nobody wants to know.
  package var onTrace: ((TraceSummary) -> Void)?

  /// Creates a loader from a function, and perhaps others that open files without reading them, and
  /// that only measure them.
  package init(
    open: ((_ path: String, _ base: String) -> Result<ByteSource, FileProblem>)? = nil,
    size: ((_ path: String, _ base: String) -> Result<ByteCount, FileProblem>)? = nil,
    _ load: @escaping (_ path: String, _ base: String) -> Result<SourceText, FileProblem>
  ) {
    self.load = load
    self.size =
      size ?? { path, base in load(path, base).map { ByteCount(bytes: Int64($0.bytes.count)) } }
    self.open = open ?? { path, base in load(path, base).map { ByteSource($0) } }
  }

  /// A loader for scenarios that may name no files.
  package static var none: FileLoader {
    FileLoader { _, _ in .failure(FileProblem("cannot be read here: there are no files")) }
  }
}

/// A file that a scenario names and that is too large to be embedded in logs.
package struct InputFile: Hashable, Sendable {
  /// The path as the scenario spells it.
  package let path: String
  /// The digest of its bytes.
  package let digest: UInt64
}
