/// When each player turns, and how long that is certain whatever the link does.
///
/// It saves a world of many players a look at each of them at every event, and is all of them that
/// need be read there.
struct Certainty: Sendable {
  private static var unbounded: DataAmount { DataAmount(nanobits: .max) }

  /// What is known of one player.
  private struct Known {
    /// When it turns, and up to when that is certain; never if it is for good.
    var (turn, until) = (Instant.never, Instant.never)
    /// How much the link may have brought to a flow until it is not certain any more.
    var amount = Certainty.unbounded
    /// Whether it must be looked at whenever anything happens.
    var isUnsure = true
    /// Whether it is to hear at once how its flows go on.
    var hears = true
  }

  private var known: [Known]

  /// Whether those that must be looked at are searched; the rest is kept only then.
  private let isCrowd: Bool
  /// The players that must be looked at, and those that are to hear at once.
  private var unsure: PlaceSet
  private var hearing: PlaceSet
  /// When each of the others turns, and how much may have come by then.
  private var turns: Minima<Instant>
  private var amounts: Minima<DataAmount>
  /// When each of them is to be looked at as the link changes: at its turn, and behind what is
  /// certain.
  private var looks: Minima<Instant>

  init(playerCount: Int, isCrowd: Bool) {
    self.isCrowd = isCrowd
    known = (0..<playerCount).map { _ in Known() }
    let count = isCrowd ? playerCount : 0
    unsure = PlaceSet(allOf: count)
    hearing = PlaceSet(allOf: count)
    turns = Minima(repeating: .never, count: count)
    amounts = Minima(repeating: Self.unbounded, count: count)
    looks = Minima(repeating: .never, count: count)
  }

  /// Takes note that a player must be looked at.
  @inline(__always)
  mutating func forget(_ player: Int) {
    if known[player].isUnsure { return }
    known[player] = Known()
    if isCrowd { forgetInCrowd(player) }
  }

  /// Apart, because what a loop writes into is made ready before it, whether it is written or not
  /// (measured: a fortieth of the time of two players).
  @inline(never)
  private mutating func forgetInCrowd(_ player: Int) {
    unsure.insert(player)
    hearing.insert(player)
    turns[player] = .never
    looks[player] = .never
    amounts[player] = Self.unbounded
  }

  /// Takes note that a player of a small world turns at another instant, as certainly as before.
  @inline(__always)
  mutating func move(_ player: Int, to turn: Instant) {
    assert(!isCrowd, "a player of a crowd is found by its turn")
    known[player].turn = turn
  }

  /// Takes note of a player's turn, up to when it is certain, and how much may come to a flow until
  /// then.
  mutating func note(_ turn: Player.Turn, of player: Int, told: DataAmount, hearsLater: Bool) {
    guard let instant = turn.certain else { return forget(player) }
    let end = turn.certainUntil
    let amount = turn.dataMax.map { told + $0 } ?? Self.unbounded
    assert(instant == .never || end != .start, "a turn is certain for no time")
    known[player] = Known(
      turn: instant, until: end, amount: amount, isUnsure: false,
      hears: isCrowd ? !hearsLater : known[player].hears && !hearsLater)
    if !isCrowd { return }
    unsure.remove(player)
    if hearsLater { hearing.remove(player) } else { hearing.insert(player) }
    turns[player] = instant
    amounts[player] = amount
    looks[player] = end < instant ? Instant(nanoseconds: end.nanoseconds + 1) : instant
  }

  /// When a player turns; nil if it must be looked at whenever anything happens.
  @inline(__always)
  func turn(of player: Int) -> Instant? {
    known[player].isUnsure ? nil : known[player].turn
  }

  /// Up to when it is certain that a player does not turn, and how much may have come to a flow by
  /// then; nil if it must be looked at whenever anything happens.
  @inline(__always)
  func rest(of player: Int) -> (until: Instant, amount: DataAmount)? {
    let known = known[player]
    if known.isUnsure { return nil }
    let last = Instant(nanoseconds: known.turn.nanoseconds - 1)
    return (min(last, known.until), known.amount)
  }

  /// Whether the turn of a player is certain for some time only.
  @inline(__always)
  func isBounded(_ player: Int) -> Bool {
    !known[player].isUnsure && known[player].until != .never
  }

  @inline(__always)
  func isCertain(_ player: Int, until instant: Instant) -> Bool { known[player].until >= instant }

  /// When a player turns; nil if something may happen to it before that and before the link has
  /// changed and has brought so much to a flow.
  @inline(__always)
  func turn(of player: Int, at now: Instant, linkChange: Instant, most: DataAmount) -> Instant? {
    let known = known[player]
    guard !known.isUnsure, known.turn > now, known.turn != linkChange,
      known.until >= min(known.turn, linkChange), most <= known.amount
    else { return nil }
    return known.turn
  }

  /// Whether a player may hear later how its flow goes on.
  @inline(__always)
  func hearsLater(_ player: Int) -> Bool { !known[player].hears }

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
