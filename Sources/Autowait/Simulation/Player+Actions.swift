extension Player {
  /// Carries out a call of the application, or something that the system does.
  mutating func perform(
    _ action: PlayerAction, at now: Instant, network: inout Network, log: inout EventLog
  ) {
    if action.isJudgedWhereSought { _ = moveToSeek(at: now, network: &network, log: &log) }
    switch action {
    case .replaceCurrentItem(let number):
      replaceCurrentItem(number, at: now, network: &network, log: &log)
    case .loadValues(let number):
      prepare(number, for: .values, at: now, log: &log)
    case .createItem(let number):
      prepare(number, for: .item, at: now, log: &log)
      record(.itemCreated(number), now, &log)
    case .play: input(.setRate(playRate), rate: playRate, at: now, log: &log)
    case .pause: input(.setRate(.zero), rate: evaluationRate, at: now, log: &log)
    case .setRate(let rate):
      input(.setRate(rate), rate: rate == .zero ? evaluationRate : rate, at: now, log: &log)
    case .playImmediately(let rate):
      // A rate of zero is a pause, as it is everywhere.
      let wish = WishedRate(rate).map(PlaybackInput.playImmediately) ?? .setRate(.zero)
      input(wish, rate: rate == .zero ? evaluationRate : rate, at: now, log: &log)
    case .setRateAtHostTime(let rate, let time, let hostTime):
      let mapping = (time: time, hostTime: hostTime)
      setRate(rate, mapping, at: now, network: &network, log: &log)
    case .seekToLive: seekToLive(at: now, log: &log)
    case .seek(let target): seek(to: target, at: now, log: &log)
    case .preroll: preroll(at: now, log: &log)
    case .set(let setting): set(setting, at: now, log: &log)
    case .interrupt:
      input(.interrupted(.audioSessionInterrupted), rate: evaluationRate, at: now, log: &log)
    case .enterBackground:
      input(.interrupted(.appBackgrounded), rate: evaluationRate, at: now, log: &log)
    case .changeTracks: input(.tracksChanged, rate: evaluationRate, at: now, log: &log)
    case .failItem: failItem(at: now, network: &network, log: &log)
    }
  }

  mutating func input(
    _ input: PlaybackInput, rate: PlaybackRate, at now: Instant, log: inout EventLog
  ) {
    switch input {
    case .setRate, .playImmediately, .itemChanged: hostTime = nil  // it was another wish's
    default: break
    }
    switch input {
    case .endTimeChanged, .itemChanged: flowCause = cause  // the buffer is another one
    default: break
    }
    observeFacts(at: now, rate: rate, log: &log)
    apply(input, given: playbackFacts(at: now, rate: rate), at: now, log: &log)
  }

  /// A wish at another rate is judged by K at that rate, and observers read that K.
  private mutating func observeFacts(at now: Instant, rate: PlaybackRate, log: inout EventLog) {
    buffer.prepareRule(for: rate)
    if item == nil { return }
    buffer.cachedFacts = nil
    let new = buffer.facts(at: now, playhead: currentTime(at: now))
    let changed = buffer.facts.symmetricDifference(new)
    if changed.contains(.likely), changed.subtracting([.likely, .verdict]).isEmpty {
      buffer.facts = new
      recordLoadedTimeRanges(at: now, log: &log)
      record(.isPlaybackLikelyToKeepUp(new.contains(.likely)), now, &log)
    }
  }

  /// Makes another item, or none, the current one; the same item again changes nothing.
  private mutating func replaceCurrentItem(
    _ number: Int?, at now: Instant, network: inout Network, log: inout EventLog
  ) {
    if item?.number == number { return }
    bookPlayed(until: currentTime(at: now))
    leaveItem(at: now, network: &network, log: &log)
    record(.currentItem(number), now, &log)
    if let number {
      item = PlayerItem(number: number, media: configuration.media[number], at: now)
      waitForStream(configuration.media[number])
      buffer = ItemBuffer(
        configuration.media[number], policy: configuration.keepUp,
        readsFillRate: configuration.readsFillRate, at: now)
      buffer.setEnd(configuration.forwardPlaybackEndTime)
      buffer.awaitsIndex = item?.indexSearch == .atHead
      enterStream(number, at: now)
      enterPipeline(at: now)
      askAt = now
    }
    recordedEnd = MediaTime(nanoseconds: -1)
    timebase = Timebase(time: .zero, at: now, rate: timebase.rate)
    placeEdge(at: now)
    buffer.hasResponded = item?.media.source == .local
    input(.itemChanged, rate: evaluationRate, at: now, log: &log)
  }

  /// Before iOS 10 streams wait and files do not (`automaticallyWaitsToMinimizeStalling`).
  private mutating func waitForStream(_ media: Media) {
    if configuration.contract.hasAutomaticWaiting { return }
    waitsAutomatically = media.streamMedia != nil
  }

  /// Gives up everything that belongs to the current item.
  private mutating func leaveItem(at now: Instant, network: inout Network, log: inout EventLog) {
    guard item != nil else { return }
    abandonSeek(at: now, log: &log)
    cancelPreroll(at: now, log: &log)
    cancelRequest(at: now, network: &network, log: &log)
    endPeriod(stalled: false, at: now)
    receivedBefore += buffer.meter.received(at: now)
    openBefore += buffer.meter.open(at: now)
    leaveStream()
    leavePipeline()
    item = nil
    buffer = ItemBuffer(noItemAt: now, policy: configuration.keepUp)
    fillHistory = FillHistory()
  }

  private mutating func preroll(at now: Instant, log: inout EventLog) {
    guard phase == .paused, item?.status == .readyToPlay else {
      record(.exception(.prerollNotPossible), now, &log)
      return
    }
    item?.isPrerolling = true
  }

  private mutating func set(_ setting: PlayerSetting, at now: Instant, log: inout EventLog) {
    record(.setting(setting), now, &log)
    switch setting {
    case .automaticallyWaitsToMinimizeStalling(let value):
      // Before iOS 10 there is no such property, and writing it changes nothing.
      if configuration.contract.hasAutomaticWaiting { waitsAutomatically = value }
      input(.automaticWaitingChanged, rate: evaluationRate, at: now, log: &log)
    case .defaultRate(let rate): defaultRate = rate
    case .actionAtItemEnd(let action):
      actionAtItemEnd = action
      input(.actionAtItemEndChanged, rate: evaluationRate, at: now, log: &log)
    case .forwardPlaybackEndTime(let time):
      bookPlayedBeforeEndMoves(to: time, at: now)
      buffer.setEnd(time)
      input(.endTimeChanged, rate: evaluationRate, at: now, log: &log)
    case .reversePlaybackEndTime(let time):
      bookPlayedBeforeReverseEndMoves(to: time, at: now)
      buffer.reverseEndTime = time
      input(.endTimeChanged, rate: evaluationRate, at: now, log: &log)
    case .interstitial(let isActive):
      isInterstitialActive = isActive
      input(.holdChanged, rate: evaluationRate, at: now, log: &log)
    case .preferredForwardBufferDuration(let time):
      preferredForwardBufferDuration = time
      limitStream(at: now)
    case .automaticallyPreservesTimeOffsetFromLive(let value):
      automaticallyPreservesTimeOffsetFromLive = value
    case .preferredPeakBitRate(let rate): limits.preferredPeakBitRate = rate
    case .preferredPeakBitRateForExpensiveNetworks(let rate):
      limits.preferredPeakBitRateForExpensiveNetworks = rate
    case .preferredMaximumResolution(let size): limits.preferredMaximumResolution = size
    case .preferredMaximumResolutionForExpensiveNetworks(let size):
      limits.preferredMaximumResolutionForExpensiveNetworks = size
    case .layer(let size): limits.layer = size
    case .layerAttached(let isAttached): attachLayer(isAttached, at: now, log: &log)
    case .isExpensive(let value):
      limits.isExpensive = value
      expensiveRequests.note(isExpensive: value, requests: meter.mediaRequestCount)
    case .coordination(let isHeld):
      isHeldByCoordinator = isHeld
      input(.holdChanged, rate: evaluationRate, at: now, log: &log)
    }
    if setting.limitsVariants {
      stream?.limit(to: limits)
      for index in prepared.indices { prepared[index].limit(to: limits) }
    }
  }

  private mutating func failItem(at now: Instant, network: inout Network, log: inout EventLog) {
    guard let current = item, current.status != .failed else { return }
    abandonSeek(at: now, log: &log)
    cancelRequest(at: now, network: &network, log: &log)
    fail(at: now, log: &log)
  }

  /// Takes note that the item can go on no more.
  mutating func fail(at now: Instant, log: inout EventLog) {
    abandonSeek(at: now, log: &log)
    item?.status = .failed
    buffer.isFailed = true
    leavePipeline()
    cause = record(.itemStatus(.failed), now, &log)
    var facts = playbackFacts(at: now, rate: evaluationRate)
    facts.item = .failed
    apply(.itemFailed, given: facts, at: now, log: &log)
  }

  /// Maps a time of the item to a host time; the player does not make sure that data is there.
  private mutating func setRate(
    _ rate: PlaybackRate, _ mapping: (time: MediaTime?, hostTime: Instant?), at now: Instant,
    network: inout Network, log: inout EventLog
  ) {
    guard let wish = WishedRate(rate) else {
      input(.setRate(.zero), rate: evaluationRate, at: now, log: &log)
      return
    }
    if waitsAutomatically, configuration.contract.hasAutomaticWaiting {
      input(.setRateAtHostTime(wish), rate: rate, at: now, log: &log)
      return
    }
    let host = mapping.hostTime ?? now  // an invalid host time means the near future
    var start = mapping.time ?? currentTime(at: now)
    if host < now { start = start + rate.media(in: now - host) }
    start = min(max(start, .zero), item?.media.duration ?? start)
    if item?.status == .readyToPlay, start != currentTime(at: now) {
      seek(to: start, at: now, log: &log)
      _ = moveToSeek(at: now, network: &network, log: &log)
    }
    if host > now { hostTime = host }
    input(.setRateAtHostTime(wish), rate: rate, at: now, log: &log)
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
