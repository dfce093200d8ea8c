/// A file that is loaded, or lies on the device: what of it has arrived, what is asked of it.
struct FileSource: Sendable {
  /// The one request that loads the file, and where its data goes.
  struct FileRequest: Hashable, Sendable {
    let transfer: Int
    /// The position in the file at which the response begins.
    let start: DataAmount
    /// Whether the network was expensive when it was made.
    let isExpensive: Bool
    /// The time in which packets have brought it.
    var active = TimeSpan.zero
  }

  /// What is known of where the file has its index.
  enum IndexSearch: Hashable, Sendable {
    /// The index is there, or comes before any content does.
    case found
    /// The file is read from its beginning, where the index may be.
    case atHead
    /// The first bytes have told that the index is at the back, and it is asked for from a
    /// position on, up to which it has come.
    case atBack(from: DataAmount)
  }

  let media: Media
  /// The request that is open.
  var request: FileRequest?
  /// The transfer of the request that ended last.
  private(set) var last: Int?
  /// The number of the record of the present response's first byte.
  var responseRecord = 0
  /// What has arrived of the content, and of an index at the head, by requests that have ended.
  private(set) var loaded = LoadedRanges<DataAmount>()
  /// What of it was played, by media time.
  var played = PlayedMedia()
  /// How many requests have failed since anything came, and when it is asked for again.
  private var failuresInARow = 0
  /// How many of them are not those of a device that was offline.
  private var failuresOnline = 0
  var retriesAt = Instant.start
  /// The first bytes that are asked for to learn whether the server knows ranges; nil if they have
  /// come, or nobody asks.
  private(set) var rangeProbe: ByteCount?
  /// How far the search for the index has come.
  private(set) var indexSearch = IndexSearch.found

  /// Makes a file of which nothing is loaded, or all if it is on the device.
  init(_ media: Media, rangeProbe: ByteCount? = nil) {
    self.media = media
    self.rangeProbe = rangeProbe
    if media.source == .local {
      loaded.insert(.init(start: .zero, end: media.contentEnd))
    } else if media.indexPlacement == .back {
      indexSearch = .atHead
    }
  }

  /// Keeps what a transfer has brought.
  mutating func keep(_ transfer: Transfer) {
    guard let request else { preconditionFailure("a transfer has ended, but none is under way") }
    self.request = nil
    last = transfer.number
    if rangeProbe != nil {
      // What it brings is asked for again; and it itself, if it did not come.
      if transfer.isComplete { rangeProbe = nil }
      return
    }
    let end = request.start + transfer.delivered
    if transfer.delivered > .zero { (failuresInARow, failuresOnline) = (0, 0) }
    if indexSearch != .found, end >= media.size { indexSearch = .found }
    if request.start < media.contentEnd {
      loaded.insert(.init(start: request.start, end: min(end, media.contentEnd)))
    } else if indexSearch != .found {
      indexSearch = .atBack(from: end)
    }
  }

  /// What another item of the same asset has of the file from the start; nil if that is nothing.
  ///
  /// What the open request has brought by now is among it.
  func ofSameAsset(edge: DataAmount) -> FileSource? {
    if loaded.ranges.isEmpty, request == nil || indexSearch != .found { return nil }
    var other = self
    if let request, indexSearch == .found, edge > request.start {
      other.loaded.insert(.init(start: request.start, end: edge))
    }
    (other.request, other.last, other.responseRecord) = (nil, nil, 0)
    (other.failuresInARow, other.failuresOnline, other.retriesAt) = (0, 0, .start)
    if indexSearch != .found { other.indexSearch = .atHead }
    other.played = played.ofSameAsset
    return other
  }

  /// Whether anything of the file has come.
  var hasCome: Bool { !loaded.ranges.isEmpty }

  /// Takes note of a request that failed; returns whether it is made again.
  mutating func takeFailure(
    _ failure: RequestFailure, _ policy: StreamPolicy, at now: Instant
  ) -> Bool {
    failuresInARow += 1
    if failure != .offline {
      failuresOnline += 1
      if let most = policy.failuresMax, failuresOnline >= most { return false }
    }
    retriesAt = now + policy.retryDelay(after: failuresInARow)
    return true
  }

  /// Takes note of first bytes that are content.
  mutating func lookForIndexAtBack() {
    precondition(
      indexSearch == .atHead,
      "the index is looked for at the back, but its search is \(indexSearch)")
    indexSearch = .atBack(from: media.contentEnd)
  }

  /// Whether what is loaded reaches up to a time.
  func hasLoaded(upTo time: MediaTime) -> Bool {
    assert(time >= .zero, "a file begins at 0, not at \(time.nanoseconds) ns")
    return loaded.range(holding: media.map.position(of: time)) != nil
  }

  /// Returns the part of the file around a playhead, empty if nothing is loaded there.
  ///
  /// Before the header is there, loading goes on from wherever the file was left. A playhead that
  /// went backwards out of what is loaded is not followed below the given position.
  func part(
    around playhead: MediaTime, notBefore least: DataAmount = .zero
  ) -> LoadedRanges<DataAmount>.Range {
    let position = max(media.map.position(of: playhead), least)
    let head = loaded.range(holding: .zero) ?? .init(start: .zero, end: .zero)
    if head.end < media.map.position(of: .zero) { return head }
    return loaded.range(holding: position) ?? .init(start: position, end: position)
  }

  /// Returns what would have to be asked for next, if anything, from an edge on.
  func nextRequest(from edge: DataAmount) -> LoadedRanges<DataAmount>.Range? {
    guard case .progressive = media.source, request == nil else { return nil }
    if let rangeProbe {
      return LoadedRanges.Range(start: .zero, end: min(DataAmount(rangeProbe), media.size))
    }
    switch indexSearch {
    case .atHead:
      return LoadedRanges.Range(
        start: loaded.range(holding: .zero)?.end ?? .zero, end: media.size)
    case .atBack(let start): return LoadedRanges.Range(start: start, end: media.size)
    case .found: break
    }
    let end = media.contentEnd
    if edge >= end { return nil }
    return LoadedRanges.Range(
      start: edge, end: min(loaded.part(behind: edge)?.start ?? end, end))
  }

  /// Returns whether the open request, if any, makes the part longer that a playhead lies in, or
  /// has to be answered wherever it lies.
  func isLoading(for playhead: MediaTime, edge: DataAmount) -> Bool {
    guard let request else { return false }
    if rangeProbe != nil { return true }
    let position = media.map.position(of: playhead)
    let start = loaded.range(holding: request.start)?.start ?? request.start
    return start <= position && position <= edge
  }

  /// Where the only loaded range starts while one request brings it; nil if all is less simple.
  var startOfOnlyRange: MediaTime? {
    guard let request, loaded.ranges.isEmpty else { return nil }
    return media.map.time(of: request.start)
  }

  /// Returns the loaded ranges as times, by ascending start, with what the request has brought.
  func loadedTimeRanges(edge: DataAmount) -> [LoadedTimeRange] {
    if indexSearch != .found { return [] }  // nobody knows which times the bytes are
    var all = loaded
    if let request, edge > request.start {
      all.insert(.init(start: request.start, end: edge))
    }
    return all.ranges.compactMap { range in
      let (start, end) = (media.map.time(of: range.start), media.map.time(of: range.end))
      return start < end ? LoadedTimeRange(start: start, end: end) : nil
    }
  }
}
