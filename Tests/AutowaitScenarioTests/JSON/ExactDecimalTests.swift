import AutowaitScenario
import Testing

/// Decimals are read exactly, whatever their size.
@Suite struct ExactDecimalTests {
  @Test(
    arguments: [
      ("0", 1, .exact(0)),
      ("-0", 1, .exact(0)),
      ("0.000", 1, .exact(0)),
      ("0e999999999999", 1, .exact(0)),
      ("-0e-999999999999999999999", 1, .exact(0)),
      ("1", 1_000_000_000, .exact(1_000_000_000)),
      ("0.1", 1_000_000_000, .exact(100_000_000)),
      ("0.3496875", 1_000_000_000, .exact(349_687_500)),
      ("1.0000000000", 1, .exact(1)),
      ("100e-2", 1, .exact(1)),
      ("0.00001e5", 1, .exact(1)),
      ("1e3", 1_000, .exact(1_000_000)),
      ("1e-9", 1_000_000_000, .exact(1)),
      ("1e-10", 1_000_000_000, .notWhole),
      ("0.5", 1, .notWhole),
      ("0.5", 2, .exact(1)),
      ("1e-400", 1_000_000_000, .notWhole),
      ("1e-999999999999999999999999", 1_000_000_000, .notWhole),
      ("1e400", 1, .tooLarge),
      ("1e999999999999999999999999", 1, .tooLarge),
      ("-1", 1, .negative),
      ("-1e400", 1, .negative),
      ("-1e-400", 1, .negative),
      ("9223372036854775806", 1, .exact(.max - 1)),
      ("9223372036854775807", 1, .exact(.max)),
      ("9223372036854775808", 1, .tooLarge),
      ("9223372036.854775807", 1_000_000_000, .exact(.max)),
      ("9223372036.854775808", 1_000_000_000, .tooLarge),
      ("9223372036.8547758065", 1_000_000_000, .notWhole),
      ("18446744073709551615", 1, .tooLarge),
      ("99999999999999999999", 1, .tooLarge),
      ("10000000000000000000000e-22", 1, .exact(1)),
      ("1.00000000000000000000000000000000000000000", 1, .exact(1)),
      ("1.00000000000000000000000000000000000000001", 1, .notWhole),
      ("12345678901234567890.5e-10", 1, .notWhole),
      ("12345678901234567890.5e-10", 1_000, .notWhole),
      // 5^30 / 10^30 of a GiB is one byte: thirty digits that a power of two makes whole.
      ("0.000000000931322574615478515625", 1 << 30, .exact(1)),
      ("3.000000000931322574615478515625", 1 << 30, .exact(3 << 30 + 1)),
      ("3.000000000931322574615478515626", 1 << 30, .notWhole),
      ("8589934591.999999999068677425384521484375", 1 << 30, .exact(.max)),
      ("8589934592.000000000000000000000000000001", 1 << 30, .tooLarge),
    ] as [(String, Int64, ExactDecimal.ScaledInteger)])
  func integer(_ text: String, _ multiplier: Int64, _ expected: ExactDecimal.ScaledInteger) {
    #expect(ExactDecimal(text)?.integer(scaledBy: multiplier) == expected)
  }

  @Test(
    arguments: [
      ("-1.5", 10, .exact(-15)),
      ("-0.05", 10, .notWhole),
      ("-9223372036854775807", 1, .exact(-.max)),
      ("-9223372036854775808", 1, .tooLarge),
    ] as [(String, Int64, ExactDecimal.ScaledInteger)])
  func negative(_ text: String, _ multiplier: Int64, _ expected: ExactDecimal.ScaledInteger) {
    let result = ExactDecimal(text)?.integer(scaledBy: multiplier, allowingNegative: true)
    #expect(result == expected)
  }

  @Test(arguments: [
    "", "-", ".5", "5.", "01", "+1", "1e", "1e+", " 1", "1 ", "0x1", "NaN", "1_0", "--1", "1,5",
  ])
  func isNoNumber(_ text: String) {
    #expect(ExactDecimal(text) == nil)
  }

  @Test(arguments: [
    ("0", "0"), ("-0.0", "0"), ("1", "1"), ("-1", "-1"), ("10", "10"), ("1.50", "1.5"),
    ("0.05", "0.05"), ("1e3", "1000"), ("1e-3", "0.001"), ("1e400", "1e400"),
    ("-1e-400", "-1e-400"), ("123456789012345678901234567890", "123456789012345678901234567890"),
    ("0.123456789012345678901234567890", "0.12345678901234567890123456789"),
    ("1234567890123456789012345.5e-3", "1234567890123456789012.3455"),
  ])
  func text(_ written: String, _ expected: String) throws {
    let number = try #require(ExactDecimal(written))
    #expect(number.text == expected)
    #expect(ExactDecimal(number.text) == number)
  }

  @Test func equalNumbersAreEqualHoweverWritten() {
    let spellings = ["1200", "1.2e3", "12e2", "1200.000", "0.0012E+6", "120000000000000000000e-17"]
    #expect(Set(spellings.map { ExactDecimal($0) }).count == 1)
    #expect(ExactDecimal("1200") == ExactDecimal(1_200 as Int64))
    #expect(ExactDecimal("1200") != ExactDecimal("-1200"))
  }

  @Test func wholeNumbersSurviveAnyScale() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<2_000 {
      let value = Int64(bitPattern: random.next() >> (random.next() % 63 + 1))
      let places = Int(random.next() % 10)
      let multiplier = (0..<places).reduce(Int64(1)) { product, _ in product * 10 }
      let digits = String(value)
      let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
      let text = padded.dropLast(places) + (places > 0 ? "." + padded.suffix(places) : "")
      let number = ExactDecimal(String(text))
      #expect(number?.integer(scaledBy: multiplier) == .exact(value), "\(text)")
    }
  }

  @Test func manyDigitsAreNoBurden() {
    let digits = String(repeating: "7", count: 200_000)
    #expect(ExactDecimal(digits)?.integer(scaledBy: 1) == .tooLarge)
    #expect(ExactDecimal("0." + digits)?.integer(scaledBy: 1) == .notWhole)
    #expect(ExactDecimal(digits + "e-200000")?.integer(scaledBy: 1) == .notWhole)
    #expect(ExactDecimal("1" + String(repeating: "0", count: 9_999) + "e-9999") == ExactDecimal(1))
  }
}
