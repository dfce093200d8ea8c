import Autowait
import AutowaitScenario
import Testing

/// The catalogue of rules that choose among variants.
@Suite struct AdaptationRulesTests {
  @Test func everyRuleIsExplained() {
    for entry in AdaptationRules.all {
      #expect(entry.about.hasSuffix("."), "\(entry.name)")
      #expect(!entry.version.isEmpty && !entry.source.isEmpty, "\(entry.name)")
    }
    #expect(Set(AdaptationRules.all.map(\.name)).count == AdaptationRules.all.count)
  }

  /// A rule is found by what it is, whatever its options; those that follow a list have no entry.
  @Test(
    arguments: [
      (.throughput, "sabre-throughput"), (.bolaE, "bola-e"), (.player(.hlsJS), "hls.js"),
      (.fixed(2), "fixed"), (.scripted([1]), "scripted"),
    ] as [(SegmentRulePolicy.Rule, String)])
  func rulesHaveNames(_ rule: SegmentRulePolicy.Rule, _ name: String) {
    var policy = SegmentRulePolicy(rule)
    policy.gammaP = 8
    #expect(AdaptationRules.name(of: policy) == name)
  }
}
