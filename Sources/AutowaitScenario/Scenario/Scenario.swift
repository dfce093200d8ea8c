import Autowait

/// A scenario as it was read: a world, what is expected of it, and the names people gave things.
public struct Scenario: Sendable {
  /// The version of the scenario file's format.
  package static let formatVersion: Int64 = 1

  /// The path of the file as the user wrote it.
  public var path: String
  /// What the scenario is called; its path if it has no name.
  public var name: String
  /// What the scenario shows.
  public var about: String
  /// The world that is run.
  package var world: World
  /// What of the world was drawn from its seed; nil if nothing was.
  package var drawing: WorldDraws?
  /// What is expected of the run.
  public var expectations: [Expectation]
  /// The names of the players, by number.
  public var playerNames: [String]
  /// The names of the link's conditions, by number.
  public var linkNames: [String]
  /// What the rates of the link's conditions were measured as, by number; nil if they do not say.
  package var traceKinds: [TraceKind?]
  /// The hosts that have links of their own; the first that matches counts.
  package var hosts: [HostLink]
  /// What the items are called, by player and item; nil for those without a name.
  package var itemNames: [[String?]]
  /// What the parts of streams are called, by player and item; nil for files.
  package var streamNames: [[StreamNames?]]
  /// The hosts that have media and keys, by player and item.
  package var hostNames: [[HostNames]]
  /// What the steps of the script do, in a word each.
  package var stepNames: [String]
  /// The programs that answer for the players' rules, by player; nil for rules that are built in.
  package var programs: [ExternalProgram?]
  /// The scenario with all that it includes, as one line of JSON.
  package var resolved: [UInt8]

  /// The files that are too large to be part of it, by their path from the scenario, with digests.
  package var inputs: [InputFile]
  /// The words by which it is chosen to be tested.
  package var tags: [String] = []
  /// Why it is known to fail, if it is.
  package var expectedFailure: ExpectedFailure?
  /// The name of the run that it is, of a file that varies; nil for the only run of a file.
  package var runName: String?

  /// The name, with that of the run behind it.
  package var title: String { runName.map { "\(name) [\($0)]" } ?? name }

  /// The digest of the resolved scenario.
  package var digest: UInt64 {
    var fingerprint = Fingerprint()
    fingerprint.mix(bytes: resolved)
    return fingerprint.value
  }
}
