import AutowaitJSON

/// The attributes of a tag, as places in the text.
struct AttributeList {
  /// A name and a value.
  struct Attribute {
    let name: Range<Int>
    /// The value without quotation marks.
    let value: Range<Int>
    let isQuoted: Bool
  }

  /// The line of the tag.
  let line: Range<Int>
  /// Where the attributes stand.
  let value: Range<Int>
  var attributes: [Attribute] = []
  /// Whether something was wrong with it, so that nothing is said of what is missing.
  var isBroken = false
}

/// Whether a tag must have an attribute.
enum AttributeNeed {
  case required, optional
}

/// Reading lists of attributes (rfc8216bis-20, 4.2).
extension PlaylistParser {
  /// Reads the attributes of a tag, which stand in a range.
  mutating func attributes(
    _ tag: PlaylistTag, _ range: Range<Int>, _ severity: Finding.Severity = .error
  ) -> AttributeList {
    var list = AttributeList(line: line, value: range)
    var at = range.lowerBound
    func fail(_ message: String, _ place: Range<Int>) {
      list.isBroken = true
      switch severity {
      case .error: findings.error(message, at: place)
      case .warning: findings.warning(message + "; the tag is left out", at: place)
      }
    }
    while at < range.upperBound {
      if list.attributes.count >= PlaylistReader.attributesMax {
        fail("more than \(PlaylistReader.attributesMax) attributes", at..<range.upperBound)
        break
      }
      if bytes[at] == UInt8(ascii: ",") {
        findings.warning("a comma without an attribute", at: at..<at + 1)
        at += 1
        continue
      }
      guard let attribute = attribute(in: range, at: &at, fail) else { break }
      if list.attributes.contains(where: { bytes[$0.name] == bytes[attribute.name] }) {
        fail("an attribute appears twice in a tag", attribute.name)
      }
      checkName(attribute.name, of: tag)
      list.attributes.append(attribute)
      if at == range.upperBound { break }
      at += 1
      if at == range.upperBound {
        findings.warning("a comma without an attribute", at: at - 1..<at)
      }
    }
    checkRules(tag, list)
    return list
  }

  /// Reads the next attribute, up to the comma behind it or the end.
  private func attribute(
    in range: Range<Int>, at: inout Int, _ fail: (String, Range<Int>) -> Void
  ) -> AttributeList.Attribute? {
    let start = at
    while at < range.upperBound, bytes[at] != UInt8(ascii: "="), bytes[at] != UInt8(ascii: ",") {
      at += 1
    }
    guard at < range.upperBound, bytes[at] == UInt8(ascii: "="), at > start else {
      fail("an attribute must be a name, '=' and a value", start..<max(at, start + 1))
      return nil
    }
    let name = trimmed(start..<at)
    at += 1
    while at < range.upperBound, Self.isSpace(bytes[at]) { at += 1 }
    let value: Range<Int>
    let isQuoted = at < range.upperBound && bytes[at] == UInt8(ascii: "\"")
    if isQuoted {
      let open = at
      at += 1
      while at < range.upperBound, bytes[at] != UInt8(ascii: "\"") { at += 1 }
      guard at < range.upperBound else {
        fail("the quotation marks are not closed in this line", open..<at)
        return nil
      }
      value = open + 1..<at
      at += 1
      let close = at
      while at < range.upperBound, bytes[at] != UInt8(ascii: ",") { at += 1 }
      guard trimmed(close..<at).isEmpty else {
        fail("a comma must follow the quotation marks", close..<at)
        return nil
      }
    } else {
      let open = at
      while at < range.upperBound, bytes[at] != UInt8(ascii: ",") { at += 1 }
      value = trimmed(open..<at)
      if bytes[value].contains(UInt8(ascii: "\"")) {
        fail("quotation marks must enclose the whole value", value)
        return nil
      }
    }
    let end = isQuoted ? value.upperBound + 1 : value.upperBound
    let begin = isQuoted ? value.lowerBound - 1 : value.lowerBound
    if name.lowerBound != start || name.upperBound + 1 != begin || end != at {
      findings.warning("white space in a list of attributes", at: start..<at)
    }
    return AttributeList.Attribute(name: name, value: value, isQuoted: isQuoted)
  }

  /// Warns of a name that is nearly one of the tag's own; any other one is skipped, as it must be.
  private mutating func checkName(_ range: Range<Int>, of tag: PlaylistTag) {
    if range.count > NearestWord.lengthMax { return }
    let known = tag.attributes
    if known.isEmpty || known.contains(where: { isText(range, $0) }) { return }
    if unknownAttributes.count >= PlaylistReader.unknownNamesMax { return }
    let name = String(decoding: bytes[range], as: UTF8.self)
    guard unknownAttributes.insert("\(tag.name) \(name)").inserted, !name.hasPrefix("X-")
    else { return }
    if let nearest = NearestWord.nearest(to: name, among: known) {
      findings.warning(
        "unknown attribute", " '\(name.excerpt)'", at: range,
        notes: ["did you mean '\(nearest)'?"])
    }
  }

  /// Returns an attribute; reports that it is missing.
  func attribute(
    _ list: AttributeList, _ name: String, _ need: AttributeNeed
  ) -> AttributeList.Attribute? {
    if let found = list.attributes.first(where: { isText($0.name, name) }) { return found }
    if need == .required, !list.isBroken {
      findings.error("the attribute '\(name)' is missing", at: list.line)
    }
    return nil
  }
}
