import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// One file that may be a scenario to be tested, or one run of it.
struct TestCase: Sendable {
  /// The path of the file.
  let path: String
  /// Whether the user named the file, and not a folder around it.
  var isExplicit: Bool
  /// Which scenarios are tested.
  let selection: TestSelection
  /// The folder given with `--root`, if one was.
  let root: String?
  /// Whether rules that are programs are started; without it their scenarios are skipped.
  let programs: ProgramUse
  /// Whether a recording of a run is kept that something is held against.
  var keepsRecording = false
  /// Why a golden log has no scenario, if the file is one.
  var orphanReason: String?
  /// The run that is tested, of a scenario that varies.
  var runName: String?
  /// What is changed in the scenario, which then may do something else than its golden log says.
  var changes: [ScenarioChange] = []
  /// Whether the file is only asked whether it is selected.
  var isOnlyAsked = false
  /// Whether the file is in another part of the tests.
  var isElsewhere = false

  /// Tests the file; what is played the second time is what a function makes of the scenario.
  func report(_ planted: (Scenario) -> Scenario) -> TestReport {
    var report = TestReport(path: path, name: path, runName: runName)
    report.changes = changes.map(\.text)
    if isElsewhere {
      report.status = .filtered
      return report
    }
    if let orphanReason {
      report.failures = [orphan(path, orphanReason)]
      report.status = selects(path) ? .failed : .filtered
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
      let logs = [golden, GoldenPath.new(of: golden)]
      report.failures = logs.filter { Files.kind(of: $0) != nil && selects($0) }
        .map { orphan($0, Self.orphanReason($0)) }
      if !report.failures.isEmpty { report.status = .failed }
      return report
    }
    var loaded: [String] = []
    let files = ScenarioFiles(
      root: root, programs: programs == .refused ? .named : programs, changes: changes)
    let recorder = keepsRecording ? FileRecorder() : nil
    let asked = ScenarioFiles.Asked(run: runName)
    let (scenario, findings) = files.read(source, asked, nil, recorder) { loaded.append($0) }
    report.loaded = loaded
    guard let scenario else {
      fail(&report, findings)
      return report
    }
    report.name = scenario.name
    if !selection.selects(path, run: runName, scenario, loaded) {
      report.status = .filtered
      return report
    }
    if isOnlyAsked { return report }
    if let other = sharer {
      let message = "the run '\(runName ?? "")' would have the golden log of '\(other)'"
      fail(&report, [Finding(.error, message, path: path, notes: ["give one another name"])])
      return report
    }
    report.findings = findings
    report.startsPrograms = scenario.asksPrograms
    if report.startsPrograms, programs == .refused {
      report.status = .skipped
      report.reason = ProgramUse.refusal
      return report
    }
    test(scenario, planted(scenario), ScenarioRunner(files), recorder, &report)
    if let known = scenario.expectedFailure { expectFailure(known, &report) }
    return report
  }

  /// Turns what is known to fail into what is known, if it failed, and else into a failure.
  ///
  /// What such a run did is never recorded.
  private func expectFailure(_ known: ExpectedFailure, _ report: inout TestReport) {
    let isJudged = report.failures.allSatisfy { $0.kind == .expectation || $0.kind == .golden }
    guard isJudged, report.status == .failed || report.status == .passed else { return }
    report.golden = nil
    report.reason = known.reason
    report.reasonLine = known.line
    if report.status == .failed {
      report.status = .known
      return
    }
    report.status = .failed
    report.failures = [
      TestFailure(
        kind: .mended, path: path, line: known.line, message: "mended: remove 'xfail'",
        details: ["it was known to fail: \(known.reason)"])
    ]
  }

  /// Whether a file found in a folder is a scenario, or was meant to be one.
  func isScenario(_ source: SourceText) -> Bool {
    // Traces may be large; most other files are told by the lack of the word alone.
    if !Bytes.contains(source.bytes, Array("\"autowait\"".utf8)) { return false }
    return ScenarioReader.isScenario(source) || Findings(source).parseJSON() == nil
  }

  /// Whether a file is selected that is no scenario, or none that can be read.
  private func selects(_ path: String) -> Bool {
    selection.selects(path, run: runName, nil, [])
  }

  private func fail(_ report: inout TestReport, _ findings: [Finding]) {
    if !selects(path) {
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

  /// Why a golden log, or a new one, without its scenario is not what it should be.
  static func orphanReason(_ log: String) -> String {
    "this \(GoldenPath.word(for: log)) has no scenario '\(GoldenPath.scenario(ofLog: log) ?? "")'"
  }

  private func orphan(_ golden: String, _ reason: String) -> TestFailure {
    TestFailure(
      kind: .goldenOrphan, path: golden, line: 1, message: reason,
      details: [
        "rename it if its scenario has another name now, or",
        "remove it with: rm \(Path.quoted(golden))",
      ])
  }

  private func test(
    _ scenario: Scenario, _ judged: Scenario, _ runner: ScenarioRunner,
    _ recorder: FileRecorder?, _ report: inout TestReport
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
    report.failures = missed(result.outcomes, of: result)
    report.warnings = missed(result.warned, of: result, saysWhy: false)
    if result.isCutOff {
      // It comes first: it is what the rest follows from.
      report.failures.insert(
        contentsOf: RunFindings.of(result).map {
          TestFailure(
            kind: .eventLimit, path: path, line: 1, message: $0.message, details: $0.notes)
        }, at: 0)
    }
    // What a golden log was recorded of, is the scenario as it stands in its file.
    if changes.isEmpty { compareGolden(result, &report) }
    if !report.failures.isEmpty { report.status = result.isCutOff ? .cutOff : .failed }
    if !report.failures.isEmpty, let recorder {
      report.recording = recorder.recording(
        run: runName, changes: changes.map(\.text), log: LogRendering.log(result))
    }
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

  /// What is held against a scenario for expectations that are not met.
  private func missed(
    _ outcomes: [Outcome], of result: RunResult, saysWhy: Bool = true
  ) -> [TestFailure] {
    var reasons = WaitReasons(result)
    return outcomes.filter { !$0.isMet }.map { outcome in
      TestFailure(
        kind: .expectation, path: path, line: outcome.expectation.line,
        message: "expected \(outcome.expectation.text)",
        wording: "expected \(OutcomeRendering.people(outcome.expectation.text))",
        details: ["observed " + OutcomeRendering.observed(outcome, result.scenario)]
          + (saysWhy ? reasons.lines(outcome).map { TerminalText.withoutTies($0) } : []))
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
      details += DifferenceRendering.lines(difference)
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
    let golden = report.goldenPath
    let actual = LogRendering.golden(result)
    func keep(_ need: GoldenNeed) {
      report.golden = TestReport.Golden(path: golden, bytes: actual, need: need)
    }
    let programs = report.startsPrograms ? " \(Option.allowPrograms.name)" : ""
    let only = runName.map { " --filter 'run(=\($0))'" } ?? ""
    let update = "autowait test \(Path.quoted(path))\(only) --update\(programs)"
    let recorded: [UInt8]
    do throws(Files.SystemProblem) {
      recorded = try Files.read(golden)
    } catch {
      if Files.kind(of: golden) != nil {
        report.failures.append(
          TestFailure(
            kind: .golden, path: golden, line: 1, message: "the golden log \(error.reason)",
            details: []))
      } else if result.outcomes.isEmpty {
        keep(.onlyJudge)
        report.failures.append(
          TestFailure(
            kind: .goldenMissing, path: path, line: 1,
            message: "nothing is expected, and there is no golden log '\(golden)'",
            details: ["record it with: \(update)"]))
      } else {
        keep(.absent)
      }
      return
    }
    if recorded == actual { return }
    guard let difference = GoldenComparison(recorded: recorded, actual: actual) else {
      return keep(.restated)
    }
    keep(.differs)
    report.failures.append(
      TestFailure(
        kind: .golden, path: golden, line: difference.line, message: difference.message,
        details: difference.details + ["accept with: \(update)"]))
  }
}
