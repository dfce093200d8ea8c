import Autowait
import AutowaitPlayer
import Testing

/// A queue player and a looper, driven by hand.
@Suite struct QueuePlayerTests {
  private static let link = LinkProfile(LinkTrack(rate: .megabits(8)))
  private static func clip(_ seconds: Int64) -> Media {
    .progressive(duration: .seconds(seconds), bitRate: .megabits(1))
  }

  @Test func aQueueIsDrivenByHand() throws {
    var player = SimulatedPlayer(
      queueing: [Self.clip(5), Self.clip(3), Self.clip(4)], over: Self.link)
    player.play()
    player.advance(until: { $0.currentItem == 1 })
    #expect(player.items() == [1, 2])
    #expect(player.timeControlStatus == .playing)
    player.insert(0, after: 1)
    player.remove(2)
    #expect(player.items() == [1, 0])
    player.advanceToNextItem()
    player.run()
    #expect(player.items() == [] && player.metrics.time(.gap) == .zero)
    #expect(throws: PlaybackException.insertAfterItemNotInQueue) {
      try player.throwing { $0.insert(0, after: 2) }
    }
    player.insert(2, after: nil)
    #expect(throws: PlaybackException.itemAlreadyInQueue) {
      try player.throwing { $0.insert(2, after: nil) }
    }
    player.removeAllItems()
    #expect(player.currentItem == nil)
  }

  @Test func aLooperIsDrivenByHand() {
    var player = SimulatedPlayer(looping: Self.clip(2), over: Self.link)
    player.play()
    player.advance(until: { $0.loopCount == 3 })
    #expect(player.looperStatus == .ready)
    #expect(player.metrics.mediaPlayed == .seconds(6))
    player.disableLooping()
    player.run()
    #expect(player.looperStatus == .cancelled)
    #expect(player.metrics.mediaPlayed == .seconds(8))
    #expect(player.metrics.mediaResourceRequestCount == 1)
  }
}
