import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// Experiments for tests, and the files that they name.
enum ExperimentFixture {
  /// The movie of the stage demo, loaded and played at once.
  static let base = """
    {"seed": 1, "link": "demo/slow-server",
      "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
      "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]}
    """

  /// Two rules on two links, under two seeds.
  static let small = experiment(
    #""heuristic": ["avfoundation", "vlc"], "link": ["demo/slow-server", "demo/fast"], "seed": 2"#,
    more: #", "metrics": ["observedBitrate", "rebufferRatio"]"#)

  /// Returns an experiment with some axes.
  static func experiment(_ vary: String, base: String = base, more: String = "") -> String {
    "{\"experiment\": 1, \"base\": \(base),\n\"vary\": {\(vary)}\(more)}"
  }

  /// Returns files that lie in memory, by their paths.
  static func files(_ files: [String: String]) -> ExperimentFiles {
    let loader = FileLoader { path, _ in
      files[path].map { .success(SourceText(path: path, text: $0)) }
        ?? .failure(FileLoader.FileProblem("does not exist"))
    }
    return ExperimentFiles(loader: loader) { folder, _ in
      let names = files.keys.filter { $0.hasPrefix(folder) }.sorted()
      return names.isEmpty ? .failure(FileLoader.FileProblem("does not exist")) : .success(names)
    }
  }

  /// Reads an experiment that must be valid.
  static func plan(
    _ text: String, files: ExperimentFiles = .none, seedCount: Int? = nil
  ) throws -> ExperimentPlan {
    let source = SourceText(path: "x.json", text: text)
    let (plan, findings) = ExperimentReader.read(source, files: files, seedCount: seedCount)
    #expect(findings.map(\.rendered) == [])
    return try #require(plan)
  }

  /// Runs a whole experiment.
  static func rows(
    _ plan: ExperimentPlan, files: ExperimentFiles = .none
  ) -> [SessionRow] {
    var runner = UnitRunner(plan, files: files)
    return (0..<plan.unitCount).flatMap { runner.rows(of: $0) }
  }
}
