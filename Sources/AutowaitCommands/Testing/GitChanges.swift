import AutowaitFiles
import AutowaitScenario

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Which files git says have changed.
enum GitChanges {
  /// Returns the real paths of files that differ from a commit, or from the last one that it and
  /// the present one have in common; new files count, unless they are ignored.
  static func files(
    since reference: String, around paths: [String]
  ) throws(Command.UsageError) -> PathList {
    if reference.isEmpty || reference.utf8.first == UInt8(ascii: "-") {
      throw Command.UsageError(message: "'\(reference)' is not a name of a commit")
    }
    var roots: [String] = []
    for path in paths {
      let folder = Files.kind(of: path) == .folder ? path : Path.folder(of: path)
      let root = try lines("-C", folder, "rev-parse", "--show-toplevel", ends: 0x0A).first
      if let root, !roots.contains(root) { roots.append(root) }
    }
    var changed: [String] = []
    for root in roots {
      let commit = "\(reference)^{commit}"
      let known = try lines("-C", root, "rev-parse", "--verify", "--quiet", commit, ends: 0x0A)
      guard let known = known.first else {
        throw Command.UsageError(
          message: "git knows no commit '\(reference)' in '\(root)'",
          notes: ["a server may have to fetch it first, as with 'fetch-depth: 0'"])
      }
      let base = (try? lines("-C", root, "merge-base", known, "HEAD", ends: 0x0A).first) ?? known
      let differing = try lines(
        "-C", root, "diff", "--no-ext-diff", "--no-textconv", "--no-renames", "--name-only", "-z",
        base, "--", ends: 0)
      let new = try lines(
        "-C", root, "ls-files", "--others", "--exclude-standard", "-z", ends: 0)
      changed += (differing + new).map { Path.join(root, $0) }
    }
    return PathList(changed.map { Files.place(of: $0) ?? $0 })
  }

  /// Calls git and returns what it prints, cut at a byte; nothing of a repository is run.
  private static func lines(
    _ words: String..., ends end: UInt8
  ) throws(Command.UsageError) -> [String] {
    let words = ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"] + words
    // In quotes that any shell knows.
    let call = words.map { word in
      let parts = word.split(separator: "'", omittingEmptySubsequences: false)
      return "'" + parts.joined(separator: "'\\''") + "'"
    }.joined(separator: " ")
    guard let pipe = popen(call, "r") else {
      throw Command.UsageError(
        message: "git cannot be started: \(String(cString: strerror(errno)))")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    let status = pclose(pipe)
    let isQuiet = words.contains("--quiet") && status >> 8 & 0xFF == 1
    if status != 0, !isQuiet {
      throw Command.UsageError(
        message: "git could not say what has changed",
        notes: ["'--changed' needs git, and scenarios in a repository of it"])
    }
    return bytes.split(separator: end).map { String(decoding: $0, as: UTF8.self) }
  }
}
