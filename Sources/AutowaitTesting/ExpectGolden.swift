import AutowaitCommands
import AutowaitFiles
import Testing

/// Expects a scenario to do what its expectations and its golden log say, byte for byte.
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
  let judgement = ScenarioJudgement(of: file.path)
  if isRecording {
    do throws(FileError) {
      let text = try judgement.record() ? "was written" : "was right already"
      Issue.record(
        "the golden log of \(file.testDescription) \(text)", sourceLocation: sourceLocation)
    } catch {
      Issue.record(error, sourceLocation: sourceLocation)
    }
    return
  }
  for (number, failure) in judgement.failures.enumerated() {
    let strip = number == 0 ? "\n\(judgement.strip)" : ""
    Issue.record("\(failure)\(strip)", sourceLocation: sourceLocation)
  }
}
