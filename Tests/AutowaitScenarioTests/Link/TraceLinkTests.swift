import Autowait
import AutowaitScenario
import Testing

/// A scenario may name a trace where it names a link, and its log then holds the link.
@Suite struct TraceLinkTests {
  private static let files = [
    "x.trace": "1\n2\n2\n5\n",
    "net.json": #"[{"duration_ms": 9, "bandwidth_kbps": 8, "latency_ms": 2}]"#,
    "bad.trace": "1\nx\n",
    "word": "one two three\n",
    "all.ini": "[A]\nbwIn=8\nbwOut=8\nlatency=2\n[B]\nbwIn=9\nbwOut=8\nlatency=2\n",
  ]

  private static var loader: FileLoader {
    FileLoader { path, _ in
      files[path].map { .success(SourceText(path: path, text: $0)) }
        ?? .failure(FileLoader.FileProblem("does not exist"))
    }
  }

  private func read(
    _ link: String, _ fields: String = "", loader: FileLoader = loader
  ) -> (scenario: Scenario?, findings: [Finding]) {
    let text = """
      {"link":\(link),"media":{"kind":"local","duration":1},
       "script":[{"at":0,"do":"load"}]\(fields)}
      """
    return ScenarioReader.read(SourceText(path: "a.json", text: text), loader: loader)
  }

  @Test(arguments: [
    (#""x.trace""#, "1 12000, 1 24000, 2 0, 1 12000, loop"),
    (#"{"trace": "x.trace"}"#, "1 12000, 1 24000, 2 0, 1 12000, loop"),
    (#"{"trace": "net.json", "format": "sabre"}"#, "9 8 +1, loop | ∞ +1, hold"),
    (#"{"trace": "net.json"}"#, "9 8 +1, loop | ∞ +1, hold"),
    (
      #"{"trace": "all.ini", "profile": "B"}"#,
      "0.009 +1, hold, queue 1000 | 0.008 +1, hold, queue 1000"
    ),
    (
      #"[{"at": 0, "use": {"trace": "x.trace"}}, {"at": 1, "use": {"trace": "x.trace"}}]"#,
      "1 12000, 1 24000, 2 0, 1 12000, loop"
    ),
  ])
  func isReadAndEmbedded(_ link: String, _ expected: String) throws {
    let (scenario, findings) = read(link)
    #expect(findings.map(\.rendered) == [])
    let first = try #require(scenario)
    #expect(first.world.links.map(TraceSample.text) == [expected])
    #expect(first.inputs == [])
    // The resolved scenario needs no file any more.
    let (again, problems) = ScenarioReader.read(
      SourceText(path: "a.json", bytes: first.resolved), loader: .none)
    #expect(problems.map(\.rendered) == [])
    let replayed = try #require(again)
    #expect(replayed.world.links == first.world.links)
    #expect(replayed.world.linkChanges == first.world.linkChanges)
    #expect(replayed.resolved == first.resolved)
  }

  @Test func onlyWhatTheRunNeedsIsRead() throws {
    var given = 0
    let endless = FileLoader(
      open: { path, _ in
        .success(
          ByteSource(path: path) {
            given += 1
            return .success(Array("\(100 * given)\n".utf8))
          })
      },
      { _, _ in .failure(FileLoader.FileProblem("must not be read whole")) })
    let (scenario, findings) = read(
      #"{"trace": "x", "format": "mahimahi"}"#, #","until":"5 s""#, loader: endless)
    #expect(findings.map(\.rendered) == [])
    let track = try #require(scenario).world.links[0].down.track
    #expect(track.ending == .loop(after: .seconds(5)))
    #expect(given < 60)
  }

  @Test func aLongTraceIsNamedByItsDigest() throws {
    let lines = (1...4_000).map { "\($0 * 2)\n" }.joined()
    let loader = FileLoader { path, _ in .success(SourceText(path: path, text: lines)) }
    let scenario = try #require(read(#""long.trace""#, loader: loader).scenario)
    #expect(scenario.inputs.map(\.path) == ["long.trace"])
    #expect(String(decoding: scenario.resolved, as: UTF8.self).contains(#""link":"long.trace""#))
  }

  /// A trace that is read in pieces and packed is the link that its conversion spells out, has the
  /// digest of that file, and runs alike.
  @Test(arguments: [4_096, 4_097, 9_000])
  func aLongTraceIsItsConversion(_ count: Int) throws {
    var text = "0 1\n"
    for line in 1...count { text += "\(line * 20).0 \(line * 7_919 % 5_000).5\n" }
    let trace = text
    let converted = TraceReader.read(ByteSource(SourceText(path: "long.trace", text: trace)))
    let link = try #require(converted.link)
    let written = try TraceWriter.write(link, .link).bytes
    let loader = FileLoader { path, _ in
      .success(
        path == "long.trace"
          ? SourceText(path: path, text: trace) : SourceText(path: path, bytes: written))
    }
    let short = #","until":"1 s""#
    for fields in [#","until":"100 d""#, short] {
      let one = try #require(read(#""long.trace""#, fields, loader: loader).scenario)
      if fields == short {
        #expect(one.world.links[0].down.track.samples.count == 1)
        continue
      }
      let other = try #require(read(#""long.json""#, fields, loader: loader).scenario)
      #expect(one.world.links == other.world.links)
      #expect(one.world.links[0].down.track.samples.isPacked == (count > 4_096))
      #expect(one.inputs.map(\.digest) == other.inputs.map(\.digest))
      #expect(ScenarioRun.run(one).fingerprint == ScenarioRun.run(other).fingerprint)
    }
  }

  @Test(arguments: [
    (#""no.trace""#, "the trace 'no.trace' does not exist"),
    (#""bad.trace""#, "a line must be a whole number of milliseconds"),
    (#"{"trace": "x.trace", "format": "mahimhi"}"#, "'format' has the unknown value 'mahimhi'"),
    (#"{"trace": 5}"#, "'trace' must be a string, not a number"),
    (#"{"trace": "all.ini"}"#, "the file has 2 profiles: choose one with the key 'profile'"),
    (#""net.json""#, "the file 'net.json' is a Sabre network, not a link"),
    (#"{"trace": "word"}"#, "the format of the file is not recognized"),
  ])
  func isRefused(_ link: String, _ message: String) {
    let (scenario, findings) = read(link)
    #expect(scenario == nil)
    #expect(findings.map(\.message) == [message])
  }

  @Test(arguments: 0..<30)
  func aLinkThatIsWrittenIsReadAgain(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let profile = LinkProfile(down: direction(&random), up: direction(&random))
    let link = ConvertedLink(name: "a \"b\"", source: "\\", kind: .goodput, profile)
    let written = try TraceWriter.write(link, .link)
    let reading = TraceReader.read(TraceSample.source(written.bytes))
    #expect(reading.findings.map(\.rendered) == [])
    #expect(reading.link == link)
  }

  /// Returns a link in a file as it plays: what it is, and how it carries requests.
  private func played(_ bytes: [UInt8]) throws -> StandaloneLink {
    let source = SourceText(path: "x.json", bytes: bytes)
    let (link, findings) = StandaloneLink.read(
      source, loader: .none, until: .start + .seconds(100))
    #expect(findings.map(\.rendered) == [])
    return try #require(link)
  }

  private func expectSame(_ link: StandaloneLink, _ other: StandaloneLink) {
    #expect(link.name == other.name)
    #expect(link.links == other.links)
    #expect(link.policy == other.policy)
    #expect(link.tier == other.tier)
    #expect(link.traceKind == other.traceKind)
  }

  static let presets =
    LinkPreset.all.map(\.name)
    + ["nlc/lte@queue=bdp,loss=1 %", "demo/fast@up.rate=5 Mbit/s", "android/full@delay=3 ms"]

  @Test(arguments: presets)
  func aPresetPlaysAsItsFileDoes(_ name: String) throws {
    let link = try #require(LinkFormat.builtIn(name))
    let written = try TraceWriter.write(link, .link)
    #expect(written.warnings == [])
    let preset = try #require(
      StandaloneLink.read(preset: name, until: .start + .seconds(100)).link)
    expectSame(try played(written.bytes), preset)
    let again = try #require(TraceReader.read(TraceSample.source(written.bytes)).link)
    #expect(try TraceWriter.write(again, .link).bytes == written.bytes)
    #expect(again.confidence == (try LinkPreset.named(name)).confidence)
    #expect(!again.source.isEmpty && !again.about.isEmpty)
  }

  /// Links with all that the format has, and no other one.
  static let ownLinks = [
    #"{"name": "a", "rate": 5, "transport": "ideal"}"#,
    #"{"name": "a", "rate": 5, "transport": {}}"#,
    #"{"name": "a", "rate": 5, "transport": {"tier": "ideal"}}"#,
    #"{"name": "a", "rate": "unlimited", "up": {"rate": "unlimited"}}"#,
    #"{"name": "a", "rate": 5, "dns": {"cache": false}}"#,
    #"{"name": "a", "rate": 5, "outage": {"onMean": "3 s", "offMean": "1 s", "drop": "both"}}"#,
    #"{"name": "a", "rate": 5, "outage": {"on": "3 s", "off": "1.5 s"}, "transport": {}}"#,
    """
    {"name": "a", "rate": 5, "transport": {"http": "h3", "tls": "0rtt", "connectionsPerHost": 2,
      "serverThink": "5 ms", "responseHeaderSize": 301, "cc": "bbr", "paced": false,
      "initialWindow": 4, "segmentSize": 1200, "receiveWindow": "64 kB",
      "slowStartAfterIdle": false, "acknowledgementDelay": "25 ms",
      "retransmissionTimeoutMin": "1 s", "synTimeout": "3 s", "dnsLookup": false,
      "dnsTimeout": "5 s", "requestSize": 401, "requestTimeout": null, "retriesMax": 0,
      "tier": "packet"}}
    """,
    #"{"name": "a", "rate": 5, "transport": {"http": "h2", "tls": "1.2", "cc": "reno"}}"#,
    #"{"name": "a", "rate": 5, "transport": {"tls": "resumed", "cc": "none", "tier": "fluid"}}"#,
    """
    {"name": "a", "rate": 5, "events": [
      {"type": "blackout", "at": "1 s", "for": "2 s", "drop": "inFlight"},
      {"type": "handover", "at": "5 s", "gap": "300 ms", "to": {"name": "b, c", "rate": 7}},
      {"type": "conditioner", "at": "9 s", "use": "nlc/3g"}]}
    """,
    #"{"name": "a", "rate": 5, "match": [{"host": "*.b", "profile": {"name": "b", "rate": 9}}]}"#,
  ]

  @Test(arguments: ownLinks)
  func aLinkOfOurOwnPlaysAsItDidBefore(_ text: String) throws {
    let reading = TraceReader.read(TraceSample.source(Array(text.utf8)))
    #expect(reading.findings.map(\.rendered) == [])
    let written = try TraceWriter.write(try #require(reading.link), .link)
    #expect(written.warnings == [])
    expectSame(try played(written.bytes), try played(Array(text.utf8)))
  }

  @Test(arguments: [
    (#""transport": "ideal""#, TraceFormat.sabre, nil),
    (#""transport": "ideal""#, .mahimahi, "'mahimahi' has no place for the transport"),
    (#""transport": {"http": "h2"}"#, .sabre, "'sabre' has no place for the transport"),
    (#""outage": {"on": 1, "off": 1}"#, .pensieve, "'pensieve' has no place for outages"),
    (
      #""match": [{"host": "b", "profile": "nlc/3g"}]"#, .tc,
      "'tc' has no place for the links of hosts"
    ),
  ])
  func whatIsOnlyOurs(_ member: String, _ format: TraceFormat, _ warning: String?) throws {
    let text = #"{"name": "a", "rate": "5 Mbit/s", \#(member)}"#
    let link = try #require(TraceReader.read(TraceSample.source(Array(text.utf8))).link)
    #expect(try TraceWriter.write(link, format).warnings == (warning.map { [$0] } ?? []))
  }

  @Test func aRandomTrackIsTakenAsItIsDrawn() {
    let text = #"{"down": {"random": {"from": 1, "to": 9, "every": 1, "count": 3}}}"#
    let reading = TraceReader.read(TraceSample.source(Array(text.utf8)))
    #expect(
      reading.findings.map(\.message) == [
        "the random track is taken as it is drawn from the seed 0"
      ])
  }

  /// Draws a direction with whatever a link can say.
  private func direction(_ random: inout SplitMix64) -> LinkDirection {
    func chance() -> Probability {
      Probability(billionths: Int64(random.next() % 1_000_000_000) + 1)
    }
    let endings: [TraceEnding?] = [nil, .loop, .hold, .offline]
    let ending = endings[Int(random.next() % 4)]
    var samples: [LinkTrack.Sample] = []
    var end: Int64 = 0
    for _ in 0...(ending == nil ? 0 : random.next() % 5) {
      samples.append(
        LinkTrack.Sample(
          start: TimeSpan(nanoseconds: end),
          rate: BitRate(bitsPerSecond: Int64(random.next() % 900_000_000)),
          delay: TimeSpan(nanoseconds: Int64(random.next() % 900_000_000)),
          loss: ending != nil && random.next() % 3 == 0 ? chance() : nil))
      end += Int64(random.next() % 9_000_000_000) + 1
    }
    let after = TimeSpan(nanoseconds: end)
    let endingAfter: LinkTrack.Ending =
      switch ending {
      case .loop: .loop(after: after)
      case .offline: .offline(after: after)
      case .hold, nil: .hold
      }
    var direction = LinkDirection(LinkTrack(samples, ending: endingAfter))
    let queues: [LinkQueue] = [
      .automatic, .packets(50), .bytes(ByteCount(bytes: 4_000)), .time(.milliseconds(30)),
      .unlimited,
    ]
    direction.queue = queues[Int(random.next() % 5)]
    let losses: [LossModel] = [
      .none, .bernoulli(chance()), .everyNth(7), .packets([1, 5, 9]), .measured(chance(), seed: 3),
      .gilbertElliott(BurstLoss(fromGoodToBad: chance(), fromBadToGood: chance())),
    ]
    direction.loss = losses[Int(random.next() % 6)]
    if random.next() % 2 == 0 {
      direction.jitter = Jitter(
        deviation: .milliseconds(5),
        distribution: random.next() % 2 == 0 ? .pareto : .table([-1, 3]),
        keepsOrder: random.next() % 2 == 0)
    }
    if random.next() % 2 == 0 { direction.reorder = Reordering(chance: chance(), gap: 4) }
    if random.next() % 2 == 0 { direction.duplicate = chance() }
    if random.next() % 2 == 0 { direction.overheadPerPacket = ByteCount(bytes: 38) }
    return direction
  }
}
