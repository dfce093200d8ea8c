import Autowait

/// What the requests of a run were for, as its records tell it one after another.
package struct RequestIndex: Sendable {
  /// What was asked for.
  package enum Resource: Hashable, Sendable {
    /// A part of a file.
    case file
    /// The multivariant playlist.
    case multivariantPlaylist
    /// The playlist of a segment list.
    case mediaPlaylist(Int)
    /// A key.
    case contentKey(Int)
    /// An initialisation section of a list.
    case initialization(list: Int)
    /// A segment of a list.
    case segment(list: Int, number: Int)

    /// Whether it is media, which is what metrics count the bytes of.
    package var isMedia: Bool {
      switch self {
      case .file, .initialization, .segment: true
      case .multivariantPlaylist, .mediaPlaylist, .contentKey: false
      }
    }
  }

  /// A request.
  package struct IndexedRequest: Hashable, Sendable {
    /// The player that made it.
    package let player: Int
    /// The item that was current then, or an enqueued one; nil before the first one.
    package var item: Int?
    /// Whether it was made for an item of the queue that was not the current one.
    package let isOfEnqueued: Bool
    /// What was asked for.
    package let resource: Resource
    /// When.
    package let opened: Instant
    /// How large it is.
    package let size: ByteCount
  }

  private var requests: [Int: IndexedRequest] = [:]
  private var items: [Int: Int] = [:]

  /// Creates an index of nothing.
  package init() {}

  /// The request of a transfer, if it was told.
  package subscript(transfer: Int) -> IndexedRequest? { requests[transfer] }

  /// The item for which a request that goes wrong now was made; nil before the first one.
  ///
  /// A request that names no item was made for the current one, or for one that has become it
  /// since: until then, what goes wrong of an asset that is only prepared is silent.
  package func itemFailing(with request: IndexedRequest) -> Int? {
    request.isOfEnqueued ? request.item : items[request.player] ?? request.item
  }

  /// Takes note of a record; returns the number of the transfer if the record is a request.
  @discardableResult
  package mutating func take(_ record: EventRecord) -> Int? {
    guard let player = record.player else { return nil }
    if case .currentItem(let item) = record.event { items[player] = item }
    let topic = record.event.topic
    guard case .request(let transfer, .asked(let resource, _, let size, let item)) = topic else {
      return nil
    }
    requests[transfer] = IndexedRequest(
      player: player, item: item ?? items[player], isOfEnqueued: item != nil, resource: resource,
      opened: record.instant, size: size)
    return transfer
  }
}
