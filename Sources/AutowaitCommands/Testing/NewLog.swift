import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// A log that was kept beside the golden one that it differs from.
struct NewLog {
  /// Its own path.
  let path: String
  /// The path of the golden log.
  let golden: String

  /// Whether its scenario is there.
  var hasScenario: Bool {
    let alone = GoldenPath.scenario(of: golden).map { Files.kind(of: $0) == .file } ?? false
    return alone
      || GoldenPath.runs(of: golden).contains { scenario, run in
        TestCase.runNames(of: scenario).contains(run)
      }
  }

  init?(_ path: String) {
    guard let golden = GoldenPath.golden(ofNew: path) else { return nil }
    (self.path, self.golden) = (path, golden)
  }

  /// Finds the new logs of scenarios, of golden logs and in folders, each once, ordered by path.
  ///
  /// Returns nil after having reported a path that cannot be used.
  static func find(_ paths: [String], _ console: Console) -> [NewLog]? {
    var found: [String] = []
    var isComplete = true
    func refuse(_ message: String, _ path: String) {
      console.report([Finding(.error, message, path: path)])
      isComplete = false
    }
    for path in paths {
      if Files.kind(of: path) == .folder {
        do throws(Files.SystemProblem) {
          found += try Files.list(Path.tidied(path)) { GoldenPath.golden(ofNew: $0) != nil }
        } catch {
          refuse("the folder \(error.reason)", path)
        }
        continue
      }
      let tidied = Path.tidied(path)
      let present = candidates(tidied).filter { Files.kind(of: $0) == .file }
      found += present
      if present.isEmpty, Files.kind(of: path) == nil {
        refuse("the file does not exist", path)
      }
    }
    return isComplete ? PathList(found).paths.compactMap { NewLog($0) } : nil
  }

  /// The new logs that a path may stand for: itself, that of a golden log, or those of a scenario.
  private static func candidates(_ path: String) -> [String] {
    if GoldenPath.golden(ofNew: path) != nil { return [path] }
    if GoldenPath.scenario(of: path) != nil { return [GoldenPath.new(of: path)] }
    let runs: [String?] = [nil] + TestCase.runNames(of: path)
    return runs.map { GoldenPath.new(of: GoldenPath.golden(of: path, run: $0)) }
  }

  /// Whether the scenario is another one than when the log was kept.
  ///
  /// False if its files cannot be read from here, as with `--root`.
  var isOutdated: Bool {
    guard let log = try? Files.read(path), let end = log.firstIndex(of: 0x0A) else { return false }
    let header = Findings(SourceText(path: path, bytes: Array(log[..<end]))).parseJSON()
    guard let digest = header?.member("digest")?.string else { return false }
    var made: [UInt64] = []
    let alone: [(String, String?)] = GoldenPath.scenario(of: golden).map { [($0, nil)] } ?? []
    let runs = GoldenPath.runs(of: golden).map { ($0.scenario, Optional($0.run)) }
    for (scenario, run) in alone + runs where Files.kind(of: scenario) == .file {
      let files = ScenarioFiles(programs: .named)
      guard case .success(let source) = files.source(scenario) else { continue }
      let asked = ScenarioFiles.Asked(run: run)
      if let read = files.read(source, asked).scenario { made.append(read.digest) }
    }
    return !made.isEmpty && !made.contains { LogRendering.hexadecimal($0) == digest }
  }

  /// Whether it is a log from its first line to its last.
  private var isWhole: Bool {
    guard let log = try? Files.read(path), log.last == 0x0A else { return false }
    let lines = log.dropLast().split(separator: 0x0A)
    func object(_ line: ArraySlice<UInt8>?) -> JSONValue? {
      line.flatMap { Findings(SourceText(path: path, bytes: Array($0))).parseJSON() }
    }
    return lines.count > 1 && object(lines.first)?.member("autowaitLog") != nil
      && object(lines.last)?.member("fingerprint") != nil
  }

  /// Puts the log in the place of the golden one; returns false after having reported why not.
  func accept(_ console: Console) -> Bool {
    guard hasScenario else {
      let finding = Finding(
        .error, "this new log has no scenario", path: path,
        notes: ["remove it with: rm \(Path.quoted(path))"])
      console.report([finding])
      return false
    }
    guard isWhole else {
      let finding = Finding(
        .error, "this log is incomplete", path: path,
        notes: ["run 'autowait test' to write a new one"])
      console.report([finding])
      return false
    }
    if isOutdated {
      let finding = Finding(
        .error, Self.outdated, path: path, notes: ["run 'autowait test' to write a new one"])
      console.report([finding])
      return false
    }
    do throws(Files.SystemProblem) {
      if Files.isLink(path) { throw Files.SystemProblem("is a link") }
      try Files.write(try Files.read(path), to: golden)
      try Files.remove(path)
      return true
    } catch {
      console.report([
        Finding(.error, "the new log cannot be accepted: a file \(error.reason)", path: path)
      ])
      return false
    }
  }

  /// Removes the log; returns false after having reported why not.
  func reject(_ console: Console) -> Bool {
    do throws(Files.SystemProblem) {
      try Files.remove(path)
      return true
    } catch {
      console.report([
        Finding(.error, "the new log cannot be removed: it \(error.reason)", path: path)
      ])
      return false
    }
  }

  private static let outdated = "the scenario has changed since this log was kept"

  /// What happens otherwise than in the golden log, line by line.
  func lines() throws(Files.SystemProblem) -> [String] {
    let actual = try Files.read(path)
    if isOutdated { return [Self.outdated + ": run 'autowait test' again"] }
    guard Files.kind(of: golden) != nil else { return ["there is no golden log '\(golden)'"] }
    let recorded = try Files.read(golden)
    guard let difference = GoldenComparison(recorded: recorded, actual: actual) else {
      return ["the same happens as in '\(golden)'"]
    }
    return ["\(golden):\(difference.line): \(difference.message)"]
      + difference.details.map { "  \($0)" }
  }
}
