import Autowait

extension Model {
  /// All that the report compares, the plainest first.
  package static let all = [naive, fluid, packet]

  /// The fluid tier, where it is what a run gets that does not ask for a tier.
  package static let fluid = Model(
    name: "fluid tier",
    covers: { measured in
      let setup = measured.setup(seed: 0, losses: .own)
      let situation = TransferSituation(setup.plan)
      let choice = TierChoice(
        links: setup.links, policy: setup.policy, situation: TransferSituation(setup.plan))
      return choice.tier == .fluid
    },
    run: { $0.plan.run(on: $0.links, policy: $0.policy, tier: .fluid, seed: $0.seed) })

  /// The packet tier.
  package static let packet = Model(name: "packet tier") {
    $0.plan.run(on: $0.links, policy: $0.policy, tier: .packet, seed: $0.seed)
  }
}
