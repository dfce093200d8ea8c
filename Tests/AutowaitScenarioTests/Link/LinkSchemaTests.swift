import Autowait
import AutowaitScenario
import Testing

/// What a link says of its packets is what the world has.
@Suite struct LinkSchemaTests {
  private func direction(_ text: String) throws -> LinkDirection {
    let (scenario, findings) = LinkFixture.read(#"{"down":{"rate":"1 Mbit/s",\#(text)}}"#)
    #expect(findings.isEmpty)
    return try #require(scenario).world.links[0].down
  }

  @Test(
    arguments: [
      (#"{"packets":50}"#, .packets(50)), (#"{"packets":1}"#, .packets(1)),
      (#"{"bytes":"75 kB"}"#, .bytes(ByteCount(bytes: 75_000))),
      (#"{"time":"200 ms"}"#, .time(.milliseconds(200))), (#""unlimited""#, .unlimited),
      (#""automatic""#, .automatic),
    ] as [(String, LinkQueue)])
  func queues(_ text: String, _ queue: LinkQueue) throws {
    #expect(try direction(#""queue":\#(text)"#).queue == queue)
  }

  @Test(
    arguments: [
      ("0.01", .bernoulli(LinkFixture.chance(10_000))),
      (#""1 %""#, .bernoulli(LinkFixture.chance(10_000))),
      (#""0.5%""#, .bernoulli(LinkFixture.chance(5_000))), ("0", .none), (#""0 %""#, .none),
      ("1", .bernoulli(.always)), (#""100 %""#, .bernoulli(.always)),
      ("1e-9", .bernoulli(Probability(billionths: 1))), (#"{"everyNth":100}"#, .everyNth(100)),
      (#"{"packets":[1,5,9]}"#, .packets([1, 5, 9])),
      (
        #"{"gilbertElliott":{"pGB":0.01,"pBG":"20 %"}}"#,
        .gilbertElliott(
          BurstLoss(
            fromGoodToBad: LinkFixture.chance(10_000), fromBadToGood: LinkFixture.chance(200_000)))
      ),
      (
        #"{"gilbertElliott":{"pGB":0.01,"pBG":0.2,"lossGood":0.001,"lossBad":0.5}}"#,
        .gilbertElliott(
          BurstLoss(
            fromGoodToBad: LinkFixture.chance(10_000), fromBadToGood: LinkFixture.chance(200_000),
            lossWhenGood: LinkFixture.chance(1_000), lossWhenBad: LinkFixture.chance(500_000)))
      ),
      (
        #"{"measured":{"probability":0.01,"seed":7}}"#,
        .measured(LinkFixture.chance(10_000), seed: 7)
      ),
    ] as [(String, LossModel)])
  func losses(_ text: String, _ loss: LossModel) throws {
    #expect(try direction(#""loss":\#(text)"#).loss == loss)
  }

  @Test(
    arguments: [
      (#"{"deviation":"5 ms"}"#, Jitter(deviation: .milliseconds(5))),
      (
        #"{"deviation":"5 ms","distribution":"normal","keepOrder":false}"#,
        Jitter(deviation: .milliseconds(5), distribution: .normal, keepsOrder: false)
      ),
      (
        #"{"deviation":"5 ms","distribution":"pareto"}"#,
        Jitter(deviation: .milliseconds(5), distribution: .pareto)
      ),
      (
        #"{"deviation":"5 ms","distribution":"paretonormal"}"#,
        Jitter(deviation: .milliseconds(5), distribution: .paretoNormal)
      ),
      (
        #"{"deviation":"5 ms","distribution":[-8192,0,0,32767]}"#,
        Jitter(deviation: .milliseconds(5), distribution: .table([-8_192, 0, 0, 32_767]))
      ),
    ])
  func jitters(_ text: String, _ jitter: Jitter) throws {
    #expect(try direction(#""jitter":\#(text)"#).jitter == jitter)
  }

  @Test func packets() throws {
    let direction = try direction(
      #""reorder":{"probability":0.25,"gap":5},"duplicate":"1 %","#
        + #""overhead":{"mtu":1280,"perPacket":14}"#
    )
    #expect(direction.reorder == Reordering(chance: LinkFixture.chance(250_000), gap: 5))
    #expect(direction.duplicate == LinkFixture.chance(10_000))
    #expect(direction.mtu == ByteCount(bytes: 1_280))
    #expect(direction.overheadPerPacket == ByteCount(bytes: 14))
    #expect(try self.direction(#""reorder":0.25"#).reorder?.gap == 1)
  }

  @Test func bothDirectionsHaveEverything() throws {
    let one = #"{"rate":"2 Mbit/s","delay":"5 ms","queue":{"packets":9},"loss":0.1}"#
    let world = try #require(LinkFixture.read(#"{"down":\#(one),"up":\#(one)}"#).scenario).world
    #expect(world.links[0].down == world.links[0].up)
    #expect(world.links[0].up.track.samples[0].delay == .milliseconds(5))
    let plain = try #require(LinkFixture.read(#"{"rate":"unlimited"}"#).scenario).world
    #expect(plain.links[0].down == plain.links[0].up)
  }

  @Test func aTrackHasLossesAndDelays() throws {
    let text =
      """
      {"down":{"delay":"9 ms","track":[{"for":1,"rate":5,"loss":"2 %"},
        {"for":1,"rate":"unlimited","delay":"3 ms"}],"trackEnd":"loop"}}
      """
    let track = try #require(LinkFixture.read(text).scenario).world.links[0].down.track
    #expect(
      track
        == LinkTrack(
          [
            .init(
              rate: BitRate(bitsPerSecond: 5), delay: .milliseconds(9),
              loss: LinkFixture.chance(20_000)),
            .init(start: .seconds(1), rate: .unlimited, delay: .milliseconds(3)),
          ], ending: .loop(after: .seconds(2))))
  }

  @Test func namesCost() throws {
    let names = try #require(
      LinkFixture.read(#"{"rate":5,"dns":{"delay":"3 s","cache":false}}"#).scenario
    ).world.links[0].names
    #expect(names.delay == .seconds(3))
    #expect(!names.isCached)
  }

  @Test(
    arguments: [
      (
        #"{"type":"blackout","at":8,"for":2}"#,
        LinkEvent(at: .seconds(8), .blackout(.seconds(2), drops: .nothing))
      ),
      (
        #"{"type":"blackout","at":8,"for":2,"drop":"inFlight"}"#,
        LinkEvent(at: .seconds(8), .blackout(.seconds(2), drops: .inFlight))
      ),
      (
        #"{"type":"handover","at":5}"#,
        LinkEvent(
          at: .seconds(5),
          .handover(.init(gap: .zero, flushesQueue: true, endsConnections: true)))
      ),
      (
        #"{"type":"handover","at":5,"gap":"300 ms","flushQueue":false,"newPath":false,"#
          + #""to":"demo/fast"}"#,
        LinkEvent(
          at: .seconds(5),
          .handover(
            .init(
              gap: .milliseconds(300), flushesQueue: false, endsConnections: false, link: 1)))
      ),
      (
        #"{"type":"conditioner","at":5,"use":"nlc/3g"}"#,
        LinkEvent(
          at: .seconds(5),
          .handover(.init(gap: .zero, flushesQueue: false, endsConnections: false, link: 1)))
      ),
    ])
  func events(_ text: String, _ event: LinkEvent) throws {
    let (scenario, findings) = LinkFixture.read(
      #"{"rate":5,"events":[\#(text)]}"#, #""transport":{}"#)
    #expect(findings.isEmpty)
    #expect(try #require(scenario).world.links[0].events == [event])
  }

  @Test func outagesThatTouchAreOne() throws {
    let events = [(9, 2), (1, 3), (4, 2), (5, 4)].map {
      #"{"type":"blackout","at":\#($0.0),"for":\#($0.1),"drop":"new"}"#
    }
    let world = try #require(
      LinkFixture.read(#"{"rate":5,"events":[\#(events.joined(separator: ","))]}"#).scenario
    ).world
    #expect(
      world.links[0].events == [LinkEvent(at: .seconds(1), .blackout(.seconds(10), drops: .new))])
  }

  /// A partial link says what differs, and an event behind a handover happens to the link of then.
  @Test func aHandoverLeadsToTheLinkThatHoldsThen() throws {
    let text = """
      {"down":{"rate":5,"delay":"9 ms","loss":0.5},"up":{"delay":"7 ms"},"events":[
        {"type":"handover","at":5,"gap":1,"to":{"down":{"delay":"1 ms"}}},
        {"type":"blackout","at":"5.5 s","for":1},
        {"type":"blackout","at":8,"for":1}]}
      """
    let world = try #require(LinkFixture.read(text).scenario).world
    #expect(world.links.count == 3)
    let next = try #require(world.links.last)
    #expect(next.down.track == LinkTrack(rate: BitRate(bitsPerSecond: 5), delay: .milliseconds(1)))
    #expect(next.down.loss == .bernoulli(LinkFixture.chance(500_000)))
    #expect(next.up.track.samples[0].delay == .milliseconds(7))
    let handover = LinkEvent.Handover(
      gap: .seconds(1), flushesQueue: true, endsConnections: true, link: 2)
    #expect(world.links[0].events == [LinkEvent(at: .seconds(5), .handover(handover))])
    #expect(
      next.events == [
        LinkEvent(at: .zero, .blackout(.milliseconds(500), drops: .nothing)),
        LinkEvent(at: .seconds(2), .blackout(.seconds(1), drops: .nothing)),
      ])
  }

  /// A conditioner that is off leaves the link as it was, and nothing happens to it again.
  @Test func aConditionerIsSwitchedOff() throws {
    let text = """
      {"down":{"rate":5,"loss":0.5},"events":[{"type":"conditioner","at":5,"use":"nlc/3g"},
        {"type":"conditioner","at":9,"use":"off"}]}
      """
    let (scenario, findings) = LinkFixture.read(text)
    #expect(findings.isEmpty)
    let read = try #require(scenario)
    let links = read.world.links
    #expect(read.linkNames == ["link 1", "nlc/3g", "link 1", "nlc/3g"])
    func next(_ link: Int) -> (Int?, TimeSpan)? {
      guard case .handover(let handover) = links[link].events.last?.kind else { return nil }
      return (handover.link, links[link].events[0].start)
    }
    #expect(next(0) ?? (nil, .zero) == (3, .seconds(5)))
    #expect(next(3) ?? (nil, .zero) == (2, .seconds(4)))
    #expect(links[2].events.isEmpty)
    #expect(links[2].down == links[0].down)
    let again = ScenarioReader.read(
      SourceText(path: "b.json", bytes: read.resolved), loader: .none
    ).scenario
    #expect(again?.world.links == links)
    #expect(again?.resolved == read.resolved)
  }

  /// A link may lead back to itself: it then begins again.
  @Test func aLinkLeadsBackToItself() throws {
    let files = [
      "a.json": #"{"rate":5,"events":[{"type":"handover","at":5,"to":"b.json"}]}"#,
      "b.json": #"{"rate":6,"events":[{"type":"handover","at":6,"to":"a.json"}]}"#,
    ]
    let (scenario, findings) = LinkFixture.read(#""a.json""#, files: files)
    #expect(findings.isEmpty)
    let read = try #require(scenario)
    let world = read.world
    #expect(world.links.count == 2)
    let next = world.links.map { link -> Int? in
      if case .handover(let handover) = link.events[0].kind { handover.link } else { nil }
    }
    #expect(next == [1, 0])
    let again = try #require(
      ScenarioReader.read(
        SourceText(path: "a.json", bytes: read.resolved), loader: .none
      ).scenario)
    #expect(again.world.links == world.links)
    #expect(again.resolved == read.resolved)
  }

  @Test func outagesInTurn() throws {
    let text = #"{"rate":5,"outage":{"on":"3 s","off":"1 s"}}"#
    let world = try #require(LinkFixture.read(text, #""until":"10 s""#).scenario).world
    #expect(
      world.links[0].events
        == [3, 7].map { LinkEvent(at: .seconds($0), .blackout(.seconds(1), drops: .new)) })
    #expect(world.draws == 0)
  }

  /// Drawn outages depend on the seed alone, do not touch, and last as long as they should.
  @Test(arguments: [UInt64(1), 2, 3])
  func outagesByChance(_ seed: UInt64) throws {
    let text = #"{"rate":5,"outage":{"onMean":"4 s","offMean":"1 s","drop":"both"}}"#
    func read(_ until: Int) throws -> World {
      let (scenario, findings) = LinkFixture.read(text, #""until":\#(until)"#, seed: seed)
      #expect(findings.isEmpty)
      return try #require(scenario).world
    }
    let events = try read(50_000).links[0].events
    var (off, last) = (Int64(0), TimeSpan.zero)
    for event in events {
      guard case .blackout(let length, .both) = event.kind else {
        Issue.record("\(event)")
        continue
      }
      #expect(event.start > last)
      last = event.start + length
      off += length.nanoseconds
    }
    #expect((9_500...10_500).contains(events.count))
    #expect((9_500...10_500).contains(off / 1_000_000_000))
    let prefix = try read(1_000)
    #expect(Array(events.prefix(prefix.links[0].events.count)) == prefix.links[0].events)
    #expect(prefix.draws > 0)
  }

  @Test func hosts() throws {
    let text = """
      {"rate":5,"match":[{"host":"*.cdn.example","profile":"nlc/3g"},
        {"host":"a.example","profile":{"rate":9}}]}
      """
    let (scenario, findings) = LinkFixture.read(text)
    #expect(findings.isEmpty)
    let hosts = try #require(scenario).hosts
    #expect(hosts.map(\.link) == [1, 2])
    #expect(
      ["x.cdn.example", "X.CDN.Example", "cdn.example", "a.example", "b.a.example"].map { name in
        hosts.firstIndex { $0.matches(name) }
      } == [0, 0, nil, 1, nil])
  }
}
