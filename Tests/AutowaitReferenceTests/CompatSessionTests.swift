import Autowait
import AutowaitReference
import AutowaitScenario
import Testing

/// Scenarios as Sabre and Pensieve play them.
@Suite struct CompatSessionTests {
  static func world(
    _ rule: String, link: String = #"{"down":{"rate":"1 Mbit/s","delay":"100 ms"}}"#,
    media: String = "", player: String = "",
    variants: String = #"{"bandwidth":"500 kbit/s"},{"bandwidth":"1 Mbit/s"}"#
  ) throws -> World {
    let text = """
      {"autowait":1,"link":\(link),"media":{"kind":"hls","duration":"20 s",\(media)\
      "segmentDuration":"2 s","variants":[\(variants)]},
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

  /// The last look of MPC needs a size behind the last segment.
  ///
  /// A stream that says it plays as
  /// Pensieve's film of one size more, segment by segment, and one that does not otherwise.
  @Test func mpcLooksBehindTheEnd() throws {
    let bits = [500_000.0, 1_000_000]
    let rows = [
      PensieveSetup.RateRow(time: 0, megabits: 0), PensieveSetup.RateRow(time: 1e9, megabits: 0.55),
    ]
    var differences = 0
    for last in [1, 20_000, 60_000, 125_000, 250_000, 900_000] {
      let film = (0..<10).flatMap { _ in bits.map { $0 * 2 } }
      let sizes: [Double] = film + [Double(last) * 8, 2_000_000]
      let ladder = RuleLadder(
        segmentDuration: 2_000, bitRates: [500, 1_000], count: 10, sizes: sizes)
      var judge = PensieveSession(
        PensieveSetup(ladder, over: rows, rule: SegmentRulePolicy(.predictive)))
      let expected = judge.run()
      let variants = [("500 kbit/s", last), ("1 Mbit/s", 250_000)]
      func played(_ says: Bool) throws -> PeerOutcome {
        let text = variants.map { rate, size in
          #"{"bandwidth":"\#(rate)"\#(says ? #","sizeAfterEnd":\#(size)"# : "")}"#
        }
        let world = try Self.world(
          "\"mpc\"", link: #"{"down":{"rate":"550 kbit/s"}}"#, variants: text.joined(separator: ",")
        )
        return try CompatSession(world, as: .pensieve).outcome
      }
      let said = try played(true)
      #expect(said.qualities == expected.qualities && said.stalled == expected.stalled)
      if try played(false).qualities != said.qualities { differences += 1 }
    }
    #expect(differences > 0)
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
