import Autowait

/// The keys of a step of a script.
enum StepKeys {
  static let name = Key("name", .string, "what later steps call this one")
  static let at = Key("at", .instant, "when it is done; steps must be in the order of their times")
  static let when = Key(
    "when", .object(of: ConditionOfStepKeys.object), "the state in which it is done, once")
  static let on = Key(
    "on", .any(.either([.words(Event.names), .object { EventFilterKeys.object }])),
    "the event on which it is done")
  static let after = Key("after", .string, "the name of the step after which it is done")
  static let every = Key("every", .positiveTime, "how often it is done, again and again")
  static let from = Key("from", .instant, "when it is done first")
  static let delay = Key(
    "delay", .time, .standard("0"), "how long after that it is done")
  static let skip = Key(
    "skip", .integer(in: 0...1_000_000), .standard("0"),
    "how many events it leaves out at first")
  static let count = Key(
    "count", FieldKind<Int64?>.nullable(.integer(in: 1...1_000_000)),
    "how often it is done; null for as often as it comes")
  static let action = Key("do", FieldKind<ActionWord>.word(), .required, "what is done")
  static let about = Key("about", .string, "why, for readers")

  static let player = Key("player", .string, "the player that does it; the only or the first one")
  static let item = Key(
    "item", .any(ItemNames.schema), .standard("0"), "the item, by its name or its number")
  static let itemOrNone = Key(
    "item", FieldKind<JSONValue?>.nullable(.any(ItemNames.schema)), .standard("0"),
    "the item, by its name or its number, or null for none")
  static let afterItem = Key(
    "afterItem", FieldKind<JSONValue?>.nullable(.any(ItemNames.schema)), .standard("null"),
    "the item after which it is inserted; null for the end of the queue")
  static let rate = Key("rate", .playbackRate, .required, "the requested rate")
  static let immediateRate = Key("rate", .playbackRate, .standard("1"), "the requested rate")
  static let time = Key(
    "time", FieldKind<MediaTime?>.nullable(.mediaTime),
    "where the playhead is at 'hostTime'; null for where it is then")
  static let hostTime = Key(
    "hostTime", FieldKind<Instant?>.nullable(.instant), "when playback begins; null for now")
  static let to = Key(
    "to", FieldKind<MediaTime?>.nullable(.mediaTime), .required,
    "where playback goes on; null for a time that is not valid")
  static let track = Key(
    "track", FieldKind<MediaTrack>.named, .required,
    "the tracks: of the picture, the sound, or text")
  static let audio = Key("audio", .language, "the language of the sound")
  static let subtitles = Key(
    "subtitles", FieldKind<LanguageTag?>.nullable(.language),
    "the language of the subtitles; null for none")
  static let toleranceBefore = Key(
    "toleranceBefore", FieldKind<MediaTime?>.nullable(.mediaTime), .standard("0"),
    "how far before it the playhead may land; null for as far as there is")
  static let toleranceAfter = Key(
    "toleranceAfter", FieldKind<MediaTime?>.nullable(.mediaTime), .standard("0"),
    "how far after it the playhead may land; null for as far as there is")
  static let reader = Key(
    "reader", .object(of: FrameKeys.reader), "the asset reader that reads it")
  static let writer = Key(
    "writer", .object(of: FrameKeys.writer), "the asset writer that writes another one")
  static let link = Key(
    "link", .any(LinkKeys.anywhere), .required, "the link that holds from then on")

  static let object: ObjectKind = ObjectKind(
    "step", "a step", name.row, at.row, when.row, on.row, after.row, every.row, action.row,
    about.row,
    choices: ["at", "when", "on", "after", "every"],
    cases: [
      ObjectKind.Case(.key("on"), delay.row, skip.row, count.row, player.row),
      ObjectKind.Case(.key("after"), delay.row),
      ObjectKind.Case(.key("every"), from.row, count.row),
    ]
      + ActionWord.allCases.map {
        ObjectKind.Case(.word($0.rawValue, of: "do"), rows: $0.row.keys)
      })
}

/// The keys of the state in which a step is done.
enum ConditionOfStepKeys {
  static let player = Key("player", .string, "the player; the only or the first one")
  static let object: ObjectKind = ObjectKind(
    "stateOfStep", "a condition", rows: [player.row] + properties.map { $0.row }
  ).needing(oneOf: properties.map { $0.rawValue })

  private static let properties = Property.allCases.filter { $0.condition != nil }
}

/// The keys of the event on which a step is done.
enum EventFilterKeys {
  static let event = Key("event", .eventName, .required, "its name")
  static let value = Key("value", .any(.any), "what it announces; anything")
  static let player = Key("player", .string, "the player that it is about; any")
  static let object: ObjectKind = ObjectKind(
    "eventOfStep", "an event", event.row, player.row, cases: values)

  /// The values of events, each with the events that announce such ones.
  static let values: [ObjectKind.Case] = {
    var kinds: [(schema: Schema, events: [String])] = []
    for name in Event.names {
      guard let kind = Event.announcedKind(name) else { continue }
      if let place = kinds.firstIndex(where: { $0.schema.says(the: kind.schema) }) {
        kinds[place].events.append(name)
      } else {
        kinds.append((kind.schema, [name]))
      }
    }
    return kinds.map { kind in
      let row = value.row.with(kind.schema, .optional)
      return ObjectKind.Case(.words(kind.events, of: event.name), row)
    }
  }()
}

extension Property {
  /// The key of a test: a value, or an object of comparisons.
  var row: KeyRow {
    let isOrdered = kind.schema.isOrdered
    let comparisons = ObjectKind(
      "comparisonOf_\(rawValue)", "a comparison",
      rows: Condition.Comparison.rows(kind.schema, isOrdered: isOrdered)
        + (isOrdered ? RangeKeys.rows(kind.schema) : []))
    return KeyRow(
      name: rawValue, schema: .either([kind.schema, .object { comparisons }]),
      presence: .optional, about: about)
  }
}

extension Condition.Comparison {
  /// The keys of all comparisons with values that a schema describes; those without an order are
  /// the same, or not.
  package static func rows(_ schema: Schema, isOrdered: Bool = true) -> [KeyRow] {
    allCases.filter { isOrdered || $0.isEquality }.map {
      KeyRow(name: "\($0.word)", schema: schema, presence: .optional, about: $0.about)
    }
  }

  /// The keys one of which makes a bound.
  package static let names =
    allCases.map { "\($0.word)" } + [RangeKeys.between, RangeKeys.approximately]

  /// What the sign says.
  fileprivate var about: String {
    switch self {
    case .equal: "what it is"
    case .notEqual: "what it is not"
    case .less: "what it is less than"
    case .atMost: "what it is at most"
    case .greater: "what it is more than"
    case .atLeast: "what it is at least"
    }
  }
}
