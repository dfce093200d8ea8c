import Autowait

/// What an application does with an `AVQueuePlayer`, and with an `AVPlayerLooper`.
///
/// Of a plain player ``insert(_:after:)``, ``remove(_:)``, ``removeAllItems()`` and
/// ``advanceToNextItem()`` change nothing.
extension SimulatedPlayer {
  /// Creates a queue player with items, of which the first is the current one.
  public init(queueing media: [Media], over link: LinkProfile) {
    var configuration = PlayerConfiguration(media: media)
    configuration.queue = Array(media.indices)
    self.init(configuration, over: link)
  }

  /// Creates a player that loops an item with three copies, as an `AVPlayerLooper` does.
  public init(looping media: Media, over link: LinkProfile) {
    var configuration = PlayerConfiguration(media: [media, media, media])
    configuration.spans = configuration.media.map { _ in ItemSpan(asset: 0) }
    configuration.loop = LoopPlan(.looper, items: Array(configuration.media.indices))
    self.init(configuration, over: link)
  }

  /// The numbers of the items in the queue, the current one first.
  public func items() -> [Int] { snapshot.items }

  /// The number of the current item; nil without one.
  public var currentItem: Int? { snapshot.currentItem }

  /// Puts an item of the configuration after another one, or at the end of the queue.
  public mutating func insert(_ item: Int, after other: Int?) {
    check(item)
    if let other { check(other) }
    perform(.insert(item, after: other))
  }

  /// Takes an item out of the queue; the next one plays if it is the current one.
  public mutating func remove(_ item: Int) {
    check(item)
    perform(.remove(item))
  }

  /// Takes all items out of the queue.
  public mutating func removeAllItems() { perform(.removeAllItems) }

  /// Goes on to the next item, or to none.
  public mutating func advanceToNextItem() { perform(.advanceToNextItem) }

  /// Lets the looper play the present lap to its end, and no other.
  public mutating func disableLooping() { perform(.disableLooping) }

  /// How often playback of the loop has started again.
  public var loopCount: Int { snapshot.loopCount }

  /// The status of the looper; nil without one.
  public var looperStatus: LooperStatus? { snapshot.looperStatus }
}
