import Autowait
import AutowaitExperiment
import AutowaitRendering
import AutowaitScenario

/// What a page shows of a scenario: one of its runs, or what speaks against it; as JSON.
package struct EmbeddedView {
  /// The JSON: an object.
  package let json: [UInt8]
  /// The paths of files that were asked for and are not there.
  package let missing: [String]

  /// Runs one of the runs of the scenario at a path: the one of a name, or else the first.
  package init(_ path: String, run name: String?, in files: EmbeddedFiles) {
    guard let bytes = files.bytes(at: path) else {
      json = JSONWriter.line { writer in
        writer.strings("findings", ["\(path): error: the file does not exist"])
      }
      missing = [path]
      return
    }
    let wanted = Wanted()
    let loader = files.loader { wanted.note($0) }
    let source = SourceText(path: path, bytes: bytes)
    let names = ScenarioReader.runNames(source, loader: loader) ?? []
    let name = name ?? names.first
    let (scenario, findings) = ScenarioReader.read(
      source, ScenarioReader.Variation(run: name), loader: loader, programs: .nobodyStarts)
    json = JSONWriter.line(capacity: 1 << 16) { writer in
      writer.strings("runs", names)
      Self.write(findings, into: &writer)
      guard let scenario else { return }
      writer.field("resolved", text: String(decoding: scenario.resolved, as: UTF8.self))
      let result = ScenarioRun.run(scenario)
      let again = ScenarioRun.rerun(scenario, samplesAt: RunView.instants(result))
      RunView.write(result, again.samples, into: &writer)
    }
    missing = wanted.paths
  }

  /// Writes what there is to be said about a text, each with the place that it is about.
  static func write(_ findings: [Finding], into writer: inout JSONWriter) {
    writer.array("findings") { writer in
      for finding in findings { writer.string(text: finding.rendered) }
    }
    writer.array("places") { writer in
      for finding in findings {
        writer.integer(Int64(finding.line))
        writer.integer(Int64(finding.column))
      }
    }
  }
}

/// An experiment among embedded files, run session by session.
package struct EmbeddedExperiment {
  private let plan: ExperimentPlan
  private var runner: UnitRunner
  private var result: ExperimentResult
  private var rows: [SessionRow] = []
  private var next = 0

  /// Reads an experiment; without one, what speaks against it is JSON like a view.
  package static func read(
    _ path: String, in files: EmbeddedFiles
  ) -> (experiment: EmbeddedExperiment?, json: [UInt8], missing: [String]) {
    let wanted = Wanted()
    let experimentFiles = ExperimentFiles(
      loader: files.loader { wanted.note($0) },
      list: { _, _ in .failure(FileLoader.FileProblem("lists no files in a page")) })
    guard let bytes = files.bytes(at: path) else {
      let text = "\(path): error: the file does not exist"
      return (nil, JSONWriter.line { $0.strings("findings", [text]) }, [path])
    }
    let (plan, findings) = ExperimentReader.read(
      SourceText(path: path, bytes: bytes), files: experimentFiles)
    let experiment = plan.map { EmbeddedExperiment($0, experimentFiles) }
    let json =
      experiment?.json
      ?? JSONWriter.line { writer in EmbeddedView.write(findings, into: &writer) }
    return (experiment, json, wanted.paths)
  }

  private init(_ plan: ExperimentPlan, _ files: ExperimentFiles) {
    self.plan = plan
    runner = UnitRunner(plan, files: files)
    result = ExperimentResult(plan)
  }

  /// Runs some more sessions; returns whether there are more.
  package mutating func advance(_ count: Int) -> Bool {
    for _ in 0..<count {
      let unit = next / plan.contestantCount
      if unit >= plan.unitCount { return false }
      let contestant = next % plan.contestantCount
      rows += runner.rows(of: unit, contestants: contestant..<contestant + 1)
      next += 1
      if contestant + 1 < plan.contestantCount { continue }
      result.add(rows)
      rows = []
      if (unit + 1).isMultiple(of: plan.blockUnits), result.isPreciseEnough { return false }
    }
    return next < plan.sessionCount
  }

  /// What it came to so far.
  package var json: [UInt8] { ExperimentView.json(result) }
}
