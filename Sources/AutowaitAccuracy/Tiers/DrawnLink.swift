import Autowait

/// A link without loss and what is asked of it on one connection, as a seed draws them.
///
/// Rates, delays, sizes and rests are drawn over some powers of ten each, alike in their digits:
/// nobody knows what the next link will be like.
package struct DrawnLink: CustomStringConvertible, Sendable {
  /// The link.
  package var link = LinkProfile(LinkTrack(rate: .zero))
  /// How requests are carried.
  package private(set) var policy = TransportPolicy()
  /// One to four requests, one after another.
  package private(set) var plan = TransferPlan(flows: [])
  private let seed: UInt64

  /// The least response that is drawn: what smaller ones cost is handshakes and round trips.
  package static let sizeMin: Int64 = 50_000

  /// Draws a link for a version of HTTP, and what is asked of it.
  package init(_ seed: UInt64, _ http: TransportPolicy.HTTP) {
    self.init(
      seed, http, RandomStream(seed: seed, component: "tiers", purpose: "\(http)"),
      steps: Self.steps)
  }

  /// Draws a link for a version of HTTP, and steps by its rate as somebody else wants them.
  package init(
    _ seed: UInt64, _ http: TransportPolicy.HTTP, _ stream: RandomStream,
    steps: (inout RandomStream, Int64) -> [TransferPlan.Step]
  ) {
    self.seed = seed
    var stream = stream
    let rate = stream.spread(100_000, 100_000_000)
    let delay = stream.spread(1_000, 300_000)
    link.down = Self.direction(rate, delay)
    let isEven = stream.draw(0, 1) == 0
    link.up = Self.direction(isEven ? rate : max(64_000, rate / stream.draw(2, 20)), delay)
    switch stream.draw(0, 3) {
    case 0: link.down.queue = .unlimited
    case 1: link.down.queue = .packets(Int(stream.spread(10, 3_000)))
    default: break
    }
    policy.http = http
    policy.tls = http == .http3 ? .tls13 : TransportPolicy.TLS.allCases[Int(stream.draw(0, 4))]
    if http == .http3, stream.draw(0, 2) == 0 { policy.tls = .zeroRoundTrip }
    policy.isPaced = stream.draw(0, 3) > 0
    let controls: [TransportPolicy.CongestionControl] = [.cubic, .cubic, .reno, .none]
    policy.congestionControl = controls[Int(stream.draw(0, 3))]
    if stream.draw(0, 3) == 0 {
      policy.receiveWindow = ByteCount(bytes: stream.spread(8_000, 2_000_000))
    }
    policy.usesDNSLookup = false
    plan = TransferPlan(flows: [TransferPlan.Flow(steps: steps(&stream, rate))])
  }

  private static func direction(_ rate: Int64, _ delay: Int64) -> LinkDirection {
    LinkDirection(
      LinkTrack(rate: BitRate(bitsPerSecond: rate), delay: TimeSpan(nanoseconds: delay * 1_000)))
  }

  /// Draws requests that are alike, as segments are, or each of its own size.
  private static func steps(_ stream: inout RandomStream, _ rate: Int64) -> [TransferPlan.Step] {
    var steps: [TransferPlan.Step] = []
    let isAlike = stream.draw(0, 1) == 0
    for _ in 0..<stream.draw(1, 4) {
      if isAlike, let first = steps.first {
        steps.append(first)
        continue
      }
      let most = max(sizeMin, rate * 60 / 8)
      var request = TransferRequest(
        size: ByteCount(bytes: min(stream.spread(sizeMin, 10_000_000), most)))
      if stream.draw(0, 3) == 0 { request.upload = ByteCount(bytes: stream.spread(100, 140_000)) }
      let idle = stream.draw(0, 2) == 0 ? 0 : stream.spread(10, 20_000)
      steps.append(TransferPlan.Step(request, idle: .milliseconds(idle)))
    }
    return steps
  }

  /// What a run gets that does not ask for a tier.
  package var choice: TierChoice {
    TierChoice(plan, on: [link], policy: policy)
  }

  /// Makes the requests on a tier.
  package func outcomes(_ tier: LinkTier) -> [TransferOutcome] {
    TransferTrial(plan, on: [link], policy: policy, tier: tier).run().outcomes[0]
  }

  package var description: String {
    let (down, up) = (link.down.track.samples[0], link.up.track.samples[0])
    let steps = plan.flows[0].steps.map { step in
      let upload = step.request.upload == .zero ? "" : "+\(step.request.upload.bytes)"
      return "\(step.idle.nanoseconds / 1_000_000)ms:\(step.request.size.bytes)\(upload)"
    }
    return "seed \(seed) \(policy.http) \(policy.tls) \(policy.congestionControl)"
      + "\(policy.isPaced ? "" : " unpaced") \(down.rate.bitsPerSecond)/\(up.rate.bitsPerSecond)"
      + " bit/s \(down.delay.nanoseconds / 1_000) µs, queue \(link.down.queue)"
      + ", window \(policy.receiveWindow?.bytes ?? 0), " + steps.joined(separator: " ")
  }
}

extension RandomStream {
  /// Draws a number of a range.
  package mutating func draw(_ least: Int64, _ most: Int64) -> Int64 {
    least + Int64(next(below: UInt64(most - least + 1)))
  }

  /// Draws a number that is as likely to be between 10 and 20 as between 1,000 and 2,000.
  package mutating func spread(_ least: Int64, _ most: Int64) -> Int64 {
    var bounds = [least]
    while let last = bounds.last, last < most { bounds.append(min(most, 2 * last)) }
    let place = Int(draw(0, Int64(bounds.count) - 2))
    return draw(bounds[place], bounds[place + 1])
  }
}
