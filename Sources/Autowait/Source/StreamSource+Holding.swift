/// A segment that has come and is played only when enough has come behind it.
struct HeldSegment: Sendable {
  let segment: AppendingSegment
  /// Whether nothing that comes before it is there, so that playback may wait for it.
  let isFirst: Bool
  /// When the next one had come whole; nil if it has not.
  var followedAt: Instant?

  /// The track that it is for, and where it begins and ends.
  fileprivate var track: Int? { segment.request.track }
  fileprivate var start: MediaTime { segment.request.span?.start ?? .zero }
  fileprivate var end: MediaTime { segment.request.span?.end ?? .zero }

  /// Whether a segment goes on where this one ends, or comes later.
  fileprivate func isFollowed(by request: StreamRequest) -> Bool {
    request.track == track && request.span.map { $0.end > end } ?? false
  }

  /// Whether it waits for the beginning of what a request brings: the first segment for that of the
  /// next one, another for that of whatever was asked for when the next one had come.
  fileprivate func waits(for request: StreamRequest) -> Bool {
    guard request.resource.isSegment, request.fault == nil else { return false }
    if isFirst, isFollowed(by: request) { return true }
    return followedAt.map { request.opened >= $0 } ?? false
  }
}

/// How a player holds segments back that it does not read to their ends before it has more.
///
/// Recorded of VLC 3.0.24: it plays the first segment of a track with the first block of the
/// second, and each other one when the next has come whole and a block of what it asked for then.
extension StreamSource {
  /// Holds a segment back that has just come whole, or appends it; appends those that were held
  /// back for what it brings.
  mutating func hold(_ segment: AppendingSegment, at now: Instant) {
    let request = segment.request
    assert(plan.requests.readStep == nil, "what is read while it comes is held back")
    assert(streamMedia.live == nil, "a segment of a live stream is held back")
    release(by: request)
    for index in held.indices
    where held[index].followedAt == nil && held[index].isFollowed(by: request) {
      held[index].followedAt = now
    }
    guard let place = request.track, place < tracks.count, let span = request.span,
      span.start < span.end, !isLast(request), !hasMore(of: place, at: span.end),
      streamMedia.lists[tracks[place].list].gaps.isEmpty
    else {
      // Nothing more comes behind it that anything could wait for.
      release(of: request.track)
      append(segment)
      return
    }
    assert(
      !held.contains { $0.track == place && $0.end >= span.end && $0.start <= span.start },
      "what is held back has come twice")
    held.append(HeldSegment(segment: segment, isFirst: !hasMore(of: place, before: span.start)))
  }

  /// Whether a track has something that ends at a time, if only held back.
  private func hasMore(of place: Int, before time: MediaTime) -> Bool {
    if time == .zero { return false }
    let last = MediaTime(nanoseconds: time.nanoseconds - 1)
    return tracks[place].loaded.range(holding: last) != nil
      || held.contains { $0.track == place && $0.start < time && $0.end >= time }
  }

  /// Whether a track has something at a time, if only held back.
  private func hasMore(of place: Int, at time: MediaTime) -> Bool {
    tracks[place].edge(from: time) > time || held.edge(of: place, from: time) > time
  }

  /// Whether its list has nothing behind a segment that could come.
  private func isLast(_ request: StreamRequest) -> Bool {
    guard let list = request.resource.list, let number = request.resource.segment else {
      return true
    }
    return streamMedia.lists[list].segmentThere(from: number + 1) >= streamMedia.lists[list].count
  }

  /// Appends what waits for the beginning of what a request brings; returns whether anything did.
  @discardableResult
  private mutating func release(by request: StreamRequest) -> Bool {
    var index = 0
    let count = held.count
    while index < held.count {
      if held[index].waits(for: request) {
        append(held.remove(at: index).segment)
      } else {
        index += 1
      }
    }
    return held.count < count
  }

  /// Appends what is held back of a track, or of all.
  mutating func release(of track: Int? = nil) {
    let all = held
    held.removeAll { track == nil || $0.track == track }
    for one in all where track == nil || one.track == track { append(one.segment) }
  }

  /// Appends what is held back of a track behind which nothing comes; returns whether anything was.
  mutating func releaseLast(of track: Int) -> Bool {
    if !held.contains(where: { $0.track == track }) { return false }
    assert(plan.requests.followingBlock != nil, "a player holds back what it plays at once")
    release(of: track)
    return true
  }

  /// When so much of a request has come that something held back is played, if nothing about the
  /// link changes.
  func nextRelease(by request: StreamRequest) -> Instant {
    guard let block = plan.requests.followingBlock, request.responded != nil,
      held.contains(where: { $0.waits(for: request) })
    else { return .never }
    return request.arrival(of: min(DataAmount(block), request.size))
  }

  /// Appends what was held back for what has come of a request by now; returns whether anything
  /// was.
  mutating func release(_ number: Int, _ delivered: DataAmount, at now: Instant) -> Bool {
    let request = requests[number]
    guard let block = plan.requests.followingBlock, request.responded != nil else { return false }
    if delivered >= min(DataAmount(block), request.size) { return release(by: request) }
    if nextRelease(by: request) <= now { requests[number].correct(delivered, at: now) }
    return false
  }

  /// Whether a track must wait until another one has asked, where sound goes first.
  ///
  /// One request is made at a time. Sound is a segment ahead until there is a picture, and then
  /// asks first of two tracks that are about equally far.
  func waitsForSound(_ place: Int, at edge: MediaTime, in context: LoadContext) -> Bool {
    let hasPicture = !tracks[0].loaded.ranges.isEmpty
    func lead(_ place: Int) -> MediaTime {
      let target = streamMedia.lists[tracks[place].list].targetDuration.nanoseconds
      return MediaTime(nanoseconds: hasPicture ? target / 2 : target + target / 2)
    }
    if place > 0 {
      guard let picture = frontier(of: 0, from: context.playhead) else { return false }
      return edge > picture + lead(place)
    }
    for other in tracks.indices.dropFirst() {
      guard let sound = frontier(of: other, from: context.playhead) else { continue }
      if sound <= edge + lead(other) { return true }
    }
    return false
  }
}

extension [HeldSegment] {
  /// Where what has come of a track up to a time ends, with what is held back.
  func edge(of place: Int, from edge: MediaTime) -> MediaTime {
    reduce(edge) { edge, one in
      guard one.track == place, let span = one.segment.request.span, span.start <= edge else {
        return edge
      }
      return Swift.max(edge, span.end)
    }
  }
}
