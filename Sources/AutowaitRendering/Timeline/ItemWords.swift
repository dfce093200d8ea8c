import Autowait
import AutowaitScenario

extension JoinTrait {
  /// Why two items do not join without a gap.
  package var sentence: String {
    switch self {
    case .fairPlay: "only one of the two needs keys"
    case .audioCodec: "the codecs of the sound differ"
    case .channelCount: "the numbers of channels differ"
    case .sampleRate: "the sample rates differ"
    case .bitDepth: "the bit depths differ"
    case .editLists: "no edit list tells priming and remainder"
    }
  }
}

/// What items are called that only the application knows.
extension Scenario {
  /// Returns what an item is called: a copy is known by its place in its loop.
  func word(forItem item: Int, of player: Int) -> String {
    let plan = world.players[player].loop
    guard let plan, plan.technique.needsQueue, let copy = plan.items.firstIndex(of: item) else {
      return "item \(item)"
    }
    return "copy \(copy + 1)"
  }
}
