import Autowait
import AutowaitScenario
import Testing

/// Quantities are read exactly, and refused with a reason.
@Suite struct QuantityTests {
  /// What a value reads as, or the message without the key's name.
  enum Outcome: Equatable, Sendable {
    case value(Int64)
    case error(String)
  }

  static let day: Int64 = 86_400_000_000_000
  static let yearText = "31622400"

  @Test(
    arguments: [
      ("0", 0), ("39", 39_000_000_000), ("0.3", 300_000_000), ("6.459375", 6_459_375_000),
      ("1e-9", 1), ("1.5e2", 150_000_000_000), ("\"39 s\"", 39_000_000_000),
      ("\"39s\"", 39_000_000_000), ("\"1 ns\"", 1), ("\"1 us\"", 1_000), ("\"1 µs\"", 1_000),
      ("\"1 μs\"", 1_000), ("\"1.5 \\u00b5s\"", 1_500), ("\"40 ms\"", 40_000_000),
      ("\"0.000001 ms\"", 1), ("\"2 min\"", 120_000_000_000), ("\"1.5 h\"", 5_400_000_000_000),
      ("\"1 d\"", day), ("\"365 d\"", 365 * day), ("\"1e3 s\"", 1_000_000_000_000),
      ("\"0 s\"", 0), ("-0", 0), ("\"8.159375 s\"", 8_159_375_000),
    ] as [(String, Int64)])
  func time(_ text: String, _ nanoseconds: Int64) {
    check(text, .time, .value(nanoseconds)) { $0.nanoseconds }
    check(text, .instant, .value(nanoseconds)) { $0.nanoseconds }
    check(text, .mediaTime, .value(nanoseconds)) { $0.nanoseconds }
  }

  @Test(
    arguments: [
      ("31622399.999999999", .value(366 * day - 1)), (yearText, .value(366 * day)),
      ("31622400.000000001", .error("is above the limit of 366 d")),
      ("\"366 d\"", .value(366 * day)), ("\"367 d\"", .error("is above the limit of 366 d")),
      ("1e400", .error("is above the limit of 366 d")),
      ("9223372036854775808", .error("is above the limit of 366 d")),
      ("\"1e400 ns\"", .error("is above the limit of 366 d")),
      ("1e-10", .error("is finer than a nanosecond")),
      ("\"0.1 ns\"", .error("is finer than a nanosecond")),
      ("1e-400", .error("is finer than a nanosecond")),
      ("\"0.0000005 ms\"", .error("is finer than a nanosecond")),
      ("-1", .error("must not be negative")), ("-1e400", .error("must not be negative")),
      ("\"-0.001 s\"", .error("must not be negative")),
      ("\"39\"", .error("needs a unit: it must be a time such as \"39 s\"")),
      ("\"\"", .error("must be a time such as \"39 s\"")),
      ("\"s\"", .error("must be a time such as \"39 s\"")),
      ("\" 39 s\"", .error("must be a time such as \"39 s\"")),
      ("\"39  s\"", .error("must be a time such as \"39 s\"")),
      ("\"39 s \"", .error("must be a time such as \"39 s\"")),
      ("\"39 \"", .error("must be a time such as \"39 s\"")),
      ("\"1:30\"", .error("must be a time such as \"39 s\"")),
      (
        "\"1,5 s\"",
        .error(
          "must be a time such as \"39 s\" (decimals follow a full stop: 1.5, not 1,5)")
      ),
      ("\"1.2.3 s\"", .error("must be a time such as \"39 s\"")),
      ("\".5 s\"", .error("must be a time such as \"39 s\"")),
      ("\"05 s\"", .error("must be a time such as \"39 s\"")),
      ("\"+5 s\"", .error("must be a time such as \"39 s\"")),
      ("\"Infinity\"", .error("must be a time such as \"39 s\"")),
      ("\"39 S\"", .error("has the unknown unit 'S' (did you mean 's'?)")),
      ("\"5 mins\"", .error("has the unknown unit 'mins' (did you mean 'min'?)")),
      (
        "\"7 fortnights\"",
        .error(
          "has the unknown unit 'fortnights' "
            + "(the units are: 'ns', 'us', 'ms', 's', 'min', 'h', 'd')"
        )
      ),
      ("[39]", .error("must be a time such as \"39 s\", not an array")),
      ("{}", .error("must be a time such as \"39 s\", not an object")),
      ("true", .error("must be a time such as \"39 s\", not true")),
      ("null", .error("must be a time such as \"39 s\", not null")),
    ] as [(String, Outcome)])
  func timeAtItsLimits(_ text: String, _ expected: Outcome) {
    check(text, .time, expected) { $0.nanoseconds }
    check(text, .mediaTime, expected) { $0.nanoseconds }
  }

  @Test(
    arguments: [
      ("0", .error("must be more than 0")), ("1e-9", .value(1)),
      ("-1", .error("must not be negative")),
    ] as [(String, Outcome)])
  func positiveTime(_ text: String, _ expected: Outcome) {
    check(text, .positiveTime, expected) { $0.nanoseconds }
    check(text, .positiveMediaTime, expected) { $0.nanoseconds }
  }

  @Test(
    arguments: [
      ("4.999999999", .error("must be at least 5 s")), ("5", .value(5_000_000_000)),
      ("90", .value(90_000_000_000)), ("90.000000001", .error("is above the limit of 90 s")),
    ] as [(String, Outcome)])
  func timeInsideLimits(_ text: String, _ expected: Outcome) {
    check(text, .time(in: .seconds(5)...(.seconds(90))), expected) { $0.nanoseconds }
  }

  @Test(
    arguments: [
      ("0", .value(0)), ("3730000", .value(3_730_000)), ("\"3.73 Mbit/s\"", .value(3_730_000)),
      ("\"1 bit/s\"", .value(1)), ("\"1.5 kbit/s\"", .value(1_500)),
      ("\"2 Gbit/s\"", .value(2_000_000_000)), ("\"1 bps\"", .value(1)),
      ("\"800kbps\"", .value(800_000)), ("\"3.2Mbps\"", .value(3_200_000)),
      ("\"1 Gbps\"", .value(1_000_000_000)), ("\"1 B/s\"", .value(8)),
      ("\"1.5 kB/s\"", .value(12_000)), ("\"2 MB/s\"", .value(16_000_000)),
      ("\"0.125 B/s\"", .value(1)), ("\"1 Tbit/s\"", .value(1_000_000_000_000)),
      ("\"1 Tbps\"", .value(1_000_000_000_000)), ("\"125 GB/s\"", .value(1_000_000_000_000)),
      ("999999999999", .value(999_999_999_999)), ("1000000000000", .value(1_000_000_000_000)),
      ("1000000000001", .error("is above the limit of 1 Tbit/s")),
      ("\"1.1 Tbit/s\"", .error("is above the limit of 1 Tbit/s")),
      ("0.5", .error("is finer than a bit per second")),
      ("\"0.0001 kbit/s\"", .error("is finer than a bit per second")),
      ("-1", .error("must not be negative")),
      ("\"3.2 mbit/s\"", .error("has the unknown unit 'mbit/s' (did you mean 'Mbit/s'?)")),
      ("\"3 Mbits/s\"", .error("has the unknown unit 'Mbits/s' (did you mean 'Mbit/s'?)")),
      ("\"3 MBps\"", .error("has the unknown unit 'MBps' (did you mean 'Mbps'?)")),
      ("\"fast\"", .error("must be a rate such as \"3.2 Mbit/s\"")),
      ("false", .error("must be a rate such as \"3.2 Mbit/s\", not false")),
    ] as [(String, Outcome)])
  func bitRate(_ text: String, _ expected: Outcome) {
    check(text, .bitRate, expected) { $0.bitsPerSecond }
  }

  @Test(
    arguments: [
      ("0", .value(0)), ("18184000", .value(18_184_000)), ("\"1 B\"", .value(1)),
      ("\"1.5 kB\"", .value(1_500)), ("\"18 MB\"", .value(18_000_000)),
      ("\"2 GB\"", .value(2_000_000_000)), ("\"1 KiB\"", .value(1_024)),
      ("\"1.5 MiB\"", .value(1_572_864)), ("\"1 GiB\"", .value(1_073_741_824)),
      ("999999999999", .value(999_999_999_999)), ("\"1 TB\"", .value(1_000_000_000_000)),
      ("1000000000001", .error("is above the limit of 1 TB")),
      ("\"932 GiB\"", .error("is above the limit of 1 TB")),
      ("0.5", .error("is finer than a byte")), ("\"0.0001 kB\"", .error("is finer than a byte")),
      ("-1", .error("must not be negative")),
      (
        "\"8 bit\"",
        .error("has the unknown unit 'bit' (the units are: 'B', 'kB', 'MB', 'GB', 'TB')")
      ),
      ("\"8 KB\"", .error("has the unknown unit 'KB' (did you mean 'kB'?)")),
      ("[]", .error("must be a size such as \"18 MB\", not an array")),
    ] as [(String, Outcome)])
  func size(_ text: String, _ expected: Outcome) {
    check(text, .size, expected) { $0.bytes }
  }

  @Test(
    arguments: [
      ("0", .value(0)), ("1", .value(1_000_000)), ("1.5", .value(1_500_000)),
      ("-1", .value(-1_000_000)), ("0.000001", .value(1)), ("-0.000001", .value(-1)),
      ("\"1.5x\"", .value(1_500_000)), ("\"2 x\"", .value(2_000_000)),
      ("63.999999", .value(63_999_999)), ("64", .value(64_000_000)), ("-64", .value(-64_000_000)),
      ("64.000001", .error("is above the limit of 64")),
      ("-64.000001", .error("must be at least -64")), ("-1e400", .error("must be at least -64")),
      ("1e400", .error("is above the limit of 64")),
      ("0.0000001", .error("is finer than a millionth")),
      ("\"1.5\"", .error("must be a playback rate such as 1.5, without quotation marks")),
      ("\"10 %\"", .error("must be a number without a unit (10 % is 0.1)")),
      ("\"fast\"", .error("must be a playback rate such as 1.5")),
      ("null", .error("must be a playback rate such as 1.5, not null")),
    ] as [(String, Outcome)])
  func playbackRate(_ text: String, _ expected: Outcome) {
    check(text, .playbackRate, expected) { $0.millionths }
  }

  @Test(
    arguments: [
      ("-0.000001", .error("must not be negative")), ("0", .value(0)), ("2", .value(2_000_000)),
      ("2.000001", .error("is above the limit of 2")),
    ] as [(String, Outcome)])
  func forwardPlaybackRate(_ text: String, _ expected: Outcome) {
    check(text, .playbackRate(in: .zero...PlaybackRate(millionths: 2_000_000)), expected) {
      $0.millionths
    }
  }

  @Test(
    arguments: [
      ("0", .value(0)), ("1000", .value(1_000)), ("1e3", .value(1_000)), ("5.0", .value(5)),
      ("1001", .error("is above the limit of 1000")), ("0.5", .error("must be a whole number")),
      ("-1", .error("must not be negative")),
      ("\"5\"", .error("must be a whole number, not a string")),
    ] as [(String, Outcome)])
  func integer(_ text: String, _ expected: Outcome) {
    check(text, .integer(in: 0...1_000), expected) { $0 }
  }

  @Test func wholeNumbersReachTheirLastValue() {
    check("9223372036854775807", .integer(), .value(.max)) { $0 }
    check(
      "9223372036854775808", .integer(), .error("is above the limit of 9223372036854775807")
    ) { $0 }
  }

  /// A command line has only strings, so there the unit may be left out.
  @Test(
    arguments: [
      ("8.159375", .value(8_159_375_000)), ("8.159375s", .value(8_159_375_000)),
      ("8 s", .value(8_000_000_000)), ("8 ", .error("must be a time such as \"39 s\"")),
      ("-1", .error("must not be negative")),
    ] as [(String, Outcome)])
  func argument(_ text: String, _ expected: Outcome) {
    do throws(Quantity.QuantityProblem) {
      let limits = 0...Limits.timeMax.nanoseconds
      let value = try Quantity.time.parse(text, in: limits, needsUnit: false)
      #expect(.value(value) == expected)
    } catch {
      #expect(.error(Quantity.time.explain(error).message) == expected)
    }
  }

  @Test(
    arguments: [
      (.time, 0, "0"), (.time, 1, "1 ns"), (.time, 1_500, "1500 ns"),
      (.time, 90_000_000_000, "90 s"),
      (.time, day, "1 d"), (.bitRate, 3_730_000, "3730 kbit/s"), (.size, 1_000, "1 kB"),
      (.playbackRate, 1_500_000, "1.5"), (.playbackRate, -64_000_000, "-64"),
    ] as [(Quantity, Int64, String)])
  func text(_ quantity: Quantity, _ value: Int64, _ expected: String) {
    #expect(quantity.text(value) == expected)
  }

  private func check<Value>(
    _ text: String, _ kind: FieldKind<Value>, _ expected: Outcome, _ number: (Value) -> Int64
  ) {
    let findings = Findings(SourceText(path: "", text: "{\"q\": " + text + "}"))
    let root = findings.parseJSON()
    let fields = root.map { FieldReader($0, "a row", findings) }
    guard var fields else {
      Issue.record("the row is not JSON: \(findings.sorted.map(\.message))")
      return
    }
    let value = fields.required("q", kind)
    fields.finish()
    let outcomes: [Outcome] =
      value.map { [.value(number($0))] }
      ?? findings.sorted.map { finding in
        let notes = finding.notes.map { " (\($0))" }.joined()
        return .error(String(finding.message.dropFirst("'q' ".count)) + notes)
      }
    #expect(outcomes == [expected])
    #expect(findings.hasErrors == (value == nil))
  }
}
