import Autowait
import AutowaitScenario

/// The keys of an experiment.
package enum ExperimentKeys {
  static let schema = Key("$schema", .string, "the schema by which an editor checks the file")
  static let experiment = Key(
    "experiment", .integer(in: 1...Int64.max).described(as: .integer(1...1)), .required,
    "the version of the format: 1")
  static let name = Key("name", .string, "what the experiment is called; its path")
  static let about = Key("about", .string, "what it asks, for readers")
  static let base = Key(
    "base", .any(.either([.string, ScenarioKeys.part])), .required,
    "the scenario that all sessions begin with, or its path")
  static let vary = Key(
    "vary", .object(of: varied), "the keys of the scenario that vary, and their values")
  /// The seeds among what varies.
  static let seed: Key<JSONValue> = VaryKeys.seed(countMax: ExperimentPlan.sessionsMax)
  static let varied: ObjectKind = ObjectKind(
    "vary", "what varies", rows: [seed.row], others: .any)
  static let metrics = Key(
    "metrics", .list(of: FieldKind<Metric>.word()), "further figures for each session")
  static let margin = Key(
    "margin", .time, .standard("0"), "the difference of startup times that counts as none")
  static let stop = Key(
    "stop", .object(of: StopKeys.object), "when there have been enough seeds")
  static let yardstick = Key(
    "yardstick", .any(.either([.bool, .words(YardstickKind.allCases.map { $0.rawValue })])),
    .standard("true"), "the stalls that no rule can avoid: what they are reckoned by, or none")
  static let baseline = Key(
    "baseline", .string, "the contestant that the others are compared with; the first")
  static let thresholds = Key(
    "thresholds", .array(of: ThresholdKeys.object),
    "bounds on what the sessions of contestants amount to")
  package static let object: ObjectKind = ObjectKind(
    "experiment", "an experiment", schema.row, experiment.row, name.row, about.row, base.row,
    vary.row, metrics.row, margin.row,
    stop.row, yardstick.row, baseline.row, thresholds.row)
}

/// The keys of a rule to stop.
enum StopKeys {
  static let halfWidth = Key(
    "halfWidth", .positiveTime, .required, "how far the startup time may be off to either side")
  static let every = Key(
    "every", .integer(in: 2...1_000_000), .standard("20"), "after how many seeds that is asked")
  static let object: ObjectKind = ObjectKind("stop", "a rule to stop", halfWidth.row, every.row)
}
