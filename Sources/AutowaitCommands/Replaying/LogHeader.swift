import Autowait
import AutowaitRendering
import AutowaitScenario

/// The first line of a log.
struct LogHeader {
  let findings: Findings
  /// The scenario, at the line and the column at which it stands in the log.
  private(set) var scenarioText: SourceText?
  /// Whether the next line is the last one of a log, without events before it.
  private(set) var isFollowedBySummary = false
  /// What made the log.
  private(set) var version = LogVersion.current

  private var inputs: [(path: String, digest: String, value: JSONValue)] = []

  /// Whether a text calls itself a log.
  static func isLog(_ source: SourceText) -> Bool {
    source.bytes.starts(with: Array("{\"autowaitLog\":".utf8))
  }

  private static let missing = "this is not a log of autowait: its first line has no 'autowaitLog'"
  /// Says what a file is instead of a log, if it is another one of ours.
  static func otherFinding(_ source: SourceText) -> Finding? {
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
  static func textFinding(_ source: SourceText) -> Finding? {
    if source.bytes.isEmpty { return Finding(.error, "the file is empty", path: source.path) }
    do {
      _ = try UTF8Span(validating: source.bytes.span)
      return nil
    } catch {
      return Finding(
        .error, "this is not a log: these bytes are not UTF-8", at: error.byteOffsets, in: source)
    }
  }

  init(_ source: SourceText) {
    let end = source.bytes.firstIndex(of: 0x0A) ?? source.bytes.count
    findings = Findings(SourceText(path: source.path, bytes: Array(source.bytes[..<end])))
    guard let root = findings.parseJSON() else { return }
    guard let version = root.member("autowaitLog") else {
      findings.error(Self.missing, at: 0..<min(1, end))
      return
    }
    if version.decimal != ExactDecimal(LogRendering.formatVersion) {
      findings.error(
        "this version of the log's format is unknown; autowait replays version "
          + "\(LogRendering.formatVersion)", at: version)
      return
    }
    self.version = LogVersion(root, findings)
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
