import Autowait
import AutowaitScenario

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
