import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait test`: runs all scenarios below some folders and holds them against their expectations
/// and their goldens.
enum TestCommand {
  static let filter = Option(
    "--filter", value: "FILTER",
    "Tests only scenarios that match FILTER: a part of the path or name; name(…), path(…), "
      + "run(…), tag(…); and, or, not, parentheses")
  static let failed = Option(
    "--failed", "Tests only scenarios that failed in the last test from this folder")
  static let changed = Option(
    "--changed", optionalValue: "REF",
    "Tests only scenarios that differ from the commit REF, or use files that do; default: the "
      + "last commit")
  static let partition = Option(
    "--partition", value: "PART",
    "Tests one of N parts: slice:M/N takes every Nth scenario, hash:M/N chooses by path")
  static let jobs = Option(
    "--jobs", value: "N", "Uses N threads; default: one per processor")
  static let update = Option(
    "--update", "Writes golden logs that differ or do not exist; not available where CI is set")
  static let record = Option(
    "--record", choices: RecordMode.allCases.map(\.rawValue),
    "Writes all golden logs, those of scenarios that fail, those that do not exist, or none")
  static let defects = Option(
    "--defects", value: "FOLDER",
    "Writes the files for reporting a defect of autowait to FOLDER; default: the folder for "
      + "temporary files")
  static let logs = Option(
    "--logs", value: "FOLDER",
    "Writes a recording of each scenario that fails to FOLDER, for the artifacts of a CI server; "
      + "'autowait replay' runs it on any machine")
  static let junit = Option(
    "--junit", value: "FILE", "Writes a report for CI servers to FILE")
  static let gitHub = Option(
    "--github",
    "Prints annotations and a summary for GitHub; default: only if GITHUB_ACTIONS is true")
  static let durations = Option(
    "--durations", value: "N", "Prints the N slowest scenarios on standard error")
  static let watch = Option(
    "--watch", "Tests again whenever a file changes; enter u to accept the new logs, q to quit"
  )
  static let rounds = Option("--rounds", value: "N", "Ends --watch after N times")
  static let format = Option(
    "--format", choices: TestFormat.allCases.map(\.rawValue),
    "text is for people; json prints one object; jsonl prints one object per scenario; tap "
      + "prints version 14 of the Test Anything Protocol")
  static let command = Command(
    name: "test", operands: "[PATH…]", operandsMin: 0,
    summary: "Tests scenarios: their expectations and golden logs",
    about: """
      Tests each PATH: a scenario, or a folder of scenarios. The default is the folder Scenarios, \
      or else the current folder. A scenario is a .json file with the key "autowait"; other .json \
      files are skipped.

      Runs each scenario x.json twice, the second time without any shortcut: event by event, \
      planning everything again after each one. If the two runs differ, that is a defect of \
      autowait, and the command writes the files for a report to a folder. The expectations must \
      be met, and the events must equal those in the golden log x.expected.log. Its first line, \
      which contains the scenario, is not compared. A log of more than \
      \(LogRendering.goldenLinesMax) lines is stored as its first and last line. Without a golden \
      log, only the expectations count. The output does not depend on the number of threads.

      If a scenario has neither expectations nor a golden log, the command records its log and \
      exits with 1: review the log and commit it. If a golden log differs, the command writes the \
      new log to x.expected.log.new, for 'autowait review' and 'autowait accept'. It writes \
      nothing where CI is set. '--record' and the variable \(RecordMode.variable) override this. \
      With '--update', 'failed' or 'missing', the command writes golden logs directly, and exits \
      with 1 if it wrote any.

      Each run of a scenario with 'vary' is a test, and its golden log is x.RUN.expected.log. With \
      --set, only the expectations count, and nothing is written.

      A scenario with 'xfail' is known to fail. It does not count as a failure, but fails as soon \
      as it passes.

      A scenario whose rule is a program is skipped without --allow-programs. If there are only \
      such scenarios, or none are selected, the command exits with 4.
      """,
    options: [
      filter, failed, changed, partition, .set, jobs, update, record, defects, logs, junit,
      gitHub, durations, watch, rounds, format, .allowPrograms, .root, .color,
    ],
    examples: [
      ("autowait test", "Tests all scenarios."),
      (
        "autowait test Scenarios/demo --filter slow",
        "Tests scenarios whose path or name contains a word."
      ),
      (
        "autowait test --filter 'tag(smoke) and not path(hls)'",
        "Tests scenarios with a tag, except those in some paths."
      ),
      ("autowait test Scenarios/demo/x.json --update", "Accepts the new log of a scenario."),
      ("autowait test --watch", "Tests again whenever a file changes."),
      ("autowait test --junit report.xml", "Writes a report for a CI server."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let call = try TestCall(arguments, console)
    if let message = call.contradiction { throw Command.UsageError(message: message) }
    return arguments.has(watch) ? try call.watch() : try call.run().code
  }
}

/// The formats of what tests came to.
enum TestFormat: String, CaseIterable {
  case text, json, jsonl, tap
}
