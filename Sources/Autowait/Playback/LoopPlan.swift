/// How an application plays an item again and again.
package struct LoopPlan: Hashable, Sendable {
  /// What the application does about it.
  package var technique: LoopTechnique
  /// The items that take turns, by number: one that is rewound, or copies of one.
  package var items: [Int]
  /// How long the application waits for the notification that an item has ended.
  package var notification = TimeSpan.zero
  /// How long what it asks for then takes to reach the player.
  package var request = TimeSpan.zero
  /// When it is told that the current item is another one.
  package var delivery = ObservationDelivery.queued
  /// Where the copies of a looper lie beside the items that were in the queue.
  package var ordering = ItemOrdering.loopingItemsPrecedeExistingItems

  /// Creates a plan without delays.
  package init(_ technique: LoopTechnique, items: [Int]) {
    precondition(!items.isEmpty, "a loop must have an item")
    self.technique = technique
    self.items = items
  }
}

/// The ways to play an item again and again that WWDC16 503 tells of.
package enum LoopTechnique: UInt8, CaseIterable, Hashable, Sendable {
  /// On the notification that the item has ended, the application seeks back to its start.
  case rewind
  /// On that notification it puts another copy of the item into the queue.
  case queue
  /// When the current item changes, the old one is sought to its start and put at the end.
  case treadmill
  /// An `AVPlayerLooper` does the same.
  case looper

  /// Whether it needs a queue player.
  package var needsQueue: Bool { self != .rewind }
}

/// When an application is told that a property has changed.
package enum ObservationDelivery: UInt8, CaseIterable, Hashable, Sendable {
  /// When the player has come to rest.
  case queued
  /// In the middle of the change, as observers by key path are.
  case nested
}

/// `AVPlayerLooper.ItemOrdering`.
package enum ItemOrdering: UInt8, CaseIterable, Hashable, Sendable {
  case loopingItemsPrecedeExistingItems
  case loopingItemsFollowExistingItems
}

/// `AVPlayerLooper.Status`.
public enum LooperStatus: UInt8, CaseIterable, Hashable, Sendable {
  case unknown
  case ready
  case failed
  case cancelled
}

/// The part of an asset that an item plays.
package struct ItemSpan: Hashable, Sendable {
  /// The number of the first item of the same asset: items of one asset share what was loaded.
  package var asset: Int
  /// Where the item was sought to before it was given to a player.
  package var start: MediaTime
  /// `forwardPlaybackEndTime`; nil for what the player says.
  package var end: MediaTime?

  /// Creates the part between two times.
  package init(asset: Int, start: MediaTime = .zero, end: MediaTime? = nil) {
    (self.asset, self.start, self.end) = (asset, start, end)
  }
}
