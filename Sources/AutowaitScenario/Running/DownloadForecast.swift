import Autowait

/// Downloads over a link, the same ones once for each seed.
package struct DownloadForecast: Sendable {
  /// What one request of the plan came to, over all seeds.
  package struct RequestForecast: Sendable {
    /// The flow.
    package let flow: Int
    /// The place of the request in it.
    package let step: Int
    /// The data that was asked for.
    package let size: ByteCount
    /// What became of it, one outcome for each seed.
    package let outcomes: [TransferOutcome]

    /// Returns how long a phase took, where it was passed.
    package func distribution(of phase: TransferPhase) -> Distribution? {
      Distribution(outcomes.compactMap { $0.times.duration(of: phase)?.nanoseconds })
    }

    /// The times from the request to the last byte.
    package var totals: Distribution? {
      Distribution(outcomes.compactMap { $0.total?.nanoseconds })
    }

    /// The requests of which nothing more came before the measurement ended.
    package var unfinished: Int {
      outcomes.count { $0.times.completed == nil && $0.failure == nil }
    }

    /// The requests that failed.
    package var failures: [TransferFailure] { outcomes.compactMap { $0.failure } }
  }

  /// Numbers of one kind, one for each trial, in ascending order.
  package struct Distribution: Sendable {
    /// The numbers, ascending.
    package let values: [Int64]

    /// Creates a distribution of one number or more, in any order.
    package init?(_ numbers: [Int64]) {
      if numbers.isEmpty { return nil }
      values = numbers.sorted()
    }

    /// Returns the smallest number that so many percent of all do not exceed (the nearest rank).
    package func percentile(_ percent: Int) -> Int64 {
      let rank = (values.count * percent + 99) / 100
      return values[Swift.max(rank, 1) - 1]
    }

    /// The smallest number.
    package var min: Int64 { values[0] }

    /// The largest number.
    package var max: Int64 { values[values.count - 1] }

    /// The mean, rounded down.
    package var mean: Int64 {
      let sum = values.reduce(Int128(0)) { $0 + Int128($1) }
      return Int64(sum / Int128(values.count))
    }

    /// The medians of two groups that the numbers fall into, if they do; nil otherwise.
    ///
    /// The gap between the groups is at least a twentieth of the median, and wider than what nine
    /// tenths of either group span; and a tenth of the numbers or more are on each side of it.
    package var modes: (lower: Int64, upper: Int64)? {
      guard values.count >= 10 else { return nil }
      let least = (values.count + 9) / 10
      var (widest, place) = (Int64(0), 0)
      for index in least...(values.count - least) where values[index] - values[index - 1] > widest {
        (widest, place) = (values[index] - values[index - 1], index)
      }
      guard place > 0, widest >= Swift.max(1, percentile(50) / 20),
        let lower = Distribution(Array(values[..<place])),
        let upper = Distribution(Array(values[place...]))
      else { return nil }
      let spans = [lower, upper].map { $0.percentile(95) - $0.percentile(5) }
      guard spans.allSatisfy({ $0 < widest }) else { return nil }
      return (lower.percentile(50), upper.percentile(50))
    }

    /// Whether all numbers are the same.
    package var isConstant: Bool { min == max }
  }

  /// The link that was measured.
  package let link: MeasuredLink
  /// What was asked for.
  package let plan: TransferPlan
  /// The seeds.
  package let seeds: [UInt64]
  /// The requests, flow by flow.
  package let requests: [RequestForecast]
  /// From the first request of all to the last byte of all, where nothing failed.
  package let wholes: Distribution?

  /// Whether every download of every seed arrived.
  package var hasCompleted: Bool {
    requests.allSatisfy { request in
      request.outcomes.count == seeds.count
        && request.outcomes.allSatisfy { $0.times.completed != nil }
    }
  }

  /// Measures a link by trials, which are run as the caller likes: one for each seed, in order.
  ///
  /// Of a link that is drawn each seed has its own.
  package init(
    _ link: MeasuredLink, _ plan: TransferPlan, seeds: [UInt64],
    drawn: (@Sendable (_ seed: UInt64) -> [LinkProfile])? = nil,
    trials run: (
      _ seeds: [UInt64], _ trial: @escaping @Sendable (UInt64) -> [[TransferOutcome]]
    ) -> [[[TransferOutcome]]]
  ) {
    let trials = run(seeds) { seed in
      let links = drawn?(seed) ?? link.links
      var trial = TransferTrial(
        plan, on: links, policy: link.policy ?? TransportPolicy(),
        tier: link.tier(of: links, carrying: plan), seed: seed)
      // One run is that of hosts which do everything at once; several show what noise makes of it.
      trial.hasHostNoise = seeds.count > 1
      return trial.run(to: .start + MeasuredLink.spanMax).outcomes
    }
    var requests: [RequestForecast] = []
    for (flow, steps) in plan.flows.map({ $0.steps }).enumerated() {
      for (step, planned) in steps.enumerated() {
        requests.append(
          RequestForecast(
            flow: flow, step: step, size: planned.request.size,
            outcomes: trials.compactMap { $0[flow].count > step ? $0[flow][step] : nil }))
      }
    }
    self.link = link
    self.plan = plan
    self.seeds = seeds
    self.requests = requests
    wholes = Distribution(trials.compactMap { Self.whole($0) })
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

extension DownloadForecast {
  /// What is asked for at once, and how long it takes: of requests that follow each other on one
  /// connection, the first.
  package var atOnce: (size: ByteCount, totals: Distribution?) {
    let isAll = requests.allSatisfy {
      $0.step == 0 || plan.flows[$0.flow].steps[$0.step - 1].isConcurrent
    }
    if requests.count == 1 || !isAll { return (requests[0].size, requests[0].totals) }
    return (ByteCount(bytes: requests.reduce(0) { $0 + $1.size.bytes }), wholes)
  }
}

/// A link as it was named, with all that its measurement needs.
package struct MeasuredLink: Sendable {
  /// Its name.
  package let name: String
  /// The link itself, and the links that its handovers lead to.
  package let links: [LinkProfile]
  /// How requests are carried over it; nil if it is ideal.
  package let policy: TransportPolicy?
  /// How exactly it is modelled, and why.
  package let choice: TierChoice
  /// Whether the tier that was asked for leaves out what happens to single packets.
  package let leavesOut: Bool
  /// Whether another seed may give other numbers.
  package let isLeftToChance: Bool

  /// Decides how exactly a link is modelled that carries a plan.
  package init(
    _ link: StandaloneLink, policy: TransportPolicy?, tier: LinkTier?, plan: TransferPlan
  ) {
    name = link.name
    links = link.links
    self.policy = policy
    let needed = TierChoice(plan, on: link.links, policy: policy)
    choice = tier.map { TierChoice(asked: $0, policy: policy) } ?? needed
    leavesOut = choice.tier == .fluid && needed.reason.leavesOutInFluid
    isLeftToChance =
      link.draws > 0 || choice.tier == .packet && link.links.contains { $0.isLeftToChance }
  }

  /// Returns the tier that suits links which a seed has drawn, or the one that was asked for.
  fileprivate func tier(of links: [LinkProfile], carrying plan: TransferPlan) -> LinkTier {
    if choice.reason == .asked || choice.reason == .noTransport { return choice.tier }
    return TierChoice(plan, on: links, policy: policy).tier
  }

  /// How long a download may take before what is not there yet is given up.
  package static let spanMax = TimeSpan.seconds(86_400)

  /// The link at its beginning.
  package var profile: LinkProfile { links[0] }

  /// What follows from its numbers.
  package var figures: LinkFigures { LinkFigures(profile) }

  /// What everybody reckons with: a round trip, and the size over the rate; nil if there is no one
  /// rate.
  package func naiveTime(of size: ByteCount) -> TimeSpan? {
    guard let rate = profile.down.track.samples.first?.rate, rate > .zero,
      !figures.down.isVarying
    else { return nil }
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
      PacketProperty.all.contains { $0.isChance && $0.isPart(of: direction) }
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
