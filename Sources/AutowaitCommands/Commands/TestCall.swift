import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// A call of `autowait test`: what its options say, and one run of the tests.
struct TestCall {
  let arguments: Arguments
  let console: Console
  let threads: Int
  let root: String?
  let programs: ProgramUse
  let recording: GoldenRecording
  let durations: Int?
  let rounds: Int?
  /// What is changed in each scenario.
  let changes: [ScenarioChange]

  private let format: TestFormat
  private let filter: TestFilter?
  private let partition: TestPartition?

  /// What one run of the tests came to.
  struct Outcome {
    let code: ExitCode
    var summary = TestSummary(reports: [], foreignCount: 0, filteredCount: 0, root: nil)
  }

  init(_ arguments: Arguments, _ console: Console) throws(Command.UsageError) {
    self.arguments = arguments
    self.console = console
    recording = try arguments.recording(TestCommand.record, TestCommand.update, console)
    threads =
      try arguments.count(TestCommand.jobs, in: 1...256) ?? console.environment.processorCount
    durations = try arguments.count(TestCommand.durations, in: 1...10_000)
    rounds = try arguments.count(TestCommand.rounds, in: 1...1_000_000)
    for option in [TestCommand.defects, TestCommand.logs] {
      try InputGuard.check(folder: arguments.value(option), for: "'\(option.name)'")
    }
    root = try arguments.root()
    changes = try arguments.changes()
    programs = try arguments.programs(console)
    format = arguments.choice(TestCommand.format, default: .text)
    partition = try arguments.value(TestCommand.partition).map {
      text throws(Command.UsageError) in
      try TestPartition(text, of: TestCommand.partition.name)
    }
    filter = try arguments.value(TestCommand.filter).map { text throws(Command.UsageError) in
      do throws(TestFilter.FilterError) { return try TestFilter(text) } catch {
        throw error.usage(TestCommand.filter.name, text)
      }
    }
  }

  /// What cannot be asked for at once.
  var contradiction: String? {
    if rounds != nil, !arguments.has(TestCommand.watch) {
      return "'\(TestCommand.rounds.name)' needs '\(TestCommand.watch.name)'"
    }
    let records = [TestCommand.record, TestCommand.update].filter { arguments.has($0) }
    if let option = records.first, !changes.isEmpty {
      return "'\(option.name)' and '\(Option.set.name)' exclude each other: a golden log is that "
        + "of the scenario as it stands in its file"
    }
    return nil
  }

  /// Tests once; what may be recorded can be said by who asks.
  func run(_ asked: GoldenRecording? = nil) throws(Command.UsageError) -> Outcome {
    // What a changed scenario does is no golden log.
    let recording = changes.isEmpty ? asked ?? recording : GoldenRecording(.never)
    let guarded = InputGuard(
      option: TestCommand.junit.name, output: arguments.value(TestCommand.junit))
    try guarded.checkIsName()
    let lastRun = LastRun(console.environment.variable)
    guard let cases = select(try selection(lastRun)) else { return Outcome(code: .invalid) }
    try guarded.check(scenarios: cases.map(\.path))
    try guarded.check(goldens: cases.map { GoldenPath.golden(of: $0.path, run: $0.runName) })
    var summary = test(dealt(cases))
    try guarded.check(loaded: summary.reports.flatMap(\.loaded))
    keepDefects(&summary)
    var code = write(&summary, recording)
    code = code.combined(with: exitCode(of: summary))
    if !keepRecordings(&summary) { code = code.combined(with: .invalid) }
    if !console.isServer, changes.isEmpty { lastRun.keep(summary.reports, console) }
    // Of what passes there is nothing to be said.
    for report in summary.reports where report.isWrong {
      // Errors stand with the results that are for people.
      console.report(report.findings.filter { format != .text || $0.severity != .error })
    }
    show(summary)
    if exitCode(of: summary) == .nothing { tellNothing(summary, lastRun) }
    tellDurations(summary)
    let problems = writeReports(summary)
    return Outcome(code: problems ? code.combined(with: .invalid) : code, summary: summary)
  }

  private func selection(_ lastRun: LastRun) throws(Command.UsageError) -> TestSelection {
    var selection = TestSelection(filter: filter, partition: partition)
    if arguments.has(TestCommand.failed) { selection.failed = lastRun.failed ?? PathList([]) }
    if let reference = arguments.value(TestCommand.changed) {
      selection.changed = try GitChanges.files(
        since: reference.isEmpty ? "HEAD" : reference, around: paths)
    }
    return selection
  }

  private func show(_ summary: TestSummary) {
    switch format {
    case .json: console.write(data: TestJSONRendering.bytes(summary))
    case .jsonl: console.write(data: TestJSONRendering.lines(summary))
    case .tap: console.write(document: TAPRendering.text(summary))
    case .text:
      let style = arguments.style(console)
      console.write(
        TestTextRendering.text(summary, columns: console.lineWidth, style),
        keepsPaint: style.usesColor)
    }
  }

  // MARK: What is tested

  /// Leaves out what other machines test, if scenarios are dealt out in turn.
  private func dealt(_ cases: [TestCase]) -> [TestCase] {
    guard let partition, partition.kind == .slice else { return cases }
    let asked = cases.map { test in
      var test = test
      test.isOnlyAsked = true
      return test
    }
    let isSelected = ThreadPool.map(asked, threads: threads) { $0.report { $0 }.isSelected }
    var dealt = cases
    var place = 0
    for index in dealt.indices where isSelected[index] {
      dealt[index].isElsewhere = !partition.holds(at: place)
      place += 1
    }
    return dealt
  }

  private func test(_ cases: [TestCase]) -> TestSummary {
    var progress: ((Int) -> Void)?
    if console.environment.messages.isTerminal {
      progress = { console.progress("\($0) of \(Plural.text(cases.count, "file"))") }
    }
    let planted = console.environment.planted
    let now = console.environment.nanoseconds
    let reports = ThreadPool.map(cases, threads: threads, progress: progress) { test in
      let start = now()
      var report = test.report(planted)
      report.duration = now() - start
      return report
    }
    console.clearProgress()
    return TestSummary(
      reports: reports.filter(\.isSelected),
      foreignCount: reports.count { $0.status == .foreign },
      filteredCount: reports.count { $0.status == .filtered }, root: root)
  }

  func exitCode(of summary: TestSummary) -> ExitCode {
    if summary.skippedCount == summary.reports.count { return .nothing }
    return summary.reports.reduce(.fine) { code, report in
      switch report.status {
      case .passed, .known, .skipped, .foreign, .filtered: code
      case .failed: code.combined(with: .differs)
      case .invalid: code.combined(with: .invalid)
      case .cutOff: code.combined(with: .cutOff)
      case .defect: code.combined(with: .defect)
      }
    }
  }

  // MARK: What is told beside results

  private func tellNothing(_ summary: TestSummary, _ lastRun: LastRun) {
    if summary.skippedCount > 0 {
      let count = Plural.text(summary.skippedCount, "scenario")
      return console.refuse(
        "nothing was tested: \(count) skipped for want of '\(Option.allowPrograms.name)'",
        notes: ProgramUse.refusalNotes)
    }
    let places = paths.map { "'\($0)'" }.joined(separator: ", ")
    if summary.filteredCount == 0 {
      return console.refuse(
        "there is no scenario in \(places)",
        notes: ["a scenario is a .json file with the key \"autowait\""])
    }
    let count = Plural.text(summary.filteredCount, "scenario")
    var wishes: [String] = []
    var notes: [String] = []
    if case .text(let text)? = filter {
      wishes.append("has '\(text)' in its path or name")
    } else if let text = arguments.value(TestCommand.filter) {
      wishes.append("is one for which '\(text)' holds")
    }
    if arguments.has(TestCommand.failed) {
      wishes.append("is known to have failed when it was last tested from this folder")
      notes.append(
        lastRun.path.map { "that is kept in '\($0)'" }
          ?? "nothing is kept without XDG_CACHE_HOME, HOME or TMPDIR")
    }
    if arguments.has(TestCommand.changed) { wishes.append("has changed, by what git says") }
    if let part = arguments.value(TestCommand.partition) { wishes.append("is in \(part)") }
    console.refuse("none of \(count) \(wishes.joined(separator: ", and "))", notes: notes)
  }

  private func tellDurations(_ summary: TestSummary) {
    guard let durations, !summary.reports.isEmpty else { return }
    let slowest = summary.reports.enumerated().sorted {
      ($1.element.duration, $0.offset) < ($0.element.duration, $1.offset)
    }.prefix(durations)
    let count = Plural.text(summary.reports.count, "scenario")
    console.message("slowest \(slowest.count) of \(count), in seconds:")
    for (_, report) in slowest {
      console.message("  \(JUnitRendering.seconds(report.duration))  \(report.label)")
    }
  }
}
