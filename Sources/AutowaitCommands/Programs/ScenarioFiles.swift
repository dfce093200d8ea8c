import Autowait
import AutowaitExperiment
import AutowaitFiles
import AutowaitScenario

/// Reads scenarios and the files that they name, none of which may lie outside of the root.
struct ScenarioFiles {
  /// Which run of a scenario is asked for.
  struct Asked {
    /// The name of the run, of a file that varies.
    var run: String?
    /// The seed, if not that of the file.
    var seed: UInt64?
  }

  /// The folder given with `--root`, if one was.
  var root: String?
  /// Whether rules may be programs, and whether those are started.
  var programs = ProgramUse.named
  /// Whether traces are read behind the end of a run too.
  var readsWholeTraces = false
  /// What is changed in each scenario before it is read, and in the base of each experiment.
  var changes: [ScenarioChange] = []
  /// The recording whose files are read, instead of those on disk.
  var recorded: RunRecording?

  /// Writes a file again with all that can be corrected in it; returns what was, or why not.
  func correct(
    _ path: String, _ findings: [Finding]
  ) -> Result<[(finding: Finding, text: String)], Finding> {
    let corrected = findings.compactMap { finding in
      finding.path == path ? finding.correction.map { (finding, $0) } : nil
    }
    guard !corrected.isEmpty else { return .success([]) }
    switch source(path) {
    case .failure(let finding): return .failure(finding)
    case .success(let source):
      var bytes = source.bytes
      for (_, correction) in corrected.sorted(by: { $0.1.range.lowerBound > $1.1.range.lowerBound })
      {
        bytes.replaceSubrange(correction.range, with: Array(correction.text.utf8))
      }
      do throws(Files.SystemProblem) {
        try Files.write(bytes, to: path)
      } catch {
        return .failure(Finding(.error, "the file \(error.reason)", path: path))
      }
      return .success(corrected.map { ($0.0, $0.1.text) })
    }
  }

  /// Returns what a scenario leaves out, and what that stands for; nil for other files, and for
  /// one with an error.
  func leftOut(_ read: Result<SourceText, Finding>) -> [LeftOutKey]? {
    guard case .success(let source) = read, !PlaylistReader.isPlaylist(source),
      !ExperimentReader.isExperiment(source), let own = Findings(source).parseJSON(),
      let scenario = self.read(source, Asked(run: runs(of: source).first ?? nil)).scenario
    else { return nil }
    // What the file extends leaves out nothing that it says, and neither does its first run.
    let whole = Findings(SourceText(path: source.path, bytes: scenario.resolved))
    let isWhole = own.member("extends") == nil && scenario.runName == nil && changes.isEmpty
    let root = isWhole ? own : whole.parseJSON()
    return root.flatMap { scenario.leftOut(in: $0) }
  }

  /// Reads a scenario from a text that lies at a path; tells the real path of each file that the
  /// scenario names, and what of it is read.
  func read(
    _ source: SourceText, _ asked: Asked = Asked(), _ traces: TraceNotes? = nil,
    _ recorder: FileRecorder? = nil, onLoad: @escaping (String) -> Void = { _ in }
  ) -> (scenario: Scenario?, findings: [Finding]) {
    if let finding = Self.recordedFinding(source) { return (nil, [finding]) }
    recorder?.begin(source)
    let loader = loader(onLoad, traces: traces)
    return ScenarioReader.read(
      source, ScenarioReader.Variation(run: asked.run, changes: changes, seed: asked.seed),
      loader: recorder?.noting(loader) ?? loader, programs: programs.acceptance)
  }

  /// Returns the runs of a file: all, or those that are wanted; nil stands for the only run of one
  /// that does not vary.
  func runs(of source: SourceText, _ wanted: [String] = []) -> [String?] {
    if !wanted.isEmpty { return wanted }
    return ScenarioReader.runNames(source, changes: changes, loader: loader { _ in }) ?? [nil]
  }

  /// Says that a text is what a run has left, if it is, and no scenario.
  static func recordedFinding(_ source: SourceText) -> Finding? {
    let isRecording = RunRecordingReader.isRecording(source)
    guard isRecording || source.bytes.starts(with: Array("{\"autowaitLog\":".utf8)) else {
      return nil
    }
    return Finding(
      .error, "this is a \(isRecording ? "recording" : "log"), not a scenario", path: source.path,
      notes: ["'autowait replay \(Path.quoted(source.path))' runs its scenario again"])
  }

  /// Reads a link by itself: a preset, or a file with a link or a trace.
  func readLink(
    _ name: String, seed: UInt64, until horizon: Instant
  ) -> (link: StandaloneLink?, findings: [Finding]) {
    guard name.hasSuffix(".json") else {
      if Self.isPreset(name) || Files.kind(of: name) == nil {
        return StandaloneLink.read(preset: name, seed: seed, until: horizon)
      }
      do throws(Files.SystemProblem) {
        return StandaloneLink.read(trace: try Files.stream(name), until: horizon)
      } catch {
        return (nil, [Finding(.error, "the file \(error.reason)", path: name)])
      }
    }
    switch source(name) {
    case .failure(let finding): return (nil, [finding])
    case .success(let source):
      if StandaloneLink.isTrace(source) {
        return StandaloneLink.read(trace: ByteSource(source), until: horizon)
      }
      return StandaloneLink.read(source, loader: loader { _ in }, seed: seed, until: horizon)
    }
  }

  /// Reads a stream: a playlist, a scenario with one, or a medium; tells the real path of each file
  /// that it names.
  func readStream(
    _ path: String, onLoad: @escaping (String) -> Void
  ) -> (stream: StreamFile?, findings: [Finding]) {
    switch source(path) {
    case .failure(let finding): (nil, [finding])
    case .success(let source): StreamFile.read(source, loader: loader(onLoad))
    }
  }

  /// Returns whether a link of a name is built in.
  private static func isPreset(_ name: String) -> Bool {
    (try? LinkPreset.named(name)) != nil
  }

  /// Reads a file, or says why it cannot be read.
  func source(_ path: String) -> Result<SourceText, Finding> {
    do throws(Files.SystemProblem) {
      return .success(SourceText(path: path, bytes: try Files.read(path)))
    } catch {
      var notes: [String] = []
      if error.reason == "is a folder" {
        notes = ["'autowait test \(Path.quoted(path))' runs the scenarios in a folder"]
      } else if error == .doesNotExist, let nearest = neighbor(of: path) {
        notes = ["did you mean '\(nearest)'?"]
      }
      return .failure(Finding(.error, "the file \(error.reason)", path: path, notes: notes))
    }
  }

  /// A loader for the files that a scenario names; tells what was understood of its traces.
  func loader(
    _ onLoad: @escaping (String) -> Void, traces: TraceNotes? = nil
  ) -> FileLoader {
    var loader = recorded?.loader ?? FileLoader.files(root: root, onLoad)
    if let traces { loader.onTrace = { traces.add($0) } }
    loader.readsWholeTraces = readsWholeTraces
    return loader
  }

  /// Returns the real path of a program that a scenario names.
  func place(ofProgram path: String, of base: String) throws(Files.SystemProblem) -> String {
    try FileLoader.locate(path, from: base, root: root)
  }

  /// Returns the scenario beside a missing file that has nearly its name; for a playlist, one.
  private func neighbor(of path: String) -> String? {
    let folder = Path.folder(of: path)
    guard let files = try? Files.siblings(folder) else { return nil }
    let ending = path.hasSuffix(".m3u8") ? ".m3u8" : ".json"
    let names = files.filter { $0.hasSuffix(ending) }
    return NearestWord.nearest(to: Path.name(of: path), among: names)
      .map { Path.join(folder, $0) }
  }
}

/// Findings of several readings of a file, each of which is told once.
struct DistinctFindings {
  private(set) var list: [Finding] = []
  private var known: Set<Finding> = []

  mutating func add(_ findings: [Finding]) {
    for finding in findings where known.insert(finding).inserted { list.append(finding) }
  }
}
