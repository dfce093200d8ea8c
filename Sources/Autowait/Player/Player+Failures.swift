/// What a player does when a request fails, comes too late, or is wanted no more.
extension Player {
  /// Takes note of a request that the network could not carry.
  ///
  /// Assumed: a player that cannot load a file gives its item up at once, whatever is buffered.
  mutating func transferFailed(
    _ transfer: Transfer, _ failure: TransferFailure, in moment: inout Moment
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
    if isFile { return fail(in: &moment) }
    if let place {
      guard let request = prepared[place].stream?.end(transfer.number) else { return }
      prepared[place].stream?.failPrepared(request, at: moment.now)
      return
    }
    guard let request = source.endStreamRequest(transfer, at: moment.now) else { return }
    if failure == .connectionLost, !configuration.streaming.reconnects {
      source.stream?.goal = .nothing
      return
    }
    let fault: Fault.Outcome = failure == .nameNotResolved ? .nameNotResolved : .noResponse
    streamRequestFailed(request, fault, in: &moment)
  }

  /// Takes note of a request that went wrong, and does what can be done.
  mutating func streamRequestFailed(
    _ request: StreamRequest, _ fault: Fault.Outcome, in moment: inout Moment
  ) {
    moment.cause = moment.record(
      .newErrorLogEntry(transfer: request.transfer, code: fault.errorCode))
    meter.recoverableErrorCount += 1
    switch source.stream?.takeFailure(of: request, at: moment.now) {
    case .retry, .otherVariant, nil: placeEdge(at: moment.now)
    case .some(.none): fail(in: &moment)
    }
  }

  /// The next instant at which a stream must be looked at though nothing arrives.
  mutating func nextStreamTimer(after now: Instant) -> Instant {
    var next = Instant.never
    for place in prepared.indices {
      next = min(next, prepared[place].nextTimer(after: now, bufferEnd: nil))
    }
    if source.buffer.isFailed { return next }
    if source.buffer.isLive { next = min(next, nextLiveInstant(after: now)) }
    let end = source.abandons ? bufferEnd(from: now) : nil
    return min(next, source.nextTimer(after: now, bufferEnd: end))
  }

  /// When the playhead comes, or came, to the end of what is loaded.
  private mutating func bufferEnd(from now: Instant) -> Instant? {
    if timebase.rate > .zero {
      return timebase.instant(of: source.buffer.streamMarks.edge, from: now)
    }
    return source.stream?.stalledAt
  }

  /// Gives up what has come too late, or not at all; returns whether it did.
  mutating func giveUpLateRequests(in moment: inout Moment) -> Bool {
    if giveUpLatePrepared(in: &moment) { return true }
    if !source.buffer.isStream { return false }
    if source.item?.status == .failed, source.stream?.requests.isEmpty == false {
      cancelStream(in: &moment)
      return true
    }
    if source.buffer.isFailed { return false }
    let end = source.abandons ? bufferEnd(from: moment.now) : nil
    if source.abandons, let due = source.stream?.abandonment(bufferEnd: end), due <= moment.now {
      let context = StreamSource.Lateness(
        now: moment.now, bufferEnd: end, playhead: currentTime(at: moment.now))
      let abandoned = source.stream?.abandoned(in: context) {
        moment.network.delivered(of: $0, at: moment.now)
      }
      if let abandoned {
        abandon(abandoned, in: &moment)
        return true
      }
    }
    guard let transfer = source.stream?.timedOut(at: moment.now) else { return false }
    var late: StreamRequest?
    cancelStream(in: &moment) {
      if $0.transfer == transfer { late = $0 }
      return $0.transfer == transfer
    }
    if let late { streamRequestFailed(late, .noResponse, in: &moment) }
    return true
  }

  /// Gives up a segment that comes too late.
  mutating func abandon(_ transfer: Int, in moment: inout Moment) {
    cancelStream(in: &moment) { $0.transfer == transfer }
    meter.abandonedCount += 1
    source.stream?.fall()
  }

  /// Gives up a request of a prepared source that has had no answer; returns whether there was one.
  private mutating func giveUpLatePrepared(in moment: inout Moment) -> Bool {
    for place in prepared.indices {
      guard let number = prepared[place].stream?.timedOut(at: moment.now),
        let request = prepared[place].stream?.end(number)
      else { continue }
      let transfer = moment.network.close(number, at: moment.now)
      moment.record(
        .mediaRequestCancelled(transfer: number, bytes: transfer.delivered.wholeBytes))
      prepared[place].stream?.failPrepared(request, at: moment.now)
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
    for request in source.stream?.requests ?? [] where isMeant(request) {
      let transfer = moment.network.close(request.transfer, at: moment.now)
      _ = source.endStreamRequest(transfer, at: moment.now)
      moment.record(
        .mediaRequestCancelled(transfer: request.transfer, bytes: transfer.delivered.wholeBytes))
    }
    source.noteArrival(at: moment.now)
    if source.buffer.isLive { placeEdge(at: moment.now) }
  }
}

extension Fault.Outcome {
  /// The code in the error log.
  ///
  /// Observed: −12889 "No response for media file" (WWDC18 502); for statuses the table of codes
  /// that applications have reported since iOS 9. −1003 is `NSURLErrorCannotFindHost`. Assumed:
  /// −11853, `AVError.failedToParse`, since what a wrong key makes of a segment cannot be parsed.
  var errorCode: Int32 {
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
