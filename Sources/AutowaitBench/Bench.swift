import Autowait
import AutowaitCommands
import AutowaitRendering
import AutowaitScenario

/// Runs the workloads and reports what they cost.
struct Bench {
  /// Keeps results alive, so that no work is optimized away.
  private var digest: UInt64 = 0

  /// Measures everything and returns the figures as JSON.
  mutating func report(rounds: Int) -> String {
    let memory = Memory.measured()
    var writer = JSONWriter(.pretty)
    writer.beginObject()
    writer.field("version", Int64(1))
    writer.key("plainSession")
    measure(Workloads.plainSession, &writer, rounds: rounds)
    writer.key("starvedSession")
    measure(Workloads.starvedSession, &writer, rounds: rounds)
    writer.key("ladderSession")
    measure(Workloads.ladderSession, &writer, rounds: rounds)
    measureFeatures(&writer, rounds: rounds)
    measureForks(&writer, rounds: rounds)
    measurePeers(&writer, rounds: rounds)
    measureJSON(&writer, rounds: rounds)
    measurePlaylists(&writer, rounds: rounds)
    measureExperiments(&writer, rounds: rounds)
    measureLinks(&writer, rounds: rounds)
    memory.write(into: &writer)
    writer.endObject()
    writer.endLine()
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  mutating func absorb(_ value: UInt64) {
    digest = (digest ^ value) &* 0x9E37_79B9_7F4A_7C15
  }

  mutating func runSession(
    _ world: World, keepsRecords: Bool
  ) -> (events: Int, records: EventRecords) {
    var simulation = Simulation(world, keepsRecords: keepsRecords)
    _ = simulation.run()
    absorb(simulation.fingerprint.value)
    return (simulation.eventCount, simulation.log.records)
  }

  /// Runs a fixed number of plain sessions and nothing else, for counting instructions.
  mutating func countedSessions(_ count: Int, log: Bool) {
    var writer = JSONWriter(capacity: 1 << 20)
    for seed in 0..<count {
      let world = Workloads.plainSession(seed: UInt64(seed % 8))
      let records = runSession(world, keepsRecords: log).records
      writer.removeAll()
      LogRendering.lines(records, Workloads.logScenario, into: &writer)
    }
  }

  mutating func measure(
    _ session: (UInt64) -> World, _ writer: inout JSONWriter, rounds: Int
  ) {
    let worlds = (0..<64).map { session(UInt64($0)) }
    let events = worlds.reduce(0) { $0 + runSession($1, keepsRecords: false).events }
    let plain = Stopwatch.best(of: rounds) {
      for world in worlds { _ = runSession(world, keepsRecords: false) }
    }
    let recorded = Stopwatch.best(of: rounds) {
      for world in worlds { absorb(UInt64(runSession(world, keepsRecords: true).records.count)) }
    }
    var log = JSONWriter(capacity: 1 << 20)
    let logged = Stopwatch.best(of: rounds) {
      for world in worlds {
        let records = runSession(world, keepsRecords: true).records
        log.removeAll()
        LogRendering.lines(records, Workloads.logScenario, into: &log)
        absorb(UInt64(log.count))
      }
    }
    let count = Int64(worlds.count)
    writer.beginObject()
    writer.field("eventsPerSession", Int64(events) / count)
    writer.field("sessionsPerSecond", count * 1_000_000_000 / plain)
    writer.field("picosecondsPerEvent", plain * 1_000 / Int64(events))
    writer.field("sessionsPerSecondWithRecords", count * 1_000_000_000 / recorded)
    writer.field("sessionsPerSecondWithLog", count * 1_000_000_000 / logged)
    writer.endObject()
  }

  /// Forks a run every fifty seconds of its first thousand, and lets each fork take a step.
  private mutating func measureForks(_ writer: inout JSONWriter, rounds: Int) {
    var simulation = Simulation(Workloads.plainSession(seed: 1), keepsRecords: false)
    var origins: [Simulation] = []
    for second in stride(from: Int64(50), to: 1_000, by: 50) {
      _ = simulation.advance(to: Instant(nanoseconds: second * 1_000_000_000))
      origins.append(simulation)
    }
    let count = 500
    let time = Stopwatch.best(of: rounds) {
      for origin in origins {
        for _ in 0..<count {
          var fork = origin
          _ = fork.step()
          absorb(fork.fingerprint.value)
        }
      }
    }
    writer.object("forkAndFirstStep") { writer in
      writer.field("picoseconds", time * 1_000 / Int64(count * origins.count))
    }
  }

  private mutating func measureJSON(_ writer: inout JSONWriter, rounds: Int) {
    let source = Workloads.traceFile
    let parse = Stopwatch.best(of: rounds) {
      absorb(UInt64(Findings(source).parseJSON()?.count ?? 0))
    }
    let text =
      #"{"autowait": 1, "link": "trace.json", "media": {"kind": "local", "duration": "1 s"},"#
      + #" "script": [{"at": 0, "do": "load"}]}"#
    let loader = FileLoader { _, _ in .success(source) }
    let read = Stopwatch.best(of: rounds) {
      let file = SourceText(path: "bench.json", text: text)
      absorb(UInt64(ScenarioReader.read(file, loader: loader).scenario?.linkNames.count ?? 0))
    }
    let bytes = Int64(source.bytes.count)
    writer.object("json") { writer in
      writer.field("bytes", bytes)
      writer.field("parsedMegabytesPerSecond", bytes * 1_000 / parse)
      writer.field("readMegabytesPerSecond", bytes * 1_000 / read)
    }
  }
}
