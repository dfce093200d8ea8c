import Autowait
import AutowaitRendering
import AutowaitScenario

/// `autowait replay`: proves that a recorded log is what its scenario still does.
enum ReplayCommand {
  private static let extract = Option(
    "--extract", value: "FOLDER",
    "Writes the files of a recording to FOLDER, which is new or empty, and replays nothing")

  static let command = Command(
    name: "replay", operands: "LOG…", operandsMin: 1,
    summary: "Checks that scenarios still produce their recorded logs",
    about: """
      A log begins with its scenario. Runs the scenario again and compares the result with the \
      log byte by byte. If they differ, shows the first difference with the lines around it and \
      the event that caused it, and ends with 5. Large files that the scenario names are read \
      from the folder of the log, or from the one given with --root.

      A recording, as 'autowait run --recording' and 'autowait test --logs' write it, has the log \
      and all files that the scenario names, and needs nothing else. No program in it is started.

      What made the log is not compared. If that was another version of the model, and the log is \
      not what this one makes, a warning says so first.
      """,
    options: [extract, .allowPrograms, .root],
    examples: [
      (
        "autowait replay Scenarios/demo/play-right-away.expected.log",
        "Checks one golden log."
      ),
      ("autowait replay train.recording", "Replays what a CI server kept of a failure."),
      (
        "autowait replay train.recording --extract train",
        "Writes its scenario and the files that it names to a new folder."
      ),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let files = ScenarioFiles(
      root: try arguments.root(), programs: try arguments.programs(console))
    if let folder = arguments.value(extract) {
      guard arguments.operands.count == 1 else {
        throw Command.UsageError(message: "'\(extract.name)' needs one recording")
      }
      return write(arguments.operands[0], to: folder, files, console)
    }
    var code = ExitCode.fine
    for path in arguments.operands {
      let prefix = arguments.operands.count > 1 ? "\(path): " : ""
      code = code.combined(with: replay(path, prefix, files, console))
    }
    return code
  }

  private static func replay(
    _ path: String, _ prefix: String, _ files: ScenarioFiles, _ console: Console
  ) -> ExitCode {
    switch files.source(path).flatMap(Replay.Subject.of) {
    case .failure(let finding):
      console.report([finding])
      return .invalid
    case .success(let subject):
      let header = LogHeader(subject.log)
      let replay = Replay.of(subject, header, files)
      if !replay.isIdentical, header.scenarioText != nil, let warning = header.version.warning {
        console.report([Finding(.warning, warning.message, path: path, notes: warning.notes)])
      }
      return report(replay, prefix, console)
    }
  }

  private static func report(
    _ replay: Replay, _ prefix: String, _ console: Console
  ) -> ExitCode {
    switch replay {
    case .invalid(let findings):
      console.report(findings)
      return .invalid
    case .identical(let result):
      let events = Plural.text(result.records.count, "event")
      let fingerprint = LogRendering.hexadecimal(result.fingerprint)
      console.line("\(prefix)identical: \(events), fingerprint \(fingerprint)")
      if !result.isCutOff { return .fine }
      console.report(RunFindings.of(result))
      return .cutOff
    case .differs(let difference):
      let what =
        difference.isCut
        ? "cut off: identical up to the end of the file, in line \(difference.number)"
        : "differs from line \(difference.number) on"
      console.line("\(prefix)\(what) (- the log, + this run)")
      for line in DifferenceRendering.lines(difference) { console.line("  " + line) }
      return .diverged
    }
  }

  /// Writes the files of a recording.
  private static func write(
    _ path: String, to folder: String, _ files: ScenarioFiles, _ console: Console
  ) -> ExitCode {
    let written = files.source(path).flatMap { source -> Result<[String], Finding> in
      if !RunRecordingReader.isRecording(source) {
        return .failure(
          Finding(
            .error, "this is not a recording: only those have files to extract", path: path,
            notes: ["'autowait run FILE --recording X.recording' writes one"]))
      }
      return RunRecordingReader.read(source).flatMap { $0.extract(to: folder) }
    }
    switch written {
    case .failure(let finding):
      console.report([finding])
      return .invalid
    case .success(let paths):
      for path in paths { console.line("wrote \(path)") }
      return .fine
    }
  }
}
