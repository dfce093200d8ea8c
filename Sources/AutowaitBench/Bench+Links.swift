import Autowait
import AutowaitScenario

/// What links cost that behave like real ones.
extension Bench {
  /// A piece of work that can be counted, with nothing beside it.
  enum Counted: String, CaseIterable {
    case packets, fluid
    case packetSession = "packet-session"
    case fluidSession = "fluid-session"
    case ladderSession = "ladder-session"
  }

  /// Does a piece of work so many times and nothing else, for counting instructions.
  mutating func counted(_ work: Counted, _ count: Int) {
    for _ in 0..<count {
      switch work {
      case .packets: absorb(LinkWorkloads.download(.paced))
      case .fluid: absorb(LinkWorkloads.requests(150, over: LinkWorkloads.profile("nlc/3g")))
      case .packetSession:
        _ = runSession(LinkWorkloads.demoSession(.packet), keepsRecords: false)
      case .ladderSession:
        _ = runSession(Workloads.ladderSession(seed: 1), keepsRecords: false)
      case .fluidSession: _ = runSession(LinkWorkloads.demoSession(.fluid), keepsRecords: false)
      }
    }
  }

  /// Measures the tiers, and sessions over them.
  mutating func measureLinks(_ writer: inout JSONWriter, rounds: Int) {
    writer.object("packetTier") { writer in
      for sending in LinkWorkloads.Sending.allCases {
        writer.key(text: sending.rawValue)
        measureDownload(LinkWorkloads.download(sending), &writer, rounds: rounds)
      }
    }
    writer.object("fluidTier") { writer in
      for name in LinkWorkloads.fluidLinks {
        writer.key(text: name)
        measureRequests(over: LinkWorkloads.profile(name), &writer, rounds: rounds)
      }
    }
    writer.key("packetSession")
    measureSession(LinkWorkloads.demoSession(.packet), times: 2, &writer, rounds: rounds)
    writer.key("fluidSession")
    measureSession(LinkWorkloads.demoSession(.fluid), times: 500, &writer, rounds: rounds)
  }

  @discardableResult
  private mutating func absorb(_ trial: TransferTrial) -> TransferReport {
    let report = trial.run()
    absorb(UInt64((report.down?.offered ?? 0) + (report.up?.offered ?? 0) + report.eventCount))
    return report
  }

  /// All but a few of the packets that the server sends carry data: those that were lost too.
  private mutating func measureDownload(
    _ plan: TransferTrial, _ writer: inout JSONWriter, rounds: Int
  ) {
    let packets = Int64(absorb(plan).down?.offered ?? 0)
    let time = Stopwatch.best(of: rounds) { absorb(plan) }
    writer.beginObject()
    writer.field("dataPackets", packets)
    writer.field("dataPacketsPerSecond", packets * 1_000_000_000 / time)
    writer.field("picosecondsPerDataPacket", time * 1_000 / packets)
    writer.endObject()
  }

  /// The rates of the links do not change: all events are those of the requests.
  private mutating func measureRequests(
    over link: LinkProfile, _ writer: inout JSONWriter, rounds: Int
  ) {
    let first = absorb(LinkWorkloads.requests(1, over: link)).eventCount
    let plan = LinkWorkloads.requests(150, over: link)
    let run = absorb(plan)
    let requests = Int64(run.outcomes[0].count)
    let time = Stopwatch.best(of: rounds) { absorb(plan) }
    writer.beginObject()
    writer.field("eventsOfFirstRequest", Int64(first))
    writer.field("eventsPerRequest", millionths: Int64(run.eventCount) * 1_000_000 / requests)
    writer.field("requestsPerSecond", requests * 1_000_000_000 / time)
    writer.endObject()
  }

  private mutating func measureSession(
    _ world: World, times: Int, _ writer: inout JSONWriter, rounds: Int
  ) {
    let events = Int64(runSession(world, keepsRecords: false).events)
    let time = Stopwatch.best(of: rounds) {
      for _ in 0..<times { _ = runSession(world, keepsRecords: false) }
    }
    writer.beginObject()
    writer.field("eventsPerSession", events)
    writer.field("sessionsPerSecond", Int64(times) * 1_000_000_000 / time)
    writer.field("picosecondsPerEvent", time * 1_000 / (events * Int64(times)))
    writer.endObject()
  }
}
