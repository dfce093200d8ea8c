import Autowait
import AutowaitRendering
import AutowaitScenario

/// What became of running the scenario of a log again.
enum Replay {
  /// The log cannot be replayed.
  case invalid([Finding])
  /// The run gave the same bytes.
  case identical(RunResult)
  /// The run gave other bytes.
  case differs(LogDifference)

  /// Whether the run gave the same bytes.
  var isIdentical: Bool {
    guard case .identical = self else { return false }
    return true
  }

  /// A log, or the one in a recording, with what it takes to run its scenario.
  struct Subject {
    /// The log, under the path by which it was named.
    let log: SourceText
    /// The recording that has the log and the files.
    var recording: RunRecording?

    /// Finds the log in a file, or says why there is none.
    static func of(_ source: SourceText) -> Result<Subject, Finding> {
      if RunRecordingReader.isRecording(source) {
        return RunRecordingReader.read(source).flatMap { recording in
          let log = SourceText(path: source.path, bytes: recording.log)
          if let finding = LogHeader.textFinding(log) { return .failure(finding) }
          return .success(Subject(log: log, recording: recording))
        }
      }
      if let finding = LogHeader.textFinding(source) { return .failure(finding) }
      if !LogHeader.isLog(source), let finding = LogHeader.otherFinding(source) {
        return .failure(finding)
      }
      return .success(Subject(log: source))
    }
  }

  /// Replays a log.
  static func of(_ subject: Subject, _ header: LogHeader, _ files: ScenarioFiles) -> Replay {
    let result: RunResult
    switch run(subject, header, files) {
    case .failure(let problem): return .invalid(problem.findings)
    case .success(let (played, _)): result = played.result
    }
    let recorded = subject.log.bytes
    let log = LogRendering.log(result, as: header.version)
    guard let difference = LogDifference(recorded: recorded, actual: log) else {
      return .identical(result)
    }
    let golden = LogRendering.golden(result, as: header.version)
    if golden == log || !header.isFollowedBySummary { return .differs(difference) }
    guard let difference = LogDifference(recorded: recorded, actual: golden) else {
      return .identical(result)
    }
    return .differs(difference)
  }

  /// Why a scenario cannot be run again.
  struct Problem: Error {
    let findings: [Finding]
  }

  /// Runs the scenario of a log; returns the run and what can repeat it.
  static func run(
    _ subject: Subject, _ header: LogHeader, _ files: ScenarioFiles
  ) -> Result<(ScenarioRunner.Played, ScenarioRunner), Problem> {
    func problem(_ findings: [Finding]) -> Result<(ScenarioRunner.Played, ScenarioRunner), Problem>
    { .failure(Problem(findings: findings)) }
    guard let scenarioText = header.scenarioText else { return problem(header.findings.sorted) }
    var files = files
    let (scenario, findings): (Scenario?, [Finding])
    if let recording = subject.recording {
      (scenario, findings) = read(recording, &files)
    } else {
      (scenario, findings) = files.read(scenarioText)
    }
    guard let scenario else { return problem(findings) }
    header.compare(scenario.inputs)
    if header.findings.hasErrors { return problem(header.findings.sorted) }
    if subject.recording != nil, scenario.asksPrograms {
      return problem([
        Finding(
          .error, "a rule of the scenario is a program, and no program of a recording is started",
          path: subject.log.path,
          notes: ["'autowait replay --extract' writes the files, which 'autowait run' can run"])
      ])
    }
    do throws(Finding) {
      let runner = ScenarioRunner(files)
      return .success((try runner.run(scenario), runner))
    } catch {
      return problem([error])
    }
  }

  /// Reads the scenario of a recording as it was read when it was recorded.
  private static func read(
    _ recording: RunRecording, _ files: inout ScenarioFiles
  ) -> (scenario: Scenario?, findings: [Finding]) {
    files.recorded = recording
    for text in recording.changes {
      switch ScenarioChange.read(text, for: "set") {
      case .success(let change): files.changes.append(change)
      case .failure(let finding): return (nil, [finding])
      }
    }
    guard let source = recording.scenarioSource else {
      preconditionFailure("a recording was read that lacks its scenario")
    }
    // Nothing of a recording is started; that is said where the scenario is known.
    files.programs = .named
    return files.read(
      source, ScenarioFiles.Asked(run: recording.run, seed: recording.seed))
  }
}
