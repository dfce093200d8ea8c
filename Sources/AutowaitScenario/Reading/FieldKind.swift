import Autowait

/// How values are written.
package enum WrittenStyle: Hashable, Sendable {
  /// For people: times and rates have their units, as in `"5 ms"`.
  case full
  /// The same, without what may be left out.
  case terse
  /// For logs: times and rates are bare numbers, as in `0.005`.
  case bare
}

/// What may stand at a key: how to read it, how to write it, and what to report when it is
/// something else.
package struct FieldKind<Value>: Sendable {
  /// Reads a value that a message calls by a label, or reports why it cannot and returns nil.
  package typealias Read =
    @Sendable (
      _ value: JSONValue, _ label: FieldLabel, _ findings: Findings
    ) -> Value?
  /// Writes a value as it may be read.
  package typealias Write =
    @Sendable (
      _ json: inout JSONWriter, _ value: Value, _ style: WrittenStyle
    ) -> Void

  package let read: Read
  /// How a value is written; nil where nobody needs to.
  let writeValue: Write?
  /// What it accepts, as far as a schema can say it.
  package let schema: Schema

  /// Creates a kind from a function that reads a value or reports and returns nil.
  ///
  /// The label is what a message calls the value, such as `'duration'` with its marks.
  package init(_ schema: Schema, _ read: @escaping Read, write: Write? = nil) {
    self.schema = schema
    self.read = read
    writeValue = write
  }

  /// Creates a kind from a conversion that fails on every value of a wrong type.
  init(
    _ expected: String, _ schema: Schema, _ convert: @escaping @Sendable (JSONValue) -> Value?,
    write: Write? = nil
  ) {
    let read: Read = { value, label, findings in
      if let result = convert(value) { return result }
      findings.errorWrongType(value, label, expected)
      return nil
    }
    self.init(schema, read, write: write)
  }

  /// Returns the same kind with a schema that says more or less.
  package func described(as schema: Schema) -> FieldKind {
    FieldKind(schema, read, write: writeValue)
  }

  /// A value of a kind, or `null`.
  package static func nullable<Wrapped>(_ kind: FieldKind<Wrapped>) -> FieldKind
  where Value == Wrapped? {
    let read: Read = { value, label, findings in
      if value.kind == .null { return .some(nil) }
      return kind.read(value, label, findings).map { .some($0) }
    }
    guard let writeValue = kind.writeValue else { return FieldKind(.nullable(kind.schema), read) }
    let write: Write = { json, value, style in
      if let value { writeValue(&json, value, style) } else { json.null() }
    }
    return FieldKind(.nullable(kind.schema), read, write: write)
  }

  /// A value of a kind, turned into something else, and back where it is written.
  package static func converted<Other>(
    from kind: FieldKind<Other>, _ convert: @escaping @Sendable (Other) -> Value,
    back: (@Sendable (Value) -> Other)? = nil
  ) -> FieldKind {
    let read: Read = { value, label, findings in kind.read(value, label, findings).map(convert) }
    guard let back, let writeValue = kind.writeValue else { return FieldKind(kind.schema, read) }
    return FieldKind(kind.schema, read, write: { writeValue(&$0, back($1), $2) })
  }

  /// A list of values of a kind; those that are wrong are reported and left out.
  package static func list<Element>(
    of kind: FieldKind<Element>
  ) -> FieldKind<[Element]> where Value == [Element] {
    let read: Read = { value, label, findings in
      guard value.kind == .array else {
        findings.errorWrongType(value, label, "an array")
        return nil
      }
      var result: [Element] = []
      result.reserveCapacity(value.count)
      for element in value.elements {
        if let read = kind.read(element, label.element, findings) {
          result.append(read)
        }
      }
      return result
    }
    guard let writeValue = kind.writeValue else { return FieldKind(.list(kind.schema), read) }
    return FieldKind(
      .list(kind.schema), read,
      write: { json, list, style in json.array(list) { writeValue(&$0, $1, style) } })
  }

  /// One of some words, each with what it means; if they are many, a call shows them.
  package static func word(
    _ words: [(word: String, meaning: Value)], shownBy call: String? = nil
  ) -> FieldKind where Value: Sendable {
    FieldKind(.words(words.map { $0.word })) { value, label, findings in
      for (word, meaning) in words where value.isString(word) { return meaning }
      findings.errorWrongWord(value, label, words.map { $0.word }, shownBy: call)
      return nil
    }
  }

  /// One of some words, each with what it means: of several that mean the same, the first one is
  /// written.
  package static func words(_ words: [(word: String, meaning: Value)]) -> FieldKind
  where Value: Equatable & Sendable {
    let kind = word(words)
    return FieldKind(
      kind.schema, kind.read,
      write: { json, value, _ in
        guard let word = words.first(where: { $0.meaning == value })?.word else {
          preconditionFailure("no word stands for the value")
        }
        json.string(text: word)
      })
  }

  /// One of the words that an enumeration's cases are spelled with.
  package static func word(
    of type: Value.Type = Value.self, shownBy call: String? = nil
  ) -> FieldKind
  where Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String {
    let kind = word(Value.allCases.map { ($0.rawValue, $0) }, shownBy: call)
    return FieldKind(
      kind.schema, kind.read,
      write: { json, value, _ in
        json.string(text: value.rawValue)
      })
  }
}

extension FieldKind where Value == String {
  /// A string.
  package static var string: FieldKind {
    FieldKind(
      "a string", .string, { $0.string }, write: { json, text, _ in json.string(text: text) })
  }
}

extension FieldKind where Value == Bool {
  /// True or false.
  package static var bool: FieldKind {
    FieldKind("true or false", .bool, { $0.bool }, write: { json, value, _ in json.bool(value) })
  }
}

extension FieldKind where Value == JSONValue {
  /// Any value but `null` that a schema describes and that is read elsewhere.
  package static func any(_ schema: Schema) -> FieldKind {
    FieldKind("a value", schema) { $0.kind == .null ? nil : $0 }
  }

  /// An object of a kind, to be read with a ``FieldReader``.
  package static func object(
    of kind: @autoclosure @escaping @Sendable () -> ObjectKind
  ) -> FieldKind {
    FieldKind("an object", .object { kind() }) { $0.kind == .object ? $0 : nil }
  }

  /// An array whose elements a schema describes and that are read elsewhere.
  package static func array(of element: Schema, least: Int = 0) -> FieldKind {
    FieldKind("an array", .list(element, least: least)) { $0.kind == .array ? $0 : nil }
  }

  /// An array of objects of a kind, each to be read with a ``FieldReader``.
  package static func array(
    of kind: @autoclosure @escaping @Sendable () -> ObjectKind, least: Int = 0
  ) -> FieldKind {
    .array(of: .object(kind), least: least)
  }

  /// An array, whose elements are read elsewhere.
  package static var array: FieldKind {
    FieldKind("an array", .list(.any)) { $0.kind == .array ? $0 : nil }
  }
}

extension FieldKind {
  /// A quantity inside limits, both of which count its smallest units.
  static func quantity(
    _ quantity: Quantity, in limits: ClosedRange<Int64>,
    _ convert: @escaping @Sendable (Int64) -> Value, count: (@Sendable (Value) -> Int64)? = nil
  ) -> FieldKind {
    let read: Read = { value, label, findings in
      findings.quantity(quantity, value, label, limits).map(convert)
    }
    guard let count else { return FieldKind(.quantity(quantity, limits), read) }
    let write: Write = { json, value, style in json.quantity(quantity, count(value), style) }
    return FieldKind(.quantity(quantity, limits), read, write: write)
  }
}

extension FieldKind where Value == Int64 {
  /// A whole number inside limits.
  package static func integer(in limits: ClosedRange<Int64> = 0...Int64.max) -> FieldKind {
    .quantity(.integer, in: limits, { $0 }, count: { $0 })
  }

  /// A part of a whole in billionths, from nothing to all.
  package static var share: FieldKind {
    .quantity(.probability, in: 0...1_000_000_000, { $0 }, count: { $0 })
  }
}

extension FieldKind where Value == Int {
  /// A number of things inside limits.
  package static func count(in limits: ClosedRange<Int>) -> FieldKind {
    .quantity(
      .integer, in: Int64(limits.lowerBound)...Int64(limits.upperBound), { Int($0) },
      count: { Int64($0) })
  }
}

extension FieldKind where Value == ExactDecimal {
  /// Any number, exact.
  package static var decimal: FieldKind { FieldKind("a number", .number) { $0.decimal } }
}

extension FieldKind where Value == TimeSpan {
  /// A length of wall time from zero to the longest of ``Limits``.
  package static var time: FieldKind { .time(in: .zero...Limits.timeMax) }

  /// A length of wall time above zero.
  package static var positiveTime: FieldKind {
    .time(in: TimeSpan(nanoseconds: 1)...Limits.timeMax)
  }

  /// A length of wall time inside limits.
  package static func time(in limits: ClosedRange<TimeSpan>) -> FieldKind {
    .quantity(
      .time, in: limits.lowerBound.nanoseconds...limits.upperBound.nanoseconds,
      { TimeSpan(nanoseconds: $0) }, count: { $0.nanoseconds })
  }
}

extension FieldKind where Value == Instant {
  /// A time since the start of the run.
  package static var instant: FieldKind {
    .quantity(.time, in: 0...Limits.timeMax.nanoseconds) { Instant(nanoseconds: $0) }
  }
}

extension FieldKind where Value == MediaTime {
  /// A position in media or a length of media from zero to the longest of ``Limits``.
  package static var mediaTime: FieldKind { .mediaTime(in: .zero...Limits.mediaMax) }

  /// A position in media or a length of media above zero.
  package static var positiveMediaTime: FieldKind {
    .mediaTime(in: MediaTime(nanoseconds: 1)...Limits.mediaMax)
  }

  /// A position in media or a length of media inside limits.
  package static func mediaTime(in limits: ClosedRange<MediaTime>) -> FieldKind {
    .quantity(
      .time, in: limits.lowerBound.nanoseconds...limits.upperBound.nanoseconds,
      { MediaTime(nanoseconds: $0) }, count: { $0.nanoseconds })
  }
}

extension FieldKind where Value == BitRate {
  /// A rate of data from zero to the fastest of ``Limits``.
  package static var bitRate: FieldKind { .bitRate(in: .zero...Limits.bitRateMax) }

  /// A rate of data above zero.
  package static var positiveBitRate: FieldKind {
    .bitRate(in: BitRate(bitsPerSecond: 1)...Limits.bitRateMax)
  }

  /// A rate of data inside limits.
  package static func bitRate(in limits: ClosedRange<BitRate>) -> FieldKind {
    let range = limits.lowerBound.bitsPerSecond...limits.upperBound.bitsPerSecond
    return .quantity(
      .bitRate, in: range, { BitRate(bitsPerSecond: $0) }, count: { $0.bitsPerSecond })
  }
}

extension FieldKind where Value == ByteCount {
  /// A size from zero to the largest of ``Limits``.
  package static var size: FieldKind { .size(in: .zero...Limits.bytesMax) }

  /// A size above zero.
  package static var positiveSize: FieldKind { .size(in: ByteCount(bytes: 1)...Limits.bytesMax) }

  /// A size inside limits.
  package static func size(in limits: ClosedRange<ByteCount>) -> FieldKind {
    .quantity(
      .size, in: limits.lowerBound.bytes...limits.upperBound.bytes, { ByteCount(bytes: $0) },
      count: { $0.bytes })
  }
}

extension FieldKind where Value == PlaybackRate {
  /// A speed of playback in either direction, up to the fastest of ``Limits``.
  package static var playbackRate: FieldKind {
    let fastest = Limits.playbackRateMax
    return .playbackRate(in: PlaybackRate(millionths: -fastest.millionths)...fastest)
  }

  /// A speed of playback inside limits.
  package static func playbackRate(in limits: ClosedRange<PlaybackRate>) -> FieldKind {
    .quantity(
      .playbackRate, in: limits.lowerBound.millionths...limits.upperBound.millionths,
      { PlaybackRate(millionths: $0) }, count: { $0.millionths })
  }
}

extension FieldKind where Value == Int64 {
  /// A ratio up to a largest one, in millionths.
  package static func ratio(upTo most: Int64) -> FieldKind {
    .quantity(.ratio, in: 0...most * 1_000_000, { $0 }, count: { $0 })
  }
}

extension JSONWriter {
  /// Writes a number of the smallest units of a quantity: all but times and rates as a number.
  fileprivate mutating func quantity(_ quantity: Quantity, _ count: Int64, _ style: WrittenStyle) {
    if style != .bare, quantity.isWrittenWithUnit {
      string(text: quantity.decimalText(count))
    } else {
      fixedPoint(count, unit: quantity.bareSize)
    }
  }
}
