import Autowait
import AutowaitScenario

/// What items are called that only the application knows.
extension Scenario {
  /// Returns the name that the file gives an item; nil if it gives none.
  func name(ofItem item: Int, of player: Int) -> String? {
    guard player < itemNames.count, item < itemNames[player].count else { return nil }
    return itemNames[player][item].map { TerminalText.safe($0) }
  }

  /// Returns what an item is called.
  func word(forItem item: Int, of player: Int) -> String {
    name(ofItem: item, of: player) ?? "item \(item)"
  }
}
