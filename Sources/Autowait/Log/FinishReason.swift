/// Why a run ended.
public enum FinishReason: UInt8, CaseIterable, Hashable, Sendable {
  /// Nothing more would ever have happened.
  case settled
  /// The time of the run was up, and things were still going on.
  case horizon
  /// The time of the run was up, and a player still waited.
  case stillWaiting
  /// The bound on events was reached: the run was running away.
  case eventLimit
}
