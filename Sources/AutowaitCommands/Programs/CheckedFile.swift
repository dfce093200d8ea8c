import Autowait
import AutowaitExperiment
import AutowaitScenario

/// What a check found in a file.
struct CheckedFile {
  /// What the file is; nil if that cannot be told.
  var kind: FileKind?
  /// Whether there is no error.
  var isValid: Bool
  /// What is to be said, also of what is valid, but probably not intended.
  var findings: [Finding]
}

/// Checking files, each with the reader of its kind.
extension ScenarioFiles {
  /// Checks a file.
  func check(_ read: Result<SourceText, Finding>, traces: TraceNotes? = nil) -> CheckedFile {
    switch read {
    case .failure(let finding): CheckedFile(kind: nil, isValid: false, findings: [finding])
    case .success(let source): check(source, traces: traces)
    }
  }

  private func check(_ source: SourceText, traces: TraceNotes?) -> CheckedFile {
    if let finding = Self.recordedFinding(source) {
      return CheckedFile(kind: nil, isValid: false, findings: [finding])
    }
    let kind = FileKind(of: source)
    let (isValid, findings) =
      switch kind {
      case .playlist: checkPlaylist(source)
      case .experiment: checkExperiment(source, traces: traces)
      case .link: checkLink(source, traces: traces)
      case .heuristic: checkHeuristic(source)
      case .scenario, nil: checkScenario(source, traces: traces)
      }
    return CheckedFile(kind: kind, isValid: isValid, findings: findings)
  }

  private func checkPlaylist(_ source: SourceText) -> (isValid: Bool, findings: [Finding]) {
    var context = PlaylistContext()
    context.lints = true
    let (playlist, findings) = PlaylistReader.read(source, context)
    return (playlist != nil, findings)
  }

  private func checkExperiment(
    _ source: SourceText, traces: TraceNotes?
  ) -> (isValid: Bool, findings: [Finding]) {
    let (plan, findings) = ExperimentReader.read(
      source, files: experimentFiles(traces), changes: changes)
    return (plan != nil, findings)
  }

  /// Checks a link, or a profile of another tool that looks like one.
  private func checkLink(
    _ source: SourceText, traces: TraceNotes?
  ) -> (isValid: Bool, findings: [Finding]) {
    let end = Instant.start + MeasuredLink.spanMax
    let (link, findings) =
      StandaloneLink.isTrace(source)
      ? StandaloneLink.read(trace: ByteSource(source), until: end)
      : StandaloneLink.read(
        source, loader: loader({ _ in }, traces: traces), until: end, lints: true)
    return (link != nil, findings)
  }

  private func checkHeuristic(_ source: SourceText) -> (isValid: Bool, findings: [Finding]) {
    let findings = ScenarioReader.checkHeuristic(
      source, loader: loader { _ in }, programs: programs.acceptance)
    return (!findings.contains { $0.severity == .error }, findings)
  }

  /// Checks all runs of a scenario.
  private func checkScenario(
    _ source: SourceText, traces: TraceNotes?
  ) -> (isValid: Bool, findings: [Finding]) {
    var isValid = true
    var findings = DistinctFindings()
    for run in runs(of: source) {
      let read = ScenarioReader.read(
        source, ScenarioReader.Variation(run: run, changes: changes),
        loader: loader({ _ in }, traces: traces), lints: true, programs: programs.acceptance)
      findings.add(read.findings)
      if read.scenario == nil { isValid = false }
    }
    return (isValid, findings.list)
  }
}
