/// How a player lets its sources load: it makes the requests that they decide on, tells them what
/// comes of them, and records both.
extension Player {
  /// Does something with a source that is prepared, by its place, or with the current one.
  @inline(__always)
  private mutating func with<Outcome>(
    _ place: Int?, _ body: (inout ItemSource) -> Outcome
  ) -> Outcome {
    if let place { body(&prepared[place]) } else { body(&source) }
  }

  /// The place of the prepared source that a transfer belongs to; nil for the current one.
  @inline(__always)
  func place(of transfer: Int) -> Int? {
    prepared.isEmpty ? nil : prepared.firstIndex { $0.has(transfer) }
  }

  // MARK: What is asked for

  /// Asks for what is missing; returns whether more may follow from it.
  mutating func load(in moment: inout Moment) -> Bool {
    if prepared.isEmpty, source.isOccupied { return false }
    var isChanged = false
    for place in prepared.indices { isChanged = load(place, in: &moment) || isChanged }
    guard let status = source.item?.status, status != .failed else { return isChanged }
    if isChanged, !source.buffer.isStream { return true }
    isChanged = placeStart(in: &moment) || isChanged
    let (wasReady, variant) = (source.isReady, source.variant)
    let context = context(at: moment.now)
    var hasAsked = false
    while let next = source.nextRequest(in: context) {
      noteRequestedVariant(in: &moment)
      request(next, of: nil, in: &moment)
      hasAsked = true
      // A file has one request at a time.
      if !source.buffer.isStream { return true }
      if source.buffer.isGivenUp { return true }
      if source.isOccupied, source.stream.openings.isEmpty { break }
    }
    if !source.buffer.isStream { return isChanged }
    noteRequestedVariant(in: &moment)
    if source.isUnplayable {
      fail(in: &moment)
      return true
    }
    if source.isReady, !wasReady {
      source.buffer.hasResponded = true
      isChanged = true
    }
    // What is chosen may have to wait, and its playlist may say that the playhead is to go on
    // elsewhere.
    if source.variant != variant { isChanged = true }
    // Of a stream in play it changes nothing yet that something is asked for, if that can be done.
    let isInPlay = wasReady && !source.buffer.isLive && !moment.network.goesOffline
    if hasAsked, !isInPlay { isChanged = true }
    let (hasPassedGap, isMiscounted) = (source.takePassedGap(), source.isMiscounted)
    if isChanged || hasAsked || hasPassedGap { noteArrival(in: &moment) }
    if hasPassedGap || isMiscounted || (isChanged && source.buffer.isLive) {
      placeEdge(at: moment.now)
    }
    return isChanged || hasPassedGap || isMiscounted
  }

  /// Tells the buffer how its media is arriving, with what has come since that was told last.
  ///
  /// Of several requests each is told apart from here on; one that is alone may follow a log.
  mutating func noteArrival(in moment: inout Moment) {
    let now = moment.now
    // Behind a playlist without data, the next segment can still follow at once.
    let requests = source.stream.requests
    if requests.isEmpty || requests.contains(where: { $0.size > .zero }) {
      source.buffer.forgetSpare()
    }
    guard source.stream.requests.count > 1 else {
      source.noteArrival(at: now) { request in
        // What was asked for, or told, at this instant is known.
        guard request.followed == now else {
          return moment.network.delivered(of: request.transfer, at: now)
        }
        assert(
          request.delivered == moment.network.delivered(of: request.transfer, at: now),
          "more has come of transfer \(request.transfer) than was told")
        return request.delivered
      }
      return
    }
    for place in source.stream.requests.indices {
      let number = source.stream.requests[place].transfer
      source.stream.requests[place].delivered = moment.network.delivered(of: number, at: now)
      source.stream.requests[place].followed = now
      assert(
        source.stream.requests[place].delivered <= source.stream.requests[place].size,
        "more has come of transfer \(number) than was asked for")
    }
    source.noteArrival(at: now)
  }

  /// Chooses the variant of what is about to be asked for; returns whether it is another one than
  /// what is still to come was counted for.
  ///
  /// A rule that asks for it is to be told of the segments that will come, and not of others for no
  /// time at all.
  mutating func choosesAnotherVariant(isFull: Bool, at now: Instant) -> Bool {
    // What is full no more is read again at once.
    let isOccupied = source.isOccupied(isFull: isFull && source.buffer.isSuspended)
    if isOccupied || source.item?.status == .failed { return false }
    var context = context(at: now)
    context.isFull = isFull && !source.stream.isPaced || yields
    source.stream.chooseAhead(in: context)
    if !source.isMiscounted { return false }
    placeEdge(at: now)
    return true
  }

  /// Loads what an asset or an item that is not the current one needs.
  private mutating func load(_ place: Int, in moment: inout Moment) -> Bool {
    let context = StreamSource.LoadContext(
      now: moment.now, playhead: .zero, isFull: false, reloads: false, estimate: nil)
    var isChanged = false
    while let next = prepared[place].nextRequest(in: context) {
      request(next, of: place, in: &moment)
      isChanged = true
    }
    return isChanged
  }

  /// What the next request depends on.
  mutating func context(at now: Instant) -> StreamSource.LoadContext {
    StreamSource.LoadContext(
      now: now, playhead: source.buffer.placeNeeded(at: currentTime(at: now)),
      isFull: source.buffer.isSuspended && !source.stream.isPaced || yields,
      reloads: source.buffer.isLive && mayReload,
      estimate: readsFillRate ? source.fillEstimate(at: now) : nil,
      resumesAt: source.buffer.resumesAt, limit: source.buffer.policy.forwardBufferLimit)
  }

  /// Whether variants are chosen by the fill rate.
  @inline(__always)
  private var readsFillRate: Bool {
    source.buffer.isStream && source.stream.plan.choosesByFillRate
  }

  private mutating func request(
    _ request: ItemSource.SourceRequest, of place: Int?, in moment: inout Moment
  ) {
    switch request {
    case .part(let range): self.request(range, in: &moment)
    case .resource(let next): self.request(next, of: place, in: &moment)
    }
  }

  /// Asks for a part of a file.
  private mutating func request(_ range: LoadedRanges<DataAmount>.Range, in moment: inout Moment) {
    assert(range.start <= range.end, "a part of a file ends before it begins")
    let (size, now) = (range.end - range.start, moment.now)
    let transfer = moment.network.open(
      size, for: index, route: source.media.route, behind: source.file?.last, at: now)
    let request = FileSource.FileRequest(
      transfer: transfer, start: range.start, isExpensive: limits.isExpensive)
    source.begin(
      range, request, headStart: moment.network.headStart(of: transfer, at: now), at: now)
    source.startup.noteRequest(at: now)
    meter.noteRequest(at: now)
    moment.cause = moment.record(
      .mediaRequest(
        transfer: transfer, from: range.start.wholeBytes, size: size.begunBytes,
        item: moment.enqueued))
    failOffline(transfer, in: &moment)
    if yields { suspend(true, transfer, in: &moment) }
  }

  /// Asks for a part of a stream that has an address of its own.
  mutating func request(_ need: NextRequest, of place: Int?, in moment: inout Moment) {
    let (resource, now, player) = (need.resource, moment.now, index)
    let isOffline = moment.network.isOffline(at: now)
    let rate = moment.network.hasPaths ? nil : moment.network.link.rate
    var out = with(place) {
      $0.outgoing(need, of: player, isOffline: isOffline, over: rate, at: now)
    }
    meter.noteRequest(at: now)
    if place == nil, resource.isMedia {
      source.startup.noteRequest(at: now)
      if let track = need.track {
        // A segment follows the last one of its track if it begins in the last nanosecond of that,
        // or the one of another track that had the link before it. What a playlist left of its
        // nanosecond is no evidence of how fast media comes.
        out.carried.follows = source.stream.last
        if track < source.stream.tracks.count, let last = source.stream.tracks[track].last,
          moment.network.spare(of: last, at: now) > .zero
        {
          out.carried.follows = last
        }
      }
    }
    let transfer = moment.network.open(
      out.carried, size: DataAmount(out.carried.size), route: out.carried.host,
      isWhole: out.isWhole, at: now)
    var opened = StreamRequest(
      transfer: transfer, resource: resource, track: need.track,
      size: DataAmount(out.carried.size), opened: now, fault: out.fault)
    if resource.isPlaylist { opened.hold = out.cost.serverDelay }
    (opened.delivered, opened.followed) = (moment.network.headStart(of: transfer, at: now), now)
    opened.isExpensive = limits.isExpensive
    opened.isAhead = need.isAhead
    with(place) { $0.stream.begin(&opened) }
    let record = moment.record(
      resource, transfer, out.cost.size, itemToName(place, moment.enqueued))
    if place == nil { moment.cause = record }
    failOffline(transfer, in: &moment)
  }

  /// The item that a request names: an enqueued one, or one of a queue that is only prepared.
  ///
  /// That may go wrong while the item waits for its turn, and another one is the current one.
  private func itemToName(_ place: Int?, _ enqueued: UInt16?) -> UInt16? {
    guard hasQueue, let place else { return enqueued }
    return UInt16(clamping: prepared[place].number)
  }

  mutating func noteRequestedVariant(in moment: inout Moment) {
    guard let new = source.variant, new != source.recordedVariant else { return }
    let measured =
      readsFillRate ? source.fillEstimate(at: moment.now) : source.stream.throughput.estimate
    noteRequested(new, measured, in: &moment)
  }

  /// Tells of the variant that is asked for from now on, and on what grounds.
  mutating func noteRequested(
    _ variant: Int, _ estimate: VariantEstimate?, in moment: inout Moment
  ) {
    assert(
      source.stream.streamMedia.variants.indices.contains(variant),
      "player \(index) asks for variant \(variant), which there is not")
    let old = source.recordedVariant
    if old != nil { source.stream.switchEstimate = estimate }
    moment.record(.variantSwitchStart(from: old, to: variant, item: moment.enqueued))
    source.recordedVariant = variant
  }

  /// Stops reading when the buffer is full before everything is loaded, and goes on when it is not.
  mutating func suspendReading(in moment: inout Moment) {
    guard let change = source.changeOfReading(at: moment.now) else { return }
    source.buffer.isSuspended = change.suspends
    // Who leaves the network to others does not read anyway.
    if !yields { suspend(change.suspends, change.transfer, in: &moment) }
  }

  // MARK: Assets and items

  /// Asks for the values of an asset, or for what a new item needs, before it is the current one.
  mutating func prepare(_ number: Int, for goal: StreamSource.Goal, in moment: inout Moment) {
    guard configuration.media[number].shared != nil, !source.isStream(of: number) else { return }
    let known = prepared.firstIndex { $0.number == number }
    if known == nil { prepared.append(newSource(number, at: moment.now)) }
    prepared[known ?? prepared.count - 1].raise(goal)
    assert(
      prepared.count { $0.number == number } == 1, "item \(number) is prepared more than once")
  }

  /// Makes the source of an item of which nothing is known.
  ///
  /// The file of one without a stream is set where the source is put, or all of it would be copied.
  private func newSource(_ number: Int, at now: Instant) -> ItemSource {
    let media = configuration.media[number]
    // Whether anything is decided by how fast media has arrived lately.
    let adaptation = configuration.streaming.adaptation.rule
    let readsFillRate = configuration.keepUp.rule.readsFillRate || adaptation.readsFillRate
    let buffer = ItemBuffer(
      media, policy: configuration.keepUp, readsFillRate: readsFillRate, at: now)
    var source = ItemSource(number, media, buffer, newStream(of: media))
    if configuration.latency.firstFrame > .zero { source.buffer.decodedAt = .never }
    return source
  }

  /// What loads a medium of which nothing is known.
  private func newStream(of media: Media) -> StreamSource {
    guard let shared = media.shared else { return .ofNothing }
    let isModelled = configuration.streaming.adaptation.rule.isModelled
    var stream = StreamSource(
      shared, configuration.streaming,
      configuration.keepUp.requests(besideModelledRule: isModelled), limits)
    stream.preloadsKeys = configuration.preloadsEligibleContentKeys
    stream.reloadsAfterLastSegment = configuration.contract.iOS >= 13 && !isModelled
    stream.setRate(loadingRate)
    stream.appendingSpan = configuration.latency.appending
    stream.openingSpan = configuration.latency.opening
    return stream
  }

  /// Makes an item the current one, with what was prepared of it.
  mutating func enterItem(_ number: Int, at now: Instant) {
    let place =
      prepared.firstIndex { $0.number == number }
      ?? prepared.firstIndex { configuration.isOfSameAsset($0.number, number) }
    source = newSource(number, at: now)
    if !source.buffer.isStream {
      source.file = FileSource(source.media, rangeProbe: configuration.rangeProbe)
    }
    if let place { source.stream = prepared.remove(at: place).stream }
    // What was prepared goes on with what it has asked for.
    if sharesAssets, source.stream.requests.isEmpty { takeKnown(of: number) }
    source.stopsAtEnd = sharesAssets
    (source.stream.startVariant, joinedBy) = (joinedBy, nil)
    source.enter(isPaused: phase == .paused, at: now)
    source.buffer.setEnd(configuration.span(of: number).end ?? configuration.forwardPlaybackEndTime)
    if !source.buffer.isStream { return }
    // What was loaded for another item is opened again.
    source.stream.openingSpan = configuration.latency.opening
    tellRate()
    noteStream(at: now)
    source.limitStream(to: preferredForwardBufferDuration, ahead: .zero)
  }

  /// Takes over what was loaded of the current item's asset for other items or before.
  private mutating func takeKnown(of number: Int) {
    guard let known = queue.known(of: number, configuration) else { return }
    if let file = known.file, !source.buffer.isStream { source.file = file }
    guard let stream = known.stream else { return }
    source.stream = stream
    (source.recordedVariant, source.arrivedVariant) = (stream.variant, stream.variant)
  }

  /// Gives the current source up; an asset keeps its own values.
  mutating func leaveSource(at now: Instant) {
    let keepsAsset = !sharesAssets || source.buffer.isLive
    if keepsAsset, source.buffer.isStream, source.stream.hasMultivariantPlaylist {
      var asset = newSource(source.number, at: now)
      asset.stream.keepValues(of: source.stream)
      asset.raise(.values)
      prepared.append(asset)
    }
    source = ItemSource(noItemAt: now, policy: configuration.keepUp)
  }

  // MARK: What comes of requests

  /// Takes note of how a transfer goes on from here.
  @inline(__always)
  mutating func follow(_ transfer: Transfer, at now: Instant) {
    touched = max(touched, now)
    restedAt = .never
    if hasQueue, followOfStandby(transfer, at: now) { return noteSharedTime(at: now) }
    // What is prepared beside a file says nothing of how the file arrives.
    if !prepared.isEmpty, !source.buffer.isStream, !source.has(transfer.number) { return }
    source.follow(transfer, at: now)
    if hasQueue { noteSharedTime(at: now) }
  }

  /// Takes note of how the transfers of its only source go on.
  mutating func follow(_ link: inout IdealLink) {
    if let transfer = source.file?.request?.transfer {
      follow(link.transfer(transfer), at: link.anchor)
    }
    for index in source.stream.requests.indices {
      follow(link.transfer(source.stream.requests[index].transfer), at: link.anchor)
    }
  }

  /// Takes note of the first byte of a response.
  mutating func responseBegan(_ transfer: Int, in moment: inout Moment) {
    if let place = standby(of: transfer) {
      isStirred = true
      return onStandby(place, in: &moment) { $0.responseBegan(transfer, in: &$1) }
    }
    let place = self.place(of: transfer)
    // To the first byte of a part of a stream that is taken whole there is nothing to react.
    if place == nil, !source.buffer.isStream || source.readsSegments { isStirred = true }
    let record = moment.record(.mediaResponse(transfer: transfer))
    if meter.firstByte == nil { meter.firstByte = moment.now }
    if place == nil, !source.buffer.isStream {
      countRequest(isExpensive: source.file?.request?.isExpensive == true)
    }
    if place == nil { (moment.cause, moment.flowCause) = (record, record) }
    let now = moment.now
    with(place) { $0.noteResponse(transfer, record: record, at: now) }
  }

  /// Takes note of a response that arrived whole.
  ///
  /// Its last byte came when it did because of the response's start or the link's last change.
  mutating func transferCompleted(_ transfer: Transfer, in moment: inout Moment) {
    isStirred = true
    if let place = standby(of: transfer.number) {
      return onStandby(place, in: &moment) { $0.transferCompleted(transfer, in: &$1) }
    }
    let completed = Event.mediaRequestCompleted(
      transfer: transfer.number, bytes: transfer.delivered.begunBytes)
    if let place = place(of: transfer.number) {
      let request = prepared[place].stream.end(transfer.number)
      let done = moment.record(completed)
      preparedRequestCompleted(request, place, cause: done, in: &moment)
      return
    }
    let spare = moment.network.spare(of: transfer.number, at: moment.now)
    guard source.buffer.isStream else {
      moment.cause = max(moment.network.link.cause, source.responseRecord)
      source.endFileRequest(
        transfer, spare: spare, playhead: currentTime(at: moment.now), at: moment.now)
      moment.cause = moment.record(completed)
      moment.flowCause = moment.cause
      return
    }
    let request = source.endStreamRequest(transfer, spare: spare, at: moment.now)
    moment.cause = max(moment.network.link.cause, request.responseRecord)
    moment.cause = moment.record(completed)
    moment.flowCause = moment.cause
    streamRequestCompleted(request, in: &moment)
  }

  private mutating func streamRequestCompleted(_ request: StreamRequest, in moment: inout Moment) {
    if request.fault == .redirect { return }
    if let fault = request.fault {
      streamRequestFailed(request, .fault(fault), in: &moment)
      return
    }
    if request.resource.isSegment { countRequest(isExpensive: request.isExpensive) }
    let isToMeasure = source.stream.isToMeasure(request)
    source.stream.take(
      request, playhead: source.buffer.placeNeeded(at: currentTime(at: moment.now)), at: moment.now)
    if isToMeasure {
      moment.cause = moment.record(.segmentDiscarded(transfer: request.transfer))
      return
    }
    // A live playlist that is loaded again was there before.
    if !request.isReload { noteStartup(request.resource, at: moment.now) }
    if source.stream.plan.notesExcess, source.stream.exceedsRate(request) {
      recordEntry(-12_318, of: request.transfer, in: &moment)
    }
    switch request.resource {
    case .segment, .part:
      source.stream.noteAppending(request.transfer, cause: moment.flowCause)
      if request.track == 0 {
        noteArrivedVariant(of: request, in: &moment)
        if source.hasManyPieces { forgetPieces(at: moment.now) }
      }
    case .mediaPlaylist(let list):
      if source.stream.isStale(list) {
        return streamRequestFailed(request, .stale, in: &moment)
      }
      if !source.buffer.isLive { return }
    case .initialization:
      meter.dataPlayed += request.size
      if !source.buffer.needsRemaining { return }
    case .multivariantPlaylist, .contentKey: return
    }
    placeEdge(at: moment.now)
  }

  /// Counts a segment that has come ("a count of media segments downloaded", says the header of
  /// AVPlayerItemAccessLogEvent), or a request for a part of a file that was answered; one that
  /// failed before is none.
  @inline(__always)
  mutating func countRequest(isExpensive: Bool) {
    meter.mediaRequestCount += 1
    if isExpensive { meter.expensiveRequestCount += 1 }
  }

  /// Takes note of a segment that the buffer has now; returns whether there was one.
  mutating func append(in moment: inout Moment) -> Bool {
    guard let first = source.stream.appending.first, first.end <= moment.now,
      source.item?.status != .failed
    else { return false }
    assert(first.end >= first.request.opened, "a segment is there before it is asked for")
    source.stream.appending.removeFirst()
    source.stream.append(first)
    moment.flowCause = first.cause
    noteStartup(first.request.resource, at: moment.now)
    placeEdge(at: moment.now)
    return true
  }

  /// Reads what has come of segments that are not there as a whole; returns whether that is more
  /// than before.
  mutating func readSegments(in moment: inout Moment) -> Bool {
    if source.buffer.isFailed { return false }
    var hasRead = suspendWhatComesEarly(in: &moment)
    let now = moment.now
    if source.stream.openNext(at: now, { moment.network.delivered(of: $0, at: now) }) {
      hasRead = true
    }
    if source.stream.hasOnlyOpened(from: currentTime(at: now)) {
      cancelStream(in: &moment) { $0.track == StreamRequest.noTrack }
      hasRead = true
    }
    if source.stream.nextRead > moment.now { return hasRead }
    for number in source.stream.requests.indices {
      let request = source.stream.requests[number]
      let delivered = moment.network.delivered(of: request.transfer, at: moment.now)
      guard source.stream.read(number, delivered, at: moment.now) else { continue }
      hasRead = true
      moment.flowCause = max(moment.network.link.cause, request.responseRecord)
      noteStartup(request.resource, at: moment.now)
      let isRead = source.stream.plan.requests.followingBlock == nil
      if isRead, request.track == 0 { noteArrivedVariant(of: request, in: &moment) }
    }
    if hasRead { placeEdge(at: moment.now) }
    return hasRead
  }

  /// Suspends what comes too early to be read, and lets go on what is to be read now; returns
  /// whether anything is.
  private mutating func suspendWhatComesEarly(in moment: inout Moment) -> Bool {
    if source.stream.plan.requests.readAhead == nil { return false }
    var isChanged = source.stream.findAhead(of: currentTime(at: moment.now))
    let now = moment.now
    while let change = source.stream.changeOfReading(
      at: now, { moment.network.delivered(of: $0, at: now) })
    {
      suspend(change.suspends, change.transfer, in: &moment)
      isChanged = true
    }
    return isChanged
  }

  private mutating func noteArrivedVariant(of request: StreamRequest, in moment: inout Moment) {
    if source.variant == nil || request.variant == source.arrivedVariant { return }
    noteArrived(request.variant, in: &moment)
  }

  /// Tells of the variant whose media comes from now on.
  mutating func noteArrived(_ variant: Int, in moment: inout Moment) {
    assert(
      source.stream.streamMedia.variants.indices.contains(variant),
      "a segment of variant \(variant) comes, which there is not")
    let old = source.arrivedVariant
    moment.record(.variantSwitch(from: old, to: variant, item: moment.enqueued))
    if old != nil { meter.variantSwitchCount += 1 }
    source.arrivedVariant = variant
  }

  private mutating func preparedRequestCompleted(
    _ request: StreamRequest, _ place: Int, cause: Int, in moment: inout Moment
  ) {
    if request.fault == .redirect { return }
    if let fault = request.fault {
      prepared[place].stream.failPrepared(request, .fault(fault), at: moment.now)
      return
    }
    let hadValues = prepared[place].hasValues
    prepared[place].stream.take(request, playhead: .zero, at: moment.now)
    if !hadValues, prepared[place].hasValues {
      moment.log.record(
        .valuesLoaded(item: prepared[place].number), at: moment.now, cause: cause, player: index)
    }
  }

  // MARK: What is loaded

  /// Finds the edge of what is loaded around the playhead.
  mutating func placeEdge(at now: Instant) {
    // What was played backwards is booked before the start of a live stream may pass the playhead.
    if source.buffer.isLive, timebase.rate < .zero, timebase.isRunning(at: now) {
      bookPlayed(until: currentTime(at: now))
    }
    source.placeEdge(currentTime(at: now), at: now)
  }

  /// Records the loaded ranges if they grew since they were last recorded.
  mutating func recordLoadedTimeRanges(in moment: inout Moment) {
    if source.item == nil { return }
    let end = source.buffer.loadedEnd(at: moment.now)
    if end == source.recordedEnd { return }
    source.recordedEnd = end
    if let range = source.onlyRange(to: end) {
      if range.start == end, !source.buffer.isStream { return }
      moment.record(.loadedTimeRange(index: 0, count: 1, start: range.start, end: range.end))
      return
    }
    let ranges = source.loadedTimeRanges(at: moment.now)
    for (number, range) in ranges.enumerated() {
      moment.record(
        .loadedTimeRange(
          index: Int32(number), count: Int32(ranges.count), start: range.start, end: range.end))
    }
  }
}

extension Moment {
  /// Records a request for a part of a stream.
  fileprivate mutating func record(
    _ resource: StreamResource, _ transfer: Int, _ size: ByteCount, _ item: UInt16?
  ) -> Int {
    switch resource {
    case .multivariantPlaylist:
      record(.playlistRequest(transfer: transfer, list: nil, size: size, item: item))
    case .mediaPlaylist(let list):
      record(.playlistRequest(transfer: transfer, list: Int32(list), size: size, item: item))
    case .contentKey(let key):
      record(.contentKeyRequest(transfer: transfer, key: key, size: size, item: item))
    case .initialization(let list, _):
      record(
        .segmentRequest(
          transfer: transfer, size: size, list: Int32(list), segment: nil, item: item))
    case .segment(let list, let number), .part(let list, let number, _):
      record(
        .segmentRequest(
          transfer: transfer, size: size, list: Int32(list), segment: Int32(number), item: item))
    }
  }
}
