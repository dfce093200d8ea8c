import Autowait
import AutowaitPlayer
import Testing

/// A player that is driven call by call is the player of a script that says the same.
@Suite struct SimulatedPlayerTests {
  private static let movie = Media(.progressive, duration: .seconds(39), bitRate: .megabits(3.73))
  private static let link = LinkProfile(rate: .megabits(3.2), delay: .seconds(0.03))

  /// The run of a script, as a judge: it shares no call with the driven player.
  private static func run(
    _ steps: [(TimeSpan, PlayerAction)], of media: Media = movie
  ) -> Simulation {
    let script = steps.map { ScriptStep(.at(.start + $0.0), .player(0, $0.1)) }
    let world = World(
      links: [link], players: [PlayerConfiguration(media: [media])], script: script,
      horizon: .start + .seconds(86_400))
    var simulation = Simulation(world)
    _ = simulation.run()
    return simulation
  }

  /// What was recorded without what tells of steps, and when.
  private static func story(_ records: some Sequence<EventRecord>) -> [String] {
    records.compactMap { record in
      switch record.event {
      case .step, .started, .finished: nil
      default: "\(record.instant.nanoseconds) \(record.event)"
      }
    }
  }

  @Test func callsAreSteps() {
    var player = SimulatedPlayer(playing: Self.movie, over: Self.link)
    // What is called is done before the next call; steps of an instant are done together.
    player.advance(by: .seconds(0.25))
    player.play()
    player.advance(by: .seconds(8.25))
    player.rate = .times(1.5)
    player.advance(by: .seconds(2))
    player.seek(to: .seconds(3.25))
    player.advance(by: .seconds(1.5))
    player.pause()
    player.advance(by: .seconds(4))
    player.automaticallyWaitsToMinimizeStalling = false
    player.defaultRate = .times(0.5)
    player.play()
    #expect(player.run() == .settled)
    let judge = Self.run([
      (.zero, .replaceCurrentItem(0)), (.seconds(0.25), .play),
      (.seconds(8.5), .setRate(.times(1.5))),
      (.seconds(10.5), .seek(.seconds(3.25))), (.seconds(12), .pause),
      (.seconds(16), .set(.automaticallyWaitsToMinimizeStalling(false))),
      (.seconds(16), .set(.defaultRate(.times(0.5)))), (.seconds(16), .play),
    ])
    #expect(Self.story(player.records) == Self.story(judge.log.records))
    #expect(Self.story(player.records).count > 15)
    #expect(player.metrics == judge.metrics(of: 0))
  }

  @Test func whatIsReadIsTheSnapshot() {
    var player = SimulatedPlayer(playing: Self.movie, over: Self.link)
    #expect(player.status == .unknown && player.timeControlStatus == .paused)
    player.play()
    #expect(player.timeControlStatus == .waitingToPlayAtSpecifiedRate && player.rate == .normal)
    #expect(player.reasonForWaitingToPlay != nil && player.timebaseRate == .zero)
    #expect(player.advance { $0.timeControlStatus == .playing })
    #expect(player.status == .readyToPlay && player.isPlaybackLikelyToKeepUp)
    #expect(player.currentTime() == .zero && player.duration == .seconds(39))
    let start = player.now
    player.advance(by: .seconds(1))
    #expect(player.now == start + .seconds(1) && player.currentTime() == .seconds(1))
    #expect(player.snapshot == player.simulation.snapshot(of: 0))
    #expect(!player.loadedTimeRanges.isEmpty && !player.isPlaybackBufferEmpty)
    player.actionAtItemEnd = .none
    #expect(player.actionAtItemEnd == .none)
    // What never holds is looked for to the end.
    #expect(!player.advance { $0.rate == .times(7) })
    #expect(player.currentTime() >= .seconds(39))
  }

  @Test func aCopyIsAFork() {
    var one = SimulatedPlayer(playing: Self.movie, over: Self.link)
    one.play()
    one.advance(by: .seconds(3))
    var other = one
    other.pause()
    other.run()
    #expect(one.rate == .normal && other.rate == .zero)
    one.run()
    #expect(one.metrics.playedToEndCount == 1 && other.metrics.playedToEndCount == 0)
  }

  /// A settled run goes on when something is done.
  @Test func theApplicationGoesOnAfterTheEnd() {
    var player = SimulatedPlayer(playing: Self.movie, over: Self.link)
    player.play()
    player.run()
    player.advance(by: .seconds(10))
    player.seek(to: .seconds(30))
    player.play()
    player.run()
    #expect(player.metrics.playedToEndCount == 2)
  }

  /// Time goes on after that, and never back.
  @Test func timePassesThoughNothingHappens() {
    var player = SimulatedPlayer(playing: Self.movie, over: Self.link)
    player.play()
    #expect(player.run() == .settled)
    let end = player.now
    player.advance(by: .seconds(40_000))
    #expect(player.now == end + .seconds(40_000))
    #expect(player.run() == .settled)
    #expect(player.now == end + .seconds(40_000))
    #expect(!player.advance { $0.rate == .times(7) })
    #expect(player.now == end + .seconds(40_000))
    #expect(player.metrics.wallTime == end + .seconds(40_000) - .start)
    player.advance(by: .start + .seconds(86_400) - player.now)
    #expect(player.now == .start + .seconds(86_400))
  }

  @Test func timeEndsAfterADay() async {
    await #expect(processExitsWith: .failure) {
      var player = SimulatedPlayer(
        playing: .local(duration: .seconds(8)), over: LinkProfile(rate: .megabits(1)))
      player.advance(by: .seconds(100_000))
    }
    await #expect(processExitsWith: .failure) {
      var player = SimulatedPlayer(
        playing: .local(duration: .seconds(8)), over: LinkProfile(rate: .megabits(1)))
      player.advance(by: .seconds(-1))
    }
  }

  @Test func observersHearEverythingInOrder() {
    var heard: [EventRecord] = []
    var player = SimulatedPlayer(playing: Self.movie, over: Self.link)
    let before = player.records.count
    player.observe { heard.append($0) }
    player.play()
    player.run()
    #expect(heard == Array(player.records[before...]))
    #expect(player.records.map(\.number) == Array(1...player.records.count))
  }

  @Test func whoIsInvalidatedHearsNothing() {
    var (early, late) = (0, 0)
    var player = SimulatedPlayer(playing: Self.movie, over: Self.link)
    let observation = player.observe { _ in early += 1 }
    player.play()
    let count = early
    #expect(count > 0)
    player.observe { _ in late += 1 }
    var copy = player
    observation.invalidate()
    player.run()
    let heard = late
    #expect(early == count && heard > 0)
    copy.pause()
    #expect(early == count && late > heard)
  }

  @Test func whatAnApplicationPrefersIsAStep() {
    let media = Media.hls(
      duration: .seconds(60), variants: [HLSVariant(.megabits(1.2)), HLSVariant(.megabits(4))],
      audio: .kilobits(96), languages: ["en", "de"])
    var player = SimulatedPlayer(playing: media, over: Self.link)
    #expect(player.preferredForwardBufferDuration == .zero && player.preferredPeakBitRate == .zero)
    player.advance(by: .seconds(1))
    player.preferredForwardBufferDuration = .seconds(12)
    #expect(player.preferredForwardBufferDuration == .seconds(12))
    player.play()
    player.advance(by: .seconds(4))
    player.preferredPeakBitRate = .megabits(2)
    #expect(player.preferredPeakBitRate == .megabits(2))
    player.select("de", in: .audio)
    player.advance(by: .seconds(5))
    let size = Resolution(width: 640, height: 360)
    player.preferredMaximumResolution = size
    player.preferredPeakBitRateForExpensiveNetworks = .megabits(1)
    player.preferredMaximumResolutionForExpensiveNetworks = size
    player.automaticallyPreservesTimeOffsetFromLive = true
    #expect(player.preferredMaximumResolution == size)
    #expect(player.preferredPeakBitRateForExpensiveNetworks == .megabits(1))
    #expect(player.preferredMaximumResolutionForExpensiveNetworks == size)
    #expect(player.automaticallyPreservesTimeOffsetFromLive)
    player.setTracks(.video, isEnabled: false)
    #expect(player.forwardPlaybackEndTime == nil && player.reversePlaybackEndTime == nil)
    player.forwardPlaybackEndTime = .seconds(40)
    player.reversePlaybackEndTime = .seconds(2)
    #expect(player.forwardPlaybackEndTime == .seconds(40))
    #expect(player.reversePlaybackEndTime == .seconds(2))
    #expect(player.run() == .settled)
    #expect(player.currentTime() == .seconds(40))
    let judge = Self.run(
      [
        (.zero, .replaceCurrentItem(0)),
        (.seconds(1), .set(.preferredForwardBufferDuration(.seconds(12)))), (.seconds(1), .play),
        (.seconds(5), .set(.preferredPeakBitRate(.megabits(2)))),
        (.seconds(5), .select(.audio, LanguageTag("de"))),
        (.seconds(10), .set(.preferredMaximumResolution(size))),
        (.seconds(10), .set(.preferredPeakBitRateForExpensiveNetworks(.megabits(1)))),
        (.seconds(10), .set(.preferredMaximumResolutionForExpensiveNetworks(size))),
        (.seconds(10), .set(.automaticallyPreservesTimeOffsetFromLive(true))),
        (.seconds(10), .enable(.video, false)),
        (.seconds(10), .set(.forwardPlaybackEndTime(.seconds(40)))),
        (.seconds(10), .set(.reversePlaybackEndTime(.seconds(2)))),
      ], of: media)
    #expect(Self.story(player.records) == Self.story(judge.log.records))
    #expect(player.records.contains { $0.event == .mediaSelection(.audio, rendition: 1) })
  }

  @Test func itemsThatAreNotThereAreRefused() async {
    await #expect(processExitsWith: .failure) {
      var player = SimulatedPlayer(
        playing: .local(duration: .seconds(8)), over: LinkProfile(rate: .megabits(1)))
      player.replaceCurrentItem(with: 3)
    }
    await #expect(processExitsWith: .failure) {
      var player = SimulatedPlayer(
        queueing: [.local(duration: .seconds(8))], over: LinkProfile(rate: .megabits(1)))
      player.insert(-1, after: nil)
    }
  }

  @Test func languagesThatAreNoneAreRefused() async {
    await #expect(processExitsWith: .failure) {
      var player = SimulatedPlayer(
        playing: .local(duration: .seconds(8)), over: LinkProfile(rate: .megabits(1)))
      player.select("the German one", in: .audio)
    }
  }

  @Test func eventsComeInVirtualTime() async {
    var player = SimulatedPlayer(playing: Self.movie, over: Self.link)
    player.play()
    let (before, now) = (player.records.count, player.now)
    var records: [EventRecord] = []
    for await record in player.events { records.append(record) }
    #expect(player.records.count == before && player.now == now)
    player.run()
    #expect(records == Array(player.records[before...]))
    // Who leaves early misses nothing that matters to the player.
    for await record in player.events where record.number > 0 { break }
  }

  @Test(arguments: [
    (8.3, 8_300_000_000), (0, 0), (0.000_000_001, 1), (0.1 + 0.2, 300_000_000),
    (-1.5, -1_500_000_000), (0.000_000_000_6, 1), (86_400, 86_400_000_000_000),
  ])
  func numbersAreWhatIsMeant(_ seconds: Double, _ nanoseconds: Int64) {
    #expect(TimeSpan.seconds(seconds).nanoseconds == nanoseconds)
    #expect(MediaTime.seconds(seconds).nanoseconds == nanoseconds)
  }

  @Test func ratesAreWhatIsMeant() {
    #expect(BitRate.megabits(3.73).bitsPerSecond == 3_730_000)
    #expect(BitRate.kilobits(64).bitsPerSecond == 64_000)
    #expect(PlaybackRate.times(1.000_001).millionths == 1_000_001)
    #expect(PlaybackRate.times(-2) == PlaybackRate(millionths: -2_000_000))
  }

  @Test func aRateIsNotNegative() async {
    await #expect(processExitsWith: .failure) { _ = BitRate.megabits(-1) }
    await #expect(processExitsWith: .failure) { _ = BitRate.kilobits(-0.001) }
    #expect(BitRate.megabits(0) == .zero)
  }

  @Test func timesAreNumbersOfSeconds() {
    #expect((Instant.start + .seconds(8.3)).seconds == 8.3)
    #expect(TimeSpan.seconds(-1.5).seconds == -1.5)
    #expect(MediaTime.seconds(0.04).seconds == 0.04)
  }
}
