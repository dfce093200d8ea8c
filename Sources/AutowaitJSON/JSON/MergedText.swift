/// A JSON text that is put together from parts of others, each of which is known by its place.
///
/// Readers read it as any text; what they report is told of the file that the part came from.
package struct MergedText: Sendable {
  /// A part of the text, and where it came from.
  private struct Part {
    let start: Int
    let count: Int
    let source: SourceText
    let range: Range<Int>
    /// Whether the part is spelled where it came from as it is here.
    let isCopy: Bool
  }

  /// The path of the text: that of the file which the others were merged into.
  private let path: String
  /// The text that this one was made from, if that was put together, too; none or one.
  private let earlier: [MergedText]
  private var bytes: [UInt8] = []
  private var parts: [Part] = []

  /// Puts a text together, perhaps from parts of one that was put together before.
  package init(_ tree: MergedTree, path: String, from earlier: MergedText? = nil) {
    self.path = path
    self.earlier = earlier.map { [$0] } ?? []
    write(tree)
  }

  /// The text.
  package var source: SourceText { SourceText(path: path, bytes: bytes) }

  /// Returns where a range of the text came from; nil for what stands nowhere else.
  package func origin(of range: Range<Int>) -> (source: SourceText, range: Range<Int>)? {
    guard let found = ownOrigin(of: range) else { return nil }
    guard let earlier = earlier.first, found.source.path == earlier.path else { return found }
    return earlier.origin(of: found.range)
  }

  private func ownOrigin(of range: Range<Int>) -> (source: SourceText, range: Range<Int>)? {
    // The parts stand in the order of the text.
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].start <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let part = parts[low - 1]
    let offset = range.lowerBound - part.start
    guard offset < part.count else { return nil }
    if !part.isCopy { return (part.source, part.range) }
    let start = part.range.lowerBound + offset
    return (part.source, start..<min(start + range.count, part.range.upperBound))
  }

  private mutating func write(_ tree: MergedTree) {
    switch tree {
    case .value(let value): copy(value, of: value.range)
    case .given(let text, let source, let range): add(Array(text.utf8), source, range)
    case .object(let members, let opening):
      bracket("{", opening)
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(member.key)
        bytes.append(UInt8(ascii: ":"))
        write(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    case .array(let elements, let opening):
      bracket("[", opening)
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        write(element)
      }
      bytes.append(UInt8(ascii: "]"))
    }
  }

  private mutating func bracket(_ text: String, _ opening: MergedTree.Place?) {
    if let opening {
      add(Array(text.utf8), opening.source, opening.range)
    } else {
      bytes += text.utf8
    }
  }

  private mutating func copy(_ value: JSONValue, of range: Range<Int>) {
    parts.append(
      Part(
        start: bytes.count, count: range.count, source: value.source, range: range, isCopy: true))
    bytes += value.source.bytes[range]
  }

  private mutating func add(_ text: [UInt8], _ source: SourceText, _ range: Range<Int>) {
    parts.append(
      Part(start: bytes.count, count: text.count, source: source, range: range, isCopy: false))
    bytes += text
  }
}

/// What a merged text consists of.
package indirect enum MergedTree: Sendable {
  /// Where something stands.
  package typealias Place = (source: SourceText, range: Range<Int>)

  /// A value that stands in a file as it is.
  case value(JSONValue)
  /// A text that stands for something else.
  case given(String, SourceText, Range<Int>)
  case object([(key: MergedTree, value: MergedTree)], opening: Place?)
  case array([MergedTree], opening: Place?)

  /// The string that a key or a value is; nil for all else.
  package var string: String? {
    switch self {
    case .value(let value): value.string
    case .given(let text, _, _): Self.parsed(text)?.string
    case .object, .array: nil
    }
  }

  /// The same, with the members of an object or the elements of an array apart.
  package var opened: MergedTree {
    if case .given(let text, let source, let range) = self {
      return Self.opened(text, source, range) ?? self
    }
    guard case .value(let value) = self else { return self }
    switch value.kind {
    case .object:
      return .object(
        value.members.map { (key: .value($0.key), value: .value($0.value)) },
        opening: (value.source, value.opening))
    case .array:
      return .array(value.elements.map { .value($0) }, opening: (value.source, value.opening))
    case .null, .false, .true, .number, .string: return self
    }
  }

  /// Returns what a text of JSON is.
  private static func parsed(_ text: String) -> JSONValue? {
    (try? JSONDocument(SourceText(path: "", text: text)))?.root
  }

  /// Returns the parts of an object or a list that stands for something else.
  private static func opened(
    _ text: String, _ source: SourceText, _ range: Range<Int>
  ) -> MergedTree? {
    guard let root = parsed(text) else { return nil }
    func part(_ value: JSONValue) -> MergedTree {
      .given(JSONWriter.text { $0.value(value) }, source, range)
    }
    switch root.kind {
    case .object:
      return .object(
        root.members.map { (key: part($0.key), value: part($0.value)) }, opening: (source, range))
    case .array: return .array(root.elements.map { part($0) }, opening: (source, range))
    case .null, .false, .true, .number, .string: return nil
    }
  }

  /// Returns the tree with a value merged into it: objects key by key, all else is replaced.
  package func merged(with value: JSONValue) -> MergedTree {
    guard value.kind == .object, case .object(var members, _) = opened else { return .value(value) }
    var done: [String] = []
    for member in value.members {
      let key = member.key.string ?? ""
      // The reader of the whole text reports a key that stands twice.
      let place = done.contains(key) ? nil : members.firstIndex { $0.key.string == key }
      done.append(key)
      if let place {
        members[place] = (.value(member.key), members[place].value.merged(with: member.value))
      } else {
        members.append((.value(member.key), .value(member.value)))
      }
    }
    return .object(members, opening: (value.source, value.opening))
  }

  /// Returns an object with further elements in the list at a key.
  package func appending(_ elements: [JSONValue], at key: String) -> MergedTree {
    guard let first = elements.first, case .object(var members, let opening) = opened else {
      return self
    }
    let added = elements.map { MergedTree.value($0) }
    guard let place = members.firstIndex(where: { $0.key.string == key }) else {
      let quoted = MergedTree.given(
        JSONWriter.text { $0.string(text: key) }, first.source, first.range)
      members.append((quoted, .array(added, opening: (first.source, first.range))))
      return .object(members, opening: opening)
    }
    // The reader of the whole text reports a value that is not a list.
    guard case .array(let present, let bracket) = members[place].value.opened else { return self }
    members[place].value = .array(present + added, opening: bracket)
    return .object(members, opening: opening)
  }

  /// Returns an object without a key.
  package func without(_ key: String) -> MergedTree {
    guard case .object(let members, let opening) = opened else { return self }
    return .object(members.filter { $0.key.string != key }, opening: opening)
  }
}
