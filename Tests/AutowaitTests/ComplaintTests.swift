import Autowait
import Testing

/// What users complained of, in numbers that anybody can reckon.
@Suite struct ComplaintTests {
  /// A stream of 20 seconds, 10 Mbit/s for 1: a segment of 10 seconds takes one.
  private static func run(
    _ media: [Media], rate: Int64 = 10_000_000, _ steps: [ScriptStep] = [],
    configure: (inout PlayerConfiguration) -> Void = { _ in }
  ) -> Simulation {
    var player = PlayerConfiguration(media: media)
    configure(&player)
    return Simulation.run(
      of: World(
        links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: rate)))], players: [player],
        script: [.at(0, .replaceCurrentItem(0)), .at(0, .play)] + steps,
        horizon: .start + .seconds(600)))
  }

  private static func stream(
    segments: Int = 2, _ change: (inout StreamMedia) -> Void = { _ in }
  ) -> Media {
    var streamMedia = StreamRunFixture.streamMedia([1_000_000], segments: segments)
    change(&streamMedia)
    return Media(streamMedia)
  }

  private static func count(_ run: Simulation, _ isMeant: (Event) -> Bool) -> Int {
    run.log.records.count { isMeant($0.event) }
  }

  private static func isLikely(_ event: Event) -> Bool {
    event == .isPlaybackLikelyToKeepUp(true)
  }

  // MARK: - Media that ends before its playlist says

  private static func ending(at milliseconds: Int64) -> Media {
    stream { $0.mediaEnd = MediaTime(nanoseconds: milliseconds * 1_000_000) }
  }

  @Test(arguments: [10_001, 15_000, 19_800, 19_999, 20_000])
  func theLastSegmentTellsWhereMediaEnds(milliseconds: Int64) {
    let run = Self.run([Self.ending(at: milliseconds)])
    let end = MediaTime(nanoseconds: milliseconds * 1_000_000)
    #expect(run.metrics(of: 0).mediaPlayed == end)
    #expect(run.metrics(of: 0).playedToEndCount == 1)
    #expect(run.snapshot(of: 0).loadedTimeRanges == [LoadedTimeRange(start: .zero, end: end)])
    #expect(run.finishReason == .settled)
  }

  @Test func whoWaitsForWhatIsMissingWaitsForEver() {
    let run = Self.run([Self.ending(at: 19_800)]) { $0.streaming.waitsForMissingEnd = true }
    #expect(run.finishReason == .stillWaiting)
    #expect(Self.count(run, Self.isLikely) == 0)
    #expect(run.snapshot(of: 0).loadedEnd == MediaTime(nanoseconds: 19_800_000_000))
    #expect(!run.snapshot(of: 0).isPlaybackBufferFull)
    // Where nothing is missing nobody waits.
    let whole = Self.run([Self.stream()]) { $0.streaming.waitsForMissingEnd = true }
    #expect(whole.metrics(of: 0).playedToEndCount == 1)
  }

  @Test func aSeekBehindTheEndOfMediaIsOneBehindTheEnd() {
    func run(to milliseconds: Int64) -> Simulation {
      let time = MediaTime(nanoseconds: milliseconds * 1_000_000)
      return Self.run([Self.ending(at: 19_800)], [.at(500, .seek(time))])
    }
    for milliseconds in [19_800, 19_900, 20_000] as [Int64] {
      let run = run(to: milliseconds)
      #expect(run.snapshot(of: 0).timeControlStatus == .paused, "\(milliseconds)")
      #expect(run.metrics(of: 0).mediaPlayed == .zero, "\(milliseconds)")
      #expect(run.finishReason == .settled, "\(milliseconds)")
    }
    #expect(run(to: 15_000).metrics(of: 0).mediaPlayed == MediaTime(nanoseconds: 4_800_000_000))
  }

  @Test func anEndThatTheApplicationSetHoldsIfItIsEarlier() {
    func played(until seconds: Int64) -> MediaTime {
      Self.run([Self.ending(at: 19_800)]) { $0.forwardPlaybackEndTime = .seconds(seconds) }
        .metrics(of: 0).mediaPlayed
    }
    #expect(played(until: 19) == .seconds(19))
    #expect(played(until: 30) == MediaTime(nanoseconds: 19_800_000_000))
  }

  // MARK: - Media that a delegate hands over

  @Test func nothingIsPredictedOfWhatADelegateHandsOver() {
    var file = Media(
      .progressive, duration: .seconds(20), bitRate: BitRate(bitsPerSecond: 1_000_000))
    var stream = Self.stream(segments: 9)
    for isFed in [false, true] {
      file.isFedByDelegate = isFed
      stream.isFedByDelegate = isFed
      // 2 s for the whole file; 5 s for the 50 s of a full buffer, and 1 s for a segment.
      let (whole, full) = (
        Self.run([file]), Self.run([stream]) { $0.streaming.forwardBufferDefault = .seconds(50) }
      )
      #expect((whole.metrics(of: 0).firstPlayed == .start + .seconds(2)) == isFed)
      #expect(
        full.metrics(of: 0).firstPlayed == .start + .seconds(isFed ? 5 : 1))
      // A player that does not wait is not held up: a frame of 0.04 s takes 4 ms.
      let eager = Self.run([file]) { $0.automaticallyWaitsToMinimizeStalling = false }
      #expect(eager.metrics(of: 0).firstPlayed == .start + .milliseconds(4))
    }
  }

  // MARK: - Forward buffers and what is prepared

  @Test func aSmallForwardBufferIsForgottenWhenItIsReset() {
    func requests(_ steps: [ScriptStep], first: MediaTime) -> [Instant] {
      let run = Self.run([Self.stream(segments: 30)], steps) {
        $0.keepUp.forwardBufferResume = .seconds(20)
        $0.preferredForwardBufferDuration = first
      }
      return run.log.records.filter {
        if case .segmentRequest = $0.event { true } else { false }
      }.map(\.instant)
    }
    let plain = requests([], first: .zero)
    #expect(plain.count == 30)
    let reset = ScriptStep.at(0, .set(.preferredForwardBufferDuration(.zero)))
    #expect(requests([reset], first: .seconds(5)) == plain)
  }

  @Test func aFileIsFollowedBesideAPreparedStream() {
    let file = Media(
      .progressive, duration: .seconds(100), bitRate: BitRate(bitsPerSecond: 1_000_000))
    let stream = Self.stream { $0.playlistSize = ByteCount(bytes: 1_000_000) }
    // Both have 1 Mbit/s each until the playlist of 8 Mbit has come, at 8 s; then the file has 2.
    let world = World(
      links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 2_000_000)))],
      players: [PlayerConfiguration(media: [file, stream])],
      script: [.at(0, .replaceCurrentItem(0)), .at(0, .loadValues(1))],
      horizon: .start + .seconds(600))
    for (second, loaded) in [(4, 4), (8, 8), (9, 10), (20, 32)] as [(Int64, Int64)] {
      let simulation = Simulation.run(of: world, to: second * 1_000_000_000)
      let snapshot = simulation.snapshot(of: 0, at: .start + .seconds(second))
      #expect(snapshot.loadedEnd == .seconds(loaded), "at \(second) s")
    }
  }

  @Test(arguments: [Fault.Outcome.status(404), .noResponse, .nameNotResolved])
  func failuresBelongToTheirOwnStream(_ outcome: Fault.Outcome) {
    func run(_ first: [Fault], _ second: [Fault]) -> Simulation {
      Self.run(
        [
          Self.stream(segments: 6) { $0.faults = first },
          Self.stream { $0.faults = second },
        ], [.at(0, .loadValues(1))])
    }
    let isError: (Event) -> Bool = { if case .newErrorLogEntry = $0 { true } else { false } }
    let isLoaded: (Event) -> Bool = { if case .valuesLoaded = $0 { true } else { false } }
    // What fails of the prepared one is no matter of the current one.
    let other = run([], [Fault(outcome, of: .multivariantPlaylist)])
    #expect(Self.count(other, isError) == 0)
    #expect(Self.count(other, isLoaded) == 0)
    #expect(other.metrics(of: 0).playedToEndCount == 1)
    // And the other way round.
    let own = run([Fault(outcome, of: .segment(list: nil, number: 3), count: 1)], [])
    // Whatever the variant may be to blame for, there is no other one: a second entry.
    #expect(Self.count(own, isError) == (outcome == .nameNotResolved ? 1 : 2))
    #expect(Self.count(own, isLoaded) == 1)
    #expect(own.metrics(of: 0).playedToEndCount == 1)
  }
}
