import AutowaitFiles
import AutowaitScenario

/// Paths in scenarios that come to lie elsewhere.
enum NamedPath {
  /// Returns a path that one file names as another one has to.
  static func path(_ path: String, of file: String, from other: String) -> String {
    guard let there = Files.realPath(Path.folder(of: file)),
      let here = Files.realPath(Path.folder(of: other)), here != there, !Path.isAbsolute(path)
    else { return path }
    return Path.relative(Path.join(there, path), from: here)
  }
}
