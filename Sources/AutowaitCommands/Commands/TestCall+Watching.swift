import AutowaitFiles
import AutowaitScenario

/// Tests that are run again whenever a file changes.
extension TestCall {
  /// How often files are looked at, in milliseconds.
  private static let pause = 300

  /// What somebody who watches wants.
  private enum Wish {
    case again
    case accept
    case end
  }

  /// Tests until somebody enters `q`, or so many times as were asked for; returns the code of the
  /// last time.
  func watch() throws(Command.UsageError) -> ExitCode {
    var asked: GoldenRecording?
    var code = ExitCode.fine
    var known: [(path: String, stamp: String?)] = []
    var round = 0
    while true {
      round += 1
      let before = stamps(of: known.map(\.path))
      let outcome = try run(asked)
      code = outcome.code
      // What changed while the tests ran is tested again.
      known = stamps(of: watched(outcome.summary)).map { path, stamp in
        let isOurs = outcome.summary.updated.contains(path)
        let old = isOurs ? nil : before.first { $0.path == path }
        return old ?? (path, stamp)
      }
      console.flush()
      if let rounds, round >= rounds { return code }
      tell(outcome.summary)
      switch wish(known) {
      case .end: return code
      case .again: asked = nil
      case .accept: asked = GoldenRecording(.failed)
      }
    }
  }

  /// The files on which the result of tests depends.
  private func watched(_ summary: TestSummary) -> [String] {
    var files = summary.reports.flatMap { report in
      [report.path, report.goldenPath] + report.loaded
    }
    for path in paths where Files.kind(of: path) == .folder {
      files += (try? Files.list(path) { GoldenPath.mayBeScenario($0) }) ?? []
    }
    // A folder itself also changes when a new log is put there.
    return PathList(files + paths.filter { Files.kind(of: $0) != .folder }).paths
  }

  private func stamps(of files: [String]) -> [(path: String, stamp: String?)] {
    files.map { ($0, Files.stamp(of: $0)) }
  }

  private func tell(_ summary: TestSummary) {
    let accepts = summary.newLogs.isEmpty || console.isServer ? "" : "u accepts what happens now, "
    console.message("watching; \(accepts)Enter tests again, q ends")
  }

  /// Waits until a file changes or somebody says something.
  private func wish(_ known: [(path: String, stamp: String?)]) -> Wish {
    var isListening = true
    while true {
      let input = console.environment.inputWithin(Self.pause, isListening)
      switch input {
      case .bytes(let bytes)?:
        switch bytes.first {
        case UInt8(ascii: "q"): return .end
        case UInt8(ascii: "u") where !console.isServer: return .accept
        default: return .again
        }
      case .end?, .failed?:
        // Somebody who leaves a terminal ends it; where nobody can say anything, files go on.
        if console.environment.isInputTerminal { return .end }
        isListening = false
      case nil: break
      }
      let files = known.map(\.path)
      let now = stamps(of: files)
      if !zip(known, now).allSatisfy({ $0.stamp == $1.stamp }) { return .again }
      let folders = paths.filter { Files.kind(of: $0) == .folder }
      let present = folders.flatMap { folder in
        (try? Files.list(folder) { GoldenPath.mayBeScenario($0) }) ?? []
      }
      let list = PathList(files)
      if !present.allSatisfy({ list.contains($0) }) { return .again }
    }
  }
}
