import Autowait

/// What the worlds of a law have in common; what is not said is drawn.
public struct WorldShape: Hashable, Sendable {
  /// What an item is.
  public enum Item: Hashable, Sendable {
    /// A file, local or progressive.
    case file
    /// A stream that is not live.
    case stream
    /// A stream, live if it is the first of its player.
    case live
  }

  /// A rule by which players wait.
  public enum Rule: Hashable, Sendable {
    /// Any but a program, which only a driver can answer for.
    case builtIn
    /// One that is made of conditions.
    case conditions
    /// A program.
    case program
  }

  /// How the links are modelled.
  public var tier: LinkTier?
  /// What the items are.
  public var item: Item?
  /// How the players wait.
  public var rule: Rule?
  /// Whether there is one player, or more.
  public var isAlone: Bool?
  /// Whether links have tracks of hundreds of samples, and items last for minutes.
  public var isLong = false

  /// Any world.
  public init() {}

  /// Worlds that share what is said.
  public init(
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
