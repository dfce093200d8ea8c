import Autowait
import Testing

/// Segments that are given up, by the assumed rule and by those of others.
@Suite struct AbandoningTests {
  private static func rate(_ bits: Int64) -> BitRate { BitRate(bitsPerSecond: bits) }

  private static func run(
    _ lists: [SegmentList], _ rates: [Int64], falling: (at: TimeSpan, from: Int64, to: Int64),
    _ rule: AdaptationPolicy.AdaptationRule
  ) -> Simulation {
    let variants = rates.indices.map { StreamMedia.Variant(bandwidth: rate(rates[$0]), list: $0) }
    let track = LinkTrack([
      LinkTrack.Sample(start: .zero, rate: rate(falling.from), delay: .zero),
      LinkTrack.Sample(start: falling.at, rate: rate(falling.to), delay: .zero),
    ])
    let media = Media(StreamMedia(variants: variants, lists: lists))
    let world = Demo.world(Demo.at(0, .play), on: track, of: media, horizon: 200)
    return Simulation.run(
      of: Demo.with(world) {
        $0.keepUp.rule = .buffered(start: .seconds(1), resume: .seconds(1))
        $0.streaming.adaptation.rule = rule
        $0.streaming.knowsPlaylists = true
      })
  }

  /// When requests were given up, with what had come of them.
  private static func given(_ run: Simulation) -> [[Int64]] {
    run.log.records.compactMap { record in
      guard case .mediaRequestCancelled(_, let bytes) = record.event else { return nil }
      return [record.instant.nanoseconds, bytes.bytes]
    }
  }

  /// What is missing counts as it is when it is looked at.
  ///
  /// Two seconds behind the end of the buffer 2,593,750 of 3,000,000 bytes have come: the segment
  /// is given up for one of less than the 406,250 that are missing, and nothing but time has passed
  /// since the link fell.
  @Test(arguments: [(Int64(406_249), true), (406_250, false), (406_251, false)])
  func whatIsNearlyThereIsKept(_ row: (other: Int64, isGivenUp: Bool)) {
    func list(_ size: Int64) -> SegmentList {
      SegmentList((0..<5).map { _ in (MediaTime.seconds(6), ByteCount(bytes: size)) })
    }
    let run = Self.run(
      [list(3_000_000), list(row.other)], [4_000_000, 600_000],
      falling: (.milliseconds(2_500), 10_000_000, 2_500_000), .avfoundation)
    #expect(Self.given(run) == (row.isGivenUp ? [[10_400_000_000, 2_593_750]] : []))
  }

  private static let rates: [Int64] = [500_000, 1_000_000, 2_000_000, 4_000_000]

  /// Segments of four seconds, of just the sizes that the rates say.
  private static let lists = rates.map { rate in
    SegmentList((0..<20).map { _ in (MediaTime.seconds(4), ByteCount(bytes: rate / 2)) })
  }

  private static func dash(_ kilobits: Int64, abandons: Bool = true) -> Simulation {
    var policy = SegmentRulePolicy(.player(.dashJS))
    policy.abandons = abandons
    return run(
      lists, rates, falling: (.milliseconds(400), 10_000_000, kilobits * 1_000), .modelled(policy))
  }

  /// What takes 1.8 times its time or more is given up, and left alone for half a second.
  ///
  /// The second segment is one of 16 Mbit, asked for at 0.4 s. Progress is told each 50 ms, for the
  /// first time at 0.45 s, and counts from there; more than 500 ms later is 1.0 s. 7.2 s are 1.8
  /// times four seconds: 2,223 kbit/s bring it in 7.1975 s, which are 7.20 to the hundredth, and
  /// 2,224 in 7.19.
  @Test(arguments: [(Int64(100), true), (2_223, true), (2_224, false), (2_225, false)])
  func dashGivesUpWhatTakesTooLong(_ row: (kilobits: Int64, isGivenUp: Bool)) {
    let run = Self.dash(row.kilobits)
    let first = Self.given(run).first
    #expect(first == (row.isGivenUp ? [1_000_000_000, row.kilobits * 75] : nil))
    #expect(Self.given(Self.dash(row.kilobits, abandons: false)).isEmpty)
    #expect(run.metrics(of: 0).streaming?.abandonedSegmentCount == Self.given(run).count)
    guard row.isGivenUp else { return }
    // The same segment is asked for again, as all of the throughput that was seen allows.
    let requests = run.log.records.compactMap { record -> [Int32]? in
      guard case .segmentRequest(_, _, let list, let segment?, _) = record.event else { return nil }
      return [list, segment]
    }
    #expect(Array(requests.prefix(3)) == [[1, 0], [3, 1], [row.kilobits > 2_000 ? 2 : 0, 1]])
  }

  /// Rules that give up do not get stuck, and no rule asks for the same twice in one instant.
  @Test(
    arguments: [
      SegmentRulePolicy.Rule.throughput, .bola, .bolaE, .dynamic, .dynamicDash, .player(.dashJS),
      .bufferBased, .player(.hlsJS), .player(.vhs), .player(.shaka),
    ], [Int64(150), 700, 1_500, 3_000])
  func allPlayToTheEnd(_ rule: SegmentRulePolicy.Rule, _ kilobits: Int64) {
    var policy = SegmentRulePolicy(rule)
    policy.abandons = true
    let run = Self.run(
      Self.lists, Self.rates, falling: (.seconds(9), 9_000_000, kilobits * 1_000),
      .modelled(policy))
    let ends = run.log.records.contains { $0.event == .didPlayToEndTime }
    #expect(ends || kilobits == 150)
    let instants = Self.given(run).map { $0[0] }
    #expect(Set(instants).count == instants.count)
  }
}
