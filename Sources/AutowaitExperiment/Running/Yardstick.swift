import Autowait

/// The best that was possible: the earliest start without a stall, for a player that knows all.
///
/// It depends on the network, the media, and the variants that were chosen, and on nothing that a
/// rule for starts decides.
struct Yardstick {
  /// The instant before which no start is without a stall; nil if there is none.
  let earliestStart: Instant?

  /// Reckons the yardstick of a file, or of a stream whose variants are known.
  init(_ world: World, _ plain: PlainScript, variants: [Int]? = nil) {
    var quiet = world
    quiet.script = plain.loading
    // Nothing of a rule matters where nobody wishes to play, but how far ahead it loads.
    quiet.players[0].keepUp = KeepUpPolicy()
    quiet.players[0].preferredForwardBufferDuration = .zero
    if let variants {
      quiet.players[0].streaming.adaptation.rule = .scripted(variants)
      quiet.players[0].streaming.adaptation.abandonedAfter = nil
      quiet.players[0].streaming.forwardBufferDefault = Limits.mediaMax
    }
    var simulation = Simulation(quiet, keepsRecords: false)
    let curve = simulation.arrivalCurve(of: 0, duration: plain.duration)
    earliestStart = curve.earliestStart(at: plain.rate)
  }
}
