import Autowait
import AutowaitScenario
import Testing

/// What requests over the links that are built in cost on the tier that is chosen for them.
@Suite struct PresetCostTests {
  /// The presets on which requests of unknown sizes are modelled as a fluid.
  private static let names = LinkPreset.all.filter { preset in
    preset.isReal && preset.down.rate > .zero && preset.up.rate > .zero
      && choice(preset.profile).tier == .fluid
  }.map(\.name)

  private static let plan: TransferPlan = {
    let step = TransferPlan.Step(TransferRequest(size: ByteCount(bytes: 500_000)))
    return TransferPlan(flows: [.init(steps: Array(repeating: step, count: 20))])
  }()

  private static func choice(_ link: LinkProfile) -> TierChoice {
    TierChoice(
      links: [link], policy: TransportPolicy(), demand: TransferDemand())
  }

  @Test func someAreFluid() {
    #expect(Self.names.count >= 10)
    #expect(Self.names.contains("nlc/3g"))
  }

  /// A request costs at most fifteen events, be it the first or one of many.
  @Test(arguments: names)
  func eventsAreFew(_ name: String) throws {
    let link = try LinkPreset.named(name).profile
    var policy = TransportPolicy()
    policy.tls = .tls13
    for count in [1, 20] {
      let steps = Array(Self.plan.flows[0].steps.prefix(count))
      let run = TransferTrial(
        TransferPlan(flows: [.init(steps: steps)]), on: [link], policy: policy, tier: .fluid
      ).run()
      #expect(run.outcomes[0].count == count && run.outcomes[0].last?.times.completed != nil)
      #expect(run.eventCount <= 15 * count, "\(run.eventCount) events of \(count) requests")
    }
  }
}
