import Autowait

/// A unit in which a format counts something.
///
/// What a format spells finer than the simulator counts, such as parts of a nanosecond, is rounded
/// to the nearest, halves up; ``TraceRate`` keeps parts of a bit per second.
struct TraceUnit: Sendable, Equatable {
  /// The name in messages, such as `milliseconds`.
  let name: String
  /// How many of the simulator's smallest units it holds.
  let size: Int64
  /// The quantity that it is a unit of.
  let quantity: Quantity
  /// The most there may be, in the smallest units.
  let most: Int64

  static let seconds = time("seconds", 1_000_000_000)
  static let milliseconds = time("milliseconds", 1_000_000)
  static let microseconds = time("microseconds", 1_000)
  static let nanoseconds = time("nanoseconds", 1)
  static let bits = rate("bits per second", 1)
  static let kilobits = rate("kbit/s", 1_000)
  static let megabits = rate("Mbit/s", 1_000_000)
  static let gigabits = rate("Gbit/s", 1_000_000_000)
  static let bytesPerSecond = rate("bytes per second", 8)
  static let kilobytesPerSecond = rate("kB/s", 8_000)
  static let megabytesPerSecond = rate("MB/s", 8_000_000)
  static let bytes = TraceUnit(
    name: "bytes", size: 1, quantity: .size, most: Limits.bytesMax.bytes)

  static func == (left: TraceUnit, right: TraceUnit) -> Bool { left.name == right.name }

  private static func time(_ name: String, _ size: Int64) -> TraceUnit {
    TraceUnit(name: name, size: size, quantity: .time, most: Limits.timeMax.nanoseconds)
  }

  private static func rate(_ name: String, _ size: Int64) -> TraceUnit {
    TraceUnit(name: name, size: size, quantity: .bitRate, most: Limits.bitRateMax.bitsPerSecond)
  }

  /// The same unit for an instant of a calendar, which may be as late as it likes.
  var unlimited: TraceUnit {
    TraceUnit(name: name, size: size, quantity: quantity, most: .max)
  }

  /// Returns a number of these in the smallest units, or the end of a sentence that says why not.
  func value(_ number: ExactDecimal?) -> Result<Int64, FileLoader.FileProblem> {
    guard let number else { return .failure(.init("must be a number of \(name)")) }
    switch number.nearestInteger(scaledBy: size) {
    case .negative: return .failure(.init("must not be negative"))
    case .exact(let value) where value <= most: return .success(value)
    case .exact, .tooLarge, .notWhole:
      let limit = most == .max ? "2^63 \(name)" : quantity.text(most)
      return .failure(.init("is above the limit of \(limit)"))
    }
  }
}

/// Numbers in the lines of a text.
extension LineReader {
  /// Reads a number in a unit, of what a message calls by a name such as `the time`.
  func value(
    _ range: Range<Int>, _ unit: TraceUnit, _ what: String
  ) throws(TraceError) -> Int64 {
    switch unit.value(ExactDecimal(bytes.span.extracting(range))) {
    case .success(let value): return value
    case .failure(let problem): throw error("\(what) \(problem.reason)", at: shown(range))
    }
  }

  /// What is underlined when a part is wrong: the line if the part is empty.
  func shown(_ range: Range<Int>) -> Range<Int> { range.isEmpty ? line : range }

  /// Reads a duration.
  func time(
    _ range: Range<Int>, _ unit: TraceUnit, _ what: String
  ) throws(TraceError) -> TimeSpan {
    TimeSpan(nanoseconds: try value(range, unit, what))
  }
}

/// Numbers in other programs' JSON.
extension FieldKind where Value == Int64 {
  /// A number of a unit, rounded to the nearest of the smallest units; a string may spell it.
  static func nearest(_ unit: TraceUnit, orText: Bool = false) -> FieldKind {
    FieldKind(.any) { value, label, findings in
      let number = orText ? FieldKind<ExactDecimal>.spelled(value) : value.decimal
      guard let number else {
        findings.errorWrongType(value, label, "a number of \(unit.name)")
        return nil
      }
      switch unit.value(number) {
      case .success(let result): return result
      case .failure(let problem):
        findings.error("\(label) \(problem.reason)", at: value)
        return nil
      }
    }
  }
}

extension FieldKind where Value == ExactDecimal {
  /// The number that a value is, or spells as a string.
  static func spelled(_ value: JSONValue) -> ExactDecimal? {
    value.decimal ?? value.string.flatMap { ExactDecimal($0) }
  }

  /// Any number, exact, which a string may spell.
  static var decimalOrText: FieldKind { spelled("a number") { $0 } }
}

extension FieldKind {
  /// A value that is made of a number, which a string may spell; an error if it cannot be made.
  static func spelled(
    _ expected: String, _ make: @escaping @Sendable (ExactDecimal) -> Value?
  ) -> FieldKind {
    FieldKind(.any) { value, label, findings in
      guard let number = FieldKind<ExactDecimal>.spelled(value) else {
        findings.errorWrongType(value, label, expected)
        return nil
      }
      let made = make(number)
      if made == nil { findings.error("\(label) must be \(expected)", at: value) }
      return made
    }
  }
}

extension Probability {
  /// The most billionths that percent can be.
  private static let whole: Int64 = 1_000_000_000

  /// Returns the chance that is a number of percent, to the nearest billionth; nil if it is none.
  static func percent(_ number: ExactDecimal) -> Probability? {
    guard case .exact(let billionths) = number.nearestInteger(scaledBy: whole / 100),
      billionths <= whole
    else { return nil }
    return Probability(billionths: billionths)
  }

  /// The chance in billionths, rounded down: exact for one that was made from them.
  var billionths: Int64 {
    Int64((UInt128(parts) * UInt128(UInt64(Self.whole))) >> 53)
  }
}
