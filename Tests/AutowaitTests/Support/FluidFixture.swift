import Autowait

/// Runs of plans on the fluid tier.
enum FluidFixture {
  /// A policy without name lookups and pacing, on which hand-made numbers are easy.
  static let policy: TransportPolicy = {
    var policy = TransportPolicy()
    policy.usesDNSLookup = false
    policy.isPaced = false
    return policy
  }()

  /// A link of constant rates in bit/s and one-way delays in milliseconds.
  static func link(
    down: (Int64, Int64), up: (Int64, Int64), queue: LinkQueue
  ) -> LinkProfile {
    func direction(_ pair: (Int64, Int64)) -> LinkDirection {
      LinkDirection(
        LinkTrack(rate: BitRate(bitsPerSecond: pair.0), delay: .milliseconds(pair.1)))
    }
    var link = LinkProfile(down: direction(down), up: direction(up))
    link.down.queue = queue
    return link
  }

  /// Runs a plan until nothing is left to do.
  static func run(
    _ plan: TransferPlan, on links: [LinkProfile], _ policy: TransportPolicy = policy
  ) -> [[TransferOutcome]] {
    TransferTrial(plan, on: links, policy: policy, tier: .fluid)
      .run(to: Demo.seconds(1_000_000)).outcomes
  }

  /// Runs requests one after another, with rests in microseconds before them.
  static func run(
    _ sizes: [ByteCount], idle: [Int64] = [], on link: LinkProfile,
    _ policy: TransportPolicy = policy
  ) -> [TransferOutcome] {
    let steps = sizes.enumerated().map { place, size in
      TransferPlan.Step(
        TransferRequest(size: size),
        idle: TimeSpan(nanoseconds: place < idle.count ? idle[place] * 1_000 : 0))
    }
    return run(TransferPlan(flows: [.init(steps: steps)]), on: [link], policy)[0]
  }
}

extension Demo {
  /// The instant so many microseconds after the start.
  static func microseconds(_ count: Int64) -> Instant { Instant(nanoseconds: count * 1_000) }
}
