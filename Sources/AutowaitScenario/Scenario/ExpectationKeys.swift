import Autowait

/// The keys of what a run is expected to show.
enum ExpectationKeys {
  static let at = Key(
    "at",
    .any(.either([FieldKind<Instant>.instant.schema, .object { PatternKeys.momentOfEvent }])),
    .required, "when the player is looked at: a time, or an event")
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
    "sequence", .array(of: PatternKeys.eventOfSequence), .required,
    "events that must happen in this order")
  static let metric = Key(
    "metric", FieldKind<Metric>.word(shownBy: "autowait list metrics"), .required,
    "the figure to look at")
  static let finish = Key(
    "finish", FieldKind<FinishReason>.named, .required, "how the run must end")
  static let player = Key("player", .string, "the player; the only or the first one")
  static let about = Key("about", .string, "why, for readers")
  static let level = Key(
    "level", FieldKind<Expectation.Level>.word(), .standard("error"),
    "what follows if it is not met: the run fails, or you are told")

  /// The keys that tell expectations apart.
  static let choices = ["at", "never", "always", "eventually", "sequence", "metric", "finish"]

  static let snapshot: ObjectKind = ObjectKind(
    "expectedSnapshot", "an expectation",
    rows: [at.row, about.row, level.row] + PatternKeys.stateRows)
  static let forms: Schema = .forms([
    Form(.key("at"), snapshot),
    Form(
      .key("never"),
      ObjectKind("expectedNever", "an expectation", never.row, about.row, level.row)),
    Form(
      .key("always"),
      ObjectKind("expectedAlways", "an expectation", always.row, about.row, level.row)),
    Form(
      .key("eventually"),
      ObjectKind(
        "expectedEventually", "an expectation", eventually.row, within.row, count.row, about.row,
        level.row)),
    Form(
      .key("sequence"),
      ObjectKind("expectedSequence", "an expectation", sequence.row, about.row, level.row)),
    Form(
      .key("metric"),
      ObjectKind(
        "expectedMetric", "an expectation", metric.row, player.row, about.row, level.row,
        cases: bounds
      ).needing(oneOf: Condition.Comparison.names)),
    Form(
      .otherwise, ObjectKind("expectedFinish", "an expectation", finish.row, about.row, level.row)),
  ])

  /// All that an expectation may have, as it is read: which form it has is known only then.
  static let object: ObjectKind = ObjectKind(
    "expectation", "an expectation", rows: [about.row, level.row],
    cases: [
      ObjectKind.Case(.key("at"), rows: snapshot.keys),
      ObjectKind.Case(.key("never"), never.row), ObjectKind.Case(.key("always"), always.row),
      ObjectKind.Case(.key("eventually"), eventually.row, within.row, count.row),
      ObjectKind.Case(.key("sequence"), sequence.row),
      ObjectKind.Case(.key("metric"), metric.row, player.row),
      ObjectKind.Case(.key("finish"), finish.row),
    ] + bounds)

  /// The comparisons of a figure, each with a value of its unit.
  private static let bounds = Metric.NumberUnit.allCases.map { unit in
    ObjectKind.Case(
      .words(Metric.allCases.filter { $0.unit == unit }.map { $0.rawValue }, of: "metric"),
      rows: Condition.Comparison.rows(unit.kind.schema) + RangeKeys.rows(unit.kind.schema))
  }
}

/// The keys of what is looked for in a run.
enum PatternKeys {
  static let event: ObjectKind = ObjectKind(
    "expectedEvent", "an event", EventFilterKeys.event.row, at.row, EventFilterKeys.player.row,
    tolerance.row, cases: EventFilterKeys.values)
  static let eventOfSequence: ObjectKind = ObjectKind(
    "eventOfSequence", "an event", EventFilterKeys.event.row, at.row, EventFilterKeys.player.row,
    tolerance.row, gap.row, cases: EventFilterKeys.values)
  static let momentOfEvent: ObjectKind = ObjectKind(
    "momentOfEvent", "an event", EventFilterKeys.event.row, EventFilterKeys.player.row,
    tolerance.row, number.row, cases: EventFilterKeys.values)
  static let state: ObjectKind = ObjectKind("expectedState", "a state", rows: stateRows)
    .needing(oneOf: Property.allCases.map { $0.rawValue })
  static let eventOrState: Schema = .forms([Form(.key("event"), event), Form(.otherwise, state)])

  static let at = Key("at", .instant, "when it must happen")
  static let number = Key(
    "number", .integer(in: 1...1_000_000_000), .standard("1"), "which of these events is meant")
  static let gap = Key(
    "gap", .object(of: gapKind), "how long after the event before it, or the start of the run")
  static let gapKind: ObjectKind = ObjectKind(
    "gap", "a gap",
    rows: Condition.Comparison.rows(FieldKind<TimeSpan>.time.schema)
      + RangeKeys.rows(FieldKind<TimeSpan>.time.schema)
  ).needing(oneOf: Condition.Comparison.names)
  /// Files give times to a microsecond; runs know them to a nanosecond.
  static let tolerance = Key(
    "tolerance", .time, .standard("0.000001"), "by how much times may differ")
  static let stateRows: [KeyRow] =
    [ExpectationKeys.player.row, tolerance.row] + Property.allCases.map { $0.row }
}

/// The keys of a range in the place of comparisons.
package enum RangeKeys {
  package static let between = "between"
  package static let approximately = "approximately"
  package static let tolerance = "tolerance"
  package static let names = [between, approximately, tolerance]

  /// The keys with values that a schema describes.
  package static func rows(_ schema: Schema) -> [KeyRow] {
    [
      KeyRow(
        name: between, schema: .list(schema, least: 2), presence: .optional,
        about: "the least and the most that it is"),
      KeyRow(
        name: approximately, schema: schema, presence: .optional,
        about: "about what it is; needs 'tolerance'"),
      KeyRow(
        name: tolerance, schema: .either([schema, .pattern("%$")]), presence: .optional,
        about: "by how much it may differ from 'approximately', or by how many percent of it"),
    ]
  }
}
