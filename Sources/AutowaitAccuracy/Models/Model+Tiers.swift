import Autowait

extension Model {
  /// All that the report compares, the plainest first.
  package static let all = [naive, fluid, packet]

  /// How long a run may take: longer than any that was measured.
  private static let horizon = Instant(nanoseconds: 3_600_000_000_000)

  /// The fluid tier, where it is what a run gets that does not ask for a tier.
  package static let fluid = Model(
    name: "fluid tier",
    covers: { measured in
      let setup = measured.setup(seed: 0, losses: .own)
      let choice = TierChoice(
        links: setup.links, policy: setup.policy, situation: TransferSituation(setup.plan))
      return choice.tier == .fluid
    },
    run: { setup in
      var run = FluidPlanRun(setup.plan, links: setup.links, policy: setup.policy)
      run.run(to: horizon)
      return run.outcomes
    })

  /// The packet tier.
  package static let packet = Model(name: "packet tier") { setup in
    let flows = setup.plan.flows.map { flow in
      DownloadPlan.Flow(
        start: flow.start,
        steps: flow.steps.map {
          DownloadPlan.Step(
            size: $0.request.size, isNew: $0.request.connection == .new, idle: $0.idle,
            link: $0.link)
        })
    }
    let plan = DownloadPlan(
      links: setup.links, flows: flows, policy: setup.policy, seed: setup.seed)
    return plan.run(until: horizon).flows.map { downloads in
      downloads.map { download in
        var outcome = TransferOutcome(times: download.times)
        outcome.tenths = download.tenths
        outcome.failure = download.failure
        return outcome
      }
    }
  }
}
