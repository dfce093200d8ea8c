/// Where values lie on an axis of a figure.
struct Scale: Sendable {
  /// The values at the two ends; never equal.
  let least: Int64
  let most: Int64
  /// Where the two ends are drawn; the first may lie to the right of or below the second.
  let from: Length
  let to: Length

  init(_ least: Int64, _ most: Int64, from: Length, to: Length) {
    self.least = least
    self.most = most > least ? most : least == .max ? .max : least + 1
    self.from = from
    self.to = to
  }

  /// Returns the place of a value, rounded to a tenth of a pixel; values outside are at the ends.
  func place(_ value: Int64) -> Length {
    let inside = min(max(value, least), most)
    let span = Int128(most) - Int128(least)
    let length = Int128(to.tenths - from.tenths)
    let product = (Int128(inside) - Int128(least)) * length * 2
    let half = product < 0 ? -span : span
    return Length(tenths: from.tenths + Int((product + half) / (2 * span)))
  }
}

/// What a number on an axis or in a cell counts, and so how it is written.
package enum Measure: Hashable, Sendable {
  /// Nanoseconds.
  case time
  /// Millionths of a whole, written as a percentage.
  case share
  /// Millionths, written as a number.
  case ratio
  /// Bits per second.
  case bitRate
  /// Bytes.
  case bytes
  /// Things.
  case count

  /// Returns a value with its unit, with at most three digits that matter.
  package func text(_ value: Int64) -> String {
    let rounded = FigureDecimal.rounded(value)
    return label(rounded, unit: unit(for: rounded.magnitude))
  }

  /// A unit: its word, the value of one, and the digits behind the point that the value has room
  /// for.
  typealias Unit = (word: String, value: Int64, digits: Int)

  /// Returns the unit in which values as large as one are written.
  func unit(for magnitude: UInt64) -> Unit {
    switch self {
    case .time: Self.timeUnit(for: magnitude)
    case .share: ("%", 10_000, 4)
    case .ratio: ("", 1_000_000, 6)
    case .bitRate: Self.scaled(magnitude, "bit/s")
    case .bytes: Self.scaled(magnitude, "B")
    case .count: ("", 1, 0)
    }
  }

  private static func timeUnit(for magnitude: UInt64) -> Unit {
    switch magnitude {
    case 0: ("s", 1_000_000_000, 9)
    case ..<1_000: ("ns", 1, 0)
    case ..<1_000_000: ("µs", 1_000, 3)
    case ..<100_000_000: ("ms", 1_000_000, 6)
    case ..<180_000_000_000: ("s", 1_000_000_000, 9)
    case ..<10_800_000_000_000: ("min", 60_000_000_000, 0)
    case ..<259_200_000_000_000: ("h", 3_600_000_000_000, 0)
    default: ("d", 86_400_000_000_000, 0)
    }
  }

  private static func scaled(_ magnitude: UInt64, _ word: String) -> Unit {
    switch magnitude {
    case ..<1_000: (word, 1, 0)
    case ..<1_000_000: ("k" + word, 1_000, 3)
    case ..<1_000_000_000: ("M" + word, 1_000_000, 6)
    default: ("G" + word, 1_000_000_000, 9)
    }
  }

  /// Returns a value written in a unit.
  func label(_ value: Int64, unit: Unit) -> String {
    let number: String
    if unit.digits > 0 || unit.value == 1 {
      number = FigureDecimal.text(value, digits: unit.digits)
    } else {
      // Minutes, hours and days are no powers of ten: two digits behind the point say enough.
      let hundredths = (Int128(value) * 200 + Int128(unit.value)) / (2 * Int128(unit.value))
      number = FigureDecimal.text(Int64(hundredths), digits: 2)
    }
    return unit.word.isEmpty ? number : "\(number) \(unit.word)"
  }
}

/// Whole numbers as decimal ones.
package enum FigureDecimal {
  /// Returns a whole number of parts, ten to the power of some digits to a whole, without zeros at
  /// the end.
  package static func text(_ value: Int64, digits: Int) -> String {
    var unit: UInt64 = 1
    for _ in 0..<digits { unit *= 10 }
    let whole = "\(value < 0 ? "-" : "")\(value.magnitude / unit)"
    var fraction = "\(value.magnitude % unit)"
    if fraction == "0" { return whole }
    fraction = String(repeating: "0", count: digits - fraction.count) + fraction
    while fraction.hasSuffix("0") { fraction.removeLast() }
    return "\(whole).\(fraction)"
  }

  /// Returns a value with all but its first three digits rounded off.
  static func rounded(_ value: Int64) -> Int64 {
    var unit: UInt64 = 1
    let magnitude = value.magnitude
    while magnitude / unit >= 1_000 { unit *= 10 }
    let (sum, overflow) = magnitude.addingReportingOverflow(unit / 2)
    let result = (overflow ? magnitude : sum) / unit * unit
    guard let rounded = Int64(exactly: result) else { return value }
    return value < 0 ? -rounded : rounded
  }
}

/// The marks of an axis: at round numbers, few enough to be read.
struct Ticks: Sendable {
  /// The values that bear marks, ascending.
  let values: [Int64]
  /// What the marks say.
  let labels: [String]

  /// Makes marks for the values from the least to the most, about so many.
  init(_ measure: Measure, from least: Int64, to most: Int64, about count: Int) {
    let span = UInt64(bitPattern: most &- least)
    let step = Self.step(measure, atLeast: max(1, span / UInt64(max(1, count))))
    var values: [Int64] = []
    var value = least >= 0 ? (least + step - 1) / step * step : least / step * step
    while value <= most, values.count < 64 {
      values.append(value)
      let (next, overflow) = value.addingReportingOverflow(step)
      if overflow { break }
      value = next
    }
    // All marks of an axis are written in one unit, which the least step and the most need.
    let unit = Self.unit(measure, step: step, most: max(least.magnitude, most.magnitude))
    self.values = values
    labels = values.map { measure.label($0, unit: unit) }
  }

  private static func unit(_ measure: Measure, step: Int64, most: UInt64) -> Measure.Unit {
    guard measure == .time else { return measure.unit(for: most) }
    switch step {
    case ..<1_000: return ("ns", 1, 0)
    case ..<1_000_000: return ("µs", 1_000, 3)
    case ..<100_000_000: return ("ms", 1_000_000, 6)
    case ..<60_000_000_000: return ("s", 1_000_000_000, 9)
    case ..<3_600_000_000_000: return ("min", 60_000_000_000, 0)
    case ..<86_400_000_000_000: return ("h", 3_600_000_000_000, 0)
    default: return ("d", 86_400_000_000_000, 0)
    }
  }

  /// Returns the least round step that is not below a value.
  private static func step(_ measure: Measure, atLeast value: UInt64) -> Int64 {
    if measure == .time {
      for (unit, counts) in timeSteps {
        for count in counts where UInt64(unit * count) >= value { return unit * count }
      }
    }
    let day: UInt64 = 86_400_000_000_000
    let isLong = measure == .time && value > 60_000_000_000
    var unit: UInt64 = isLong ? day : 1
    while true {
      for factor in [1, 2, 5] as [UInt64] where unit * factor >= value {
        return Int64(clamping: unit * factor)
      }
      let (next, overflow) = unit.multipliedReportingOverflow(by: 10)
      if overflow || next > UInt64(Int64.max) / 5 { return Int64(clamping: value) }
      unit = next
    }
  }

  /// The steps of time that are no powers of ten, and those below them.
  private static let timeSteps: [(unit: Int64, counts: [Int64])] = {
    var steps: [(unit: Int64, counts: [Int64])] = []
    var unit: Int64 = 1
    while unit < 10_000_000_000 {
      steps.append((unit, [1, 2, 5]))
      unit *= 10
    }
    return steps + [
      (10_000_000_000, [1, 2, 3]), (60_000_000_000, [1, 2, 5, 10, 15, 30]),
      (3_600_000_000_000, [1, 2, 3, 6, 12]),
    ]
  }()
}
