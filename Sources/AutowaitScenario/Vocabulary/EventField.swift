import Autowait

/// What an event tells beside its name: a name and a value, as logs have them.
package struct EventField {
  /// A value as an event has it; what is only a number there is a name in a scenario.
  package enum Value {
    case null
    case flag(Bool)
    case word(StaticString)
    case count(Int64)
    case seed(UInt64)
    /// A time of the media, or how long something took.
    case nanoseconds(Int64)
    case rate(PlaybackRate)
    case resolution(Resolution)
    case videoColor(VideoColor)
    /// What a step of the script does, by its index.
    case stepName(Int)
    /// The name of a link, by its index.
    case linkName(Int)
    /// The tier that the world chose.
    case tier
    /// Why it did.
    case tierReason
  }

  /// The key in logs.
  package let name: StaticString
  /// The value.
  package let value: Value
  /// Which values the event announces here, if it does; files can ask for them.
  let announced: (@Sendable () -> AnnouncedKind)?

  init(_ name: StaticString, value: Value, announced: (@Sendable () -> AnnouncedKind)? = nil) {
    (self.name, self.value, self.announced) = (name, value, announced)
  }

  init(_ name: StaticString, _ value: some EventValue) {
    self.init(name, value: value.fieldValue)
  }

  /// A value that is announced.
  static func announced<Announced: AnnouncedValue>(
    _ value: Announced, as name: StaticString = "value"
  ) -> EventField {
    EventField(name, value: value.fieldValue, announced: { Announced.announcedKind })
  }

  /// The number of an item, which is announced, and which files may name instead.
  static func announced(item: Int?) -> EventField {
    EventField("value", value: item.fieldValue) {
      var kind = Int?.announcedKind
      kind.named = .item
      return kind
    }
  }

  /// The number of a step of the script, which is announced, and which files may name instead.
  static func announced(step: Int) -> EventField {
    EventField("step", value: step.fieldValue) {
      var kind = Int.announcedKind
      kind.named = .step
      return kind
    }
  }

  /// The request that the event is about.
  static func transfer(_ number: Int) -> EventField { EventField("transfer", number) }

  /// The item that the request is for, if that is enqueued and not the current one.
  static func item(_ number: UInt16?) -> EventField? {
    number.map { EventField("item", Int($0)) }
  }

  /// How many bytes a response has, or had.
  static func bytes(_ bytes: ByteCount) -> EventField { EventField("bytes", bytes) }
}

/// The values that an event announces.
package struct AnnouncedKind {
  /// How files spell one.
  package let kind: FieldKind<PropertyValue>
  /// The number by which the core knows one, if it is none: a word by its place.
  var place: (@Sendable (PropertyValue) -> Int64?)?
  /// What they count, if files may name it instead.
  var named: NamedValue?

  init(_ kind: FieldKind<PropertyValue>, place: (@Sendable (PropertyValue) -> Int64?)? = nil) {
    (self.kind, self.place) = (kind, place)
  }

  /// What may stand in a file.
  var schema: Schema {
    switch named {
    case .item: ItemNames.schemaOrNull
    case .step: .either([kind.schema, .string])
    case nil: kind.schema
    }
  }

  /// Returns the number of a value; of null −1.
  func number(of value: PropertyValue) -> Int64 { place?(value) ?? value.number ?? -1 }
}

/// A value that an event can tell.
protocol EventValue {
  var fieldValue: EventField.Value { get }
}

/// A value that files can ask for, too.
protocol AnnouncedValue: EventValue, SendableMetatype {
  static var announcedKind: AnnouncedKind { get }
  /// The same for a value that may be missing.
  static var announcedKindOrNull: AnnouncedKind { get }
}

extension AnnouncedValue {
  static var announcedKindOrNull: AnnouncedKind {
    let own = announcedKind
    return AnnouncedKind(.optional(own.kind), place: own.place)
  }
}

extension Optional: EventValue where Wrapped: EventValue {
  var fieldValue: EventField.Value { self?.fieldValue ?? .null }
}

extension Optional: AnnouncedValue where Wrapped: AnnouncedValue {
  static var announcedKind: AnnouncedKind { Wrapped.announcedKindOrNull }
}

extension Bool: AnnouncedValue {
  var fieldValue: EventField.Value { .flag(self) }
  static var announcedKind: AnnouncedKind { AnnouncedKind(Property.isPlaybackBufferEmpty.kind) }
}

extension Int: AnnouncedValue {
  var fieldValue: EventField.Value { .count(Int64(self)) }
  static var announcedKind: AnnouncedKind {
    AnnouncedKind(.converted(from: FieldKind<Int64>.integer()) { .count($0) })
  }
  static var announcedKindOrNull: AnnouncedKind { AnnouncedKind(Property.currentItem.kind) }
}

extension Int32: AnnouncedValue {
  var fieldValue: EventField.Value { .count(Int64(self)) }
  /// Codes of errors are negative.
  static var announcedKind: AnnouncedKind {
    AnnouncedKind(
      .converted(from: FieldKind<Int64>.integer(in: -1_000_000...1_000_000)) { .count($0) })
  }
  static var announcedKindOrNull: AnnouncedKind { Int.announcedKindOrNull }
}

extension BitRate: AnnouncedValue {
  var fieldValue: EventField.Value { .count(bitsPerSecond) }
  static var announcedKind: AnnouncedKind {
    AnnouncedKind(.converted(from: FieldKind<BitRate>.bitRate) { .count($0.bitsPerSecond) })
  }
}

extension MediaTime: AnnouncedValue {
  var fieldValue: EventField.Value { .nanoseconds(nanoseconds) }
  static var announcedKind: AnnouncedKind { AnnouncedKind(Property.currentTime.kind) }
}

extension PlaybackRate: AnnouncedValue {
  var fieldValue: EventField.Value { .rate(self) }
  static var announcedKind: AnnouncedKind { AnnouncedKind(Property.rate.kind) }
}

extension ByteCount: EventValue {
  var fieldValue: EventField.Value { .count(bytes) }
}

extension TimeSpan: EventValue {
  var fieldValue: EventField.Value { .nanoseconds(nanoseconds) }
}

extension Resolution: EventValue {
  var fieldValue: EventField.Value { .resolution(self) }
}

extension VideoColor: EventValue {
  var fieldValue: EventField.Value { .videoColor(self) }
}

extension NamedCase {
  var fieldValue: EventField.Value { .word(word) }
}

extension NamedCase where Self: RawRepresentable<UInt8> {
  static var announcedKind: AnnouncedKind {
    AnnouncedKind(.words(Self.self)) { place(of: $0) }
  }

  /// Returns the place of a word; nil of what is none.
  static func place(of value: PropertyValue) -> Int64? {
    guard case .word(let word) = value else { return nil }
    return Self(word: word).map { Int64($0.rawValue) }
  }
}

extension ColorTreatment: AnnouncedValue {}
extension FinishReason: AnnouncedValue {}
extension ItemStatus: AnnouncedValue {}
extension JoinTrait: AnnouncedValue {}
extension LooperStatus: AnnouncedValue {}
extension PlaybackException: AnnouncedValue {}
extension RateChangeReason: AnnouncedValue {}
extension TimeControlStatus: AnnouncedValue {}
extension TransferFailure: AnnouncedValue {}
extension WaitingReason: AnnouncedValue {}
extension ActionAtItemEnd: EventValue {}
extension MediaTrack: EventValue {}
extension NetworkResourcePriority: EventValue {}
extension VideoDestination: EventValue {}
