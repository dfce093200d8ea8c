import Autowait

extension Model {
  /// All that the report compares, the plainest first.
  package static let all = [naive, fluid, packet]

  /// What everybody computes first: size / rate + round trip, flows sharing the link equally.
  ///
  /// It is the ideal tier. A link that changes is integrated. Bytes of headers, the handshake of a
  /// new connection, the time of the server, the window of the sender, queues and losses do not
  /// exist.
  package static let naive = Model(name: "size/rate + RTT") { setup in
    var setup = setup
    setup.policy.serverDelay = .zero
    return setup.outcomes(.ideal).map { flow in
      flow.map { outcome in
        var outcome = outcome
        outcome.times.sent = outcome.times.opened
        return outcome
      }
    }
  }

  /// The fluid tier, where it is what a run gets that does not ask for a tier.
  package static let fluid = Model(
    name: "fluid tier",
    covers: { measured in
      let setup = measured.setup(seed: 0, losses: .own)
      return TierChoice(setup.plan, on: setup.links, policy: setup.policy).tier == .fluid
    },
    run: { $0.outcomes(.fluid) })

  /// The packet tier.
  package static let packet = Model(name: "packet tier") { $0.outcomes(.packet) }
}

extension Setup {
  /// How long a run may take: longer than any that was measured.
  private static let limit = Instant(nanoseconds: 3_600_000_000_000)

  fileprivate func outcomes(_ tier: LinkTier) -> [[TransferOutcome]] {
    var trial = TransferTrial(plan, on: links, policy: policy, tier: tier, seed: seed)
    trial.hasHostNoise = hasHostNoise
    return trial.run(to: Self.limit).outcomes
  }
}
