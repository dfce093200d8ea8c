import AutowaitExperiment
import AutowaitFiles
import AutowaitScenario

/// A scenario or an experiment with all files that it names, as a page embeds them.
struct EmbeddedSource {
  /// A file that is named, where it lies as seen from the page.
  struct NamedFile: Equatable {
    let path: String
    let bytes: [UInt8]
  }

  /// What the page calls it: the path of its file, or only its name where the path leads elsewhere.
  let path: String
  /// What the tab is called.
  let title: String
  let text: String
  let isExperiment: Bool
  let files: [NamedFile]
  /// The digest of what happened in its last run; nil of an experiment.
  let fingerprint: UInt64?
  /// The view of its run, as the page makes it too; nil where the page is to make it first.
  var view: [UInt8]?

  /// The most that is embedded of what a file names; what is more would make a page that nobody
  /// sends.
  private static let filesMax = 4 << 20

  /// Reads a file and what it names; what speaks against it are findings.
  static func read(
    _ path: String, _ files: ScenarioFiles
  ) -> (source: EmbeddedSource?, findings: [Finding]) {
    switch files.source(path) {
    case .failure(let finding): return (nil, [finding])
    case .success(let source):
      guard let text = String(validating: source.bytes, as: UTF8.self) else {
        return (nil, [Finding(.error, "the file is not UTF-8", path: path)])
      }
      let collector = FileCollector(source.path, shownAs: shown(path))
      let read =
        ExperimentReader.isExperiment(source)
        ? experiment(source, text, files, collector) : scenario(source, text, files, collector)
      let size = collector.files.reduce(0) { $0 + $1.bytes.count }
      if read.source != nil, size > filesMax {
        let message = "the files that it names have \(size) bytes; a page takes \(filesMax)"
        return (nil, [Finding(.error, message, path: path)])
      }
      return read
    }
  }

  /// A page does not say where its files lie on this machine.
  private static func shown(_ path: String) -> String {
    let tidy = Path.normalized(path)
    return Path.isAbsolute(tidy) || tidy.hasPrefix("../") ? Path.name(of: path) : tidy
  }

  private static func scenario(
    _ source: SourceText, _ text: String, _ files: ScenarioFiles, _ collector: FileCollector
  ) -> (source: EmbeddedSource?, findings: [Finding]) {
    let loader = collector.noting(files.loader { _ in })
    let names: [String?] = ScenarioReader.runNames(source, loader: loader) ?? [nil]
    var result: (scenario: Scenario, fingerprint: UInt64)?
    for name in names {
      let (scenario, findings) = ScenarioReader.read(
        source, ScenarioReader.Variation(run: name), loader: loader, programs: .accepted)
      guard let scenario else { return (nil, findings) }
      if scenario.asksPrograms {
        let message = "its rule is a program, and a page cannot start programs"
        return (nil, [Finding(.error, message, path: source.path)])
      }
      result = (scenario, ScenarioRun.rerun(scenario).fingerprint)
    }
    let name = result?.scenario.name ?? ""
    return (
      EmbeddedSource(
        path: collector.path, title: name == source.path ? collector.path : name, text: text,
        isExperiment: false, files: collector.files, fingerprint: result?.fingerprint), []
    )
  }

  private static func experiment(
    _ source: SourceText, _ text: String, _ files: ScenarioFiles, _ collector: FileCollector
  ) -> (source: EmbeddedSource?, findings: [Finding]) {
    let usual = files.experimentFiles
    var listed: String?
    let noting = ExperimentFiles(
      loader: collector.noting(usual.loader),
      list: { folder, base in
        listed = folder
        return usual.list(folder, base)
      }, acceptance: usual.acceptance)
    let (plan, findings) = ExperimentReader.read(source, files: noting)
    guard let plan else { return (nil, findings) }
    if plan.namesPrograms {
      let message = "one of its rules is a program, and a page cannot start programs"
      return (nil, [Finding(.error, message, path: source.path)])
    }
    if let listed {
      let message = "it lists the folder '\(listed)', and a page has no folders"
      return (nil, [Finding(.error, message, path: source.path, notes: ["name the files"])])
    }
    // What lies beside a world that was not tried is read when its sessions run.
    for world in 0..<min(plan.worldCount, 1_000) {
      let key = plan.key(unit: world * plan.seeds.count, contestant: 0)
      _ = plan.scenario(of: key, files: noting)
    }
    return (
      EmbeddedSource(
        path: collector.path, title: plan.name == source.path ? collector.path : plan.name,
        text: text, isExperiment: true, files: collector.files, fingerprint: nil), []
    )
  }
}

/// Collects the files that a scenario asks for, each where it lies as seen from the scenario.
private final class FileCollector {
  /// Where the scenario lies for who reads the page.
  let path: String
  private(set) var files: [EmbeddedSource.NamedFile] = []
  /// Where files lie that name others, by the paths that they are shown under.
  private var places: [String: String]

  init(_ source: String, shownAs path: String) {
    self.path = path
    places = [source: path]
  }

  /// Returns a loader that keeps what it reads.
  func noting(_ inner: FileLoader) -> FileLoader {
    FileLoader(
      open: { path, base in
        self.note(path, base, inner)
        return inner.open(path, base)
      },
      size: { path, base in
        self.note(path, base, inner)
        return inner.size(path, base)
      },
      { path, base in
        self.note(path, base, inner)
        return inner.load(path, base)
      })
  }

  private func note(_ path: String, _ base: String, _ inner: FileLoader) {
    let from = places[base] ?? self.path
    let place = Path.normalized(Path.join(Path.folder(of: from), path))
    places[Path.normalized(Path.join(Path.folder(of: base), path))] = place
    if files.contains(where: { $0.path == place }) { return }
    guard case .success(let text) = inner.load(path, base) else { return }
    files.append(EmbeddedSource.NamedFile(path: place, bytes: text.bytes))
  }
}
