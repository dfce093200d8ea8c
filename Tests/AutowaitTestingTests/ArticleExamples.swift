import Autowait
import AutowaitFiles
import AutowaitPlayer
import AutowaitScenario
import AutowaitTesting
import Testing

/// The code of the article "Driving a player from Swift", which a test finds here word for word.
@Suite struct ArticleExamples {
  @Test func aViewerJumps() {
    let movie = Media.hls(
      duration: .seconds(60),
      variants: [
        HLSVariant(.megabits(1.2)),
        HLSVariant(.megabits(4), resolution: Resolution(width: 1_280, height: 720)),
      ],
      audio: .kilobits(96))
    let train = LinkProfile(rate: .megabits(1.4), delay: .seconds(0.04))
    var player = SimulatedPlayer(playing: movie, over: train)

    player.play()
    player.advance { $0.timeControlStatus == .playing }
    let startup = player.now

    player.advance(by: .seconds(10))
    player.seek(to: .seconds(50))
    player.run()

    let told = "\(startup), \(player.currentTime()), \(player.metrics.stallCount) stalls"
    #expect(told == "5.683885716 s, 60 s, 0 stalls")
    #expect(startup.seconds < 6)
  }

  @Test func aViewerChangesTheLanguage() {
    let film = Media.hls(
      duration: .seconds(60), variants: [HLSVariant(.megabits(1.2)), HLSVariant(.megabits(4))],
      audio: .kilobits(96), languages: ["en", "pt-BR"])
    var player = SimulatedPlayer(playing: film, over: LinkProfile(rate: .megabits(8)))
    player.preferredForwardBufferDuration = .seconds(12)
    player.play()
    player.advance(by: .seconds(5))

    player.preferredPeakBitRate = .megabits(2)
    player.select("pt-BR", in: .audio)
    player.run()
    let played = player.accessLog().map { $0.variant }
    #expect(played == [0, 1, 0] && player.errorLog().isEmpty)
  }

  @Test func anObserverCounts() {
    var player = SimulatedPlayer(
      playing: .progressive(duration: .seconds(39), bitRate: .megabits(3.73)),
      over: LinkProfile(rate: .megabits(3.2)))
    player.advance(by: .seconds(0.35))
    player.playImmediately()

    var stalls: [String] = []
    let observation = player.observe { record in
      if record.event == .playbackStalled { stalls.append("\(record)") }
    }
    player.advance(by: .seconds(3))
    observation.invalidate()
    #expect(stalls == ["2.463207548 s player 0: playbackStalled"])
  }

  @Test func eventsAreObserved() async {
    var player = SimulatedPlayer(
      playing: .progressive(duration: .seconds(39), bitRate: .megabits(3.73)),
      over: LinkProfile(rate: .megabits(3.2)))
    player.advance(by: .seconds(0.35))
    player.playImmediately()

    var stalls: [Instant] = []
    for await record in player.events where record.event == .playbackStalled {
      stalls.append(record.instant)
    }
    #expect(stalls.map { "\($0)" } == ["2.463207548 s"])
  }

  @Test func exceptionsAreThrown() {
    let movie = Media.progressive(duration: .seconds(39), bitRate: .megabits(3.73))
    var player = SimulatedPlayer(playing: movie, over: LinkProfile(rate: .megabits(3.2)))

    do throws(PlaybackException) {
      try player.throwing { $0.setRate(.times(1), time: nil, atHostTime: nil) }
      Issue.record("a player that waits by itself accepts no host time")
    } catch {
      #expect(error == .setRateAtHostTimeWhileWaitingAutomatically)
    }
  }

  @Test(arguments: try Scenarios.below("Scenarios/demo"))
  func behavesAsRecorded(_ file: ScenarioFile) {
    expectGolden(file)
  }

  @Test func aScenarioIsRun() throws {
    let path = try #require(try Scenarios.below("Scenarios/demo").first).path
    let scenario = try Scenario(contentsOf: path)
    let result = scenario.run()
    #expect(result.isAsExpected)
    #expect(result.metrics(of: "player")?.stallCount == 0)
    #expect(result.events.contains { $0.event == .didPlayToEndTime })
  }
}
