/// Events of one kind, of a player or of any, with a value or with any.
package struct EventFilter: Hashable, Sendable {
  /// An event of the kind; what else it tells does not matter.
  package var kind: Event
  /// The player that it happens to; nil for any, and for what happens to none.
  package var player: Int?
  /// The value that it announces, as ``Event/announcement`` tells it; nil for any.
  package var announcement: UInt64?

  /// Creates a filter.
  package init(_ kind: Event, player: Int? = nil, announcement: UInt64? = nil) {
    self.kind = kind
    self.player = player
    self.announcement = announcement
    assert(announcement == nil || kind.announcement != nil, "a value of what announces none")
  }

  /// Returns whether an event passes.
  func includes(_ event: Event, of player: Int?) -> Bool {
    kind.kindNumber == event.kindNumber && (self.player == nil || self.player == player)
      && (announcement == nil || announcement == event.announcement)
  }
}
