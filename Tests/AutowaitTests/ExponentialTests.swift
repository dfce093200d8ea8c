import Autowait
import Testing

/// Drawn times have the distribution that they should, to the bit on any machine.
@Suite struct ExponentialTests {
  @Test func meanAndQuantiles() {
    var stream = RandomStream(seed: 1, component: "test", purpose: "exponential")
    let count = 100_000
    let times = (0..<count).map { _ in
      stream.nextExponential(mean: .seconds(1)).nanoseconds
    }.sorted()
    // Four standard errors of the mean are 1.3 %.
    let mean = times.reduce(0, +) / Int64(count)
    #expect((987_000_000...1_013_000_000).contains(mean))
    // −ln(1 − q) for a tenth, a half, nine tenths and ninety-nine hundredths.
    for (quantile, expected) in [
      (10, 105_360_516), (50, 693_147_181), (90, 2_302_585_093), (99, 4_605_170_186),
    ] as [(Int, Int64)] {
      let found = times[count * quantile / 100]
      #expect((expected * 97 / 100...expected * 103 / 100).contains(found), "\(quantile) %")
    }
    #expect(stream.draws == Int64(count))
  }

  /// Each draw is −ln(u), to a nanosecond of a mean of a second.
  @Test func eachDrawIsALogarithm() {
    for seed in UInt64(0)..<2_000 {
      var stream = RandomStream(seed: seed, component: "test", purpose: "exponential")
      var twin = stream
      let time = stream.nextExponential(mean: .seconds(1)).nanoseconds
      let u = (Double(twin.next() >> 1) + 0.5) / 0x1p63
      #expect(abs(Double(time) / 1e9 + Self.logarithm(u)) < 1.1e-9, "seed \(seed)")
    }
  }

  @Test func limits() {
    var stream = RandomStream(seed: 1, component: "test", purpose: "exponential")
    #expect(stream.nextExponential(mean: .zero) == .zero)
    for _ in 0..<1_000 {
      #expect(stream.nextExponential(mean: Limits.timeMax) <= Limits.timeMax)
    }
  }

  /// The natural logarithm by its series, without libm.
  private static func logarithm(_ number: Double) -> Double {
    let exponent = number.exponent
    // √½ ≤ m < √2 makes the series fast.
    var mantissa = number.significand
    var power = Double(exponent)
    if mantissa > 1.414 {
      mantissa /= 2
      power += 1
    }
    let ratio = (mantissa - 1) / (mantissa + 1)
    var (term, sum) = (ratio, 0.0)
    for odd in stride(from: 1.0, to: 60, by: 2) {
      sum += term / odd
      term *= ratio * ratio
    }
    return 2 * sum + power * 0.6931471805599453
  }
}
