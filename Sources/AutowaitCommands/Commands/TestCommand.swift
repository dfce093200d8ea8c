import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait test`: runs all scenarios below some folders and holds them against their expectations
/// and their goldens.
enum TestCommand {
  static let filter = Option(
    "--filter", value: "FILTER",
    "Tests only scenarios for which FILTER holds: a part of the path or name; name(…), path(…), "
      + "run(…), tag(…); and, or, not, parentheses")
  static let failed = Option(
    "--failed", "Tests only scenarios that failed when they were last tested from this folder")
  static let changed = Option(
    "--changed", optionalValue: "REF",
    "Tests only scenarios that differ from the commit REF, or name files that do; without REF, "
      + "from the last commit")
  static let partition = Option(
    "--partition", value: "PART",
    "Tests one of N parts: slice:M/N deals scenarios out in turn, hash:M/N by their paths")
  static let jobs = Option(
    "--jobs", value: "N", "Uses N threads; without it, one for each processor")
  static let update = Option(
    "--update", "Writes golden logs that differ or do not exist; not where CI is set")
  static let record = Option(
    "--record", choices: RecordMode.allCases.map(\.rawValue),
    "Writes golden logs: all, those for which a scenario fails, those that do not exist, or none")
  static let defects = Option(
    "--defects", value: "FOLDER",
    "Keeps what is to be sent of a defect of autowait in FOLDER; without it, where temporary files "
      + "are")
  static let logs = Option(
    "--logs", value: "FOLDER",
    "Keeps a recording of each scenario that fails in FOLDER, for a CI server to offer: "
      + "'autowait replay' runs it on any machine")
  static let junit = Option(
    "--junit", value: "FILE", "Writes a report for CI servers to FILE")
  static let gitHub = Option(
    "--github",
    "Prints annotations and a summary for GitHub; without it, where GITHUB_ACTIONS "
      + "is true")
  static let durations = Option(
    "--durations", value: "N", "Tells which N scenarios took longest, on standard error")
  static let watch = Option(
    "--watch", "Tests again whenever a file changes, until q is entered; u accepts what happens now"
  )
  static let rounds = Option("--rounds", value: "N", "Ends --watch after N times")
  static let format = Option(
    "--format", choices: TestFormat.allCases.map(\.rawValue),
    "text is for people; json is one object; jsonl is one for each scenario; tap is version 14 of "
      + "the Test Anything Protocol")
  static let command = Command(
    name: "test", operands: "[PATH…]", operandsMin: 0,
    summary: "Tests scenarios: their expectations and golden logs",
    about: """
      Tests each PATH: a scenario, or a folder with scenarios in it; without one, the folder \
      Scenarios, or else this one. A scenario is a .json file with the key "autowait"; other \
      .json files are skipped. Each scenario x.json is run twice, the second time without any \
      shortcut: event by event, with everything planned again after each. Both runs must be the \
      same; if they are not, that is a defect of autowait, and the files for a report are kept in \
      a folder. Its expectations must be met, and what happens must be what its golden log \
      x.expected.log says, byte for byte behind the first line, which has the scenario; a log of \
      more than \(LogRendering.goldenLinesMax) lines is kept there as its first and last line. \
      Without a golden log the expectations alone judge. The output does not depend on the number \
      of threads.

      A scenario that has neither is recorded, and the command ends with 1: look at the log and \
      commit it. Where the golden log differs, the new one is kept beside it, as \
      x.expected.log.new, for 'autowait review' and 'autowait accept'. Where CI is set nothing is \
      written. '--record' and the variable \(RecordMode.variable) say otherwise; with '--update', \
      or 'failed' and 'missing', golden logs are written at once, and the command ends with 1 if \
      it wrote one.

      A scenario with 'vary' is a test for each of its runs, and the golden log of a run is \
      x.RUN.expected.log. With --set the expectations alone judge, and nothing is written.

      A scenario whose 'xfail' gives a reason is known to fail: it counts as known, and fails as \
      soon as nothing is held against it.

      A scenario whose rule is a program is skipped, unless --allow-programs lets programs start. \
      With nothing but such scenarios the command ends with 4, and so it does where nothing is \
      selected.
      """,
    options: [
      filter, failed, changed, partition, .set, jobs, update, record, defects, logs, junit,
      gitHub, durations, watch, rounds, format, .allowPrograms, .root, .color,
    ],
    examples: [
      ("autowait test", "Tests all scenarios."),
      ("autowait test Scenarios/demo --filter slow", "Tests some."),
      ("autowait test --filter 'tag(smoke) and not path(hls)'", "Tests others."),
      ("autowait test Scenarios/demo/x.json --update", "Accepts what a scenario does now."),
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
