/// How a player loads a stream.
extension Player {
  /// Asks for what is missing of streams; returns whether anything changed.
  mutating func loadStreams(
    in moment: inout Moment
  ) -> Bool {
    var isChanged = false
    for index in prepared.indices {
      isChanged =
        loadPrepared(index, in: &moment) || isChanged
    }
    guard stream != nil, item?.status != .failed else { return isChanged }
    isChanged = placeStart(in: &moment) || isChanged
    let wasReady = stream?.isReady == true
    let context = context(at: moment.now)
    while let next = stream?.next(in: context) {
      noteRequestedVariant(in: &moment)
      request(next, of: nil, in: &moment)
      isChanged = true
    }
    noteRequestedVariant(in: &moment)
    if stream?.isUnplayable == true {
      fail(in: &moment)
      return true
    }
    if stream?.isReady == true, !wasReady {
      buffer.hasResponded = true
      isChanged = true
    }
    let hasPassedGap = stream?.hasPassedGap == true
    stream?.hasPassedGap = false
    if isChanged || hasPassedGap { noteStream(at: moment.now) }
    if hasPassedGap || (isChanged && stream?.streamMedia.live != nil) {
      placeStreamEdge(at: moment.now)
    }
    if hasPassedGap { judgeStream(at: moment.now) }
    return isChanged || hasPassedGap
  }

  /// Loads what an asset or an item that is not the current one needs.
  private mutating func loadPrepared(
    _ index: Int, in moment: inout Moment
  ) -> Bool {
    let context = StreamLoader.LoadContext(
      now: moment.now, playhead: .zero, isFull: false, reloads: false, estimate: nil)
    var isChanged = false
    while let next = prepared[index].next(in: context) {
      request(next, of: index, in: &moment)
      isChanged = true
    }
    return isChanged
  }

  /// What a stream's next request depends on.
  ///
  /// It changes nothing, and is `mutating` so that it is not handed a copy of the player.
  private mutating func context(at now: Instant) -> StreamLoader.LoadContext {
    let readsFillRate = configuration.streaming.adaptation.rule.readsFillRate
    return StreamLoader.LoadContext(
      now: now, playhead: currentTime(at: now), isFull: buffer.isSuspended,
      reloads: buffer.isLive && mayReload,
      estimate: readsFillRate ? fillEstimate(at: now) : nil)
  }

  /// What the fill rate's window holds; nil if too little has come for a verdict.
  ///
  /// It changes nothing, and is `mutating` so that it is not handed a copy of the player.
  mutating func fillEstimate(at now: Instant) -> VariantEstimate? {
    let reading = buffer.meter.reading(at: now)
    let isSeen = buffer.meter.received(at: now) >= DataAmount(configuration.keepUp.verdictSize)
    if !isSeen || reading.received == .zero { return nil }
    return VariantEstimate(received: reading.received, open: reading.open)
  }

  mutating func noteRequestedVariant(in moment: inout Moment) {
    guard let new = stream?.variant, new != recordedVariant else { return }
    let readsFillRate = configuration.streaming.adaptation.rule.readsFillRate
    let estimate = readsFillRate ? fillEstimate(at: moment.now) : stream?.throughput.estimate
    noteRequested(new, estimate, in: &moment)
  }

  /// Tells of the variant that is asked for from now on, and on what grounds.
  mutating func noteRequested(
    _ variant: Int, _ estimate: VariantEstimate?, in moment: inout Moment
  ) {
    if recordedVariant != nil { stream?.switchEstimate = estimate }
    moment.record(.variantSwitchStart(from: recordedVariant, to: variant))
    recordedVariant = variant
  }

  /// Makes a request of the current stream, or of a prepared one.
  private mutating func request(
    _ need: NextRequest, of place: Int?, in moment: inout Moment
  ) {
    let resource = need.resource
    guard let item = place.map({ prepared[$0].item }) ?? stream?.item else { return }
    let fault = meetFault(resource, of: place)
    guard
      let cost = place.map({ prepared[$0].cost(of: resource, at: moment.now) })
        ?? stream?.cost(of: resource, at: moment.now)
    else { return }
    let route = cost.route ?? configuration.media[item].route
    if resource.isSegment { meter.mediaRequestCount += 1 }
    var request = TransferRequest(owner: index, host: route, size: cost.size)
    request.serverDelay = cost.serverDelay
    apply(fault, to: &request)
    let transfer = moment.network.open(
      request, size: DataAmount(request.size), route: route, isWhole: true, at: moment.now)
    var opened = StreamRequest(
      transfer: transfer, resource: resource, track: need.track, size: DataAmount(request.size),
      opened: moment.now, fault: fault)
    if resource.isPlaylist { opened.hold = cost.serverDelay }
    if let place { prepared[place].begin(opened) } else { stream?.begin(opened) }
    let record = moment.record(resource.event(transfer, cost.size))
    if place == nil { moment.cause = record }
  }

  private mutating func meetFault(_ resource: StreamResource, of place: Int?) -> Fault.Outcome? {
    guard let place else { return stream?.meetFault(resource) }
    return prepared[place].meetFault(resource)
  }

  /// Lets a request come to what its fault makes of it.
  private func apply(_ fault: Fault.Outcome?, to request: inout TransferRequest) {
    switch fault {
    case nil, .wrongKey: break
    case .status, .redirect: request.size = .zero
    case .noResponse: request.serverDelay = Limits.timeMax
    case .nameNotResolved:
      request.size = .zero
      request.answer = .nameNotResolved
    }
  }

  /// Tells the buffer how the media of the stream is arriving.
  @inline(__always)
  mutating func noteStream(at now: Instant) {
    guard let arrival = stream?.arrival() else { return }
    buffer.followStream(
      arrival.delivered, arrival.share, isOpen: arrival.isOpen, at: now, history: &fillHistory)
  }

  /// Finds the edge of what is loaded of the stream around the playhead, and what is still to come.
  mutating func placeStreamEdge(at now: Instant) {
    let (playhead, duration) = (currentTime(at: now), buffer.duration)
    guard let range = stream?.range(around: min(playhead, duration)) else { return }
    var end = min(range.end, duration)
    if let last = stream?.streamMedia.mediaEnd, end > last {
      // The last segment has come, and with it all there is.
      if end == duration, !configuration.streaming.waitsForMissingEnd { buffer.endMedia(at: last) }
      end = last
    }
    buffer.setEdge(
      LoadedRanges.Range(
        start: DataAmount(placeOf: min(range.start, end)), end: DataAmount(placeOf: end)),
      before: nil, at: now)
    if let remaining = stream?.remaining(from: playhead, edge: end) {
      buffer.setRemaining(remaining)
    }
    noteStreamAhead(at: now)
    noteSizes()
  }

  /// Finds where sizes of data have the stream suspended, if its player counts them.
  private mutating func noteSizes() {
    if stream == nil || buffer.policy.forwardBufferSizes == nil { return }
    let (start, edge) = (buffer.streamStart, buffer.streamEdge)
    buffer.sizeMarks = stream?.sizeMarks(buffer.policy, from: start, to: edge) ?? .init()
  }

  /// Counts the data that the stream has ahead, for rules that look at it.
  mutating func noteStreamAhead(at now: Instant) {
    guard buffer.policy.rule.usesConditions, stream != nil else { return }
    let (playhead, edge) = (currentTime(at: now), buffer.streamEdge)
    buffer.streamAhead = stream?.dataAhead(from: playhead, to: edge) ?? .zero
  }
}

extension StreamResource {
  /// What is recorded of a request for it.
  fileprivate func event(_ transfer: Int, _ size: ByteCount) -> Event {
    switch self {
    case .multivariantPlaylist: .playlistRequest(transfer: transfer, list: nil, size: size)
    case .mediaPlaylist(let list):
      .playlistRequest(transfer: transfer, list: Int32(list), size: size)
    case .contentKey(let key): .contentKeyRequest(transfer: transfer, key: key, size: size)
    case .initialization(let list, _):
      .segmentRequest(transfer: transfer, size: size, list: Int32(list), segment: nil)
    case .segment(let list, let number), .part(let list, let number, _):
      .segmentRequest(transfer: transfer, size: size, list: Int32(list), segment: Int32(number))
    }
  }
}

// MARK: - Assets and items

extension Player {
  /// Asks for the values of an asset, or for what a new item needs, before it is the current one.
  mutating func prepare(
    _ number: Int, for goal: StreamLoader.Goal, in moment: inout Moment
  ) {
    guard let streamMedia = configuration.media[number].shared, stream?.item != number else {
      return
    }
    let place = prepared.firstIndex { $0.item == number }
    if place == nil { prepared.append(loader(of: number, streamMedia)) }
    let index = place ?? prepared.count - 1
    prepared[index].goal = max(prepared[index].goal, goal)
  }

  private func loader(of number: Int, _ streamMedia: SharedStreamMedia) -> StreamLoader {
    var loader = StreamLoader(item: number, streamMedia, configuration.streaming, limits)
    loader.preloadsKeys = configuration.preloadsEligibleContentKeys
    return loader
  }

  /// Makes a stream the current one, with what was prepared of it.
  mutating func enterStream(_ number: Int, at now: Instant) {
    guard let streamMedia = configuration.media[number].shared else { return }
    if let place = prepared.firstIndex(where: { $0.item == number }) {
      stream = prepared.remove(at: place)
    } else {
      stream = loader(of: number, streamMedia)
    }
    stream?.goal = .media
    stream?.wasPaused = phase == .paused
    stream?.expirePlaylists(at: now)
    (recordedVariant, arrivedVariant) = (nil, nil)
    streamMeter = streamMeter ?? StreamMeter()
    buffer.awaitsMissingEnd =
      configuration.streaming.waitsForMissingEnd && streamMedia.parts.mediaEnd != nil
    limitStream(at: now)
  }

  /// Gives the current stream up; its requests are cancelled, and the asset keeps its own values.
  mutating func leaveStream() {
    guard let stream else { return }
    self.stream = nil
    guard stream.hasMultivariantPlaylist else { return }
    var asset = loader(of: stream.item, stream.shared)
    asset.keepValues(of: stream)
    asset.goal = .values
    prepared.append(asset)
  }

  /// Says how far ahead the current stream is to be loaded.
  ///
  /// Who counts data and has no limit in time has none at all.
  func streamLimit() -> MediaTime? {
    if preferredForwardBufferDuration > .zero { return preferredForwardBufferDuration }
    if let limit = configuration.keepUp.forwardBufferLimit { return limit }
    if buffer.policy.forwardBufferSizes?.sizeMax != nil { return nil }
    return configuration.streaming.forwardBufferDefault
  }

  mutating func limitStream(at now: Instant) {
    if stream == nil { return }
    buffer.setForwardBufferLimit(streamLimit())
    noteSizes()
  }
}

// MARK: - What comes of requests

extension Player {
  /// The place of the prepared stream that a transfer belongs to; nil for the current one.
  private func preparedPlace(of transfer: Int) -> Int? {
    if prepared.isEmpty { return nil }
    return prepared.firstIndex { $0.requests.contains { $0.transfer == transfer } }
  }

  /// Whether a transfer belongs to a stream.
  func isOfStream(_ transfer: Int) -> Bool {
    if stream?.requests.contains(where: { $0.transfer == transfer }) == true { return true }
    return preparedPlace(of: transfer) != nil
  }

  /// Takes note of the first byte of a response.
  mutating func streamResponseBegan(_ transfer: Transfer, in moment: inout Moment) {
    let place = preparedPlace(of: transfer.number)
    let record = moment.record(.mediaResponse(transfer: transfer.number))
    if let place {
      prepared[place].noteResponse(transfer.number, record: record, at: moment.now)
    } else {
      (moment.cause, moment.flowCause) = (record, record)
      stream?.noteResponse(transfer.number, record: record, at: moment.now)
    }
  }

  /// Takes note of a response of a stream that arrived whole.
  mutating func streamTransferCompleted(
    _ transfer: Transfer, in moment: inout Moment
  ) {
    if let place = preparedPlace(of: transfer.number) {
      preparedTransferCompleted(transfer, place, in: &moment)
      return
    }
    guard let request = stream?.end(transfer.number) else { return }
    moment.cause = max(moment.network.link.cause, request.responseRecord)
    if request.resource.isMedia { buffer.keepStream(transfer.delivered) }
    noteStream(at: moment.now)
    moment.cause = moment.record(
      .mediaRequestCompleted(transfer: transfer.number, bytes: transfer.delivered.begunBytes))
    moment.flowCause = moment.cause
    if request.fault == .redirect { return }
    if let fault = request.fault {
      streamRequestFailed(request, fault, in: &moment)
      return
    }
    let isToMeasure = stream?.isToMeasure(request) == true
    stream?.take(request, at: moment.now)
    if isToMeasure {
      moment.cause = moment.record(.segmentDiscarded(transfer: transfer.number))
      return
    }
    noteStartup(request.resource, at: moment.now)
    switch request.resource {
    case .segment, .part: segmentArrived(request, in: &moment)
    case .mediaPlaylist:
      if stream?.streamMedia.live == nil { return }
      placeStreamEdge(at: moment.now)
      judgeStream(at: moment.now)
    case .multivariantPlaylist, .contentKey, .initialization: break
    }
  }

  private mutating func segmentArrived(
    _ request: StreamRequest, in moment: inout Moment
  ) {
    if request.track == 0 {
      noteArrivedVariant(in: &moment)
      if stream?.pieces.areMany == true { forgetPieces(at: moment.now) }
    }
    placeStreamEdge(at: moment.now)
    judgeStream(at: moment.now)
  }

  mutating func noteArrivedVariant(in moment: inout Moment) {
    guard let variant = stream?.variant, variant != arrivedVariant else { return }
    noteArrived(variant, in: &moment)
  }

  /// Tells of the variant whose media comes from now on.
  mutating func noteArrived(_ variant: Int, in moment: inout Moment) {
    moment.record(.variantSwitch(from: arrivedVariant, to: variant))
    if arrivedVariant != nil { meter.variantSwitchCount += 1 }
    arrivedVariant = variant
  }

  private mutating func preparedTransferCompleted(
    _ transfer: Transfer, _ place: Int, in moment: inout Moment
  ) {
    let request = prepared[place].end(transfer.number)
    let done = moment.record(
      .mediaRequestCompleted(transfer: transfer.number, bytes: transfer.delivered.begunBytes))
    if request.fault == .redirect { return }
    if request.fault != nil {
      prepared[place].failPrepared(request, at: moment.now)
      return
    }
    let hadValues = prepared[place].hasValues
    prepared[place].take(request, at: moment.now)
    if !hadValues, prepared[place].hasValues {
      moment.log.record(
        .valuesLoaded(item: prepared[place].item), at: moment.now, cause: done, player: index)
    }
  }

  /// Judges a stream that plays; one that does not is judged at every instant.
  mutating func judgeStream(at now: Instant) {
    guard stream != nil else { return }
    buffer.cachedFacts = nil
    buffer.prepareRule(for: evaluationRate)
    guard phase.isPlaying else { return }
    let facts = buffer.facts(at: now, playhead: currentTime(at: now))
    buffer.cachedFacts = facts.intersection([.likely, .verdict])
  }
}

// MARK: - Failures and timers

extension Player {
  /// Takes note of a request that went wrong, and does what can be done.
  private mutating func streamRequestFailed(
    _ request: StreamRequest, _ fault: Fault.Outcome, in moment: inout Moment
  ) {
    moment.cause = moment.record(
      .newErrorLogEntry(transfer: request.transfer, code: fault.errorCode))
    meter.recoverableErrorCount += 1
    switch stream?.takeFailure(of: request, at: moment.now) {
    case .retry, .otherVariant, nil: placeStreamEdge(at: moment.now)
    case .some(.none): fail(in: &moment)
    }
  }

  /// Takes note of a request of a stream that the network could not carry.
  mutating func streamTransferFailed(
    _ transfer: Transfer, _ failure: TransferFailure, in moment: inout Moment
  ) {
    let place = preparedPlace(of: transfer.number)
    moment.cause = moment.record(
      .mediaRequestFailed(
        transfer: transfer.number, failure: failure, bytes: transfer.delivered.wholeBytes))
    if let place {
      prepared[place].failPrepared(prepared[place].end(transfer.number), at: moment.now)
      return
    }
    guard let request = stream?.end(transfer.number) else { return }
    if request.resource.isMedia { buffer.keepStream(transfer.delivered) }
    noteStream(at: moment.now)
    if failure == .connectionLost, !configuration.streaming.reconnects {
      stream?.goal = .nothing
      return
    }
    let fault: Fault.Outcome = failure == .nameNotResolved ? .nameNotResolved : .noResponse
    streamRequestFailed(request, fault, in: &moment)
  }

  /// The next instant at which a stream must be looked at though nothing arrives.
  ///
  /// It changes nothing, and is `mutating` so that it is not handed a copy of the player.
  mutating func nextStreamTimer(after now: Instant) -> Instant {
    var next = Instant.never
    for index in prepared.indices {
      next = min(next, prepared[index].nextTimer(after: now, bufferEnd: nil))
    }
    if buffer.isFailed { return next }
    let end = bufferEnd(from: now)
    next = min(next, nextLiveInstant(after: now))
    return min(next, stream?.nextTimer(after: now, bufferEnd: end) ?? .never)
  }

  /// When the playhead comes, or came, to the end of what is loaded.
  private mutating func bufferEnd(from now: Instant) -> Instant? {
    if timebase.rate > .zero { return timebase.instant(of: buffer.streamMarks.edge, from: now) }
    return stream?.stalledAt
  }

  /// Gives up what has come too late, or not at all; returns whether it did.
  mutating func giveUpLateRequests(
    in moment: inout Moment
  ) -> Bool {
    if giveUpLatePrepared(in: &moment) { return true }
    if item?.status == .failed, stream?.requests.isEmpty == false {
      cancelStream(in: &moment)
      return true
    }
    if stream == nil || buffer.isFailed { return false }
    let end = bufferEnd(from: moment.now)
    if let due = stream?.abandonment(bufferEnd: end), due <= moment.now {
      let context = StreamLoader.Lateness(
        now: moment.now, bufferEnd: end, playhead: currentTime(at: moment.now))
      let abandoned = stream?.abandoned(in: context) {
        moment.network.delivered(of: $0, at: moment.now)
      }
      guard let transfer = abandoned else { return true }
      cancelStream(in: &moment) { $0.transfer == transfer }
      meter.abandonedCount += 1
      stream?.fall()
      return true
    }
    guard let transfer = stream?.timedOut(at: moment.now) else { return false }
    var late: StreamRequest?
    cancelStream(in: &moment) {
      if $0.transfer == transfer { late = $0 }
      return $0.transfer == transfer
    }
    if let late { streamRequestFailed(late, .noResponse, in: &moment) }
    return true
  }

  /// Gives up a request of a prepared stream that has had no answer; returns whether there was one.
  private mutating func giveUpLatePrepared(
    in moment: inout Moment
  ) -> Bool {
    for place in prepared.indices {
      guard let number = prepared[place].timedOut(at: moment.now) else { continue }
      let request = prepared[place].end(number)
      let transfer = moment.network.close(number, at: moment.now)
      moment.record(
        .mediaRequestCancelled(transfer: number, bytes: transfer.delivered.wholeBytes))
      prepared[place].failPrepared(request, at: moment.now)
      return true
    }
    return false
  }

  /// Gives up the requests of the stream that are meant; what has come of them is lost.
  mutating func cancelStream(
    in moment: inout Moment,
    where isMeant: (StreamRequest) -> Bool = { _ in true }
  ) {
    for request in stream?.requests ?? [] where isMeant(request) {
      _ = stream?.end(request.transfer)
      let transfer = moment.network.close(request.transfer, at: moment.now)
      if request.resource.isMedia { buffer.keepStream(transfer.delivered) }
      moment.record(
        .mediaRequestCancelled(transfer: request.transfer, bytes: transfer.delivered.wholeBytes))
    }
    noteStream(at: moment.now)
    if stream?.streamMedia.live != nil { placeStreamEdge(at: moment.now) }
  }
}

extension Fault.Outcome {
  /// The code in the error log.
  ///
  /// Observed: −12889 "No response for media file" (WWDC18 502). Assumed, from what applications
  /// report: −12938 for a file that is not there, −12660 for one that is forbidden, −1003
  /// (`NSURLErrorCannotFindHost`) for a name that is not known, and the others.
  var errorCode: Int32 {
    switch self {
    case .status(404): -12_938
    case .status(403): -12_660
    case .status, .redirect: -12_666
    case .noResponse: -12_889
    case .nameNotResolved: -1_003
    case .wrongKey: -12_645
    }
  }
}
