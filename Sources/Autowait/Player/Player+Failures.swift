/// What a player does when a request fails, comes too late, or is wanted no more.
extension Player {
  /// Takes note of a request that the network could not carry.
  mutating func transferFailed(
    _ transfer: Transfer, _ failure: TransferFailure, in moment: inout Moment
  ) {
    isStirred = true
    if let place = standby(of: transfer.number) {
      return onStandby(place, in: &moment) { $0.transferFailed(transfer, failure, in: &$1) }
    }
    requestFailed(transfer, failure, RequestFailure(failure), in: &moment)
  }

  private mutating func requestFailed(
    _ transfer: Transfer, _ failure: TransferFailure, _ cause: RequestFailure,
    in moment: inout Moment
  ) {
    isStirred = true
    let place = self.place(of: transfer.number)
    let isFile = place == nil && !source.buffer.isStream
    if isFile {
      source.endFileRequest(transfer, playhead: currentTime(at: moment.now), at: moment.now)
    }
    moment.cause = moment.record(
      .mediaRequestFailed(
        transfer: transfer.number, failure: failure, bytes: transfer.delivered.wholeBytes))
    if isFile { return fileRequestFailed(transfer.number, cause, in: &moment) }
    if let place {
      let request = prepared[place].stream.end(transfer.number)
      prepared[place].stream.failPrepared(request, cause, at: moment.now)
      return
    }
    let request = source.endStreamRequest(transfer, at: moment.now)
    if failure == .connectionLost, !configuration.streaming.reconnects {
      source.stream.goal = .nothing
      return
    }
    streamRequestFailed(request, cause, in: &moment)
  }

  /// Takes note of a request of a file that went wrong; it is made again, from what has come.
  private mutating func fileRequestFailed(
    _ transfer: Int, _ failure: RequestFailure, in moment: inout Moment
  ) {
    recordError(failure.errorCode, of: transfer, in: &moment)
    let policy = configuration.streaming
    if source.file?.takeFailure(failure, policy, at: moment.now) == false {
      giveUp(fails: true, in: &moment)
    }
  }

  private mutating func recordError(_ code: Int32, of transfer: Int, in moment: inout Moment) {
    moment.cause = recordEntry(code, of: transfer, in: &moment)
  }

  /// Writes an entry of the error log: of what went wrong, or of what may lead to a stall.
  @discardableResult
  mutating func recordEntry(_ code: Int32, of transfer: Int, in moment: inout Moment) -> Int {
    meter.recoverableErrorCount += 1
    return moment.record(.newErrorLogEntry(transfer: transfer, code: code))
  }

  /// Takes note of a request that went wrong, and does what can be done.
  mutating func streamRequestFailed(
    _ request: StreamRequest, _ failure: RequestFailure, in moment: inout Moment
  ) {
    recordError(failure.errorCode, of: request.transfer, in: &moment)
    switch source.stream.takeFailure(of: request, failure, at: moment.now) {
    case .retry, .otherVariant: placeEdge(at: moment.now)
    case .lastVariant:
      recordError(RequestFailure.lastVariantCode, of: request.transfer, in: &moment)
      placeEdge(at: moment.now)
    case .none:
      // Of playlists that stay the same it has been told already.
      if request.track == 0, failure.isOfVariant, failure != .stale, let variant = source.variant,
        !source.stream.isLastVariant,
        !source.stream.hasOther(than: variant, at: moment.now)
      {
        recordError(RequestFailure.lastVariantCode, of: request.transfer, in: &moment)
      }
      if failure.isLasting, !failure.isGone || request.track != 0,
        let start = source.stream.start(
          ofMissing: request, playhead: currentTime(at: moment.now))
      {
        return endBeforeMissing(from: start, in: &moment)
      }
      giveUp(fails: failure != .stale, in: &moment)
    }
  }

  /// Loads what comes before missing media, and nothing else.
  private mutating func endBeforeMissing(from start: MediaTime, in moment: inout Moment) {
    assert(start >= .zero && start < .unbounded, "what is missing begins at \(start)")
    source.stream.missingFrom = min(source.stream.missingFrom, start)
    cancelStream(in: &moment) { ($0.span?.start ?? start) > start }
    placeEdge(at: moment.now)
    giveUpMissing(in: &moment)
  }

  /// Gives up the rest of a stream when all has come that lies before what is missing; returns
  /// whether that is so.
  @discardableResult
  mutating func giveUpMissing(in moment: inout Moment) -> Bool {
    if source.stream.missingFrom == .unbounded || source.stream.goal != .media { return false }
    let playhead = currentTime(at: moment.now)
    if !source.stream.hasAllBeforeMissing(from: playhead) { return false }
    giveUp(fails: true, in: &moment)
    return true
  }

  /// Asks for nothing more: what is loaded is played, and then the item fails, or keeps waiting.
  ///
  /// An item fails when no variant can be played and the buffer is empty (WWDC17 514, WWDC24
  /// 10113). One whose playlist stays the same was seen to ask for nothing more, and to wait
  /// (AetherEngine issue 446).
  private mutating func giveUp(fails: Bool, in moment: inout Moment) {
    cancelRequests(in: &moment)
    source.giveUp(fails: fails && configuration.streaming.failsWhenPlayedOut)
    placeEdge(at: moment.now)
    isStirred = true
  }

  /// Lets an item fail for which nothing more is asked, if what was loaded has been played.
  mutating func failPlayedOut(in moment: inout Moment) -> Bool {
    guard source.buffer.isGivenUp, source.item?.status != .failed else { return false }
    let now = source.buffer.factsOfDecoded(at: moment.now, timebase.playhead(at: moment.now))
    if now.contains(.ready), !now.contains(.empty) || now.contains(.atEnd) { return false }
    // What is loaded plays when the pipeline is there, or when somebody plays it forwards.
    if source.buffer.awaitsPipeline || phase.rate <= .zero,
      source.buffer.loadedEnd(at: moment.now) > currentTime(at: moment.now)
    {
      return false
    }
    if !source.stream.appending.isEmpty { return false }
    assert(source.stream.requests.isEmpty, "what is given up is still being loaded")
    fail(in: &moment)
    return true
  }

  /// Takes note that the device has no network any more: what was under way is lost.
  mutating func loseNetwork(in moment: inout Moment) {
    (moment.cause, moment.flowCause) = (moment.network.link.cause, moment.network.link.cause)
    var numbers = source.stream.requests.map { $0.transfer }
    if let file = source.file?.request { numbers.append(file.transfer) }
    for place in prepared.indices {
      numbers += prepared[place].stream.requests.map { $0.transfer }
    }
    assert(moment.network.isOffline(at: moment.now), "a network is lost that is there")
    for number in numbers {
      let transfer = moment.network.close(number, at: moment.now)
      requestFailed(transfer, .connectionLost, .offline, in: &moment)
    }
    for place in queue.standbys.indices {
      onStandby(place, in: &moment) { $0.loseNetwork(in: &$1) }
    }
  }

  /// Lets a request fail at once that is made while the device has no network; the first one behind
  /// that tells that the link is back.
  mutating func failOffline(_ number: Int, in moment: inout Moment) {
    guard moment.network.isOffline(at: moment.now) else {
      guard moment.network.takeReturn() else { return }
      moment.network.link.cause = moment.log.record(
        .linkRate(moment.network.link.rate), at: moment.now, cause: moment.network.link.cause)
      return
    }
    let transfer = moment.network.close(number, at: moment.now)
    requestFailed(transfer, .cannotConnect, .offline, in: &moment)
  }

  /// The next instant at which what is prepared must be looked at though nothing arrives.
  func nextTimerOfPrepared(after now: Instant) -> Instant {
    prepared.reduce(.never) {
      min($0, min($1.stream.timesOutAt, $1.stream.nextTimer(after: now, bufferEnd: nil)))
    }
  }

  /// When a request of the stream that is played is looked at for want of data.
  @inline(__always)
  func nextTimeout(after now: Instant) -> Instant {
    source.buffer.isStream && !source.buffer.isFailed ? max(source.stream.timesOutAt, now) : .never
  }

  /// Moves the player's turn as the first byte of a response has moved its time-out, and returns
  /// it; nil if that byte may have changed more.
  @inline(__always)
  mutating func moveTimeout(at now: Instant) -> Instant? {
    guard !isStirred, !hasQueue, prepared.isEmpty, source.buffer.isStream,
      !source.stream.asksToAbandon, turn.isBehind(now), turn.certainUntil == .never
    else { return nil }
    let own = min(turn.besideTimeout, nextTimeout(after: now))
    if own <= now { return nil }
    turn.own = own
    return own
  }

  /// When the stream that is played must be looked at though nothing arrives, but for time-outs and
  /// for what only live streams have.
  @inline(always)
  func nextStreamTimer(after now: Instant) -> Instant {
    let end = source.givesUp ? bufferEnd(from: now) : nil
    return source.stream.nextTimer(after: now, bufferEnd: end)
  }

  /// When the playhead comes, or came, to the end of what is loaded.
  @inline(always)
  private func bufferEnd(from now: Instant) -> Instant? {
    if timebase.rate > .zero {
      return timebase.instant(of: source.buffer.streamMarks.edge, from: now)
    }
    return source.stream.stalledAt
  }

  /// Gives up what has come too late, or not at all; returns whether it did.
  mutating func giveUpLateRequests(in moment: inout Moment) -> Bool {
    if !prepared.isEmpty, giveUpLatePrepared(in: &moment) { return true }
    if !source.buffer.isStream { return false }
    if source.item?.status == .failed, !source.stream.requests.isEmpty {
      cancelStream(in: &moment)
      return true
    }
    if source.buffer.isFailed { return false }
    let end = source.givesUp ? bufferEnd(from: moment.now) : nil
    if source.givesUp, source.stream.abandonment(bufferEnd: end) <= moment.now {
      let context = StreamSource.Lateness(
        now: moment.now, bufferEnd: end, playhead: currentTime(at: moment.now))
      let abandoned = source.stream.abandoned(in: context) {
        moment.network.delivered(of: $0, at: moment.now)
      }
      if let abandoned {
        abandon(abandoned, in: &moment)
        return true
      }
    }
    if source.stream.timesOutAt > moment.now { return false }
    let late = source.stream.late(at: moment.now) {
      moment.network.lastByte(of: $0, at: moment.now)
    }
    guard let late else { return false }
    source.stream.keepData(
      of: late.transfer, moment.network.delivered(of: late.transfer, at: moment.now))
    var request: StreamRequest?
    cancelStream(in: &moment) {
      if $0.transfer == late.transfer { request = $0 }
      return $0.transfer == late.transfer
    }
    if let request { streamRequestFailed(request, late.failure, in: &moment) }
    return true
  }

  /// Gives up a segment that comes too late.
  mutating func abandon(_ transfer: Int, in moment: inout Moment) {
    cancelStream(in: &moment) { $0.transfer == transfer }
    meter.abandonedCount += 1
    source.stream.fall()
  }

  /// Gives up a request of a prepared source that has had no answer; returns whether there was one.
  private mutating func giveUpLatePrepared(in moment: inout Moment) -> Bool {
    for place in prepared.indices {
      let late = prepared[place].stream.late(at: moment.now) {
        moment.network.lastByte(of: $0, at: moment.now)
      }
      guard let late else { continue }
      let request = prepared[place].stream.end(late.transfer)
      let transfer = moment.network.close(late.transfer, at: moment.now)
      moment.record(
        .mediaRequestCancelled(transfer: late.transfer, bytes: transfer.delivered.wholeBytes))
      prepared[place].stream.failPrepared(request, late.failure, at: moment.now)
      return true
    }
    return false
  }

  /// Gives up what is under way; what has arrived of a file is kept.
  mutating func cancelRequests(in moment: inout Moment) {
    if source.buffer.isStream { return cancelStream(in: &moment) }
    guard let request = source.file?.request else { return }
    let transfer = moment.network.close(request.transfer, at: moment.now)
    source.endFileRequest(transfer, playhead: currentTime(at: moment.now), at: moment.now)
    moment.record(
      .mediaRequestCancelled(transfer: transfer.number, bytes: transfer.delivered.wholeBytes))
  }

  /// Gives up the requests of the stream that are meant; what has come of them is lost.
  mutating func cancelStream(
    in moment: inout Moment, where isMeant: (StreamRequest) -> Bool = { _ in true }
  ) {
    for request in source.stream.requests where isMeant(request) {
      let transfer =
        source.stream.plan.requests.droppedSize.map {
          moment.network.drop(request.transfer, leaving: $0, at: moment.now)
        } ?? moment.network.close(request.transfer, at: moment.now)
      _ = source.endStreamRequest(transfer, at: moment.now)
      moment.record(
        .mediaRequestCancelled(transfer: request.transfer, bytes: transfer.delivered.wholeBytes))
    }
    noteArrival(in: &moment)
    if source.buffer.isLive { placeEdge(at: moment.now) }
  }
}

extension RequestFailure {
  /// What a player makes of a transfer that failed.
  fileprivate init(_ failure: TransferFailure) {
    self =
      switch failure {
      case .nameNotResolved: .fault(.nameNotResolved)
      case .connectionLost: .connectionLost
      case .cannotConnect, .timedOut: .fault(.noResponse)
      }
  }
}

extension Fault.Outcome {
  /// The code in the error log.
  ///
  /// Observed: −12889 "No response for media file" (WWDC18 502); for statuses the table of codes
  /// that applications have reported since iOS 9. −1003 is `NSURLErrorCannotFindHost`. Assumed:
  /// −11853, `AVError.failedToParse`, since what a wrong key makes of a segment cannot be parsed.
  package var errorCode: Int32 {
    switch self {
    case .status(401), .status(407): -12_937
    case .status(403): -12_660
    case .status(404): -12_938
    case .status(503): -12_661
    case .status, .redirect: -12_666
    case .noResponse: -12_889
    case .nameNotResolved: -1_003
    case .wrongKey: -11_853
    }
  }
}
