import Autowait
import AutowaitScenario
import Testing

/// A link that says no more than an ideal one can is ideal; all others carry requests over TCP.
@Suite struct TransportTests {
  @Test(arguments: [
    #""demo/fast""#, #""demo/slow-server""#, #""demo/offline""#, #"{"rate":"5 Mbit/s"}"#,
    #"{"rate":5,"up":{"delay":"9 ms"}}"#, #"{"down":{"rate":5,"delay":"9 ms"}}"#,
    #"{"rate":"unlimited","name":"x","about":"x","source":"x","confidence":"low"}"#,
    #"{"down":{"track":[{"for":5,"rate":5,"delay":"9 ms"}],"trackEnd":"offline"}}"#,
    #"{"down":{"random":{"from":1,"to":9,"every":1,"count":2}}}"#,
    #"{"rate":5,"events":[{"type":"blackout","at":1,"for":1}]}"#,
    #"[{"at":0,"use":"demo/fast"},{"at":1,"use":{"rate":7}}]"#,
    #""chrome/3g""#, #""lighthouse/slow-4g""#, #""devtools/gprs""#,
    #"{"rate":5,"traceKind":"goodput"}"#,
    #"{"rate":5,"down":null}"#.replacing(#","down":null"#, with: ""),
    #"{"rate":5,"dns":{"delay":"3 s"},"transport":"ideal"}"#,
    #"{"rate":5,"transport":{"tier":"ideal"}}"#,
  ])
  func isIdeal(_ link: String) throws {
    let (scenario, findings) = LinkFixture.read(link)
    #expect(findings.isEmpty)
    let world = try #require(scenario).world
    #expect(world.transport == nil)
    #expect(world.links.allSatisfy { $0.events.isEmpty })
  }

  @Test(arguments: [
    #"{"rate":5,"up":{"rate":5}}"#, #"{"down":{"rate":5,"queue":"automatic"}}"#,
    #"{"down":{"rate":5,"loss":0}}"#, #"{"rate":5,"up":{"loss":0.1}}"#,
    #"{"down":{"rate":5,"jitter":{"deviation":1}}}"#, #"{"down":{"rate":5,"reorder":0.1}}"#,
    #"{"down":{"rate":5,"duplicate":0.1}}"#, #"{"down":{"rate":5,"overhead":{"mtu":1280}}}"#,
    #"{"down":{"track":[{"at":0,"rate":5,"loss":0.1}]}}"#, #"{"rate":5,"dns":{}}"#,
    #"{"rate":5,"outage":{"on":1,"off":1}}"#, #"{"rate":5,"transport":{}}"#,
    #"{"rate":5,"events":[{"type":"handover","at":1}]}"#,
    #"{"rate":5,"events":[{"type":"blackout","at":1,"for":1,"drop":"nothing"}]}"#,
    #"{"down":{"track":[{"for":5,"rate":5}],"trackEnd":"loop"},"#
      + #""events":[{"type":"blackout","at":1,"for":1}]}"#,
    #"[{"at":0,"use":"demo/fast"},{"at":1,"use":"nlc/3g"}]"#,
  ])
  func isReal(_ link: String) throws {
    let (scenario, findings) = LinkFixture.read(link)
    #expect(findings.isEmpty)
    #expect(try #require(scenario).world.transport == TransportPolicy())
    // Whatever a link says, the scenario can pin it.
    if link.contains("loop") { return }
    let pinned = try #require(LinkFixture.read(link, #""transport":"ideal""#).scenario).world
    #expect(pinned.transport == nil)
    #expect(pinned.links.allSatisfy { $0.events.isEmpty })
  }

  @Test func everyPresetIsWhatItSays() throws {
    for preset in LinkPreset.all {
      let (scenario, findings) = LinkFixture.read("\"\(preset.name)\"")
      #expect(findings.isEmpty)
      let world = try #require(scenario).world
      #expect((world.transport != nil) == preset.isReal, "\(preset.name)")
      #expect(world.links == [preset.profile], "\(preset.name)")
    }
  }

  /// What a scenario says wins, key by key; what it does not say is what its link says.
  @Test func theScenarioHasTheLastWord() throws {
    func policy(_ link: String, _ scenario: String) throws -> (TransportPolicy?, LinkTier?) {
      let fields = scenario.isEmpty ? "" : #""transport":\#(scenario)"#
      let world = try #require(LinkFixture.read(link, fields).scenario).world
      return (world.transport, world.tier)
    }
    let link = #"{"rate":5,"transport":{"http":"h2","tls":"1.2","tier":"fluid"}}"#
    var expected = TransportPolicy()
    expected.http = .http2
    expected.tls = .tls12
    #expect(try policy(link, "") == (expected, .fluid))
    expected.tls = .resumed
    #expect(try policy(link, #"{"tls":"resumed","tier":"packet"}"#) == (expected, .packet))
    #expect(try policy(link, #""ideal""#) == (nil, nil))
    #expect(try policy(#""demo/fast""#, "{}") == (TransportPolicy(), nil))
    #expect(try policy(#""chrome/3g""#, #"{"tier":"auto"}"#) == (TransportPolicy(), nil))
    #expect(try policy(link, #"{"tier":"ideal"}"#) == (nil, .ideal))
  }

  @Test func everyKey() throws {
    let text = """
      {"http":"h3","tls":"0rtt","cc":"bbr","paced":false,"initialWindow":20,"segmentSize":1200,
       "receiveWindow":"64 KiB","slowStartAfterIdle":false,"connectionsPerHost":2,
       "serverThink":"30 ms","synTimeout":"3 s","dnsTimeout":"2 s","dnsLookup":false,
       "requestSize":"1 kB","responseHeaderSize":"500 B","acknowledgementDelay":"25 ms",
       "retransmissionTimeoutMin":"300 ms","requestTimeout":null,"retriesMax":0,"tier":"packet"}
      """
    let (scenario, findings) = LinkFixture.read(#""demo/fast""#, #""transport":\#(text)"#)
    #expect(findings.isEmpty)
    var policy = TransportPolicy()
    policy.http = .http3
    policy.tls = .zeroRoundTrip
    policy.congestionControl = .bbr
    policy.isPaced = false
    policy.initialWindow = 20
    policy.segmentSize = ByteCount(bytes: 1_200)
    policy.receiveWindow = ByteCount(bytes: 65_536)
    policy.slowStartsAfterIdle = false
    policy.connectionsPerHost = 2
    policy.serverDelay = .milliseconds(30)
    policy.synTimeout = .seconds(3)
    policy.nameTimeout = .seconds(2)
    policy.usesDNSLookup = false
    policy.requestSize = ByteCount(bytes: 1_000)
    policy.responseHeaderSize = ByteCount(bytes: 500)
    policy.acknowledgementDelay = .milliseconds(25)
    policy.retransmissionTimeoutMin = .milliseconds(300)
    policy.requestTimeout = nil
    policy.retriesMax = 0
    #expect(try #require(scenario).world.transport == policy)
  }

  @Test func quicIsSecured() throws {
    let world = try #require(
      LinkFixture.read(#""demo/fast""#, #""transport":{"http":"h3"}"#).scenario
    ).world
    #expect(world.transport?.tls == .tls13)
  }
}
