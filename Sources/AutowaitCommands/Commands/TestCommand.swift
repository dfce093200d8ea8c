import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait test`: runs all scenarios below some folders and holds them against their goldens.
enum TestCommand {
  private static let filter = Option(
    "--filter", value: "TEXT", "Tests only scenarios whose path or name contains TEXT")
  private static let jobs = Option(
    "--jobs", value: "N", "Uses N threads; without it, one for each processor")
  private static let update = Option(
    "--update", "Writes golden logs that differ or do not exist; not where CI is set")
  private static let defects = Option(
    "--defects", value: "FOLDER",
    "Keeps what is to be sent of a defect of autowait in FOLDER; without it, where temporary files "
      + "are")
  private static let junit = Option(
    "--junit", value: "FILE", "Writes a report for CI servers to FILE")
  private static let gitHub = Option(
    "--github",
    "Prints annotations and a summary for GitHub; without it, where GITHUB_ACTIONS "
      + "is true")
  static let command = Command(
    name: "test", operands: "[PATH…]", operandsMin: 0,
    summary: "Tests scenarios: their expectations and golden logs",
    about: """
      Tests each PATH: a scenario, or a folder with scenarios in it; without one, the folder \
      Scenarios, or else this one. A scenario is a .json file with the key "autowait"; other \
      .json files are skipped. Each scenario x.json is run twice, the second time without any \
      shortcut: event by event, with everything planned again after each. Both runs must be the \
      same; if they are not, that is a defect of autowait, and the files for a report are kept in \
      a folder. Its expectations must be met, and its log must be that of x.expected.log, byte for \
      byte; a log of more than \(LogRendering.goldenLinesMax) lines is kept there as its first and \
      last line. The output does not depend on the number of threads.

      A scenario whose rule is a program is skipped, unless --allow-programs lets programs start. \
      With nothing but such scenarios the command ends with 4.

      With --update the golden logs are written and the command ends with 1 if it wrote one: \
      look at the difference and commit it.
      """,
    options: [
      filter, jobs, update, defects, junit, gitHub, .format, .allowPrograms, .root, .color,
    ],
    examples: [
      ("autowait test", "Tests all scenarios."),
      ("autowait test Scenarios/demo --filter slow", "Tests some."),
      ("autowait test Scenarios/demo/x.json --update", "Accepts what a scenario does now."),
      ("autowait test --junit report.xml", "Writes a report for a CI server."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let variable = console.environment.variable
    let updates = arguments.has(update)
    if updates, let value = variable("CI"), !value.isEmpty, value != "false" {
      throw Command.UsageError(
        message: "'--update' is refused, because CI is set",
        notes: ["update the golden logs on your own machine and commit them"])
    }
    let threads = try arguments.count(jobs, in: 1...256)
    let guarded = InputGuard(option: junit.name, output: arguments.value(junit))
    try guarded.checkIsName()
    try InputGuard.check(folder: arguments.value(defects), for: "'\(defects.name)'")
    let root = try arguments.root()
    let programs = try arguments.programs(console)
    guard let cases = select(arguments, root, programs, console) else { return .invalid }
    try guarded.check(scenarios: cases.map(\.path))
    try guarded.check(goldensOf: cases.map(\.path))
    var summary = test(
      cases, threads: threads ?? console.environment.processorCount, root: root, console)
    try guarded.check(loaded: summary.reports.flatMap(\.loaded))
    summary = keepDefects(of: summary, in: folderOfDefects(arguments, console))
    var code = exitCode(of: summary)
    if updates { code = write(&summary, console) }
    let format: TextFormat = arguments.choice(.format, default: .text)
    for report in summary.reports { console.report(report.findings) }
    switch format {
    case .json: console.write(data: TestJSONRendering.bytes(summary))
    case .text:
      let usesColor = arguments.style(console).usesColor
      console.write(
        TestTextRendering.text(summary, usesColor: usesColor), keepsPaint: usesColor)
    }
    if exitCode(of: summary) == .nothing { nothing(arguments, summary, console) }
    let problems = writeReports(arguments, summary, format, console)
    return problems ? code.combined(with: .invalid) : code
  }

  /// Finds the files to be tested; nil after having reported a path that cannot be used.
  private static func select(
    _ arguments: Arguments, _ root: String?, _ programs: ProgramUse, _ console: Console
  ) -> [TestCase]? {
    let filter = arguments.value(filter)
    var cases: [TestCase] = []
    var isComplete = true
    for path in paths(arguments) {
      if Files.kind(of: path) != .folder {
        let isOrphan = GoldenPath.scenario(of: path).map { Files.kind(of: $0) == nil } ?? false
        if let finding = explicitFinding(path, isOrphan) {
          console.report([finding])
          isComplete = false
        }
        cases.append(
          TestCase(
            path: Path.tidied(path), isExplicit: true, filter: filter, root: root,
            programs: programs))
        continue
      }
      do throws(Files.SystemProblem) {
        let files = try Files.list(Path.tidied(path)) {
          GoldenPath.mayBeScenario($0) || GoldenPath.scenario(of: $0) != nil
        }
        for file in files {
          let scenario = GoldenPath.scenario(of: file)
          let isOrphan = scenario.map { Files.kind(of: $0) == nil } ?? false
          guard isOrphan || GoldenPath.mayBeScenario(file) else { continue }
          var test = TestCase(
            path: file, isExplicit: false, filter: filter, root: root, programs: programs)
          test.isOrphan = isOrphan
          cases.append(test)
        }
      } catch {
        console.report([Finding(.error, "the folder \(error.reason)", path: path)])
        isComplete = false
      }
    }
    return isComplete ? ordered(cases) : nil
  }

  /// The paths given, or the one that stands for none.
  private static func paths(_ arguments: Arguments) -> [String] {
    if !arguments.operands.isEmpty { return arguments.operands }
    return [Files.kind(of: "Scenarios") == .folder ? "Scenarios" : "."]
  }

  /// Says why a path cannot be tested, if it cannot.
  private static func explicitFinding(_ path: String, _ isOrphan: Bool) -> Finding? {
    if Files.kind(of: path) == nil {
      guard case .failure(let finding) = ScenarioFiles().source(path) else { return nil }
      return finding
    }
    guard let scenario = GoldenPath.scenario(of: path) else { return nil }
    return Finding(
      .error, "this is a golden log, not a scenario", path: path,
      notes: isOrphan ? [] : ["its scenario is '\(scenario)'"])
  }

  /// Returns cases ordered by their paths, each file once, under the shortest of its paths.
  private static func ordered(_ cases: [TestCase]) -> [TestCase] {
    // By bytes: two names that Unicode calls equivalent are two files.
    var folders: [[UInt8]: String] = [:]
    var best: [[UInt8]: TestCase] = [:]
    for test in cases {
      let folder = Path.folder(of: test.path)
      let real = folders[Array(folder.utf8)] ?? Files.realPath(folder) ?? folder
      folders[Array(folder.utf8)] = real
      let place = Array(Path.join(real, Path.name(of: test.path)).utf8)
      guard let other = best[place] else {
        best[place] = test
        continue
      }
      var kept = isShorter(test.path, other.path) ? test : other
      kept.isExplicit = test.isExplicit || other.isExplicit
      best[place] = kept
    }
    return best.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private static func isShorter(_ left: String, _ right: String) -> Bool {
    if left.utf8.count != right.utf8.count { return left.utf8.count < right.utf8.count }
    return left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private static func test(
    _ cases: [TestCase], threads: Int, root: String?, _ console: Console
  ) -> TestSummary {
    var progress: ((Int) -> Void)?
    if console.environment.messages.isTerminal {
      progress = { console.progress("\($0) of \(Plural.text(cases.count, "file"))") }
    }
    let planted = console.environment.planted
    let reports = ThreadPool.map(cases, threads: threads, progress: progress) {
      $0.report(planted)
    }
    console.clearProgress()
    return TestSummary(
      reports: reports.filter(\.isSelected),
      foreignCount: reports.count { $0.status == .foreign },
      filteredCount: reports.count { $0.status == .filtered }, root: root)
  }

  private static func folderOfDefects(_ arguments: Arguments, _ console: Console) -> String {
    arguments.value(defects) ?? console.environment.variable("TMPDIR") ?? "/tmp"
  }

  /// Writes what is to be sent of each defect, and says where it is.
  private static func keepDefects(of summary: TestSummary, in folder: String) -> TestSummary {
    var summary = summary
    for index in summary.reports.indices {
      guard let defect = summary.reports[index].defect else { continue }
      let said: String
      do throws(Files.SystemProblem) {
        said = "please send the folder \(Path.quoted(try defect.write(in: folder)))"
      } catch {
        said = "what is to be sent cannot be kept in '\(folder)': a file there \(error.reason)"
      }
      summary.reports[index].failures[0].details.append(said)
    }
    return summary
  }

  private static func exitCode(of summary: TestSummary) -> ExitCode {
    if summary.skippedCount == summary.reports.count { return .nothing }
    return summary.reports.reduce(.fine) { code, report in
      switch report.status {
      case .passed, .skipped, .foreign, .filtered: code
      case .failed: code.combined(with: .differs)
      case .invalid: code.combined(with: .invalid)
      case .cutOff: code.combined(with: .cutOff)
      case .defect: code.combined(with: .defect)
      }
    }
  }

  /// Writes the golden logs that are not what they should be; returns the code to end with.
  private static func write(_ summary: inout TestSummary, _ console: Console) -> ExitCode {
    var code = ExitCode.fine
    for index in summary.reports.indices {
      let report = summary.reports[index]
      // What a defect gave must not become what is expected.
      guard let golden = report.golden, report.status != .defect else { continue }
      guard Files.store([(golden.path, golden.bytes)], console) == .fine else {
        code = .invalid
        continue
      }
      summary.updated.append(golden.path)
      let rest = report.failures.filter { $0.kind != .golden && $0.kind != .goldenMissing }
      summary.reports[index].failures = rest
      if rest.isEmpty { summary.reports[index].status = .passed }
    }
    code = code.combined(with: exitCode(of: summary))
    return summary.updated.isEmpty ? code : code.combined(with: .differs)
  }

  private static func nothing(
    _ arguments: Arguments, _ summary: TestSummary, _ console: Console
  ) {
    if summary.skippedCount > 0 {
      let count = Plural.text(summary.skippedCount, "scenario")
      return console.refuse(
        "nothing was tested: \(count) skipped for want of '\(Option.allowPrograms.name)'",
        notes: ProgramUse.refusalNotes)
    }
    let places = paths(arguments).map { "'\($0)'" }.joined(separator: ", ")
    if summary.filteredCount > 0, let filter = arguments.value(filter) {
      let count = Plural.text(summary.filteredCount, "scenario")
      console.refuse("none of \(count) has '\(filter)' in its path or name")
    } else {
      console.refuse(
        "there is no scenario in \(places)",
        notes: ["a scenario is a .json file with the key \"autowait\""])
    }
  }

  /// Writes what CI servers read; returns whether something could not be written.
  private static func writeReports(
    _ arguments: Arguments, _ summary: TestSummary, _ format: TextFormat, _ console: Console
  ) -> Bool {
    let variable = console.environment.variable
    var isWrong = false
    if let path = arguments.value(junit) {
      isWrong = Files.store([(path, JUnitRendering.bytes(summary))], console) != .fine
    }
    if arguments.has(gitHub) || variable("GITHUB_ACTIONS") == "true" {
      // The runner reads both streams, and an object on stdout must stay one.
      console.send(GitHubRendering.annotations(summary), asMessages: format == .json)
      if let path = variable("GITHUB_STEP_SUMMARY"), !path.isEmpty {
        do throws(Files.SystemProblem) {
          try Files.append(Array(GitHubRendering.summary(summary).utf8), to: path)
        } catch {
          console.report([Finding(.error, "the file \(error.reason)", path: path)])
          isWrong = true
        }
      }
    }
    return isWrong
  }
}
