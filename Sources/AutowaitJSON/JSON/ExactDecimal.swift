/// A decimal number exactly as it was written, however long or large.
///
/// Quantities are read with it instead of `Double`, so that 0.1 s is 100,000,000 ns on any
/// machine and what cannot be held exactly is found out instead of rounded.
package struct ExactDecimal: Hashable, Sendable {
  /// Whether the number is below zero; zero has no sign.
  package let isNegative: Bool
  /// The significant digits as a number when there are at most 19 of them, else 0.
  private let significand: UInt64
  /// The significant digits when there are more, the first and the last not zero; else empty.
  private let wideDigits: [UInt8]
  /// The power of ten of the last significant digit, between ± 10^15 and a text's length.
  private let exponent: Int64

  /// Where exponents stop growing: far beyond any number that can matter.
  private static let exponentMax: Int64 = 1_000_000_000_000_000

  /// What a number is when it is counted in some unit.
  package enum ScaledInteger: Hashable, Sendable {
    /// A whole number of units.
    case exact(Int64)
    /// More than 64 bits can hold, whole or not.
    case tooLarge
    /// Not a whole number of units.
    case notWhole
    /// Below zero, where that is not allowed.
    case negative
  }

  /// Creates a whole number.
  package init(_ value: Int64) {
    self.init(
      isNegative: value < 0, significand: value.magnitude, exponent: 0)
  }

  /// Creates the number that a text spells in the grammar of JSON, or nil for any other text.
  package init?(_ text: String) {
    self.init(Array(text.utf8).span)
  }

  package init?(_ text: Span<UInt8>) {
    var end = 0
    self.init(prefixOf: text, end: &end)
    guard end == text.count else { return nil }
  }

  /// Creates the number that the longest possible prefix of a text spells.
  package init?(prefixOf text: Span<UInt8>, end: inout Int) {
    var at = 0
    let isNegative = !text.isEmpty && text[0] == UInt8(ascii: "-")
    if isNegative { at = 1 }
    let first = at
    var digits = DigitCollector()
    while at < text.count, let digit = digits.digit(text[at]) {
      digits.add(digit)
      at += 1
    }
    guard at > first, text[first] != UInt8(ascii: "0") || at == first + 1 else { return nil }
    var exponent: Int64 = 0
    if at + 1 < text.count, text[at] == UInt8(ascii: "."), digits.digit(text[at + 1]) != nil {
      at += 1
      while at < text.count, let digit = digits.digit(text[at]) {
        digits.add(digit)
        exponent -= 1
        at += 1
      }
    }
    let mantissaEnd = at
    exponent += ExactDecimal.exponent(text, &at)
    end = at
    if digits.count <= 19 {
      self.init(isNegative: isNegative, significand: digits.significand, exponent: exponent)
    } else {
      self.init(
        isNegative: isNegative, text.extracting(first..<mantissaEnd), exponent: exponent)
    }
  }

  /// Creates a number of at most 19 digits in its one normal form.
  private init(isNegative: Bool, significand: UInt64, exponent: Int64) {
    var digits = significand
    var power = exponent
    while digits != 0, digits % 10 == 0 {
      digits /= 10
      power += 1
    }
    self.isNegative = isNegative && digits != 0
    self.significand = digits
    self.exponent = digits == 0 ? 0 : power
    wideDigits = []
  }

  /// Creates a number of more than 19 digits, the first and the last of them not zero.
  private init(isNegative: Bool, wideDigits: [UInt8], exponent: Int64) {
    self.isNegative = isNegative
    significand = 0
    self.wideDigits = wideDigits
    self.exponent = exponent
  }

  /// Creates a number from more than 19 digits, among them perhaps a decimal point.
  private init(isNegative: Bool, _ text: Span<UInt8>, exponent: Int64) {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.count)
    for index in text.indices where text[index] != UInt8(ascii: ".") {
      let digit = text[index] - UInt8(ascii: "0")
      if digit != 0 || !digits.isEmpty { digits.append(digit) }
    }
    var power = exponent
    while digits.last == 0 {
      digits.removeLast()
      power += 1
    }
    if digits.count <= 19 {
      let value = digits.reduce(UInt64(0)) { $0 * 10 + UInt64($1) }
      self.init(isNegative: isNegative, significand: value, exponent: power)
    } else {
      self.init(isNegative: isNegative, wideDigits: digits, exponent: power)
    }
  }

  /// Steps over an exponent if a whole one is there, and returns it.
  private static func exponent(_ text: Span<UInt8>, _ at: inout Int) -> Int64 {
    guard at < text.count, text[at] | 0x20 == UInt8(ascii: "e") else { return 0 }
    var index = at + 1
    var isNegative = false
    if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") {
      isNegative = text[index] == UInt8(ascii: "-")
      index += 1
    }
    let first = index
    var value: Int64 = 0
    while index < text.count, text[index] &- UInt8(ascii: "0") < 10 {
      value = min(value * 10 + Int64(text[index] - UInt8(ascii: "0")), exponentMax)
      index += 1
    }
    guard index > first else { return 0 }
    at = index
    return isNegative ? -value : value
  }

  /// Whether the number is zero.
  package var isZero: Bool { significand == 0 && wideDigits.isEmpty }

  /// Returns the number times a multiplier as a whole number, or why it is none.
  ///
  /// Nothing is rounded. A number too large is `tooLarge` whether it is whole or not.
  package func integer(
    scaledBy multiplier: Int64, allowingNegative: Bool = false
  ) -> ScaledInteger {
    precondition(multiplier > 0, "a unit must be positive")
    if isZero { return .exact(0) }
    if isNegative, !allowingNegative { return .negative }
    let scaled =
      wideDigits.isEmpty
      ? narrow(UInt64(multiplier)) : wide(UInt64(multiplier))
    guard isNegative, case .exact(let magnitude) = scaled else { return scaled }
    return .exact(-magnitude)
  }

  /// Returns the number times a multiplier as the nearest whole number, halves rounded up.
  package func nearestInteger(scaledBy multiplier: Int64) -> ScaledInteger {
    precondition(0 < multiplier && multiplier <= Int64.max / 2, "a unit must be positive")
    if isZero { return .exact(0) }
    if isNegative { return .negative }
    // What is rounded down in halves is rounded to the nearest in wholes.
    guard let halves = roundedDown(scaledBy: UInt64(multiplier) * 2) else { return .tooLarge }
    let nearest = halves / 2 + halves % 2
    return nearest > UInt64(Int64.max) ? .tooLarge : .exact(Int64(nearest))
  }

  /// Returns the number's magnitude times a multiplier, rounded down; nil above 64 bits.
  private func roundedDown(scaledBy multiplier: UInt64) -> UInt64? {
    let digits = wideDigits.isEmpty ? Array(String(significand).utf8).map { $0 - 48 } : wideDigits
    let wholeDigits = Int64(digits.count) + exponent
    if wholeDigits > 19 { return nil }
    // Below 10^-20, which no multiplier of 64 bits lifts to one.
    if wholeDigits < -20 { return 0 }
    let wholeCount = Int(wholeDigits)
    // As on paper, from the last digit on: its carry is all that matters of what lies behind.
    var carry: UInt128 = 0
    for place in stride(from: digits.count - wholeCount, to: 0, by: -1) {
      let index = wholeCount + place - 1
      let digit = digits.indices.contains(index) ? digits[index] : 0
      carry = (UInt128(digit) * UInt128(multiplier) + carry) / 10
    }
    var whole: UInt64 = 0
    for index in 0..<max(wholeCount, 0) {
      whole = whole * 10 + UInt64(digits.indices.contains(index) ? digits[index] : 0)
    }
    let product = UInt128(whole) * UInt128(multiplier) + carry
    return UInt64(exactly: product)
  }

  private func narrow(_ multiplier: UInt64) -> ScaledInteger {
    var product = UInt128(significand) * UInt128(multiplier)
    if exponent >= 0 {
      // The product is at least one, so twenty steps decide even for an exponent of 10^15.
      for _ in 0..<min(exponent, 20) {
        if product > UInt128(Int64.max) { return .tooLarge }
        product *= 10
      }
      return product > UInt128(Int64.max) ? .tooLarge : .exact(Int64(product))
    }
    // The product is below 10^39.
    guard exponent >= -38 else { return .notWhole }
    var left = Int(-exponent)
    var isWhole = true
    while left > 0, product != 0 {
      let step = min(left, 18)
      let divisor = ExactDecimal.power(step)
      let (quotient, remainder) = ExactDecimal.divide(product, divisor)
      isWhole = isWhole && remainder == 0
      product = quotient
      left -= step
    }
    if product > UInt128(Int64.max) { return .tooLarge }
    return isWhole ? .exact(Int64(product)) : .notWhole
  }

  /// Multiplies as on paper: the digits after the point must all become zero.
  private func wide(_ multiplier: UInt64) -> ScaledInteger {
    let wholeCount = Int64(wideDigits.count) + exponent
    if wholeCount > 19 { return .tooLarge }
    var whole: UInt64 = 0
    for digit in wideDigits.prefix(Int(max(wholeCount, 0))) { whole = whole * 10 + UInt64(digit) }
    let product = UInt128(whole) * UInt128(multiplier)
    if product > UInt128(Int64.max) { return .tooLarge }
    // A 64-bit multiplier has at most 63 factors of two, so it can clear no more digits than
    // that from a number that does not end in zero.
    let fractionCount = -exponent
    if fractionCount > 63 { return .notWhole }
    var carry: UInt128 = 0
    var isWhole = true
    for place in 0..<Int(fractionCount) {
      let index = wideDigits.count - 1 - place
      let digit = index >= 0 ? wideDigits[index] : 0
      let (quotient, remainder) = (UInt128(digit) * UInt128(multiplier) + carry)
        .quotientAndRemainder(dividingBy: 10)
      isWhole = isWhole && remainder == 0
      carry = quotient
    }
    if product + carry > UInt128(Int64.max) { return .tooLarge }
    return isWhole ? .exact(Int64(product + carry)) : .notWhole
  }

  /// The number in the shortest form of JSON's grammar that keeps every digit.
  package var text: String {
    var digits = wideDigits.isEmpty ? String(significand) : ""
    for digit in wideDigits { digits.unicodeScalars.append(Unicode.Scalar(digit + 0x30)) }
    let sign = isNegative ? "-" : ""
    let point = Int64(digits.utf8.count) + exponent
    switch exponent {
    case 0...20:
      return sign + digits + String(repeating: "0", count: Int(exponent))
    case ..<0 where point > 0:
      let index = digits.utf8.index(digits.startIndex, offsetBy: Int(point))
      return sign + digits[..<index] + "." + digits[index...]
    case ..<0 where point > -7:
      return sign + "0." + String(repeating: "0", count: Int(-point)) + digits
    default:
      return sign + digits + "e" + String(exponent)
    }
  }

  private static func power(_ exponent: Int) -> UInt64 {
    var result: UInt64 = 1
    for _ in 0..<exponent { result *= 10 }
    return result
  }

  /// Divides by a divisor of one word; a division of 128 bits is many times slower.
  private static func divide(_ value: UInt128, _ divisor: UInt64) -> (UInt128, UInt64) {
    if value >> 64 == 0 {
      let (quotient, remainder) = UInt64(truncatingIfNeeded: value)
        .quotientAndRemainder(dividingBy: divisor)
      return (UInt128(quotient), remainder)
    }
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: UInt128(divisor))
    return (quotient, UInt64(remainder))
  }

  /// Counts significant digits and keeps the value of the first nineteen.
  private struct DigitCollector {
    var significand: UInt64 = 0
    var count = 0

    @inline(__always)
    func digit(_ byte: UInt8) -> UInt8? {
      let digit = byte &- UInt8(ascii: "0")
      return digit < 10 ? digit : nil
    }

    @inline(__always)
    mutating func add(_ digit: UInt8) {
      if count == 0, digit == 0 { return }
      count += 1
      if count <= 19 { significand = significand &* 10 &+ UInt64(digit) }
    }
  }
}
