import AutowaitFiles
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

  /// Puts the log in the place of the golden one; returns false after having reported why not.
  func accept(_ console: Console) -> Bool {
    guard hasScenario else {
      let finding = Finding(
        .error, "this new log has no scenario", path: path,
        notes: ["remove it with: rm \(Path.quoted(path))"])
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

  /// What happens otherwise than in the golden log, line by line.
  func lines() throws(Files.SystemProblem) -> [String] {
    let actual = try Files.read(path)
    guard Files.kind(of: golden) != nil else { return ["there is no golden log '\(golden)'"] }
    let recorded = try Files.read(golden)
    guard let difference = GoldenComparison(recorded: recorded, actual: actual) else {
      return ["the same happens as in '\(golden)'"]
    }
    return ["\(golden):\(difference.line): \(difference.message)"]
      + difference.details.map { "  \($0)" }
  }
}
