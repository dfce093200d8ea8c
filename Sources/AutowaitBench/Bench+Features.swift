import Autowait
import AutowaitExperiment
import AutowaitScenario

/// What each property of a session costs beside the session without it.
extension Bench {
  /// Measures only what properties cost, and returns the figures as JSON: some of them, or, if none
  /// is named, all, and what takes long.
  mutating func featureReport(_ features: [Feature], rounds: Int) -> String {
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    if features.isEmpty {
      measureFeatures(&writer, rounds: rounds)
    } else {
      measureSessions(features, &writer, rounds: rounds)
    }
    writer.endObject()
    writer.endLine()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Measures the sessions, a crowd of players, and a comparison.
  mutating func measureFeatures(_ writer: inout JSONWriter, rounds: Int) {
    measureSessions(Feature.allCases, &writer, rounds: rounds)
    measureLongOnes(&writer, rounds: rounds)
  }

  /// Measures sessions of one player, or of two, beside what they cost without the property.
  private mutating func measureSessions(
    _ features: [Feature], _ writer: inout JSONWriter, rounds: Int
  ) {
    writer.object("features") { writer in
      for kind in ["plain", "ladder"] {
        let some = features.filter { $0.rawValue.hasPrefix(kind) }
        if some.isEmpty { continue }
        let make = kind == "plain" ? Workloads.plainSession : Workloads.ladderSession
        let plain = nanoseconds(of: make, rounds: rounds)
        writer.object(text: kind) { $0.field("sessionsPerSecond", 1_000_000_000 / plain) }
        for feature in some {
          let time = nanoseconds(of: feature.world, rounds: rounds) / Int64(feature.playerCount)
          writer.object(text: feature.rawValue) { writer in
            writer.field("sessionsPerSecond", 1_000_000_000 / time)
            writer.field("percentOfPlain", time * 100 / plain)
          }
        }
      }
    }
  }

  /// The time that a session takes, without that for making its world.
  private mutating func nanoseconds(of make: (UInt64) -> World, rounds: Int) -> Int64 {
    let worlds = (0..<16).map { make(UInt64($0)) }
    let time = Stopwatch.best(of: rounds) {
      for world in worlds { _ = runSession(world, keepsRecords: false) }
    }
    return max(1, time / Int64(worlds.count))
  }

  private mutating func measureLongOnes(_ writer: inout JSONWriter, rounds: Int) {
    measureCrowds(&writer)
    measureComparisons(&writer, rounds: rounds)
  }

  /// Measures an hour of crowds of some sizes, each once.
  mutating func crowdReport(_ counts: [Int]) -> String {
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    measureCrowds(&writer, counts)
    writer.endObject()
    writer.endLine()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private mutating func measureCrowds(
    _ writer: inout JSONWriter, _ counts: [Int] = [100, 300, 1_000]
  ) {
    writer.object("hourOfUnlikePlayers") { writer in
      for count in counts {
        let world = CrowdWorkload.world(players: count)
        let time = Stopwatch.best(of: 1) { _ = runSession(world, keepsRecords: false) }
        writer.object(text: "\(count)") { $0.field("milliseconds", time / 1_000_000) }
      }
    }
  }

  /// 400 sessions of a film of ten minutes in six variants under one heuristic.
  private mutating func measureComparisons(_ writer: inout JSONWriter, rounds: Int) {
    writer.object("comparison") { writer in
      for heuristic in ["vhs", "media3", "mpv", "hls.js"] {
        let source = SourceText(path: "bench.json", text: Self.comparison(heuristic))
        guard let plan = ExperimentReader.read(source, files: .none).plan else {
          preconditionFailure("the bench's comparison is wrong")
        }
        let time = Stopwatch.best(of: min(rounds, 3)) {
          var runner = UnitRunner(plan, files: .none)
          for unit in 0..<plan.unitCount { absorb(UInt64(runner.rows(of: unit).count)) }
        }
        writer.object(text: heuristic) { $0.field("milliseconds", time / 1_000_000) }
      }
    }
  }

  private static func comparison(_ heuristic: String) -> String {
    """
    {"experiment": 1, "name": "bench", "base": {
      "media": {"kind": "hls", "duration": "600 s", "segmentDuration": "4 s", "variants": [
        {"bandwidth": "300 kbit/s"}, {"bandwidth": "750 kbit/s"}, {"bandwidth": "1.2 Mbit/s"},
        {"bandwidth": "1.85 Mbit/s"}, {"bandwidth": "2.85 Mbit/s"}, {"bandwidth": "4.3 Mbit/s"}]},
      "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]},
     "vary": {"heuristic": ["\(heuristic)"],
      "link": [{"name": "a", "down": {"rate": "1.6 Mbit/s"}},
        {"name": "b", "down": {"rate": "4 Mbit/s"}}],
      "seed": 200}}
    """
  }
}
