/// A player's rule in the session of another simulator, which knows nothing of requests under way.
extension PlayerSession {
  /// Begins a session for the stream of a simulator.
  init(_ player: PlayerRule, _ ladder: RuleLadder) {
    self.init(
      player,
      PlayerLadder(
        segmentDuration: ladder.segmentDuration, count: ladder.count,
        rates: ladder.bitRates.map { $0 * 1_000 }))
  }

  /// Returns the quality of the first segment.
  func first() -> Int {
    var session = self
    return session.choose(PlayerMoment(time: 0, level: 0, position: 0)).quality
  }

  /// Returns the quality of a segment with what the simulator expects of the network, and takes it
  /// for loaded.
  mutating func next(_ view: RuleView, _ ladder: RuleLadder) -> Int {
    let position = Double(view.segment) * ladder.segmentDuration - view.level
    let moment = PlayerMoment(time: view.time, level: view.level, position: max(0, position))
    let quality = choose(moment, estimate: view.throughput * 1_000).quality
    begin(
      PlayerRequest(
        segment: view.segment, quality: quality, size: ladder.nominalSizes[quality] / 8,
        opened: view.time))
    end(moment)
    assert(0...ladder.best ~= quality, "quality \(quality) of \(ladder.best)")
    return quality
  }
}
