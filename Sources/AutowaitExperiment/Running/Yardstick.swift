import Autowait

/// The best that was possible: the earliest start without a stall, for a player that knows all.
///
/// Starts are told by a clock that stands while the application pauses. On it, a start that is late
/// enough for all media to be there in time waits as little as any way to play: what is played
/// waits, in all, until the last piece that is late has come.
///
/// It depends on the network, the media, and the variants that were chosen, and on nothing that a
/// rule for starts decides.
package struct Yardstick: Hashable, Sendable {
  /// The instant before which no start is without a stall; nil if there is none.
  package private(set) var earliestStart: Instant?
  /// The speed at which the media is played.
  let rate: PlaybackRate
  /// The items that are played.
  let itemCount: Int
  /// When the wish to play comes, of a script with pauses.
  let wish: Instant?
  /// When the application pauses, and the clock of starts stands.
  package let pauses: [Range<Instant>]

  /// How finely starts in a buffer with a limit are told apart.
  private static let grain = TimeSpan.milliseconds(1)

  /// Reckons the yardstick of a world in a buffer without a limit: of a file, or of a stream whose
  /// variants are known; nil where the script does more than to play from the beginning.
  package init?(_ world: World, variants: [Int]? = nil) {
    guard let plain = PlainScript(world) else { return nil }
    self.init(world, plain, variants: variants)
  }

  init(_ world: World, _ plain: PlainScript, variants: [Int]?, tape: PacketTape? = nil) {
    var quiet = Self.quiet(world, plain, variants)
    // Nothing of a rule matters where nobody wishes to play, but how far ahead it loads, and what
    // of a segment it takes as that comes.
    let policy = quiet.players[0].keepUp
    quiet.players[0].keepUp = KeepUpPolicy()
    quiet.players[0].keepUp.readStep = policy.readStep
    quiet.players[0].keepUp.followingBlock = policy.followingBlock
    quiet.players[0].keepUp.droppedSize = policy.droppedSize
    let rule = world.players[0].streaming.adaptation.rule
    if policy.readsAhead(besideModelledRule: rule.isModelled) {
      quiet.players[0].keepUp.readAhead = policy.readAhead
    }
    quiet.players[0].preferredForwardBufferDuration = .zero
    quiet.players[0].streaming.forwardBufferDefault = Limits.mediaMax
    var simulation = Simulation(quiet, keepsRecords: false, tape: tape)
    let curve = simulation.arrivalCurve(of: 0, duration: plain.firstDuration)
    earliestStart = curve.earliestStart(at: plain.rate, pauses: plain.pauses)
    rate = plain.rate
    pauses = plain.pauses
    itemCount = plain.itemCount
    wish = plain.pauses.isEmpty ? nil : plain.wish
    if itemCount > 2, let earliest = earliestStart, !Self.playsOn(quiet, plain, from: earliest) {
      earliestStart = nil
    }
  }

  /// Whether all items of a queue play one after another from a start that the first two allow.
  ///
  /// The third is loaded when the first has ended, and so depends on the start. None sooner is
  /// without a wait for the second; where this one is without any, it is the best.
  private static func playsOn(
    _ quiet: World, _ plain: PlainScript, from earliest: Instant
  ) -> Bool {
    var world = quiet
    world.players[0].keepUp.rule = .buffered(start: .zero, resume: .zero)
    world.players[0].keepUp.starvesBelow = .zero
    var simulation = Simulation(world, keepsRecords: false)
    // A nanosecond is lost to rounding for each of the two.
    let start = max(.start, earliest) + TimeSpan(nanoseconds: 2)
    guard case .advanced = simulation.advance(to: start) else { return false }
    simulation.perform(.player(0, .playImmediately(plain.rate)))
    _ = simulation.run()
    let metrics = simulation.metrics(of: 0)
    return metrics.stallCount == 0 && metrics.playedToEndCount == plain.itemCount
      && metrics.time(.gap) <= TimeSpan(nanoseconds: Int64(plain.itemCount))
  }

  /// Returns the world in which nobody wishes to play.
  private static func quiet(_ world: World, _ plain: PlainScript, _ variants: [Int]?) -> World {
    var quiet = world
    quiet.script = plain.loading
    quiet.players[0].latency = LatencyPolicy()
    if let variants {
      quiet.players[0].streaming.adaptation.rule = .scripted(VariantScript(variants))
      quiet.players[0].streaming.adaptation.abandonedAfter = nil
    }
    return quiet
  }

  /// Holds on to starts that are without a stall also in the buffer that the player of a world has.
  ///
  /// Forks of a run in which only is loaded start at different instants. A start is looked for
  /// between the earliest in a buffer without a limit and the instant at which the buffer is full,
  /// when every rule starts; it is found to a millisecond, upwards.
  /// What came of a start.
  private enum Attempt {
    case withoutStall, tooEarly, tooLate
  }

  mutating func limit(to world: World, _ plain: PlainScript, variants: [Int]?) {
    guard let earliest = earliestStart else { return }
    if !plain.pauses.isEmpty || plain.itemCount > 1 {
      // What a pause or a next item does to a buffer that is full, nobody has worked out here.
      earliestStart = nil
      return
    }
    var quiet = Self.quiet(world, plain, variants)
    // Of the player's rule nothing counts but the buffer: who knows all waits for no mark of it.
    quiet.players[0].keepUp.rule = .buffered(start: .zero, resume: .zero)
    quiet.players[0].keepUp.starvesBelow = .zero
    let loading = Simulation(quiet, keepsRecords: false)
    // A stall before the buffer was ever full meets all who start sooner, too. One behind that
    // meets all who start later: they had no more ahead when it was full, as no more fits.
    func attempt(_ start: Instant) -> Attempt {
      var fork = loading
      guard case .advanced = fork.advance(to: max(.start, start)) else { return .tooEarly }
      fork.perform(.player(0, .playImmediately(plain.rate)))
      var wasFull = false
      while fork.metrics(of: 0).stallCount == 0 {
        wasFull = wasFull || fork.snapshot(of: 0).isPlaybackBufferFull
        guard case .advanced = fork.step() else { break }
      }
      let metrics = fork.metrics(of: 0)
      if metrics.stallCount == 0, metrics.playedToEndCount > 0 { return .withoutStall }
      return wasFull ? .tooLate : .tooEarly
    }
    var found = attempt(earliest)
    if found == .withoutStall { return }
    earliestStart = nil
    guard let full = Self.full(loading), full > earliest else { return }
    var (early, late) = (earliest, full)
    found = attempt(full)
    if found == .withoutStall { earliestStart = full }
    while late - early > Self.grain {
      let middle = early + TimeSpan(nanoseconds: (late - early).nanoseconds / 2)
      found = attempt(middle)
      if found == .withoutStall { earliestStart = middle }
      if found == .tooEarly { early = middle } else { late = middle }
    }
  }

  /// The instant at which the buffer of a player that only loads is full; nil if it never is.
  private static func full(_ loading: Simulation) -> Instant? {
    var simulation = loading
    while !simulation.snapshot(of: 0).isPlaybackBufferFull {
      guard case .advanced = simulation.step() else { return nil }
    }
    return simulation.now
  }
}
