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
  }

  /// A request.
  package struct IndexedRequest: Hashable, Sendable {
    /// The player that made it.
    package let player: Int
    /// The item that was current then, or an enqueued one; nil before the first one.
    package let item: Int?
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

  /// The current item of a player; nil before the first one.
  package func item(of player: Int) -> Int? { items[player] }

  /// Takes note of a record; returns the number of the transfer if the record is a request.
  @discardableResult
  package mutating func take(_ record: EventRecord) -> Int? {
    guard let player = record.player else { return nil }
    let (transfer, resource, size, enqueued): (Int, Resource, ByteCount, UInt16?)
    switch record.event {
    case .currentItem(let item):
      items[player] = item
      return nil
    case .mediaRequest(let number, _, let bytes, let item):
      (transfer, resource, size, enqueued) = (number, .file, bytes, item)
    case .playlistRequest(let number, let list, let bytes, let item):
      let playlist = list.map { Resource.mediaPlaylist(Int($0)) } ?? .multivariantPlaylist
      (transfer, resource, size, enqueued) = (number, playlist, bytes, item)
    case .contentKeyRequest(let number, let key, let bytes, let item):
      (transfer, resource, size, enqueued) = (number, .contentKey(key), bytes, item)
    case .segmentRequest(let number, let bytes, let list, let segment, let item):
      let part =
        segment.map { Resource.segment(list: Int(list), number: Int($0)) }
        ?? .initialization(list: Int(list))
      (transfer, resource, size, enqueued) = (number, part, bytes, item)
    default: return nil
    }
    requests[transfer] = IndexedRequest(
      player: player, item: enqueued.map { Int($0) } ?? items[player], resource: resource,
      opened: record.instant, size: size)
    return transfer
  }
}
