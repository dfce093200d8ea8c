import AutowaitRendering
import AutowaitScenario

/// `autowait check`: reads files of all kinds without running them.
enum CheckCommand {
  /// The version of the format of the JSON output.
  private static let formatVersion: Int64 = 1

  /// How often a file is corrected and read again.
  private static let correctionsMax = 10
  private static let explain = Option(
    "--explain", "Shows the default of every key that a scenario omits")

  private static let fix = Option(
    "--fix", "Corrects mistyped keys and words in FILE, and names that other tools use")

  private static let gapless = Option(
    "--gapless", "Says whether each playlist can follow the previous one without a gap")

  static let command = Command(
    name: "check", operands: "FILE…", operandsMin: 1,
    summary: "Reads scenarios, experiments, links and playlists without running them",
    about: """
      Reports all errors in each FILE, which is a scenario, an experiment, a link, a heuristic or \
      an HLS playlist (.m3u8), and warns about values that are probably wrong; - is standard \
      input. The content says what a FILE is, and the command tells you, unless it is a scenario. \
      Exits with 2 if there is an error. If a scenario has several runs, checks all of them, and \
      reports each error once.

      With --gapless, the FILEs are playlists of items that follow each other in a queue. Exits \
      with 1 if one of them can end with a variant after which there is a gap.
      """,
    options: [explain, fix, gapless, .set, .format, .root],
    examples: [
      ("autowait check Scenarios/demo/*.json", "Checks scenarios."),
      ("autowait check Scenarios/link/files/stepped.json", "Checks a link."),
      ("autowait check prog_index.m3u8", "Checks a playlist."),
      ("autowait check --explain Scenarios/demo/fast.json", "Shows all defaults of a scenario."),
      (
        "autowait check --gapless one.m3u8 two.m3u8",
        "Says whether one stream can follow the other."
      ),
      ("autowait check --fix Scenarios/mine.json", "Corrects mistyped keys and words."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let files = ScenarioFiles(root: try arguments.root(), changes: try arguments.changes())
    let format: TextFormat = arguments.choice(.format, default: .text)
    if arguments.has(fix), arguments.has(.set) {
      throw Command.UsageError(
        message: "'--fix' and '\(Option.set.name)' exclude each other",
        notes: ["what is written to FILE is only what stands there"])
    }
    if arguments.operands.count(where: { $0 == "-" }) > (arguments.has(fix) ? 0 : 1) {
      throw Command.UsageError(
        message: arguments.has(fix)
          ? "'--fix' corrects a file, not standard input" : "standard input can be read only once")
    }
    if arguments.has(gapless) {
      if arguments.operands.count < 2 {
        throw Command.UsageError(message: "'--gapless' needs at least two playlists")
      }
      return GaplessCheck.run(arguments.operands, files, format, console)
    }
    var (invalid, errors, warnings) = (0, 0, 0)
    let traces = TraceNotes()
    let object = JSONWriter.line { writer in
      writer.field("version", formatVersion)
      writer.objects("files", arguments.operands) { writer, path in
        var read = path == "-" ? console.standardInput() : files.source(path)
        var checked = files.check(read, traces: traces)
        // What was mistyped can have hidden what else is.
        var rounds = arguments.has(fix) ? correctionsMax : 0
        while rounds > 0, correct(path, checked.findings, files, console) {
          read = files.source(path)
          checked = files.check(read)
          rounds -= 1
        }
        let findings = checked.findings
        if !checked.isValid { invalid += 1 }
        errors += findings.count { $0.severity == .error }
        warnings += findings.count { $0.severity == .warning }
        let leftOut = arguments.has(explain) ? files.leftOut(read) : nil
        if format == .text {
          console.report(findings)
          if let kind = checked.kind, kind != .scenario { console.line("\(path): \(kind.subject)") }
          if let leftOut {
            console.write(LeftOutRendering.text(path, leftOut, width: console.width))
          }
        }
        writer.field("path", text: path)
        if let kind = checked.kind { writer.field("kind", text: kind.rawValue) }
        writer.field("valid", checked.isValid)
        FindingRendering.write("findings", findings, into: &writer)
        if let leftOut { LeftOutRendering.write("leftOut", leftOut, into: &writer) }
      }
      writer.field("errors", Int64(errors))
      writer.field("warnings", Int64(warnings))
    }
    traces.report(console)
    if format == .json {
      console.write(data: object)
    } else {
      let counts = [
        Plural.text(arguments.operands.count, "file") + ": \(invalid) invalid",
        Plural.text(errors, "error"), Plural.text(warnings, "warning"),
      ]
      console.line(counts.joined(separator: ", "))
    }
    return invalid == 0 ? .fine : .invalid
  }

  /// Corrects what can be; returns whether the file is another one now.
  private static func correct(
    _ path: String, _ findings: [Finding], _ files: ScenarioFiles, _ console: Console
  ) -> Bool {
    switch files.correct(path, findings) {
    case .failure(let finding):
      console.report([finding])
      return false
    case .success(let corrected):
      for (finding, text) in corrected {
        console.message("\(path):\(finding.line):\(finding.column): is \(text) now")
      }
      return !corrected.isEmpty
    }
  }
}
