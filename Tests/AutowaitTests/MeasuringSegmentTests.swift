import Autowait
import Testing

/// A segment that is loaded only to measure the network, as hls.js does with `startLevel` −1.
///
/// Segments of four seconds in four variants, each of just the size that its rate says.
@Suite struct MeasuringSegmentTests {
  private static let rates: [Int64] = [500, 1_000, 2_000, 4_000]

  private static let media: Media = {
    let lists = rates.map { rate in
      SegmentList((0..<20).map { _ in (MediaTime.seconds(4), ByteCount(bytes: rate * 500)) })
    }
    let variants = rates.indices.map {
      StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: rates[$0] * 1_000), list: $0)
    }
    return Media(StreamMedia(variants: variants, lists: lists))
  }()

  private static func run(
    _ rule: SegmentRulePolicy.Rule, kilobits: Int64, measures: Bool = true
  ) -> Simulation {
    var policy = SegmentRulePolicy(rule)
    policy.measuresFirst = measures
    let track = LinkTrack(rate: BitRate(bitsPerSecond: kilobits * 1_000))
    let world = Demo.world(Demo.at(0, .play), on: track, of: media, horizon: 200)
    return Simulation.run(
      of: Demo.with(world) {
        $0.keepUp.rule = .buffered(start: .zero, resume: .zero)
        $0.streaming.adaptation.rule = .modelled(policy)
        $0.streaming.knowsPlaylists = true
      })
  }

  private static func segments(_ run: Simulation) -> [(variant: Int, segment: Int)] {
    run.log.records.compactMap {
      guard case .segmentRequest(_, _, let list, let segment?, _) = $0.event else { return nil }
      return (Int(list), Int(segment))
    }
  }

  /// The segment to measure shows the link; the first one must come within four seconds.
  ///
  /// Four seconds of 1,000 kbit/s take 3,995 ms at 1,001.25 kbit/s, behind the 5 ms that the first
  /// byte is taken to need at least; those of 2,000 kbit/s at 2,002.5, and of 4,000 at 4,005.01.
  @Test(
    arguments: [
      (Int64(400), 0), (1_000, 0), (1_001, 0), (1_002, 1), (2_001, 1), (2_002, 1), (2_003, 2),
      (4_004, 2), (4_005, 2), (4_006, 3), (50_000, 3),
    ])
  func theFirstMustComeInTime(_ row: (kilobits: Int64, variant: Int)) throws {
    let run = Self.run(.player(.hlsJS), kilobits: row.kilobits)
    let segments = Self.segments(run)
    #expect(segments[0] == (0, 0))
    // It is loaded again, also in the variant that was measured.
    #expect(segments[1] == (row.variant, 0))
    #expect(segments[2].segment == 1)
    let measured = Self.nanoseconds(2_000, at: row.kilobits)
    // What is loaded again follows at once: the sum is rounded.
    let first = Self.nanoseconds(2_000 + 4 * Self.rates[row.variant], at: row.kilobits)
    let discarded = run.log.records.filter { $0.event == .segmentDiscarded(transfer: 1) }
    #expect(discarded.map { $0.instant.nanoseconds } == [measured])
    let start = run.log.records.first {
      if case .timebaseRate(let rate, _) = $0.event { rate > .zero } else { false }
    }
    #expect(start?.instant.nanoseconds == first)
  }

  private static func nanoseconds(_ kilobits: Int64, at rate: Int64) -> Int64 {
    (kilobits * 1_000_000_000 + rate - 1) / rate
  }

  /// It costs a request and its bytes, and is neither played nor a change of variant.
  @Test func itsCostIsCounted() throws {
    let (with, without) = (
      Self.run(.player(.hlsJS), kilobits: 3_000),
      Self.run(.player(.hlsJS), kilobits: 3_000, measures: false)
    )
    let count = Self.segments(with).count
    #expect(count == 21)
    #expect(Self.segments(without).count == 20)
    #expect(with.metrics(of: 0).mediaResourceRequestCount == 21)
    let switches = with.log.records.compactMap { record -> [Int?]? in
      if case .variantSwitch(let from, let to, _) = record.event { [from, to] } else { nil }
    }
    #expect(switches.first == [nil, 2])
    let bytes = Self.segments(with).reduce(0) { $0 + Self.rates[$1.variant] * 500 }
    #expect(with.metrics(of: 0).numberOfBytesTransferred == ByteCount(bytes: bytes))
  }

  /// Without it hls.js begins with what 500 kbit/s allow.
  @Test func itIsAsked() {
    let run = Self.run(.player(.hlsJS), kilobits: 50_000, measures: false)
    #expect(Self.segments(run)[0] == (0, 0))
    #expect(Self.segments(run)[1].segment == 1)
    #expect(!run.log.records.contains { $0.event == .segmentDiscarded(transfer: 1) })
  }

  /// Any rule can have one: 0.9 of what it shows counts for Sabre's, and no buffer pays.
  @Test(arguments: [(Int64(2_222), 1), (2_223, 2)])
  func othersMeasureToo(_ row: (kilobits: Int64, variant: Int)) {
    let run = Self.run(.player(.dashJS), kilobits: row.kilobits)
    #expect(Self.segments(run)[0] == (0, 0))
    #expect(Self.segments(run)[1] == (row.variant, 0))
  }
}
