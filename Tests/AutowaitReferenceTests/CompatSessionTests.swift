import Autowait
import AutowaitReference
import AutowaitScenario
import Testing

/// Scenarios as Sabre and Pensieve play them.
@Suite struct CompatSessionTests {
  static func world(
    _ rule: String, link: String = #"{"down":{"rate":"1 Mbit/s","delay":"100 ms"}}"#,
    media: String = "", player: String = ""
  ) throws -> World {
    let text = """
      {"autowait":1,"link":\(link),"media":{"kind":"hls","duration":"20 s",\(media)\
      "segmentDuration":"2 s","variants":[{"bandwidth":"500 kbit/s"},{"bandwidth":"1 Mbit/s"}]},
      "player":{\(player)"streaming":{"rule":\(rule)}},
      "script":[{"at":0,"do":"load"},{"at":0,"do":"play"}]}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "x.json", text: text), loader: .none)
    return try #require(scenario, "\(findings)").world
  }

  /// Two seconds of 1 Mbit/s take 2.1 s each: 0.1 s of stall behind each but the first.
  @Test func sabreByHand() throws {
    let session = try CompatSession(try Self.world(#"{"scripted":[1]}"#), as: .sabre)
    #expect(abs(session.outcome.startup - 2_100) < 1e-6)
    #expect(abs(session.outcome.stalled - 900) < 1e-6)
    #expect(session.outcome.stalls == 9)
    #expect(abs(session.outcome.total - 23_000) < 1e-6)
    #expect(session.leftOut.isEmpty && AdaptationRules.name(of: session.rule) == "scripted")
    #expect(session.downloads.map(\.segment) == Array(0..<10))
  }

  /// Two seconds of 1 Mbit/s at 0.95 of it, and 80 ms.
  @Test func pensieveByHand() throws {
    let session = try CompatSession(try Self.world(#"{"scripted":[1]}"#), as: .pensieve)
    let each = 2_000 / 0.95 + 80
    #expect(abs(session.outcome.startup - each) < 1e-3)
    #expect(abs(session.outcome.stalled - 9 * (each - 2_000)) < 1e-3)
    #expect(abs(session.outcome.total - 10 * each) < 1e-3)
    #expect(session.leftOut == ["the delay of the link, for which Pensieve has 80 ms"])
  }

  @Test(arguments: [
    ("\"fixed\"", 0), ("\"throughput\"", 0), ("\"bola-e\"", 0), ("\"bba\"", 1), ("\"mpc\"", 1),
  ])
  func rulesPlay(_ rule: String, _ first: Int) throws {
    for mode in CompatMode.allCases {
      let session = try CompatSession(try Self.world(rule), as: mode)
      #expect(session.outcome.qualities.count == 10)
      #expect(session.downloads.first?.quality == first)
    }
  }

  @Test(arguments: [
    ("\"avfoundation\"", #"{"down":{"rate":"1 Mbit/s"}}"#, "the rule 'avfoundation' cannot be"),
    (
      "\"bola\"",
      #"{"down":{"track":[{"rate":"1 Mbit/s","for":"9 s"}],"trackEnd":"offline"}}"#,
      "the link ends, and"
    ),
    ("\"bola\"", #"{"down":{"rate":0}}"#, "the session never ends"),
  ])
  func obstaclesAreTold(_ rule: String, _ link: String, _ message: String) throws {
    let world = try Self.world(rule, link: link)
    let problem = #expect(throws: CompatSession.CompatProblem.self) {
      try CompatSession(world, as: .sabre)
    }
    #expect(problem?.message.hasPrefix(message) == true, "\(problem?.message ?? "none")")
  }
}
