import Autowait
// A scenario is JSON, its streams are playlists, and what there is to say about both are findings:
// who imports the module of scenarios has all of them.
@_exported import AutowaitHLS
@_exported import AutowaitJSON

/// Values of texts as the core has them.
extension TimeSpan {
  /// Creates the time since 1970 that a text spells; nil if it spells none.
  package init?(calendar text: String) {
    guard let nanoseconds = CalendarTime.nanoseconds(text) else { return nil }
    self.init(nanoseconds: nanoseconds)
  }
}

extension MediaTime {
  /// Creates the time of a playlist.
  package init(_ time: PlaylistTime) { self.init(nanoseconds: time.nanoseconds) }
}

extension PlaylistTime {
  /// Creates the time of media.
  package init(_ time: MediaTime) { self.init(nanoseconds: time.nanoseconds) }
}
