import AutowaitJSON

/// Reading values (rfc8216bis-20, 4.2).
extension PlaylistParser {
  /// What a text of digits says.
  enum Decimal {
    case value(Int64)
    case malformed, tooLarge
  }

  /// Reads a decimal number as a whole number of units of which there are 10^`places` in one; the
  /// nearest one, halves away from zero.
  func decimal(_ range: Range<Int>, places: Int, isSigned: Bool = false) -> Decimal {
    var at = range.lowerBound
    let end = range.upperBound
    let isNegative = at < end && bytes[at] == UInt8(ascii: "-")
    if at < end, isNegative || (isSigned && bytes[at] == UInt8(ascii: "+")) { at += 1 }
    var value: UInt64 = 0
    var digits = 0
    while at < end, bytes[at] &- 0x30 < 10 {
      // Twenty digits would not fit; those of a fraction are still to come.
      if value > 922_337_203_685_477_579 { return skipDecimal(at, end) }
      value = value * 10 + UInt64(bytes[at] - 0x30)
      digits += 1
      at += 1
    }
    var left = places
    var isRoundedUp = false
    if at < end, bytes[at] == UInt8(ascii: ".") {
      at += 1
      while at < end, bytes[at] &- 0x30 < 10 {
        let digit = UInt64(bytes[at] - 0x30)
        if left > 0 {
          if value > 922_337_203_685_477_579 { return skipDecimal(at, end) }
          value = value * 10 + digit
          left -= 1
          isRoundedUp = false
        } else if left == 0 {
          isRoundedUp = digit >= 5
          left = -1
        }
        digits += 1
        at += 1
      }
    }
    if at != end || digits == 0 || (isNegative && !isSigned) { return .malformed }
    while left > 0 {
      if value > 922_337_203_685_477_579 { return .tooLarge }
      value *= 10
      left -= 1
    }
    let rounded = Int64(value) + (isRoundedUp ? 1 : 0)
    return .value(isNegative ? -rounded : rounded)
  }

  /// Returns whether a number is too large, or something follows it.
  private func skipDecimal(_ start: Int, _ end: Int) -> Decimal {
    for index in start..<end where bytes[index] &- 0x30 >= 10 && bytes[index] != 0x2E {
      return .malformed
    }
    return .tooLarge
  }

  /// Reads the value of a tag that must be a whole number.
  func wholeNumber(_ range: Range<Int>, _ limits: ClosedRange<Int64>) -> Int64? {
    switch decimal(range, places: 0) {
    case .value(let value) where bytes[range].contains(UInt8(ascii: ".")) == false:
      if limits.contains(value) { return value }
      if value < limits.lowerBound {
        findings.error("the value must be at least \(limits.lowerBound)", at: range)
      } else {
        findings.error("the value is above the limit of \(limits.upperBound)", at: range)
      }
    case .tooLarge:
      findings.error("the value is above the limit of \(limits.upperBound)", at: range)
    case .value, .malformed:
      findings.error("the value must be a whole number", at: valuePlace(range))
    }
    return nil
  }

  /// Where to point to for a value, which may be empty.
  func valuePlace(_ range: Range<Int>) -> Range<Int> { range.isEmpty ? line : range }

  /// Reads a string in quotation marks; one without them is taken, too.
  mutating func string(
    _ list: AttributeList, _ name: String, _ need: AttributeNeed = .optional
  ) -> String? {
    quoted(list, name, need).map { text($0) }
  }

  /// Reads an address, which must not be empty.
  mutating func address(
    _ list: AttributeList, _ name: String, _ need: AttributeNeed = .optional
  ) -> String? {
    guard let value = string(list, name, need) else { return nil }
    if !value.isEmpty { return value }
    if let place = attribute(list, name, need)?.name {
      if need == .required {
        findings.error("the address in '\(name)' is empty", at: place)
      } else {
        findings.warning("the address in '\(name)' is empty; it is left out", at: place)
      }
    }
    return nil
  }

  /// Reads strings that are joined by commas.
  mutating func strings(_ list: AttributeList, _ name: String) -> [String] {
    guard let joined = string(list, name) else { return [] }
    return joined.utf8.split(separator: UInt8(ascii: ",")).compactMap { part in
      var part = part.drop(while: Self.isSpace)
      while let last = part.last, Self.isSpace(last) { part.removeLast() }
      return part.isEmpty ? nil : String(Substring(part))
    }
  }

  /// Returns the place of a value that must be in quotation marks.
  private func quoted(_ list: AttributeList, _ name: String, _ need: AttributeNeed) -> Range<Int>? {
    guard let attribute = attribute(list, name, need) else { return nil }
    if !attribute.isQuoted {
      findings.warning(
        "the value of '\(name)' must be in quotation marks", at: valuePlace(attribute.value))
    }
    return attribute.value
  }

  /// Returns the place of a word; one in quotation marks is taken, too.
  private func word(_ list: AttributeList, _ name: String, _ need: AttributeNeed) -> Range<Int>? {
    guard let attribute = attribute(list, name, need) else { return nil }
    if attribute.isQuoted {
      findings.warning(
        "the value of '\(name)' must not be in quotation marks",
        at: valuePlace(attribute.value))
    }
    return attribute.value
  }

  /// Reads one of some words.
  func choice<Choice: CaseIterable & RawRepresentable>(
    _ list: AttributeList, _ name: String, _ need: AttributeNeed = .optional
  ) -> Choice? where Choice.RawValue == String {
    guard let range = word(list, name, need) else { return nil }
    if let found = Choice.allCases.first(where: { isText(range, $0.rawValue) }) { return found }
    let words = Choice.allCases.map { $0.rawValue }
    findings.wrongValue(
      "the value of '\(name)' must be one of \(NearestWord.quotedList(words))",
      ", not \(shown(range))", at: valuePlace(range), isRequired: need == .required)
    return nil
  }

  /// Reads YES or NO; what is missing is NO.
  func flag(_ list: AttributeList, _ name: String) -> Bool {
    flagIfPresent(list, name) ?? false
  }

  /// Reads YES or NO.
  func flagIfPresent(_ list: AttributeList, _ name: String) -> Bool? {
    guard let range = word(list, name, .optional) else { return nil }
    if isText(range, "YES") { return true }
    if isText(range, "NO") { return false }
    findings.wrongValue(
      "the value of '\(name)' must be YES or NO", ", not \(shown(range))", at: valuePlace(range),
      isRequired: false)
    return nil
  }

  /// Reads a number in units of which there are 10^`places` in one, up to a limit.
  func number(
    _ list: AttributeList, _ name: String, _ need: AttributeNeed, places: Int, max: Int64
  ) -> Int64? {
    guard let range = word(list, name, need) else { return nil }
    let isRequired = need == .required
    let kind = places == 0 ? "a whole number" : "a number"
    switch decimal(range, places: places) {
    case .value(let value) where places > 0 || !bytes[range].contains(UInt8(ascii: ".")):
      if value <= max { return value }
      fallthrough
    case .tooLarge:
      findings.wrongValue(
        "the value of '\(name)' is above the limit", "", at: range, isRequired: isRequired)
    case .value, .malformed:
      findings.wrongValue(
        "the value of '\(name)' must be \(kind)", ", not \(shown(range))",
        at: valuePlace(range), isRequired: isRequired)
    }
    return nil
  }

  /// Reads a time in seconds.
  func time(
    _ list: AttributeList, _ name: String, _ need: AttributeNeed = .optional,
    isSigned: Bool = false
  ) -> PlaylistTime? {
    guard let range = word(list, name, need) else { return nil }
    let isRequired = need == .required
    switch decimal(range, places: 9, isSigned: isSigned) {
    case .value(let value) where value.magnitude <= PlaylistReader.timeMax.nanoseconds.magnitude:
      return PlaylistTime(nanoseconds: value)
    case .value, .tooLarge:
      findings.wrongValue(
        "the value of '\(name)' is above the limit of 366 d", "", at: range,
        isRequired: isRequired)
    case .malformed:
      findings.wrongValue(
        "the value of '\(name)' must be a number of seconds", ", not \(shown(range))",
        at: valuePlace(range), isRequired: isRequired)
    }
    return nil
  }

  /// A part of a file whose beginning may be left to what stands before it.
  struct AskedRange {
    let length: Int64
    let offset: Int64?
    let place: Range<Int>

    /// Returns the part, which begins at an offset if it does not say its own.
    func resolved(at other: Int64) -> PlaylistByteRange {
      PlaylistByteRange(
        offset: offset ?? other, length: length)
    }
  }

  /// Reads a length, and an offset behind an at sign if there is one.
  func byteRange(_ range: Range<Int>) -> AskedRange? {
    let at = range.first { bytes[$0] == UInt8(ascii: "@") } ?? range.upperBound
    let start = min(at + 1, range.upperBound)
    let parts = (range.lowerBound..<at, start..<range.upperBound)
    var offset: Int64?
    if at < range.upperBound, parts.1.isEmpty {
      findings.warning("no offset follows '@'", at: range)
    } else if at < range.upperBound {
      offset = sizePart(parts.1, range)
      if offset == nil { return nil }
    }
    guard let length = sizePart(parts.0, range) else { return nil }
    if length + (offset ?? 0) > PlaylistReader.bytesMax {
      findings.error("the byte range ends above the limit of 1 TB", at: range)
      return nil
    }
    return AskedRange(length: length, offset: offset, place: range)
  }

  private func sizePart(_ part: Range<Int>, _ whole: Range<Int>) -> Int64? {
    switch decimal(part, places: 0) {
    case .value(let value) where !bytes[part].contains(UInt8(ascii: ".")):
      if value <= PlaylistReader.bytesMax { return value }
      fallthrough
    case .tooLarge:
      findings.error("the byte range ends above the limit of 1 TB", at: whole)
    case .value, .malformed:
      findings.error(
        "a byte range must be a length, or a length, '@' and an offset", at: valuePlace(whole))
    }
    return nil
  }

  /// Reads a byte range in an attribute.
  func byteRange(_ list: AttributeList, _ name: String) -> AskedRange? {
    quoted(list, name, .optional).flatMap { byteRange($0) }
  }
}
