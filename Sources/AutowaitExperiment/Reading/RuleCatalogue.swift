import AutowaitScenario

/// The rules that `"*"` stands for: all heuristics that are built in.
package enum RuleCatalogue {
  /// A rule as a scenario spells it.
  package struct Entry: Hashable, Sendable {
    /// What tables call it.
    package let name: String
    /// Its value under the key `heuristic`.
    package let json: String
  }

  /// All rules that are built in, in the order of tables.
  package static let all = Heuristic.all.map { Entry(name: $0.name, json: "\"\($0.name)\"") }

  /// Returns the rule of a name.
  package static func named(_ name: String) -> Entry? { all.first { $0.name == name } }
}
