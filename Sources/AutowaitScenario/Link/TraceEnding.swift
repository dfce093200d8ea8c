import Autowait

/// What follows the end of a trace, in the words of a link's `trackEnd`.
package enum TraceEnding: String, CaseIterable, Hashable, Sendable {
  /// The trace starts again.
  case loop
  /// The last rate holds forever.
  case hold
  /// The link is a dead path: its rate is 0, and the device does not know.
  case offline

  /// Returns the ending of a track of some length.
  func ending(after end: TimeSpan) -> LinkTrack.Ending {
    switch self {
    case .loop: .loop(after: end)
    case .hold: .hold
    case .offline: .offline(after: end)
    }
  }
}

extension LinkTrack.Ending {
  /// What follows, whenever the track ends.
  var kind: TraceEnding {
    switch self {
    case .loop: .loop
    case .hold: .hold
    case .offline: .offline
    }
  }
}
