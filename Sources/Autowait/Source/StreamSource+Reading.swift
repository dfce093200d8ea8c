/// How media of a segment is read while the rest of the segment is on its way.
///
/// Bytes and media are taken to be spread over each other evenly: within a segment nobody knows
/// where the bytes of a time lie.
extension StreamSource {
  /// Whether what comes of a request is read before all of it is there.
  private func isRead(_ request: StreamRequest) -> Bool {
    guard plan.requests.readStep != nil, request.resource.isSegment, request.fault == nil,
      request.responded != nil, !request.isAhead, let place = request.track, place < tracks.count
    else { return false }
    return !isToMeasure(request) && !isProbing
  }

  /// Where what has been read of a request ends.
  private func readEnd(of request: StreamRequest) -> MediaTime? {
    guard isRead(request), let place = request.track, let (start, end) = request.span,
      start < end
    else { return nil }
    return loadedEnd(of: place, from: start, to: end)
  }

  /// Where what is loaded of a track from a time on ends, or begins to be missing before another.
  func loadedEnd(of place: Int, from start: MediaTime, to end: MediaTime) -> MediaTime {
    let loaded = tracks[place].loaded.range(holding: start)
    return loaded.map { min($0.end, end) } ?? start
  }

  /// When something is to be done about a request, if nothing about the link changes: the next
  /// step of it has come, or so much of one that comes too early that it is suspended.
  private func nextRead(of request: StreamRequest) -> Instant {
    if !held.isEmpty { return nextRelease(by: request) }
    if request.isAhead {
      guard let most = plan.requests.readAhead, !request.isHeld, request.responded != nil,
        DataAmount(most) < request.size, !hasReadAhead(of: request)
      else { return .never }
      return request.arrival(of: DataAmount(most))
    }
    guard let step = plan.requests.readStep, let before = readEnd(of: request),
      let (start, end) = request.span
    else { return .never }
    let count = (before - start).nanoseconds / step.nanoseconds + 1
    let (time, overflow) = step.nanoseconds.multipliedReportingOverflow(by: count)
    if overflow || time >= (end - start).nanoseconds { return .never }
    return request.arrival(of: request.data(before: time, of: end - start))
  }

  /// When something more of a segment can be read, if nothing about the link changes.
  var nextRead: Instant {
    requests.reduce(openings.isEmpty ? .never : nextOpening) { min($0, nextRead(of: $1)) }
  }

  /// Reads what has come of a request by now; returns whether that is more than before.
  mutating func read(_ number: Int, _ delivered: DataAmount, at now: Instant) -> Bool {
    if !held.isEmpty { return release(number, delivered, at: now) }
    let request = requests[number]
    guard let step = plan.requests.readStep, let before = readEnd(of: request),
      let place = request.track, let (start, end) = request.span
    else { return false }
    let steps = request.media(in: delivered, of: end - start) / step.nanoseconds
    let read = MediaTime(nanoseconds: start.nanoseconds + steps * step.nanoseconds)
    if read <= before {
      if nextRead(of: request) <= now { requests[number].correct(delivered, at: now) }
      return false
    }
    assert(start <= before && read < end || read == end, "a step leads out of its segment")
    assert(!request.isHeld, "what is read is suspended")
    insert(before, read, into: place)
    if place == 0 {
      pieces.add(before, read, of: request.variant, chosenAt: switchEstimate?.bitRate)
    }
    return true
  }
}

// MARK: - Two segments at once

extension StreamSource {
  /// Where a track may ask for more, and whether that is too early to be read; nil if it may not.
  ///
  /// It has nothing under way, or a segment that is being read. All tracks are read in step: the
  /// next segment of each is opened when the answer for the present one has begun.
  @inline(always)
  func nextPlace(
    of place: Int, behind edge: MediaTime, isBusy: Bool, in context: LoadContext
  ) -> (edge: MediaTime, isAhead: Bool)? {
    let asked = max(edge, requests.end(of: place), appending.end(of: place))
    let end = tracks[place].edge(from: asked)
    let list = streamMedia.lists[tracks[place].list]
    let next = list.segment(at: end, near: tracks[place].guess)
    let present = list.segment(at: range(around: context.playhead).end, near: next)
    if next <= present { return isBusy ? nil : (end, false) }
    if next > present + 1 { return nil }
    for request in requests where request.track == place && !request.isReload {
      // What a segment needs comes before it.
      if request.responded == nil || !request.resource.isSegment { return nil }
    }
    return (end, true)
  }

  /// Finds which requests come too early for where the reading is; returns whether that has
  /// changed.
  ///
  /// A playhead that runs on without a picture may be behind where the reading is: a segment is
  /// read when those before it have been.
  mutating func findAhead(of playhead: MediaTime) -> Bool {
    let edge = range(around: playhead).end
    var isChanged = false
    for number in requests.indices where requests[number].track != StreamRequest.noTrack {
      let isAhead =
        requests[number].span.map { span in
          span.start > edge || requests.contains { $0.isUnread(before: requests[number]) }
        } ?? false
      if isAhead == requests[number].isAhead { continue }
      requests[number].isAhead = isAhead
      // A section that a segment needs is read when it comes, whatever it was asked for.
      if !isAhead, requests[number].responded != nil, requests[number].resource.isSegment {
        noteReadAhead(of: requests[number])
      }
      isChanged = true
    }
    return isChanged
  }

  /// When a playhead that runs on without a picture reaches a segment that was asked for early, and
  /// reads it where nothing before it is under way; nil if it reaches none.
  @inline(__always)
  func nextAhead(behind playhead: MediaTime) -> MediaTime? {
    plan.requests.readAhead == nil ? nil : Self.nextAhead(behind: playhead, requests)
  }

  @inline(never)
  private static func nextAhead(
    behind playhead: MediaTime, _ requests: [StreamRequest]
  ) -> MediaTime? {
    requests.reduce(nil) { next, request in
      guard request.isAhead, let start = request.span?.start, start > playhead else { return next }
      return next.map { min($0, start) } ?? start
    }
  }

  /// Whether a connection takes all that comes too early, as it has been read in one go before.
  ///
  /// What waits unread of a connection is read in less than a round trip when its turn comes. Linux
  /// takes that for the rate at which the application reads, and lets the window grow to megabytes
  /// (`tcp_rcv_space_adjust`). Recorded of mpv 0.35.1: eight connections stopped with 115,000 to
  /// 123,000 B unread for the first time, and the four that were read after that never again.
  private func hasReadAhead(of request: StreamRequest) -> Bool {
    guard let place = request.track, place < tracks.count else { return false }
    return tracks[place].readAheadOf & Self.connection(of: request) != 0
  }

  private mutating func noteReadAhead(of request: StreamRequest) {
    guard let place = request.track, place < tracks.count else { return }
    tracks[place].readAheadOf |= Self.connection(of: request)
  }

  /// Which of the two connections of its track brings a segment, as a bit.
  private static func connection(of request: StreamRequest) -> UInt8 {
    (request.resource.segment ?? 0) % 2 == 0 ? 1 : 2
  }

  /// Returns a transfer that is to be suspended for a while, or to go on, if there is one.
  mutating func changeOfReading(
    at now: Instant, _ delivered: (Int) -> DataAmount
  ) -> (transfer: Int, suspends: Bool)? {
    guard let most = plan.requests.readAhead else { return nil }
    for number in requests.indices where requests[number].resource.isSegment {
      let request = requests[number]
      let amount = request.responded == nil ? .zero : delivered(request.transfer)
      let suspends =
        request.isAhead
        && (request.isHeld || DataAmount(most) < request.size && amount >= DataAmount(most))
        && !hasReadAhead(of: request)
      if suspends == request.isHeld {
        if request.isAhead, nextRead(of: request) <= now {
          requests[number].correct(amount, at: now)
        }
        continue
      }
      assert(suspends || request.isHeld, "a transfer goes on that was not suspended")
      requests[number].isHeld = suspends
      return (request.transfer, suspends)
    }
    return nil
  }
}

extension StreamRequest {
  /// Whether it is of a segment that is read before that of another request of its track.
  fileprivate func isUnread(before other: StreamRequest) -> Bool {
    guard track == other.track, let span, let (start, _) = other.span else { return false }
    return span.start < start
  }

  /// Takes note that less has come than was reckoned: by paths whose rates are not told exactly.
  mutating func correct(_ amount: DataAmount, at now: Instant) {
    assert(amount >= delivered, "data that has come is lost")
    (delivered, followed) = (amount, now)
  }

  /// When so much of it will have come, if nothing about the link changes.
  func arrival(of data: DataAmount) -> Instant {
    if delivered >= data { return followed }
    if share.rate == .zero { return .never }
    return followed + share.span(for: data - delivered)
  }

  /// The data that has come when a time of its media has, rounded up.
  fileprivate func data(before time: Int64, of span: MediaTime) -> DataAmount {
    let (time, all) = (UInt128(UInt64(time)), UInt128(UInt64(span.nanoseconds)))
    return DataAmount(nanobits: (size.nanobits * time + all - 1) / all)
  }

  /// The time of its media, in nanoseconds, that has come with so much data, rounded down.
  fileprivate func media(in data: DataAmount, of span: MediaTime) -> Int64 {
    if size == .zero { return span.nanoseconds }
    let all = UInt128(UInt64(span.nanoseconds))
    return Int64(min(all, min(data, size).nanobits * all / size.nanobits))
  }
}
