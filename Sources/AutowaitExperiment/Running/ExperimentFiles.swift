import Autowait
import AutowaitScenario

/// Finds and reads the files that an experiment names.
package struct ExperimentFiles {
  /// Reads single files.
  package let loader: FileLoader
  /// Returns the paths of the files in a folder that a file names, relative to that file, in order.
  package let list: (_ folder: String, _ base: String) -> Result<[String], FileLoader.FileProblem>
  /// Starts the programs that are a scenario's rules, each named in a file; nil where nobody does.
  package let programs: StartPrograms?
  /// Whether rules may be programs; they may be where nobody starts them and nothing is run.
  package let acceptance: ProgramAcceptance

  /// Starts programs by player; the path of each is relative to the file that names it.
  package typealias StartPrograms = (
    _ programs: [ExternalProgram?], _ bases: [String]
  ) -> Result<StartedPrograms, RuleFailure>

  /// Creates it from a loader, a function that lists folders, and one that starts programs; where
  /// nothing else is said, programs are accepted if there is such a function.
  package init(
    loader: FileLoader,
    list: @escaping (_ folder: String, _ base: String) -> Result<[String], FileLoader.FileProblem>,
    programs: StartPrograms? = nil, acceptance: ProgramAcceptance? = nil
  ) {
    self.loader = loader
    self.list = list
    self.programs = programs
    self.acceptance = acceptance ?? (programs == nil ? .nobodyStarts : .accepted)
  }

  /// For experiments that may name no files.
  package static var none: ExperimentFiles {
    ExperimentFiles(loader: .none) { _, _ in
      .failure(FileLoader.FileProblem("cannot be read here: there are no files"))
    }
  }

  /// Returns a loader for the scenarios of an experiment: what the base names lies beside the base,
  /// and what the experiment names beside the experiment.
  func loader(of plan: ExperimentPlan) -> FileLoader {
    if plan.base.source.path == plan.path { return loader }
    let inner = loader
    var loader = FileLoader(
      open: { inner.open($0, plan.origin(of: $0, namedIn: $1)) },
      size: { inner.size($0, plan.origin(of: $0, namedIn: $1)) },
      { inner.load($0, plan.origin(of: $0, namedIn: $1)) })
    loader.onTrace = inner.onTrace
    return loader
  }
}

extension ExperimentPlan {
  /// Returns the file that a path was written in, where a scenario that was put together names it:
  /// the experiment, or its base.
  package func origin(of path: String, namedIn file: String) -> String {
    file == self.path && !variedPaths.contains(path) ? base.source.path : file
  }
}
