/// When each player turns, and how long that is certain whatever the link does.
///
/// It saves a world of many players a look at each of them at every event, and is all of them that
/// need be read there.
struct Certainty: Sendable {
  private static let unbounded = DataAmount(nanobits: .max)

  /// The players that must be looked at whenever anything happens, and those that are to hear at
  /// once how their flows go on.
  private var unsure: PlaceSet
  private var hearing: PlaceSet
  /// When each of the others turns, up to when that is certain, never if it is for good, and how
  /// much the link may have brought to a flow until it is not certain any more.
  private var turns: Minima<Instant>
  private var untils: [Instant]
  private var amounts: Minima<DataAmount>
  /// When each of them is to be looked at as the link changes: at its turn, and behind what is
  /// certain.
  private var looks: Minima<Instant>

  /// Whether those that must be looked at are searched.
  private let isCrowd: Bool

  init(playerCount: Int, isCrowd: Bool) {
    self.isCrowd = isCrowd
    unsure = PlaceSet(allOf: playerCount)
    hearing = PlaceSet(allOf: playerCount)
    turns = Minima(repeating: .never, count: playerCount)
    untils = Array(repeating: .never, count: playerCount)
    amounts = Minima(repeating: Self.unbounded, count: playerCount)
    looks = Minima(repeating: .never, count: playerCount)
  }

  /// Takes note that a player must be looked at.
  @inline(__always)
  mutating func forget(_ player: Int) {
    if unsure.contains(player) { return }
    unsure.insert(player)
    hearing.insert(player)
    if !isCrowd { return }
    turns[player] = .never
    looks[player] = .never
    amounts[player] = Self.unbounded
  }

  /// Takes note of a player's turn, up to when it is certain, and how much may come to a flow until
  /// then.
  mutating func note(
    _ turn: Player.Turn, of player: Int, told: DataAmount, hearsLater: Bool
  ) {
    guard let instant = turn.certain else { return forget(player) }
    unsure.remove(player)
    if hearsLater { hearing.remove(player) } else if isCrowd { hearing.insert(player) }
    turns[player] = instant
    untils[player] = turn.certainUntil
    amounts[player] = turn.dataMax.map { told + $0 } ?? Self.unbounded
    let end = turn.certainUntil
    assert(instant == .never || end != .start, "a turn is certain for no time")
    if !isCrowd { return }
    looks[player] = end < instant ? Instant(nanoseconds: end.nanoseconds + 1) : instant
  }

  /// When a player turns; nil if it must be looked at whenever anything happens.
  @inline(__always)
  func turn(of player: Int) -> Instant? { unsure.contains(player) ? nil : turns[player] }

  /// Whether the turn of a player is certain for some time only.
  @inline(__always)
  func isBounded(_ player: Int) -> Bool { !unsure.contains(player) && untils[player] != .never }

  @inline(__always)
  func isCertain(_ player: Int, until instant: Instant) -> Bool { untils[player] >= instant }

  /// When a player turns; nil if something may happen to it before that and before the link has
  /// changed and has brought so much to a flow.
  @inline(__always)
  func turn(of player: Int, at now: Instant, linkChange: Instant, most: DataAmount) -> Instant? {
    let turn = turns[player]
    guard !unsure.contains(player), turn > now, turn != linkChange,
      untils[player] >= min(turn, linkChange), most <= amounts[player]
    else { return nil }
    return turn
  }

  /// Whether a player may hear later how its flow goes on.
  @inline(__always)
  func hearsLater(_ player: Int) -> Bool { !hearing.contains(player) }

  /// Adds the players that are to hear at once how their flows go on.
  func collectThoseThatHear(into players: inout [Int]) { hearing.collect(into: &players) }

  /// Adds the players that must be looked at now, or whose turn it is, by ascending number.
  mutating func collect(dueAt now: Instant, into players: inout [Int]) {
    unsure.collect(into: &players)
    let count = players.count
    turns.collect(upTo: now, into: &players)
    if players.count > count { players.sort() }
  }

  /// Adds the players that must be looked at before the link has changed and has brought so much to
  /// a flow, by ascending number.
  mutating func collect(_ linkChange: Instant, _ most: DataAmount, into players: inout [Int]) {
    unsure.collect(into: &players)
    let count = players.count
    // One that is never looked at is no exception when the link never changes.
    looks.collect(
      upTo: min(linkChange, Instant(nanoseconds: Instant.never.nanoseconds - 1)), into: &players)
    if most > .zero {
      amounts.collect(upTo: DataAmount(nanobits: most.nanobits - 1), into: &players)
    }
    if players.count == count { return }
    players.sort()
    var last = -1
    players.removeAll { player in
      defer { last = player }
      return player == last
    }
  }
}
