import Autowait

/// What the worlds of a law have in common; what is not said is drawn.
package struct WorldShape: Hashable, Sendable {
  /// What an item is.
  package enum Item: Hashable, Sendable {
    /// A file, local or progressive.
    case file
    /// A stream that is not live.
    case stream
    /// A stream, live if it is the first of its player.
    case live
  }

  /// A rule by which players wait.
  package enum Rule: Hashable, Sendable {
    /// Any but a program, which only a driver can answer for.
    case builtIn
    /// One that is made of conditions.
    case conditions
    /// A program.
    case program
  }

  /// How the links are modelled.
  package var tier: LinkTier?
  /// What the items are.
  package var item: Item?
  /// How the players wait.
  package var rule: Rule?
  /// Whether there is one player, or more.
  package var isAlone: Bool?
  /// Whether links have tracks of hundreds of samples, and items last for minutes.
  package var isLong = false

  /// Any world.
  package init() {}

  /// Worlds that share what is said.
  package init(
    _ tier: LinkTier?, _ item: Item? = nil, rule: Rule? = nil, isAlone: Bool? = nil,
    isLong: Bool = false
  ) {
    self.tier = tier
    self.item = item
    self.rule = rule
    self.isAlone = isAlone
    self.isLong = isLong
  }
}
