import AutowaitFiles
import AutowaitScenario

/// Something that a test holds against a scenario.
struct TestFailure: Sendable {
  /// What kind of thing it is; the words stand in JSON and JUnit outputs.
  enum Kind: String, Sendable {
    /// The scenario cannot be read.
    case invalid
    /// An expectation is not met.
    case expectation
    /// The golden log differs from the run.
    case golden
    /// There is no golden log.
    case goldenMissing
    /// There is a golden log, or a new one, without its scenario.
    case goldenOrphan
    /// The run was stopped at its bound of events.
    case eventLimit
    /// A rule that is a program did not answer alike in two runs.
    case program
    /// What is known to fail does not.
    case mended
    /// Two runs of one scenario differ.
    case defect
  }

  /// What kind of thing it is.
  let kind: Kind
  /// The file that it is about.
  let path: String
  /// The line of the file, from 1.
  let line: Int
  /// What is the matter, in one line.
  let message: String
  /// The same as people read it, if that is not what programs are told.
  var wording: String?
  /// What else helps, line by line.
  var details: [String]
}

/// What testing one scenario came to.
struct TestReport: Sendable {
  /// The outcome.
  enum Status: String, Sendable {
    /// All is as it should be.
    case passed
    /// Something is held against the run.
    case failed
    /// Something is held against the run that is known, and kept until it is mended.
    case known
    /// The scenario cannot be read.
    case invalid
    /// The run was stopped at a bound.
    case cutOff
    /// The simulator has a defect.
    case defect
    /// The scenario was not run, for a reason.
    case skipped
    /// The file is no scenario.
    case foreign
    /// The filter does not let it pass.
    case filtered
  }

  /// A golden log that is not what it should be, and what it should be.
  struct Golden: Sendable {
    let path: String
    let bytes: [UInt8]
    let need: GoldenNeed
  }

  /// The path of the scenario.
  let path: String
  /// The name of the scenario.
  var name: String
  /// The name of the run, of a scenario that varies.
  var runName: String?
  /// The changes that were made in the scenario, as they were written.
  var changes: [String] = []
  /// The outcome.
  var status = Status.passed
  /// What identifies the run, if there was one.
  var run: (seed: UInt64, fingerprint: UInt64, end: Int64)?
  /// What is held against it.
  var failures: [TestFailure] = []
  /// The expectations of the level `warn` that are not met; they fail nothing.
  var warnings: [TestFailure] = []
  /// Why it was not run, if it was skipped, or why it is known to fail.
  var reason: String?
  /// The line of the scenario that says that it is known to fail.
  var reasonLine = 1
  /// How long it took, in nanoseconds of the clock on the wall.
  var duration: Int64 = 0
  /// Whether it starts programs.
  var startsPrograms = false
  /// The real paths of the files that the scenario names.
  var loaded: [String] = []
  /// What is to be said about the file.
  var findings: [Finding] = []
  /// The golden log that may be written, if that of the run is another one.
  var golden: Golden?
  /// The new log that was kept beside the golden one.
  var newLog: String?
  /// The recording of the run, where somebody wants it of scenarios that fail.
  var recording: RunRecording?
  /// The files that were kept for those who look into a failure.
  var kept: [String] = []
  /// What is to be sent, if there is a defect.
  var defect: DefectReport?

  /// The path with the run.
  var label: String { TestLabel.text(path, runName) }
  /// The path of the golden log, whether there is one or not.
  var goldenPath: String { GoldenPath.golden(of: path, run: runName) }

  /// Whether the scenario was selected to be tested.
  var isSelected: Bool { status != .foreign && status != .filtered }
  /// Whether something is wrong with it.
  var isWrong: Bool {
    switch status {
    case .passed, .known, .skipped, .foreign, .filtered: false
    case .failed, .invalid, .cutOff, .defect: true
    }
  }

  /// Why nothing was run.
  var skipReason: String? { status == .skipped ? reason : nil }

  /// Takes away what a golden log that is now another one was held against; returns whether
  /// nothing is left.
  mutating func forgiveGolden() -> Bool {
    failures.removeAll { $0.kind == .golden || $0.kind == .goldenMissing }
    golden = nil
    if failures.isEmpty { status = .passed }
    return failures.isEmpty
  }

  /// The calls that replay what was kept, on this machine or on another one.
  var replays: [String] { kept.map { "or anywhere with: autowait replay \(Path.quoted($0))" } }

  /// The call that shows the failures of this scenario alone.
  ///
  /// Only `autowait test` looks at golden logs and runs a scenario twice; what a run by itself
  /// shows, 'autowait run' shows best.
  func reproduction(root: String?) -> String {
    let isShownByRun = failures.allSatisfy { $0.kind == .expectation || $0.kind == .eventLimit }
    let seed = isShownByRun ? run.map { " --seed \($0.seed)" } ?? "" : ""
    let folder = root.map { " --root \(Path.quoted($0))" } ?? ""
    let programs = startsPrograms ? " \(Option.allowPrograms.name)" : ""
    var chosen = ""
    if let runName {
      chosen = isShownByRun ? " \(Option.run.name) \(runName)" : " --filter 'run(=\(runName))'"
    }
    for change in changes { chosen += " \(Option.set.name) \(Path.quoted(change))" }
    let command = isShownByRun ? "run" : "test"
    return "autowait \(command) \(Path.quoted(path))\(chosen)\(seed)\(programs)\(folder)"
  }
}

/// What testing some scenarios came to.
struct TestSummary {
  /// The scenarios that were selected, ordered by their paths.
  var reports: [TestReport]
  /// The number of other JSON files.
  let foreignCount: Int
  /// The number of scenarios that the filter did not let pass.
  let filteredCount: Int
  /// The folder given with `--root`, if one was.
  let root: String?
  /// The golden logs that were written.
  var updated: [String] = []

  /// The number of scenarios with which all is as it should be.
  var passedCount: Int { reports.count { $0.status == .passed } }
  /// The number of scenarios that were not run.
  var skippedCount: Int { reports.count { $0.status == .skipped } }
  /// The number of scenarios that are known to fail and did.
  var knownCount: Int { reports.count { $0.status == .known } }
  /// The number of the others.
  var failedCount: Int { reports.count { $0.isWrong } }
  /// The expectations that are not met and only warn, each with its scenario.
  var warnings: [(report: TestReport, warning: TestFailure)] {
    reports.flatMap { report in report.warnings.map { (report, $0) } }
  }
  /// The new logs that were kept beside golden ones.
  var newLogs: [String] { reports.compactMap(\.newLog) }
}
