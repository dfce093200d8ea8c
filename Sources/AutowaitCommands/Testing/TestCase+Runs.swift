import AutowaitFiles
import AutowaitScenario

/// The tests that a file makes: one, or one for each run of a scenario that varies.
extension TestCase {
  /// Returns a test for each run; the same test for a scenario that does not vary.
  func runs() -> [TestCase] {
    if orphanReason != nil { return [self] }
    guard let names = runNames else { return [self] }
    return names.map { name in
      var test = self
      test.runName = name
      return test
    }
  }

  /// The names of the runs; nil for a scenario that does not vary, and for other files.
  var runNames: [String]? {
    let files = ScenarioFiles(root: root)
    guard case .success(let source) = files.source(path), isExplicit || isScenario(source) else {
      return nil
    }
    let loader = files.loader { _ in }
    return ScenarioReader.runNames(source, changes: changes, loader: loader)
  }

  /// Returns the names of the runs of a scenario; none of one that does not vary.
  static func runNames(of path: String) -> [String] {
    guard Files.kind(of: path) == .file else { return [] }
    let test = TestCase(
      path: path, isExplicit: true, selection: TestSelection(), root: nil, programs: .named)
    return test.runNames ?? []
  }

  /// Another scenario whose golden log has the path of this run's; nil if there is none.
  var sharer: String? {
    guard let runName else { return nil }
    let golden = GoldenPath.golden(of: path, run: runName)
    let alone = GoldenPath.scenario(of: golden).map { [(scenario: $0, run: "")] } ?? []
    return (alone + GoldenPath.runs(of: golden)).first { scenario, run in
      scenario != path && Files.kind(of: scenario) == .file
        && (run.isEmpty || Self.runNames(of: scenario).contains(run))
    }?.scenario
  }
}
