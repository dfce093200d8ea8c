import AutowaitCommands
import AutowaitFiles
import Testing

/// Expects a scenario to do what its expectations, and its golden log if it has one, say.
///
///     @Test(arguments: try Scenarios.below("Scenarios"))
///     func behavesAsRecorded(_ file: ScenarioFile) { expectGolden(file) }
///
/// It is what `autowait test` tests: the golden log of `x.json` is `x.expected.log`, and the run is
/// held against the same one event by event. An issue tells the first difference, and shows what
/// happened over time. With `isRecording` a golden log that differs, or is missing, is written, and
/// that is an issue, too: nobody should forget to take it out again.
public func expectGolden(
  _ file: ScenarioFile, isRecording: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  for issue in goldenIssues(of: file, isRecording: isRecording) {
    Issue.record("\(issue)", sourceLocation: sourceLocation)
  }
}

/// What there is to tell of a scenario and its golden log, each with all that helps.
package func goldenIssues(of file: ScenarioFile, isRecording: Bool) -> [String] {
  let judgement = ScenarioJudgement(of: file.path)
  if isRecording {
    do throws(FileError) {
      let text = try judgement.record() ? "was written" : "was right already"
      return ["the golden log of \(file.testDescription) \(text)"]
    } catch {
      return ["\(error)"]
    }
  }
  var issues = judgement.failures
  if let first = issues.first { issues[0] = "\(first)\n\(judgement.strip)" }
  return issues
}
