import Autowait
import AutowaitReference
import Testing

/// Sessions of Sabre on networks and a film of our own, to the last bit.
///
/// What is expected was computed with UMass-LIDS/sabre 09b03bb under Python 3.11.
@Suite struct SabreSessionTests {
  /// Forty segments of three seconds, whose sizes go up and down around what is said.
  static let ladder: RuleLadder = {
    let rates: [Int64] = [230, 477, 991, 2_056, 4_500]
    var sizes: [Double] = []
    for segment in Int64(0)..<40 {
      let part: Int64 = 850 + segment * 37 % 300
      for rate in rates {
        let bits: Int64 = rate * 3_000 * part / 1_000
        sizes.append(Double(bits))
      }
    }
    return RuleLadder(
      segmentDuration: 3_000, bitRates: rates.map { Double($0) }, count: 40, sizes: sizes)
  }()

  static func rows(_ name: String) -> [SabreRow] {
    switch name {
    case "steps":
      [
        row(20_000, 4_000, 50), row(15_000, 600, 50), row(10_000, 9_000, 50),
        row(30_000, 1_500, 50),
      ]
    case "outage": [row(12_000, 3_000, 20), row(14_000, 0, 20), row(60_000, 2_500, 20)]
    case "latency":
      [
        row(70, 2_000, 100), row(130, 1_400, 400), row(400, 5_000, 30), row(1_000, 900, 0),
        row(2_500, 7_000, 250),
      ]
    case "far": [row(8_000, 5_000, 900), row(5_000, 300, 900), row(3_000, 900, 1_500)]
    default: [row(9_000, 6_000, 80), row(6_000, 250, 80), row(5_000, 1_200, 80)]
    }
  }

  static func row(_ duration: Double, _ bandwidth: Double, _ latency: Double) -> SabreRow {
    SabreRow(duration: duration, bandwidth: bandwidth, latency: latency)
  }

  /// A call of Sabre: network, rule and options, and what came out, in milliseconds.
  struct Row: Sendable, CustomTestStringConvertible {
    var network: String
    var rule: String
    var options: String
    var startup: Double
    var stalled: Double
    var total: Double
    var events: Int
    var abandoned: Int
    var qualities: String
    var testDescription: String { "\(network) \(rule) \(options)" }

    init(
      _ network: String, _ rule: String, _ options: String, _ times: (Double, Double, Double),
      _ counts: (events: Int, abandoned: Int, qualities: String)
    ) {
      (self.network, self.rule, self.options) = (network, rule, options)
      (startup, stalled, total) = times
      (events, abandoned, qualities) = counts
    }
  }

  static func setup(_ row: Row) -> SabreSetup {
    let rules: [String: SegmentRulePolicy.Rule] = [
      "throughput": .throughput, "bola": .bola, "bolae": .bolaE, "dynamic": .dynamic,
      "dynamicdash": .dynamicDash,
    ]
    var policy = SegmentRulePolicy(rules[row.rule] ?? .fixed(0))
    let words = row.options.split(separator: " ")
    let numbers = words.compactMap { Double($0) }
    policy.isBasic = words.contains("-ab")
    policy.avoidsOscillation = words.contains("-ao")
    policy.checksBuffer = !words.contains("-noibr")
    if words.contains("-gp") { policy.gammaP = numbers[0] }
    var setup = SabreSetup(ladder, over: rows(row.network), rule: policy)
    setup.abandons = !words.contains("-noa")
    if words.contains("-b") { setup.bufferMax = numbers[0] * 1_000 }
    if words.contains("-hl") { setup.estimator = .halfLives(numbers) }
    if words.contains("-ws") { setup.estimator = .windows(numbers.map { Int($0) }) }
    if words.contains("left") { setup.replacement = .left }
    if words.contains("right") { setup.replacement = .right }
    if words.contains("-s") {
      setup.seek = SabreSetup.Jump(at: numbers[0] * 1_000, to: numbers[1] * 1_000)
    }
    return setup
  }

  @Test(arguments: rows) func comesOutAlike(_ row: Row) {
    var session = SabreSession(Self.setup(row), keepsDownloads: true)
    let outcome = session.run()
    #expect(outcome.startup == row.startup)
    #expect(outcome.stalled == row.stalled)
    #expect(outcome.total == row.total)
    #expect(outcome.ownStalls == row.events)
    #expect(outcome.abandoned == row.abandoned)
    #expect(outcome.qualities.map { String($0) }.joined() == row.qualities)
    #expect(session.downloads.count { $0.abandonedFor != nil } >= row.abandoned)
  }

  /// It makes no difference whether a rule is asked after each slice, or not before it can matter.
  @Test(arguments: rows) func solvingComesToWhatAskingComesTo(_ row: Row) {
    var setup = Self.setup(row)
    var solved = SabreSession(setup)
    setup.solvesForAbandonment = false
    var asked = SabreSession(setup)
    #expect(solved.run() == asked.run())
  }

  /// The same over many drawn networks and all rules that give downloads up.
  @Test func solvingComesToWhatAskingComesToAnywhere() {
    var stream = RandomStream(seed: 7, component: "test", purpose: "solving")
    var abandoned = 0
    for _ in 0..<60 {
      var rows: [SabreRow] = []
      for _ in 0..<12 {
        let bandwidth: UInt64 = stream.next(below: 5) * stream.next(below: 2_500) + 60
        let duration: UInt64 = 100 + stream.next(below: 6_000)
        rows.append(Self.row(Double(duration), Double(bandwidth), Double(stream.next(below: 300))))
      }
      for rule in [SegmentRulePolicy.Rule.throughput, .bola, .bolaE, .dynamic, .dynamicDash] {
        var setup = SabreSetup(Self.ladder, over: rows, rule: SegmentRulePolicy(rule))
        var solved = SabreSession(setup)
        setup.solvesForAbandonment = false
        var asked = SabreSession(setup)
        let outcome = solved.run()
        abandoned += outcome.abandoned
        #expect(outcome == asked.run(), "\(rule) \(rows)")
      }
    }
    #expect(abandoned > 100)
  }

  /// The time of a session is startup, media and stalls, whatever the rule.
  @Test(arguments: rows.filter { !$0.options.contains("-s ") })
  func timeIsConserved(_ row: Row) {
    var session = SabreSession(Self.setup(row))
    let outcome = session.run()
    #expect(abs(outcome.total - outcome.startup - outcome.stalled - 120_000) < 1e-6)
    #expect(outcome.qualities.count == 40)
  }

  /// What Sabre meant: a download that was given up is followed by what it was given up for.
  @Test func abandonmentCanBeHonoured() {
    var setup = SabreSetup(
      Self.ladder, over: Self.rows("falls"), rule: SegmentRulePolicy(.throughput))
    setup.honoursAbandonment = true
    var session = SabreSession(setup, keepsDownloads: true)
    let outcome = session.run()
    #expect(outcome.abandoned > 0)
    for (before, after) in zip(session.downloads, session.downloads.dropFirst()) {
      guard let quality = before.abandonedFor else { continue }
      #expect(after.quality == quality && after.segment == before.segment)
    }
  }

  /// A residue of a sum is a stall to Sabre, and none here.
  @Test func residuesAreNoStalls() {
    // Each segment comes when the buffer ends; in doubles three tenths are not what they seem.
    let rate = 0.30000000000000004
    let rows = [Self.row(100, rate, 0)]
    let sizes = (0..<60).map { _ in rate * 300 }
    let ladder = RuleLadder(segmentDuration: 300, bitRates: [rate], count: 60, sizes: sizes)
    var session = SabreSession(
      SabreSetup(ladder, over: rows, rule: SegmentRulePolicy(.fixed(0))))
    let outcome = session.run()
    #expect(outcome.stalls == 0)
    #expect(outcome.stalled < 1e-6)
    #expect(outcome.ownStalls == 59)
  }

  static let rows: [Row] = [
    Row(
      "steps", "throughput", "",
      (196.625, 0.0, 120_196.625),
      (0, 28, "0333333333333321111222232222222222222233")),
    Row(
      "steps", "bola", "",
      (196.625, 0.0, 120_196.62500000001),
      (0, 8, "0042414333011110123444423333334444411123")),
    Row(
      "steps", "bolae", "",
      (196.625, 2_443.861666666675, 122_640.48666666666),
      (1, 0, "0333443441111123444444423223333343444221")),
    Row(
      "steps", "dynamic", "",
      (196.625, 1_709.3342500000017, 121_905.95925),
      (1, 17, "0333334443211112223444433333334444421122")),
    Row(
      "steps", "dynamicdash", "",
      (196.625, 0.0, 120_196.62500000001),
      (0, 0, "0333333333442222344444442232323334444411")),
    Row(
      "outage", "throughput", "",
      (215.5, 8_105.172, 128_320.67199999996),
      (1, 2, "0333330233333333333333333333333333333333")),
    Row(
      "outage", "bola", "",
      (215.5, 16_122.283999999998, 136_337.78399999999),
      (2, 14, "0021220122333333233342334344344300222222")),
    Row(
      "outage", "bolae", "",
      (215.5, 13_049.696000000014, 133_265.19600000003),
      (2, 1, "0333340122333333343334333333433340012233")),
    Row(
      "outage", "dynamic", "",
      (215.5, 16_122.283999999992, 136_337.78399999999),
      (2, 5, "0333330233333333333333333334334402333333")),
    Row(
      "outage", "dynamicdash", "",
      (215.5, 10_059.907999999989, 130_275.40799999997),
      (2, 2, "0333330233333333333333333334333343023333")),
    Row(
      "latency", "throughput", "",
      (314.5, 0.0, 120_314.5),
      (0, 6, "0333333333333333333333333333333333333333")),
    Row(
      "latency", "bola", "",
      (314.5, 0.0, 120_314.5),
      (0, 5, "0034444423433333344444444444444444444444")),
    Row(
      "latency", "bolae", "",
      (314.5, 0.0, 120_314.5),
      (0, 0, "0333444444444444444444444444444444444444")),
    Row(
      "latency", "dynamic", "",
      (314.5, 0.0, 120_314.5),
      (0, 23, "0333334444433333334444444444444444444444")),
    Row(
      "latency", "dynamicdash", "",
      (314.5, 0.0, 120_314.5),
      (0, 0, "0333333334444444444444444444444444444444")),
    Row(
      "falls", "throughput", "",
      (177.75, 665.8070833333335, 120_843.55708333335),
      (2, 59, "0444402233333333222233333333333333333333")),
    Row(
      "falls", "bola", "",
      (177.75, 0.0, 120_177.75),
      (0, 9, "0044400212344300112344422344444444234440")),
    Row(
      "falls", "bolae", "",
      (177.75, 1_894.4312499999996, 122_072.18125000001),
      (1, 1, "0444422112334441233444233344423344422334")),
    Row(
      "falls", "dynamic", "",
      (177.75, 730.6443826388867, 120_908.3943826389),
      (3, 47, "0444402233333430122344422344434443233344")),
    Row(
      "falls", "dynamicdash", "",
      (177.75, 665.8070833333335, 120_843.55708333333),
      (2, 15, "0444402233333401122334441233442223344323")),
    Row(
      "falls", "throughput", "-noa",
      (177.75, 5_903.510416666666, 126_081.26041666666),
      (1, 0, "0444441223333332222233312222322222221111")),
    Row(
      "falls", "bola", "-noa",
      (177.75, 3_608.2, 123_785.95),
      (2, 0, "0044440213434340002344422344444444434440")),
    Row(
      "falls", "bolae", "-noa",
      (177.75, 5_903.510416666666, 126_081.26041666669),
      (1, 0, "0444441123344422334442333443234442233444")),
    Row(
      "falls", "dynamic", "-noa",
      (177.75, 6_546.33375, 126_724.08374999999),
      (2, 0, "0444441224443222333441223444444442344441")),
    Row(
      "falls", "dynamicdash", "-noa",
      (177.75, 5_903.510416666666, 126_081.26041666666),
      (1, 0, "0444441223344233334442334442233444223444")),
    Row(
      "steps", "bola", "-ab",
      (196.625, 0.0, 120_196.62499999999),
      (0, 0, "0000023343444212123444441223232343444411")),
    Row(
      "steps", "bola", "-ao",
      (196.625, 0.0, 120_196.62499999999),
      (0, 6, "0033333333301110122233333333333333111112")),
    Row(
      "latency", "bola", "-gp 8",
      (314.5, 0.0, 120_314.5),
      (0, 7, "0024444413423333334444444444444444444444")),
    Row(
      "falls", "bolae", "-noibr",
      (177.75, 0.0, 120_177.75000000003),
      (0, 11, "0234440112234440122344422234442233444323")),
    Row(
      "falls", "bolae", "-ao",
      (177.75, 1_894.4312499999996, 122_072.18125),
      (1, 1, "0444422112333333322223332223333222333322")),
    Row(
      "falls", "throughput", "-noibr",
      (177.75, 31_858.166666666664, 152_035.9166666667),
      (4, 79, "0444444444444444222333333333333333333333")),
    Row(
      "steps", "throughput", "-ma sliding -ws 3 5",
      (196.625, 2_377.79099999993, 122_574.41599999992),
      (2, 71, "0333333333333333444444331222233333333333")),
    Row(
      "falls", "dynamic", "-hl 2 6 20",
      (177.75, 665.8070833333335, 120_843.55708333333),
      (2, 59, "0444402223334333333432333334234443233344")),
    Row(
      "steps", "bolae", "-r left",
      (196.625, 4_540.761666666653, 124_737.38666666663),
      (2, 0, "0334334333000344444322223233334433111333")),
    Row(
      "falls", "dynamic", "-r right",
      (177.75, 1_457.0813919999982, 121_634.83139200001),
      (4, 28, "0444402233334322333334333343334333233432")),
    Row(
      "steps", "bola", "-s 30 12",
      (196.625, 1_197.7, 133_089.12),
      (0, 13, "0042414333001112344444432222323334444400444444")),
    Row(
      "outage", "throughput", "-b 60",
      (215.5, 8_105.172, 128_320.67199999996),
      (1, 2, "0333330233333333333333333333333333333333")),
    Row(
      "falls", "dynamic", "-b 9",
      (177.75, 4_512.628549849902, 124_690.37854984986),
      (6, 55, "0444402233302223332223330222333222333022")),
    Row(
      "far", "bola", "",
      (1_017.3, 672.2180000000003, 121_689.518),
      (1, 28, "0000000000000000010001221123313330333000")),
    Row(
      "far", "bolae", "",
      (1_017.3, 1_395.1330666666668, 122_412.43306666668),
      (1, 7, "0333111222301112231112233112232222332223")),
    Row(
      "far", "dynamicdash", "",
      (1_017.3, 1_982.0911218666677, 122_999.39112186666),
      (4, 13, "0333022330212231122332122222112223222331")),
  ]
}
