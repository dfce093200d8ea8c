import Autowait
import AutowaitFiles
import AutowaitScenario
import Testing

/// A scenario on disk, as an argument of a test.
public struct ScenarioFile: Hashable, Sendable, CustomTestStringConvertible {
  /// Where it is.
  public let path: String
  /// What a test calls it: its path from the folder that was looked through.
  public let testDescription: String

  /// Reads the scenario and the files that it names.
  public func scenario() throws(FileError) -> Scenario { try Scenario(contentsOf: path) }
}

/// The scenarios of a package.
public enum Scenarios {
  /// Returns the scenarios in a folder and all folders below it, by path.
  ///
  /// The folder is looked for beside the file that asks, then in the folder around it, and so on:
  /// so `"Scenarios"` is found from any test of a package. Only files with the key `autowait`
  /// count. An empty folder is an error: a test without arguments would pass.
  public static func below(
    _ folder: String, from file: String = #filePath
  ) throws(FileError) -> [ScenarioFile] {
    var around = Path.folder(of: file)
    while Files.kind(of: Path.join(around, folder)) != .folder {
      let next = Path.folder(of: around)
      if next == around || around.isEmpty {
        let message = "no folder around '\(file)' has a folder '\(folder)'"
        throw FileError([Finding(.error, message, path: folder)])
      }
      around = next
    }
    let root = Path.join(around, folder)
    let found: [ScenarioFile]
    do throws(Files.SystemProblem) {
      found = try Files.list(root, { $0.hasSuffix(".json") }).compactMap { path in
        let source = SourceText(path: path, bytes: (try? Files.read(path)) ?? [])
        if !ScenarioReader.isScenario(source) { return nil }
        return ScenarioFile(path: path, testDescription: String(path.dropFirst(root.count + 1)))
      }
    } catch {
      throw FileError([Finding(.error, "the folder \(error.reason)", path: root)])
    }
    if found.isEmpty {
      throw FileError([Finding(.error, "the folder has no scenario", path: root)])
    }
    return found
  }
}
