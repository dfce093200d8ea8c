import Autowait
import AutowaitExperiment
import AutowaitFiles
import AutowaitScenario

/// Reading experiments and the files that they name, none of which may lie outside of the root.
extension ScenarioFiles {
  /// The files of an experiment, each read once by the one who holds the value, and its programs.
  var experimentFiles: ExperimentFiles { experimentFiles() }

  /// The files of an experiment; tells the real path of each when it is read, and what was
  /// understood of its traces.
  func experimentFiles(
    _ traces: TraceNotes? = nil, _ onLoad: @escaping (String) -> Void = { _ in }
  ) -> ExperimentFiles {
    ExperimentFiles(
      loader: loader(onLoad, traces: traces), list: self.traces,
      programs: programs == .started ? { start($0, bases: $1) } : nil,
      acceptance: programs.acceptance)
  }

  /// Prepares the programs of one run.
  private func start(
    _ programs: [ExternalProgram?], bases: [String]
  ) -> Result<StartedPrograms, RuleFailure> {
    Result { () throws(RuleFailure) in
      var rule = try ProcessRule(programs, bases: bases, self)
      return StartedPrograms(
        ask: { question throws(RuleFailure) in try rule.answer(question) },
        end: { rule.end() })
    }
  }

  /// Returns the paths of the traces in a folder.
  private func traces(
    _ folder: String, of base: String
  ) -> Result<[String], Files.SystemProblem> {
    Result { () throws(Files.SystemProblem) in
      let place = try FileLoader.locate(folder, from: base, root: self.root)
      let names = try Files.list(place, Self.isTrace).map {
        String($0.utf8.dropFirst(place.utf8.count + 1)) ?? ""
      }
      return names.map { Path.join(Path.tidied(folder), $0) }
    }
  }

  /// Reads an experiment; with an error among the findings there is no plan.
  ///
  /// Tells the real path of each file that it names.
  func readExperiment(
    _ path: String, seedCount: Int? = nil, traces: TraceNotes? = nil,
    onLoad: @escaping (String) -> Void = { _ in }
  ) -> (plan: ExperimentPlan?, findings: [Finding]) {
    switch source(path) {
    case .failure(let finding): return (nil, [finding])
    case .success(let source):
      let read = ExperimentReader.read(
        source, files: experimentFiles(traces, onLoad), seedCount: seedCount, changes: changes)
      return programs.checked(read)
    }
  }

  /// Whether a file in a folder of traces is one: what explains them lies among them.
  private static func isTrace(_ path: String) -> Bool {
    let name = Path.name(of: path)
    let isText = ["README", "LICENSE", "NOTICE", "INDEX"].contains { name.hasPrefix($0) }
    return !isText && !name.hasSuffix(".md")
  }
}
