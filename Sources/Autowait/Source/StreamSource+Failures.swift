/// What a player does when a request of a stream fails.
///
/// Another variant is loaded at once, one of the same rate first (WWDC17 514), and the one that
/// failed comes back after a time. When none is left that is an error of its own, and all are asked
/// for in turn, later and later. What a server refuses is asked for again so many times only.
extension StreamSource {
  /// What follows from a failure.
  enum Remedy: Hashable, Sendable {
    /// The request is made again, later.
    case retry
    /// The same; no other variant was left.
    case lastVariant
    /// Another variant is loaded instead.
    case otherVariant
    /// Nothing more is asked for.
    case none
  }

  /// A variant that failed, and when it may be chosen again.
  struct Penalty: Hashable, Sendable {
    let variant: Int
    let ends: Instant
  }

  /// Whose turn it is when all variants have failed: each is asked for again before one is for the
  /// second time.
  ///
  /// What a server answers says that it is there, so that the next one is asked for at once. Where
  /// nothing comes, the others are no better before the time is over for which they are left.
  struct VariantTurns: Sendable {
    /// The variants that have failed in this round, and when each was to be left until.
    private var round: [Int] = []
    private var left: [Penalty] = []
    /// Those that a server answered, and not with what was asked for.
    private var denied: [Int] = []
    /// Those whose last failure was lasting.
    private var refused: [Int] = []

    /// Takes note of a variant that failed, and is to be left until an instant.
    mutating func note(_ variant: Int, _ failure: RequestFailure, until ends: Instant) {
      assert(refused.count <= left.count, "more variants are refused than have failed")
      round.append(variant)
      left.removeAll { $0.variant == variant }
      left.append(Penalty(variant: variant, ends: ends))
      refused.removeAll { $0 == variant }
      if failure.isLasting { refused.append(variant) }
      denied.removeAll { $0 == variant }
      if failure.isAnswer { denied.append(variant) }
    }

    /// Whether a server would deny a variant again: it refused it, or the time for which it is left
    /// is not over.
    @inline(__always)
    func isDenied(_ variant: Int, at now: Instant) -> Bool {
      if denied.isEmpty || !denied.contains(variant) { return false }
      return refused.contains(variant)
        || left.contains { $0.variant == variant && $0.ends > now }
    }

    /// Whether a server refuses every variant that may be chosen.
    func areRefused(of choice: VariantChoice) -> Bool {
      choice.other(than: refused.last ?? 0, without: refused) == nil
    }

    /// The variant whose turn it is; nil if the present one is to be asked for again.
    mutating func next(
      after variant: Int, _ choice: VariantChoice, isAnswered: Bool, at now: Instant
    ) -> Int? {
      let kept = left.filter { !isAnswered && $0.ends > now }.map { $0.variant }
      if let next = choice.other(than: variant, without: round + kept) { return next }
      guard let next = choice.other(than: variant, without: [variant] + kept) else { return nil }
      round = [variant]
      return next
    }
  }

  /// A key that has failed.
  struct FailedKey: Sendable {
    let key: Int
    /// How often.
    let failures: Int
    /// How often because the server refused it.
    let refusals: Int
    /// When it may be asked for again.
    let retriesAt: Instant
  }

  /// Returns what goes wrong with a request, if anything, and counts it.
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
  ///
  /// One for a variant that was left meanwhile is no matter of the present one.
  mutating func takeFailure(
    of request: StreamRequest, _ failure: RequestFailure, at now: Instant
  ) -> Remedy {
    if failure == .stale, let list = request.resource.list {
      return takeStale(list, of: request.track, at: now)
    }
    if failure != .offline, !failure.isLasting { failuresInARow += 1 }
    if let most = policy.failuresMax, failuresInARow >= most { return .none }
    switch request.resource {
    case .contentKey(let key): return takeFailure(ofKey: key, failure, at: now)
    case .multivariantPlaylist:
      // Observed: it is asked for once if it is not there (infinite-streaming 646).
      if failure.isLasting { return .none }
      commonFailures += 1
      commonRetryAt = retry(after: commonFailures, at: now)
      return .retry
    case .mediaPlaylist(let list):
      if streamMedia.live != nil { missPlaylist(list, failure, loadBegan: request.opened) }
    case .initialization, .segment, .part: break
    }
    guard let place = request.track, place < tracks.count,
      request.resource.list == tracks[place].list
    else {
      // Assumed: what cannot be opened is not looked into, and nothing waits for it any longer.
      if request.track == StreamRequest.noTrack { openings = [] }
      return .retry
    }
    if failure.isLasting, !failure.isGone, doubtsPlaylist(after: request) { return .retry }
    tracks[place].failures.note(failure, of: request.resource)
    if failure.isTimeout, let timeouts = plan.timers.timeouts,
      tracks[place].failures.count <= timeouts.retriesMax
    {
      var delay = timeouts.retryDelay
      for _ in 1..<tracks[place].failures.count where delay < Limits.timeMax {
        delay = delay + delay
      }
      tracks[place].retriesAt = now + min(delay, Limits.timeMax)
      retriesUntil = max(retriesUntil, tracks[place].retriesAt)
      return .retry
    }
    let refusals = tracks[place].failures.refusals
    let isRefused = failure.isGone || (failure.isLasting && refusals > policy.retriesMax)
    guard place == 0, failure.isOfVariant, let failed = variant else {
      if leaveSound(of: place, failure, at: now) { return .otherVariant }
      tracks[place].retriesAt = retry(after: tracks[place].failures.count, at: now)
      if isRefused, tracks[place].kind == .subtitles {
        // Assumed: what is seen and heard plays on without them.
        tracks[place].isIdle = true
        return .retry
      }
      return isRefused ? .none : .retry
    }
    if failure.isGone, !leaveForGood(failed) { return .none }
    let wasLast = isLastVariant
    turns.note(failed, failure, until: now + policy.penaltyTime)
    if !wasLast {
      if leave(failed, at: now) { return .otherVariant }
      roundsInARow += 1
    } else if isRefused, !failure.isGone, turns.areRefused(of: choice) {
      return .none
    }
    let failures = tracks[place].failures.count
    tracks[place].retriesAt = retry(
      after: wasLast ? failures : max(failures, roundsInARow), at: now)
    if let next = turns.next(after: failed, choice, isAnswered: failure.isAnswer, at: now) {
      change(to: next, at: now)
    }
    return wasLast ? .retry : .lastVariant
  }

  private mutating func takeFailure(
    ofKey key: Int, _ failure: RequestFailure, at now: Instant
  ) -> Remedy {
    let before = failedKeys.first { $0.key == key }
    let failures = (before?.failures ?? 0) + 1
    let refusals = (before?.refusals ?? 0) + (failure.isLasting ? 1 : 0)
    failedKeys.removeAll { $0.key == key }
    failedKeys.append(
      FailedKey(
        key: key, failures: failures, refusals: refusals,
        retriesAt: retry(after: failures, at: now)))
    if failure == .fault(.wrongKey) { return .none }
    if failure.isGone { return .none }
    return failure.isLasting && refusals > policy.retriesMax ? .none : .retry
  }

  /// When a request may be made again that failed so many times in a row.
  private mutating func retry(after failures: Int, at now: Instant) -> Instant {
    let instant = now + policy.retryDelay(after: failures)
    retriesUntil = max(retriesUntil, instant)
    return instant
  }

  /// Takes a variant out of the choice that a server says is gone; returns false if all are.
  private mutating func leaveForGood(_ failed: Int) -> Bool {
    penalties.removeAll { $0.variant == failed }
    penalties.append(Penalty(variant: failed, ends: .never))
    let gone = penalties.filter { $0.ends == .never }.map { $0.variant }
    choice = VariantChoice(shared, limits)
    if choice.other(than: failed, without: gone) == nil { return false }
    choice.exclude(gone)
    return true
  }

  /// Leaves a variant for another one; returns false if none is left, and then all may be chosen
  /// again that are not gone.
  mutating func leave(_ failed: Int, at now: Instant) -> Bool {
    penalties.removeAll { $0.ends <= now || ($0.variant == failed && $0.ends != .never) }
    penalties.append(Penalty(variant: failed, ends: endOfPenalty(from: now)))
    choice = VariantChoice(shared, limits)
    guard let other = choice.other(than: failed, without: penalties.map { $0.variant }) else {
      penalties.removeAll { $0.ends != .never }
      if !penalties.isEmpty { choice.exclude(penalties.map { $0.variant }) }
      isLastVariant = true
      return false
    }
    choice.exclude(penalties.map { $0.variant })
    tracks[0].failures = TrackFailures()
    tracks[0].retriesAt = now
    change(to: other, at: now)
    return true
  }

  /// Until when a variant is left that is left now.
  ///
  /// Without a penalty two variants that both fail would be asked for in turn without a pause.
  private mutating func endOfPenalty(from now: Instant) -> Instant {
    leavesInARow += 1
    return now + max(policy.penaltyTime, policy.retryDelay(after: leavesInARow))
  }

  /// Leaves the variants that share a sound that cannot be loaded for one with another sound;
  /// returns false if there is none.
  ///
  /// Assumed: what holds for a variant's own segments holds for those of its sound.
  private mutating func leaveSound(
    of place: Int, _ failure: RequestFailure, at now: Instant
  ) -> Bool {
    guard failure.isOfVariant, tracks[place].kind == .audio, let failed = variant else {
      return false
    }
    let sound = tracks[place].list
    let group = renditionLists.indices.filter { renditionLists[$0].audio == sound }
    let left = penalties.filter { $0.ends > now && !group.contains($0.variant) }
    let lost = left.map { $0.variant } + group
    let fresh = VariantChoice(shared, limits)
    guard let other = fresh.other(than: failed, without: lost) else { return false }
    let end = endOfPenalty(from: now)
    let ends = failure.isGone ? .never : end
    penalties = left + group.map { Penalty(variant: $0, ends: ends) }
    choice = fresh
    choice.exclude(penalties.map { $0.variant })
    (tracks[place].failures, tracks[place].retriesAt) = (TrackFailures(), now)
    change(to: other, at: now)
    assert(renditionLists[other].audio != sound, "list \(sound) is left for itself")
    return true
  }

  /// Takes note that a segment has come.
  @inline(__always)
  mutating func forgetFailures() {
    if leavesInARow == 0 { return }
    (leavesInARow, roundsInARow, turns) = (0, 0, VariantTurns())
  }

  /// Whether there is another variant that was not left.
  func hasOther(than variant: Int, at now: Instant) -> Bool {
    let left = penalties.filter { $0.ends > now }.map { $0.variant }
    return VariantChoice(shared, limits).other(than: variant, without: left + [variant]) != nil
  }

  /// Lets variants be chosen again that were left long enough ago.
  mutating func liftPenalties(at now: Instant) {
    penalties.removeAll { $0.ends <= now }
    choice = VariantChoice(shared, limits)
    choice.exclude(penalties.map { $0.variant })
  }

  /// Takes note of a request that failed before the stream was anybody's current item.
  ///
  /// When nothing can be done nothing more is asked for until the item becomes the current one.
  mutating func failPrepared(_ request: StreamRequest, _ failure: RequestFailure, at now: Instant) {
    if takeFailure(of: request, failure, at: now) == .none { goal = .nothing }
  }

  /// The next instant at which the loader must be looked at though nothing arrives, but for
  /// time-outs, unless it reads segments while they come.
  @inline(always)
  func nextTimer(after now: Instant, bufferEnd: Instant?) -> Instant {
    var next = abandonment(bufferEnd: bufferEnd)
    if retriesUntil > now {
      if commonRetryAt > now { next = min(next, commonRetryAt) }
      next = min(next, Self.firstRetry(after: now, failedKeys, tracks))
    }
    if plan.requests.interval != nil { next = min(next, nextLook(after: now)) }
    return appending.isEmpty ? next : min(next, appending[0].end)
  }

  /// When the first of what failed may be asked for again that may not be yet.
  @inline(never)
  private static func firstRetry(
    after now: Instant, _ keys: [FailedKey], _ tracks: [StreamTrack]
  ) -> Instant {
    var next = Instant.never
    for key in keys where key.retriesAt > now { next = min(next, key.retriesAt) }
    for track in tracks where track.retriesAt > now { next = min(next, track.retriesAt) }
    return next
  }

  /// Finds when the first request is looked at that may be given up for want of data.
  mutating func noteTimeout() {
    timesOutAt = .never
    for index in requests.indices {
      timesOutAt = min(timesOutAt, deadline(of: requests[index]))
    }
  }

  /// The list whose target duration is known when a request is made: that of a segment, or of a
  /// playlist that is loaded again; of a key, that of the segment that needs it.
  @inline(__always)
  func listKnown(to resource: StreamResource) -> Int? {
    switch resource {
    case .segment(let list, _), .part(let list, _, _), .initialization(let list, _): list
    case .mediaPlaylist(let list): hasPlaylist[list] ? list : nil
    case .contentKey: tracks.first { hasPlaylist[$0.list] }?.list
    case .multivariantPlaylist: nil
    }
  }

  /// When it is looked at whether a request is to be given up for want of data.
  @inline(__always)
  func deadline(of request: StreamRequest) -> Instant {
    if request.responseRecord != 0 { return request.looksAt }
    return min(
      request.opened + request.hold + plan.timers.responseTimeout(of: request, shared),
      request.looksAt)
  }

  /// What has come of a segment that was given up, and is not asked for again.
  struct KeptData: Sendable {
    let resource: StreamResource
    var size: ByteCount
  }

  /// Keeps what has come of a segment that is given up, if the player does.
  mutating func keepData(of transfer: Int, _ delivered: DataAmount) {
    guard plan.timers.timeouts?.keepsData == true, plan.requests.takesWholeSegments,
      let request = requests.first(where: { $0.transfer == transfer }),
      case .segment = request.resource
    else { return }
    let size = min(request.size, delivered).wholeBytes
    if let place = keptData.firstIndex(where: { $0.resource == request.resource }) {
      keptData[place].size = keptData[place].size + size
    } else {
      keptData.append(KeptData(resource: request.resource, size: size))
    }
  }

  /// Returns what is kept of a resource that has come, and forgets it.
  mutating func takeKept(of resource: StreamResource) -> ByteCount {
    guard let place = keptData.firstIndex(where: { $0.resource == resource }) else { return .zero }
    return keptData.remove(at: place).size
  }

  /// What is missing of a resource of a size; there is always something to ask for.
  @inline(always)
  func rest(of resource: StreamResource, of size: ByteCount) -> ByteCount {
    guard let kept = keptData.first(where: { $0.resource == resource }) else { return size }
    return ByteCount(bytes: max(min(1, size.bytes), size.bytes - kept.size.bytes))
  }

  /// A request that is given up for want of data.
  struct LateRequest {
    let transfer: Int
    let failure: RequestFailure
  }

  /// Returns a request that is to be given up now, and looks again later at those that are not.
  ///
  /// A segment that has not come whole two target durations after its request is late as soon as
  /// nothing of it has come for one; or at once, if slow ones are cut off. So is a playlist or a
  /// key (assumed), with the time that it may go without an answer. Players with times of their own
  /// go by these.
  mutating func late(at now: Instant, lastByte: (Int) -> Instant) -> LateRequest? {
    if timesOutAt > now { return nil }
    defer { noteTimeout() }
    for index in requests.indices where deadline(of: requests[index]) <= now {
      let request = requests[index]
      let timeout = request.opened + request.hold + plan.timers.responseTimeout(of: request, shared)
      if request.responseRecord == 0, timeout <= now {
        return LateRequest(transfer: request.transfer, failure: .fault(.noResponse))
      }
      if let timeouts = plan.timers.timeouts {
        let last = min(now, max(request.responded ?? now, lastByte(request.transfer)))
        let deadline = timeouts.deadline(
          opened: request.opened + request.hold, last: request.isHeld ? now : last)
        if deadline <= now { return LateRequest(transfer: request.transfer, failure: .late) }
        requests[index].looksAt = deadline
        continue
      }
      let isMedia = request.resource.isMedia
      let patience =
        isMedia
        ? plan.timers.patience(with: request.resource.list ?? 0, shared)
        : plan.timers.responseTimeout(of: request, shared)
      requests[index].looksAt = now + patience
      if request.isHeld { continue }
      if (isMedia && plan.timers.cutsSlowSegments) || request.responseRecord == 0 {
        return LateRequest(transfer: request.transfer, failure: .late)
      }
      assert(!request.isHeld, "a request that nobody reads is given up for want of data")
      let last = min(now, max(request.responded ?? now, lastByte(request.transfer)))
      if last + patience <= now {
        return LateRequest(transfer: request.transfer, failure: .late)
      }
      requests[index].looksAt = last + patience
    }
    return nil
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
