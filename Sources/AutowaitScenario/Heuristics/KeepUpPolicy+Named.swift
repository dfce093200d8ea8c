import Autowait

extension KeepUpPolicy {
  /// The names of the rules of real players, as scenarios spell them.
  public static var names: [String] { Heuristic.all.map { $0.name } }

  /// Returns the rule of a real player with its numbers; nil if there is none of the name.
  public static func named(_ name: String) -> KeepUpPolicy? {
    Heuristic.named(name)?.policy()
  }
}
