import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// One file that may be a scenario to be tested.
struct TestCase: Sendable {
  /// The path of the file.
  let path: String
  /// Whether the user named the file, and not a folder around it.
  var isExplicit: Bool
  /// What the path or the name must contain.
  let filter: String?
  /// The folder given with `--root`, if one was.
  let root: String?
  /// Whether rules that are programs are started; without it their scenarios are skipped.
  let programs: ProgramUse
  /// Whether the file is a golden log whose scenario does not exist.
  var isOrphan = false

  /// Tests the file; what is played the second time is what a function makes of the scenario.
  func report(_ planted: (Scenario) -> Scenario) -> TestReport {
    var report = TestReport(path: path, name: path)
    if isOrphan {
      report.failures = [orphan(path)]
      report.status = matches(path) ? .failed : .filtered
      return report
    }
    let source: SourceText
    switch ScenarioFiles(root: root).source(path) {
    case .failure(let finding):
      fail(&report, [finding])
      return report
    case .success(let found): source = found
    }
    if !isExplicit, !isScenario(source) {
      report.status = .foreign
      let golden = GoldenPath.golden(of: path)
      if Files.kind(of: golden) != nil, matches(golden) {
        report.failures = [orphan(golden)]
        report.status = .failed
      }
      return report
    }
    var loaded: [String] = []
    let files = ScenarioFiles(root: root, programs: programs == .refused ? .named : programs)
    let (scenario, findings) = files.read(source) { loaded.append($0) }
    report.loaded = loaded
    guard let scenario else {
      fail(&report, findings)
      return report
    }
    report.name = scenario.name
    if !matches(path), !matches(scenario.name) {
      report.status = .filtered
      return report
    }
    report.findings = findings
    report.startsPrograms = scenario.asksPrograms
    if report.startsPrograms, programs == .refused {
      report.status = .skipped
      report.skipReason = ProgramUse.refusal
      return report
    }
    test(scenario, planted(scenario), ScenarioRunner(files), &report)
    return report
  }

  /// Whether a file found in a folder is a scenario, or was meant to be one.
  private func isScenario(_ source: SourceText) -> Bool {
    // Traces may be large; most other files are told by the lack of the word alone.
    if !Bytes.contains(source.bytes, Array("\"autowait\"".utf8)) { return false }
    return ScenarioReader.isScenario(source) || Findings(source).parseJSON() == nil
  }

  private func matches(_ text: String) -> Bool {
    guard let filter else { return true }
    return Bytes.contains(Array(text.utf8), Array(filter.utf8))
  }

  private func fail(_ report: inout TestReport, _ findings: [Finding]) {
    if !matches(path) {
      report.status = .filtered
      return
    }
    report.status = .invalid
    report.findings = findings
    let errors = findings.filter { $0.severity == .error }
    report.failures = errors.map {
      TestFailure(
        kind: .invalid, path: $0.path, line: max($0.line, 1), message: $0.message,
        details: $0.notes)
    }
  }

  private func orphan(_ golden: String) -> TestFailure {
    let scenario = GoldenPath.scenario(of: golden) ?? ""
    return TestFailure(
      kind: .goldenOrphan, path: golden, line: 1,
      message: "this golden log has no scenario '\(scenario)'",
      details: ["remove it with: rm \(Path.quoted(golden))"])
  }

  private func test(
    _ scenario: Scenario, _ judged: Scenario, _ runner: ScenarioRunner,
    _ report: inout TestReport
  ) {
    let judge = ScenarioRunner(runner.files, pace: .eventByEvent)
    let (run, again): (ScenarioRunner.Played, RunResult)
    do throws(Finding) {
      run = try runner.run(scenario)
      again = try judge.run(judged).result
    } catch {
      fail(&report, [error])
      return
    }
    let result = run.result
    report.run = (scenario.world.seed, result.fingerprint, result.end.nanoseconds)
    report.failures = result.outcomes.filter { !$0.isMet }.map { outcome in
      TestFailure(
        kind: .expectation, path: path, line: outcome.expectation.line,
        message: "expected \(outcome.expectation.text)",
        details: ["observed " + OutcomeRendering.observed(outcome, scenario)])
    }
    if result.isCutOff {
      // It comes first: it is what the rest follows from.
      report.failures.insert(
        contentsOf: RunFindings.of(result).map {
          TestFailure(
            kind: .eventLimit, path: path, line: 1, message: $0.message, details: $0.notes)
        }, at: 0)
    }
    compareGolden(result, &report)
    if !report.failures.isEmpty { report.status = result.isCutOff ? .cutOff : .failed }
    // What is cut off by the number of its events may be cut off elsewhere event by event, where
    // an instant at which nothing comes of looking counts too.
    if result.isCutOff, again.isCutOff { return }
    if Self.areAlike(result, again) { return }
    // With the same answers it must be the same run.
    if report.startsPrograms, let repeated = judge.repeated(run, of: judged),
      Self.areAlike(result, repeated)
    {
      blameProgram(&report)
    } else {
      differ(result, again, &report)
    }
  }

  private static func areAlike(_ one: RunResult, _ other: RunResult) -> Bool {
    one.fingerprint == other.fingerprint && one.end == other.end && one.metrics == other.metrics
      && one.outcomes.map(\.isMet) == other.outcomes.map(\.isMet)
  }

  /// Reports that a program answered otherwise when it was asked the same again; what such a run
  /// gave is no golden log.
  private func blameProgram(_ report: inout TestReport) {
    report.status = .failed
    report.golden = nil
    report.failures.removeAll { $0.kind == .golden || $0.kind == .goldenMissing }
    report.failures.insert(
      TestFailure(
        kind: .program, path: path, line: 1,
        message: "a rule of this scenario is a program that does not answer alike each time",
        details: ["a second run asked it the same, and it answered otherwise"]), at: 0)
  }

  /// Reports that the run is another one when it takes no shortcut, which is a defect.
  private func differ(_ result: RunResult, _ again: RunResult, _ report: inout TestReport) {
    report.status = .defect
    let fingerprints = [result, again].map { LogRendering.hexadecimal($0.fingerprint) }
    var details = [
      "the fingerprints are \(fingerprints[0]), and \(fingerprints[1]) event by event"
    ]
    let logs = [result, again].map { LogRendering.log($0) }
    if let difference = LogDifference(recorded: logs[0], actual: logs[1]) {
      details.append("from line \(difference.number) on (- fast, + event by event)")
      details += Self.lines(difference)
    }
    report.failures.insert(
      TestFailure(
        kind: .defect, path: path, line: 1, message: "two runs of this scenario differ",
        details: details), at: 0)
    report.defect = DefectReport(
      path: path, loaded: report.loaded, fast: logs[0], eventByEvent: logs[1],
      fingerprint: result.fingerprint)
  }

  private func compareGolden(_ result: RunResult, _ report: inout TestReport) {
    let golden = GoldenPath.golden(of: path)
    let actual = LogRendering.golden(result)
    let programs = report.startsPrograms ? " \(Option.allowPrograms.name)" : ""
    let acceptance = "accept with: autowait test \(Path.quoted(path)) --update\(programs)"
    let recorded: [UInt8]
    do throws(Files.SystemProblem) {
      recorded = try Files.read(golden)
    } catch {
      let isMissing = Files.kind(of: golden) == nil
      report.failures.append(
        TestFailure(
          kind: isMissing ? .goldenMissing : .golden, path: isMissing ? path : golden, line: 1,
          message: isMissing
            ? "there is no golden log '\(golden)'" : "the golden log \(error.reason)",
          details: isMissing ? [acceptance] : []))
      if isMissing { report.golden = TestReport.Golden(path: golden, bytes: actual) }
      return
    }
    guard let difference = LogDifference(recorded: recorded, actual: actual) else { return }
    report.golden = TestReport.Golden(path: golden, bytes: actual)
    let (message, details) = Self.explain(difference, recorded, actual)
    report.failures.append(
      TestFailure(
        kind: .golden, path: golden, line: difference.number, message: message,
        details: details + [acceptance]))
  }

  /// Says how a golden log differs from that of this run.
  ///
  /// Anyone who edits a scenario sees its first line differ; what counts is whether the run does.
  private static func explain(
    _ difference: LogDifference, _ recorded: [UInt8], _ actual: [UInt8]
  ) -> (message: String, details: [String]) {
    let number = difference.number
    if difference.isCut {
      return ("the golden log is cut off in line \(number)", lines(difference))
    }
    if number > 1 {
      return ("the run differs from the golden log from line \(number) on", lines(difference))
    }
    guard let end = recorded.firstIndex(of: 0x0A), let actualEnd = actual.firstIndex(of: 0x0A)
    else { return ("the golden log is none", []) }
    if let damage = damage(recorded, firstLine: recorded[..<end], actual: actual[..<actualEnd]) {
      return (damage, lines(difference))
    }
    let changed = "the scenario is not the one that the golden log was recorded of"
    let header = DifferenceRendering.scenarioLines(
      recorded: Array(recorded[..<end]), actual: Array(actual[..<actualEnd]))
    let same = LogDifference(
      recorded: Array(actual[..<actualEnd] + recorded[end...]), actual: actual)
    guard let same else { return (changed + "; its run is the same", header) }
    return (changed + "; its run differs from line \(same.number) on", header + lines(same))
  }

  /// Says what became of the first line of a golden log, unless it is that of another scenario.
  private static func damage(
    _ recorded: [UInt8], firstLine: ArraySlice<UInt8>, actual: ArraySlice<UInt8>
  ) -> String? {
    if recorded.starts(with: [0xEF, 0xBB, 0xBF]) {
      return "the golden log begins with a byte order mark"
    }
    if firstLine.last == 0x0D { return "the golden log's lines end in CR LF, not in LF alone" }
    let header = Findings(SourceText(path: "", bytes: Array(firstLine))).parseJSON()
    guard let header, let version = header.member("autowaitLog"), header.member("scenario") != nil
    else { return "the first line of the golden log is not the header of one" }
    if version.decimal != ExactDecimal(LogRendering.formatVersion) {
      return "the golden log has a version of the format that is unknown"
    }
    let own = Findings(SourceText(path: "", bytes: Array(actual))).parseJSON()
    let isSame = ["scenario", "inputs"].allSatisfy { key in
      header.member(key).map { firstLine[$0.range] } == own?.member(key).map { actual[$0.range] }
    }
    return isSame
      ? "the header of the golden log was changed, but the scenario in it is the same" : nil
  }

  private static func lines(_ difference: LogDifference) -> [String] {
    DifferenceRendering.lines(difference)
  }
}
