import Autowait
import AutowaitScenario
import Testing

/// The links that are built in have the values of their sources.
@Suite struct LinkPresetTests {
  /// Name, kbit/s down and up, delay in ms down and up, loss in percent.
  private static let rows = [
    "nlc/100-loss unlimited unlimited 0 0 100", "nlc/3g 780 330 100 100 0",
    "nlc/dsl 2000 256 5 5 0", "nlc/edge 240 200 400 440 0",
    "nlc/high-latency-dns unlimited unlimited 0 0 0", "nlc/lte 50000 10000 50 65 0",
    "nlc/very-bad 1000 1000 500 500 10", "nlc/wifi 40000 33000 1 1 0",
    "nlc/wifi-ac 250000 100000 1 1 0", "nlc1/3g-good 850 420 90 100 0",
    "nlc1/3g-lossy 780 330 100 100 1", "nlc1/cable 6000 1000 2 2 0",
    "nlc1/edge-good 250 200 350 370 0", "nlc1/edge-lossy 240 200 400 440 1",
    "xcode/2g-rural 20 18 650 650 2", "xcode/2g-urban 35 32 650 650 0",
    "chrome/3g 400 400 1000 1000 0", "chrome/slow-4g 1440 675 281.25 281.25 0",
    "chrome/fast-4g 8100 1350 82.5 82.5 0", "chrome/offline 0 0 0 0 0",
    "lighthouse/slow-4g 1638.4 unlimited 75 75 0",
    "lighthouse/applied 1474.6 675 281.25 281.25 0",
    "lighthouse/regular-3g 700 unlimited 150 150 0",
    "lighthouse/dense-4g 10240 unlimited 20 20 0", "devtools/good-3g 1572.864 768 20 20 0",
    "wpt/cable 5000 1000 14 14 0", "wpt/3g-slow 780 330 100 100 0", "wpt/3g 1600 768 150 150 0",
    "wpt/4g 9000 9000 85 85 0", "wpt/dial 49 30 60 60 0", "wpt/vdsl 15000 3000 10 10 0",
    "sitespeed/4g 9000 9000 42.5 42.5 0", "sitespeed/edge 240 200 210 210 0",
    "atc/2g-rural 20 18 650 650 2", "atc/no-connectivity 1 1 0 0 0",
    "android/gsm 14.4 14.4 350 0 0", "android/hscsd 57.6 14.4 240 0 0",
    "android/hsdpa 13980 5760 0 0 0", "android/full unlimited unlimited 0 0 0",
    "android1/gprs 80 40 350 0 0", "android1/edge 236.8 118.4 240 0 0",
    "comcast/gprs 50 50 250 250 2", "comcast/starlink unlimited unlimited 10 10 2.5",
    "demo/fast 100000 unlimited 0 0 0", "demo/slow-server 3200 unlimited 0 0 0",
    "demo/offline 0 unlimited 0 0 0",
  ]

  @Test(arguments: rows)
  func values(_ row: String) throws {
    let cells = row.split(separator: " ").map(String.init)
    let profile = try LinkPreset.named(cells[0]).profile
    for (direction, place) in [(profile.down, 1), (profile.up, 2)] {
      let sample = direction.track.samples[0]
      if cells[place] == "unlimited" {
        #expect(sample.rate == .unlimited)
      } else {
        let rate = try Quantity.bitRate.parse(cells[place] + " kbit/s", in: 0...Int64.max)
        #expect(sample.rate.bitsPerSecond == rate)
      }
      let delay = try Quantity.time.parse(cells[place + 2] + " ms", in: 0...Int64.max)
      #expect(sample.delay.nanoseconds == delay)
      let loss = try Quantity.probability.parse(cells[5] + " %", in: 0...1_000_000_000)
      #expect(direction.loss == (loss == 0 ? .none : .bernoulli(Probability(billionths: loss))))
    }
  }

  @Test func queuesAndOtherThings() throws {
    for preset in LinkPreset.all where preset.down.rate != .unlimited {
      let expected: LinkQueue =
        switch preset.family {
        case "nlc", "nlc1", "xcode": .packets(50)
        case "wpt", "sitespeed", "atc", "comcast": .packets(1_000)
        default: .automatic
        }
      #expect(preset.profile.down.queue == expected, "\(preset.name)")
    }
    #expect(try LinkPreset.named("nlc/high-latency-dns").profile.names.delay == .seconds(3))
    #expect(
      try LinkPreset.named("android/umts").profile.down.jitter
        == Jitter(deviation: TimeSpan(nanoseconds: 82_500_000)))
  }

  @Test func namesAreDistinct() {
    let names = LinkPreset.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(LinkPreset.families.count == Set(LinkPreset.families).count)
    #expect(LinkPreset.all.count == 98)
    for preset in LinkPreset.all {
      #expect(!preset.source.isEmpty && !preset.about.isEmpty, "\(preset.name)")
    }
  }

  /// A log's header spells a link out, and what is read from there is the same link.
  @Test func presetsAreEmbedded() throws {
    for preset in LinkPreset.all {
      let scenario = try #require(LinkFixture.read("\"\(preset.name)\"").scenario)
      let (again, findings) = ScenarioReader.read(
        SourceText(path: "b.json", bytes: scenario.resolved), loader: .none)
      #expect(findings.isEmpty)
      #expect(again?.world.links == scenario.world.links)
      #expect(again?.world.transport == scenario.world.transport)
      #expect(again?.resolved == scenario.resolved)
    }
  }

  @Test(
    arguments: [
      ("nlc/lte@queue=bdp", .packets(480), .packets(96)),
      ("nlc/lte@down.queue=9", .packets(9), .packets(50)),
      ("nlc/lte@queue=200 ms", .time(.milliseconds(200)), .time(.milliseconds(200))),
      (
        "nlc/lte@queue=75kB", .bytes(ByteCount(bytes: 75_000)), .bytes(ByteCount(bytes: 75_000))
      ),
      ("nlc/lte@queue=unlimited", .unlimited, .unlimited),
      ("nlc/lte@queue=automatic,delay=1 ms", .automatic, .automatic),
      ("nlc/lte@delay=1 ms,queue=bdp", .packets(9), .packets(2)),
      ("nlc/100-loss@queue=bdp", .unlimited, .unlimited),
      ("demo/fast@up.rate=5 Mbit/s,queue=bdp", .packets(1), .packets(1)),
    ] as [(String, LinkQueue, LinkQueue)])
  func changedQueues(_ name: String, _ down: LinkQueue, _ up: LinkQueue) throws {
    let scenario = try #require(LinkFixture.read("\"\(name)\"").scenario)
    #expect(scenario.world.links[0].down.queue == down)
    #expect(scenario.world.links[0].up.queue == up)
    #expect(scenario.linkNames == [name])
    #expect(scenario.world.transport != nil)
  }

  @Test func otherChanges() throws {
    let profile = try LinkPreset.named(
      "nlc/3g@loss=1 %,up.loss=0,delay=20 ms,down.rate=2 Mbit/s,up.rate=unlimited"
    ).profile
    #expect(profile.down.loss == .bernoulli(LinkFixture.chance(10_000)))
    #expect(profile.up.loss == .none)
    #expect(
      profile.down.track
        == LinkTrack(rate: BitRate(bitsPerSecond: 2_000_000), delay: .milliseconds(20)))
    #expect(profile.up.track == LinkTrack(rate: .unlimited, delay: .milliseconds(20)))
  }

  /// The figures of the specification's table: product in tenths of packets, full queues in ms.
  @Test(arguments: [
    ("nlc/edge", 168, 2_500, 3_000), ("nlc/3g", 130, 769, 1_818), ("nlc/dsl", 17, 300, 2_343),
    ("nlc/lte", 4_792, 12, 60), ("nlc/wifi", 67, 15, 18), ("nlc/wifi-ac", 417, 2, 6),
    ("nlc/very-bad", 833, 600, 600),
  ])
  func figures(_ name: String, _ tenths: Int64, _ down: Int64, _ up: Int64) throws {
    let figures = LinkFigures(try LinkPreset.named(name).profile)
    #expect(figures.down.productTenths == tenths)
    #expect(figures.down.queueDelay.map { $0.nanoseconds / 1_000_000 } == down)
    #expect(figures.up.queueDelay.map { $0.nanoseconds / 1_000_000 } == up)
  }

  @Test func lossCeilings() throws {
    func ceiling(_ name: String) throws -> Int64? {
      LinkFigures(try LinkPreset.named(name).profile).down.lossCeiling?.bitsPerSecond
    }
    #expect(try ceiling("nlc/very-bad") == 44_864)
    #expect(try ceiling("nlc/lte") == nil)
    // 11584 · √150 / 0.2
    #expect(try ceiling("nlc1/3g-lossy") == 709_372)
    let bursts = """
      {"down":{"rate":"1 Mbit/s","delay":1,
        "loss":{"gilbertElliott":{"pGB":0.1,"pBG":0.3,"lossBad":0.4}}}}
      """
    let profile = try #require(LinkFixture.read(bursts).scenario).world.links[0]
    #expect(LinkFigures(profile).down.lossCeiling == BitRate(bitsPerSecond: 44_864))
  }

  @Test func automaticQueuesHoldAtLeastARoundTrip() throws {
    func packets(_ name: String) throws -> Int64? {
      LinkFigures(try LinkPreset.named(name).profile).down.queuePackets
    }
    #expect(try packets("nlc/lte@queue=automatic") == 480)
    #expect(try packets("nlc/3g@queue=automatic") == 100)
    #expect(try packets("nlc/3g@queue=unlimited") == nil)
    #expect(try packets("nlc/3g@queue=1 s") == 65)
    #expect(try packets("nlc/3g@queue=15 kB") == 10)
  }
}
