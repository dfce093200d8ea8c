import AutowaitCommands
import AutowaitScenario
import Testing

/// Bounds on every metric: in every comparison, in every unit, just below, at and just above what
/// is measured, and where nothing was measured.
@Suite struct ExpectationMetricTests {
  private typealias Fixture = ExpectationFixture

  /// How a metric is spelled and shown.
  enum Scale: Sendable {
    case time, count, size, rate, ratio

    func spelled(_ number: Int64) -> String {
      switch self {
      case .time: "\"\(number) ns\""
      case .count: "\(number)"
      case .size: "\"\(number) B\""
      case .rate: "\"\(number) bit/s\""
      case .ratio: ExpectationFixture.decimal(number, digits: 6)
      }
    }

    func shown(_ number: Int64) -> String {
      switch self {
      case .time: ExpectationFixture.decimal(number, digits: 9) + " s"
      case .count: "\(number)"
      case .size: Self.whole(number, ["B", "kB", "MB", "GB"])
      case .rate: Self.whole(number, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s"])
      case .ratio: ExpectationFixture.decimal(number, digits: 6)
      }
    }

    /// The number in the largest unit of which there is a whole number.
    private static func whole(_ number: Int64, _ units: [String]) -> String {
      var (rest, place) = (number, 0)
      while rest != 0, rest % 1_000 == 0, place + 1 < units.count {
        (rest, place) = (rest / 1_000, place + 1)
      }
      return number == 0 ? "0" : "\(rest) \(units[place])"
    }
  }

  /// A metric and what it is in a run: nanoseconds, things, or millionths.
  struct Row: Sendable, CustomTestStringConvertible {
    let metric: Metric
    let world: ExpectationFixture.World
    let player: String?
    let scale: Scale
    let number: Int64

    init(
      _ metric: Metric, _ number: Int64, _ scale: Scale, _ world: ExpectationFixture.World,
      of player: String? = nil
    ) {
      (self.metric, self.number, self.scale, self.world, self.player) = (
        metric, number, scale, world, player
      )
    }

    var testDescription: String { "\(metric) \(number)" }

    /// The key of the player, if there are several.
    var field: String { player.map { ", \"player\": \"\($0)\"" } ?? "" }
  }

  static let rows: [Row] = [
    Row(.firstPlayed, 1_000_000_000, .time, Fixture.stalling, of: "a"),
    Row(.timeSpentInInitialStartup, 1_000_000_000, .time, Fixture.stalling, of: "a"),
    Row(.stallCount, 1, .count, Fixture.stalling, of: "a"),
    Row(.timeSpentRecoveringFromStall, 2_500_000_000, .time, Fixture.stalling, of: "a"),
    Row(.playbackDuration, 10_000_000_000, .time, Fixture.stalling, of: "a"),
    Row(.mediaPlayed, 10_000_000_000, .time, Fixture.stalling, of: "a"),
    // 2.5 of 12.5 s, and 0.5 of 10.5: 47,619.05 millionths.
    Row(.rebufferRatio, 200_000, .ratio, Fixture.stalling, of: "a"),
    Row(.rebufferRatio, 47_619, .ratio, Fixture.resuming),
    Row(.timePaused, 2_000_000_000, .time, Fixture.acting, of: "pauser"),
    Row(.timePaused, 13_500_000_000, .time, Fixture.stalling, of: "idle"),
    Row(.timeSpentSeeking, 500_000_000, .time, Fixture.seeking),
    Row(.timeSpentResuming, 1_500_000_000, .time, Fixture.resuming),
    Row(.timeWithoutItem, 7_000_000_000, .time, Fixture.acting, of: "left"),
    Row(.timeSpentCoordinating, 1_500_000_000, .time, Fixture.acting, of: "held"),
    Row(.timeSpentInInterstitials, 2_250_000_000, .time, Fixture.acting, of: "interrupted"),
    Row(.timeInGaps, 300_000_000, .time, Fixture.acting, of: "gap"),
    // Two laps of two end by 10 s, and the third has not come so far.
    Row(.mediaPlayedWithoutVideo, 1_000_000_000, .time, Fixture.looping, of: "dark"),
    Row(.mediaPlayedWithoutAudio, 2_000_000_000, .time, Fixture.looping, of: "silent"),
    Row(.loopCount, 2, .count, Fixture.looping, of: "silent"),
    Row(.timeAfterEnd, 6_000_000_000, .time, Fixture.acting, of: "ended"),
    Row(.wallTime, 13_500_000_000, .time, Fixture.stalling, of: "a"),
    Row(.wallTime, 8_000_000_000, .time, Fixture.cut, of: "idle"),
    Row(.playedToEndCount, 1, .count, Fixture.stalling, of: "a"),
    // A seek asks again.
    Row(.mediaResourceRequestCount, 2, .count, Fixture.seeking),
    Row(.numberOfBytesTransferred, 1_250_000, .size, Fixture.stalling, of: "a"),
    // Of 2.5 MB, 1.5 s before the seek and 7.5 s behind it were played at 125 kB/s.
    Row(.wastedBytes, 1_375_000, .size, Fixture.seeking),
    Row(.timeToFirstByte, 80_000_000, .time, Fixture.far),
    Row(.stallsPerHour, 360, .count, Fixture.stalling, of: "a"),
    // The first variant's section comes again, and the last segment 1.5 s after the start: 3.5 s
    // are left of the first one, 437,500 B, and the others whole.
    Row(.peakBufferedBytes, 3_562_500, .size, Fixture.streaming),
    // From 0 to 10 s, of which the link is down for 5: 1,250,000 B at 2 Mbit/s.
    Row(.transferDuration, 5_000_000_000, .time, Fixture.stalling, of: "a"),
    Row(.observedBitrate, 2_000_000, .rate, Fixture.stalling, of: "a"),
    Row(.pipelineBuildCount, 1, .count, Fixture.acting, of: "built"),
    // The third segment is not there, so that the variant is left: three at 1 Mbit/s, and one at 4,
    // of which the mean is 3.
    Row(.timeWeightedAverageBitrate, 1_500_000, .rate, Fixture.streaming),
    Row(.timeWeightedPeakBitrate, 1_750_000, .rate, Fixture.streaming),
    Row(.variantSwitchCount, 2, .count, Fixture.streaming),
    Row(.abandonedSegmentCount, 1, .count, Fixture.abandoning),
    Row(.recoverableErrorCount, 1, .count, Fixture.streaming),
    Row(.pictureFreezeCount, 1, .count, Fixture.freezing),
    Row(.timePictureFrozen, 1_000_000_000, .time, Fixture.freezing),
    Row(.startupMultivariantPlaylist, 1_000_000_000, .time, Fixture.streaming),
    Row(.startupMediaPlaylists, 500_000_000, .time, Fixture.streaming),
    Row(.startupContentKeys, 125_000_000, .time, Fixture.streaming),
    Row(.startupInitialization, 250_000_000, .time, Fixture.streaming),
    Row(.startupSegments, 625_000_000, .time, Fixture.streaming),
    // 0.5 + 0.25 + 1.875 s.
    Row(.startupPreroll, 2_625_000_000, .time, Fixture.streaming),
  ]

  @Test func everyMetricHasARow() {
    #expect(Set(Self.rows.map(\.metric)) == Set(Metric.allCases))
  }

  /// What follows the figure where the bound can never be met.
  private static func remark(on sign: String, _ limit: Int64) -> String {
    sign == "<" && limit == 0 ? ": no figure is below 0" : ""
  }

  @Test(arguments: rows)
  func boundsAreExact(_ row: Row) throws {
    var expectations: [String] = []
    var expected: [Fixture.Judgement] = []
    let shown = row.scale.shown(row.number)
    for limit in row.number - 1...row.number + 1 {
      for (sign, holds) in Fixture.comparisons {
        expectations.append(
          "{\"metric\": \"\(row.metric)\", \"\(sign)\": \(row.scale.spelled(limit))\(row.field)}")
        expected.append(
          Fixture.Judgement(
            isMet: holds(row.number, limit),
            observed: shown + Self.remark(on: sign, limit)))
      }
    }
    // Of several bounds all must hold.
    for (low, high) in [(-1, 1), (0, 0), (1, 2), (-2, -1)] as [(Int64, Int64)]
    where row.number + low >= 0 {
      let (least, most) = (row.number + low, row.number + high)
      expectations.append(
        "{\"metric\": \"\(row.metric)\", \">=\": \(row.scale.spelled(least)), "
          + "\"<=\": \(row.scale.spelled(most))\(row.field)}")
      expected.append(Fixture.Judgement(isMet: low <= 0 && high >= 0, observed: shown))
    }
    let judgements = try Fixture.judgements(of: expectations, in: row.world)
    for (index, judgement) in judgements.enumerated() {
      #expect(judgement == expected[index], "\(expectations[index])")
    }
    #expect(judgements.count == expected.count)
  }

  /// A metric of the stalling player, and all the ways to spell what it is.
  static let spellings: [(metric: Metric, spelled: [String])] = [
    (
      .wallTime,
      [
        "13.5", "\"13500000000 ns\"", "\"13500000 us\"", "\"13500000 \u{B5}s\"",
        "\"13500000 \u{3BC}s\"", "\"13500 ms\"", "\"13.5 s\"", "\"0.225 min\"", "\"0.00375 h\"",
        "\"0.00015625 d\"",
      ]
    ),
    (
      .observedBitrate,
      [
        "2000000", "\"2000000 bit/s\"", "\"2000 kbit/s\"", "\"2 Mbit/s\"", "\"0.002 Gbit/s\"",
        "\"0.000002 Tbit/s\"", "\"2000000 bps\"", "\"2000 kbps\"", "\"2 Mbps\"", "\"0.002 Gbps\"",
        "\"0.000002 Tbps\"", "\"250000 B/s\"", "\"250 kB/s\"", "\"0.25 MB/s\"",
        "\"0.00025 GB/s\"",
      ]
    ),
    (
      .numberOfBytesTransferred,
      [
        "1250000", "\"1250000 B\"", "\"1250 kB\"", "\"1.25 MB\"", "\"0.00125 GB\"",
        "\"0.00000125 TB\"", "\"1220.703125 KiB\"", "\"1.1920928955078125 MiB\"",
        "\"0.00116415321826934814453125 GiB\"",
      ]
    ),
    (.rebufferRatio, ["0.2", "2e-1", "\"0.2 x\""]), (.stallCount, ["1", "1.0", "1e0"]),
  ]

  @Test(arguments: spellings.indices)
  func everyUnitIsRead(_ index: Int) throws {
    let row = Self.spellings[index]
    let held = ["==", "<=", ">="], missed = ["!=", "<", ">"]
    for spelled in row.spelled {
      let judgements = try Fixture.judgements(
        of: (held + missed).map {
          "{\"metric\": \"\(row.metric)\", \"\($0)\": \(spelled), \"player\": \"a\"}"
        }, in: Fixture.stalling)
      #expect(judgements.map(\.isMet) == [true, true, true, false, false, false], "\(spelled)")
    }
  }

  /// What a metric is of a player that does nothing with a file, and of one that waits 10 s for a
  /// stream of which nothing comes; nil where nothing is measured.
  private static func idle(_ metric: Metric) -> (file: Int64?, stream: Int64?) {
    switch metric {
    case .firstPlayed, .rebufferRatio, .pipelineBuildCount, .observedBitrate,
      .mediaPlayedWithoutVideo, .mediaPlayedWithoutAudio, .loopCount, .timeToFirstByte,
      .stallsPerHour,
      .timeWeightedAverageBitrate, .timeWeightedPeakBitrate,
      // What comes after the multivariant playlist is not reached.
      .startupMediaPlaylists, .startupContentKeys, .startupInitialization, .startupSegments,
      .startupPreroll:
      (nil, nil)
    case .timePaused: (13_500_000_000, 0)
    case .pictureFreezeCount, .timePictureFrozen: (0, 0)
    case .wallTime: (13_500_000_000, 10_000_000_000)
    case .timeSpentInInitialStartup: (nil, 10_000_000_000)
    case .startupMultivariantPlaylist: (nil, 10_000_000_000)
    // The playlist is asked for again when nothing has come for ten seconds.
    case .recoverableErrorCount: (nil, 1)
    case .mediaResourceRequestCount: (0, 1)
    case .variantSwitchCount, .abandonedSegmentCount, .peakBufferedBytes: (nil, 0)
    case .wastedBytes: (0, 0)
    case .stallCount, .timeSpentRecoveringFromStall, .playbackDuration, .mediaPlayed,
      .timeSpentSeeking, .timeSpentResuming, .timeWithoutItem, .timeSpentCoordinating,
      .timeSpentInInterstitials, .timeInGaps, .timeAfterEnd, .playedToEndCount,
      .numberOfBytesTransferred, .transferDuration:
      (0, 0)
    }
  }

  /// Neither a bound from above nor one from below holds where nothing was measured, nor does `!=`.
  @Test(arguments: Metric.allCases)
  func whatWasNotMeasuredIsWithinNoBound(_ metric: Metric) throws {
    let (file, stream) = Self.idle(metric)
    for (number, world, player) in [
      (file, Fixture.stalling, ", \"player\": \"idle\""), (stream, Fixture.offline, ""),
    ] {
      for limit in [0, 1] as [Int64] {
        let judgements = try Fixture.judgements(
          of: Fixture.comparisons.map {
            "{\"metric\": \"\(metric)\", \"\($0.sign)\": \(limit)\(player)}"
          },
          in: world)
        // A bare number of a time counts seconds.
        let scale = try #require(Self.rows.first { $0.metric == metric }).scale
        let bound = limit * (scale == .time ? 1_000_000_000 : scale == .ratio ? 1_000_000 : 1)
        for (index, judgement) in judgements.enumerated() {
          let comparison = Fixture.comparisons[index]
          var judgement = judgement
          // Where it never could be, the reason follows.
          if number == nil { judgement.observed = String(judgement.observed.prefix { $0 != ":" }) }
          #expect(
            judgement
              == Fixture.Judgement(
                isMet: number.map { comparison.holds($0, bound) } ?? false,
                observed: number.map { scale.shown($0) + Self.remark(on: comparison.sign, bound) }
                  ?? "nothing was measured"),
            "\(metric) \(comparison.sign) \(limit)")
        }
      }
    }
  }
}
