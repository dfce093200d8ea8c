import Autowait
import AutowaitWorlds
import Testing

/// What a fluid link delivers, by hand and by law.
///
/// The media of these tests has a megabyte a second: seconds of media are megabytes of data.
@Suite struct LinkLawTests {
  static let media = Media(
    .progressive, duration: .seconds(100), bitRate: BitRate(bitsPerSecond: 8_000_000))
  static let second: Int64 = 1_000_000_000

  private static func sample(
    _ start: Int64, _ rate: Int64, roundTrip: Int64 = 0
  ) -> LinkTrack.Sample {
    LinkTrack.Sample(
      start: TimeSpan(nanoseconds: start), rate: BitRate(bitsPerSecond: rate),
      delay: TimeSpan(nanoseconds: roundTrip))
  }

  // MARK: By hand

  /// What is loaded on a track at some instants, in nanoseconds each.
  @Test(
    arguments: [
      (
        "steps", LinkTrack([sample(0, 8_000_000), sample(2 * second, 4_000_000)]),
        [(second, second), (2 * second, 2 * second), (4 * second, 3 * second)]
      ),
      (
        "outage",
        LinkTrack([sample(0, 8_000_000), sample(second, 0), sample(3 * second, 8_000_000)]),
        [(second, second), (3 * second, second), (4 * second, 2 * second)]
      ),
      (
        "loop",
        LinkTrack(
          [sample(0, 8_000_000), sample(second, 0)], ending: .loop(after: .seconds(2))),
        [(second, second), (2 * second, second), (7 * second, 4 * second)]
      ),
      (
        "loop of one", LinkTrack([sample(0, 8_000_000)], ending: .loop(after: .seconds(1))),
        [(second / 2, second / 2), (50 * second + 1, 50 * second + 1)]
      ),
      (
        "offline", LinkTrack([sample(0, 8_000_000)], ending: .offline(after: .seconds(5))),
        [(5 * second, 5 * second), (60 * second, 5 * second)]
      ),
      (
        "round trip", LinkTrack([sample(0, 8_000_000, roundTrip: second / 2)]),
        [(second / 2, 0), (second / 2 + 1, 1), (2 * second, 3 * second / 2)]
      ),
      (
        "odd rate", LinkTrack([sample(0, 7_999_999)]),
        [(second, 999_999_875), (8 * second, 7_999_999_000)]
      ),
    ] as [(String, LinkTrack, [(Int64, Int64)])])
  func loadedByHand(_ name: String, _ track: LinkTrack, _ rows: [(Int64, Int64)]) {
    for (instant, loaded) in rows {
      let run = Simulation.run(of: Demo.world(on: track, of: Self.media), to: instant)
      #expect(run.snapshot(of: 0).loadedEnd.nanoseconds == loaded, "\(name) at \(instant)")
    }
  }

  /// The conditioner goes on after 2 s and off after 6 s, between two changes of the track itself.
  @Test func conditionerChangesTheLinkInMidDownload() {
    var world = Demo.world(
      on: LinkTrack([Self.sample(0, 8_000_000), Self.sample(8 * Self.second, 16_000_000)]),
      of: Self.media)
    world.links.append(LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 2_000_000))))
    world.linkChanges = [
      LinkChange(at: Demo.seconds(2), link: 1),
      LinkChange(at: Demo.seconds(6), link: 0, elapsed: .seconds(6)),
    ]
    // 2 s at 1 MB/s, 4 s at ¼ MB/s, 2 s at 1 MB/s, the rest at 2 MB/s.
    for (instant, loaded): (Int64, Int64) in [(2, 2_000), (6, 3_000), (8, 5_000), (10, 9_000)] {
      let run = Simulation.run(of: world, to: instant * Self.second)
      #expect(run.snapshot(of: 0).loadedEnd.nanoseconds == loaded * 1_000_000)
      #expect(run.metrics(of: 0).numberOfBytesTransferred.bytes == loaded * 1_000)
    }
  }

  /// A step of the script changes the link like a change of the world, and starts the track again.
  @Test func scriptChangesTheLink() {
    var world = Demo.world(on: LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000)), of: Self.media)
    let late = LinkTrack([Self.sample(0, 0), Self.sample(Self.second, 16_000_000)])
    world.links.append(LinkProfile(late))
    world.script.append(ScriptStep(.at(Demo.seconds(3)), .useLink(track: 1)))
    for (instant, loaded): (Int64, Int64) in [(3, 3), (4, 3), (6, 7)] {
      let run = Simulation.run(of: world, to: instant * Self.second)
      #expect(run.snapshot(of: 0).loadedEnd == .seconds(loaded))
    }
  }

  @Test func headerComesFirst() {
    let media = Media(
      .progressive, duration: .seconds(10), bitRate: BitRate(bitsPerSecond: 8_000_000),
      headerSize: ByteCount(bytes: 500_000))
    let world = Demo.world(on: LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000)), of: media)
    let run = Simulation.run(of: world)
    // Half a second of header, and one frame of 0.04 s after it.
    #expect(run.times(of: .itemStatus(.readyToPlay)) == [Self.second / 2 + 40_000_000])
    #expect(run.times(of: .isPlaybackBufferEmpty(false)) == [Self.second / 2 + 40_000_000])
    #expect(run.times(of: .isPlaybackBufferFull(true)) == [Self.second / 2 + 10 * Self.second])
  }

  @Test func deadLinkEndsAtTheHorizon() {
    let world = Demo.world(
      Demo.at(0, .play), on: LinkTrack(rate: .zero), of: Self.media, horizon: 30)
    let run = Simulation.run(of: world)
    #expect(run.finishReason == .stillWaiting)
    #expect(run.now == Demo.seconds(30))
    #expect(run.metrics(of: 0).timeSpentInInitialStartup == .seconds(30))
    #expect(run.metrics(of: 0).numberOfBytesTransferred == .zero)
  }

  @Test func twoPlayersHaveHalfALinkEach() {
    let link = LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000))
    var shared = Demo.world(on: link, of: Self.media)
    shared.players.append(shared.players[0])
    shared.script.append(ScriptStep(.at(.start), .player(1, .replaceCurrentItem(0))))
    let run = Simulation.run(of: shared)
    let half = Simulation.run(
      of: Demo.world(on: LinkTrack(rate: BitRate(bitsPerSecond: 4_000_000)), of: Self.media))
    for event: Event in [.isPlaybackBufferFull(true), .isPlaybackBufferEmpty(false)] {
      #expect(run.times(of: event, player: 0) == half.times(of: event))
      #expect(run.times(of: event, player: 1) == half.times(of: event))
    }
  }

  @Test func aPlayerThatIsDoneLeavesTheLinkToTheOther() {
    var world = Demo.world(
      on: LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000)),
      of: Media(.progressive, duration: .seconds(4), bitRate: BitRate(bitsPerSecond: 8_000_000)))
    world.players.append(PlayerConfiguration(media: [Self.media]))
    world.script.append(ScriptStep(.at(.start), .player(1, .replaceCurrentItem(0))))
    // Four megabytes at half a megabyte a second; then the other one has four and the whole link.
    let run = Simulation.run(of: world)
    #expect(run.times(of: .isPlaybackBufferFull(true), player: 0) == [8 * Self.second])
    #expect(run.times(of: .isPlaybackBufferFull(true), player: 1) == [104 * Self.second])
  }
}

// MARK: - Laws

extension LinkLawTests {
  /// A drawn world of players that load and do nothing else.
  private static func loading(_ seed: UInt64, isAlone: Bool) -> World {
    var world = LawWorlds.world(
      seed, WorldShape(.ideal, .file, rule: .builtIn, isAlone: isAlone))
    world.keepTracks()
    world.script = world.players.indices.map {
      ScriptStep(.at(.start), .player($0, .replaceCurrentItem(0)))
    }
    for player in world.players.indices {
      world.players[player].keepUp.forwardBufferLimit = nil
    }
    return world
  }

  private func completions(_ run: Simulation, of player: Int) -> [Int64] {
    run.log.records.filter {
      if case .mediaRequestCompleted = $0.event { $0.player == player } else { false }
    }.map(\.instant.nanoseconds)
  }

  @Test(arguments: LawWorlds.numbers(200))
  func moreRateIsNeverLater(_ seed: UInt64) {
    let world = Self.loading(seed, isAlone: true)
    var faster = world
    faster.links = world.links.map { link in
      let track = link.down.track
      return LinkProfile(
        LinkTrack(
          track.samples.enumerated().map { index, sample in
            var more = sample
            more.rate.bitsPerSecond += (index + Int(seed)) % 2 == 0 ? 100_003 : 0
            return more
          }, ending: track.ending))
    }
    let (slow, fast) = (Simulation.run(of: world), Simulation.run(of: faster))
    for event: Event in [
      .isPlaybackBufferEmpty(false), .isPlaybackBufferFull(true), .itemStatus(.readyToPlay),
    ] {
      guard let later = slow.times(of: event).first else { continue }
      let sooner = fast.times(of: event).first ?? .max
      #expect(sooner <= later, "\(law(seed)): \(event)")
    }
  }

  /// Cuts every sample of a track that is long enough in two.
  private static func cut(_ track: LinkTrack) -> LinkTrack {
    var samples: [LinkTrack.Sample] = []
    for (index, sample) in track.samples.enumerated() {
      samples.append(sample)
      let next = index + 1 < track.samples.count ? track.samples[index + 1].start : nil
      var half = sample
      half.start.nanoseconds += 7_654_321
      if half.start < next ?? half.start + .seconds(1), track.ending == .hold || next != nil {
        samples.append(half)
      }
    }
    return LinkTrack(samples, ending: track.ending)
  }

  /// For one transfer a track that is cut in two is the same track, to the last record.
  @Test(arguments: LawWorlds.numbers(200))
  func cutTrackIsTheWholeTrack(_ seed: UInt64) {
    var world = LawWorlds.world(seed, WorldShape(.ideal, .file, rule: .builtIn, isAlone: true))
    world.keepTracks()
    world.keepCalls { if case .replaceCurrentItem(let item) = $0 { item == 0 } else { true } }
    var pieces = world
    pieces.links = world.links.map { LinkProfile(Self.cut($0.down.track)) }
    let (whole, cut) = (Simulation.run(of: world), Simulation.run(of: pieces))
    // On a dead link a run ends when the track has nothing more to come, which the cut puts off.
    if whole.now == cut.now { #expect(whole.fingerprint == cut.fingerprint, law(seed)) }
    #expect(whole.log.records.dropLast() == cut.log.records.dropLast(), law(seed))
  }

  /// For several transfers, remainders fall differently at each cut: a nanosecond at most.
  @Test(arguments: LawWorlds.numbers(200))
  func cutTrackOfSeveralPlayersIsTheWholeTrackButForANanosecond(_ seed: UInt64) {
    let world = Self.loading(seed, isAlone: false)
    var pieces = world
    pieces.links = world.links.map { LinkProfile(Self.cut($0.down.track)) }
    let (whole, cut) = (Simulation.run(of: world), Simulation.run(of: pieces))
    for player in world.players.indices {
      let pair = (completions(whole, of: player), completions(cut, of: player))
      #expect(pair.0.count == pair.1.count, law(seed))
      for (one, other) in zip(pair.0, pair.1) { #expect(abs(one - other) <= 1, law(seed)) }
    }
  }
}
