import AutowaitAccuracy
import Foundation
import Testing

/// The folder of the oracles, if there is one: `AUTOWAIT_ORACLES`, else beside the repository.
enum OracleFolder {
  static let url: URL? = {
    let repository = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let path = ProcessInfo.processInfo.environment["AUTOWAIT_ORACLES"] ?? "../shared/oracles"
    let folder = URL(filePath: path, relativeTo: repository)
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
    if !isThere || !isFolder.boolValue { print("skipped: no oracles") }
    return isThere && isFolder.boolValue ? folder : nil
  }()

  static func oracles(_ folder: URL) -> Oracles {
    Oracles { path throws(Oracles.OracleProblem) in
      do {
        return Array(try Data(contentsOf: folder.appending(path: path)))
      } catch {
        throw Oracles.OracleProblem(path, "cannot be read: \(error)")
      }
    }
  }

  /// The paths of the JSON files in a folder of the oracles, ordered.
  static func files(_ name: String) -> [String] {
    guard let url else { return [] }
    let names = try? FileManager.default.contentsOfDirectory(atPath: url.appending(path: name).path)
    return (names ?? []).filter { $0.hasSuffix(".json") }.sorted().map { "\(name)/\($0)" }
  }
}
