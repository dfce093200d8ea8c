import Autowait

/// What may stand at a key: how to read it, and what to report when it is something else.
public struct FieldKind<Value>: Sendable {
  /// Reads a value that a message calls by a label, or reports why it cannot and returns nil.
  let read: @Sendable (_ value: JSONValue, _ label: FieldLabel, _ findings: Findings) -> Value?

  /// Creates a kind from a function that reads a value or reports and returns nil.
  ///
  /// The label is what a message calls the value, such as `'duration'` with its marks.
  public init(
    _ read:
      @escaping @Sendable (
        _ value: JSONValue, _ label: FieldLabel, _ findings: Findings
      ) -> Value?
  ) {
    self.read = read
  }

  /// Creates a kind from a conversion that fails on every value of a wrong type.
  init(_ expected: String, _ convert: @escaping @Sendable (JSONValue) -> Value?) {
    self.init { value, label, findings in
      if let result = convert(value) { return result }
      findings.errorWrongType(value, label, expected)
      return nil
    }
  }

  /// A value of a kind, or `null`.
  public static func nullable<Wrapped>(_ kind: FieldKind<Wrapped>) -> FieldKind
  where Value == Wrapped? {
    FieldKind { value, label, findings in
      if value.kind == .null { return .some(nil) }
      return kind.read(value, label, findings).map { .some($0) }
    }
  }

  /// A value of a kind, turned into something else.
  public static func converted<Other>(
    from kind: FieldKind<Other>, _ convert: @escaping @Sendable (Other) -> Value
  ) -> FieldKind {
    FieldKind { value, label, findings in kind.read(value, label, findings).map(convert) }
  }

  /// A list of values of a kind; those that are wrong are reported and left out.
  public static func list<Element>(
    of kind: FieldKind<Element>
  ) -> FieldKind<[Element]> where Value == [Element] {
    FieldKind { value, label, findings in
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
  }

  /// One of some words, each with what it means.
  public static func word(_ words: [(word: String, meaning: Value)]) -> FieldKind
  where Value: Sendable {
    FieldKind { value, label, findings in
      for (word, meaning) in words where value.isString(word) { return meaning }
      findings.errorWrongWord(value, label, words.map(\.word))
      return nil
    }
  }

  /// One of the words that an enumeration's cases are spelled with.
  public static func word(of type: Value.Type = Value.self) -> FieldKind
  where Value: CaseIterable & RawRepresentable & Sendable, Value.RawValue == String {
    word(Value.allCases.map { ($0.rawValue, $0) })
  }
}

extension FieldKind where Value == String {
  /// A string.
  public static var string: FieldKind { FieldKind("a string") { $0.string } }
}

extension FieldKind where Value == Bool {
  /// True or false.
  public static var bool: FieldKind { FieldKind("true or false") { $0.bool } }
}

extension FieldKind where Value == JSONValue {
  /// Any value but `null`, which is read elsewhere.
  public static var any: FieldKind { FieldKind("a value") { $0.kind == .null ? nil : $0 } }

  /// An object, to be read with a ``FieldReader``.
  public static var object: FieldKind {
    FieldKind("an object") { $0.kind == .object ? $0 : nil }
  }

  /// An array, whose elements are read elsewhere.
  public static var array: FieldKind {
    FieldKind("an array") { $0.kind == .array ? $0 : nil }
  }
}

extension FieldKind {
  /// A quantity inside limits, both of which count its smallest units.
  static func quantity(
    _ quantity: Quantity, in limits: ClosedRange<Int64>,
    _ convert: @escaping @Sendable (Int64) -> Value
  ) -> FieldKind {
    FieldKind { value, label, findings in
      findings.quantity(quantity, value, label, limits).map(convert)
    }
  }
}

extension FieldKind where Value == Int64 {
  /// A whole number inside limits.
  public static func integer(in limits: ClosedRange<Int64> = 0...Int64.max) -> FieldKind {
    .quantity(.integer, in: limits) { $0 }
  }
}

extension FieldKind where Value == Int {
  /// A number of things inside limits.
  public static func count(in limits: ClosedRange<Int>) -> FieldKind {
    .quantity(.integer, in: Int64(limits.lowerBound)...Int64(limits.upperBound)) { Int($0) }
  }
}

extension FieldKind where Value == ExactDecimal {
  /// Any number, exact.
  public static var decimal: FieldKind { FieldKind("a number") { $0.decimal } }
}

extension FieldKind where Value == TimeSpan {
  /// A length of wall time from zero to the longest of ``Limits``.
  public static var time: FieldKind { .time(in: .zero...Limits.timeMax) }

  /// A length of wall time above zero.
  public static var positiveTime: FieldKind {
    .time(in: TimeSpan(nanoseconds: 1)...Limits.timeMax)
  }

  /// A length of wall time inside limits.
  public static func time(in limits: ClosedRange<TimeSpan>) -> FieldKind {
    .quantity(.time, in: limits.lowerBound.nanoseconds...limits.upperBound.nanoseconds) {
      TimeSpan(nanoseconds: $0)
    }
  }
}

extension FieldKind where Value == Instant {
  /// A time since the start of the run.
  public static var instant: FieldKind {
    .quantity(.time, in: 0...Limits.timeMax.nanoseconds) { Instant(nanoseconds: $0) }
  }
}

extension FieldKind where Value == MediaTime {
  /// A position in media or a length of media from zero to the longest of ``Limits``.
  public static var mediaTime: FieldKind { .mediaTime(in: .zero...Limits.mediaMax) }

  /// A position in media or a length of media above zero.
  public static var positiveMediaTime: FieldKind {
    .mediaTime(in: MediaTime(nanoseconds: 1)...Limits.mediaMax)
  }

  /// A position in media or a length of media inside limits.
  public static func mediaTime(in limits: ClosedRange<MediaTime>) -> FieldKind {
    .quantity(.time, in: limits.lowerBound.nanoseconds...limits.upperBound.nanoseconds) {
      MediaTime(nanoseconds: $0)
    }
  }
}

extension FieldKind where Value == BitRate {
  /// A rate of data from zero to the fastest of ``Limits``.
  public static var bitRate: FieldKind { .bitRate(in: .zero...Limits.bitRateMax) }

  /// A rate of data above zero.
  public static var positiveBitRate: FieldKind {
    .bitRate(in: BitRate(bitsPerSecond: 1)...Limits.bitRateMax)
  }

  /// A rate of data inside limits.
  public static func bitRate(in limits: ClosedRange<BitRate>) -> FieldKind {
    let range = limits.lowerBound.bitsPerSecond...limits.upperBound.bitsPerSecond
    return .quantity(.bitRate, in: range) { BitRate(bitsPerSecond: $0) }
  }
}

extension FieldKind where Value == ByteCount {
  /// A size from zero to the largest of ``Limits``.
  public static var size: FieldKind { .size(in: .zero...Limits.bytesMax) }

  /// A size above zero.
  public static var positiveSize: FieldKind { .size(in: ByteCount(bytes: 1)...Limits.bytesMax) }

  /// A size inside limits.
  public static func size(in limits: ClosedRange<ByteCount>) -> FieldKind {
    .quantity(.size, in: limits.lowerBound.bytes...limits.upperBound.bytes) {
      ByteCount(bytes: $0)
    }
  }
}

extension FieldKind where Value == PlaybackRate {
  /// A speed of playback in either direction, up to the fastest of ``Limits``.
  public static var playbackRate: FieldKind {
    let fastest = Limits.playbackRateMax
    return .playbackRate(in: PlaybackRate(millionths: -fastest.millionths)...fastest)
  }

  /// A speed of playback inside limits.
  public static func playbackRate(in limits: ClosedRange<PlaybackRate>) -> FieldKind {
    .quantity(.playbackRate, in: limits.lowerBound.millionths...limits.upperBound.millionths) {
      PlaybackRate(millionths: $0)
    }
  }
}
