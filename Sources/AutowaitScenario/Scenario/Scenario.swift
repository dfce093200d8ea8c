import Autowait

/// A scenario as it was read: a world, what is expected of it, and the names people gave things.
public struct Scenario: Sendable {
  /// The version of the scenario file's format.
  public static let formatVersion: Int64 = 1

  /// The path of the file as the user wrote it.
  public var path: String
  /// What the scenario is called; its path if it has no name.
  public var name: String
  /// What the scenario shows.
  public var about: String
  /// The world that is run.
  public var world: World
  /// What of the world was drawn from its seed; nil if nothing was.
  public var drawing: WorldDraws?
  /// What is expected of the run.
  public var expectations: [Expectation]
  /// The names of the players, by number.
  public var playerNames: [String]
  /// The names of the link's conditions, by number.
  public var linkNames: [String]
  /// What the rates of the link's conditions were measured as, by number; nil if they do not say.
  public var traceKinds: [TraceKind?]
  /// The hosts that have links of their own; the first that matches counts.
  public var hosts: [HostLink]
  /// What the parts of streams are called, by player and item; nil for files.
  public var streamNames: [[StreamNames?]]
  /// The hosts that have media and keys, by player and item.
  public var hostNames: [[HostNames]]
  /// What the steps of the script do, in a word each.
  public var stepNames: [String]
  /// The programs that answer for the players' rules, by player; nil for rules that are built in.
  public var programs: [ExternalProgram?]
  /// The scenario with all that it includes, as one line of JSON.
  public var resolved: [UInt8]

  /// The files that are too large to be part of it, by their path from the scenario, with digests.
  public var inputs: [InputFile]

  /// The digest of the resolved scenario.
  public var digest: UInt64 {
    var fingerprint = Fingerprint()
    fingerprint.mix(bytes: resolved)
    return fingerprint.value
  }
}

/// The hosts of an item, as far as they have names.
public struct HostNames: Hashable, Sendable {
  /// The host that has the media.
  public let media: String?
  /// The host that has the keys, which may be the same one.
  public let keys: String?
}

/// A file that a scenario names and that is too large to be embedded in logs.
public struct InputFile: Hashable, Sendable {
  /// The path as the scenario spells it.
  public let path: String
  /// The digest of its bytes.
  public let digest: UInt64
}

/// Finds and reads the files that a scenario names.
public struct FileLoader {
  /// Why a file could not be read, as the end of a sentence that begins with its path.
  public struct FileProblem: Error, Hashable, Sendable {
    /// The reason, in lower case and without a full stop.
    public let reason: String

    /// Creates a problem.
    public init(_ reason: String) {
      self.reason = reason
    }
  }

  /// Reads the file at a path relative to the folder of another file.
  public let load: (_ path: String, _ base: String) -> Result<SourceText, FileProblem>

  /// Opens the file at such a path, to be read as far as it is needed.
  public let open: (_ path: String, _ base: String) -> Result<ByteSource, FileProblem>

  /// Returns the size of the file at such a path.
  public let size: (_ path: String, _ base: String) -> Result<ByteCount, FileProblem>

  /// Whether traces are read to their ends, for sessions that know no end of a run.
  public var readsWholeTraces = false

  /// Creates a loader from a function, and perhaps others that open files without reading them, and
  /// that only measure them.
  public init(
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
  public static var none: FileLoader {
    FileLoader { _, _ in .failure(FileProblem("there are no files here")) }
  }
}
