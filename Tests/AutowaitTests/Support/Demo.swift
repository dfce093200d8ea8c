import Autowait
import Testing

/// The world of the stage demo: 39 s of 3.73 Mbit/s over a link of 3.2 Mbit/s without latency.
enum Demo {
  static let media = Media(
    .progressive, duration: .seconds(39), bitRate: BitRate(bitsPerSecond: 3_730_000))
  static let slow = LinkTrack(rate: BitRate(bitsPerSecond: 3_200_000))
  static let fast = LinkTrack(rate: BitRate(bitsPerSecond: 100_000_000))
  /// The first frame of the demo: 0.3 s are loaded.
  static let firstFrame = ScriptStep.Trigger.when(
    Condition([Condition.Test(.loaded, .atLeast, 300_000_000)]))

  /// A world of one player that loads its first item at the start.
  static func world(
    _ steps: ScriptStep..., on track: LinkTrack = slow, of media: Media = media,
    horizon: Int64 = 600
  ) -> World {
    World(
      links: [LinkProfile(track)], players: [PlayerConfiguration(media: [media])],
      script: [ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0)))] + steps,
      horizon: seconds(horizon))
  }

  /// A world of one player as another one with its player changed.
  static func with(_ world: World, _ change: (inout PlayerConfiguration) -> Void) -> World {
    var changed = world
    change(&changed.players[0])
    return changed
  }

  static func at(_ nanoseconds: Int64, _ action: PlayerAction) -> ScriptStep {
    ScriptStep(.at(Instant(nanoseconds: nanoseconds)), .player(0, action))
  }

  static func at(seconds: Int64, _ action: PlayerAction) -> ScriptStep {
    at(seconds * 1_000_000_000, action)
  }

  static func seconds(_ count: Int64) -> Instant {
    Instant(nanoseconds: count * 1_000_000_000)
  }
}

extension Simulation {
  /// A run of a world to its end.
  static func run(of world: World, keepsRecords: Bool = true) -> Simulation {
    var simulation = Simulation(world, keepsRecords: keepsRecords)
    var steps = 0
    while simulation.step() == .advanced { steps += 1 }
    return simulation
  }

  /// A run of a world up to an instant.
  static func run(of world: World, to nanoseconds: Int64) -> Simulation {
    var simulation = Simulation(world)
    _ = simulation.advance(to: Instant(nanoseconds: nanoseconds))
    return simulation
  }

  /// The events of a player, in order.
  func events(of player: Int = 0) -> [Event] {
    log.records.filter { $0.player == player }.map(\.event)
  }

  /// The nanoseconds at which an event happened to a player.
  func times(of event: Event, player: Int = 0) -> [Int64] {
    log.records.filter { $0.player == player && $0.event == event }
      .map(\.instant.nanoseconds)
  }

  /// The nanoseconds at which a player's timebase began to run.
  func starts(player: Int = 0) -> [Int64] {
    log.records.compactMap { record in
      guard record.player == player, case .timebaseRate(let rate, _) = record.event,
        rate != .zero
      else { return nil }
      return record.instant.nanoseconds
    }
  }
}
