import Autowait
import Testing

/// The window of the fill rate holds what it held, however often the link changes in it.
@Suite struct FillHistoryTests {
  /// Links on which the rate changes so often that the window has thousands of stretches, and the
  /// same links with their changes put together, in which it has hundreds.
  @Test(arguments: [3_000, 9_001])
  func theWindowMayHoldManyChanges(_ count: Int) {
    func track(pieces: Int) -> LinkTrack {
      let samples = (0..<count * pieces).map { index in
        LinkTrack.Sample(
          start: TimeSpan(nanoseconds: Int64(index) * 1_000_000 / Int64(pieces)),
          rate: BitRate(
            bitsPerSecond: 2_000_000 + Int64(index / pieces % 500) * 1_000
              + (pieces == 1 ? 0 : Int64(index % 2 * 2 - 1))))
      }
      return LinkTrack(samples, ending: .loop(after: .milliseconds(Int64(count))))
    }
    let media = Media(
      .progressive, duration: .seconds(400), bitRate: BitRate(bitsPerSecond: 2_100_000))
    func rates(_ track: LinkTrack) -> [Int64] {
      var simulation = Simulation(
        Demo.world(Demo.at(seconds: 1, .play), on: track, of: media, horizon: 100),
        keepsRecords: false)
      return (1...90 as ClosedRange<Int64>).map { second in
        _ = simulation.advance(to: Demo.seconds(second))
        return simulation.fillRate(of: 0)?.bitsPerSecond ?? 0
      }
    }
    // A change up and down within each millisecond changes nothing by its end.
    let (few, many) = (rates(track(pieces: 1)), rates(track(pieces: 10)))
    #expect(few.contains { $0 > 2_000_000 })
    #expect(few == many)
  }
}
