import Autowait
import AutowaitScenario

/// The plain and the ladder session with one property changed: none may cost more than four times
/// what the session costs without it.
enum Feature: String, CaseIterable {
  case plainRate = "plain-rate"
  case plainConditions = "plain-conditions"
  case plainBuffered = "plain-buffered"
  case plainForwardLimit = "plain-forward-limit"
  case ladderRate = "ladder-rate"
  case ladderSound = "ladder-sound"
  case ladderSizes = "ladder-sizes"
  case ladderConditions = "ladder-conditions"
  case ladderLinear = "ladder-linear"
  case ladderAbandonment = "ladder-abandonment"
  case ladderPair = "ladder-pair"

  /// How many players there are: what a session costs is told for each.
  var playerCount: Int { self == .ladderPair ? 2 : 1 }

  /// The session.
  func world(seed: UInt64) -> World {
    var world =
      rawValue.hasPrefix("plain")
      ? Workloads.plainSession(seed: seed) : Workloads.ladderSession(seed: seed)
    change(&world)
    return world
  }

  private func change(_ world: inout World) {
    let faster = PlaybackRate(millionths: 1_500_000)
    switch self {
    case .plainRate, .ladderRate:
      world.script[1].action = .player(0, .setRate(faster))
    case .plainConditions:
      world.players[0].keepUp = Self.policy("media3")
    case .plainBuffered:
      world.players[0].keepUp.rule = .buffered(start: .seconds(2), resume: .seconds(4))
    case .plainForwardLimit:
      world.players[0].keepUp.forwardBufferLimit = .seconds(30)
    case .ladderSound:
      world.players[0].media = [Self.ladderWithSound]
    case .ladderSizes:
      // It never binds: 30 s of the best variant are 16 MB.
      var sizes = ForwardBufferSizes()
      sizes.sizeMax = ByteCount(bytes: 60_000_000)
      world.players[0].keepUp.forwardBufferSizes = sizes
    case .ladderConditions:
      world.players[0].keepUp.rule = Self.policy("media3").rule
    case .ladderLinear:
      world.players[0].keepUp.rule = .linearToEnd
    case .ladderAbandonment:
      var rule = SegmentRulePolicy(.throughput)
      rule.abandons = true
      world.players[0].streaming.adaptation.rule = .modelled(rule)
    case .ladderPair:
      var other = world.players[0]
      other.keepUp.rule = .buffered(start: .seconds(2), resume: .seconds(6))
      world.players.append(other)
      world.script += Workloads.loadAndPlay(player: 1)
    }
  }

  private static func policy(_ name: String) -> KeepUpPolicy {
    guard let heuristic = Heuristic.named(name) else {
      preconditionFailure("there is no heuristic \(name)")
    }
    return heuristic.policy()
  }

  /// The ladder with a rendition of 96 kbit/s in segments of its own.
  private static let ladderWithSound: Media = {
    var streamMedia = Workloads.ladderParts
    streamMedia.lists.append(
      SegmentList((0..<150).map { _ in (.seconds(4), ByteCount(bytes: 48_000)) }))
    streamMedia.renditions = [
      StreamMedia.Rendition(.audio, group: 0, list: streamMedia.lists.count - 1)
    ]
    streamMedia.renditions[0].isDefault = true
    for index in streamMedia.variants.indices { streamMedia.variants[index].audioGroup = 0 }
    return Media(streamMedia)
  }()
}

/// Many unlike players of streams on one link.
enum CrowdWorkload {
  /// An hour of so many players; each has variants, segments and a start of its own.
  static func world(players count: Int) -> World {
    let lists: [(Int, Int, Int)] = (0..<count).map {
      (2 + $0 % 5, 2 + $0 % 4, 400 + 10 * ($0 % 37))
    }
    let players = lists.map { seconds, variants, rate in
      let rates = (1...variants).map { Int64($0 * rate * 1_000) }
      var streamMedia = StreamMedia(
        variants: rates.indices.map {
          StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: rates[$0]), list: $0)
        },
        lists: rates.map {
          SegmentList(
            EvenSegments(
              .seconds(3_600), by: .seconds(Int64(seconds)), at: BitRate(bitsPerSecond: $0)))
        })
      streamMedia.playlistSize = .zero
      var player = PlayerConfiguration(media: [Media(streamMedia)])
      player.streaming.knowsPlaylists = true
      return player
    }
    let script = (0..<count).flatMap { index in
      Workloads.loadAndPlay(
        player: index, at: Instant(nanoseconds: Int64(index) * 10_000_000))
    }
    let samples = [(0, 800), (7, 400), (12, 1_000)].map { second, rate in
      LinkTrack.Sample(
        start: .seconds(Int64(second)), rate: BitRate(bitsPerSecond: Int64(rate * count) * 1_000))
    }
    var world = World(
      seed: 1, links: [LinkProfile(LinkTrack(samples, ending: .loop(after: .seconds(15))))],
      players: players, script: script, horizon: Instant(nanoseconds: 3_600_000_000_000))
    world.eventsMax = 1_000_000_000
    return world
  }
}
