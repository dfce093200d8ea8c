import Autowait
import AutowaitRendering
import AutowaitScenario

/// A run that is read from a scenario, a log or a recording, and run again if that is possible.
struct RunReading {
  /// Why there is none.
  struct Failure: Error {
    let findings: [Finding]
  }

  /// What is compared.
  let side: RunSide
  /// The run, if this build gives the log.
  let played: ScenarioRunner.Played?
  private let runner: ScenarioRunner?

  /// Returns how the run stands at an instant; nil if it cannot be run here.
  func sample(at instant: Instant) -> RunResult.Sample? {
    played.flatMap { runner?.samples(of: $0, at: [instant]).first }
  }

  /// What is to be read: a file, and what is made of the scenario in it.
  struct RunChoice {
    var path: String
    /// The run, of a scenario that varies.
    var run: String?
    var changes: [ScenarioChange] = []

    /// What people are told that it is.
    var name: String {
      (run.map { "\(path) [\($0)]" } ?? path) + (changes.isEmpty ? "" : ", changed")
    }
  }

  /// Reads a run, and reports what is to be said of it beside.
  static func read(
    _ asked: RunChoice, _ files: ScenarioFiles, _ console: Console
  ) -> Result<RunReading, Failure> {
    let source: SourceText
    switch asked.path == "-" ? console.standardInput() : files.source(asked.path) {
    case .failure(let finding): return .failure(Failure(findings: [finding]))
    case .success(let found): source = found
    }
    if RunRecordingReader.isRecording(source) || LogHeader.isLog(source) {
      if !asked.changes.isEmpty {
        let finding = Finding(
          .error, "'\(Option.set.name)' changes scenarios, and this is a run that was recorded",
          path: source.path, notes: ["compare the recorded run with the changed scenario: A B"])
        return .failure(Failure(findings: [finding]))
      }
      return readLog(source, files, console)
    }
    var files = files
    files.changes = asked.changes
    let varies = files.runs(of: source) != [nil]
    let run = varies ? asked.run : nil
    let (scenario, findings) = files.read(source, ScenarioFiles.Asked(run: run))
    guard let scenario else {
      return .failure(Failure(findings: findings + kinds(source, findings)))
    }
    console.report(findings)
    do throws(Finding) {
      let runner = ScenarioRunner(files)
      let played = try runner.run(scenario)
      let log = LogRendering.log(played.result)
      guard
        let side = RunSide(
          path: asked.name, kind: .scenario, log: log, result: played.result)
      else {
        preconditionFailure("a run gives no log")
      }
      return .success(RunReading(side: side, played: played, runner: runner))
    } catch {
      return .failure(Failure(findings: [error]))
    }
  }

  /// Says what can be compared, where a file is nothing of that kind.
  private static func kinds(_ source: SourceText, _ findings: [Finding]) -> [Finding] {
    let root = Findings(source).parseJSON()
    // What is wrong with such a file is said already.
    if ["autowait", "link", "experiment"].contains(where: { root?.member($0) != nil }) {
      return []
    }
    return [
      Finding(
        .error, "this is neither a scenario, nor a log, nor a recording", path: source.path,
        notes: ["'autowait run FILE --format jsonl' writes a log"])
    ]
  }

  private static func readLog(
    _ source: SourceText, _ files: ScenarioFiles, _ console: Console
  ) -> Result<RunReading, Failure> {
    let subject: Replay.Subject
    switch Replay.Subject.of(source) {
    case .failure(let finding): return .failure(Failure(findings: [finding]))
    case .success(let found): subject = found
    }
    let kind: RunSide.Kind = subject.recording == nil ? .log : .recording
    let header = LogHeader(subject.log)
    if header.scenarioText == nil { return .failure(Failure(findings: header.findings.sorted)) }
    let bytes = subject.log.bytes
    var log = bytes
    var again: (played: ScenarioRunner.Played, runner: ScenarioRunner)?
    if case .success(let (played, runner)) = Replay.run(subject, header, files) {
      let whole = LogRendering.log(played.result, as: header.version)
      let golden = LogRendering.golden(played.result, as: header.version)
      if bytes == whole || bytes == golden { (log, again) = (whole, (played, runner)) }
    }
    let side = RunSide(path: source.path, kind: kind, log: log, result: again?.played.result)
    guard let side else {
      return .failure(
        Failure(findings: [Finding(.error, "this is not a log of autowait", path: source.path)]))
    }
    return .success(RunReading(side: side, played: again?.played, runner: again?.runner))
  }
}
