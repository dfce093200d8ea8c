import Autowait

/// Why a player of a run waited and stalled, and what would have spared it that.
package struct Explanation: Sendable {
  /// Why a stall happened.
  package struct StallReason: Sendable {
    /// The stall.
    package let stoppage: Stoppage
    /// What made it.
    package let causes: StallCauses
    /// What would have spared the player it; nil if that was not asked.
    package let counterfactuals: [Counterfactual]?
  }

  /// What a thing cost at the start.
  package struct StartupCost: Hashable, Sendable {
    /// What is taken away.
    package let remedy: Remedy
    /// The startup without it; nil if playback then never starts.
    package let without: TimeSpan?
    /// The startup with it and without all the others.
    package let alone: TimeSpan?
  }

  /// How much is asked about a run.
  package enum Depth: Sendable {
    /// What made it wait: a run for each thing that may have.
    case causes
    /// Also what would have spared it that: a hundred runs for each stall.
    case whole
  }

  /// The player.
  package let player: Int
  /// What the run came to for it.
  package let outline: RunOutline.PlayerOutline
  /// The stalls, in their order; more than a bound are not explained.
  package let stalls: [StallReason]
  /// What made the start late, what costs most first.
  package let startup: [StartupCost]
  /// The startup without all of it.
  package let startupRest: TimeSpan?
  /// How many runs it took.
  package let runCount: Int

  /// The most stalls of a player that are explained.
  package static let stallsMax = 5

  /// Explains what a player of a world did; nil if a rule must be asked, or the run is cut off.
  package init?(_ world: World, player: Int, _ depth: Depth = .whole) {
    guard var whatIf = WhatIf(world, player: player) else { return nil }
    let outline = whatIf.outline.players[player]
    var stalls: [StallReason] = []
    for (number, stoppage) in outline.stoppages.prefix(Self.stallsMax).enumerated() {
      let causes = StallCauses(of: number, in: &whatIf)
      let counterfactuals = depth == .whole ? Counterfactual.all(of: number, in: &whatIf) : nil
      stalls.append(
        StallReason(stoppage: stoppage, causes: causes, counterfactuals: counterfactuals))
    }
    (self.player, self.outline, self.stalls) = (player, outline, stalls)
    (startup, startupRest) = Self.startup(&whatIf)
    runCount = whatIf.runCount
  }

  /// Returns what made the start of a player late, what costs most first, and the startup without
  /// all of it.
  package static func startup(
    _ whatIf: inout WhatIf
  ) -> (costs: [StartupCost], rest: TimeSpan?) {
    let player = whatIf.player
    let whole = whatIf.outline.players[player].startup
    if whole == .zero || whatIf.outline.players[player].wished == nil { return ([], nil) }
    var all: [Remedy] = []
    var without: [TimeSpan?] = []
    var remedies = Remedy.incidents + [.roundTrips, .startBuffer(.zero)]
    if let lowest = StallCauses.lowestRate(of: whatIf) { remedies.append(.variant(max: lowest)) }
    for remedy in remedies {
      guard let other = whatIf.run([remedy])?.players[player] else { continue }
      if other.startup == whole { continue }
      all.append(remedy)
      without.append(other.startup)
    }
    let rest = whatIf.run(all)?.players[player].startup
    var costs: [StartupCost] = []
    for (place, remedy) in all.enumerated() {
      let others = all.filter { $0 != remedy }
      let alone = whatIf.run(others)?.players[player].startup
      costs.append(StartupCost(remedy: remedy, without: without[place], alone: alone))
    }
    costs.sort { ($0.without?.nanoseconds ?? .max) < ($1.without?.nanoseconds ?? .max) }
    return (costs, rest)
  }
}
