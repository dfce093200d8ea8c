extension Player {
  /// Carries out a call of the application, or something that the system does.
  mutating func perform(
    _ action: PlayerAction, in moment: inout Moment
  ) {
    if action.isJudgedWhereSought { _ = moveToSeek(in: &moment) }
    switch action {
    case .replaceCurrentItem(let number): replaceCurrentItem(number, in: &moment)
    case .insert(let number, let other): insert(number, after: other, in: &moment)
    case .remove(let number): remove(number, in: &moment)
    case .removeAllItems: removeAllItems(in: &moment)
    case .advanceToNextItem: if hasQueue { advanceToNextItem(in: &moment) }
    case .disableLooping: disableLooping(in: &moment)
    case .loadValues(let number):
      prepare(number, for: .values, in: &moment)
    case .createItem(let number):
      prepare(number, for: .item, in: &moment)
      moment.record(.itemCreated(number))
    case .play: input(.setRate(playRate), rate: playRate, in: &moment)
    case .pause: input(.setRate(.zero), rate: evaluationRate, in: &moment)
    case .setRate(let rate):
      input(.setRate(rate), rate: rate == .zero ? evaluationRate : rate, in: &moment)
    case .playImmediately(let rate):
      // A rate of zero is a pause, as it is everywhere.
      let wish = WishedRate(rate).map(PlaybackInput.playImmediately) ?? .setRate(.zero)
      input(wish, rate: rate == .zero ? evaluationRate : rate, in: &moment)
    case .setRateAtHostTime(let rate, let time, let hostTime):
      setRate(rate, HostTimeMapping(time: time, hostTime: hostTime), in: &moment)
    case .seekToLive: seekToLive(in: &moment)
    case .seek(let target): seek(to: target, in: &moment)
    case .seekNear(let target, let before, let after):
      seek(to: target, in: &moment)
      seek?.toleranceBefore = before
      seek?.toleranceAfter = after
    case .preroll: preroll(in: &moment)
    case .set(let setting): set(setting, in: &moment)
    case .interrupt:
      input(.interrupted(.audioSessionInterrupted), rate: evaluationRate, in: &moment)
    case .enterBackground:
      input(.interrupted(.appBackgrounded), rate: evaluationRate, in: &moment)
    case .changeTracks: changeTracks(in: &moment)
    case .select(let kind, let language): select(kind, language, in: &moment)
    case .transcode(let number, let plan): transcode(number, plan, in: &moment)
    case .enable(let track, let isEnabled): enable(track, isEnabled, in: &moment)
    case .failItem: failItem(in: &moment)
    }
  }

  mutating func input(
    _ input: PlaybackInput, rate: PlaybackRate, in moment: inout Moment
  ) {
    switch input {
    // It was another wish's.
    case .setRate, .playImmediately: (hostTime, awaitedMapping) = (nil, nil)
    // The buffer is another one.
    case .endTimeChanged: moment.flowCause = moment.cause
    case .itemChanged:
      (hostTime, awaitedMapping) = (nil, nil)
      moment.flowCause = moment.cause
    case .setRateAtHostTime, .bufferChanged, .bufferEmptied, .reachedEnd,
      .reachedStartOfSeekableRange, .reachedLiveEdge, .seekBegan, .itemFailed,
      .automaticWaitingChanged, .actionAtItemEndChanged, .holdChanged, .interrupted,
      .tracksChanged:
      break
    }
    let hasLeft = source.buffer.isLive && skipBeforePlaying(on: input, rate: rate, in: &moment)
    // What a selection needs may come at once, and nothing is decided on K before that.
    if input != .tracksChanged || !source.buffer.isLive || !areAnswersDueAtOnce(in: &moment) {
      observeFacts(rate: rate, in: &moment)
    }
    let facts = playbackFacts(at: moment.now, rate: rate)
    // What was to be played at once lies behind: at the new place it is waited for.
    if hasLeft, facts.isBufferEmpty, case .playImmediately(let wish) = input {
      apply(.setRate(wish.rate), given: facts, in: &moment)
    } else {
      apply(input, given: facts, in: &moment)
    }
  }

  /// A wish at another rate is judged by K at that rate, and observers read that K: not where the
  /// wish ends at once.
  private mutating func observeFacts(rate: PlaybackRate, in moment: inout Moment) {
    let endsAtOnce = phase.isPlaying && rate > .normal && isAtLiveEdge(at: moment.now)
    source.buffer.prepareRule(for: endsAtOnce ? .normal : rate)
    if source.item == nil { return }
    let new = facts(at: moment.now)
    let changed = source.buffer.facts.symmetricDifference(new)
    if changed.contains(.likely), changed.subtracting([.likely, .verdict]).isEmpty {
      source.buffer.facts = new
      recordLoadedTimeRanges(in: &moment)
      noteStartup(new, at: moment.now)
      moment.record(.isPlaybackLikelyToKeepUp(new.contains(.likely)))
    }
  }

  /// Makes another item, or none, the current one; the same item again changes nothing.
  private mutating func replaceCurrentItem(
    _ number: Int?, in moment: inout Moment
  ) {
    if source.item == nil ? number == nil : number == source.number { return }
    if let number, queue.upcoming.contains(number) {
      moment.record(.exception(.itemAlreadyInQueue))
      return
    }
    change(to: number, in: &moment)
  }

  /// Makes another item, or none, the current one, whatever has become of it so far.
  mutating func change(to number: Int?, in moment: inout Moment) {
    bookPlayed(until: currentTime(at: moment.now))
    let old = source.item == nil ? nil : source.number
    leaveItem(in: &moment)
    assert(source.item == nil && seek == nil, "what belongs to an item outlives it")
    moment.record(.currentItem(number))
    let oldRate = timebase.rate
    timebase = Timebase(time: .zero, at: moment.now, rate: oldRate)
    if let number { waitForStream(configuration.media[number]) }
    if let number, queue.place(of: number) != nil, let standby = takeStandby(number) {
      timebase = Timebase(
        time: standby.currentTime(at: moment.now), at: moment.now, rate: oldRate)
      receive(standby, in: &moment)
    } else if let number {
      enterItem(number, at: moment.now)
      enterPipeline(in: &moment)
      placeEdge(at: moment.now)
      seekToStart(of: number, in: &moment)
    }
    noteChangeInLoop(from: old, to: number, in: &moment)
    // An application that hears of the change at once may have put another item there.
    if (source.item == nil ? nil : source.number) != number { return }
    askAt = moment.now
    input(.itemChanged, rate: evaluationRate, in: &moment)
    // The timebase is the item's own: that of the new one begins to run.
    if timebase.rate != .zero, timebase.rate == oldRate {
      moment.flowCause = moment.record(
        .timebaseRate(oldRate, currentTime: timebase.time(at: moment.now)))
    }
  }

  /// Seeks an item to where it was sought before it was given to the player.
  private mutating func seekToStart(of number: Int, in moment: inout Moment) {
    let start = queue.timeLeft(of: number) ?? configuration.span(of: number).start
    if start == .zero { return }
    assert(seek == nil, "seek \(seekCount) is forgotten")
    seekCount += 1
    moment.record(.seek(number: seekCount, to: start))
    // What its asset shares with others was not loaded for another place.
    seek = Seek(number: seekCount, called: moment.now, target: start, keepsLoaded: true)
  }

  /// Before iOS 10 streams wait and files do not (`automaticallyWaitsToMinimizeStalling`).
  private mutating func waitForStream(_ media: Media) {
    if !waitsByItem { return }
    waitsAutomatically = media.streamMedia != nil
  }

  /// Gives up everything that belongs to the current item.
  private mutating func leaveItem(in moment: inout Moment) {
    guard source.item != nil else { return }
    meter.dataPlayed += source.countPlayed()
    abandonSeek(in: &moment)
    cancelPreroll(in: &moment)
    cancelRequests(in: &moment)
    accessLog.end(counters(at: moment.now, watched: meter.mediaPlayed), source.stream.tally)
    receivedBefore += source.buffer.meter.received(at: moment.now)
    activeBefore += source.buffer.meter.active(at: moment.now)
    if sharesAssets {
      let asset = configuration.span(of: source.number).asset
      queue.keep(source, of: asset, at: currentTime(at: moment.now), moment.now)
    }
    leaveStreamStartup(at: moment.now)
    leaveSource(at: moment.now)
    toldFrames = []
    leavePipeline()
  }

  private mutating func preroll(in moment: inout Moment) {
    guard phase == .paused, source.item?.status == .readyToPlay else {
      moment.record(.exception(.prerollNotPossible))
      return
    }
    // Assumed: a preroll that is under way is given up for the new one, as for another rate.
    cancelPreroll(in: &moment)
    source.item?.isPrerolling = true
  }

  private mutating func set(_ setting: PlayerSetting, in moment: inout Moment) {
    moment.record(.setting(WrittenSetting(setting)))
    switch setting {
    case .automaticallyWaitsToMinimizeStalling(let value):
      // Before iOS 10 there is no such property, and writing it changes nothing.
      if configuration.contract.hasAutomaticWaiting {
        (waitsAutomatically, waitsByItem) = (value, false)
      }
      input(.automaticWaitingChanged, rate: evaluationRate, in: &moment)
    case .defaultRate(let rate): defaultRate = rate
    case .actionAtItemEnd(.advance) where !hasQueue:
      moment.record(.exception(.advanceWithoutQueue))
    // Assumed: a looper keeps what is set for when it lets go of the player.
    case .actionAtItemEnd(let action) where loop?.holdsAction == true:
      loop?.actionAfterwards = action
    case .actionAtItemEnd(let action):
      actionAtItemEnd = action
      input(.actionAtItemEndChanged, rate: evaluationRate, in: &moment)
    case .forwardPlaybackEndTime(let time):
      bookPlayedBeforeEndMoves(to: time, at: moment.now)
      source.buffer.setEnd(time)
      // What is missing before the end is another amount.
      if source.buffer.needsRemaining, source.buffer.isStream { placeEdge(at: moment.now) }
      input(.endTimeChanged, rate: evaluationRate, in: &moment)
    case .reversePlaybackEndTime(let time):
      bookPlayedBeforeReverseEndMoves(to: time, at: moment.now)
      source.buffer.reverseEndTime = time
      input(.endTimeChanged, rate: evaluationRate, in: &moment)
    case .interstitial(let isActive):
      isInterstitialActive = isActive
      input(.holdChanged, rate: evaluationRate, in: &moment)
    case .preferredForwardBufferDuration(let time):
      preferredForwardBufferDuration = time
      source.limitStream(to: time, ahead: currentTime(at: moment.now))
    case .automaticallyPreservesTimeOffsetFromLive(let value):
      automaticallyPreservesTimeOffsetFromLive = value
    case .preferredPeakBitRate(let rate): limits.preferredPeakBitRate = rate
    case .preferredPeakBitRateForExpensiveNetworks(let rate):
      limits.preferredPeakBitRateForExpensiveNetworks = rate
    case .preferredMaximumResolution(let size): limits.preferredMaximumResolution = size
    case .preferredMaximumResolutionForExpensiveNetworks(let size):
      limits.preferredMaximumResolutionForExpensiveNetworks = size
    case .layer(let size): limits.layer = size
    case .layerAttached(let isAttached): attach(layer: isAttached, in: &moment)
    case .videoOutputAttached(let isAttached): attach(videoOutput: isAttached, in: &moment)
    case .isExpensive(let value): limits.isExpensive = value
    case .networkResourcePriority(let priority): networkResourcePriority = priority
    case .eligibleForHDRPlayback(let value): limits.isEligibleForHDRPlayback = value
    case .coordination(let isHeld):
      isHeldByCoordinator = isHeld
      input(.holdChanged, rate: evaluationRate, in: &moment)
    }
    if hasQueue { setStandbys(setting, in: &moment) }
    if setting.limitsVariants {
      source.limit(to: limits)
      for index in prepared.indices { prepared[index].limit(to: limits) }
    }
  }

  private mutating func failItem(in moment: inout Moment) {
    guard let current = source.item, current.status != .failed else { return }
    abandonSeek(in: &moment)
    cancelRequests(in: &moment)
    fail(in: &moment)
  }

  /// Takes note that the item can go on no more.
  mutating func fail(in moment: inout Moment) {
    // Several requests may fail at one instant, each for good.
    if source.item?.status == .failed { return }
    assert(source.item != nil, "player \(index) fails without an item")
    abandonSeek(in: &moment)
    source.item?.status = .failed
    source.buffer.isFailed = true
    leavePipeline()
    noteFailureInLoop(of: source.number, in: &moment)
    moment.cause = moment.record(.itemStatus(.failed))
    var facts = playbackFacts(at: moment.now, rate: evaluationRate)
    facts.item = .failed
    apply(.itemFailed, given: facts, in: &moment)
  }

  /// Maps a time of the item to a host time; the player does not make sure that data is there.
  private mutating func setRate(
    _ rate: PlaybackRate, _ mapping: HostTimeMapping, in moment: inout Moment
  ) {
    guard let wish = WishedRate(rate) else {
      input(.setRate(.zero), rate: evaluationRate, in: &moment)
      return
    }
    if waitsAutomatically, configuration.linked.hasAutomaticWaiting {
      // An exception changes nothing, nor what observers read of the rate that was refused.
      input(.setRateAtHostTime(wish), rate: evaluationRate, in: &moment)
      return
    }
    // Assumed: nothing happens where the header says that it is not supported.
    if source.buffer.isStream, !configuration.contract.mapsStreamsToHostTime { return }
    let host = mapping.hostTime ?? moment.now
    // It takes the place of a host time that is still to come.
    hostTime = nil
    var start = mapping.time ?? currentTime(at: moment.now)
    if host < moment.now { start = start + rate.media(in: moment.now - host) }
    start = min(max(start, .zero), source.item == nil ? start : source.media.duration)
    var isNewEntry = false
    if source.item?.status == .readyToPlay, start != currentTime(at: moment.now) {
      seek(to: start, in: &moment)
      seek?.keepsLoaded = true
      isNewEntry = goToMapped(waits: mapping.hostTime == nil, in: &moment)
    }
    if host > moment.now { hostTime = host }
    // Without a host time the near future is meant, with "some time for media data loading"
    // (AVPlayer.h): as long as a seek waits (assumed).
    input(
      mapping.hostTime == nil ? .setRate(rate) : .setRateAtHostTime(wish), rate: rate, in: &moment)
    if isNewEntry { moment.record(.newAccessLogEntry) }
    if !phase.isPlaying { hostTime = nil }
    let awaitsItem = phase.isWaiting && source.item?.status == .unknown
    awaitedMapping = awaitsItem ? mapping : nil
  }

  /// Moves the playhead to the time that is to be mapped; returns whether a new entry of the access
  /// log is to be told of when the player has decided.
  ///
  /// At a host time it does not wait for data, and decides once (rows P11, P12).
  private mutating func goToMapped(waits: Bool, in moment: inout Moment) -> Bool {
    guard let seek, hasSeekToMove, let landing = land(by: seek, in: &moment) else { return false }
    if !waits, !landing.facts.contains(.atEnd) { return landing.isNewEntry }
    decide(on: landing, of: seek, in: &moment)
    return false
  }

  /// Maps what was to be mapped when the item is ready, as if that were asked for now; returns
  /// whether something was.
  ///
  /// Assumed: a wish to play at a host time survives until the item is ready and a seek that was
  /// called before it has completed, like any other one.
  mutating func mapAwaited(in moment: inout Moment) -> Bool {
    guard let mapping = awaitedMapping, phase.isWaiting, source.item?.status == .readyToPlay,
      seek == nil
    else { return false }
    awaitedMapping = nil
    // Who waits automatically since then plays by its rule: the call was none that it could refuse.
    if waitsAutomatically, configuration.linked.hasAutomaticWaiting { return false }
    setRate(phase.rate, mapping, in: &moment)
    return true
  }
}

/// What `setRate(_:time:atHostTime:)` asks for beside a rate; nil for invalid times.
struct HostTimeMapping: Sendable {
  let time: MediaTime?
  let hostTime: Instant?
}

extension PlayerAction {
  /// Whether a seek of the same turn comes first: to seek and then to play means to play there.
  ///
  /// Another seek, another item and a failure give a seek up instead.
  fileprivate var isJudgedWhereSought: Bool {
    switch self {
    case .seek, .seekNear, .seekToLive, .replaceCurrentItem, .failItem, .loadValues, .createItem,
      .insert,
      .remove, .removeAllItems, .advanceToNextItem, .disableLooping, .transcode:
      false
    case .play, .pause, .playImmediately, .setRate, .setRateAtHostTime, .preroll, .set,
      .interrupt, .enterBackground, .changeTracks, .select, .enable:
      true
    }
  }
}
