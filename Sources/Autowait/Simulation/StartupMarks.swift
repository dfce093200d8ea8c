/// When the stages of a stream's startup were over.
struct StartupMarks: Hashable, Sendable {
  /// The multivariant playlist.
  var multivariantPlaylist: Instant?
  /// The last media playlist before playback.
  var mediaPlaylists: Instant?
  /// The last key before playback.
  var contentKeys: Instant?
  /// The last initialisation section before playback.
  var initializations: Instant?
  /// The first segment.
  var firstSegment: Instant?
  /// Whether playback has begun, after which nothing belongs to the startup.
  var isOver = false

  /// Takes note of something that has come.
  mutating func note(_ resource: StreamResource, at now: Instant) {
    if isOver { return }
    switch resource {
    case .multivariantPlaylist: multivariantPlaylist = now
    case .mediaPlaylist: mediaPlaylists = now
    case .contentKey: contentKeys = now
    case .initialization: initializations = now
    case .segment, .part: firstSegment = firstSegment ?? now
    }
  }
}
