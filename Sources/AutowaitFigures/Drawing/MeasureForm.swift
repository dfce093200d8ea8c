/// How numbers of one column are written: in one unit, and with as many digits behind the point.
///
/// So the larger number is the larger value.
struct MeasureForm: Sendable {
  private let unit: Measure.Unit
  private let decimals: Int

  /// The most digits behind the point.
  private static let decimalsMax = 3

  fileprivate init(unit: Measure.Unit, magnitudes: [UInt64]) {
    self.unit = unit
    let most = magnitudes.max() ?? 0
    let least = magnitudes.filter { $0 > 0 }.min() ?? 0
    let whole = UInt64(unit.value)
    // Three digits of the largest, and one at least of the smallest.
    var decimals = most >= 100 * whole ? 0 : most >= 10 * whole ? 1 : 2
    var step = whole
    for _ in 0..<decimals { step /= 10 }
    while least > 0, least < step, decimals < Self.decimalsMax {
      decimals += 1
      step /= 10
    }
    self.decimals = unit.value == 1 ? 0 : decimals
  }

  /// Returns a value as it is written.
  func text(_ value: Int64) -> String {
    var parts: Int128 = 1
    for _ in 0..<decimals { parts *= 10 }
    let whole = Int128(unit.value)
    let rounded = (Int128(value.magnitude) * parts * 2 + whole) / (2 * whole)
    var number = "\(rounded / parts)"
    if decimals > 0 {
      let digits = "\(rounded % parts)"
      number += "." + String(repeating: "0", count: decimals - digits.utf8.count) + digits
    }
    if value < 0, rounded > 0 { number = "-" + number }
    return unit.word.isEmpty ? number : "\(number) \(unit.word)"
  }
}

extension Measure {
  /// Returns how some values are written in one column.
  func form(of values: [Int64]) -> MeasureForm {
    let magnitudes = values.map { $0.magnitude }
    let most = magnitudes.max() ?? 0
    var unit = self.unit(for: most)
    // Seconds are compared; minutes are read.
    if self == .time, unit.word == "min" { unit = self.unit(for: 1_000_000_000) }
    return MeasureForm(unit: unit, magnitudes: magnitudes)
  }
}
