import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// Finding what is to be tested.
extension TestCall {
  /// Finds what is to be tested, each run by itself.
  ///
  /// Returns nil after having reported a path that cannot be used.
  func select(_ selection: TestSelection) -> [TestCase]? {
    var cases: [TestCase] = []
    var isComplete = true
    func add(_ path: String, isExplicit: Bool) {
      var test = TestCase(
        path: path, isExplicit: isExplicit, selection: selection, root: root, programs: programs)
      test.changes = changes
      test.keepsRecording = arguments.has(TestCommand.logs)
      cases.append(test)
    }
    for path in paths {
      if Files.kind(of: path) != .folder {
        let isOrphan = GoldenPath.scenario(of: path).map { Files.kind(of: $0) == nil } ?? false
        if let finding = explicitFinding(path, isOrphan) {
          console.report([finding])
          isComplete = false
        }
        add(Path.tidied(path), isExplicit: true)
        continue
      }
      do throws(Files.SystemProblem) {
        let files = try Files.list(Path.tidied(path)) {
          GoldenPath.mayBeScenario($0) || GoldenPath.scenario(ofLog: $0) != nil
        }
        for file in files { add(file, isExplicit: false) }
      } catch {
        console.report([Finding(.error, "the folder \(error.reason)", path: path)])
        isComplete = false
      }
    }
    return isComplete ? runs(of: TestCase.ordered(cases)) : nil
  }

  /// Returns a test for each run of each scenario, and one for each golden log that has none.
  private func runs(of cases: [TestCase]) -> [TestCase] {
    // The golden logs among them are judged below, by the runs of the others.
    let runs = ThreadPool.map(cases, threads: threads) { test in
      !test.isExplicit && GoldenPath.scenario(ofLog: test.path) != nil ? [] : test.runs()
    }
    var known: [[UInt8]: [String?]] = [:]
    for (test, runs) in zip(cases, runs) where !runs.isEmpty {
      known[Array(test.path.utf8)] = runs.map(\.runName)
    }
    return zip(cases, runs).flatMap { test, runs in
      guard runs.isEmpty else { return runs }
      guard let reason = orphanReason(test.path, known) else { return [] }
      var orphan = test
      orphan.orphanReason = reason
      return [orphan]
    }
  }

  /// Says why a golden log is that of no run; nil if it is that of one, or if that of a file that
  /// is judged by itself.
  private func orphanReason(_ log: String, _ known: [[UInt8]: [String?]]) -> String? {
    let (golden, word) = (GoldenPath.golden(ofNew: log) ?? log, GoldenPath.word(for: log))
    func runs(of scenario: String) -> [String?]? {
      known[Array(scenario.utf8)]
        ?? (Files.kind(of: scenario) == nil ? nil : TestCase.runNames(of: scenario))
    }
    let alone = GoldenPath.scenario(of: golden) ?? ""
    if let names = runs(of: alone) {
      if names.isEmpty || names.contains(nil) { return nil }
      return "this \(word) is that of no run: '\(alone)' varies, and each run has its own"
    }
    let parts = GoldenPath.runs(of: golden)
    if parts.contains(where: { runs(of: $0.scenario)?.contains($0.run) ?? false }) { return nil }
    let files = ScenarioFiles(root: root)
    for part in parts {
      guard Files.kind(of: part.scenario) == .file,
        case .success(let source) = files.source(part.scenario),
        ScenarioReader.isScenario(source)
      else { continue }
      let names = runs(of: part.scenario) ?? []
      let varies = !names.isEmpty && !names.contains(nil)
      // A scenario that cannot be read now may have the run.
      if !varies, files.read(source).scenario == nil { return nil }
      return "this \(word) has no scenario '\(alone)', and '\(part.scenario)' has no run "
        + "'\(part.run)'"
    }
    return TestCase.orphanReason(log)
  }

  /// The paths given, or the one that stands for none.
  var paths: [String] { TestCase.paths(arguments.operands) }

  /// Says why a path cannot be tested, if it cannot.
  private func explicitFinding(_ path: String, _ isOrphan: Bool) -> Finding? {
    if Files.kind(of: path) == nil {
      guard case .failure(let finding) = ScenarioFiles().source(path) else { return nil }
      return finding
    }
    if GoldenPath.golden(ofNew: path) != nil {
      return Finding(
        .error, "this is a new log, not a scenario", path: path,
        notes: ["'autowait review \(Path.quoted(path))' shows it"])
    }
    guard let scenario = GoldenPath.scenario(of: path) else { return nil }
    return Finding(
      .error, "this is a golden log, not a scenario", path: path,
      notes: isOrphan ? [] : ["its scenario is '\(scenario)'"])
  }
}
