import Autowait

/// The keys of what varies: paths into a scenario, each with values, and the seeds.
package enum VaryKeys {
  /// The seeds, of which there may be so many.
  package static func seed(countMax: Int) -> Key<JSONValue> {
    Key(
      "seed",
      .any(
        .either([
          .list(.integer(0...Int64.max), least: 1), .integer(1...Int64(countMax)),
          .object { SeedRangeKeys.object },
        ])), "the seeds: a list; a count, starting at 1; or the first and the last")
  }

  static let seed: Key<JSONValue> = seed(countMax: VariedRuns.countMax)
  /// Paths and their values, of which each combination is a run.
  static let matrix: ObjectKind = ObjectKind(
    "varied", "what varies", rows: [seed.row], others: .any)
  /// The two ways to say what varies.
  static let forms: Schema = .either([
    .object { matrix }, .list(.object { VariedRunKeys.object }, least: 1), .null,
  ])
}

/// The keys of a range of seeds.
package enum SeedRangeKeys {
  package static let from = Key("from", .integer(in: 0...Int64.max), .required, "the first seed")
  package static let to = Key("to", .integer(in: 0...Int64.max), .required, "the last seed")
  package static let object: ObjectKind = ObjectKind(
    "seedRange", "a range of seeds", from.row, to.row)
}

/// The keys of a run that has a name, or of a value that sets several others.
enum VariedRunKeys {
  static let name = Key("name", .string, .required, "what the run is called")
  static let set = Key(
    "set", .object(of: VariedRunKeys.paths), "paths into the scenario and the values there")
  static let expect = Key(
    "expect", .array(of: ExpectationKeys.forms), "what else is expected of this run")
  static let xfail = Key("xfail", .reason, "why this run is known to fail")
  static let object: ObjectKind = ObjectKind(
    "variedRun", "a run", name.row, set.row, expect.row, xfail.row)

  /// The paths that a run sets.
  static let paths: ObjectKind = ObjectKind(
    "variedPaths", "what a run sets", rows: [], others: .any)
}
