import Autowait
import AutowaitCommands
import AutowaitExperiment
import AutowaitScenario

/// What it costs to run the sessions of an experiment, with their yardsticks and statistics.
extension Bench {
  /// The movie of the stage demo by five rules on links around its rate, under some seeds.
  private static let experiment = """
    {"experiment": 1, "name": "bench", "base": {
      "media": {"kind": "progressive", "duration": "39 s", "bitrate": "3.73 Mbit/s"},
      "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]},
     "vary": {"heuristic": ["avfoundation", "media3", "shaka-4.12", "mpv", "vlc"],
      "link": [{"name": "a", "down": {"rate": "3.2 Mbit/s"}},
        {"name": "b", "down": {"rate": "4 Mbit/s"}}],
      "seed": 2000}}
    """

  /// Measures a whole experiment on one thread, and how much faster two of them are.
  mutating func measureExperiments(_ writer: inout JSONWriter, rounds: Int) {
    let source = SourceText(path: "bench.json", text: Self.experiment)
    guard let plan = ExperimentReader.read(source, files: .none).plan else {
      preconditionFailure("the bench's experiment is wrong")
    }
    let time = Stopwatch.best(of: rounds) {
      var runner = UnitRunner(plan, files: .none)
      var result = ExperimentResult(plan)
      for unit in 0..<plan.unitCount { result.add(runner.rows(of: unit)) }
      absorb(UInt64(result.sessionCount))
    }
    writer.object("experiment") { writer in
      writer.field("sessions", Int64(plan.sessionCount))
      writer.field("sessionsPerSecond", Int64(plan.sessionCount) * 1_000_000_000 / time)
      measureThreads(plan, &writer, rounds: rounds)
    }
  }

  /// The efficiency is the share of two threads' time that one thread would have needed, by the
  /// clock on the wall: on a machine that does other things, too, it says less.
  private mutating func measureThreads(
    _ plan: ExperimentPlan, _ writer: inout JSONWriter, rounds: Int
  ) {
    func time(_ threads: Int) -> Int64 {
      Stopwatch.best(of: rounds, by: .wall) {
        let result = ExperimentExecution(plan, threads: threads).run(progress: nil)
        absorb(UInt64(result.sessionCount))
      }
    }
    let (alone, together) = (time(1), time(2))
    writer.object("twoThreads") { writer in
      writer.field("sessionsPerSecond", Int64(plan.sessionCount) * 1_000_000_000 / together)
      writer.field("efficiency", millionths: alone * 1_000_000 / (2 * together))
    }
  }
}
