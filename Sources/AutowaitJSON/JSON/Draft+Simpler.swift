/// Values that say less in the place of others.
extension Draft {
  /// The keys whose values say how long something lasts that may be shorter.
  private static let lengthKeys = ["duration", "until"]

  /// Simpler values in the place of this one, the simplest first.
  func simpler(key: String?) -> [Draft] {
    switch self {
    case .plain(let text):
      return DraftNumber(text).map { number in
        number.simpler(isLength: Self.isLength(key)).map { .plain($0.text) }
      } ?? []
    case .string(let text):
      return DraftNumber(text).map { number in
        number.simpler(isLength: Self.isLength(key)).map { .string($0.text) }
      } ?? []
    case .array(let elements):
      guard let first = elements.first, elements.count == 1 else { return [] }
      return [first, first["use"]].compactMap { $0 }
    case .object(let members):
      let only = members.count == 1 ? members.first?.value : nil
      return [only, self["use"]].compactMap { $0 } + unpackedMembers
    }
  }

  private static func isLength(_ key: String?) -> Bool { lengthKeys.contains(key ?? "") }

  /// The object with the members of the only element of an array in the place of the array.
  var unpackedMembers: [Draft] {
    guard case .object(let members) = self else { return [] }
    var found: [Draft] = []
    for (index, member) in members.enumerated() {
      guard case .array(let elements) = member.value, elements.count == 1,
        case .object(let inner)? = elements.first
      else { continue }
      let others = members.filter { $0.key != member.key }
      // Of a sample the rate may do.
      for kept in [inner, inner.filter { $0.key == "rate" }] where !kept.isEmpty {
        if kept.contains(where: { member in others.contains { $0.key == member.key } }) { continue }
        found.append(.object(Array(members[..<index]) + kept + Array(members[(index + 1)...])))
      }
    }
    return found
  }

  /// Returns samples that last as long as some together: with the mean rate, and with that of the
  /// first and of the last one.
  static func joined(_ samples: [Draft]) -> [Draft] {
    var lengths: [DraftNumber] = []
    for sample in samples {
      guard let number = sample["for"]?.number else { return [] }
      lengths.append(number)
    }
    guard let length = DraftNumber.sum(lengths) else { return [] }
    var joined: [Draft] = []
    let rates = samples.compactMap { $0["rate"]?.number }
    if rates.count == samples.count, var sample = samples.first,
      let mean = DraftNumber.mean(rates, weights: lengths)
    {
      sample["rate"] = .string(mean.text)
      joined.append(sample)
    }
    joined += [samples.first, samples.last].compactMap { $0 }
    return joined.map { sample in
      var copy = sample
      copy["for"] = length.unit.isEmpty ? .plain(length.text) : .string(length.text)
      return copy
    }
  }

  private var number: DraftNumber? {
    switch self {
    case .plain(let text), .string(let text): DraftNumber(text)
    case .array, .object: nil
    }
  }
}

/// A number with its unit, as it is written: digits, and how many of them stand behind the point.
struct DraftNumber: Hashable, Sendable {
  let isNegative: Bool
  /// The digits as a number.
  let digits: Int64
  /// How many powers of ten the digits count.
  let exponent: Int
  /// The unit with the space before it; nothing if it has none.
  let unit: String

  /// Reads a number with or without a unit behind a space; nil for other texts.
  init?(_ text: String) {
    var (digits, exponent, count) = (Int64(0), 0, 0)
    var hasPoint = false
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest.removeFirst() }
    while let byte = rest.first {
      if byte == UInt8(ascii: "."), !hasPoint, count > 0 {
        hasPoint = true
      } else if byte >= 0x30, byte <= 0x39, count < 18 {
        digits = digits * 10 + Int64(byte - 0x30)
        count += 1
        if hasPoint { exponent -= 1 }
      } else {
        break
      }
      rest.removeFirst()
    }
    if count == 0 { return nil }
    // A word may stand behind the space, and nothing behind that.
    if !rest.isEmpty, rest.first != 0x20 || rest.count < 2 { return nil }
    for byte in rest.dropFirst() where byte == 0x20 || byte >= 0x30 && byte <= 0x39 { return nil }
    self.init(
      isNegative: isNegative, digits: digits, exponent: exponent,
      unit: String(decoding: rest, as: UTF8.self))
  }

  private init(isNegative: Bool = false, digits: Int64, exponent: Int, unit: String) {
    var (digits, exponent, unit) = (digits, exponent, unit)
    while digits != 0, digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
    if digits == 0 { exponent = 0 }
    // A thousand of a unit is one of the next.
    let larger = [" ns": " us", " us": " ms", " ms": " s", " kbit/s": " Mbit/s"]
    while exponent >= 3, digits != 0, let next = larger[unit] {
      (exponent, unit) = (exponent - 3, next)
    }
    // A tenth of a minute is six seconds.
    for (long, short) in [(" h", " min"), (" min", " s")] where unit == long && exponent < 0 {
      if digits < Int64.max / 6 { (digits, exponent, unit) = (digits * 6, exponent + 1, short) }
    }
    while digits != 0, digits % 10 == 0 { (digits, exponent) = (digits / 10, exponent + 1) }
    (self.isNegative, self.digits, self.exponent, self.unit) = (isNegative, digits, exponent, unit)
  }

  /// The number as it is written.
  var text: String {
    var text = "\(digits)"
    if exponent >= 0 {
      if digits != 0 { text += String(repeating: "0", count: exponent) }
    } else {
      let missing = 1 - exponent - text.utf8.count
      if missing > 0 { text = String(repeating: "0", count: missing) + text }
      let bytes = Array(text.utf8)
      let place = bytes.count + exponent
      text =
        String(decoding: bytes[..<place], as: UTF8.self) + "."
        + String(decoding: bytes[place...], as: UTF8.self)
    }
    return (isNegative ? "-" : "") + text + unit
  }

  private var digitCount: Int { digits == 0 ? 1 : "\(digits)".utf8.count }

  private func with(_ digits: Int64, _ exponent: Int) -> DraftNumber {
    DraftNumber(isNegative: isNegative, digits: digits, exponent: exponent, unit: unit)
  }

  private static func power(_ exponent: Int) -> Int64 {
    (0..<exponent).reduce(Int64(1)) { power, _ in power * 10 }
  }

  /// Rounder numbers, and smaller ones with one digit.
  func simpler(isLength: Bool) -> [DraftNumber] {
    if digits == 0 { return [] }
    var numbers: [DraftNumber] = []
    let count = digitCount
    let first = digits / Self.power(count - 1)
    let top = exponent + count - 1
    if isLength {
      for power in [top - 2, top - 1] {
        for digit: Int64 in 1...9 { numbers.append(with(digit, power)) }
      }
      for digit in 1..<max(2, first) where digit < first { numbers.append(with(digit, top)) }
    }
    if first > 1 || count > 1 { numbers.append(with(1, top)) }
    for kept in 1...3 where kept < count {
      let unit = Self.power(count - kept)
      numbers.append(with((digits + unit / 2) / unit, exponent + count - kept))
    }
    return numbers.filter { $0 != self && $0.text != text }
  }

  /// Returns the sum of numbers of one unit; nil if there are several units.
  static func sum(_ numbers: [DraftNumber]) -> DraftNumber? {
    guard let scaled = aligned(numbers), let first = numbers.first else { return nil }
    var sum = Int128(0)
    for digits in scaled.digits { sum += digits }
    guard sum <= Int128(Int64.max / 4) else { return nil }
    return DraftNumber(digits: Int64(sum), exponent: scaled.exponent, unit: first.unit)
  }

  /// Returns the mean of numbers of one unit, to three digits.
  static func mean(_ numbers: [DraftNumber], weights: [DraftNumber]) -> DraftNumber? {
    let known = numbers.filter { $0.digits != 0 }
    guard let unit = known.first?.unit, known.allSatisfy({ $0.unit == unit }), !unit.isEmpty,
      let values = aligned(numbers, unit: unit), let shares = aligned(weights)
    else { return nil }
    var (sum, total) = (Int128(0), Int128(0))
    for (value, share) in zip(values.digits, shares.digits) {
      sum += value * share * 1_000
      total += share
    }
    if total == 0 || sum / total > Int128(Int64.max / 4) { return nil }
    let mean = DraftNumber(
      digits: Int64(sum / total), exponent: values.exponent - 3, unit: unit)
    let count = mean.digitCount
    if count <= 3 { return mean }
    let unitOfLast = power(count - 3)
    return mean.with((mean.digits + unitOfLast / 2) / unitOfLast, mean.exponent + count - 3)
  }

  /// The digits of numbers of one unit at the same power of ten.
  private static func aligned(
    _ numbers: [DraftNumber], unit: String? = nil
  ) -> (digits: [Int128], exponent: Int)? {
    let unit = unit ?? numbers.first?.unit
    let least = numbers.reduce(0) { min($0, $1.exponent) }
    var digits: [Int128] = []
    for number in numbers {
      if number.isNegative || number.unit != unit && number.digits != 0 { return nil }
      if number.exponent - least > 17 { return nil }
      let value = Int128(number.digits) * Int128(power(number.exponent - least))
      // Products of two of them fit.
      if value > 10_000_000_000_000_000 { return nil }
      digits.append(value)
    }
    return (digits, least)
  }
}
