import Autowait

/// What is taken for likely before anything is known of a link: few changes, rates around the mean
/// of the session, and now and then an outage.
///
/// The numbers hardly matter: three to four times as many changes gave the same predictions.
struct RatePrior: Sendable {
  /// The mean time between two changes (assumed).
  static let changeSpan: UInt64 = 13_000_000
  /// The chance that a piece is an outage, in parts of 2⁴⁸: 8 % (assumed).
  private static let outageMass = Self.whole * 8 / 100
  /// How far rates are spread: 1.1 e-folds, in levels (assumed).
  private static let spread: Int64 = 406
  /// One, in the parts of chances.
  static let whole: UInt64 = 1 << 48

  /// The chance of each level, and the sum of those up to it.
  let masses: [UInt64]
  private let sums: [UInt64]
  /// The logarithm of each chance.
  let logarithms: [Int64]
  /// The logarithm of what a further change costs: the chance of one in any slot.
  let logarithmOfChange: Int64
  /// By what the chance of each level grows, as a logarithm, if an outage comes just before it and
  /// nearly the same rate before that; and by what it shrinks if another one does.
  private let logarithmsOfReturn: [Int64]
  private let logarithmOfOther: Int64

  /// How far a rate that returns after a dip is from the one before it, at most, in levels: 9 %.
  static let returns = 32

  init(around level: Int, _ logarithm: FixedLogarithm) {
    // e^(−x²/2) is 2 to a power that has 32 bits behind the point.
    let scale: Int64 = 3_098_164_009  // 2³² · log2(e) / 2
    var shapes: [UInt64] = [0]
    var total: UInt64 = 0
    for other in 1..<RateGrid.count {
      let away = Int64(other - level)
      let power = Int64(Int128(away * away) * Int128(scale) / Int128(Self.spread * Self.spread))
      let shape = max(1, Self.power(ofTwo: power))
      shapes.append(shape)
      total += shape
    }
    let rest = UInt128(Self.whole - Self.outageMass)
    var masses = shapes.map { max(1, UInt64(UInt128($0) * rest / UInt128(total))) }
    masses[RateGrid.outage] = Self.outageMass
    var sums: [UInt64] = []
    var sum: UInt64 = 0
    for mass in masses {
      sum += mass
      sums.append(sum)
    }
    (self.masses, self.sums) = (masses, sums)
    logarithms = masses.map { logarithm($0) - 48 * FixedLogarithm.one }
    // Half of all outages end with the rate before them (assumed): a tunnel is not another network.
    let near = Self.whole / UInt64(2 * Self.returns + 1)
    logarithmsOfReturn = masses.map { logarithm((near + $0) / 2) - logarithm($0) }
    logarithmOfOther = -FixedLogarithm.one
    logarithmOfChange =
      logarithm(UInt64(LinkPieces.slot)) - logarithm(Self.changeSpan)
  }

  /// The logarithm of how much more likely the levels of a link are for what returns after outages.
  func logarithm(ofReturnsIn link: borrowing LinkPieces) -> Int64 {
    var (sum, before, isAfter) = (Int64(0), RateGrid.outage, false)
    for piece in 0..<link.count {
      let level = link.levels[piece]
      if level == RateGrid.outage {
        isAfter = true
        continue
      }
      if isAfter, before != RateGrid.outage {
        sum += abs(level - before) <= Self.returns ? logarithmsOfReturn[level] : logarithmOfOther
      }
      (before, isAfter) = (level, false)
    }
    return sum
  }

  /// Returns 2⁴⁰ to the minus of a power, which has 32 bits behind the point.
  private static func power(ofTwo power: Int64) -> UInt64 {
    let whole = power >> 32
    if whole >= 40 { return 0 }
    // Square roots of a half, one for each bit of the rest.
    var value: UInt64 = 1 << 40
    var root: UInt64 = 1 << 40
    var isFirst = true
    for bit in stride(from: Int64(31), through: 12, by: -1) {
      root = isFirst ? 777_472_127_993 : Self.squareRoot(UInt128(root) << 40)
      isFirst = false
      if power >> bit & 1 == 1 { value = UInt64((UInt128(value) * UInt128(root)) >> 40) }
    }
    return value >> UInt64(whole)
  }

  private static func squareRoot(_ number: UInt128) -> UInt64 {
    var (low, high): (UInt64, UInt64) = (0, 1 << 41)
    while high - low > 1 {
      let middle = (low + high) / 2
      if UInt128(middle) * UInt128(middle) <= number { low = middle } else { high = middle }
    }
    return low
  }

  /// Draws a level.
  func draw(_ random: inout RandomStream) -> Int {
    let aim = random.next(below: sums[sums.count - 1])
    var (low, high) = (-1, sums.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if sums[middle] > aim { high = middle } else { low = middle }
    }
    return high
  }
}
