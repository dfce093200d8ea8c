import Autowait

/// The keys of a step of a script.
enum StepKeys {
  static let name = Key("name", .string, "what later steps call this one")
  static let at = Key("at", .instant, "when it is done; steps stand in the order of their times")
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
    "item", .integer(in: 0...1_000_000), .standard("0"), "the number of the item in 'media'")
  static let itemOrNone = Key(
    "item", FieldKind<Int64?>.nullable(.integer(in: 0...1_000_000)), .standard("0"),
    "the number of the item in 'media', or null for none")
  static let rate = Key("rate", .playbackRate, .required, "the wished rate")
  static let immediateRate = Key("rate", .playbackRate, .standard("1"), "the wished rate")
  static let time = Key(
    "time", FieldKind<MediaTime?>.nullable(.mediaTime),
    "where the playhead is at 'hostTime'; null for where it is then")
  static let hostTime = Key(
    "hostTime", FieldKind<Instant?>.nullable(.instant), "when playback begins; null for now")
  static let to = Key(
    "to", FieldKind<MediaTime?>.nullable(.mediaTime), .required,
    "where playback goes on; null for a time that is not valid")
  static let link = Key(
    "link", .any(LinkKeys.anywhere), .required, "the link that holds from then on")

  static let object: ObjectKind = ObjectKind(
    "step", "a step", name, at, when, on, after, every, action, about,
    choices: ["at", "when", "on", "after", "every"],
    cases: [
      ObjectKind.Case(.key("on"), delay, skip, count, player),
      ObjectKind.Case(.key("after"), delay), ObjectKind.Case(.key("every"), from, count),
    ]
      + ActionWord.allCases.map {
        ObjectKind.Case(.word($0.rawValue, of: "do"), rows: $0.keys)
      })
}

extension ActionWord {
  /// The keys that a step has which does this.
  fileprivate var keys: [KeyRow] {
    switch self {
    case .link: [StepKeys.link.row]
    case .suspendTraffic, .resumeTraffic: []
    case .load, .loadValues, .createItem: [StepKeys.player.row, StepKeys.item.row]
    case .replaceCurrentItem: [StepKeys.player.row, StepKeys.itemOrNone.row]
    case .playImmediately: [StepKeys.player.row, StepKeys.immediateRate.row]
    case .setRate:
      ObjectKind.rows(StepKeys.player, StepKeys.rate, StepKeys.time, StepKeys.hostTime)
    case .seek: [StepKeys.player.row, StepKeys.to.row]
    case .set: [StepKeys.player.row] + SettingKey.all.map(\.row)
    case .play, .pause, .seekToLive, .preroll, .interrupt, .enterBackground, .changeTracks,
      .failItem, .attachLayer, .detachLayer, .beginInterstitial, .endInterstitial,
      .beginCoordination, .endCoordination:
      [StepKeys.player.row]
    }
  }
}

/// The keys of the state in which a step is done.
enum ConditionOfStepKeys {
  static let player = Key("player", .string, "the player; the only or the first one")
  static let object: ObjectKind = ObjectKind(
    "stateOfStep", "a condition",
    rows: [player.row] + Property.allCases.filter { $0.condition != nil }.map(\.row))
}

/// The keys of the event on which a step is done.
enum EventFilterKeys {
  static let event = Key("event", .word(Event.names.map { ($0, $0) }), .required, "its name")
  static let value = Key("value", .any(.any), "what it announces; anything")
  static let player = Key("player", .string, "the player that it is about; any")
  static let object: ObjectKind = ObjectKind(
    "eventOfStep", "an event", event, value, player)
}

/// The keys of what a run is expected to show.
enum ExpectationKeys {
  static let at = Key("at", .instant, .required, "when the player is looked at")
  static let never = Key(
    "never", .any(PatternKeys.eventOrState), .required, "what must not happen")
  static let always = Key(
    "always", .object(of: PatternKeys.state), .required, "what must be so all the time")
  static let eventually = Key(
    "eventually", .any(PatternKeys.eventOrState), .required, "what must happen")
  static let within = Key("within", .instant, "by when it must happen")
  static let count = Key(
    "count", .integer(in: 0...1_000_000_000), "how often an event must happen, exactly")
  static let sequence = Key(
    "sequence", .array(of: PatternKeys.event), .required, "events that must happen in this order")
  static let metric = Key("metric", FieldKind<Metric>.word(), .required, "the figure to look at")
  static let finish = Key(
    "finish", FieldKind<FinishReason>.named, .required, "how the run must end")
  static let player = Key("player", .string, "the player; the only or the first one")
  static let about = Key("about", .string, "why, for readers")

  /// The keys that tell expectations apart.
  static let choices = ["at", "never", "always", "eventually", "sequence", "metric", "finish"]

  static let snapshot: ObjectKind = ObjectKind(
    "expectedSnapshot", "an expectation",
    rows: ObjectKind.rows(at, about) + PatternKeys.stateRows)
  static let forms: Schema = .forms([
    Form(.key("at"), snapshot),
    Form(.key("never"), ObjectKind("expectedNever", "an expectation", never, about)),
    Form(.key("always"), ObjectKind("expectedAlways", "an expectation", always, about)),
    Form(
      .key("eventually"),
      ObjectKind("expectedEventually", "an expectation", eventually, within, count, about)),
    Form(.key("sequence"), ObjectKind("expectedSequence", "an expectation", sequence, about)),
    Form(
      .key("metric"),
      ObjectKind("expectedMetric", "an expectation", metric, player, about, cases: bounds)),
    Form(.otherwise, ObjectKind("expectedFinish", "an expectation", finish, about)),
  ])

  /// The comparisons of a figure, each with a value of its unit.
  private static let bounds = Metric.NumberUnit.allCases.map { unit in
    ObjectKind.Case(
      .words(Metric.allCases.filter { $0.unit == unit }.map(\.rawValue), of: "metric"),
      rows: Condition.Comparison.rows(unit.kind.schema))
  }
}

/// The keys of what is looked for in a run.
enum PatternKeys {
  static let event: ObjectKind = ObjectKind(
    "expectedEvent", "an event", EventFilterKeys.event, EventFilterKeys.value, at,
    EventFilterKeys.player, tolerance)
  static let state: ObjectKind = ObjectKind("expectedState", "a state", rows: stateRows)
  static let eventOrState: Schema = .forms([Form(.key("event"), event), Form(.otherwise, state)])

  static let at = Key("at", .instant, "when it must happen")
  /// Files give times to a microsecond; runs know them to a nanosecond.
  static let tolerance = Key(
    "tolerance", .time, .standard("0.000001"), "by how much times may differ")
  static let stateRows: [KeyRow] =
    ObjectKind.rows(ExpectationKeys.player, tolerance) + Property.allCases.map(\.row)
}

extension Property {
  /// The key of a test: a value, or an object of comparisons.
  var row: KeyRow {
    let comparisons = ObjectKind(
      "comparisonOf_\(rawValue)", "a comparison",
      rows: Condition.Comparison.rows(kind.schema))
    return KeyRow(
      name: rawValue, schema: .either([kind.schema, .object { comparisons }]),
      presence: .optional, about: about)
  }
}

extension Condition.Comparison {
  /// The keys of all comparisons with values that a schema describes.
  fileprivate static func rows(_ schema: Schema) -> [KeyRow] {
    allCases.map {
      KeyRow(name: "\($0.word)", schema: schema, presence: .optional, about: $0.about)
    }
  }

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
