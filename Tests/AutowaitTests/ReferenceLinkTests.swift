import Autowait
import Testing

/// What a link without packets does, by hand and by law; times are in milliseconds.
@Suite struct ReferenceLinkTests {
  /// A row of a trace: how long it holds, its rate in kbit/s, its latency.
  typealias Row = (length: Int64, rate: Int64, latency: Int64)

  static func track(_ rows: [Row], loops: Bool = true) -> LinkTrack {
    var start = TimeSpan.zero
    let samples = rows.map { row in
      defer { start += .milliseconds(row.length) }
      return LinkTrack.Sample(
        start: start, rate: BitRate(bitsPerSecond: row.rate * 1_000),
        delay: .milliseconds(row.latency))
    }
    return LinkTrack(samples, ending: loops ? .loop(after: start) : .offline(after: start))
  }

  static func bits(_ count: Int64) -> DataAmount {
    DataAmount(nanobits: UInt128(UInt64(count)) * 1_000_000_000)
  }

  // MARK: By hand

  static let steps: [Row] = [(1_000, 1_000, 100), (1_000, 2_000, 200), (1_000, 0, 50)]

  /// A request after a wait, and what it costs in microseconds.
  struct RequestRow: Sendable {
    var name: String
    var rows = steps
    var latency = ReferenceLatency.spent
    var wait: Int64 = 0
    var bits: Int64
    var firstByte: Int64
    var duration: Int64
  }

  static let requestRows: [RequestRow] = [
    .init(name: "in one row", bits: 500_000, firstByte: 100_000, duration: 600_000),
    .init(
      name: "half the latency, then half of the next", wait: 950, bits: 200_000,
      firstByte: 150_000, duration: 250_000),
    .init(
      name: "to the very end of a row", bits: 900_000, firstByte: 100_000, duration: 1_000_000),
    .init(
      name: "a bit more goes at the next rate", bits: 900_002, firstByte: 100_000,
      duration: 1_000_001),
    .init(
      name: "through a row of nothing", wait: 1_000, bits: 1_850_000, firstByte: 200_000,
      duration: 2_250_000),
    .init(
      name: "a row that is over does nothing more", wait: 2_000, bits: 0, firstByte: 50_000,
      duration: 50_000),
    .init(
      name: "three rows of latency", rows: [(30, 1, 60), (30, 1, 90), (40, 1, 120)], bits: 0,
      firstByte: 80_000, duration: 80_000),
    .init(
      name: "a latency of nothing costs nothing", rows: [(10, 1, 0), (10, 1, 50)], wait: 10,
      bits: 0, firstByte: 0, duration: 0),
    .init(
      name: "beside the link", latency: .beside, wait: 900, bits: 200_000, firstByte: 100_000,
      duration: 250_000),
    .init(
      name: "beside, at the end of a row", latency: .beside, wait: 1_000, bits: 200_000,
      firstByte: 100_000, duration: 200_000),
    .init(
      name: "over laps", rows: [(1_000, 1_000, 0), (1_000, 0, 0)], wait: 500, bits: 7_000_000,
      firstByte: 0, duration: 14_000_000),
    .init(
      name: "to the end of a lap", rows: [(1_000, 8, 0)], bits: 80_000, firstByte: 0,
      duration: 10_000_000),
  ]

  @Test(arguments: requestRows)
  func requests(_ row: RequestRow) {
    var link = ReferenceLink(Self.track(row.rows), latency: row.latency)
    link.wait(.milliseconds(row.wait))
    let transfer = link.transfer(Self.bits(row.bits))
    #expect(transfer.latency.nanoseconds == row.firstByte * 1_000, "\(row.name): latency")
    #expect(transfer.duration.nanoseconds == row.duration * 1_000, "\(row.name): duration")
    #expect(transfer.missing == .zero, "\(row.name)")
    let own = row.latency == .beside ? row.duration - row.firstByte : row.duration
    #expect(
      link.now.nanoseconds == (row.wait * 1_000 + own) * 1_000, "\(row.name): the link's time")
  }

  /// What is missing when a transfer is cancelled.
  @Test(
    arguments: [
      ("in the latency", .spent, 99, 600_000), ("at the first byte", .spent, 100, 600_000),
      ("in mid-transfer", .spent, 350, 350_000), ("with the last bit", .spent, 700, 0),
      ("after it", .spent, 2_000, 0), ("beside, in the latency", .beside, 99, 600_000),
      ("beside, in mid-transfer", .beside, 350, 350_000),
    ] as [(String, ReferenceLatency, Int64, Int64)])
  func cancels(_ name: String, _ latency: ReferenceLatency, _ limit: Int64, _ missing: Int64) {
    var link = ReferenceLink(Self.track(Self.steps), latency: latency)
    let transfer = link.transfer(Self.bits(600_000), cancelledAfter: .milliseconds(limit))
    #expect(transfer.missing == Self.bits(missing), "\(name)")
    #expect(transfer.duration == .milliseconds(min(limit, 700)), "\(name)")
  }

  @Test func whatNeverEndsHasNoEnd() {
    let dead: [(LinkTrack, Int64)] = [
      (Self.track([(1_000, 0, 0), (500, 0, 10)]), 1), (LinkTrack(rate: .zero), 1),
      (Self.track([(1_000, 1_000, 0)], loops: false), 1_000_001),
    ]
    for (track, size) in dead {
      var link = ReferenceLink(track)
      #expect(link.transfer(Self.bits(size)).missing > .zero)
      #expect(link.now == .never)
      var other = ReferenceLink(track)
      let cancelled = other.transfer(Self.bits(size), cancelledAfter: .seconds(5_000))
      #expect(other.now == Instant(nanoseconds: 5_000_000_000_000))
      #expect(cancelled.missing > .zero)
    }
  }

  @Test func payloadTakesItsShare() {
    let track = Self.track([(1_000, 1_500, 0)])
    var link = ReferenceLink(track, payload: PayloadShare(data: 1_448, of: 1_500))
    #expect(link.transfer(Self.bits(1_448_000)).duration == .milliseconds(1_000))
  }

  // MARK: By law

  /// A random track of up to six rows, some of them dead.
  static func randomRows(_ stream: inout RandomStream) -> [Row] {
    let rows: [Row] = (0...stream.next(below: 6)).map { _ in
      (
        Int64(1 + stream.next(below: 500)),
        stream.next(below: 4) == 0 ? 0 : Int64(stream.next(below: 5_000)),
        Int64(stream.next(below: 400))
      )
    }
    return rows + [(7, 13, 11)]
  }

  /// A track that loops is one that was written out lap by lap.
  @Test func lapsAreTheirRows() {
    for seed in 0..<60 as Range<UInt64> {
      var stream = RandomStream(seed: seed, component: "ideal", purpose: "laps")
      let rows = Self.randomRows(&stream)
      let period = rows.reduce(0) { $0 + $1.length }
      var looped = ReferenceLink(Self.track(rows))
      var written = ReferenceLink(
        Self.track((0..<(120_000 / period + 1)).flatMap { _ in rows }, loops: false))
      for _ in 0..<8 {
        let pause = TimeSpan.milliseconds(Int64(stream.next(below: 900)))
        let size = Self.bits(Int64(stream.next(below: 20_000)))
        looped.wait(pause)
        written.wait(pause)
        let (one, other) = (looped.transfer(size), written.transfer(size))
        if written.now == .never { break }
        #expect(one == other, "seed \(seed)")
      }
    }
  }

  /// The parts of a latency that pass at each row's pace add up to one, and not before the end.
  @Test func latencyIsOneUnitOfWork() {
    for seed in 0..<80 as Range<UInt64> {
      var stream = RandomStream(seed: seed, component: "ideal", purpose: "latency")
      let rows = Self.randomRows(&stream).map { ($0.length % 9 + 1, $0.rate, $0.latency + 1) }
      let start = Int64(stream.next(below: 50_000_000))
      var link = ReferenceLink(Self.track(rows))
      link.wait(TimeSpan(nanoseconds: start))
      let latency = link.transfer(.zero).latency.nanoseconds
      var (at, work) = (Int64(0), 0.0)
      while at < start + latency {
        for (length, _, pace) in rows {
          let end = at + length * 1_000_000
          work += Double(max(0, min(end, start + latency) - max(at, start))) / Double(pace)
          at = end
        }
      }
      #expect(abs(work - 1_000_000) < 2, "seed \(seed)")
    }
  }

  /// A track whose rows are cut in two is the same track.
  @Test func aCutTrackIsTheWhole() {
    for seed in 0..<60 as Range<UInt64> {
      var stream = RandomStream(seed: seed, component: "ideal", purpose: "track")
      let rows = Self.randomRows(&stream).map { ($0.length + 1, $0.rate, $0.latency) }
      let cut = rows.flatMap { row in
        let first = 1 + Int64(stream.next(below: UInt64(row.0 - 1)))
        return [(first, row.1, row.2), (row.0 - first, row.1, row.2)]
      }
      var (one, other) = (ReferenceLink(Self.track(rows)), ReferenceLink(Self.track(cut)))
      for _ in 0..<8 {
        let size = Self.bits(Int64(stream.next(below: 900_000)))
        #expect(one.transfer(size) == other.transfer(size), "seed \(seed)")
      }
    }
  }

  /// A transfer that is cut in two takes as long as the whole, but for a nanosecond at the cut,
  /// which may weigh more at a lower rate.
  @Test func aCutTransferIsTheWhole() {
    for seed in 0..<60 as Range<UInt64> {
      var stream = RandomStream(seed: seed, component: "ideal", purpose: "cut")
      let rows = Self.randomRows(&stream).map { ($0.length, $0.rate, Int64(0)) }
      let (first, second) = (stream.next(below: 900_000), stream.next(below: 900_000))
      var whole = ReferenceLink(Self.track(rows))
      let all = whole.transfer(Self.bits(Int64(first + second))).duration.nanoseconds
      var cut = ReferenceLink(Self.track(rows))
      _ = cut.transfer(Self.bits(Int64(first)))
      _ = cut.transfer(Self.bits(Int64(second)))
      let rates = rows.map(\.1).filter { $0 > 0 }
      let weight = (rates.max() ?? 0) / (rates.min() ?? 1) + 1
      #expect(0...weight ~= cut.now.nanoseconds - all, "seed \(seed)")
      var cancelled = ReferenceLink(Self.track(rows))
      let limit = TimeSpan(nanoseconds: all / 3 + 1)
      let part = cancelled.transfer(Self.bits(Int64(first + second)), cancelledAfter: limit)
      _ = cancelled.transfer(part.missing)
      #expect(cancelled.now.nanoseconds == all, "seed \(seed)")
    }
  }

  /// More rate, or less latency, is never later.
  @Test func moreIsNeverLater() {
    for seed in 0..<60 as Range<UInt64> {
      var stream = RandomStream(seed: seed, component: "ideal", purpose: "more")
      let rows = Self.randomRows(&stream)
      let faster = rows.map { ($0.length, $0.rate + Int64(stream.next(below: 100)), $0.latency) }
      let nearer = rows.map { ($0.length, $0.rate, $0.latency * 9 / 10) }
      let size = Self.bits(Int64(stream.next(below: 3_000_000)))
      var links = [rows, faster, nearer].map { ReferenceLink(Self.track($0)) }
      for index in links.indices { _ = links[index].transfer(size) }
      #expect(links[1].now <= links[0].now, "seed \(seed): faster")
      #expect(links[2].now <= links[0].now, "seed \(seed): nearer")
    }
  }
}
