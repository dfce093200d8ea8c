import AutowaitFiles
import AutowaitScenario

/// The order of files to be tested.
extension TestCase {
  /// Returns the paths given, or the one that stands for none.
  static func paths(_ given: [String]) -> [String] {
    if !given.isEmpty { return given }
    return [Files.kind(of: "Scenarios") == .folder ? "Scenarios" : "."]
  }

  /// Returns cases ordered by their paths, each file once, under the shortest of its paths.
  static func ordered(_ cases: [TestCase]) -> [TestCase] {
    // By bytes: two names that Unicode calls equivalent are two files.
    var folders: [[UInt8]: String] = [:]
    var best: [[UInt8]: TestCase] = [:]
    for test in cases {
      let folder = Path.folder(of: test.path)
      let real = folders[Array(folder.utf8)] ?? Files.realPath(folder) ?? folder
      folders[Array(folder.utf8)] = real
      let place = Array(Path.join(real, Path.name(of: test.path)).utf8)
      guard let other = best[place] else {
        best[place] = test
        continue
      }
      var kept = isShorter(test.path, other.path) ? test : other
      kept.isExplicit = test.isExplicit || other.isExplicit
      best[place] = kept
    }
    return best.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private static func isShorter(_ left: String, _ right: String) -> Bool {
    if left.utf8.count != right.utf8.count { return left.utf8.count < right.utf8.count }
    return left.utf8.lexicographicallyPrecedes(right.utf8)
  }
}
