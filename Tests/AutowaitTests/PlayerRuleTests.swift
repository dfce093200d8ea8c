import Autowait
import Testing

/// The rules of players, each where its mind changes, with numbers worked by hand.
///
/// Segments of four seconds in four variants.
@Suite struct PlayerRuleTests {
  private static let ladder = PlayerLadder(
    segmentDuration: 4_000, count: 100, rates: [500_000, 1_000_000, 2_000_000, 4_000_000])

  private static func moment(
    _ time: Double, level: Double = 0, speed: Double = 1
  ) -> PlayerMoment {
    PlayerMoment(time: time, level: level, position: 0, speed: speed)
  }

  private static func begun(
    _ player: PlayerRule, quality: Int, size: Double, response: Double? = 0
  ) -> PlayerSession {
    var session = PlayerSession(player, ladder)
    _ = session.choose(moment(0))
    session.begin(PlayerRequest(segment: 0, quality: quality, size: size, opened: 0))
    if let response { session.noteResponse(at: response) }
    return session
  }

  /// What is expected at first, without buffer and playlists: hls.js needs a second of the variant
  /// and two waits of 100 ms in 4 s; Shaka 1 ÷ 0.95 of it, media3 1 ÷ 0.7, VHS 1.2 times as much.
  @Test(arguments: [
    (PlayerRule.hlsJS, 0), (.dashJS, 1), (.shaka, 0), (.shaka4, 0), (.media3, 0), (.vhs, 2),
    (.chromiumHLS, 0),
  ])
  func firstChoices(_ row: (player: PlayerRule, quality: Int)) {
    var session = PlayerSession(row.player, Self.ladder)
    #expect(session.choose(Self.moment(0)).quality == row.quality)
  }

  // MARK: Shaka

  /// 128 kB are trusted, and act at once: in 200 ms they are 5.12 Mbit/s.
  @Test(arguments: [(127_999.0, 0), (128_000, 3)])
  func shakaTrustsAndActsAtOnce(_ row: (bytes: Double, quality: Int)) {
    var session = Self.begun(.shaka, quality: 0, size: 200_000)
    #expect(session.look(row.bytes, Self.moment(200)) == nil)
    #expect(session.choose(Self.moment(200)).quality == row.quality)
    #expect(((session.estimate ?? 0) - 5_120_000).magnitude < 1 || row.quality == 0)
  }

  /// A sample takes more than 100 ms; of less than 16 kB 4.7 forgets it, and 5.2 waits for more.
  ///
  /// 130 kB in 300 ms are 3,466.7 kbit/s; without the first 15 kB they are too few.
  @Test func shakaVersionsMeasureOtherwise() {
    for (player, expected) in [(PlayerRule.shaka, 130_000 * 8_000 / 300.0), (.shaka4, 1_000_000)] {
      var session = Self.begun(player, quality: 0, size: 130_000, response: 50)
      #expect(session.nextLook(after: 50) == 100)
      _ = session.look(14_000, Self.moment(100))
      _ = session.look(15_000, Self.moment(150))
      session.end(Self.moment(300))
      #expect(((session.estimate ?? 0) - expected).magnitude < 1, "\(player)")
    }
  }

  /// The wait for the first byte is in the first sample, and 8 s pass between two choices.
  @Test(arguments: [(7_999.0, 3), (8_000, 0)])
  func shakaChoosesOnceInEightSeconds(_ row: (time: Double, quality: Int)) {
    var session = Self.begun(.shaka, quality: 0, size: 200_000)
    _ = session.look(128_000, Self.moment(200))
    session.end(Self.moment(250))
    // At 0.2 s it was chosen; a slow segment of 100 kbit/s follows.
    session.begin(PlayerRequest(segment: 1, quality: 3, size: 200_000, opened: 200))
    session.noteResponse(at: 200)
    _ = session.look(100_000, Self.moment(200 + row.time))
    #expect(session.choose(Self.moment(9_000)).quality == row.quality)
  }

  // MARK: VHS

  /// A request times out after 1.5 target durations, but not one of the lowest variant.
  @Test func vhsTimesOut() {
    var session = Self.begun(.vhs, quality: 2, size: 1_000_000, response: nil)
    #expect(session.nextLook(after: 0) == 6_000)
    #expect(session.look(0, Self.moment(6_000)) == 0)
    #expect(session.estimate == 1)
    let lowest = Self.begun(.vhs, quality: 0, size: 250_000, response: nil)
    #expect(lowest.nextLook(after: 0) == .infinity)
  }

  /// After a second of bytes: 400 kbit/s need 19 s for the rest, and the buffer has 9 to spare.
  ///
  /// The lowest variant would come in 5 s. With the rest in time nothing is given up.
  @Test func vhsAbortsEarly() {
    var session = Self.begun(.vhs, quality: 2, size: 1_000_000)
    #expect(session.nextLook(after: 0) == 1_000)
    #expect(session.look(47_500, Self.moment(950, level: 10_050)) == nil)
    var other = session
    #expect(session.look(50_000, Self.moment(1_000, level: 10_000)) == 0)
    #expect(other.look(50_000, Self.moment(1_000, level: 20_000)) == nil)
    // What was given up is left alone for ten seconds, and the rate that was chosen is expected.
    #expect([600_000, 600_001].contains(session.estimate ?? 0))
  }

  /// No check follows the first segment of a variant; the second one's throughput counts.
  @Test func vhsChecksBehindTheSecondSegment() {
    var session = Self.begun(.vhs, quality: 0, size: 250_000)
    session.end(Self.moment(100))
    #expect(session.choose(Self.moment(100, level: 4_000)).quality == 0)
    session.begin(PlayerRequest(segment: 1, quality: 0, size: 250_000, opened: 100))
    session.noteResponse(at: 150)
    session.end(Self.moment(500, level: 3_600))
    // 250 kB in 400 ms, with the wait for the first byte, are 5 Mbit/s: above 1.2 × 4.
    #expect(session.estimate == 5_000_000)
    #expect(session.choose(Self.moment(500, level: 7_600)).quality == 3)
  }

  // MARK: hls.js

  private static func hls(_ size: Double, quality: Int = 0) -> PlayerSession {
    var session = begun(.hlsJS, quality: quality, size: size, response: 100)
    for quality in ladder.rates.indices { session.notePlaylist(of: quality, in: 0) }
    session.end(moment(1_100))
    return session
  }

  /// 0.7 of the estimate to climb: 178,572 bytes in a second are 1,428,576 bit/s.
  @Test(arguments: [(178_571.0, 0), (178_572, 1)])
  func hlsClimbs(_ row: (size: Double, quality: Int)) {
    var session = Self.hls(row.size)
    #expect(session.choose(Self.moment(1_100, level: 20_000)).quality == row.quality)
  }

  /// A segment that would come later than the buffer lasts is given up after half its duration.
  ///
  /// 100 kB in 2 s leave 18 s for the rest; 4 s of the next lower variant would take 10.
  @Test(arguments: [(2_000.0, 5_000.0, nil), (2_100, 5_000, 0), (2_100, 20_000, nil)])
  func hlsGivesUp(_ row: (time: Double, level: Double, quality: Int?)) {
    var session = Self.hls(500_000, quality: 2)
    _ = session.choose(Self.moment(1_100, level: 20_000))
    session.begin(PlayerRequest(segment: 1, quality: 2, size: 1_000_000, opened: 1_100))
    session.noteResponse(at: 1_200)
    #expect(session.nextLook(after: 1_100) == 1_200)
    let moment = Self.moment(1_100 + row.time, level: row.level)
    #expect(session.look(100_000, moment) == row.quality)
  }

  // MARK: Speed

  /// media3 takes 0.7 of the estimate, divided by the speed: 3.5 of 5 Mbit/s are 1.75 at rate 2.
  @Test(arguments: [(0.5, 3), (1, 2), (1.75, 2), (1.751, 1), (3.5, 1), (3.501, 0)])
  func media3DividesByTheSpeed(_ row: (speed: Double, quality: Int)) {
    var session = PlayerSession(.media3, Self.ladder)
    let moment = Self.moment(0, level: 20_000, speed: row.speed)
    #expect(session.choose(moment, estimate: 5_000_000).quality == row.quality)
  }

  /// Shaka multiplies each rate by the speed: 4 Mbit/s over 0.95 are within 5.12 up to 1.216 times
  /// the speed, and 2 Mbit/s up to 2.432.
  @Test(arguments: [(1.0, 3), (1.216, 3), (1.217, 2), (2.431, 2), (2.433, 1)])
  func shakaMultipliesByTheSpeed(_ row: (speed: Double, quality: Int)) {
    var session = Self.begun(.shaka, quality: 0, size: 200_000)
    _ = session.look(128_000, Self.moment(200, speed: row.speed))
    #expect(session.choose(Self.moment(200, speed: row.speed)).quality == row.quality)
  }

  /// hls.js asks how long the media ahead lasts.
  ///
  /// At 0.7 of 2 Mbit/s, 4 s of 1 Mbit/s come in 2.857 s, after a wait of 100 ms; so long do 6 s of
  /// media last at 2.028 times the speed.
  @Test(arguments: [(1.0, 1), (2.02, 1), (2.04, 0)])
  func hlsDividesTheLevel(_ row: (speed: Double, quality: Int)) {
    var session = Self.hls(250_000)
    let moment = Self.moment(1_100, level: 6_000, speed: row.speed)
    // A segment may take four seconds more than the buffer lasts only if no lower one is in time.
    #expect(session.choose(moment).quality == row.quality)
  }

  /// It looks at a request after half of how long a segment lasts: 1 s at rate 2.
  @Test(
    arguments: [(1.0, 1_900.0, nil), (2, 1_000, nil), (2, 1_100, 0)] as [(Double, Double, Int?)])
  func hlsLooksSooner(_ row: (speed: Double, time: Double, quality: Int?)) {
    var session = Self.hls(500_000, quality: 2)
    _ = session.choose(Self.moment(1_100, level: 20_000))
    session.begin(PlayerRequest(segment: 1, quality: 2, size: 1_000_000, opened: 1_100))
    session.noteResponse(at: 1_200)
    let moment = Self.moment(1_100 + row.time, level: 5_000, speed: row.speed)
    #expect(session.look(50_000, moment) == row.quality)
  }

  /// VHS gives up what would come 19 s from now: 20 s of media spare 19, and at rate 2 only 9.
  @Test(arguments: [(1.0, nil), (2, 0)] as [(Double, Int?)])
  func vhsDividesTheLevel(_ row: (speed: Double, quality: Int?)) {
    var session = Self.begun(.vhs, quality: 2, size: 1_000_000)
    let moment = Self.moment(1_000, level: 20_000, speed: row.speed)
    #expect(session.look(50_000, moment) == row.quality)
  }

  /// The rules of the others do not ask for the speed.
  @Test(arguments: [PlayerRule.dashJS, .chromiumHLS])
  func othersDoNotAsk(_ player: PlayerRule) {
    let choices = [0.5, 1, 4].map { speed in
      var session = PlayerSession(player, Self.ladder)
      _ = session.choose(Self.moment(0))
      let moment = Self.moment(10_000, level: 8_000, speed: speed)
      return session.choose(moment, estimate: 3_000_000).quality
    }
    #expect(Set(choices).count == 1)
  }

  // MARK: Others

  /// 0.7 of the estimate; up with ten seconds, down below twenty-five.
  @Test func media3KeepsToItsLevels() {
    var session = PlayerSession(.media3, Self.ladder)
    let rows: [(level: Double, estimate: Double, quality: Int)] = [
      (0, 1_429_000, 1), (9_999, 2_858_000, 1), (10_000, 2_858_000, 2), (25_000, 800_000, 2),
      (24_999, 800_000, 0),
    ]
    for row in rows {
      let choice = session.choose(Self.moment(0, level: row.level), estimate: row.estimate)
      #expect(choice.quality == row.quality, "\(row)")
    }
  }

  /// Two means of whole numbers from 0: 0.2 and then 0.36 of 992,907 bit/s.
  @Test func chromiumBeginsWithNothing() {
    var session = PlayerSession(.chromiumHLS, Self.ladder)
    session.note(sample: 992_907)
    #expect(session.estimate == 198_581)
    session.note(sample: 992_907)
    #expect(session.estimate == 357_446)
    #expect(session.choose(Self.moment(0), estimate: 1_999_999).quality == 1)
    #expect(session.choose(Self.moment(0), estimate: 2_000_000).quality == 2)
  }
}
