import Autowait
import Testing

/// Players of different priority on one network.
@Suite struct PriorityTests {
  /// 8 Mbit/s of a file of ten seconds over a link of some rate.
  private static func world(
    _ priorities: [NetworkResourcePriority], bitsPerSecond: Int64 = 12_000_000,
    media: Media = file, _ steps: [ScriptStep] = []
  ) -> World {
    World(
      links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: bitsPerSecond)))],
      players: priorities.map {
        var player = PlayerConfiguration(media: [media])
        player.networkResourcePriority = $0
        return player
      },
      script: priorities.indices.flatMap {
        [
          ScriptStep(.at(.start), .player($0, .replaceCurrentItem(0))),
          ScriptStep(.at(.start), .player($0, .play)),
        ]
      } + steps, horizon: Instant(nanoseconds: 200_000_000_000))
  }

  private static let file = Media(
    .progressive, duration: .seconds(10), bitRate: BitRate(bitsPerSecond: 8_000_000))

  private static func times(_ run: Simulation, player: Int) -> [(Instant, Event)] {
    run.log.records.filter { $0.player == player && $0.event.isOfPlayback }
      .map { ($0.instant, $0.event) }
  }

  /// A file of high priority is loaded as if it were alone, wherever it stands; the other one comes
  /// behind it.
  @Test(arguments: [0, 1])
  func aFileIsLoadedAsIfAlone(_ place: Int) throws {
    var priorities = [NetworkResourcePriority.low, .low]
    priorities[place] = .default
    let run = Simulation.run(of: Self.world(priorities))
    let alone = Simulation.run(of: Self.world([.default]))
    let (own, others) = (Self.times(run, player: place), Self.times(alone, player: 0))
    #expect(own.map(\.0) == others.map(\.0))
    #expect(own.map(\.1) == others.map(\.1))
    // 80 Mbit take 6.666667 s each.
    #expect(run.times(of: .isPlaybackBufferFull(true), player: place) == [6_666_666_667])
    #expect(run.times(of: .isPlaybackBufferFull(true), player: 1 - place) == [13_333_333_334])
  }

  /// Who has the same priority shares as ever, whatever it is.
  @Test(arguments: NetworkResourcePriority.allCases)
  func equalsShare(_ priority: NetworkResourcePriority) {
    let run = Simulation.run(of: Self.world([priority, priority]))
    for player in 0...1 {
      #expect(run.times(of: .isPlaybackBufferFull(true), player: player) == [13_333_333_334])
    }
  }

  /// The priority may change: from then on the other one has all of the link.
  @Test func aChangeOfPriority() {
    let change = PlayerAction.set(.networkResourcePriority(.high))
    let step = ScriptStep(.at(Instant(nanoseconds: 4_000_000_000)), .player(1, change))
    let run = Simulation.run(of: Self.world([.default, .default], [step]))
    // 24 Mbit each by then; the rest of 56 Mbit takes 4.666667 s.
    #expect(run.times(of: .isPlaybackBufferFull(true), player: 1) == [8_666_666_667])
    #expect(run.times(of: .isPlaybackBufferFull(true), player: 0) == [13_333_333_334])
  }

  /// A stream of low priority asks for no segment while another one loads.
  @Test func aStreamAsksWhenNobodyElseDoes() throws {
    let list = SegmentList((0..<10).map { _ in (MediaTime.seconds(1), ByteCount(bytes: 500_000)) })
    let streamMedia = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 4_000_000), list: 0)],
      lists: [list])
    let run = Simulation.run(of: Self.world([.high, .low, .default], media: Media(streamMedia)))
    func requests(_ player: Int) -> [Int64] {
      run.log.records.compactMap {
        guard $0.player == player, case .segmentRequest = $0.event else { return nil }
        return $0.instant.nanoseconds
      }
    }
    func done(_ player: Int) -> [Int64] {
      run.times(of: .isPlaybackBufferFull(true), player: player)
    }
    // 40 Mbit take 3.333333 s each, one stream after another.
    #expect(done(0) == [3_333_333_334])
    #expect(try #require(requests(2).first) >= done(0)[0])
    #expect(try #require(requests(1).first) >= done(2)[0])
    #expect(run.metrics(of: 1).playedToEndCount == 1)
    // A player alone on the network has nobody to leave it to.
    let alone = Simulation.run(of: Self.world([.low], media: Media(streamMedia)))
    #expect(alone.times(of: .isPlaybackBufferFull(true)) == [3_333_333_334])
  }

  /// Event by event is as fast as it goes, and what is loaded is loaded by somebody.
  @Test(arguments: [300_000, 5_000_000, 12_000_000, 900_000_000] as [Int64])
  func theSameRunDoneAnotherWay(_ rate: Int64) {
    let world = Self.world([.low, .high, .default], bitsPerSecond: rate)
    let fast = Simulation.run(of: world)
    var slow = Simulation(world, pace: .eventByEvent)
    _ = slow.run()
    #expect(fast.fingerprint == slow.fingerprint)
  }
}

extension Event {
  /// Whether it is told by the buffer or the player, and not by the network.
  fileprivate var isOfPlayback: Bool {
    switch self {
    case .mediaRequest, .mediaResponse, .mediaRequestCompleted, .readingSuspended: false
    default: true
    }
  }
}
