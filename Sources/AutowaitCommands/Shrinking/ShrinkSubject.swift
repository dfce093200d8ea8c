import Autowait
import AutowaitRendering
import AutowaitScenario

/// A scenario that is to be made smaller, by itself: of a file, a log or a recording.
struct ShrinkSubject {
  /// Why there is none.
  struct Refusal: Error {
    let findings: [Finding]
  }

  /// The path from which the scenario names its files.
  let path: String
  /// The scenario, with what it extends and with changes.
  let draft: Draft
  /// What reads it.
  let files: ScenarioFiles

  /// Reads a subject.
  static func read(
    _ choice: RunReading.RunChoice, _ files: ScenarioFiles, _ console: Console
  ) -> Result<ShrinkSubject, Refusal> {
    switch choice.path == "-" ? console.standardInput() : files.source(choice.path) {
    case .failure(let finding): return .failure(Refusal(findings: [finding]))
    case .success(let source):
      if RunRecordingReader.isRecording(source) || LogHeader.isLog(source) {
        return recorded(source, choice, files)
      }
      return subject(
        source, ScenarioReader.Variation(run: choice.run, changes: choice.changes), files)
    }
  }

  private static func recorded(
    _ source: SourceText, _ choice: RunReading.RunChoice, _ files: ScenarioFiles
  ) -> Result<ShrinkSubject, Refusal> {
    switch Replay.Subject.of(source) {
    case .failure(let finding): return .failure(Refusal(findings: [finding]))
    case .success(let found):
      guard let recording = found.recording, let scenario = recording.scenarioSource else {
        let header = LogHeader(found.log)
        guard let text = header.scenarioText else {
          return .failure(Refusal(findings: header.findings.sorted))
        }
        return subject(text, ScenarioReader.Variation(changes: choice.changes), files)
      }
      var files = files
      files.recorded = recording
      files.programs = .named
      var changes: [ScenarioChange] = []
      for text in recording.changes {
        switch ScenarioChange.read(text, for: "set") {
        case .success(let change): changes.append(change)
        case .failure(let finding): return .failure(Refusal(findings: [finding]))
        }
      }
      let variation = ScenarioReader.Variation(
        run: recording.run, changes: changes + choice.changes, seed: recording.seed)
      return subject(scenario, variation, files)
    }
  }

  private static func subject(
    _ source: SourceText, _ variation: ScenarioReader.Variation, _ files: ScenarioFiles
  ) -> Result<ShrinkSubject, Refusal> {
    var variation = variation
    var named = files
    named.changes = variation.changes
    // As with other commands, a name of a run says nothing of a file that does not vary.
    if named.runs(of: source) == [nil] { variation.run = nil }
    let (scenario, findings) = named.read(
      source, ScenarioFiles.Asked(run: variation.run, seed: variation.seed))
    guard let scenario else { return .failure(Refusal(findings: findings)) }
    guard !scenario.asksPrograms else {
      return .failure(
        Refusal(findings: [
          Finding(
            .error, "a scenario that asks a program cannot be made smaller", path: source.path)
        ]))
    }
    guard let whole = ScenarioReader.whole(source, variation, loader: files.loader { _ in }),
      let root = Findings(whole).parseJSON()
    else { preconditionFailure("a scenario was read that is no JSON") }
    var draft = Draft(root)
    if draft["autowait"] == nil { draft["autowait"] = 1 }
    if let seed = variation.seed { draft["seed"] = Draft(Int64(clamping: seed)) }
    return .success(ShrinkSubject(path: source.path, draft: draft, files: files))
  }

  /// Reads another draft as the scenario of the subject.
  func read(_ draft: Draft) -> (scenario: Scenario?, findings: [Finding]) {
    files.read(SourceText(path: path, text: draft.text))
  }

  /// Returns a draft that names its files as another file has to; nil stands for where the subject
  /// lies.
  func paths(in draft: Draft, from other: String?) -> Draft {
    guard let other, files.recorded == nil else { return draft }
    return SpelledFiles.renamed(draft) { NamedPath.path($0, of: path, from: other) }
  }
}
