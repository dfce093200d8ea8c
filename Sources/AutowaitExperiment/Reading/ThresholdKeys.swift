import Autowait
import AutowaitScenario

/// The keys of a bound on what sessions amount to.
enum ThresholdKeys {
  static let metric = Key(
    "metric", FieldKind<SessionFigure>.word(SessionFigure.all.map { ($0.word, $0) }), .required,
    "the figure of each session")
  static let outcome = Key(
    "outcome",
    .any(.either([outcomeKind.schema, .list(outcomeKind.schema, least: 1)])), .required,
    "what a session ends with, to count for 'share': a word, or several")
  static let of = Key(
    "of", .any(names), "the contestants, each judged separately; all of them")
  static let sessions = Key(
    "where", .object(of: selection), "the sessions that count, by their worlds and seeds; all")
  static let level = Key(
    "level", FieldKind<Expectation.Level>.word(), .standard("error"),
    "what follows if it is crossed: the command ends with 1, or you are told")
  static let about = Key("about", .string, "why, for readers")
  static let share = Key(
    "share", .object(of: shares),
    "the share of the sessions within the comparisons next to it, or with the outcome")
  static let difference = Key(
    "difference", .object(of: differences),
    "how far the mean is above that of the same sessions of another contestant, or before")
  static let to = Key(
    "to", FieldKind<Threshold.Reference>.word(), .standard("baseline"),
    "what the difference is to: the baseline's sessions, or those of the file of '--baseline'")
  static let decides = Key(
    "decides", FieldKind<Threshold.Decider>.word(), .standard("interval"),
    "what must be beyond the bound for a difference to cross it")

  /// The statistics that are one number, each with its key, but for percentiles.
  static let numbers: [(key: String, statistic: Threshold.Statistic)] =
    [("mean", .mean), ("median", .quantile(perMille: 500)), ("min", .least), ("max", .most)]

  /// The keys of percentiles: p0.1 to p99.9.
  private static let percentiles = "^p(0\\.[1-9]|[1-9][0-9]?(\\.[1-9])?)$"

  /// Whether a key is meant as a percentile.
  static func isOfPercentile(_ key: String) -> Bool {
    let bytes = key.utf8
    return bytes.first == UInt8(ascii: "p") && bytes.count > 1
      && bytes.dropFirst().allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
  }

  /// Returns the statistic of a key such as `p95` or `p99.9`; nil if it is no percentile.
  ///
  /// No percentile has two keys: there is no p095, and no p95.0.
  static func percentile(_ key: String) -> Threshold.Statistic? {
    guard isOfPercentile(key), let decimal = ExactDecimal(String(key.dropFirst())),
      case .exact(let rank) = decimal.integer(scaledBy: 10), 1...999 ~= rank,
      name(ofRank: rank) == key
    else { return nil }
    return .quantile(perMille: rank)
  }

  private static func name(ofRank rank: Int64) -> String {
    rank % 10 == 0 ? "p\(rank / 10)" : "p\(rank / 10).\(rank % 10)"
  }

  /// Returns the key of a statistic that is one number.
  static func key(of statistic: Threshold.Statistic) -> String {
    if let key = numbers.first(where: { $0.statistic == statistic })?.key { return key }
    if case .quantile(let rank) = statistic { return name(ofRank: rank) }
    return ""
  }

  static let outcomeKind = FieldKind<SessionOutcome>.word()
  private static let names: Schema = .either([.string, .list(.string, least: 1)])
  static let selection: ObjectKind = ObjectKind(
    "thresholdSessions", "a selection of sessions",
    rows: [
      KeyRow(
        name: "seed", schema: .either([.integer(0...Int64.max), .list(.integer(0...Int64.max))]),
        presence: .optional, about: "the seeds")
    ], others: names)
  static let shares: ObjectKind = ObjectKind(
    "thresholdShare", "a bound", rows: comparisons(FieldKind<Int64>.share.schema))
  static let differences: ObjectKind = ObjectKind(
    "thresholdDifference", "a bound", rows: comparisons(.either([.number, .string])))

  static let object: ObjectKind = ObjectKind(
    "threshold", "a threshold",
    rows: [
      of.row, sessions.row, level.row, about.row, share.row, difference.row, to.row, decides.row,
      metric.optional, outcome.optional,
    ], cases: Metric.NumberUnit.allCases.map(figures))

  /// The comparisons of figures of a unit.
  private static func figures(_ unit: Metric.NumberUnit) -> ObjectKind.Case {
    let words = SessionFigure.all.filter { $0.unit == unit }.map { $0.word }
    let kind = bounds(unit, isMean: false), mean = bounds(unit, isMean: true)
    return ObjectKind.Case(
      .words(words, of: "metric"),
      rows: comparisons(unit.kind.schema)
        + numbers.map { key, statistic in
          KeyRow(
            name: key, schema: .object { statistic == .mean ? mean : kind }, presence: .optional,
            about: about(statistic))
        } + [
          KeyRow(
            name: "pN", schema: .object { kind }, presence: .optional,
            about: "what N % of the sessions do not exceed, as in 'p95' or 'p99.9'",
            pattern: percentiles)
        ])
  }

  private static func about(_ statistic: Threshold.Statistic) -> String {
    switch statistic {
    case .mean: "the mean over the sessions"
    case .least: "the least of any session"
    case .most: "the greatest of any session"
    case .quantile(let rank): "what \(rank / 10) % of the sessions do not exceed"
    case .share, .difference: ""
    }
  }

  /// A bound on figures of a unit; means of things have parts.
  static func bounds(_ unit: Metric.NumberUnit, isMean: Bool) -> ObjectKind {
    let isFine = isMean && unit == .count
    return ObjectKind(
      "\(unit)\(isFine ? "Mean" : "")Threshold", "a bound",
      rows: comparisons(isFine ? .number : unit.kind.schema))
  }

  private static func comparisons(_ schema: Schema) -> [KeyRow] {
    Condition.Comparison.rows(schema) + RangeKeys.rows(schema)
  }
}
