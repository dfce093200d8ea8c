import Autowait
import Testing

/// Numbers are exact, name their rounding, and end where the documentation says.
@Suite struct NumbersTests {
  /// Data in bytes, of a rate over a time: whole bytes and begun ones.
  @Test(
    arguments: [
      (8, 1_000_000_000, 1, 1),
      (8, 999_999_999, 0, 1),
      (8, 1_000_000_001, 1, 2),
      (8, 0, 0, 0),
      (0, 1_000_000_000, 0, 0),
      (1, 1, 0, 1),
      (3_200_000, 349_687_500, 139_875, 139_875),
      (3_200_000, 349_687_499, 139_874, 139_875),
      (1_000_000_000_000, 8_000_000_000, 1_000_000_000_000, 1_000_000_000_000),
    ] as [(Int64, Int64, Int64, Int64)])
  func amountOfARate(_ rate: Int64, _ span: Int64, _ whole: Int64, _ begun: Int64) {
    let amount = DataAmount(BitRate(bitsPerSecond: rate), for: TimeSpan(nanoseconds: span))
    #expect(amount.wholeBytes.bytes == whole)
    #expect(amount.begunBytes.bytes == begun)
    #expect(amount.nanobits == UInt128(rate) * UInt128(span))
  }

  @Test func bytesAreWholeAmounts() {
    for bytes: Int64 in [0, 1, 7, 1_000_000_000_000] {
      #expect(DataAmount(ByteCount(bytes: bytes)).nanobits == UInt128(bytes) * 8_000_000_000)
      #expect(DataAmount(ByteCount(bytes: bytes)).wholeBytes.bytes == bytes)
    }
  }

  @Test func amountsAreCountedBeyond64Bits() {
    let all = DataAmount(Limits.bitRateMax, for: Limits.timeMax)
    let expected = UInt128(1_000_000_000_000) * UInt128(31_622_400_000_000_000)
    #expect(all.nanobits == expected)
    #expect((all + all) - all == all)
    #expect(DataAmount.zero < all)
  }

  @Test func instantsEndInNever() {
    let last = Instant(nanoseconds: .max - 1)
    #expect(last + TimeSpan(nanoseconds: 0) == last)
    #expect(last + TimeSpan(nanoseconds: 1) == .never)
    #expect(last + TimeSpan(nanoseconds: 2) == .never)
    #expect(Instant.start + .seconds(1) == Instant(nanoseconds: 1_000_000_000))
    #expect(Instant(nanoseconds: 5) - Instant(nanoseconds: 7) == TimeSpan(nanoseconds: -2))
  }

  @Test func unitsAgree() {
    #expect(TimeSpan.seconds(2) == .milliseconds(2_000))
    #expect(TimeSpan.seconds(1) - .milliseconds(1) == TimeSpan(nanoseconds: 999_000_000))
    #expect(MediaTime.seconds(1) + MediaTime(nanoseconds: 1) > .seconds(1))
    #expect(PlaybackRate(millionths: -1) < .zero)
    #expect(WishedRate(.zero) == nil)
    #expect(WishedRate(.normal) == .normal)
  }

  /// The size of media, and that it is rounded up once, at its end.
  @Test func mediaSize() {
    let rated = Media(
      .progressive, duration: MediaTime(nanoseconds: 1), bitRate: BitRate(bitsPerSecond: 7),
      headerSize: ByteCount(bytes: 3))
    #expect(rated.size == DataAmount(nanobits: 24_000_000_007))
    let sized = Media(
      .progressive, duration: MediaTime(nanoseconds: 3), contentSize: ByteCount(bytes: 10),
      headerSize: ByteCount(bytes: 1))
    #expect(sized.size == DataAmount(ByteCount(bytes: 11)))
  }

  @Test(arguments: [(8, nil), (9, 9), (26, 26), (27, nil)] as [(Int, Int?)])
  func contractsAreKnown(_ version: Int, _ expected: Int?) {
    #expect(APIContract(iOS: version)?.iOS == expected)
  }

  @Test func contractsChange() throws {
    let rules: [(first: Int, holds: (APIContract) -> Bool)] = [
      (10, { $0.hasAutomaticWaiting }), (11, { $0.queuesSeeksBeforeReady }),
      (15, { $0.hasCoordinatedPlayback }), (15, { $0.hasInterstitialEvents }),
      (15, { $0.postsRateChanges }), (16, { $0.hasDefaultRate }),
      (18, { $0.publishesMetrics }),
    ]
    for (first, holds) in rules {
      for version in [first - 1, first, first + 1] {
        #expect(holds(try #require(APIContract(iOS: version))) == (version >= first))
      }
    }
  }

  @Test func observedBitrateIsRoundedDown() {
    let run = Simulation.run(of: Demo.world(Demo.at(0, .play)))
    #expect(run.metrics(of: 0).accessLog.first?.observedBitrate?.bitsPerSecond == 3_200_000)
  }

  // MARK: Limits

  private static func media(_ nanoseconds: Int64, _ rate: Int64) -> Media {
    Media(
      .progressive, duration: MediaTime(nanoseconds: nanoseconds),
      bitRate: BitRate(bitsPerSecond: rate))
  }

  @Test func largestWorldRuns() {
    let longest = Limits.mediaMax.nanoseconds
    for nanoseconds in [longest - 1, longest] {
      let world = Demo.world(
        Demo.at(0, .playImmediately(Limits.playbackRateMax)),
        on: LinkTrack(rate: Limits.bitRateMax),
        of: Self.media(nanoseconds, Limits.bitRateMax.bitsPerSecond), horizon: 366 * 86_400)
      #expect(Simulation.run(of: world).finishReason != .eventLimit)
    }
  }

  @Test func mediaBeyondTheLimitTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = Media(
        .progressive, duration: Limits.mediaMax + MediaTime(nanoseconds: 1),
        bitRate: Limits.bitRateMax)
    }
    await #expect(processExitsWith: .failure) {
      _ = Media(.local, duration: .zero, bitRate: Limits.bitRateMax)
    }
  }

  @Test func worldBeyondTheLimitTraps() async {
    await #expect(processExitsWith: .failure) {
      let track = LinkTrack(rate: BitRate(bitsPerSecond: 1))
      let horizon = Instant.start + Limits.timeMax + TimeSpan(nanoseconds: 1)
      _ = Simulation(World(links: [LinkProfile(track)], players: [], script: [], horizon: horizon))
    }
  }

  @Test func tracksThatDoNotAscendTrap() async {
    await #expect(processExitsWith: .failure) {
      let sample = LinkTrack.Sample(start: .seconds(1), rate: .zero)
      _ = LinkTrack([LinkTrack.Sample(rate: .zero), sample, sample])
    }
  }
}

/// The size of a record is a promise about memory, not an accident.
@Suite struct EventRecordTests {
  @Test func aRecordIsSmall() {
    #expect(MemoryLayout<EventRecord>.stride <= 48)
  }
}
