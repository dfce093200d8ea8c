/// What a session ended with.
package enum SessionOutcome: String, CaseIterable, Hashable, Sendable {
  /// An item played to its end.
  case ended
  /// Playback began, and the time of the run was up before the end.
  case unfinished
  /// Playback never began.
  case neverStarted
  /// The item failed.
  case failed
  /// The run reached its bound of events.
  case eventLimit
  /// The session could not be run.
  case error
}
