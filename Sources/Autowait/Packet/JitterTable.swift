/// Turns random bits into deviations of the delay, by whole numbers alone.
///
/// The shapes are those of netem, whose users know them: uniform, normal, Pareto, and a mix of the
/// last two. Every shape has the mean zero; but for the uniform one, which spans the deviation to
/// both sides, the deviation is the standard deviation. Quantiles are in 8192ths of it.
enum JitterTable {
  /// The quantiles of the upper half of the normal distribution, at ½ + i/256.
  ///
  /// The last stands for infinity: it is four deviations, beyond which lies one in 30,000.
  private static let normalQuantiles: [Int64] = [
    0, 80, 160, 241, 321, 401, 482, 562, 642, 723, 803, 884,
    965, 1_046, 1_127, 1_208, 1_289, 1_370, 1_451, 1_533, 1_615, 1_697, 1_779, 1_861,
    1_943, 2_026, 2_109, 2_192, 2_275, 2_358, 2_442, 2_526, 2_610, 2_695, 2_780, 2_865,
    2_950, 3_036, 3_122, 3_208, 3_295, 3_382, 3_470, 3_558, 3_646, 3_735, 3_824, 3_914,
    4_004, 4_095, 4_186, 4_277, 4_370, 4_462, 4_556, 4_650, 4_744, 4_839, 4_935, 5_032,
    5_129, 5_227, 5_326, 5_425, 5_525, 5_627, 5_729, 5_831, 5_935, 6_040, 6_146, 6_253,
    6_360, 6_469, 6_580, 6_691, 6_804, 6_917, 7_033, 7_149, 7_268, 7_387, 7_508, 7_631,
    7_756, 7_883, 8_011, 8_141, 8_274, 8_409, 8_546, 8_685, 8_827, 8_972, 9_119, 9_270,
    9_424, 9_581, 9_742, 9_906, 10_075, 10_248, 10_426, 10_609, 10_797, 10_991, 11_192, 11_399,
    11_615, 11_838, 12_071, 12_313, 12_568, 12_834, 13_115, 13_413, 13_729, 14_068, 14_432, 14_827,
    15_259, 15_740, 16_281, 16_904, 17_645, 18_565, 19_805, 21_791, 32_768,
  ]

  /// Returns the deviation that 64 random bits stand for.
  static func deviation(_ jitter: Jitter, draw: UInt64) -> TimeSpan {
    let quantile: Int64
    switch jitter.distribution {
    case .uniform:
      quantile = Int64(draw >> 50) - 8_192
    case .normal:
      quantile = normal(UInt32(draw >> 32))
    case .pareto:
      quantile = pareto(UInt32(draw >> 32))
    case .paretoNormal:
      // A quarter and three quarters have √(1/16 + 9/16) of a deviation: 0.790569 of it.
      let mixed = normal(UInt32(draw >> 32)) + 3 * pareto(UInt32(truncatingIfNeeded: draw))
      quantile = mixed * 1_000_000 / (4 * 790_569)
    case .table(let quantiles):
      if quantiles.isEmpty { return .zero }
      let place = ((draw >> 32) * UInt64(quantiles.count)) >> 32
      quantile = Int64(quantiles[Int(place)])
    }
    let deviation = (Int128(jitter.deviation.nanoseconds) * Int128(quantile)) >> 13
    return TimeSpan(nanoseconds: Int64(clamping: deviation))
  }

  /// One bit for the side, seven for the place, the rest between two places.
  private static func normal(_ draw: UInt32) -> Int64 {
    let place = Int(draw >> 24 & 127)
    let within = Int64(draw & 0xFF_FFFF)
    let (low, high) = (normalQuantiles[place], normalQuantiles[place + 1])
    let quantile = low + ((high - low) * within) >> 24
    return draw >> 31 == 0 ? quantile : -quantile
  }

  /// A shape of 3: the quantile of u is (1 − u)^(−⅓), the mean 3/2, the deviation √3/2.
  private static func pareto(_ draw: UInt32) -> Int64 {
    // In 2¹³ths: the cube root of 2³⁹ · 2³² / (draw + 1) is 2¹³ · (2³² / (draw + 1))^⅓.
    let cube = (UInt128(1) << 71) / (UInt128(draw) + 1)
    let root = Int64(clamping: UInt64(IntegerRoot.cube(of: UInt64(clamping: cube))))
    assert(root >= 8_192, "a quantile below the least of the shape, \(root)")
    return (root - 12_288) * 1_000_000 / 866_025
  }
}
