import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// The result of the test of one scenario, in all of its runs, for those who test from Swift.
package struct ScenarioJudgement: Sendable {
  /// What is not as it should be, each with where and why.
  package let failures: [String]
  /// What happened, over time, in 80 columns, in the first run that is not as it should be; empty
  /// if it was not run.
  package let strip: String
  /// The golden logs that would be right, where another one is there or none.
  private let goldens: [TestReport.Golden]

  /// Tests a scenario: its expectations, its golden log, and that it runs so event by event, too.
  package init(of path: String) {
    let test = TestCase(
      path: path, isExplicit: true, selection: TestSelection(), root: nil, programs: .refused)
    let reports = test.runs().map { $0.report { $0 } }
    goldens = reports.compactMap(\.golden)
    failures = reports.flatMap { report in
      let run = report.runName.map { " [\($0)]" } ?? ""
      let failed = (report.isWrong ? report.failures : []).map { failure in
        let place = "\(failure.path.printable):\(failure.line)\(run)"
        return
          (["\(place): \(failure.message.printable)"]
          + failure.details.map { "  \($0.printable)" }).joined(separator: "\n")
      }
      return failed + (report.skipReason.map { ["\(path.printable):1: \($0)"] } ?? [])
    }
    strip = reports.first { $0.isWrong }.map { Self.strip(of: path, run: $0.runName) } ?? ""
  }

  /// Writes the golden logs; returns whether one was another one, or none.
  package func record() throws(FileError) -> Bool {
    // Other words of the scenario alone are no reason to record what happened again.
    let wanted = goldens.filter { $0.need != .restated }
    for golden in wanted {
      do throws(Files.SystemProblem) {
        try Files.write(golden.bytes, to: golden.path)
      } catch {
        let message = "the golden log cannot be written: \(error.reason)"
        throw FileError([Finding(.error, message, path: golden.path)])
      }
    }
    return !wanted.isEmpty
  }

  private static func strip(of path: String, run: String?) -> String {
    guard let scenario = try? Scenario(contentsOf: path, run: run) else { return "" }
    let style = TextStyle(width: 80, usesColor: false)
    let result = ScenarioRun.run(scenario)
    let instants = TimelineRendering.stripInstants(result, width: style.width)
    let samples = ScenarioRun.run(scenario, samplesAt: instants).samples
    return TimelineRendering.strips(result, strip: samples, style: style)
  }
}
