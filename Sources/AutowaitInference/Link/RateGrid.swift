/// The rates that an inferred link may have: one of no data at all, and 256 in each octave.
///
/// With 64 the step is 1.1 %: at a rate that is hardly enough for what is played, that moves the
/// stalls of a minute by half a second.
struct RateGrid: Sendable {
  /// The levels of an octave.
  static let levelsPerOctave = 256
  /// The level that carries nothing.
  static let outage = 0
  /// The rate of the lowest level that carries something: less is an outage.
  static let rateMin: Int64 = 3_000
  private static let octaves = 22
  /// The number of levels.
  static let count = octaves * levelsPerOctave + 1

  /// The rate of each level, in bits per second.
  let rates: [Int64]
  private let logarithm: FixedLogarithm
  private let logarithmOfMin: Int64

  init(_ logarithm: FixedLogarithm) {
    self.logarithm = logarithm
    logarithmOfMin = logarithm(UInt64(Self.rateMin))
    var rates: [Int64] = [0]
    // Two to the power of 1/256, and its powers below two, in parts of 2⁶².
    let root: UInt64 = 0x402C_6BE9_6AF2_FB58
    var power: UInt64 = 1 << 62
    var powers: [UInt64] = []
    for _ in 0..<Self.levelsPerOctave {
      powers.append(power)
      let product = power.multipliedFullWidth(by: root)
      power = product.high << 2 | product.low >> 62
    }
    for octave in 0..<Self.octaves {
      for power in powers {
        let product = power.multipliedFullWidth(by: UInt64(Self.rateMin) << UInt64(octave))
        rates.append(Int64(product.high << 2 | product.low >> 62))
      }
    }
    self.rates = rates
  }

  /// Returns the level that is nearest to a rate.
  func level(of rate: Int64) -> Int {
    if rate < Self.rateMin { return Self.outage }
    let octaves = logarithm(UInt64(rate)) - logarithmOfMin
    let level = 1 + Int((octaves * Int64(Self.levelsPerOctave) + (1 << 31)) >> 32)
    return min(max(level, 1), Self.count - 1)
  }
}
