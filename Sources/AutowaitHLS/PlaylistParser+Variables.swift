import AutowaitJSON

/// Variables (rfc8216bis-20, 4.3 and 4.4.2.3).
extension PlaylistParser {
  /// Returns what stands in a range, with the values of variables in the place of their names.
  ///
  /// Values are not looked through for names again.
  mutating func text(_ range: Range<Int>) -> String {
    guard var reference = reference(in: range) else {
      return String(decoding: bytes[range], as: UTF8.self)
    }
    var result: [UInt8] = []
    var copied = range.lowerBound
    while true {
      let name = String(
        decoding: bytes[reference.lowerBound + 2..<reference.upperBound - 1], as: UTF8.self)
      result += bytes[copied..<reference.lowerBound]
      copied = reference.upperBound
      if let value = variables[name] {
        result += value.utf8
        substituted += value.utf8.count
      } else {
        findings.error(
          "a reference to a variable that is not defined before it", ": '\(name.excerpt)'",
          at: reference)
      }
      if result.count > PlaylistReader.lineMax || substituted > PlaylistReader.substitutedMax {
        findings.error("the text is too long with the values of its variables", at: range)
        isStopped = true
        return ""
      }
      guard let next = self.reference(in: copied..<range.upperBound) else { break }
      reference = next
    }
    result += bytes[copied..<range.upperBound]
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the first reference to a variable in a range: a name in `{$` and `}`.
  private func reference(in range: Range<Int>) -> Range<Int>? {
    var at = range.lowerBound
    while at + 3 < range.upperBound {
      if bytes[at] != UInt8(ascii: "{") || bytes[at + 1] != UInt8(ascii: "$") {
        at += 1
        continue
      }
      var end = at + 2
      while end < range.upperBound, Self.isNameByte(bytes[end]) { end += 1 }
      if end > at + 2, end < range.upperBound, bytes[end] == UInt8(ascii: "}") {
        return at..<end + 1
      }
      at = end
    }
    return nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Defines a variable.
  mutating func define(_ list: AttributeList) {
    let ways = ["NAME", "IMPORT", "QUERYPARAM"].filter { attribute(list, $0, .optional) != nil }
    guard ways.count == 1, let way = ways.first else {
      if !list.isBroken {
        findings.error("a definition must have one of 'NAME', 'IMPORT' and 'QUERYPARAM'", at: line)
      }
      return
    }
    guard let place = attribute(list, way, .optional)?.value, let name = string(list, way),
      !list.isBroken
    else { return }
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isNameByte) else {
      findings.error(
        "the name of a variable must be of letters, digits, '-' and '_'", at: valuePlace(place))
      return
    }
    let value: String?
    switch way {
    case "IMPORT": value = imported(name, place)
    case "QUERYPARAM": value = parameter(name, place)
    default: value = string(list, "VALUE", .required)
    }
    guard let value else { return }
    if variables[name] != nil {
      findings.error("a variable is defined twice", ": '\(name.excerpt)'", at: place)
      return
    }
    if definitions.count >= PlaylistReader.variablesMax {
      findings.error("more than \(PlaylistReader.variablesMax) variables", at: line)
      isStopped = true
      return
    }
    variables[name] = value
    definitions.append(PlaylistVariable(name: name, value: value))
  }

  private mutating func imported(_ name: String, _ place: Range<Int>) -> String? {
    if firstImport == nil { firstImport = place }
    guard let known = context.variables else {
      findings.warning(
        "the multivariant playlist is not known; its variable counts as empty",
        ": '\(name.excerpt)'", at: place)
      return ""
    }
    if let variable = known.last(where: { $0.name == name }) { return variable.value }
    findings.error(
      "the multivariant playlist does not define the variable", " '\(name.excerpt)'", at: place,
      notes: NearestWord.hint(for: name, among: known.prefix(100).map { $0.name }))
    return nil
  }

  private mutating func parameter(_ name: String, _ place: Range<Int>) -> String? {
    guard let query = context.query else {
      findings.warning(
        "the playlist's address is not known; its parameter counts as empty",
        ": '\(name.excerpt)'", at: place)
      return ""
    }
    for part in query.utf8.split(separator: UInt8(ascii: "&")) {
      let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard pair.count == 2, pair[0].elementsEqual(name.utf8) else { continue }
      let value = Self.percentDecoded(Array(pair[1]))
      let isPlain = value.allSatisfy { $0 != UInt8(ascii: "\"") && $0 >= 0x20 && $0 != 0x7F }
      guard isPlain, let text = String(validating: value, as: UTF8.self) else {
        findings.error(
          "the parameter's value cannot be in quotation marks", ": '\(name.excerpt)'",
          at: place)
        return nil
      }
      return text
    }
    findings.error(
      "the playlist's address has no value for the parameter", " '\(name.excerpt)'", at: place)
    return nil
  }

  /// Returns bytes with those that are written as `%` and two digits.
  private static func percentDecoded(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var at = 0
    while at < text.count {
      if text[at] == UInt8(ascii: "%"), at + 2 < text.count, let high = digit(text[at + 1]),
        let low = digit(text[at + 2])
      {
        result.append(high << 4 | low)
        at += 3
      } else {
        result.append(text[at])
        at += 1
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
