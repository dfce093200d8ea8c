extension Player {
  /// Carries out a call of the application, or something that the system does.
  mutating func perform(
    _ action: PlayerAction, in moment: inout Moment
  ) {
    if action.isJudgedWhereSought { _ = moveToSeek(in: &moment) }
    switch action {
    case .replaceCurrentItem(let number):
      replaceCurrentItem(number, in: &moment)
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
      let mapping = (time: time, hostTime: hostTime)
      setRate(rate, mapping, in: &moment)
    case .seekToLive: seekToLive(in: &moment)
    case .seek(let target): seek(to: target, in: &moment)
    case .preroll: preroll(in: &moment)
    case .set(let setting): set(setting, in: &moment)
    case .interrupt:
      input(.interrupted(.audioSessionInterrupted), rate: evaluationRate, in: &moment)
    case .enterBackground:
      input(.interrupted(.appBackgrounded), rate: evaluationRate, in: &moment)
    case .changeTracks:
      dropAudio(in: &moment)
      input(.tracksChanged, rate: evaluationRate, in: &moment)
    case .failItem: failItem(in: &moment)
    }
  }

  mutating func input(
    _ input: PlaybackInput, rate: PlaybackRate, in moment: inout Moment
  ) {
    switch input {
    // It was another wish's.
    case .setRate, .playImmediately, .itemChanged: hostTime = nil
    default: break
    }
    switch input {
    // The buffer is another one.
    case .endTimeChanged, .itemChanged: moment.flowCause = moment.cause
    default: break
    }
    observeFacts(rate: rate, in: &moment)
    apply(input, given: playbackFacts(at: moment.now, rate: rate), in: &moment)
  }

  /// A wish at another rate is judged by K at that rate, and observers read that K.
  private mutating func observeFacts(rate: PlaybackRate, in moment: inout Moment) {
    source.buffer.prepareRule(for: rate)
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
    bookPlayed(until: currentTime(at: moment.now))
    leaveItem(in: &moment)
    moment.record(.currentItem(number))
    if let number {
      waitForStream(configuration.media[number])
      enterItem(number, at: moment.now)
      enterPipeline(in: &moment)
      askAt = moment.now
    }
    timebase = Timebase(time: .zero, at: moment.now, rate: timebase.rate)
    placeEdge(at: moment.now)
    input(.itemChanged, rate: evaluationRate, in: &moment)
  }

  /// Before iOS 10 streams wait and files do not (`automaticallyWaitsToMinimizeStalling`).
  private mutating func waitForStream(_ media: Media) {
    if configuration.contract.hasAutomaticWaiting { return }
    waitsAutomatically = media.streamMedia != nil
  }

  /// Gives up everything that belongs to the current item.
  private mutating func leaveItem(in moment: inout Moment) {
    guard source.item != nil else { return }
    abandonSeek(in: &moment)
    cancelPreroll(in: &moment)
    cancelRequests(in: &moment)
    accessLog.end(counters: counters(at: moment.now, watched: meter.mediaPlayed))
    receivedBefore += source.buffer.meter.received(at: moment.now)
    activeBefore += source.buffer.meter.active(at: moment.now)
    leaveSource(at: moment.now)
    leavePipeline()
  }

  private mutating func preroll(in moment: inout Moment) {
    guard phase == .paused, source.item?.status == .readyToPlay else {
      moment.record(.exception(.prerollNotPossible))
      return
    }
    source.item?.isPrerolling = true
  }

  private mutating func set(_ setting: PlayerSetting, in moment: inout Moment) {
    moment.record(.setting(setting))
    switch setting {
    case .automaticallyWaitsToMinimizeStalling(let value):
      // Before iOS 10 there is no such property, and writing it changes nothing.
      if configuration.contract.hasAutomaticWaiting { waitsAutomatically = value }
      input(.automaticWaitingChanged, rate: evaluationRate, in: &moment)
    case .defaultRate(let rate): defaultRate = rate
    case .actionAtItemEnd(let action):
      actionAtItemEnd = action
      input(.actionAtItemEndChanged, rate: evaluationRate, in: &moment)
    case .forwardPlaybackEndTime(let time):
      bookPlayedBeforeEndMoves(to: time, at: moment.now)
      source.buffer.setEnd(time)
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
    case .layerAttached(let isAttached): attachLayer(isAttached, in: &moment)
    case .isExpensive(let value): limits.isExpensive = value
    case .coordination(let isHeld):
      isHeldByCoordinator = isHeld
      input(.holdChanged, rate: evaluationRate, in: &moment)
    }
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
    abandonSeek(in: &moment)
    source.item?.status = .failed
    source.buffer.isFailed = true
    leavePipeline()
    moment.cause = moment.record(.itemStatus(.failed))
    var facts = playbackFacts(at: moment.now, rate: evaluationRate)
    facts.item = .failed
    apply(.itemFailed, given: facts, in: &moment)
  }

  /// Maps a time of the item to a host time; the player does not make sure that data is there.
  private mutating func setRate(
    _ rate: PlaybackRate, _ mapping: (time: MediaTime?, hostTime: Instant?), in moment: inout Moment
  ) {
    guard let wish = WishedRate(rate) else {
      input(.setRate(.zero), rate: evaluationRate, in: &moment)
      return
    }
    if waitsAutomatically, configuration.contract.hasAutomaticWaiting {
      input(.setRateAtHostTime(wish), rate: rate, in: &moment)
      return
    }
    // Assumed: nothing happens where the header says that it is not supported.
    if source.buffer.isStream, !configuration.contract.mapsStreamsToHostTime { return }
    let host = mapping.hostTime ?? moment.now  // an invalid host time means the near future
    var start = mapping.time ?? currentTime(at: moment.now)
    if host < moment.now { start = start + rate.media(in: moment.now - host) }
    start = min(max(start, .zero), source.item == nil ? start : source.media.duration)
    if source.item?.status == .readyToPlay, start != currentTime(at: moment.now) {
      seek(to: start, in: &moment)
      _ = moveToSeek(in: &moment)
    }
    if host > moment.now { hostTime = host }
    input(.setRateAtHostTime(wish), rate: rate, in: &moment)
    if !phase.isPlaying { hostTime = nil }
  }
}

extension PlayerAction {
  /// Whether a seek of the same turn comes first: to seek and then to play means to play there.
  ///
  /// Another seek, another item and a failure give a seek up instead.
  fileprivate var isJudgedWhereSought: Bool {
    switch self {
    case .seek, .seekToLive, .replaceCurrentItem, .failItem, .loadValues, .createItem: false
    case .play, .pause, .playImmediately, .setRate, .setRateAtHostTime, .preroll, .set,
      .interrupt, .enterBackground, .changeTracks:
      true
    }
  }
}
