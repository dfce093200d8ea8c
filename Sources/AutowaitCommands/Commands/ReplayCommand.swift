import Autowait
import AutowaitRendering
import AutowaitScenario

/// `autowait replay`: proves that a recorded log is what its scenario still does.
enum ReplayCommand {
  static let command = Command(
    name: "replay", operands: "LOG…", operandsMin: 1,
    summary: "Checks that scenarios still produce their recorded logs",
    about: """
      A log begins with its scenario. Runs the scenario again and compares the result with the \
      log byte by byte. If they differ, shows the first difference with the lines around it and \
      the event that caused it, and ends with 5. Large files that the scenario names are read \
      from the folder of the log, or from the one given with --root.
      """,
    options: [.allowPrograms, .root],
    examples: [
      (
        "autowait replay Scenarios/demo/play-right-away.expected.log",
        "Checks one golden log."
      )
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let files = ScenarioFiles(
      root: try arguments.root(), programs: try arguments.programs(console))
    var code = ExitCode.fine
    for path in arguments.operands {
      let prefix = arguments.operands.count > 1 ? "\(path): " : ""
      switch Replay.of(path, files) {
      case .invalid(let findings):
        console.report(findings)
        code = code.combined(with: .invalid)
      case .identical(let result):
        let events = Plural.text(result.records.count, "event")
        let fingerprint = LogRendering.hexadecimal(result.fingerprint)
        console.line("\(prefix)identical: \(events), fingerprint \(fingerprint)")
        if result.isCutOff {
          console.report(RunFindings.of(result))
          code = code.combined(with: .cutOff)
        }
      case .differs(let difference):
        let what =
          difference.isCut
          ? "cut off: identical up to the end of the file, in line \(difference.number)"
          : "differs from line \(difference.number) on"
        console.line("\(prefix)\(what) (- the log, + this run)")
        for line in DifferenceRendering.lines(difference) { console.line("  " + line) }
        code = code.combined(with: .diverged)
      }
    }
    return code
  }
}

/// What became of running the scenario of a log again.
enum Replay {
  /// The log cannot be replayed.
  case invalid([Finding])
  /// The run gave the same bytes.
  case identical(RunResult)
  /// The run gave other bytes.
  case differs(LogDifference)

  /// Replays a log.
  static func of(_ path: String, _ files: ScenarioFiles) -> Replay {
    let source: SourceText
    switch files.source(path) {
    case .failure(let finding): return .invalid([finding])
    case .success(let found): source = found
    }
    if let finding = textFinding(source) { return .invalid([finding]) }
    let header = Header(source)
    guard let scenarioText = header.scenarioText else {
      return .invalid(otherFinding(source).map { [$0] } ?? header.findings.sorted)
    }
    let (scenario, findings) = files.read(scenarioText)
    guard let scenario else { return .invalid(findings) }
    header.compare(scenario.inputs)
    if header.findings.hasErrors { return .invalid(header.findings.sorted) }

    let result: RunResult
    do throws(Finding) {
      result = try ScenarioRunner(files).run(scenario).result
    } catch {
      return .invalid([error])
    }
    let log = LogRendering.log(result)
    guard let difference = LogDifference(recorded: source.bytes, actual: log) else {
      return .identical(result)
    }
    let golden = LogRendering.golden(result)
    if golden == log || !header.isFollowedBySummary { return .differs(difference) }
    guard let difference = LogDifference(recorded: source.bytes, actual: golden) else {
      return .identical(result)
    }
    return .differs(difference)
  }

  /// Says what a file is instead of a log, if it is another one of ours.
  private static func otherFinding(_ source: SourceText) -> Finding? {
    guard let root = Findings(source).parseJSON(), root.kind == .object else { return nil }
    let path = Path.quoted(source.path)
    if root.member("autowait") != nil {
      return Finding(
        .error, "this is a scenario, not a log", path: source.path,
        notes: ["'autowait run \(path)' runs it; with '--format jsonl' it prints the log"])
    }
    if root.member("experiment") != nil {
      return Finding(
        .error, "this is an experiment, not a log", path: source.path,
        notes: ["'autowait compare \(path)' runs it"])
    }
    return nil
  }

  /// Says what makes bytes no text, if they are none.
  private static func textFinding(_ source: SourceText) -> Finding? {
    if source.bytes.isEmpty { return Finding(.error, "the file is empty", path: source.path) }
    do {
      _ = try UTF8Span(validating: source.bytes.span)
      return nil
    } catch {
      return Finding(
        .error, "this is no log: these bytes are no UTF-8", at: error.byteOffsets, in: source)
    }
  }
}

/// The first line of a log.
private struct Header {
  let findings: Findings
  /// The scenario, at the line and the column at which it stands in the log.
  private(set) var scenarioText: SourceText?
  /// Whether the next line is the last one of a log, without events before it.
  private(set) var isFollowedBySummary = false

  private var inputs: [(path: String, digest: String, value: JSONValue)] = []

  init(_ source: SourceText) {
    let end = source.bytes.firstIndex(of: 0x0A) ?? source.bytes.count
    findings = Findings(SourceText(path: source.path, bytes: Array(source.bytes[..<end])))
    guard let root = findings.parseJSON() else { return }
    guard let version = root.member("autowaitLog") else {
      findings.error(
        "this is no log of autowait: its first line has no 'autowaitLog'", at: 0..<min(1, end))
      return
    }
    if version.decimal != ExactDecimal(LogRendering.formatVersion) {
      findings.error(
        "this version of the log's format is unknown; autowait replays version "
          + "\(LogRendering.formatVersion)", at: version)
      return
    }
    readInputs(root)
    readScenario(root, end)
    let rest = source.bytes[min(end + 1, source.bytes.count)...]
    let next = SourceText(path: "", bytes: Array(rest.prefix { $0 != 0x0A }))
    let second = Findings(next).parseJSON()
    isFollowedBySummary = second?.member("fingerprint") != nil && second?.member("n") == nil
  }

  private mutating func readInputs(_ root: JSONValue) {
    guard let list = root.member("inputs") else { return }
    for element in list.elements {
      guard let path = element.member("path")?.string,
        let digest = element.member("digest")?.string
      else {
        findings.error("an input must have a 'path' and a 'digest'", at: element)
        continue
      }
      inputs.append((path, digest, element))
    }
  }

  private mutating func readScenario(_ root: JSONValue, _ end: Int) {
    let bytes = findings.source.bytes
    guard let scenario = root.member("scenario"), let digest = root.member("digest") else {
      findings.error(
        "the first line of a log needs the keys 'digest' and 'scenario'", at: 0..<min(1, end))
      return
    }
    var fingerprint = Fingerprint()
    fingerprint.mix(bytes: Array(bytes[scenario.range]))
    let actual = LogRendering.hexadecimal(fingerprint.value)
    if digest.string != actual {
      findings.error(
        "the scenario was changed: its digest is \(actual), not this one", at: digest)
    }
    if findings.hasErrors { return }
    let before = bytes[..<scenario.range.lowerBound].count { $0 & 0xC0 != 0x80 }
    scenarioText = SourceText(
      path: findings.source.path,
      bytes: Array(repeating: 0x20, count: before) + bytes[scenario.range])
  }

  /// Holds the files that were read now against those that were read then.
  func compare(_ actual: [InputFile]) {
    for input in inputs {
      guard let file = actual.first(where: { $0.path == input.path }) else {
        findings.error("the scenario does not read the file '\(input.path)'", at: input.value)
        continue
      }
      let digest = LogRendering.hexadecimal(file.digest)
      if digest != input.digest {
        findings.error(
          "the file '\(input.path.printable)' is not the one that was recorded: its digest is "
            + digest, at: input.value)
      }
    }
  }
}
