import AutowaitScenario

/// The rules that `"*"` stands for: all heuristics that are built in.
public enum RuleCatalogue {
  /// A rule as a scenario spells it.
  public struct Entry: Hashable, Sendable {
    /// What tables call it.
    public let name: String
    /// Its value under the key `heuristic`.
    public let json: String
  }

  /// All rules that are built in, in the order of tables.
  public static let all = Heuristic.all.map { Entry(name: $0.name, json: "\"\($0.name)\"") }

  /// Returns the rule of a name.
  public static func named(_ name: String) -> Entry? { all.first { $0.name == name } }
}
