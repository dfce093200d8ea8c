import Autowait
import AutowaitScenario

/// The fixed workloads over links that behave like real ones.
enum LinkWorkloads {
  /// One way to send over the link of 100 Mbit/s and 40 ms.
  enum Sending: String, CaseIterable {
    case paced, unpaced, lossy
  }

  /// A download of 40 MB with the default sender, CUBIC with selective acknowledgements; with
  /// losses of 1 % of the packets down if it is the lossy one.
  static func download(_ sending: Sending) -> TransferTrial {
    var link = fast
    if sending == .lossy { link.down.loss = .bernoulli(Probability(billionths: 10_000_000)) }
    var policy = TransportPolicy()
    policy.isPaced = sending != .unpaced
    let step = TransferPlan.Step(TransferRequest(size: ByteCount(bytes: 40_000_000)))
    return TransferTrial(
      TransferPlan(flows: [.init(steps: [step])]), on: [link], policy: policy, tier: .packet,
      seed: 1)
  }

  /// A link of 100 Mbit/s in both directions with a round trip of 40 ms.
  private static var fast: LinkProfile {
    let track = LinkTrack(rate: BitRate(bitsPerSecond: 100_000_000), delay: .milliseconds(20))
    return LinkProfile(down: LinkDirection(track), up: LinkDirection(track))
  }

  /// The presets over which requests are counted.
  static let fluidLinks = ["nlc/edge", "nlc/3g", "nlc/dsl", "nlc/wifi", "wpt/4g", "chrome/fast-4g"]

  /// Requests for half a megabyte one after the other, on one connection with TLS 1.3.
  static func requests(_ count: Int, over link: LinkProfile) -> TransferTrial {
    let step = TransferPlan.Step(TransferRequest(size: ByteCount(bytes: 500_000)))
    let plan = TransferPlan(flows: [.init(steps: Array(repeating: step, count: count))])
    return TransferTrial(plan, on: [link], policy: requestPolicy, tier: .fluid)
  }

  /// How those requests are carried.
  static let requestPolicy: TransportPolicy = {
    var policy = TransportPolicy()
    policy.tls = .tls13
    return policy
  }()

  /// The movie of the demo, 39 seconds of 3.73 Mbit/s, over the conditioner's LTE.
  static func demoSession(_ tier: LinkTier) -> World {
    session([profile("nlc/lte")], seconds: 39, bitsPerSecond: 3_730_000, tier)
  }

  /// Ten minutes of a film over 100 Mbit/s.
  static func longSession(_ tier: LinkTier, megabitsPerSecond: Int64) -> World {
    session([fast], seconds: 600, bitsPerSecond: megabitsPerSecond * 1_000_000, tier)
  }

  private static func session(
    _ links: [LinkProfile], seconds: Int64, bitsPerSecond: Int64, _ tier: LinkTier
  ) -> World {
    let media = Media(
      .progressive, duration: .seconds(seconds), bitRate: BitRate(bitsPerSecond: bitsPerSecond))
    var world = World(
      seed: 1, links: links, players: [PlayerConfiguration(media: [media])],
      script: Workloads.loadAndPlay(),
      horizon: Instant(nanoseconds: 4_000_000_000_000))
    world.transport = TransportPolicy()
    world.tier = tier
    return world
  }

  /// Returns the link of a preset.
  static func profile(_ name: String) -> LinkProfile {
    do throws(LinkPreset.PresetProblem) {
      return try LinkPreset.named(name).profile
    } catch {
      preconditionFailure("the bench's link is wrong: \(error.message)")
    }
  }
}
