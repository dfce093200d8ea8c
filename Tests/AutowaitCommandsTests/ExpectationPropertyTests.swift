import Autowait
import AutowaitCommands
import AutowaitScenario
import Testing

/// Every property in every comparison, just below, at and just above what it is.
@Suite struct ExpectationPropertyTests {
  private typealias Fixture = ExpectationFixture

  /// What a property is.
  enum Value: Sendable {
    case null
    case word(String)
    case flag(Bool)
    /// Nanoseconds.
    case time(Int64)
    /// Millionths.
    case speed(Int64)
    case count(Int64)
    case rate(Int64)
    /// Nanoseconds.
    case ranges([[Int64]])

    var spelled: String {
      switch self {
      case .null: "null"
      case .word(let word): "\"\(word)\""
      case .flag(let flag): "\(flag)"
      case .time(let time): "\"\(time) ns\""
      case .speed(let speed): ExpectationFixture.decimal(speed, digits: 6)
      case .count(let count): "\(count)"
      case .rate(let rate): "\"\(rate) bit/s\""
      case .ranges(let ranges):
        "[\(ranges.map { "[\"\($0[0]) ns\", \"\($0[1]) ns\"]" }.joined(separator: ", "))]"
      }
    }

    var shown: String {
      switch self {
      case .null: "nil"
      case .word(let word): word
      case .flag(let flag): "\(flag)"
      case .time(let time): ExpectationFixture.decimal(time, digits: 9) + " s"
      case .speed(let speed): ExpectationFixture.decimal(speed, digits: 6)
      case .count(let count), .rate(let count): "\(count)"
      case .ranges(let ranges):
        "["
          + ranges.map {
            "[\($0.map { ExpectationFixture.decimal($0, digits: 9) }.joined(separator: ", "))]"
          }.joined(separator: ", ") + "]"
      }
    }

    /// The number and the value of another one, for what has an order.
    var number: (value: Int64, other: @Sendable (Int64) -> Value)? {
      switch self {
      case .time(let time): (time, { .time($0) })
      case .speed(let speed): (speed, { .speed($0) })
      case .count(let count): (count, { .count($0) })
      case .rate(let rate): (rate, { .rate($0) })
      case .null, .word, .flag, .ranges: nil
      }
    }
  }

  /// A player and the run that it is in: by its name one of the run that stalls.
  struct Place: Sendable, ExpressibleByStringLiteral {
    let world: ExpectationFixture.World
    var player: String?

    static let streaming = Place(world: ExpectationFixture.streaming)
    static let live = Place(world: ExpectationFixture.live)

    init(world: ExpectationFixture.World) { self.world = world }

    static func looping(_ player: String) -> Place {
      var place = Place(world: ExpectationFixture.looping)
      place.player = player
      return place
    }

    init(stringLiteral player: String) {
      (world, self.player) = (ExpectationFixture.stalling, player)
    }
  }

  /// A property of a player at a time, in nanoseconds, and other values that it may have.
  struct Row: Sendable, CustomTestStringConvertible {
    let property: Property
    let value: Value
    let others: [Value]
    let instant: Int64
    let place: Place

    init(
      _ property: Property, _ value: Value, not others: [Value] = [], at seconds: Double,
      of place: Place
    ) {
      (self.property, self.value, self.others, self.place) = (property, value, others, place)
      instant = Int64(seconds * 1_000_000_000)
    }

    var testDescription: String { "\(property) at \(instant) ns" }
  }

  private static func words<Word: NamedCase>(
    _ property: Property, _: Word.Type, isNullable: Bool = false,
    _ seen: [(word: String?, seconds: Double, place: Place)]
  ) -> [Row] {
    let all = Word.allCases.map { Value.word("\($0.word)") } + (isNullable ? [.null] : [])
    return seen.map { word, seconds, place in
      let value = word.map { Value.word($0) } ?? .null
      return Row(
        property, value, not: all.filter { $0.spelled != value.spelled }, at: seconds, of: place)
    }
  }

  private static func flags(
    _ property: Property, _ seen: [(flag: Bool, seconds: Double)]
  ) -> [Row] {
    seen.map { Row(property, .flag($0.flag), not: [.flag(!$0.flag)], at: $0.seconds, of: "a") }
  }

  /// Rows of the stalling player, and of the one beside it; before, at and after what happens.
  private static let ofFiles: [Row] =
    words(
      .timeControlStatus, TimeControlStatus.self,
      [
        ("waitingToPlayAtSpecifiedRate", 0, "a"),
        ("waitingToPlayAtSpecifiedRate", 0.999_999_999, "a"), ("playing", 1, "a"),
        ("playing", 4.999_999_999, "a"), ("waitingToPlayAtSpecifiedRate", 5, "a"),
        ("playing", 7.5, "a"), ("paused", 13.5, "a"), ("paused", 99, "a"), ("paused", 5, "idle"),
      ])
    + words(
      .reasonForWaitingToPlay, WaitingReason.self, isNullable: true,
      [
        ("toMinimizeStalls", 0.5, "a"), (nil, 1, "a"), (nil, 4.999_999_999, "a"),
        ("toMinimizeStalls", 5, "a"), (nil, 5, "idle"),
      ])
    + words(
      .status, ItemStatus.self, isNullable: true,
      [("unknown", 0.019_999_999, "a"), ("readyToPlay", 0.02, "a"), (nil, 0, "idle")])
    + words(.actionAtItemEnd, ActionAtItemEnd.self, [("pause", 0, "a"), ("pause", 3, "idle")])
    + flags(
      .isPlaybackLikelyToKeepUp,
      [(false, 0.999_999_999), (true, 1), (true, 4.999_999_999), (false, 5), (true, 7.5)])
    + flags(.isPlaybackBufferFull, [(false, 9.999_999_999), (true, 10), (true, 13.5)])
    + flags(
      .isPlaybackBufferEmpty,
      [(true, 0.019_999_999), (false, 0.02), (false, 4.999_999_999), (true, 5), (true, 13.5)])
    + flags(.automaticallyWaitsToMinimizeStalling, [(true, 0), (true, 20)])
    + [
      Row(.rate, .speed(1_000_000), at: 0, of: "a"), Row(.rate, .speed(1_000_000), at: 5, of: "a"),
      Row(.rate, .speed(0), at: 13.5, of: "a"), Row(.rate, .speed(0), at: 3, of: "idle"),
      Row(.defaultRate, .speed(1_000_000), at: 3, of: "a"),
      Row(.timebaseRate, .speed(0), at: 0.999_999_999, of: "a"),
      Row(.timebaseRate, .speed(1_000_000), at: 1, of: "a"),
      Row(.timebaseRate, .speed(0), at: 5, of: "a"),
      Row(.currentTime, .time(0), at: 1, of: "a"),
      Row(.currentTime, .time(1), at: 1.000_000_001, of: "a"),
      Row(.currentTime, .time(2_000_000_000), at: 3, of: "a"),
      Row(.currentTime, .time(4_000_000_000), at: 6, of: "a"),
      Row(.currentTime, .time(10_000_000_000), at: 13.5, of: "a"),
      Row(.loaded, .time(2_000_000_000), at: 1, of: "a"),
      Row(.loaded, .time(4_000_000_000), at: 3, of: "a"),
      Row(.loaded, .time(5_000_000_000), at: 7.5, of: "a"),
      Row(.bufferedAhead, .time(2_000_000_000), at: 3, of: "a"),
      Row(.bufferedAhead, .time(0), at: 6, of: "a"),
      Row(.bufferedAhead, .time(0), at: 3, of: "idle"),
      Row(.duration, .time(10_000_000_000), at: 3, of: "a"),
      Row(.duration, .null, not: [.time(0), .time(10_000_000_000)], at: 3, of: "idle"),
      Row(.currentItem, .count(0), not: [.null], at: 0, of: "a"),
      Row(.currentItem, .null, not: [.count(0)], at: 3, of: "idle"),
      Row(.stallCount, .count(0), at: 4.999_999_999, of: "a"),
      Row(.stallCount, .count(1), at: 5, of: "a"), Row(.stallCount, .count(1), at: 99, of: "a"),
      Row(.stallCount, .count(0), at: 99, of: "idle"),
      Row(.playedToEndCount, .count(0), at: 13.499_999_999, of: "a"),
      Row(.playedToEndCount, .count(1), at: 13.5, of: "a"),
      Row(
        .loadedTimeRanges, .ranges([[0, 4_000_000_000]]),
        not: [
          .ranges([]), .ranges([[0, 4_000_000_001]]), .ranges([[0, 3_999_999_999]]),
          .ranges([[1, 4_000_000_000]]), .ranges([[0, 1], [2, 4_000_000_000]]),
        ], at: 3, of: "a"),
      Row(.loadedTimeRanges, .ranges([]), not: [.ranges([[0, 1]])], at: 3, of: "idle"),
      Row(
        .seekableTimeRanges, .ranges([[0, 10_000_000_000]]),
        not: [.ranges([[0, 10_000_000_001]]), .ranges([])], at: 3, of: "a"),
      Row(.seekableTimeRanges, .ranges([]), not: [.ranges([[0, 1]])], at: 3, of: "idle"),
      Row(.offsetFromLive, .null, not: [.time(0), .time(1)], at: 3, of: "a"),
      Row(.variant, .null, not: [.count(0)], at: 3, of: "a"),
      Row(.indicatedBitrate, .null, not: [.rate(1), .rate(1_000_000)], at: 3, of: "a"),
      Row(.errorCount, .count(0), at: 3, of: "a"),
    ]

  /// Rows of streams: the first segment has come at 2.5 s, and the next one at 5.125 s.
  private static let ofStreams: [Row] = [
    Row(
      .variant, .null, not: [.count(0), .count(1)], at: 2.499_999_999, of: .streaming),
    Row(.variant, .count(0), not: [.null], at: 2.5, of: .streaming),
    Row(.variant, .count(1), not: [.null], at: 5.125, of: .streaming),
    Row(.indicatedBitrate, .rate(1_000_000), not: [.null], at: 2.5, of: .streaming),
    Row(.indicatedBitrate, .rate(4_000_000), not: [.null], at: 5.125, of: .streaming),
    Row(.errorCount, .count(0), at: 5.124_999_999, of: .streaming),
    Row(.errorCount, .count(1), at: 5.125, of: .streaming),
    // Playback begins at 42 s, three segments behind the end, when that segment has come: 750 kB
    // in 75 ms.
    Row(.offsetFromLive, .time(18_075_000_000), at: 3, of: .live),
    Row(
      .seekableTimeRanges, .ranges([[0, 60_000_000_000]]), not: [.ranges([[0, 66_000_000_000]])],
      at: 5.999_999_999, of: .live),
    Row(
      .seekableTimeRanges, .ranges([[0, 66_000_000_000]]), not: [.ranges([[0, 60_000_000_000]])],
      at: 6, of: .live),
  ]

  private static let ofLoops: [Row] =
    words(
      .looperStatus, LooperStatus.self, isNullable: true,
      [
        ("ready", 0, .looping("silent")), ("ready", 8.999_999_999, .looping("silent")),
        ("cancelled", 9, .looping("silent")), (nil, 5, .looping("dark")),
      ])
    + [
      Row(.loopCount, .count(0), at: 3.999_999_999, of: .looping("dark")),
      Row(.loopCount, .count(1), at: 4, of: .looping("dark")),
      Row(.loopCount, .count(0), at: 5, of: .looping("plain")),
      Row(.itemCount, .count(2), at: 5, of: .looping("dark")),
      Row(.itemCount, .count(3), at: 8.999_999_999, of: .looping("silent")),
      Row(.itemCount, .count(1), at: 9, of: .looping("silent")),
      Row(.itemCount, .count(0), at: 5, of: .looping("plain")),
    ]

  static let rows = ofFiles + ofStreams + ofLoops

  @Test func everyPropertyHasARow() {
    #expect(Set(Self.rows.map(\.property)) == Set(Property.allCases))
  }

  @Test(arguments: rows)
  func comparisonsAreExact(_ row: Row) throws {
    var expectations: [String] = []
    var expected: [Bool] = []
    func expect(_ value: Value, _ sign: String, _ isMet: Bool) {
      let field = row.place.player.map { ", \"player\": \"\($0)\"" } ?? ""
      let test = sign.isEmpty ? value.spelled : "{\"\(sign)\": \(value.spelled)}"
      expectations.append(
        "{\"at\": \"\(row.instant) ns\", \"\(row.property)\": \(test), \"tolerance\": 0\(field)}")
      expected.append(isMet)
    }
    for value in [row.value] + row.others {
      let isRight = value.spelled == row.value.spelled
      for (sign, isMet) in [("", isRight), ("==", isRight), ("!=", !isRight)] {
        expect(value, sign, isMet)
      }
    }
    if let (number, other) = row.value.number {
      // There is one item: no other can be named.
      let most = row.property == .currentItem ? number : number + 1
      for limit in number - 1...most where limit >= 0 {
        for (sign, holds) in Fixture.comparisons {
          expect(other(limit), sign, holds(number, limit))
        }
      }
    }
    for other in row.others {
      // What is null is neither more nor less than anything.
      guard case .null = row.value, other.number != nil else { continue }
      for sign in ["<", "<=", ">", ">="] { expect(other, sign, false) }
    }
    let judgements = try Fixture.judgements(of: expectations, in: row.place.world)
    for (index, judgement) in judgements.enumerated() {
      // What can never be says why.
      var judgement = judgement
      judgement.observed = String(judgement.observed.prefix { $0 != ":" })
      #expect(
        judgement
          == Fixture.Judgement(
            isMet: expected[index], observed: "\(row.property) \(row.value.shown)"),
        "\(expectations[index])")
    }
    #expect(judgements.count == expected.count)
  }
}
