import Autowait
import AutowaitScenario

/// What an experiment is going to run: every session has a number, and none is there before it is
/// asked for.
///
/// A *contestant* is one value for each axis that belongs to the player and its rule. A *world* is
/// one value for each other axis. A *unit* is a world under a seed: all contestants meet it, so
/// that their differences are known where the unit is run, and nothing of it needs to be kept.
package struct ExperimentPlan: Sendable {
  /// The version of the format of experiments.
  package static let formatVersion: Int64 = 1
  /// The most contestants: what is kept of an experiment grows with their number.
  package static let contestantsMax = 10_000
  /// The most contestants on links: for each such pair some numbers are kept.
  package static let pairsMax = 2_000_000
  /// The most worlds: what is kept grows with the number of traces among them.
  package static let worldsMax = 10_000_000
  /// The most sessions: 10^15, or what the machine can count.
  package static let sessionsMax = Int(clamping: Int64(1_000_000_000_000_000))

  /// The path of the file as the user wrote it.
  package let path: String
  /// What the experiment is called; its path if it has no name.
  package let name: String
  /// What the experiment asks.
  package let about: String
  /// The axes whose values are compared.
  package internal(set) var contestantAxes: [Axis]
  /// The axes whose values all contestants meet.
  package let worldAxes: [Axis]
  /// The seeds.
  package let seeds: SeedList
  /// The number of seeds that the experiment was told to have; nil if it has its own.
  package internal(set) var seedCount: Int?
  /// The metrics that rows have beside those that all have.
  package let metrics: [Metric]
  /// The number of the contestant that the others are held against.
  package internal(set) var baseline: Int
  /// How far two times may be apart and still be practically equal.
  package let margin: TimeSpan
  /// When enough seeds have been seen; nil for all of them.
  package let stop: StopRule?
  /// What every session is held against; nil for nothing.
  package let yardstick: YardstickKind?
  /// The digest of the experiment: of its file, its base, and what was given beside them.
  package let digest: UInt64

  let base: JSONValue
  /// Where the parts of the base came from, if a command changed it.
  var changedBase: MergedText?
  /// What a command changed in the base, as it was given.
  package internal(set) var changes: [String] = []
  /// The paths among the values, which are relative to the experiment and not to its base.
  let variedPaths: [String]

  /// The bounds on what sessions amount to.
  package internal(set) var thresholds: [Threshold] = []
  /// What sessions came to when a baseline was saved; nil if nobody gives that.
  package var saved: SavedBaseline?

  /// What the base expects of every session, without what only warns.
  package internal(set) var expected: [BaseExpectation] = []

  /// The number of contestants.
  package var contestantCount: Int { Self.count(contestantAxes) }
  /// The number of worlds, each of which is met under every seed.
  package var worldCount: Int { Self.count(worldAxes) }
  /// The number of units.
  package var unitCount: Int { worldCount * seeds.count }
  /// The number of sessions.
  package var sessionCount: Int { unitCount * contestantCount }

  private static func count(_ axes: [Axis]) -> Int {
    axes.reduce(1) { $0 * $1.values.count }
  }
}

/// Something that the base of an experiment expects of every session.
package struct BaseExpectation: Sendable {
  /// Where something stands.
  package typealias Place = (source: SourceText, range: Range<Int>)

  /// The expectation, in one line.
  package let text: String
  /// Where it stands; nil if that is a file which the base extends.
  package let place: Place?
}

/// What the best that was possible is.
package enum YardstickKind: String, CaseIterable, Hashable, Sendable {
  /// The earliest start without a stall in a buffer that has no limit.
  case unlimited
  /// The earliest start without a stall in the buffer that the contestant has.
  case ownBuffer
}

/// A world under a seed, which all contestants meet.
package struct ExperimentUnit: Hashable, Sendable {
  /// Its number, from zero.
  package let index: Int
  /// The number of its world.
  package let world: Int
  /// The place of its seed in the list.
  package let seedIndex: Int
  /// Its seed.
  package let seed: UInt64
}

extension ExperimentPlan {
  /// The seeds of a block: all of them, unless a rule may stop the experiment behind each block.
  package var blockSeeds: Int { min(stop?.block ?? seeds.count, seeds.count) }

  /// The units of a block; the last block may have fewer.
  package var blockUnits: Int { blockSeeds * worldCount }

  /// Returns a unit by its number.
  ///
  /// Seeds run fastest, so that a world is read once for many; blocks of seeds run slowest, so that
  /// an experiment can stop early.
  package func unit(_ index: Int) -> ExperimentUnit {
    precondition(0..<unitCount ~= index, "a unit that does not exist")
    let block = index / blockUnits
    let place = index % blockUnits
    let seedsHere = min(blockSeeds, seeds.count - block * blockSeeds)
    let seedIndex = block * blockSeeds + place % seedsHere
    return ExperimentUnit(
      index: index, world: place / seedsHere, seedIndex: seedIndex, seed: seeds[seedIndex])
  }

  /// Returns the unit of a session.
  package func unit(of key: SessionKey) -> ExperimentUnit { unit(key.number / contestantCount) }

  /// Returns the contestant of a session.
  package func contestant(of key: SessionKey) -> Int { key.number % contestantCount }

  /// Returns the key of a contestant's session in a unit.
  package func key(unit: Int, contestant: Int) -> SessionKey {
    SessionKey(unit * contestantCount + contestant)
  }

  /// Returns the places of a contestant's values on its axes.
  package func contestantPlaces(_ contestant: Int) -> [Int] {
    Self.places(contestant, contestantAxes)
  }

  /// Returns the places of a world's values on its axes.
  package func worldPlaces(_ world: Int) -> [Int] { Self.places(world, worldAxes) }

  /// Returns the name of a contestant: those of its values, the first axis first.
  package func contestantName(_ contestant: Int) -> String {
    let names = zip(contestantAxes, contestantPlaces(contestant)).map { axis, place in
      axis.key == "heuristic"
        ? axis.values[place].name
        : "\(axis.path.last ?? axis.key) \(axis.values[place].name)"
    }
    return names.isEmpty ? "base" : names.joined(separator: " ")
  }

  /// Returns what a session is called: after the experiment, its number, contestant and world.
  package func sessionName(of key: SessionKey) -> String {
    let world = worldNames(unit(of: key).world).map { ", \($0)" }.joined()
    return "\(name): session \(key.number), \(contestantName(contestant(of: key)))\(world)"
  }

  /// The names of all contestants, by number.
  package var contestantNames: [String] { (0..<contestantCount).map { contestantName($0) } }

  /// Returns the names of a world's values, by axis.
  package func worldNames(_ world: Int) -> [String] {
    zip(worldAxes, worldPlaces(world)).map { $0.values[$1].name }
  }

  /// The first axis varies slowest.
  private static func places(_ number: Int, _ axes: [Axis]) -> [Int] {
    var rest = number
    var places: [Int] = []
    for axis in axes.reversed() {
      places.append(rest % axis.values.count)
      rest /= axis.values.count
    }
    return places.reversed()
  }

  /// Returns the scenario of a contestant in a world, without its seed.
  func composition(
    contestant: Int, world: Int, with more: [(path: [String], piece: ScenarioPiece)] = []
  ) -> Composition {
    let all = zip(
      contestantAxes + worldAxes, contestantPlaces(contestant) + worldPlaces(world))
    return Composition(
      base: base, path: path, changed: changedBase,
      all.map { (path: $0.path, piece: $0.values[$1].piece, key: $0.place) }
        + more.map { (path: $0.path, piece: $0.piece, key: nil) })
  }

  /// Whether a rule of the experiment may be a program, by what its base and its values name.
  package var namesPrograms: Bool {
    let axes = contestantAxes + worldAxes
    return Self.namesProgram(base)
      || axes.contains { axis in
        axis.path.last == Self.programKey
          || axis.values.contains { Self.namesProgram($0.piece.value) }
      }
  }

  private static let programKey = "program"

  /// Whether an object within a value has a program.
  private static func namesProgram(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .array: value.elements.contains { namesProgram($0) }
    case .object:
      value.members.contains { $0.key.string == programKey || namesProgram($0.value) }
    case .null, .false, .true, .number, .string: false
    }
  }

  /// Returns the text of the scenario that a session runs, which `autowait run` would take.
  package func scenarioText(contestant: Int, world: Int) -> SourceText {
    composition(contestant: contestant, world: world).source
  }
  /// Returns what makes a contestant, as the members of a scenario that it is.
  package func contestantText(_ contestant: Int) -> String {
    let source = composition(contestant: contestant, world: 0).source
    guard let root = Findings(source).parseJSON() else { return "" }
    let keys = contestantAxes.compactMap { $0.path.first }
    return root.members.compactMap { member in
      guard let key = member.key.string, keys.contains(key) else { return nil }
      return JSONWriter.text { $0.string(text: key) } + ": "
        + JSONWriter.text { $0.value(member.value) }
    }.joined(separator: ", ")
  }
}
