import Autowait

/// The keys of a heuristic.
package enum HeuristicKeys {
  static let editorSchema = Key(
    "$schema", .string, "the schema by which an editor checks the file")
  static let rule = Key(
    "rule",
    .any(
      .either([.words(Heuristic.all.map { $0.name } + ["buffered"]), .object { RuleKeys.object }])),
    "the rule, by its name or as data")
  static let program = Key(
    "program", .list(of: .string), "a program that is the rule: its path, and its arguments")
  static let timeout = Key(
    "timeout", .positiveTime, .standard("5 s"), "how long the program may take to answer")
  static let askEvery = Key(
    "askEvery", .positiveTime, "how often the program is asked while nothing happens")

  static let start = Key(
    "start", .positiveMediaTime, .required, "how much media must be ahead to start")
  static let otherStart = Key("start", .positiveMediaTime, start.row.about)
  static let resume = Key(
    "resume", .positiveMediaTime, "how much must be ahead to go on after a stall; that of 'start'")

  static let frameDuration = Key(
    "frameDuration", .positiveMediaTime, "how long a frame is; less of a buffer counts as empty")
  static let latency = Key(
    "latency", .object(of: LatencyKeys.record.kind),
    "latencies of the app and the player")

  package static let object: ObjectKind = ObjectKind(
    "heuristic", "a heuristic",
    rows: [editorSchema.row, rule.row, program.row] + PolicyKeys.all.map { $0.row }
      + [frameDuration.row, latency.row], cases: cases)

  /// A name, or an object.
  package static let nameOrObject: Schema = .either([
    .words(Heuristic.all.map { $0.name }), .object { object },
  ])

  /// What a program and each rule have of their own.
  private static let cases: [ObjectKind.Case] =
    [
      ObjectKind.Case(.absent("rule"), otherStart.row, resume.row),
      ObjectKind.Case(.key("program"), timeout.row, askEvery.row),
      ObjectKind.Case(.word("buffered", of: "rule"), start.row, resume.row),
    ]
    + Heuristic.all.map { heuristic in
      ObjectKind.Case(
        .word(heuristic.name, of: "rule"), rows: heuristic.parameters.map { $0.key.row })
    }
}

/// The keys of a rule that is written as data.
enum RuleKeys {
  static let name = Key("name", .string, "what tables and logs call it")
  static let start = Key(
    "start", .any(ConditionKeys.anything), .required, "when playback may start")
  static let resume = Key(
    "resume", .any(ConditionKeys.anything), "when it may go on after a stall; as 'start'")
  static let afterSeek = Key(
    "afterSeek", .any(ConditionKeys.anything), "when it may go on after a seek; as 'resume'")
  static let starvesBelow = Key(
    "starvesBelow", .mediaTime, .standard("0"), "with how much ahead playback stops")
  static let checkEvery = Key(
    "checkEvery", FieldKind<TimeSpan?>.nullable(.positiveTime), .standard("null"),
    "how often the player looks; null for at any time")
  static let object: ObjectKind = ObjectKind(
    "rule", "a rule", name.row, start.row, resume.row, afterSeek.row, starvesBelow.row,
    checkEvery.row)
}

/// The keys of a condition of a rule.
enum ConditionKeys {
  static let all = Key("all", .array(of: anything), "conditions that must all hold")
  static let any = Key("any", .array(of: anything, least: 1), "conditions one of which must hold")
  static let object: ObjectKind = ObjectKind(
    "condition", "a condition of a rule",
    rows: BufferMeasure.allCases.map { $0.key.row } + [all.row, any.row])
  static let anything: Schema = .either([
    .words(ConditionWord.allCases.map { $0.rawValue }), .object { object },
  ])
}
