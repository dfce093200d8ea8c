import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// The result of the test of one scenario, for those who test from Swift.
package struct ScenarioJudgement: Sendable {
  /// What is not as it should be, each with where and why.
  package let failures: [String]
  /// What happened, over time, in 80 columns; empty if it was not run.
  package let strip: String
  /// The golden log that would be right, if another one is there or none.
  private let golden: TestReport.Golden?

  /// Tests a scenario: its expectations, its golden log, and that it runs so event by event, too.
  package init(of path: String) {
    let test = TestCase(
      path: path, isExplicit: true, selection: TestSelection(), root: nil, programs: .refused)
    let report = test.report { $0 }
    golden = report.golden
    let failed = report.isWrong ? report.failures : []
    failures =
      failed.map { failure in
        (["\(failure.path.printable):\(failure.line): \(failure.message.printable)"]
          + failure.details.map { "  \($0.printable)" }).joined(separator: "\n")
      } + (report.skipReason.map { ["\(path.printable):1: \($0)"] } ?? [])
    strip = failed.isEmpty ? "" : Self.strip(of: path)
  }

  /// Writes the golden log; returns whether it was another one, or none.
  package func record() throws(FileError) -> Bool {
    // Other words of the scenario alone are no reason to record what happened again.
    guard let golden, golden.need != .restated else { return false }
    do throws(Files.SystemProblem) {
      try Files.write(golden.bytes, to: golden.path)
    } catch {
      let message = "the golden log cannot be written: \(error.reason)"
      throw FileError([Finding(.error, message, path: golden.path)])
    }
    return true
  }

  private static func strip(of path: String) -> String {
    guard let scenario = try? Scenario(contentsOf: path) else { return "" }
    let style = TextStyle(width: 80, usesColor: false)
    let result = ScenarioRun.run(scenario)
    let instants = TimelineRendering.stripInstants(result, width: style.width)
    let samples = ScenarioRun.run(scenario, samplesAt: instants).samples
    return TimelineRendering.strips(result, strip: samples, style: style)
  }
}
