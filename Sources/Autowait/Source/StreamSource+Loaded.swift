/// What is loaded of a stream, what is arriving, and what is still to come.
extension StreamSource {
  /// Returns the stretch of media around a time that all tracks have.
  @inline(always)
  func range(around time: MediaTime) -> (start: MediaTime, end: MediaTime) {
    var (start, end) = (MediaTime.zero, MediaTime.unbounded)
    for track in tracks where !track.isIdle {
      let range = track.playable(around: time)
      start = max(start, range.start)
      let edge = range.end
      // A track that is shorter than another one has all that there is of it.
      if edge < streamMedia.lists[track.list].end { end = min(end, edge) }
    }
    if tracks.isEmpty { return (time, time) }
    return (min(start, time), end)
  }

  /// Whether all tracks have something at a time.
  @inline(always)
  func isLoaded(at time: MediaTime) -> Bool { range(around: time).end > time }

  /// Returns what is loaded of all tracks, by ascending start.
  ///
  /// A track that nobody waits for is left out until it has joined the others.
  var loadedTimeRanges: [LoadedRanges<MediaTime>.Range] {
    let tracks = tracks.filter { $0.isAwaited }
    guard let first = tracks.first else { return [] }
    return tracks.dropFirst().reduce(first.playableRanges) { common, track in
      let loaded = track.playableRanges
      let end = streamMedia.lists[track.list].end
      return common.flatMap { range in
        loaded.compactMap { other in
          let isLast = other.end >= end && other.end == loaded.last?.end
          let (start, last) = (max(range.start, other.start), isLast ? range.end : other.end)
          return start < min(range.end, last)
            ? LoadedRanges.Range(start: start, end: min(range.end, last)) : nil
        }
      }
    }
  }

  /// Returns what is still to come before an end, for the rule that says whether playback keeps up,
  /// and may have said so before.
  mutating func remaining(
    from playhead: MediaTime, to endTime: MediaTime, edge: MediaTime, isLikely: Bool,
    at now: Instant
  ) -> RemainingStream {
    let ahead = variantAhead.map { streamMedia.variants[$0] }
    var remaining = noneRemaining(of: ahead, from: playhead, isLikely: isLikely)
    // A track that misses something and has nothing loaded after that, and how many miss something.
    var wanting: (list: Int, next: Int)?
    var wantingCount = 0
    for (place, track) in tracks.enumerated() {
      tracks[place].waitsFrom = nil
      if track.isIdle { continue }
      let number = place == 0 ? ahead?.list ?? track.list : track.list
      let list = streamMedia.lists[number]
      let end = track.edge(from: playhead)
      if end >= list.end { continue }
      let next = track.nextMissing(of: list, from: end)
      let listed = listedCount(of: list, to: place)
      let count = min(listed, list.count(before: endTime))
      // What is behind the end is not waited for.
      if end <= edge, next < count || next >= listed { tracks[place].waitsFrom = end }
      if next >= count { continue }
      let begun = begun(next, at: end, of: list)
      if begun == nil, track.hasNothing(after: end) { wanting = (number, next) }
      wantingCount += 1
      var (missing, last) = (
        list.data(from: next, to: count).bytes, list.segmentThere(before: count)
      )
      missing -= begun?.loaded.bytes ?? 0
      var gap: Range<Int>?
      for range in track.loaded.ranges where range.start > end {
        // What is loaded may begin with a part in the middle of a segment, which is missing then.
        let start = range.start
        let begun = min(count, list.segment(at: start))
        let first = begun < count && list.start(of: begun) < start ? begun + 1 : begun
        let behind = min(count, list.segment(at: range.end))
        if first >= behind || first <= next { continue }
        gap = gap ?? next..<first
        missing -= list.data(from: first, to: behind).bytes
        if behind > last { last = max(next, list.segmentThere(before: first)) }
      }
      let section = list.sectionMissing(before: next, number, after: track.initialization)
      remaining.missing += section
      remaining.missing += notComing(
        DataAmount(ByteCount(bytes: missing)), to: place, of: next..<count)
      remaining.deadline = min(
        remaining.deadline, (last == next ? begun?.lastStart : nil) ?? list.start(of: last))
      if let gap, gap.upperBound <= last {
        remaining.beforeLast = part(inGap: gap, of: list, section, to: place)
      }
      if end <= edge {
        remaining.next += section
        remaining.next += notComing(
          DataAmount(begun?.next ?? list.size(of: next)), to: place, of: next..<(next + 1))
      }
    }
    if tracks.count > 1 { countBeside(in: &remaining, from: playhead, at: now) }
    if wantingCount > 1 || remaining.rate != nil { remaining.beforeLast = nil }
    if remaining.rate != nil { return remaining }
    if wantingCount > 1, let part = beforeGapEnds(from: playhead, to: endTime) {
      remaining.beforeLast = part
    } else if let wanting {
      remaining.beforeLast =
        wantingCount > 1
        ? beforeLast(of: remaining.missing, from: playhead, to: endTime)
        : streamMedia.lists[wanting.list]
          .beforeShortLast(of: remaining.missing, next: wanting.next, to: endTime)
    }
    return remaining
  }

  /// What a track misses in a gap, and where the last segment of that starts.
  private func part(
    inGap gap: Range<Int>, of list: SegmentList, _ section: DataAmount, to place: Int
  ) -> RemainingStream.Part {
    assert(!gap.isEmpty, "nothing is missing before segment \(gap.upperBound)")
    let inGap = DataAmount(list.data(from: gap.lowerBound, to: gap.upperBound))
    return RemainingStream.Part(
      missing: section + notComing(inGap, to: place, of: gap),
      deadline: list.start(of: list.segmentThere(before: gap.upperBound)))
  }

  /// Returns what several tracks miss before the first of them has something loaded behind a gap,
  /// and where the first of their last segments before that starts; nil if there is no gap.
  ///
  /// They load side by side, so all of it comes before anything that starts later.
  private func beforeGapEnds(
    from playhead: MediaTime, to end: MediaTime
  ) -> RemainingStream.Part? {
    guard plan.requests.order == .furthestBehind, live.isEmpty else { return nil }
    var gapEnd = MediaTime.unbounded
    for track in tracks where !track.isIdle {
      let edge = track.edge(from: playhead)
      if let next = track.loaded.part(behind: edge) { gapEnd = min(gapEnd, next.start) }
    }
    if gapEnd >= end { return nil }
    var (missing, deadline) = (DataAmount.zero, MediaTime.unbounded)
    for place in tracks.indices where !tracks[place].isIdle {
      guard let next = nextSegment(of: place, from: playhead) else { continue }
      let list = streamMedia.lists[next.list]
      let behind = list.count(before: gapEnd)
      if next.number >= behind { continue }
      let edge = tracks[place].edge(from: playhead)
      missing += rest(of: place, from: next.number, to: behind, next.list, edge)
      deadline = min(deadline, list.start(of: list.segmentThere(before: behind)))
    }
    if missing == .zero { return nil }
    assert(deadline < gapEnd, "what is missing before a gap's end starts behind it")
    return RemainingStream.Part(missing: missing, deadline: deadline)
  }

  /// What is known of what is still to come, whatever it is.
  ///
  /// Who becomes likely to keep up stays so in the variant that is about to be asked for, whose
  /// playlist may not list the end yet. Who is so already loses it when that is asked for, unless
  /// the playlist comes in the same instant.
  private func noneRemaining(
    of ahead: StreamMedia.Variant?, from playhead: MediaTime, isLikely: Bool
  ) -> RemainingStream {
    var remaining = RemainingStream(deadline: MediaTime.unbounded)
    if isLive || (!isLikely && isLiveAhead), let ahead {
      remaining.rate = ahead.averageBandwidth ?? ahead.bandwidth
      remaining.isIdle = isIdle(after: playhead)
    }
    return remaining
  }

  /// Whether a playlist of the variant that a live stream is about to go on in lists no end.
  private var isLiveAhead: Bool {
    guard let chosenAhead else { return false }
    let others = renditionLists[chosenAhead]
    let lists = [streamMedia.variants[chosenAhead].list, others.audio, others.subtitles]
    return lists.contains { $0.map { !live[$0].isEnded } ?? false }
  }

  /// A segment of which parts are loaded.
  private struct BegunSegment {
    /// What the parts have that are loaded, and the next one.
    let loaded: ByteCount
    let next: ByteCount
    /// Where the next part ends, and the last one starts.
    let nextEnd: MediaTime
    let lastStart: MediaTime
  }

  /// Returns what is known of the next segment of a track, if parts of it are loaded up to a time.
  @inline(__always)
  private func begun(
    _ next: Int, at end: MediaTime, of list: SegmentList
  ) -> BegunSegment? {
    guard let part = streamMedia.live?.part, part > .zero, end > list.start(of: next) else {
      return nil
    }
    let start = list.start(of: next)
    let parts = (list.end(of: next) - start).nanoseconds - 1
    let last = MediaTime(
      nanoseconds: start.nanoseconds + parts / part.nanoseconds * part.nanoseconds)
    let nextEnd = min(end + part, list.end(of: next))
    return BegunSegment(
      loaded: list.size(of: next, from: start, to: end),
      next: list.size(of: next, from: end, to: nextEnd),
      nextEnd: nextEnd, lastStart: max(last, end))
  }

  /// Counts what tracks bring beside the next segment of another one: of those that wait for a
  /// segment, the one counts whose segment comes last.
  ///
  /// As long as it comes each track asks for what begins no later than it ends.
  private mutating func countBeside(
    in remaining: inout RemainingStream, from playhead: MediaTime, at now: Instant
  ) {
    guard plan.requests.order == .furthestBehind, goal == .media else { return }
    var (latest, most) = (0, DataAmount.zero)
    for place in tracks.indices where tracks[place].waitsFrom != nil {
      let share = share(of: place, from: playhead, at: now)
      let missing = share.missing(ofNext: share.next, besideCame: .zero)
      if missing >= most { (latest, most) = (place, missing) }
    }
    if tracks[latest].waitsFrom == nil { return }
    for place in tracks.indices where place != latest { tracks[place].waitsFrom = nil }
    let share = share(of: latest, from: playhead, at: now)
    remaining.next = share.missing
    remaining.beside = share.beside + aside(at: now).delivered
    remaining.besideAllTheTime = share.besideAllTheTime
  }

  /// What is missing of the next segment of a track, with what has come of it and without, and what
  /// others may bring until it has come.
  private func share(
    of place: Int, from playhead: MediaTime, at now: Instant
  ) -> RemainingStream {
    var share = RemainingStream(deadline: .zero)
    guard let next = nextSegment(of: place, from: playhead) else { return share }
    let edge = tracks[place].edge(from: playhead)
    let begun = begun(next.number, at: edge, of: streamMedia.lists[next.list])
    share.missing = rest(of: place, from: next.number, to: next.number + 1, next.list, edge)
    if let begun { share.missing = min(share.missing, DataAmount(begun.next)) }
    share.next = share.missing - min(share.missing, deliveredOfNext(to: place, at: now))
    let end = begun?.nextEnd ?? streamMedia.lists[next.list].end(of: next.number)
    var sharers: Int64 = 0
    for other in tracks.indices where other != place && !tracks[other].isIdle {
      guard let first = nextSegment(of: other, from: playhead) else { continue }
      let list = streamMedia.lists[first.list]
      let edge = tracks[other].edge(from: playhead)
      let hasMore = tracks[other].hasNothing(after: edge)
      let behind = hasMore ? min(first.count, list.segment(at: end) + 1) : first.number + 1
      if behind <= first.number { continue }
      let all = rest(of: other, from: first.number, to: behind, first.list, edge)
      let came = min(all, delivered(to: other, at: now))
      if all == came { continue }
      share.beside += all - came
      sharers += 1
    }
    if share.beside >= share.next.times(sharers) { share.besideAllTheTime = sharers }
    return share
  }

  /// The next segment of a track that there is, in which list, and how many that has; nil if none
  /// is listed.
  private func nextSegment(
    of place: Int, from playhead: MediaTime
  ) -> (number: Int, list: Int, count: Int)? {
    let track = tracks[place]
    let ahead = place == 0 ? variantAhead.map { streamMedia.variants[$0].list } : nil
    let number = ahead ?? track.list
    let list = streamMedia.lists[number]
    let edge = track.edge(from: playhead)
    if edge >= list.end { return nil }
    let count = listedCount(of: list, to: place)
    let next = list.segmentThere(from: list.segment(at: edge, near: track.guess))
    return next < count ? (next, number, count) : nil
  }

  /// How many segments of a list there are for a track by now.
  private func listedCount(of list: SegmentList, to place: Int) -> Int {
    if live.isEmpty { return list.count }
    return place == 0 ? list.segment(at: listedEnd) : live[tracks[place].list].count
  }

  /// What a track that is loaded up to an edge misses of some segments, with the section that goes
  /// before them.
  private func rest(
    of place: Int, from first: Int, to behind: Int, _ number: Int, _ edge: MediaTime
  ) -> DataAmount {
    let list = streamMedia.lists[number]
    let all = DataAmount(list.data(from: first, to: behind))
    let loaded = DataAmount(begun(first, at: edge, of: list)?.loaded ?? .zero)
    return list.sectionMissing(before: first, number, after: tracks[place].initialization)
      + notComing(all - min(all, loaded), to: place, of: first..<behind)
  }

  /// What has come by an instant of the segment for which a track waits.
  private func deliveredOfNext(to place: Int, at now: Instant) -> DataAmount {
    requests.reduce(.zero) { came, request in
      request.track == place && request.resource.isMedia && isAwaited(request)
        ? came + request.delivered(at: now) : came
    }
  }

  /// What has come by an instant of the media that is under way to a track.
  private func delivered(to place: Int, at now: Instant) -> DataAmount {
    requests.reduce(.zero) { came, request in
      request.track == place && request.resource.isMedia ? came + request.delivered(at: now) : came
    }
  }

  /// Returns what of some data that is missing comes before the last segment of the track that
  /// comes last, and where the segment before that starts; nil if that need not be asked.
  ///
  /// The track is the one whose last segment is the largest. Beside its last but one, the others
  /// load what starts no later than its last.
  private func beforeLast(
    of missing: DataAmount, from playhead: MediaTime, to end: MediaTime
  ) -> RemainingStream.Part? {
    guard plan.requests.order == .furthestBehind else { return nil }
    var rests: [(list: SegmentList, next: Int, count: Int)] = []
    for (place, track) in tracks.enumerated() where !track.isIdle {
      let edge = track.edge(from: playhead)
      if !track.hasNothing(after: edge) { return nil }
      let ahead = place == 0 ? variantAhead.map { streamMedia.variants[$0].list } : nil
      let list = streamMedia.lists[ahead ?? track.list]
      let next = list.segmentThere(from: list.segment(at: edge, near: track.guess))
      let count = list.count(before: end)
      if next < count { rests.append((list, next, count)) }
    }
    guard rests.count > 1 else { return nil }
    var latest = 0
    for place in rests.indices.dropFirst() {
      let (list, other) = (rests[place].list, rests[latest].list)
      let (last, lastOfOther) = (
        list.segmentThere(before: rests[place].count),
        other.segmentThere(before: rests[latest].count)
      )
      if list.size(of: last) > other.size(of: lastOfOther) { latest = place }
    }
    let list = rests[latest].list
    let last = list.segmentThere(before: rests[latest].count)
    let beforeLast = list.segmentThere(before: last)
    if rests[latest].next > beforeLast { return nil }
    var later = DataAmount.zero
    for (other, next, count) in rests {
      var first = other.segment(at: list.start(of: last))
      if first < count, other.start(of: first) < list.start(of: last) { first += 1 }
      if first < count, other.start(of: first) == list.start(of: last) { first += 1 }
      later += DataAmount(other.data(from: max(next, first), to: max(next, first, count)))
    }
    later += DataAmount(list.size(of: last))
    assert(list.start(of: beforeLast) <= list.start(of: last), "segment \(last) starts too early")
    return RemainingStream.Part(
      missing: missing - min(later, missing), deadline: list.start(of: beforeLast))
  }

  /// Where the last segment ends that any playlist of a variant lists.
  ///
  /// The playlist of the next variant may not have come yet, or may be old.
  private var listedEnd: MediaTime {
    streamMedia.variants.reduce(.zero) { end, variant in
      max(end, streamMedia.lists[variant.list].start(of: live[variant.list].count))
    }
  }

  /// The part of what a track misses of some segments that is not being appended.
  ///
  /// A part of a live segment may be that the list does not have yet.
  @inline(__always)
  private func notComing(
    _ missing: DataAmount, to place: Int, of numbers: Range<Int>
  ) -> DataAmount {
    if appending.isEmpty, held.isEmpty { return missing }
    return missing - min(missing, appendingData(to: place, of: numbers))
  }

  /// Returns what has arrived by an instant of media requests that playback does not wait for next,
  /// and how they go on.
  @inline(always)
  func aside(at now: Instant) -> (delivered: DataAmount, share: FlowShare) {
    var (delivered, share) = (DataAmount.zero, FlowShare.none)
    for request in requests where request.resource.isMedia && !isAwaited(request) {
      delivered += request.delivered(at: now)
      share = share.joined(by: request.share)
    }
    return (delivered, share)
  }

  /// Whether a media request brings what playback waits for next.
  @inline(always)
  private func isAwaited(_ request: StreamRequest) -> Bool {
    guard let place = request.track, place < tracks.count, let edge = tracks[place].waitsFrom else {
      return false
    }
    guard let span = request.span else { return true }
    return span.start <= edge && edge < span.end
  }

  /// Returns the transfers under way that bring what is next after a time.
  func wanted(from time: MediaTime) -> [Int] {
    requests.filter { request in
      guard let place = request.track, place < tracks.count else { return true }
      guard let span = request.span else { return true }
      let edge = tracks[place].edge(from: time)
      return span.start <= edge && edge < span.end
    }.map { $0.transfer }
  }
}

extension StreamRequest {
  /// What of it has come by an instant, as it was last told.
  @inline(__always)
  fileprivate func delivered(at now: Instant) -> DataAmount {
    min(size, delivered + share.data(in: max(.zero, now - followed)))
  }
}

extension SegmentList {
  /// The initialisation section that must come before a segment of the list with a number, if one
  /// of a list, or none, came last.
  func sectionMissing(
    before segment: Int, _ number: Int, after initialization: (list: Int, number: Int)?
  ) -> DataAmount {
    guard let section = stretch(of: segment).initialization else { return .zero }
    if let initialization, initialization == (number, section) { return .zero }
    return DataAmount(initializations[section])
  }
}

extension [StreamTrack] {
  /// What is loaded, if it is one stretch of a single track.
  var onlyRange: LoadedTimeRange? {
    guard count == 1, self[0].joinsBefore == nil, self[0].loaded.ranges.count == 1 else {
      return nil
    }
    let range = self[0].loaded.ranges[0]
    return LoadedTimeRange(start: range.start, end: range.end)
  }
}

extension [StreamRequest] {
  /// What of the media requests has arrived, given what has of each, and how they go on together.
  @inline(__always)
  func arrival(
    _ of: (StreamRequest) -> DataAmount
  ) -> (delivered: DataAmount, share: FlowShare, isOpen: Bool) {
    var (delivered, share, isOpen) = (DataAmount.zero, FlowShare.none, false)
    for index in indices where self[index].resource.isMedia {
      delivered += of(self[index])
      share = share.joined(by: self[index].share)
      isOpen = true
    }
    return (delivered, share, isOpen)
  }

  /// The place of the first request for a segment of a track that may be given up.
  func abandonable(of track: Int) -> Int? {
    firstIndex {
      if case .segment = $0.resource { $0.track == track && !$0.isKept } else { false }
    }
  }
}

extension FlowShare {
  /// The part of the link that some requests have together with another one.
  ///
  /// A sum of parts is told as a part of its own, which may err by a nanobit for each; what has
  /// arrived is counted again with each change.
  @inline(__always)
  func joined(by other: FlowShare) -> FlowShare {
    if other.rate <= .zero { return self }
    if rate <= .zero { return other }
    if width != 1 || other.width != 1 { return alone(rate: wideRate + other.wideRate) }
    if flows == other.flows {
      let both = rate.bitsPerSecond + other.rate.bitsPerSecond
      return FlowShare(rate: BitRate(bitsPerSecond: both), flows: flows, place: 0)
    }
    return alone(
      rate: rate.bitsPerSecond / Int64(flows) + other.rate.bitsPerSecond / Int64(other.flows))
  }

  /// Its rate, where it has several places.
  private var wideRate: Int64 {
    Int64(Int128(rate.bitsPerSecond) * Int128(width) / Int128(flows))
  }

  @inline(__always)
  private func alone(rate: Int64) -> FlowShare {
    FlowShare(rate: BitRate(bitsPerSecond: rate), flows: 1, place: 0)
  }
}

/// What is still to come of a stream.
struct RemainingStream: Hashable, Sendable {
  /// A part of it, and where the playhead is when it must be there.
  struct Part: Hashable, Sendable {
    let missing: DataAmount
    let deadline: MediaTime
  }

  /// The data that is missing until the end, with what has arrived of segments under way.
  var missing = DataAmount.zero
  /// Where the last missing segment starts: all must be there when the playhead is.
  var deadline: MediaTime
  /// The data of the next segment; of several tracks that wait for one, of that which comes last.
  var next = DataAmount.zero
  /// What other tracks bring while it comes, and how many of them have the link beside it all the
  /// time; what they bring then is no matter.
  var beside = DataAmount.zero
  var besideAllTheTime: Int64 = 0
  /// The data that comes before the last segment of the track that comes last, and where the one
  /// before that starts; nil if what else is asked says as much.
  ///
  /// Where sound and picture come side by side, the last sound comes before the last picture but
  /// one is whole: what is there when that is needed is more than is played by then. And a last
  /// segment that is shorter than the others may come soon enough though the one before it is late.
  var beforeLast: Part?
  /// The rate at which a live stream goes on; nil if its end is known.
  var rate: BitRate?
  /// Whether everything that is offered of a live stream is loaded, and nothing is under way.
  var isIdle = false

  /// What the link brings until the next segment is there, if so much of that is missing, and so
  /// much of what comes beside it has come.
  ///
  /// The link is shared evenly: who has it all the time gets as much as the segment does.
  @inline(__always)
  func missing(ofNext missing: DataAmount, besideCame aside: DataAmount) -> DataAmount {
    if besideAllTheTime > 0 { return missing.times(1 + besideAllTheTime) }
    return missing + (beside - min(beside, aside))
  }
}

extension StreamTrack {
  /// The first segment from a time on that is neither loaded nor missing on purpose.
  ///
  /// What is behind one that is missing on purpose may be loaded, of another variant or read ahead,
  /// before the playlist has come with which the gap is passed.
  @inline(__always)
  fileprivate func nextMissing(of list: SegmentList, from time: MediaTime) -> Int {
    var next = list.segmentThere(from: list.segment(at: time, near: guess))
    while next < list.count, list.start(of: next) > time,
      let range = loaded.range(holding: list.start(of: next))
    {
      let behind = list.segment(at: range.end)
      if behind <= next { break }
      next = list.segmentThere(from: behind)
    }
    return next
  }

  /// Whether nothing is loaded that begins after a time.
  @inline(__always)
  fileprivate func hasNothing(after time: MediaTime) -> Bool {
    loaded.ranges.last.map { $0.start <= time } ?? true
  }
}

extension SegmentList {
  /// How many segments begin before a time.
  @inline(__always)
  func count(before time: MediaTime) -> Int {
    if time >= end { return count }
    let last = segment(at: time)
    return last < count && start(of: last) < time ? last + 1 : last
  }

  /// Returns what of some data that is missing comes before the last segment that begins before an
  /// end, and where the segment before that starts, if the last one is the shorter of the two, and
  /// the other one is not next.
  @inline(__always)
  func beforeShortLast(
    of missing: DataAmount, next: Int, to end: MediaTime
  ) -> RemainingStream.Part? {
    let last = segmentThere(before: count(before: end))
    let beforeLast = segmentThere(before: last)
    if next >= beforeLast { return nil }
    let (before, start) = (self.start(of: beforeLast), self.start(of: last))
    if self.end(of: last) - start >= start - before { return nil }
    return RemainingStream.Part(
      missing: missing - min(DataAmount(size(of: last)), missing), deadline: before)
  }
}
