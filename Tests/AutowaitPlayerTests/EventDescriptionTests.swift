import Autowait
import AutowaitPlayer
import AutowaitScenario
import Testing

/// What happens and what comes of it print themselves with the words of logs.
@Suite struct EventDescriptionTests {
  private static func impatient() -> SimulatedPlayer {
    var player = SimulatedPlayer(
      playing: .progressive(duration: .seconds(39), bitRate: .megabits(3.73)),
      over: LinkProfile(rate: .megabits(3.2)))
    player.advance(by: .seconds(0.35))
    player.playImmediately()
    return player
  }

  @Test func recordsSayWhenAndWhat() {
    var player = Self.impatient()
    player.advance { $0.metrics.stallCount == 1 }
    #expect(
      player.records.map { "\($0)" } == [
        "0 s: started seed 0",
        "0 s player 0: currentItem 0",
        "0 s player 0: mediaRequest transfer 1, from 0, bytes 18183750",
        "0 s player 0: mediaResponse transfer 1",
        "0.046625 s player 0: loadedTimeRanges range 0, of 1, start 0 s, end 0.04 s",
        "0.046625 s player 0: isPlaybackBufferEmpty false",
        "0.046625 s player 0: status readyToPlay",
        "0.16384 s player 0: loadedTimeRanges range 0, of 1, start 0 s, end 0.140559785 s",
        "0.35 s player 0: rate 1",
        "0.35 s player 0: timeControlStatus playing",
        "0.35 s player 0: timebaseRate 1, currentTime 0 s",
        "0.35 s player 0: rateDidChange reason setRateCalled",
        "0.35 s player 0: newAccessLogEntry",
        "2.463207548 s player 0: loadedTimeRanges range 0, of 1, start 0 s, end 2.113207547 s",
        "2.463207548 s player 0: isPlaybackBufferEmpty true",
        "2.463207548 s player 0: timebaseRate 0, currentTime 2.113207547 s",
        "2.463207548 s player 0: reasonForWaitingToPlay toMinimizeStalls",
        "2.463207548 s player 0: timeControlStatus waitingToPlayAtSpecifiedRate",
        "2.463207548 s player 0: playbackStalled",
      ])
    #expect(player.loadedTimeRanges.map { "\($0)" } == ["0 s to 2.113207547 s"])
  }

  @Test(arguments: [
    (Event.playbackStalled, "playbackStalled"), (.currentItem(nil), "currentItem null"),
    (.reasonForWaitingToPlay(nil), "reasonForWaitingToPlay null"),
    (.linkRate(.megabits(3.2)), "linkRate 3200000"), (.step(index: 4), "step step 4"),
    (.linkChanged(link: 1, rate: .zero), "linkChanged link 1, rate 0"),
    (.variantSwitch(from: nil, to: 2, item: 1), "variantSwitch item 1, from null, value 2"),
    (.seek(number: 1, to: .seconds(50)), "seek seek 1, to 50 s"),
    (
      .setting(WrittenSetting(.preferredMaximumResolution(Resolution(width: 640, height: 360)))),
      "setting preferredMaximumResolution 640x360"
    ),
    (
      .videoFrames(VideoFrames(to: .output, .bt709, .clamped)),
      "videoFrames to videoOutput, color ITU_R_709_2, value clamped"
    ),
    (
      .notGapless(item: 1, JoinMismatch(.sampleRate)), "notGapless item 1, value sampleRate"
    ),
  ])
  func eventsHaveTheWordsOfLogs(_ event: Event, _ text: String) {
    #expect("\(event)" == text)
  }

  @Test func metricsAreALineEach() {
    var player = Self.impatient()
    player.run()
    #expect(
      "\(player.metrics)" == """
        firstPlayed 0.35 s
        timeSpentInInitialStartup 0 s
        stallCount 1
        timeSpentRecoveringFromStall 6.109374999 s
        playbackDuration 39.000000001 s
        mediaPlayed 39 s
        rebufferRatio 0.135435
        timePaused 0.35 s
        timeSpentSeeking 0 s
        timeSpentResuming 0 s
        timeWithoutItem 0 s
        timeSpentCoordinating 0 s
        timeSpentInInterstitials 0 s
        timeInGaps 0 s
        timeAfterEnd 0 s
        wallTime 45.459375 s
        playedToEndCount 1
        mediaResourceRequestCount 1
        numberOfBytesTransferred 18.18375 MB
        transferDuration 45.459375 s
        observedBitrate 3.2 Mbit/s
        """)
  }

  @Test func metricsHaveNames() {
    var player = Self.impatient()
    player.run()
    #expect(player.metrics["stallCount"] == 1)
    #expect(player.metrics["rebufferRatio"] == 135_435)
    #expect(player.metrics["wallTime"] == 45_459_375_000)
    #expect(player.metrics["stalls"] == nil)
    // Only streams have it.
    #expect(player.metrics["variantSwitchCount"] == nil)
    #expect(PlayerMetrics.names.contains("variantSwitchCount"))
  }

  @Test func errorsSayWhatWentWrong() {
    let media = Media.hls(
      duration: .seconds(60), variants: [HLSVariant(.megabits(1.2)), HLSVariant(.megabits(4))],
      audio: .kilobits(96))
    let tunnel = LinkTrack([
      LinkTrack.Sample(rate: .megabits(8)),
      LinkTrack.Sample(start: .seconds(3), rate: .zero),
    ])
    var player = SimulatedPlayer(playing: media, over: LinkProfile(tunnel))
    player.play()
    #expect(player.errorLog().isEmpty && player.seekableTimeRanges.isEmpty)
    player.advance(by: .seconds(25))
    #expect(
      player.errorLog().map { "\($0)" } == [
        "14.97368 s CoreMediaErrorDomain -12889: No response for media file in 6 s",
        "20.97368 s CoreMediaErrorDomain -12889: No response for media file in 6 s",
        "20.97368 s CoreMediaErrorDomain -12880: Can not proceed after removing variants",
      ])
    #expect(player.errorLog().map(\.errorStatusCode) == [-12_889, -12_889, -12_880])
    #expect(player.accessLog().map(\.numberOfStalls) == [1])
    #expect(player.seekableTimeRanges == [LoadedTimeRange(start: .zero, end: .seconds(60))])
  }
}
