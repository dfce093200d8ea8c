import Autowait
import Testing

/// Segments that follow each other at once on an ideal link end where their sum does, rounded up
/// once: the judge adds what was asked for up, and divides by the rates of the link.
@Suite struct SegmentsInSequenceTests {
  @Test(arguments: LawWorlds.batches(200, release: 1_000, of: 20))
  func endWhereTheirSumDoes(_ batch: Range<UInt64>) {
    for seed in batch {
      var random = RandomStream(seed: seed, component: "tests", purpose: "sequence")
      func draw(_ least: Int64, _ most: Int64) -> Int64 {
        least + Int64(random.next(below: UInt64(most - least + 1)))
      }
      let sizes = (0..<draw(1, 60)).map { _ in
        draw(0, 4) == 0 ? draw(1, 2) : draw(1, 400_000)
      }
      var (start, rates) = (Int64(0), [(start: Int64, rate: Int64)]())
      for _ in 0..<draw(1, 12) {
        rates.append((start, draw(1, 3_000_000)))
        start += draw(1, 9_000_000_000)
      }
      rates.append((start, 3_000_000))
      #expect(ends(sizes, rates) == sums(sizes, rates), law(seed))
    }
  }

  /// When each segment has come, as the simulation says.
  private func ends(_ sizes: [Int64], _ rates: [(start: Int64, rate: Int64)]) -> [Int64] {
    let track = LinkTrack(
      rates.map {
        LinkTrack.Sample(
          start: TimeSpan(nanoseconds: $0.start), rate: BitRate(bitsPerSecond: $0.rate))
      })
    var parts = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)],
      lists: [SegmentList(sizes.map { (.seconds(1_000), ByteCount(bytes: $0)) })])
    parts.playlistSize = .zero
    let player = PlayerConfiguration(media: [Media(parts)])
    let world = World(
      links: [LinkProfile(track)], players: [player],
      script: [Demo.at(0, .replaceCurrentItem(0)), Demo.at(0, .play)],
      horizon: Demo.seconds(1_000_000))
    var simulation = Simulation(world)
    _ = simulation.run()
    var segments: Set<Int> = []
    return simulation.log.records.compactMap { record in
      switch record.event {
      case .segmentRequest(let transfer, _, _, _, _): segments.insert(transfer)
      case .mediaRequestCompleted(let transfer, _):
        if segments.contains(transfer) { return record.instant.nanoseconds }
      default: break
      }
      return nil
    }
  }

  /// When the link has brought the sum of the first segments.
  private func sums(_ sizes: [Int64], _ rates: [(start: Int64, rate: Int64)]) -> [Int64] {
    var sum: Int128 = 0
    return sizes.map { size in
      sum += Int128(size) * 8_000_000_000
      var brought: Int128 = 0
      for (place, stretch) in rates.enumerated() {
        let rate = Int128(stretch.rate)
        let end = place + 1 < rates.count ? rates[place + 1].start : .max
        let span = (sum - brought + rate - 1) / rate
        if span <= Int128(end) - Int128(stretch.start) { return stretch.start + Int64(span) }
        brought += rate * Int128(end - stretch.start)
      }
      return -1
    }
  }
}
