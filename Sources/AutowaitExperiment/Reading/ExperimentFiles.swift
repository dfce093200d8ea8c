import AutowaitScenario

/// Finds and reads the files that an experiment names.
public struct ExperimentFiles {
  /// Reads single files.
  public let loader: FileLoader
  /// Returns the paths of the files in a folder that a file names, relative to that file, in order.
  public let list: (_ folder: String, _ base: String) -> Result<[String], FileLoader.Problem>

  /// Creates it from a loader and a function that lists folders.
  public init(
    loader: FileLoader,
    list: @escaping (_ folder: String, _ base: String) -> Result<[String], FileLoader.Problem>
  ) {
    self.loader = loader
    self.list = list
  }

  /// For experiments that may name no files.
  public static var none: ExperimentFiles {
    ExperimentFiles(loader: .none) { _, _ in
      .failure(FileLoader.Problem("there are no files here"))
    }
  }

  /// Returns a loader for the scenarios of an experiment: what the base names lies beside the base,
  /// and what the experiment names beside the experiment.
  func loader(of plan: ExperimentPlan) -> FileLoader {
    let own = plan.path
    let base = plan.base.source.path
    let varied = plan.variedPaths
    if base == own { return loader }
    func origin(_ path: String, _ from: String) -> String {
      from == own && !varied.contains(path) ? base : from
    }
    let inner = loader
    return FileLoader(
      open: { inner.open($0, origin($0, $1)) }, size: { inner.size($0, origin($0, $1)) },
      { inner.load($0, origin($0, $1)) })
  }
}
