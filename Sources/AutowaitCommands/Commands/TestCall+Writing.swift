import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// What a call of `autowait test` writes.
extension TestCall {
  /// Writes the golden logs that may be recorded, and keeps others beside those that are there;
  /// returns the code to end with because of that.
  func write(_ summary: inout TestSummary, _ recording: GoldenRecording) -> ExitCode {
    var code = ExitCode.fine
    for index in summary.reports.indices {
      let report = summary.reports[index]
      // What a defect gave must not become what is expected.
      if report.status == .defect || report.run == nil { continue }
      if let golden = report.golden, recording.needs.contains(golden.need) {
        // A sender of the files may have put a link there, and nobody asked for what it leads to.
        if recording == .standard(isServer: false), Files.isLink(golden.path) {
          console.report([
            Finding(.error, "the golden log is a link; '--update' writes there", path: golden.path)
          ])
          code = .invalid
          continue
        }
        guard Files.store([(golden.path, golden.bytes)], console) == .fine else {
          code = .invalid
          continue
        }
        summary.updated.append(golden.path)
        _ = summary.reports[index].forgiveGolden()
        code = code.combined(with: .differs)
      }
      if recording.keepsNew { keepNew(&summary.reports[index]) }
    }
    return code
  }

  /// Keeps a log that differs beside its golden one, and removes one that is no longer true.
  private func keepNew(_ report: inout TestReport) {
    let path = GoldenPath.new(of: report.goldenPath)
    do throws(Files.SystemProblem) {
      if let golden = report.golden, golden.need == .differs {
        if Files.isLink(path) { throw Files.SystemProblem("is a link") }
        try Files.write(golden.bytes, to: path)
        report.newLog = path
      } else if Files.kind(of: path) == .file, report.status != .cutOff {
        try Files.remove(path)
      }
    } catch {
      // That the golden log differs is told all the same.
      console.report([
        Finding(
          .warning, "the new log cannot be kept next to the golden one: it \(error.reason)",
          path: path)
      ])
    }
  }

  /// Writes what is to be sent of each defect, and says where it is.
  func keepDefects(_ summary: inout TestSummary) {
    let folder =
      arguments.value(TestCommand.defects) ?? console.environment.variable("TMPDIR") ?? "/tmp"
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
  }

  /// Keeps recordings of scenarios that fail, if somebody wants them; returns whether all is
  /// written.
  func keepRecordings(_ summary: inout TestSummary) -> Bool {
    guard let folder = arguments.value(TestCommand.logs) else { return true }
    for index in summary.reports.indices {
      let report = summary.reports[index]
      guard report.isWrong, let recording = report.recording else { continue }
      // Inside the folder, wherever the scenario is.
      let parts = Path.components(Path.normalized(report.path)).filter { $0 != ".." }
      let name = parts.joined(separator: "/")
      let run = report.runName.map { ".\($0)" } ?? ""
      let path = Path.join(folder, GoldenPath.bare(name) + run + ".actual.recording")
      do throws(Files.SystemProblem) {
        try Files.makeFolders(Path.folder(of: path))
        try Files.write(recording.bytes, to: path)
      } catch {
        console.report([Finding(.error, "the recording \(error.reason)", path: path)])
        return false
      }
      summary.reports[index].kept.append(path)
    }
    return true
  }

  /// Writes what CI servers read; returns whether something could not be written.
  func writeReports(_ summary: TestSummary) -> Bool {
    let variable = console.environment.variable
    var isWrong = false
    if let path = arguments.value(TestCommand.junit) {
      isWrong = Files.store([(path, JUnitRendering.bytes(summary))], console) != .fine
    }
    if arguments.has(TestCommand.gitHub) || variable("GITHUB_ACTIONS") == "true" {
      let format: TestFormat = arguments.choice(TestCommand.format, default: .text)
      // The runner reads both streams, and what programs read on stdout must stay that.
      console.send(GitHubRendering.annotations(summary), asMessages: format != .text)
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
