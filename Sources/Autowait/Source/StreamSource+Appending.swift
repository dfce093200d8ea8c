/// A segment that has come and is being appended to the buffer.
struct AppendingSegment: Sendable {
  /// The request that brought it.
  var request: StreamRequest
  /// The variant that it is of, and the rate that was measured when it was chosen.
  let variant: Int
  let chosenAt: BitRate?
  /// When the buffer has it.
  var end = Instant.start
  /// The number of the record of its arrival.
  var cause = 0

  init(_ request: StreamRequest, _ variant: Int, chosenAt: BitRate?) {
    (self.request, self.variant, self.chosenAt) = (request, variant, chosenAt)
  }
}

/// How segments get from the network into the buffer.
extension StreamSource {
  /// Begins to append a segment that has just come, unless it is held back; what takes no time is
  /// done.
  mutating func append(_ request: StreamRequest, at now: Instant) {
    let (variant, measured) = (request.variant, switchEstimate?.bitRate)
    // Who reads segments while they come appends none.
    let span = plan.requests.readStep == nil ? appendingSpan + openingSpan : .zero
    let isHeld = plan.requests.followingBlock != nil
    if !isHeld, span == .zero { return append(request, of: variant, chosenAt: measured) }
    var segment = AppendingSegment(request, variant, chosenAt: measured)
    if isHeld { return hold(segment, at: now) }
    segment.end = max(appending.last?.end ?? now, now + span)
    appending.append(segment)
  }

  /// Puts a segment where it plays; for a track that is gone it is of no use.
  mutating func append(_ segment: AppendingSegment) {
    append(segment.request, of: segment.variant, chosenAt: segment.chosenAt)
  }

  private mutating func append(
    _ request: StreamRequest, of variant: Int, chosenAt measured: BitRate?
  ) {
    if request.track == 0 { openingSpan = .zero }
    guard let place = request.track, place < tracks.count, let (start, end) = request.span,
      let number = request.resource.segmentNumber
    else { return }
    let begun = plan.requests.readStep == nil ? start : loadedEnd(of: place, from: start, to: end)
    insert(start, end, into: place)
    tracks[place].guess = number
    if place == 0, begun < end || start == end {
      pieces.add(begun, end, of: variant, chosenAt: measured)
    }
  }

  /// Takes note of the record of a segment that has come, if it is being appended.
  mutating func noteAppending(_ transfer: Int, cause: Int) {
    guard let last = appending.indices.last, appending[last].request.transfer == transfer else {
      return
    }
    appending[last].cause = cause
  }

  /// The data that has come of some segments of a track and is not in the buffer yet.
  func appendingData(to place: Int, of numbers: Range<Int>) -> DataAmount {
    func sum(_ sum: DataAmount, _ request: StreamRequest) -> DataAmount {
      let isMeant = request.resource.segmentNumber.map(numbers.contains) ?? false
      return request.track == place && isMeant ? sum + request.size : sum
    }
    let data = appending.reduce(.zero) { sum($0, $1.request) }
    return held.reduce(data) { sum($0, $1.segment.request) }
  }
}

extension StreamResource {
  /// The number of the segment that it is, or is a part of.
  fileprivate var segmentNumber: Int? {
    switch self {
    case .segment(_, let number), .part(_, let number, _): number
    case .multivariantPlaylist, .mediaPlaylist, .contentKey, .initialization: nil
    }
  }
}
