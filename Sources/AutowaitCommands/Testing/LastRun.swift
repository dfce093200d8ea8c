import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// Which scenarios failed when tests were last run in a folder.
///
/// It is kept where programs keep what can be made again, and never beside scenarios, which may lie
/// where nothing can be written, and where it would be in everybody's way.
struct LastRun {
  private static let formatVersion: Int64 = 1

  /// The file; nil where there is no folder for such files.
  let path: String?
  private let folder: String
  /// The real paths of the scenarios that failed, with their runs; nil if nothing is known.
  private(set) var failed: PathList?

  /// Reads what is known of the working folder.
  init(_ variable: (String) -> String?) {
    folder = Files.realPath(".") ?? "."
    var fingerprint = Fingerprint()
    fingerprint.mix(bytes: Array(folder.utf8))
    let name = "failed-\(LogRendering.hexadecimal(fingerprint.value)).json"
    path = Self.cache(variable).map { Path.join(Path.join($0, "autowait"), name) }
    guard let path, let bytes = try? Files.read(path) else { return }
    let root = Findings(SourceText(path: path, bytes: bytes)).parseJSON()
    guard let root, root.member("version")?.decimal == ExactDecimal(Self.formatVersion),
      root.member("folder")?.string == folder, let list = root.member("failed")
    else { return }
    failed = PathList(list.elements.compactMap { $0.string })
  }

  /// The folder for what can be made again; nil if there is none.
  private static func cache(_ variable: (String) -> String?) -> String? {
    if let folder = variable("XDG_CACHE_HOME"), Path.isAbsolute(folder) { return folder }
    if let home = variable("HOME"), Path.isAbsolute(home) {
      #if canImport(Darwin)
      return Path.join(home, "Library/Caches")
      #else
      return Path.join(home, ".cache")
      #endif
    }
    guard let folder = variable("TMPDIR"), Files.kind(of: folder) == .folder else { return nil }
    return folder
  }

  /// Takes note of what was tested now; of the others it is still known how they ended.
  func keep(_ reports: [TestReport], _ console: Console) {
    guard let path else { return }
    var tested: [String] = []
    var failing: [String] = []
    for report in reports where report.status != .skipped {
      let place = TestLabel.identity(
        Files.place(of: report.path) ?? report.path, report.runName)
      tested.append(place)
      if report.isWrong { failing.append(place) }
    }
    let known = PathList(tested)
    let rest =
      failed?.paths.filter {
        !known.contains($0) && Files.kind(of: TestLabel.path(of: $0)) != nil
      } ?? []
    let next = PathList(rest + failing)
    if next.paths == failed?.paths ?? [] { return }
    let bytes = JSONWriter.line(capacity: 256) { writer in
      writer.field("version", Self.formatVersion)
      writer.field("folder", text: folder)
      writer.strings("failed", next.paths)
    }
    do throws(Files.SystemProblem) {
      try Files.makeFolders(Path.folder(of: path))
      try Files.write(bytes, to: path)
    } catch {
      // Tests are worth something without it, too.
      let message = "cannot remember which tests failed, for '--failed': the file \(error.reason)"
      console.report([Finding(.warning, message, path: path)])
    }
  }
}
