import Autowait

/// Draws what makes the links of a world real: a transport, queues, losses, what befalls links, the
/// traffic of others and hosts with links of their own.
struct RandomNetwork {
  private var stream: RandomStream

  /// Draws the network of a world whose links are ideal.
  static func draw(into world: inout World) {
    var draw = RandomNetwork(
      stream: RandomStream(seed: world.seed, component: "test", purpose: "network"))
    draw.draw(into: &world)
  }

  private mutating func draw(into world: inout World) {
    world.eventsMax = 400_000
    if !chance(1, 8) { world.transport = policy() }
    if chance(1, 4) { world.tier = pick([.fluid, .packet]) }
    let isLossy = chance(1, 2)
    for index in world.links.indices {
      world.links[index].up = LinkDirection(
        LinkTrack(rate: rate(), delay: .milliseconds(number(0, 300))))
      if isLossy {
        disturb(&world.links[index].down)
        disturb(&world.links[index].up)
      }
      if chance(1, 2) { world.links[index].names.delay = .milliseconds(number(0, 2_000)) }
      if chance(1, 2) { world.links[index].events = events(linkCount: world.links.count) }
    }
    if chance(1, 3) { world.traffic = (0..<number(1, 3)).map { _ in traffic() } }
    if chance(1, 3) {
      world.hostLinks = (0..<number(1, 2)).map { _ in Int(number(0, Int64(world.links.count - 1))) }
      for player in world.players.indices {
        for item in world.players[player].media.indices {
          let route = Int(number(0, Int64(world.hostLinks.count)))
          world.players[player].media[item].route = route
        }
      }
    }
  }

  private mutating func policy() -> TransportPolicy {
    var policy = TransportPolicy()
    policy.http = pick(TransportPolicy.HTTP.allCases)
    policy.tls = policy.http == .http3 ? .tls13 : pick(TransportPolicy.TLS.allCases)
    policy.congestionControl = pick([.cubic, .cubic, .reno, .bbr, .none])
    policy.isPaced = chance(1, 2)
    policy.initialWindow = Int(pick([1, 2, 10, 32]))
    if chance(1, 4) { policy.receiveWindow = ByteCount(bytes: number(3_000, 200_000)) }
    policy.serverDelay = chance(1, 2) ? .zero : .milliseconds(number(0, 500))
    policy.requestTimeout = pick([nil, .seconds(5), .seconds(60)])
    policy.retriesMax = Int(number(0, 3))
    policy.usesDNSLookup = chance(1, 2)
    if chance(1, 4) { policy.responseHeaderSize = ByteCount(bytes: pick([0, 1, 5_000])) }
    return policy
  }

  private mutating func rate() -> BitRate {
    pick([
      .unlimited, BitRate(bitsPerSecond: 100_000),
      BitRate(bitsPerSecond: number(30_000, 9_000_000)),
    ])
  }

  private mutating func disturb(_ direction: inout LinkDirection) {
    direction.queue = pick([
      .automatic, .packets(Int(number(1, 60))), .bytes(ByteCount(bytes: number(1_500, 90_000))),
      .time(.milliseconds(number(20, 900))), .unlimited,
    ])
    direction.loss = pick([
      .none, .bernoulli(Probability(billionths: number(0, 200_000_000))),
      .everyNth(Int(number(2, 40))), .packets([1, 3, 4, 20]),
      .gilbertElliott(
        BurstLoss(
          fromGoodToBad: Probability(billionths: 20_000_000),
          fromBadToGood: Probability(billionths: 300_000_000))),
    ])
    if chance(1, 4) {
      direction.jitter = Jitter(
        deviation: .milliseconds(number(1, 50)),
        distribution: pick([.uniform, .normal, .pareto, .paretoNormal]),
        keepsOrder: chance(1, 2))
    }
    if chance(1, 6) {
      direction.reorder = Reordering(chance: Probability(billionths: 100_000_000), gap: 3)
    }
    if chance(1, 6) { direction.duplicate = Probability(billionths: 50_000_000) }
  }

  private mutating func events(linkCount: Int) -> [LinkEvent] {
    var start = TimeSpan.milliseconds(number(0, 4_000))
    return (0..<number(1, 3)).map { _ in
      let length = TimeSpan.milliseconds(number(1, 3_000))
      let event: LinkEvent
      if chance(1, 3) {
        event = LinkEvent(
          at: start,
          .handover(
            LinkEvent.Handover(
              gap: length, flushesQueue: chance(1, 2), endsConnections: chance(1, 2),
              link: chance(1, 2) ? nil : Int(number(0, Int64(linkCount - 1))))))
      } else {
        event = LinkEvent(
          at: start, .blackout(length, drops: pick([.nothing, .new, .inFlight, .both])))
      }
      start = start + length + .milliseconds(number(1, 6_000))
      return event
    }
  }

  private mutating func traffic() -> CrossTraffic {
    let kind: CrossTraffic.Kind =
      switch number(0, 3) {
      case 0: .constant(BitRate(bitsPerSecond: number(10_000, 2_000_000)))
      case 1: .download(ByteCount(bytes: pick([0, 1, number(1, 2_000_000)])))
      case 2: .download(nil)
      default:
        .poll(
          ByteCount(bytes: pick([0, number(1, 90_000)])), every: .milliseconds(number(100, 4_000)))
      }
    let start = Instant.start + .milliseconds(number(0, 5_000))
    return CrossTraffic(
      kind, from: start, to: chance(1, 2) ? .never : start + .milliseconds(number(1, 9_000)))
  }

  private mutating func number(_ least: Int64, _ most: Int64) -> Int64 {
    least + Int64(stream.next(below: UInt64(most - least) + 1))
  }

  private mutating func chance(_ wins: UInt64, _ of: UInt64) -> Bool {
    stream.next(below: of) < wins
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(stream.next(below: UInt64(elements.count)))]
  }
}
