/// How requests of a track have failed since what failed came.
struct TrackFailures: Sendable {
  /// How often.
  private(set) var count = 0
  /// How often because the server refused what was asked for.
  private(set) var refusals = 0
  /// What failed last, and whether the server had answered.
  private var last: (resource: StreamResource, isAnswered: Bool)?

  /// Whether segments fail alone: the server answers, and playlists may be loaded meanwhile.
  @inline(__always)
  var areOfSegments: Bool {
    guard let last else { return false }
    return last.isAnswered && last.resource.isSegment
  }

  /// Whether a playlist failed last, and nobody answered.
  @inline(__always)
  var areOfPlaylistsUnanswered: Bool {
    guard let last else { return false }
    return !last.isAnswered && last.resource.isPlaylist
  }

  /// Takes note of a request that failed.
  mutating func note(_ failure: RequestFailure, of resource: StreamResource) {
    count += 1
    if failure.isLasting { refusals += 1 }
    last = (resource, failure.isAnswer)
  }

  /// Whether they are over when something has come: what comes before in a stream says nothing of
  /// what failed behind it.
  @inline(__always)
  func areOver(with resource: StreamResource) -> Bool {
    guard let last else { return true }
    return switch last.resource {
    case .multivariantPlaylist, .mediaPlaylist, .contentKey: true
    case .initialization: resource.isMedia
    case .segment, .part: resource.isSegment
    }
  }
}
