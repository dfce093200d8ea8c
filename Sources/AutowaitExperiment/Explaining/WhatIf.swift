import Autowait

/// Runs a world again and again with things changed, each combination once.
package struct WhatIf {
  /// The world as it is.
  package let world: World
  /// What its run came to.
  package let outline: RunOutline
  /// The player that is looked at.
  package let player: Int
  /// How many runs were made.
  package private(set) var runCount = 1
  private var known: [[Remedy]: RunOutline] = [:]

  /// Runs a world; nil if a rule of it must be asked, or if the run is cut off.
  package init?(_ world: World, player: Int) {
    var pinned = world
    pinned.tier = world.tierChoice.tier
    guard let outline = RunOutline(of: pinned) else { return nil }
    (self.world, self.outline, self.player) = (world, outline, player)
  }

  /// Returns what the run comes to with things changed; nil if they cannot be changed.
  package mutating func run(_ remedies: [Remedy]) -> RunOutline? {
    if let outline = known[remedies] { return outline }
    guard let changed = world.changed(by: remedies, for: player) else { return nil }
    runCount += 1
    guard let outline = RunOutline(of: changed) else { return nil }
    known[remedies] = outline
    return outline
  }

  /// Returns how much of a stall remains with things changed; nil if they cannot be changed, or if
  /// playback does not come that far.
  package mutating func remains(of stall: Int, with remedies: [Remedy]) -> TimeSpan? {
    run(remedies).flatMap { outline.remains(of: stall, of: player, in: $0) }
  }

  /// Whether a stall does not happen with things changed, and playback passes its place.
  package mutating func isAvoided(_ stall: Int, with remedy: Remedy) -> Bool {
    remains(of: stall, with: [remedy]) == .zero
  }

  /// Returns those of some changes that make a difference to the run.
  package mutating func effective(_ remedies: [Remedy]) -> [Remedy] {
    var found: [Remedy] = []
    for remedy in remedies {
      if let other = run([remedy]), other.fingerprint != outline.fingerprint {
        found.append(remedy)
      }
    }
    return found
  }
}
