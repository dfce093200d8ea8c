import Autowait
import AutowaitScenario

/// A scenario that was drawn from a number, with the files that it names.
package struct DrawnWorld: Sendable {
  /// What a world is, for the shares that a run of many has of each.
  package struct Kind: Hashable, Sendable {
    /// How the links are modelled.
    package var tier = LinkTier.ideal
    /// Whether a live stream is in it.
    package var isLive = false
    /// Whether it has two or more players that differ.
    package var hasUnlikePlayers = false
  }

  /// The number that it was drawn from.
  package let seed: UInt64
  /// The scenario.
  package var draft: Draft
  /// The files that it may name, by path.
  package var files: [(path: String, text: String)]
  /// What it was meant to be.
  package var kind: Kind

  /// The path under which the scenario is read.
  static let path = "world.json"

  /// Creates a world from a scenario that was written by hand, or found.
  ///
  /// The number decides where the run is looked at, cut into pieces and copied.
  package init(_ draft: Draft, files: [(path: String, text: String)] = [], seed: UInt64 = 0) {
    self.seed = seed
    self.draft = draft
    self.files = files
    kind = Kind()
  }

  /// Draws the valid world of a number: a draw that the reader refuses is followed by another one.
  ///
  /// Returns also how many were refused.
  package static func valid(
    _ seed: UInt64, of shape: WorldShape = WorldShape()
  ) -> (world: DrawnWorld, scenario: Scenario, refused: Int) {
    var refused = 0
    while true {
      let world = DrawnWorld(seed, of: shape, attempt: refused)
      if let scenario = world.read().scenario { return (world, scenario, refused) }
      refused += 1
      precondition(refused < 50, "world \(seed) is refused again and again")
    }
  }

  /// Draws the world of a number, which may be refused.
  package init(_ seed: UInt64, of shape: WorldShape = WorldShape(), attempt: Int) {
    var draw = WorldDraw(seed, of: shape, attempt: attempt)
    self.seed = seed
    draft = draw.scenario()
    files = draw.files
    kind = draw.kind
  }

  /// Reads the scenario.
  package func read() -> (scenario: Scenario?, findings: [Finding]) {
    let source = SourceText(path: Self.path, text: draft.text)
    let run = ScenarioReader.runNames(source, loader: loader)?.first
    return ScenarioReader.read(
      source, ScenarioReader.Variation(run: run), loader: loader, programs: .accepted)
  }

  /// Reads the files of the world.
  package var loader: FileLoader {
    let files = files
    return FileLoader { path, _ in
      guard let file = files.first(where: { $0.path == path }) else {
        return .failure(.doesNotExist)
      }
      return .success(SourceText(path: path, text: file.text))
    }
  }
}
