import Autowait
import Testing

/// A live stream that is followed for long keeps no more than what matters.
@Suite struct LongStreamTests {
  /// A stream that changes its variant with every segment, with a window or without one: what is
  /// forgotten behind the window has been played and booked.
  @Test func whatLeftTheWindowIsBooked() {
    #if DEBUG
    let seconds: Int64 = 1_500
    #else
    let seconds: Int64 = 20_000
    #endif
    let rates: [Int64] = [1_000_000, 3_000_000]
    func metrics(_ window: MediaTime?) -> PlayerMetrics {
      var streamMedia = StreamMedia(
        variants: rates.enumerated().map { number, rate in
          StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: rate), list: number)
        },
        lists: rates.map { rate in
          SegmentList(
            EvenSegments(
              .seconds(seconds + 1_000), by: .seconds(1), at: BitRate(bitsPerSecond: rate)))
        })
      streamMedia.live = LiveWindow(elapsed: .seconds(100), window: window)
      let world = Demo.with(
        Demo.world(
          Demo.at(seconds: 1, .play), on: Demo.fast, of: Media(streamMedia), horizon: seconds)
      ) { player in
        player.streaming.adaptation.rule = .scripted(
          VariantScript((0..<30_000).map { $0 % 2 }))
      }
      var simulation = Simulation(world, keepsRecords: false)
      _ = simulation.run()
      return simulation.metrics(of: 0)
    }
    let (whole, windowed) = (metrics(nil), metrics(.seconds(60)))
    #expect(windowed.playbackDuration > .seconds(seconds - 10))
    #expect((windowed.streaming?.variantSwitchCount ?? 0) > Int(seconds) * 19 / 20)
    #expect(windowed == whole)
    let mean = windowed.streaming?.timeWeightedAverageBitrate?.bitsPerSecond ?? 0
    #expect(abs(mean - 2_000_000) < 1_000)
  }
}
