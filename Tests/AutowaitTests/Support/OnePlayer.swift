import Autowait

extension ScriptStep {
  /// Something that happens to the first player, some milliseconds after the start.
  static func at(_ milliseconds: Int64, _ action: PlayerAction) -> ScriptStep {
    ScriptStep(.at(.start + .milliseconds(milliseconds)), .player(0, action))
  }
}

extension Simulation {
  /// The run of a player on a link of one rate, which loads its first item at the start.
  static func onePlayer(
    _ media: Media..., bitsPerSecond: Int64, _ steps: [ScriptStep],
    until seconds: Int64 = 200, _ change: (inout PlayerConfiguration) -> Void = { _ in }
  ) -> Simulation {
    var player = PlayerConfiguration(media: media)
    change(&player)
    return Simulation.run(
      of: World(
        links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: bitsPerSecond)))],
        players: [player], script: [.at(0, .replaceCurrentItem(0))] + steps,
        horizon: .start + .seconds(seconds)))
  }

  /// The numbers of the segments of a list that are asked for, in order, between two instants in
  /// milliseconds.
  func segments(
    ofList wanted: Int32 = 0, from start: Int64 = 0, to end: Int64 = .max / 1_000_000
  ) -> [Int32] {
    log.records.compactMap { record in
      guard (start * 1_000_000..<end * 1_000_000).contains(record.instant.nanoseconds),
        case .segmentRequest(_, _, let list, let segment?, _) = record.event, list == wanted
      else { return nil }
      return segment
    }
  }
}
