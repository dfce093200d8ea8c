import Autowait
import Testing

/// Sessions over an ideal link whose times can be told without a computer.
@Suite struct SegmentReplayTests {
  static func link(
    _ rows: [ReferenceLinkTests.Row], _ latency: ReferenceLatency = .spent
  ) -> ReferenceLink {
    ReferenceLink(ReferenceLinkTests.track(rows), latency: latency)
  }

  static func run(
    _ policy: SegmentPolicy, _ link: ReferenceLink, kilobits: [Int64]
  ) -> (player: SegmentReplay, fetches: [SegmentFetch]) {
    var player = SegmentReplay(policy, over: link)
    let fetches = kilobits.compactMap {
      player.fetch(SegmentRequest(size: ReferenceLinkTests.bits($0 * 1_000)))
    }
    return (player, fetches)
  }

  static func milliseconds(_ instant: Instant) -> Int64 { instant.nanoseconds / 1_000_000 }

  static let flat: [ReferenceLinkTests.Row] = [(1_000, 1_000, 100)]
  static let outage: [ReferenceLinkTests.Row] = [
    (2_000, 1_000, 0), (5_000, 0, 0), (90_000, 1_000, 0),
  ]

  /// Requests, stalls and end, in milliseconds, of segments of two seconds.
  struct SabreRow: Sendable {
    var name: String
    var rows = flat
    var bufferMax: Int64 = 25
    var kilobits: [Int64]
    var requests: [Int64]
    var stalls: [Int64] = []
    var end: Int64
  }

  static let sabreRows: [SabreRow] = [
    // Each segment takes 2.1 s and brings 2 s: a stall of 0.1 s each.
    .init(
      name: "slower than real time", kilobits: [2_000, 2_000, 2_000], requests: [0, 2_100, 4_200],
      stalls: [4_100, 100, 6_200, 100], end: 8_300),
    // The third waits from 1.0 s, with 3.5 s in the buffer, until 2.0 s are left.
    .init(
      name: "a full buffer", bufferMax: 4, kilobits: [400, 400, 400], requests: [0, 500, 2_500],
      end: 6_500),
    .init(
      name: "a buffer that stays full", bufferMax: 4, kilobits: [100, 100, 100, 100],
      requests: [0, 200, 2_200, 4_200], end: 8_200),
    // The second segment comes five seconds late.
    .init(
      name: "an outage", rows: outage, kilobits: [1_500, 1_500, 1_500],
      requests: [0, 1_500, 8_000], stalls: [3_500, 4_500], end: 12_000),
    .init(
      name: "exactly in time", rows: [(1_000, 1_000, 0)], kilobits: [2_000, 2_000, 2_000],
      requests: [0, 2_000, 4_000], end: 8_000),
    .init(
      name: "a millisecond too slow", rows: [(1_000, 1_000, 0)], kilobits: [2_000, 2_001, 2_000],
      requests: [0, 2_000, 4_001], stalls: [4_000, 1], end: 8_001),
  ]

  @Test(arguments: sabreRows)
  func sabre(_ row: SabreRow) {
    let policy = SegmentPolicy.sabre(
      segmentDuration: .seconds(2), bufferMax: .seconds(row.bufferMax))
    var (player, fetches) = Self.run(policy, Self.link(row.rows), kilobits: row.kilobits)
    player.playOut()
    #expect(fetches.map { Self.milliseconds($0.requestedAt) } == row.requests, "\(row.name)")
    let stalls = player.stalls.flatMap {
      [Self.milliseconds($0.start), $0.length.nanoseconds / 1_000_000]
    }
    #expect(stalls == row.stalls, "\(row.name)")
    #expect(Self.milliseconds(player.now) == row.end, "\(row.name)")
  }

  /// Each segment takes 0.1 s and brings 4 s, until 60 s are too few.
  @Test func pensievePausesInQuanta() {
    let (player, fetches) = Self.run(
      .pensieve, Self.link([(1_000, 1_000, 80)], .beside),
      kilobits: Array(repeating: 20, count: 17))
    let after = fetches.map { $0.levelAfter.nanoseconds / 1_000_000 }
    #expect(after.first == 4_000)
    #expect(after[14] == 58_600)
    // 62.5 s are 2.5 s too many, which is five quanta.
    #expect(after[15] == 60_000)
    #expect(after[16] == 59_900)
    #expect(player.startup == .milliseconds(100))
    #expect(player.stalls.isEmpty)
    // Sixteen times 0.02 s of transfer and the pauses: the latencies are not the link's time.
    #expect(Self.milliseconds(player.link.now) == 17 * 20 + 2_500 + 4_000)
    #expect(Self.milliseconds(player.now) == 17 * 100 + 2_500 + 4_000)
  }

  /// A stall over a download that is given up and asked for anew is one stall.
  @Test func aStallGoesOnOverAnAbandonedDownload() {
    var player = SegmentReplay(
      .sabre(segmentDuration: .seconds(2)), over: Self.link([(1_000, 1_000, 0)]))
    let large = ReferenceLinkTests.bits(9_000_000)
    for limit in [nil, 3, 1] as [Int64?] {
      let request = SegmentRequest(
        size: limit == nil ? ReferenceLinkTests.bits(1_000_000) : large,
        cancelledAfter: limit.map { .seconds($0) })
      #expect(player.fetch(request)?.transfer.missing == .zero || limit != nil)
    }
    _ = player.fetch(SegmentRequest(size: ReferenceLinkTests.bits(500_000)))
    player.playOut()
    #expect(player.stalls.map { Self.milliseconds($0.start) } == [3_000])
    #expect(player.stalled == .milliseconds(2_500))
    #expect(player.media == .seconds(4))
  }

  /// What is asked of a dead link never comes, and a copy of the player goes its own way.
  @Test func copiesGoTheirOwnWay() {
    let policy = SegmentPolicy.sabre(segmentDuration: .seconds(2))
    var player = SegmentReplay(
      policy,
      over: ReferenceLink(
        LinkTrack([.init(rate: .unlimited)], ending: .offline(after: .seconds(1)))))
    #expect(player.fetch(SegmentRequest(size: ReferenceLinkTests.bits(1_000))) != nil)
    var fork = player
    var late = SegmentRequest(size: ReferenceLinkTests.bits(1_000))
    late.pause = .seconds(2)
    #expect(fork.fetch(late) == nil)
    #expect(player.fetch(SegmentRequest(size: ReferenceLinkTests.bits(1_000))) != nil)
  }
}
