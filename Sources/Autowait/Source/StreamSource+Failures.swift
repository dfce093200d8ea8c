/// What a player does when a request of a stream fails.
///
/// Assumed, since AVFoundation does not say: a request is made again once, a second later; then
/// another variant is tried, the next lower one first; and when none is left the item fails.
extension StreamSource {
  /// What follows from a failure.
  enum Remedy: Hashable, Sendable {
    /// The request is made again, later.
    case retry
    /// Another variant is loaded instead.
    case otherVariant
    /// The item fails.
    case none
  }

  /// A key that has failed.
  struct FailedKey: Sendable {
    let key: Int
    /// How often.
    let failures: Int
    /// When it may be asked for again.
    let retriesAt: Instant
  }

  /// Returns what goes wrong with a request that is made now, if anything, and counts it.
  mutating func meetFault(_ resource: StreamResource) -> Fault.Outcome? {
    for (index, fault) in streamMedia.faults.enumerated() where fault.target.includes(resource) {
      if let count = fault.count, faultsMet[index] >= count { continue }
      if fault.outcome == .redirect {
        // Where a redirection leads there is no other one.
        if redirected.contains(resource) { continue }
        redirected.append(resource)
      }
      faultsMet[index] += 1
      return fault.outcome
    }
    return nil
  }

  /// Takes note of a request that failed, and says what is to be done.
  mutating func takeFailure(of request: StreamRequest, at now: Instant) -> Remedy {
    let retriesAt = now + policy.retryDelay
    retriesUntil = max(retriesUntil, retriesAt)
    if case .contentKey(let key) = request.resource {
      let failures = failedKeys.first { $0.key == key }.map { $0.failures + 1 } ?? 1
      failedKeys.removeAll { $0.key == key }
      failedKeys.append(FailedKey(key: key, failures: failures, retriesAt: retriesAt))
      return failures > policy.retriesMax || request.fault == .wrongKey ? .none : .retry
    }
    if let place = request.track, place >= tracks.count { return .retry }
    guard let place = request.track else {
      commonFailures += 1
      commonRetryAt = retriesAt
      return commonFailures > policy.retriesMax ? .none : .retry
    }
    if case .mediaPlaylist(let list) = request.resource, streamMedia.live != nil {
      missPlaylist(list, loadBegan: request.opened)
    }
    tracks[place].failures += 1
    tracks[place].retriesAt = retriesAt
    if tracks[place].failures <= policy.retriesMax { return .retry }
    guard place == 0, let failed = variant else { return .none }
    lost.append(failed)
    guard let other = choice.other(than: failed, without: lost) else { return .none }
    tracks[place].failures = 0
    tracks[place].retriesAt = now
    choice.exclude(lost)
    enter(variant: other)
    return .otherVariant
  }

  /// Takes note of a request that failed before the stream was anybody's current item.
  ///
  /// When nothing can be done nothing more is asked for until the item becomes the current one.
  mutating func failPrepared(_ request: StreamRequest, at now: Instant) {
    if takeFailure(of: request, at: now) == .none { goal = .nothing }
  }

  /// The next instant at which the loader must be looked at though nothing arrives.
  mutating func nextTimer(after now: Instant, bufferEnd: Instant?) -> Instant {
    min(nextTimeout(after: now), abandonment(bufferEnd: bufferEnd))
  }

  /// The same, without what may be given up because it comes too late.
  @inline(__always)
  mutating func nextTimeout(after now: Instant) -> Instant {
    min(nextRetry(after: now), timesOutAt)
  }

  /// When a request that failed may be made again, if one waits for it.
  @inline(__always)
  private mutating func nextRetry(after now: Instant) -> Instant {
    retriesUntil > now ? firstRetry(after: now) : .never
  }

  private mutating func firstRetry(after now: Instant) -> Instant {
    var next = commonRetryAt > now ? commonRetryAt : .never
    for failed in failedKeys where failed.retriesAt > now { next = min(next, failed.retriesAt) }
    for index in tracks.indices where tracks[index].retriesAt > now {
      next = min(next, tracks[index].retriesAt)
    }
    return next
  }

  /// Finds when the first request that has had no answer is given up.
  mutating func noteTimeout() {
    timesOutAt = .never
    for request in requests where request.responseRecord == 0 {
      timesOutAt = min(timesOutAt, timeout(of: request))
    }
  }

  private func timeout(of request: StreamRequest) -> Instant {
    request.opened + request.hold + plan.responseTimeout
  }

  /// The transfer of a request that has had no answer for too long.
  @inline(__always)
  func timedOut(at now: Instant) -> Int? {
    timesOutAt > now ? nil : firstTimedOut(at: now)
  }

  private func firstTimedOut(at now: Instant) -> Int? {
    requests.first { $0.responseRecord == 0 && timeout(of: $0) <= now }?.transfer
  }
}

extension Fault.Target {
  /// Whether a resource is met.
  fileprivate func includes(_ resource: StreamResource) -> Bool {
    switch (self, resource) {
    case (.multivariantPlaylist, .multivariantPlaylist): true
    case (.mediaPlaylist(let wanted), .mediaPlaylist(let list)): wanted == nil || wanted == list
    case (.segment(let wanted, let place), .segment(let list, let number)):
      (wanted == nil || wanted == list) && (place == nil || place == number)
    case (.segment(let wanted, let place), .part(let list, let number, _)):
      (wanted == nil || wanted == list) && (place == nil || place == number)
    case (.initialization(let wanted), .initialization(let list, _)):
      wanted == nil || wanted == list
    case (.contentKey(let wanted), .contentKey(let key)): wanted == nil || wanted == key
    case (.multivariantPlaylist, _), (.mediaPlaylist, _), (.segment, _), (.initialization, _),
      (.contentKey, _):
      false
    }
  }
}
