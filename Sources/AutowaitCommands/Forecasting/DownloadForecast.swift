import Autowait
import AutowaitScenario

/// Downloads over a link, the same ones once for each seed.
struct DownloadForecast: Sendable {
  /// What one request of the plan came to, over all seeds.
  struct RequestForecast: Sendable {
    /// The flow and the place of the request in it.
    let flow: Int
    let step: Int
    /// The data that was asked for.
    let size: ByteCount
    /// What became of it, one outcome for each seed.
    let outcomes: [TransferOutcome]

    /// Returns how long a phase took, where it was passed.
    func distribution(of phase: TransferPhase) -> Distribution? {
      Distribution(outcomes.compactMap { $0.times.duration(of: phase)?.nanoseconds })
    }

    /// The times from the request to the last byte.
    var totals: Distribution? { Distribution(outcomes.compactMap { $0.total?.nanoseconds }) }

    /// The requests of which nothing more came before the measurement ended.
    var unfinished: Int { outcomes.count { $0.times.completed == nil && $0.failure == nil } }

    /// The requests that failed.
    var failures: [TransferFailure] { outcomes.compactMap(\.failure) }
  }

  /// The link that was measured.
  let link: MeasuredLink
  /// What was asked for.
  let plan: TransferPlan
  /// The seeds.
  let seeds: [UInt64]
  /// The requests, flow by flow.
  let requests: [RequestForecast]
  /// From the first request of all to the last byte of all, where nothing failed.
  let wholes: Distribution?

  /// Whether every download of every seed arrived.
  var hasCompleted: Bool {
    requests.allSatisfy { request in
      request.outcomes.count == seeds.count
        && request.outcomes.allSatisfy { $0.times.completed != nil }
    }
  }

  /// Measures a link.
  static func measure(
    _ link: MeasuredLink, _ plan: TransferPlan, seeds: [UInt64], threads: Int,
    progress: ((Int) -> Void)?
  ) -> DownloadForecast {
    let trials = ThreadPool.map(seeds, threads: threads, progress: progress) { seed in
      TransferTrial(
        plan, on: link.links, policy: link.policy ?? TransportPolicy(), tier: link.choice.tier,
        seed: seed
      ).run(to: .start + MeasuredLink.spanMax).outcomes
    }
    var requests: [RequestForecast] = []
    for (flow, steps) in plan.flows.map(\.steps).enumerated() {
      for (step, planned) in steps.enumerated() {
        requests.append(
          RequestForecast(
            flow: flow, step: step, size: planned.request.size,
            outcomes: trials.compactMap { $0[flow].count > step ? $0[flow][step] : nil }))
      }
    }
    return DownloadForecast(
      link: link, plan: plan, seeds: seeds, requests: requests,
      wholes: Distribution(trials.compactMap { whole($0) }))
  }

  /// The time from the first request to the last byte; nil if something did not arrive.
  private static func whole(_ trial: [[TransferOutcome]]) -> Int64? {
    var (first, last) = (Instant.never, Instant.start)
    for outcome in trial.joined() {
      guard let completed = outcome.times.completed else { return nil }
      first = min(first, outcome.times.opened)
      last = max(last, completed)
    }
    return first == .never ? nil : (last - first).nanoseconds
  }
}

/// A link as it was named, with all that its measurement needs.
struct MeasuredLink: Sendable {
  /// Its name.
  let name: String
  /// The link itself, and the links that its handovers lead to.
  let links: [LinkProfile]
  /// How requests are carried over it; nil if it is ideal.
  let policy: TransportPolicy?
  /// How exactly it is modelled, and why.
  let choice: TierChoice
  /// Whether the tier that was asked for leaves out what happens to single packets.
  let leavesOut: Bool
  /// Whether another seed may give other numbers.
  let isLeftToChance: Bool

  /// Decides how exactly a link is modelled that carries a plan.
  init(_ link: StandaloneLink, policy: TransportPolicy?, tier: LinkTier?, plan: TransferPlan) {
    name = link.name
    links = link.links
    self.policy = policy
    let needed = TierChoice(links: link.links, policy: policy, demand: TransferDemand(plan))
    choice = tier.map { TierChoice(asked: $0, policy: policy) } ?? needed
    leavesOut = choice.tier == .fluid && needed.leavesOutInFluid
    isLeftToChance =
      link.draws > 0 || choice.tier == .packet && link.links.contains(where: \.isLeftToChance)
  }

  /// How long a download may take before what is not there yet is given up.
  static let spanMax = TimeSpan.seconds(86_400)

  /// The link at its beginning.
  var profile: LinkProfile { links[0] }

  /// What follows from its numbers.
  var figures: LinkFigures { LinkFigures(profile) }

  /// What everybody reckons with: a round trip, and the size over the rate.
  func naiveTime(of size: ByteCount) -> TimeSpan? {
    guard let rate = profile.down.track.samples.first?.rate, rate > .zero else { return nil }
    let nanobits = DataAmount(size).nanobits
    let speed = UInt128(UInt64(rate.bitsPerSecond))
    return figures.roundTrip
      + TimeSpan(nanoseconds: Int64(clamping: (nanobits + speed - 1) / speed))
  }
}

extension LinkProfile {
  /// Whether chance decides what becomes of packets.
  fileprivate var isLeftToChance: Bool {
    [down, up].contains { direction in
      direction.jitter != nil || direction.reorder != nil || direction.duplicate > .never
        || direction.loss.isLeftToChance || direction.track.samples.contains { $0.loss != nil }
    }
  }
}

extension LossModel {
  fileprivate var isLeftToChance: Bool {
    switch self {
    case .none, .everyNth, .packets: false
    case .bernoulli, .gilbertElliott, .measured: true
    }
  }
}

extension TransferPhase {
  /// How the phase is called in a table.
  var title: String {
    switch self {
    case .domainLookup: "name lookup"
    case .connect: "connect"
    case .secureConnection: "secure"
    case .firstByte: "request to first byte"
    case .body: "body"
    }
  }
}
