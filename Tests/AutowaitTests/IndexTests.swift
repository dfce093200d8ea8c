import Autowait
import Testing

/// Files with their index at the back: what is requested, when it comes, and what is known before.
///
/// The link carries a byte in a microsecond, and the file has a hundred thousand bytes a second,
/// unless a test says otherwise. Its first frame, 0.04 s, has 4,000 of them.
@Suite struct IndexTests {
  private static let link = LinkTrack(
    rate: BitRate(bitsPerSecond: 8_000_000), delay: .milliseconds(100))

  private static func media(
    _ placement: Media.IndexPlacement, content: Int64 = 1_000_000, index: Int64 = 50_000
  ) -> Media {
    Media(
      .progressive, duration: .seconds(10), contentSize: ByteCount(bytes: content),
      headerSize: ByteCount(bytes: index), indexPlacement: placement)
  }

  private static func world(_ media: Media = media(.back), _ steps: ScriptStep...) -> World {
    var world = Demo.world(on: link, of: media)
    world.script += steps
    return world
  }

  /// The requests of a run: when each was made, from where, and what became of it.
  private func requests(_ run: Simulation) -> [String] {
    run.log.records.compactMap { record in
      let microseconds = record.instant.nanoseconds / 1_000
      return switch record.event {
      case .mediaRequest(_, let from, let size, _): "\(microseconds): \(from.bytes)+\(size.bytes)"
      case .mediaRequestCancelled(_, let bytes): "\(microseconds): left at \(bytes.bytes)"
      case .mediaRequestCompleted(_, let bytes): "\(microseconds): all \(bytes.bytes)"
      default: nil
      }
    }
  }

  private func check(
    _ world: World, _ expected: [String], readyAt microseconds: Int64?,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let run = Simulation.run(of: world)
    #expect(requests(run) == expected, sourceLocation: sourceLocation)
    let ready = run.times(of: .itemStatus(.readyToPlay)).first
    #expect(ready == microseconds.map { $0 * 1_000 }, sourceLocation: sourceLocation)
  }

  @Test func frontTakesOneRequest() {
    check(
      Self.world(Self.media(.front)), ["0: 0+1050000", "1150000: all 1050000"], readyAt: 154_000)
  }

  @Test func backTakesThree() {
    check(
      Self.world(),
      [
        "0: 0+1050000", "104096: left at 4096", "104096: 1000000+50000", "254096: all 50000",
        "254096: 4096+995904", "1350000: all 995904",
      ], readyAt: 254_096)
  }

  /// A probe that reaches the index, or the end of the file, leaves nothing to give up.
  @Test(
    arguments: [
      (4_095, 10, ["0: 0+4105", "104105: all 4105"], 104_105),
      (4_096, 10, ["0: 0+4106", "104106: all 4106"], 104_106),
      (
        4_097, 10,
        [
          "0: 0+4107", "104096: left at 4096", "104096: 4097+10", "204106: all 10",
          "204106: 4096+1", "304107: all 1",
        ], 204_106
      ),
    ] as [(Int64, Int64, [String], Int64)])
  func smallFiles(_ content: Int64, _ index: Int64, _ expected: [String], _ ready: Int64) {
    check(
      Self.world(Self.media(.back, content: content, index: index)), expected, readyAt: ready)
  }

  @Test func aProbeMayBeLarger() {
    let world = Demo.with(Self.world()) { $0.indexProbe = ByteCount(bytes: 32_768) }
    check(
      world,
      [
        "0: 0+1050000", "132768: left at 32768", "132768: 1000000+50000", "282768: all 50000",
        "282768: 32768+967232", "1350000: all 967232",
      ], readyAt: 282_768)
  }

  /// The first bytes come at two rates, and not at all in between.
  @Test func theProbeFollowsTheLink() {
    func sample(_ milliseconds: Int64, _ rate: Int64) -> LinkTrack.Sample {
      LinkTrack.Sample(
        start: .milliseconds(milliseconds), rate: BitRate(bitsPerSecond: rate),
        delay: .milliseconds(100))
    }
    var world = Self.world()
    world.links = [
      LinkProfile(
        LinkTrack([
          sample(0, 8_000_000), sample(102, 0), sample(202, 8_000), sample(302, 8_000_000),
        ]
        ))
    ]
    check(
      world,
      [
        "0: 0+1050000", "303996: left at 4096", "303996: 1000000+50000", "453996: all 50000",
        "453996: 4096+995904", "1549900: all 995904",
      ], readyAt: 453_996)
  }

  @Test func aLocalFileNeedsNoSearch() {
    let media = Media(
      .local, duration: .seconds(10), contentSize: ByteCount(bytes: 1_000),
      headerSize: ByteCount(bytes: 10), indexPlacement: .back)
    check(Self.world(media), [], readyAt: 0)
  }

  // MARK: What is known

  @Test func nothingIsLoadedBeforeTheIndex() {
    var run = Simulation(Self.world())
    for milliseconds in [50, 103, 105, 200, 254] as [Int64] {
      _ = run.advance(to: Instant(nanoseconds: milliseconds * 1_000_000))
      let shown = run.snapshot(of: 0)
      #expect(shown.loadedTimeRanges.isEmpty && shown.loadedEnd == .zero, "at \(milliseconds)")
      #expect(shown.status == .unknown && shown.duration == nil, "at \(milliseconds)")
    }
    _ = run.advance(to: Instant(nanoseconds: 254_096_000))
    let shown = run.snapshot(of: 0)
    #expect(shown.loadedEnd == MediaTime(nanoseconds: 40_960_000))
    #expect(shown.loadedTimeRanges == [LoadedTimeRange(start: .zero, end: shown.loadedEnd)])
    #expect(shown.status == .readyToPlay && shown.duration == .seconds(10))
  }

  @Test func aConditionOnWhatIsLoadedWaitsForTheIndex() {
    let step = ScriptStep(
      .when(Condition([Condition.Test(.loaded, .atLeast, 10_000_000)])), .player(0, .play))
    let run = Simulation.run(of: Self.world(Self.media(.back), step))
    #expect(run.times(of: .rate(.normal)) == [254_096_000])
  }

  /// What is missing is content, at the rate at which content and index came.
  ///
  /// The rule holds at one nanosecond and not at the one before; the link carries a thousandth of
  /// a byte in each.
  @Test func theIndexIsNotMissingOnceItIsThere() throws {
    let media = Self.media(.back, content: 9_500_000, index: 1_000_000)
    let run = Simulation.run(of: Self.world(media, Demo.at(0, .play)))
    let instant = try #require(run.metrics(of: 0).firstPlayed).nanoseconds
    func holds(_ instant: Int64) -> Bool {
      let content = 4_096_000 + instant - 1_304_096_000
      let (missing, received) = (9_500_000_000 - content, 1_000_000_000 + content)
      return Int128(missing) * Int128(instant) <= 10_000_000_000 * Int128(received)
    }
    #expect(holds(instant) && !holds(instant - 1))
  }

  @Test func theLogCountsEveryRange() {
    let run = Simulation.run(of: Self.world(Self.media(.back), Demo.at(seconds: 5, .play)))
    let metrics = run.metrics(of: 0)
    #expect(metrics.mediaResourceRequestCount == 3)
    #expect(metrics.accessLog.map(\.numberOfMediaRequests) == [3])
    #expect(metrics.accessLog.map(\.numberOfBytesTransferred.bytes) == [1_050_000])
    #expect(metrics.transferDuration == TimeSpan(nanoseconds: 1_050_000_000))
  }

  // MARK: What may come between

  /// The seek is carried out as soon as the index is there, and the item is ready at its target:
  /// with the first frame there, 104,000 bytes behind where the file is asked for again.
  @Test(arguments: [0, 104_095_999, 104_096_000, 104_096_001, 200_000_000, 254_095_999] as [Int64])
  func aSeekWaitsForTheIndex(_ nanoseconds: Int64) {
    check(
      Self.world(Self.media(.back), Demo.at(nanoseconds, .seek(.seconds(6)))),
      [
        "0: 0+1050000", "104096: left at 4096", "104096: 1000000+50000", "254096: all 50000",
        "254096: 600000+400000", "754096: all 400000",
      ], readyAt: 358_096)
  }

  @Test func aSeekBackLoadsTheGap() {
    check(
      Self.world(
        Self.media(.back), Demo.at(0, .seek(.seconds(6))), Demo.at(seconds: 2, .seek(.zero)),
        Demo.at(seconds: 2, .play), Demo.at(seconds: 4, .seek(.seconds(9)))),
      [
        "0: 0+1050000", "104096: left at 4096", "104096: 1000000+50000", "254096: all 50000",
        "254096: 600000+400000", "754096: all 400000", "2000000: 4096+595904",
        "2695904: all 595904",
      ], readyAt: 358_096)
  }

  /// Another item gives up what is under way, and the search begins again when the first is back.
  @Test(arguments: [50_000_000, 150_000_000] as [Int64])
  func anotherItemEndsTheSearch(_ nanoseconds: Int64) {
    let run = Simulation.run(
      of: Self.world(
        Self.media(.back), Demo.at(nanoseconds, .replaceCurrentItem(nil)),
        Demo.at(seconds: 1, .replaceCurrentItem(0))))
    #expect(
      requests(run).suffix(6) == [
        "1000000: 0+1050000", "1104096: left at 4096", "1104096: 1000000+50000",
        "1254096: all 50000", "1254096: 4096+995904", "2350000: all 995904",
      ])
    #expect(run.times(of: .itemStatus(.readyToPlay)) == [1_254_096_000])
  }

  @Test(arguments: [50_000_000, 104_096_000, 150_000_000] as [Int64])
  func aFailedItemAsksForNothing(_ nanoseconds: Int64) {
    let run = Simulation.run(of: Self.world(Self.media(.back), Demo.at(nanoseconds, .failItem)))
    let last = requests(run).last ?? ""
    #expect(last.hasPrefix("\(nanoseconds / 1_000): left"))
    #expect(run.times(of: .itemStatus(.readyToPlay)).isEmpty)
    #expect(run.finishReason == .settled)
  }

  // MARK: Laws

  /// On any constant link a file with its index at the back brings the same bytes, and neither
  /// begins nor ends before the same file with its index at the front.
  @Test(arguments: LawWorlds.numbers(120))
  func backIsNeverBetter(_ seed: UInt64) {
    var stream = RandomStream(seed: seed, component: "test", purpose: "index")
    func draw(_ least: Int64, _ most: Int64) -> Int64 {
      least + Int64(stream.next(below: UInt64(most - least + 1)))
    }
    let track = LinkTrack(
      rate: BitRate(bitsPerSecond: draw(100_000, 20_000_000)),
      delay: TimeSpan(nanoseconds: draw(0, 300_000_000)))
    let (content, index) = (draw(1, 3_000_000), draw(1, 300_000))
    func run(_ placement: Media.IndexPlacement) -> (PlayerMetrics, [Int64]) {
      let media = Self.media(placement, content: content, index: index)
      let run = Simulation.run(of: Demo.world(Demo.at(0, .play), on: track, of: media))
      return (run.metrics(of: 0), run.times(of: .didPlayToEndTime))
    }
    let (front, back) = (run(.front), run(.back))
    #expect(back.0.numberOfBytesTransferred == front.0.numberOfBytesTransferred, law(seed))
    #expect(back.0.numberOfBytesTransferred.bytes == content + index, law(seed))
    #expect(front.0.mediaResourceRequestCount == 1, law(seed))
    #expect(back.0.mediaResourceRequestCount == (content > 4_096 ? 3 : 1), law(seed))
    #expect(back.1.count == 1 && front.1.count == 1, law(seed))
    #expect(zip(back.1, front.1).allSatisfy { $0 >= $1 }, law(seed))
    if let late = back.0.firstPlayed, let early = front.0.firstPlayed {
      #expect(late >= early, law(seed))
    }
  }

  /// On real links the same requests are made, and all of the file comes.
  @Test(arguments: [LinkTier.fluid, .packet])
  func onRealLinks(_ tier: LinkTier) {
    var world = Self.world(Self.media(.back), Demo.at(0, .play))
    world.transport = TransportPolicy()
    world.tier = tier
    let run = Simulation.run(of: world)
    let kinds = requests(run).map { String($0.split(separator: " ")[1].prefix(7)) }
    #expect(kinds.count == 6)
    #expect(kinds.prefix(4) == ["0+10500", "left", "1000000", "all"])
    #expect(run.metrics(of: 0).numberOfBytesTransferred.bytes == 1_050_000)
    #expect(run.times(of: .didPlayToEndTime).count == 1)
  }
}
