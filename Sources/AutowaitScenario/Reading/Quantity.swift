import Autowait

/// A kind of quantity: what it is called, its units, and how much of it there may be.
package struct Quantity: Sendable {
  /// A unit and how many of the smallest units it holds.
  struct Unit: Sendable {
    let name: StaticString
    let size: Int64
    /// Whether messages may use the unit; there is one name for each size.
    let isShown: Bool

    init(_ name: StaticString, _ size: Int64, isShown: Bool = true) {
      self.name = name
      self.size = size
      self.isShown = isShown
    }
  }

  /// What a message calls it, with an example: `a time such as "39 s"`.
  package let description: String
  /// The smallest part that the core can hold, with its article: `a nanosecond`.
  let grain: String
  /// The number of grains in the unit of a bare number.
  let bareSize: Int64
  /// The units, from small to large.
  let units: [Unit]
  /// Whether files that are written for others name the unit.
  var isWrittenWithUnit = false

  /// Times of the wall clock and of media; a bare number counts seconds.
  package static let time = Quantity(
    description: "a time such as \"39 s\"", grain: "a nanosecond", bareSize: 1_000_000_000,
    units: [
      Unit("ns", 1), Unit("us", 1_000), Unit("\u{B5}s", 1_000, isShown: false),
      Unit("\u{3BC}s", 1_000, isShown: false), Unit("ms", 1_000_000), Unit("s", 1_000_000_000),
      Unit("min", 60_000_000_000), Unit("h", 3_600_000_000_000), Unit("d", 86_400_000_000_000),
    ], isWrittenWithUnit: true)

  /// Rates of data; a bare number counts bits per second.
  package static let bitRate = Quantity(
    description: "a rate such as \"3.2 Mbit/s\"", grain: "a bit per second", bareSize: 1,
    units: [
      Unit("bit/s", 1), Unit("kbit/s", 1_000), Unit("Mbit/s", 1_000_000),
      Unit("Gbit/s", 1_000_000_000), Unit("Tbit/s", 1_000_000_000_000),
      Unit("bps", 1, isShown: false), Unit("kbps", 1_000, isShown: false),
      Unit("Mbps", 1_000_000, isShown: false), Unit("Gbps", 1_000_000_000, isShown: false),
      Unit("Tbps", 1_000_000_000_000, isShown: false), Unit("B/s", 8, isShown: false),
      Unit("kB/s", 8_000, isShown: false), Unit("MB/s", 8_000_000, isShown: false),
      Unit("GB/s", 8_000_000_000, isShown: false),
    ], isWrittenWithUnit: true)

  /// Sizes of data; a bare number counts bytes.
  package static let size = Quantity(
    description: "a size such as \"18 MB\"", grain: "a byte", bareSize: 1,
    units: [
      Unit("B", 1), Unit("kB", 1_000), Unit("MB", 1_000_000), Unit("GB", 1_000_000_000),
      Unit("TB", 1_000_000_000_000), Unit("KiB", 1 << 10, isShown: false),
      Unit("MiB", 1 << 20, isShown: false), Unit("GiB", 1 << 30, isShown: false),
    ])

  /// Speeds of playback; a bare number counts natural speed.
  package static let playbackRate = Quantity(
    description: "a playback rate such as 1.5", grain: "a millionth", bareSize: 1_000_000,
    units: [Unit("x", 1_000_000, isShown: false)])

  /// Parts of a whole, or how many times as much; a bare number is the ratio itself.
  package static let ratio = Quantity(
    description: "a number such as 0.1", grain: "a millionth", bareSize: 1_000_000,
    units: [Unit("x", 1_000_000, isShown: false)])

  /// Chances of events that may or may not happen; a bare number counts from 0 to 1.
  package static let probability = Quantity(
    description: "a probability such as 0.01 or \"1 %\"", grain: "a billionth",
    bareSize: 1_000_000_000, units: [Unit("%", 10_000_000, isShown: false)])

  /// Plain whole numbers.
  package static let integer = Quantity(
    description: "a whole number", grain: "one", bareSize: 1, units: [])

  /// Whether it counts things, and has no unit.
  package var isCount: Bool { units.isEmpty && bareSize == 1 }

  /// Why a text or number is not a quantity of some kind inside some limits.
  package enum QuantityProblem: Error, Hashable, Sendable {
    /// It does not begin with a number, or goes on after the unit.
    case malformed
    /// It is a string without a unit.
    case missingUnit
    /// It has a comma where a full stop should be.
    case decimalComma
    /// Its unit is not one of this quantity's.
    case unknownUnit(String)
    /// It is not a whole number of the smallest units.
    case tooFine
    /// It is below zero, where that has no meaning.
    case negative
    /// It is below the smallest value allowed, in the smallest units.
    case tooSmall(Int64)
    /// It is above the largest value allowed, in the smallest units.
    case tooLarge(Int64)
  }

  /// Reads a number with its unit, such as `3.2 Mbit/s`, inside limits given in smallest units.
  ///
  /// The number is read exactly: nothing is rounded, and what has no exact value is a problem.
  /// One space may stand before the unit. A file must name the unit of a string; a command line,
  /// which has only strings, may leave it out.
  package func parse(
    _ text: String, in limits: ClosedRange<Int64>, needsUnit: Bool = true
  ) throws(QuantityProblem) -> Int64 {
    let bytes = Array(text.utf8)
    return try parse(bytes.span, in: limits, needsUnit: needsUnit)
  }

  func parse(
    _ text: Span<UInt8>, in limits: ClosedRange<Int64>, needsUnit: Bool = true
  ) throws(QuantityProblem) -> Int64 {
    var end = 0
    guard let number = ExactDecimal(prefixOf: text, end: &end) else { throw .malformed }
    if end == text.count {
      if needsUnit { throw .missingUnit }
      return try convert(number, bareSize, limits)
    }
    if text[end] == 0x2C, end + 1 < text.count, text[end + 1] &- 0x30 < 10 { throw .decimalComma }
    if text[end] == 0x20 { end += 1 }
    for unit in units
    where unit.name.utf8CodeUnitCount == text.count - end
      && JSONParser.matches(unit.name, text, end)
    {
      return try convert(number, unit.size, limits)
    }
    var bytes: [UInt8] = []
    for index in end..<text.count { bytes.append(text[index]) }
    let name = String(decoding: bytes, as: UTF8.self)
    // More digits or signs after the number are not a unit that someone mistyped.
    let isWord = name.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || "/%".contains(Character($0))
    }
    if name.isEmpty || !isWord { throw .malformed }
    throw .unknownUnit(name)
  }

  /// Converts a bare number inside limits given in smallest units.
  package func convert(
    _ number: ExactDecimal, in limits: ClosedRange<Int64>
  ) throws(QuantityProblem) -> Int64 {
    try convert(number, bareSize, limits)
  }

  private func convert(
    _ number: ExactDecimal, _ unit: Int64, _ limits: ClosedRange<Int64>
  ) throws(QuantityProblem) -> Int64 {
    let isSigned = limits.lowerBound < 0
    switch number.integer(scaledBy: unit, allowingNegative: isSigned) {
    case .negative: throw .negative
    case .notWhole: throw .tooFine
    case .tooLarge:
      throw number.isNegative ? .tooSmall(limits.lowerBound) : .tooLarge(limits.upperBound)
    case .exact(let value):
      if value > limits.upperBound { throw .tooLarge(limits.upperBound) }
      if value < limits.lowerBound { throw .tooSmall(limits.lowerBound) }
      return value
    }
  }

  /// Returns a number of smallest units as a person would write it: `366 d`, `1 Tbit/s`, `1.5`.
  package func text(_ value: Int64) -> String {
    if let unit = units.last(where: { $0.isShown && value % $0.size == 0 }), value != 0 {
      return "\(value / unit.size) \(unit.name)"
    }
    return value.fixedPoint(bareSize)
  }

  /// Returns what a message says about a problem after the name of the field, and its notes.
  package func explain(_ problem: QuantityProblem) -> (message: String, notes: [String]) {
    switch problem {
    case .malformed: ("must be \(description)", [])
    case .missingUnit:
      units.contains { $0.isShown }
        ? ("needs a unit: it must be \(description)", [])
        : ("must be \(description), without quotation marks", [])
    case .decimalComma:
      ("must be \(description)", ["decimals follow a full stop: 1.5, not 1,5"])
    case .unknownUnit(let name) where !units.contains(where: { $0.isShown }):
      ("must be a number without a unit", name == "%" ? ["10 % is 0.1"] : [])
    case .unknownUnit(let name):
      (
        "has the unknown unit '\(name.excerpt)'",
        [unitNote(name)]
      )
    case .tooFine: (units.isEmpty ? "must be a whole number" : "is finer than \(grain)", [])
    case .negative: ("must not be negative", [])
    case .tooSmall(1): ("must be more than 0", [])
    case .tooSmall(let limit): ("must be at least \(text(limit))", [])
    case .tooLarge(let limit): ("is above the limit of \(text(limit))", [])
    }
  }

  /// Proposes the nearest unit, or else names one for each size.
  private func unitNote(_ name: String) -> String {
    // Where a guess could be wrong by a factor, the choice is the reader's.
    let lowered = name.lowercased()
    if lowered.hasSuffix("b/s"), units.contains(where: { "\($0.name)" == "Mbit/s" }) {
      return "'Mbit/s' is megabits and 'MB/s' megabytes per second"
    }
    if lowered == "m", units.contains(where: { "\($0.name)" == "min" }) {
      return "a minute is 'min' and a millisecond 'ms'"
    }
    if let nearest = NearestWord.nearest(to: name, among: units.map { "\($0.name)" }) {
      return "did you mean '\(nearest)'?"
    }
    let shown = units.filter { $0.isShown }.map { "\($0.name)" }
    return "the units are: " + NearestWord.quotedList(shown)
  }
}

extension Quantity {
  /// Returns a number of smallest units as an exact decimal of the largest unit that it fills.
  ///
  /// Times go up to seconds, of which the parts are powers of ten.
  func decimalText(_ value: Int64) -> String {
    let shown = units.filter { $0.isShown && bareSize.isMultiple(of: $0.size) || bareSize == 1 }
    let choices = shown.filter { $0.isShown }
    let unit = choices.last { $0.size <= value } ?? choices[value == 0 ? choices.count - 1 : 0]
    if value == 0, bareSize == 1 { return "0 \(choices[0].name)" }
    return "\(value.fixedPoint(unit.size)) \(unit.name)"
  }
}
