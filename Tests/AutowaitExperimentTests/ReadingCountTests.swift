import Autowait
import AutowaitExperiment
import AutowaitScenario
import Testing

/// How often an experiment reads its scenarios: what costs nothing for one seed must cost nothing
/// for a million.
@Suite struct ReadingCountTests {
  /// Counts how often files were read, of which some readings fail.
  private final class Counter {
    var count = 0
    var failing: Range<Int> = 0..<0
  }

  private static let random =
    #"{"down": {"random": {"from": "1 Mbit/s", "to": "9 Mbit/s", "every": "1 s", "count": 60}}}"#
  static let links = [
    #"{"down": {"rate": "4 Mbit/s"}}"#, random,
    #"{"down": {"rate": "8 Mbit/s"}, "outage": {"onMean": "2 s", "offMean": "1 s", "#
      + #""drop": "nothing"}, "transport": {"tier": "fluid"}}"#,
  ]

  private static func files(_ link: String, _ counter: Counter) -> ExperimentFiles {
    let loader = FileLoader { path, _ in
      counter.count += 1
      if counter.failing.contains(counter.count) {
        return .failure(FileLoader.FileProblem("is busy"))
      }
      return .success(SourceText(path: path, text: link))
    }
    return ExperimentFiles(loader: loader) { _, _ in .success([]) }
  }

  private static func plan(_ link: String, seeds: Int) throws -> ExperimentPlan {
    let text = ExperimentFixture.experiment(
      #""heuristic": ["mpv", "vlc"], "link": ["l.json"], "seed": \#(seeds)"#)
    return try ExperimentFixture.plan(text, files: files(link, Counter()))
  }

  @Test(arguments: links) func readingsDoNotGrowWithSeeds(_ link: String) throws {
    for seeds in [1, 2, 12] {
      let counter = Counter()
      let plan = try Self.plan(link, seeds: seeds)
      let rows = ExperimentFixture.rows(plan, files: Self.files(link, counter))
      #expect(rows.count == 2 * seeds)
      #expect(rows.allSatisfy { $0.problem == nil })
      #expect(counter.count == 2)
    }
  }

  /// What goes wrong under one seed is asked again under the next, so that it does not depend on
  /// where a thread began.
  @Test func aReadingThatFailedIsRepeated() throws {
    let counter = Counter()
    counter.failing = 1..<2
    let plan = try Self.plan(Self.random, seeds: 3)
    let rows = ExperimentFixture.rows(plan, files: Self.files(Self.random, counter))
    #expect(rows.map { $0.problem != nil } == [true, false, false, false, false, false])
    #expect(counter.count == 3)
  }
}
