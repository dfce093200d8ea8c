import Autowait
import AutowaitExperiment
import AutowaitFiles
import AutowaitReference
import AutowaitRendering
import AutowaitScenario

/// `autowait run`: runs scenarios and shows what happened.
enum RunCommand {
  private enum Format: String, CaseIterable {
    case timeline, json, jsonl, states
    case accessLog = "access-log"
    case errorLog = "error-log"
    case metrics = "avmetrics"
    case perfetto, har, cmcd

    /// Whether several runs in one output would be neither one document nor told apart.
    var takesOneRun: Bool {
      switch self {
      case .timeline, .json, .jsonl: false
      case .states, .accessLog, .errorLog, .metrics, .perfetto, .har, .cmcd: true
      }
    }

    /// Whether the output is one document, which cannot follow another.
    var isDocument: Bool { self == .perfetto || self == .har }
  }

  private static let at = Option(
    "--at", value: "TIME", "Shows the players' properties at TIME, such as 8.16")
  private static let seed = Option("--seed", value: "N", "Replaces the scenario's seed")
  private static let format = Option(
    "--format", value: "FORMAT", choices: Format.allCases.map(\.rawValue),
    "timeline is for people; json prints one object per scenario, in one line; jsonl prints the "
      + "log; states prints one line per state; access-log and error-log print those of "
      + "AVPlayerItem, as W3C extended logs; avmetrics prints the metric events of iOS 18, one "
      + "line of JSON each, and none of players of older versions; perfetto prints a trace for "
      + "ui.perfetto.dev; har prints the requests as an HTTP archive; cmcd prints the events of "
      + "CMCD version 2, one a line")
  private static let width = Option("--width", value: "N", "Makes the timeline N columns wide")

  private static let recording = Option(
    "--recording", value: "FILE",
    "Also writes a recording to FILE: the scenario, the files that it uses, and the log; "
      + "'autowait replay FILE' verifies it on any machine")

  private static let compat = Option(
    "--compat", value: "MODE",
    "Plays the stream as another simulator would: sabre or pensieve; 'sabre,defects' also prints "
      + "Sabre's own counts, and 'sabre,repaired' plays it without Sabre's defects"
  ).offering(CompatMode.allCases.map(\.rawValue))

  static let session = Option(
    "--session", value: "N",
    "Runs session N of the experiment FILE, numbered as in 'autowait compare'")

  static let command = Command(
    name: "run", operands: "FILE…", operandsMin: 1,
    summary: "Runs scenarios and shows what happened",
    about: """
      Reads all FILEs first, and runs none of them if one is invalid. - is standard input. Prints \
      a timeline, the metrics and the results of the expectations for each scenario. Exits with 1 \
      if an expectation is not met. Starts rules that are programs only with --allow-programs.

      If a scenario has several runs, with the key 'vary', all of them are run, or those named by \
      --run. Changes by --set come last.

      With --session, FILE is an experiment, and one of its sessions is run. Use the same --seeds \
      as for 'autowait compare'.
      """,
    options: [
      at, seed, .run, .set, session, CompareCommand.seeds, format, CompareCommand.output, recording,
      PictureFiles.svg, PictureFiles.html, FigureOptions.option, compat, .eventByEvent,
      .allowPrograms, .root, .color,
      width,
    ],
    examples: [
      ("autowait run Scenarios/demo/play-right-away.json", "Shows one run."),
      (
        "autowait run Scenarios/demo/play-right-away.json --at 8.159375",
        "Also shows the table of properties at a time."
      ),
      (
        "autowait run x.json --format jsonl --output x.log",
        "Writes the log, which 'autowait replay x.log' can verify."
      ),
      (
        "autowait run x.json --set link=nlc/3g --set until=60",
        "Runs it over another link, for one minute."
      ),
      (
        "autowait run x.json --recording x.recording",
        "Writes a file with which the run can be replayed elsewhere."
      ),
      ("autowait run x.json --run tunnel", "Runs only one of the runs of a scenario."),
      ("autowait run y.json --session 17", "Runs one session of an experiment."),
      ("autowait run x.json --format access-log", "Shows the access log of every player."),
      ("autowait run x.json --format avmetrics", "Shows the metric events of every player."),
      (
        "autowait run x.json --format perfetto --output x.trace.json",
        "Writes a trace that ui.perfetto.dev opens."
      ),
      (
        "autowait run x.json --format har --output x.har",
        "Writes the requests as an archive that developer tools open."
      ),
      (
        "autowait run x.json --svg x.svg --figure width=85mm --figure font-size=8pt",
        "Draws the run for a column of a paper."
      ),
      ("autowait run x.json --html x.html", "Shows the run, and writes a page about it."),
      ("autowait run a.json b.json --html x.html", "Writes a page with both runs side by side."),
      ("autowait run x.json --svg - > x.svg", "Draws the run, and prints nothing else."),
      ("autowait run x.json --compat sabre", "Plays the stream as Sabre does."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    var run = try Runner(arguments, console)
    let guarded = InputGuard(option: "--output", output: run.output)
    try guarded.check(scenarios: arguments.operands)
    try run.pictures.check(scenarios: arguments.operands)
    let record = InputGuard(option: recording.name, output: run.recording)
    try record.checkIsName()
    try record.check(scenarios: arguments.operands)
    let traces = TraceNotes()
    let (scenarios, loaded) = try run.read(arguments, traces)
    guard let scenarios else { return .invalid }
    try run.pictures.check(count: scenarios.count, of: arguments.operands[0])
    try run.checkFormat(scenarios)
    try run.checkRecording(scenarios)
    try guarded.check(loaded: loaded)
    try run.pictures.check(scenarios: [], loaded: loaded)
    try record.check(loaded: loaded)
    traces.report(console)
    var code = ExitCode.fine
    var collected: [UInt8] = []
    for (index, scenario) in scenarios.enumerated() {
      if let compat = run.compat {
        guard let bytes = run.render(scenario, as: compat, isFirst: index == 0) else {
          return .invalid
        }
        if run.output == nil { console.write(data: bytes) } else { collected += bytes }
        continue
      }
      do throws(Finding) {
        let played = try run.play(scenario)
        let result = played.result
        if !result.isAsExpected { code = code.combined(with: .differs) }
        if result.isCutOff { code = code.combined(with: .cutOff) }
        if run.output != nil {
          collected += run.render(played, isFirst: index == 0)
        } else if !run.pictures.takesOutput {
          console.write(data: run.render(played, isFirst: index == 0))
        }
        run.pictures.add(played, run.runner)
        code = code.combined(with: run.writeRecording(played.result))
      } catch {
        console.report([error])
        return .invalid
      }
    }
    code = code.combined(with: run.pictures.write(console))
    guard let output = run.output else { return code }
    return Files.store([(output, collected)], console).combined(with: code)
  }

  /// What all scenarios of one call have in common.
  private struct Runner {
    let at: Instant?
    let seed: UInt64?
    let format: Format
    let compat: CompatMode?
    let output: String?
    let recording: String?
    let recorder: FileRecorder?
    var pictures: PictureFiles
    let style: TextStyle
    let console: Console
    let files: ScenarioFiles
    /// The changes as they were given.
    let changes: [String]
    let pace: Simulation.Pace
    let wantedRuns: [String]
    /// The experiment of which a session is run; nil where scenarios are.
    private var plan: ExperimentPlan?

    init(_ arguments: Arguments, _ console: Console) throws(Command.UsageError) {
      at = try arguments.instant(RunCommand.at)
      seed = try arguments.number(RunCommand.seed, in: 0...Int64.max).map { UInt64($0) }
      format = arguments.choice(RunCommand.format, default: .timeline)
      compat = try Self.compat(arguments)
      output = arguments.output(CompareCommand.output)
      recording = arguments.value(RunCommand.recording)
      changes = arguments.values(.set)
      pictures = try PictureFiles(arguments, output: arguments.value(CompareCommand.output))
      let width = try arguments.count(RunCommand.width, in: TimelineRendering.widths)
      let color: Console.ColorChoice = arguments.choice(.color, default: .auto)
      pace = arguments.pace
      style = TextStyle(
        width: width ?? console.width,
        usesColor: console.usesColor(color) && (output == nil || color == .always))
      self.console = console
      // The other simulators know no end of a run, and play on for as long as it takes.
      files = ScenarioFiles(
        root: try arguments.root(), programs: try arguments.programs(console),
        readsWholeTraces: compat != nil, changes: try arguments.changes())
      wantedRuns = arguments.values(.run)
      recorder = recording.map { _ in FileRecorder() }
      try checkRecording(arguments)
      if pictures.takesOutput, output == nil, arguments.has(RunCommand.format) || at != nil {
        let option = at == nil ? "--format" : "--at"
        throw Command.UsageError(
          message: "a picture is printed instead of what '\(option)' asks for",
          notes: ["with '--output FILE' both are had"])
      }
      if at != nil, format != .timeline {
        throw Command.UsageError(message: "'--at' belongs to '--format timeline'")
      }
      if compat != nil, pace == .eventByEvent {
        throw Command.UsageError(
          message: "'--compat' and '--event-by-event' exclude each other",
          notes: ["the other simulators have one way to play"])
      }
      if compat != nil, !pictures.isEmpty {
        throw Command.UsageError(message: "'--compat' draws no pictures")
      }
      if compat != nil, at != nil || ![.timeline, .json].contains(format) {
        throw Command.UsageError(
          message: "'--compat' has a table and '--format json', and nothing else")
      }
    }

    private func checkRecording(_ arguments: Arguments) throws(Command.UsageError) {
      guard recording != nil else { return }
      if arguments.operands.count > 1 {
        throw Command.UsageError(
          message: "'--recording' takes one scenario, but there are "
            + "\(arguments.operands.count)",
          notes: ["run each by itself, with a FILE of its own"])
      }
      if compat != nil {
        throw Command.UsageError(message: "'--compat' and '--recording' exclude each other")
      }
      let paths = [
        RunCommand.recording, CompareCommand.output, PictureFiles.svg, PictureFiles.html,
      ]
      try InputGuard.check(apart: paths.map { ($0.name, arguments.value($0)) })
    }

    /// Writes a recording of a run, if one is wanted.
    func writeRecording(_ result: RunResult) -> ExitCode {
      guard let path = recording, let recorder else { return .fine }
      let log = LogRendering.log(result)
      let bytes = recorder.recording(
        run: result.scenario.runName, seed: seed, changes: changes, log: log
      ).bytes
      if bytes.count > Files.bytesMax {
        console.report([
          Finding(
            .error,
            "the recording would be larger than what can be read again, "
              + "\(Files.bytesMax >> 20 + 1) MiB", path: path)
        ])
        return .invalid
      }
      return Files.store([(path, bytes)], console)
    }

    /// Throws where a recording would have more than one run.
    func checkRecording(_ scenarios: [Scenario]) throws(Command.UsageError) {
      guard recording != nil, scenarios.count > 1 else { return }
      throw Command.UsageError(
        message: "'\(RunCommand.recording.name)' takes one run, but '\(scenarios[0].path)' has "
          + "\(scenarios.count)",
        notes: ["'\(Option.run.name) NAME' chooses one of them"])
    }

    /// Reads the scenarios, or the one of a session; also returns the real paths of the files that
    /// they name.
    mutating func read(
      _ arguments: Arguments, _ traces: TraceNotes
    ) throws(Command.UsageError) -> (scenarios: [Scenario]?, loaded: [String]) {
      let limit = Int64(ExperimentPlan.sessionsMax)
      let number = try arguments.number(RunCommand.session, in: 0...limit)
      let seedCount = try arguments.count(CompareCommand.seeds, in: 1...1_000_000_000_000)
      guard let number else {
        if seedCount != nil { throw needs(CompareCommand.seeds, RunCommand.session) }
        return readAll(arguments.operands, traces)
      }
      for option in [RunCommand.seed, .run, RunCommand.recording]
      where arguments.has(option) {
        throw Command.UsageError(
          message: "'\(option.name)' is for scenarios, and '\(RunCommand.session.name)' for "
            + "experiments")
      }
      guard arguments.operands.count == 1, let path = arguments.operands.first else {
        throw Command.UsageError(message: "'\(RunCommand.session.name)' takes one experiment")
      }
      var loaded: [String] = []
      let (plan, findings) = files.readExperiment(path, seedCount: seedCount) { loaded.append($0) }
      guard let plan else {
        console.report(findings)
        return (nil, [])
      }
      guard number < plan.sessionCount else {
        let last = "the last one is \(plan.sessionCount - 1)"
        throw Command.UsageError(message: "there is no session \(number)", notes: [last])
      }
      let files = files.experimentFiles(traces) { loaded.append($0) }
      let key = SessionKey(Int(number))
      var read = plan.scenario(of: key, files: files)
      read.scenario?.name = plan.sessionName(of: key)
      console.report(read.findings)
      self.plan = plan
      return (read.scenario.map { [$0] }, loaded)
    }

    private func needs(_ option: Option, _ other: Option) -> Command.UsageError {
      Command.UsageError(message: "'\(option.name)' needs '\(other.name)'")
    }

    /// Reads scenarios and prints all findings, each once; with an error among them there are none.
    ///
    /// A file that varies gives a scenario for each of its runs, or for those that are wanted. Also
    /// returns the real paths of the files that they name.
    func readAll(
      _ paths: [String], _ traces: TraceNotes
    ) -> (scenarios: [Scenario]?, loaded: [String]) {
      var scenarios: [Scenario] = []
      var loaded: [String] = []
      var isComplete = true
      if paths.count(where: { $0 == "-" }) > 1 {
        console.report([Finding(.error, "standard input can be read only once", path: "-")])
        return (nil, [])
      }
      for path in paths {
        switch path == "-" ? console.standardInput() : files.source(path) {
        case .success(let source):
          var findings = DistinctFindings()
          for run in files.runs(of: source, wantedRuns) {
            let asked = ScenarioFiles.Asked(run: run, seed: seed)
            let (scenario, found) = files.read(source, asked, traces, recorder) {
              loaded.append($0)
            }
            findings.add(found)
            if let scenario { scenarios.append(scenario) } else { isComplete = false }
          }
          console.report(findings.list)
        case .failure(let finding):
          console.report([finding])
          isComplete = false
        }
      }
      return (isComplete ? scenarios : nil, loaded)
    }

    /// Throws where nothing would tell the runs of a file from each other.
    func checkFormat(_ scenarios: [Scenario]) throws(Command.UsageError) {
      if format.isDocument, scenarios.count > 1,
        scenarios.contains(where: { $0.path != scenarios[0].path })
      {
        throw Command.UsageError(
          message: "'--format \(format.rawValue)' takes one scenario, but there are "
            + "\(scenarios.count)",
          notes: ["run each by itself, with '--output' and a FILE of its own"])
      }
      guard format.takesOneRun else { return }
      for varied in scenarios where varied.runName != nil {
        let count = scenarios.count { $0.path == varied.path }
        if count == 1 { continue }
        throw Command.UsageError(
          message: "'--format \(format.rawValue)' takes one run, but '\(varied.path)' has \(count)",
          notes: ["'\(Option.run.name) NAME' chooses one of them"])
      }
    }

    /// Reads whose session is to be played.
    private static func compat(
      _ arguments: Arguments
    ) throws(Command.UsageError) -> CompatMode? {
      guard let word = arguments.value(RunCommand.compat) else { return nil }
      if let mode = CompatMode(rawValue: word) { return mode }
      let modes = CompatMode.allCases.map(\.rawValue)
      throw Command.UsageError(
        unknown: "'--compat' has the unknown value", word, among: modes, list: "the values are: ")
    }

    /// Plays a scenario's stream as another simulator; returns what is to be printed, nil if it
    /// cannot.
    func render(_ scenario: Scenario, as mode: CompatMode, isFirst: Bool) -> [UInt8]? {
      do throws(CompatSession.CompatProblem) {
        let session = try CompatSession(scenario.world, as: mode)
        if !session.leftOut.isEmpty {
          let list = session.leftOut.joined(separator: ", ")
          console.report([Finding(.warning, "left out: \(list)", path: scenario.path)])
        }
        if format == .timeline {
          return (isFirst ? [] : [0x0A])
            + shown(CompatRendering.text(session, of: scenario))
        }
        var writer = JSONWriter(capacity: 4_096)
        CompatRendering.write(session, of: scenario, into: &writer)
        writer.endLine()
        return writer.bytes
      } catch {
        console.report([Finding(.error, error.message, path: scenario.path, notes: error.notes)])
        return nil
      }
    }

    /// What runs the scenarios, with the programs that they ask.
    var runner: ScenarioRunner {
      var runner = ScenarioRunner(files, pace: pace)
      if let plan { runner.origin = { plan.origin(of: $0, namedIn: plan.path) } }
      return runner
    }

    /// Runs a scenario, and says what its author most likely did not mean to happen.
    func play(_ scenario: Scenario) throws(Finding) -> ScenarioRunner.Played {
      let played = try runner.run(scenario, samplesAt: at.map { [$0] } ?? [])
      console.report(RunFindings.of(played.result))
      return played
    }

    /// Returns what is to be printed of a run.
    func render(_ played: ScenarioRunner.Played, isFirst: Bool) -> [UInt8] {
      let result = played.result
      var bytes: [UInt8]
      switch format {
      case .json:
        var writer = JSONWriter(capacity: 4_096)
        ResultRendering.write(result, hasTables: true, into: &writer)
        writer.endLine()
        bytes = writer.bytes
      case .jsonl: bytes = LogRendering.log(result)
      case .states: bytes = shown(StatesRendering.text(result))
      case .accessLog: bytes = shown(AccessLogRendering.accessLogs(result))
      case .errorLog: bytes = shown(AccessLogRendering.errorLogs(result))
      case .metrics:
        console.report(MetricEventLog.findings(result))
        bytes = MetricEventLog.log(result)
      case .har: bytes = HARRendering.archive(result)
      case .perfetto:
        let samples = runner.samples(of: played, at: SessionPicture.instants(result))
        bytes = TraceEventRendering.trace(result, samples: samples)
      case .cmcd:
        let samples = runner.samples(of: played, at: CMCDRendering.instants(result))
        bytes = CMCDRendering.log(result, samples: samples)
      case .timeline:
        let instants = TimelineRendering.stripInstants(result, width: style.width)
        // What happened in between is known only now, so that the strip takes a second run.
        let strip = runner.samples(of: played, at: instants)
        var reasons = WaitReasons(result)
        let text = TimelineRendering.text(
          result, strip: strip, table: result.samples.first, style: style
        ) { reasons.lines($0) }
        bytes = (isFirst ? [] : [0x0A]) + shown(text)
      }
      if let last = bytes.last, last != 0x0A { bytes.append(0x0A) }
      return bytes
    }

    /// Returns what people are shown of a text.
    private func shown(_ text: String) -> [UInt8] {
      console.shown(text, keepsPaint: style.usesColor)
    }
  }
}

extension Arguments {
  /// The width and the colours of what is printed for people.
  func style(_ console: Console) -> TextStyle {
    TextStyle(
      width: console.width, usesColor: console.usesColor(choice(.color, default: .auto)))
  }
}
