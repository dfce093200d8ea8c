import Autowait

/// The best that was possible: the earliest start without a stall, for a player that knows all.
///
/// It depends on the network, the media, and the variants that were chosen, and on nothing that a
/// rule for starts decides.
public struct Yardstick: Hashable, Sendable {
  /// The instant before which no start is without a stall; nil if there is none.
  public private(set) var earliestStart: Instant?

  /// How finely starts in a buffer with a limit are told apart.
  private static let grain = TimeSpan.milliseconds(1)

  /// Reckons the yardstick of a world in a buffer without a limit: of a file, or of a stream whose
  /// variants are known; nil where the script does more than to play one item from its beginning.
  public init?(_ world: World, variants: [Int]? = nil) {
    guard let plain = PlainScript(world) else { return nil }
    self.init(world, plain, variants: variants)
  }

  init(_ world: World, _ plain: PlainScript, variants: [Int]?) {
    var quiet = Self.quiet(world, plain, variants)
    // Nothing of a rule matters where nobody wishes to play, but how far ahead it loads.
    quiet.players[0].keepUp = KeepUpPolicy()
    quiet.players[0].preferredForwardBufferDuration = .zero
    quiet.players[0].streaming.forwardBufferDefault = Limits.mediaMax
    var simulation = Simulation(quiet, keepsRecords: false)
    let curve = simulation.arrivalCurve(of: 0, duration: plain.duration)
    earliestStart = curve.earliestStart(at: plain.rate)
  }

  /// Returns the world in which nobody wishes to play.
  private static func quiet(_ world: World, _ plain: PlainScript, _ variants: [Int]?) -> World {
    var quiet = world
    quiet.script = plain.loading
    if let variants {
      quiet.players[0].streaming.adaptation.rule = .scripted(variants)
      quiet.players[0].streaming.adaptation.abandonedAfter = nil
    }
    return quiet
  }

  /// Holds on to starts that are without a stall also in the buffer that the player of a world has.
  ///
  /// Forks of a run in which only is loaded start at different instants. A start is looked for
  /// between the earliest in a buffer without a limit and the instant at which the buffer is full,
  /// from which on waiting gains nothing; it is found to a millisecond, upwards.
  public mutating func limit(to world: World, variants: [Int]? = nil) {
    if let plain = PlainScript(world) { limit(to: world, plain, variants: variants) }
  }

  mutating func limit(to world: World, _ plain: PlainScript, variants: [Int]?) {
    guard let earliest = earliestStart else { return }
    var quiet = Self.quiet(world, plain, variants)
    // Until it stalls a player is asked nothing of which the answer mattered.
    if quiet.players[0].keepUp.rule == .foreign {
      quiet.players[0].keepUp.rule = KeepUpPolicy().rule
    }
    let loading = Simulation(quiet, keepsRecords: false)
    func isWithoutStall(_ start: Instant) -> Bool {
      var fork = loading
      guard case .advanced = fork.advance(to: max(.start, start)) else { return false }
      fork.perform(.player(0, .playImmediately(plain.rate)))
      while fork.metrics(of: 0).stallCount == 0 {
        guard case .advanced = fork.step() else { break }
      }
      let metrics = fork.metrics(of: 0)
      return metrics.stallCount == 0 && metrics.playedToEndCount > 0
    }
    if isWithoutStall(earliest) { return }
    guard let full = Self.full(loading), full > earliest, isWithoutStall(full) else {
      earliestStart = nil
      return
    }
    var (early, late) = (earliest, full)
    while late - early > Self.grain {
      let middle = early + TimeSpan(nanoseconds: (late - early).nanoseconds / 2)
      if isWithoutStall(middle) { late = middle } else { early = middle }
    }
    earliestStart = late
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
