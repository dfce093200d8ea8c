import Autowait

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
    rows: [at.row, about.row] + PatternKeys.stateRows)
  static let forms: Schema = .forms([
    Form(.key("at"), snapshot),
    Form(.key("never"), ObjectKind("expectedNever", "an expectation", never.row, about.row)),
    Form(.key("always"), ObjectKind("expectedAlways", "an expectation", always.row, about.row)),
    Form(
      .key("eventually"),
      ObjectKind(
        "expectedEventually", "an expectation", eventually.row, within.row, count.row, about.row)),
    Form(
      .key("sequence"), ObjectKind("expectedSequence", "an expectation", sequence.row, about.row)),
    Form(
      .key("metric"),
      ObjectKind(
        "expectedMetric", "an expectation", metric.row, player.row, about.row, cases: bounds)),
    Form(.otherwise, ObjectKind("expectedFinish", "an expectation", finish.row, about.row)),
  ])

  /// The comparisons of a figure, each with a value of its unit.
  private static let bounds = Metric.NumberUnit.allCases.map { unit in
    ObjectKind.Case(
      .words(Metric.allCases.filter { $0.unit == unit }.map { $0.rawValue }, of: "metric"),
      rows: Condition.Comparison.rows(unit.kind.schema))
  }
}

/// The keys of what is looked for in a run.
enum PatternKeys {
  static let event: ObjectKind = ObjectKind(
    "expectedEvent", "an event", EventFilterKeys.event.row, EventFilterKeys.value.row, at.row,
    EventFilterKeys.player.row, tolerance.row)
  static let state: ObjectKind = ObjectKind("expectedState", "a state", rows: stateRows)
  static let eventOrState: Schema = .forms([Form(.key("event"), event), Form(.otherwise, state)])

  static let at = Key("at", .instant, "when it must happen")
  /// Files give times to a microsecond; runs know them to a nanosecond.
  static let tolerance = Key(
    "tolerance", .time, .standard("0.000001"), "by how much times may differ")
  static let stateRows: [KeyRow] =
    [ExpectationKeys.player.row, tolerance.row] + Property.allCases.map { $0.row }
}
