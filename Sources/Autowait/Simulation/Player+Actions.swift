extension Player {
  /// Carries out a call of the application, or something that the system does.
  mutating func perform(
    _ action: PlayerAction, at now: Instant, network: inout Network, trace: inout Trace
  ) {
    if action.isJudgedWhereSought { _ = moveToSeek(at: now, network: &network, trace: &trace) }
    switch action {
    case .replaceCurrentItem(let number):
      replaceCurrentItem(number, at: now, network: &network, trace: &trace)
    case .loadValues(let number):
      prepare(number, for: .values, at: now, trace: &trace)
    case .createItem(let number):
      prepare(number, for: .item, at: now, trace: &trace)
      record(.itemCreated(number), now, &trace)
    case .play: input(.setRate(playRate), rate: playRate, at: now, trace: &trace)
    case .pause: input(.setRate(.zero), rate: judgedRate, at: now, trace: &trace)
    case .setRate(let rate):
      input(.setRate(rate), rate: rate == .zero ? judgedRate : rate, at: now, trace: &trace)
    case .playImmediately(let rate):
      // A rate of zero is a pause, as it is everywhere.
      let wish = WishedRate(rate).map(PlaybackInput.playImmediately) ?? .setRate(.zero)
      input(wish, rate: rate == .zero ? judgedRate : rate, at: now, trace: &trace)
    case .setRateAtHostTime(let rate, let time, let hostTime):
      let mapping = (time: time, hostTime: hostTime)
      setRate(rate, mapping, at: now, network: &network, trace: &trace)
    case .seekToLive: seekToLive(at: now, trace: &trace)
    case .seek(let target): seek(to: target, at: now, trace: &trace)
    case .preroll: preroll(at: now, trace: &trace)
    case .set(let setting): set(setting, at: now, trace: &trace)
    case .interrupt:
      input(.interrupted(.audioSessionInterrupted), rate: judgedRate, at: now, trace: &trace)
    case .enterBackground:
      input(.interrupted(.appBackgrounded), rate: judgedRate, at: now, trace: &trace)
    case .changeTracks: input(.tracksChanged, rate: judgedRate, at: now, trace: &trace)
    case .failItem: failItem(at: now, network: &network, trace: &trace)
    }
  }

  mutating func input(
    _ input: PlaybackInput, rate: PlaybackRate, at now: Instant, trace: inout Trace
  ) {
    switch input {
    case .setRate, .playImmediately, .itemChanged: hostTime = nil  // it was another wish's
    default: break
    }
    switch input {
    case .endTimeChanged, .itemChanged: flowCause = cause  // the buffer is another one
    default: break
    }
    observeFacts(at: now, rate: rate, trace: &trace)
    apply(input, given: playbackFacts(at: now, rate: rate), at: now, trace: &trace)
  }

  /// A wish at another rate is judged by K at that rate, and observers read that K.
  private mutating func observeFacts(at now: Instant, rate: PlaybackRate, trace: inout Trace) {
    buffer.prepareRule(for: rate)
    if item == nil { return }
    buffer.judgement = nil
    let new = buffer.facts(at: now, playhead: currentTime(at: now))
    let changed = buffer.facts.symmetricDifference(new)
    if changed.contains(.likely), changed.subtracting([.likely, .verdict]).isEmpty {
      buffer.facts = new
      recordLoadedTimeRanges(at: now, trace: &trace)
      record(.isPlaybackLikelyToKeepUp(new.contains(.likely)), now, &trace)
    }
  }

  /// Makes another item, or none, the current one; the same item again changes nothing.
  private mutating func replaceCurrentItem(
    _ number: Int?, at now: Instant, network: inout Network, trace: inout Trace
  ) {
    if item?.number == number { return }
    bookPlayed(until: currentTime(at: now))
    leaveItem(at: now, network: &network, trace: &trace)
    record(.currentItem(number), now, &trace)
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
    input(.itemChanged, rate: judgedRate, at: now, trace: &trace)
  }

  /// Before iOS 10 streams wait and files do not (`automaticallyWaitsToMinimizeStalling`).
  private mutating func waitForStream(_ media: Media) {
    if configuration.contract.hasAutomaticWaiting { return }
    waitsAutomatically = media.ladder != nil
  }

  /// Gives up everything that belongs to the current item.
  private mutating func leaveItem(at now: Instant, network: inout Network, trace: inout Trace) {
    guard item != nil else { return }
    abandonSeek(at: now, trace: &trace)
    cancelPreroll(at: now, trace: &trace)
    cancelRequest(at: now, network: &network, trace: &trace)
    endPeriod(stalled: false, at: now)
    receivedBefore += buffer.meter.received(at: now)
    openBefore += buffer.meter.open(at: now)
    leaveStream()
    leavePipeline()
    item = nil
    buffer = ItemBuffer(noItemAt: now, policy: configuration.keepUp)
    fillHistory = FillHistory()
  }

  private mutating func preroll(at now: Instant, trace: inout Trace) {
    guard phase == .paused, item?.status == .readyToPlay else {
      record(.exception(.prerollNotPossible), now, &trace)
      return
    }
    item?.isPrerolling = true
  }

  private mutating func set(_ setting: PlayerSetting, at now: Instant, trace: inout Trace) {
    record(.setting(setting), now, &trace)
    switch setting {
    case .automaticallyWaitsToMinimizeStalling(let value):
      // Before iOS 10 there is no such property, and writing it changes nothing.
      if configuration.contract.hasAutomaticWaiting { waitsAutomatically = value }
      input(.automaticWaitingChanged, rate: judgedRate, at: now, trace: &trace)
    case .defaultRate(let rate): defaultRate = rate
    case .actionAtItemEnd(let action):
      actionAtItemEnd = action
      input(.actionAtItemEndChanged, rate: judgedRate, at: now, trace: &trace)
    case .forwardPlaybackEndTime(let time):
      bookPlayedBeforeEndMoves(to: time, at: now)
      buffer.setEnd(time)
      input(.endTimeChanged, rate: judgedRate, at: now, trace: &trace)
    case .reversePlaybackEndTime(let time):
      bookPlayedBeforeReverseEndMoves(to: time, at: now)
      buffer.reverseEndTime = time
      input(.endTimeChanged, rate: judgedRate, at: now, trace: &trace)
    case .interstitial(let isActive):
      isInterstitialActive = isActive
      input(.holdChanged, rate: judgedRate, at: now, trace: &trace)
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
    case .layerAttached(let isAttached): attachLayer(isAttached, at: now, trace: &trace)
    case .isExpensive(let value):
      limits.isExpensive = value
      expensiveRequests.note(isExpensive: value, requests: meter.mediaRequestCount)
    case .coordination(let isHeld):
      isHeldByCoordinator = isHeld
      input(.holdChanged, rate: judgedRate, at: now, trace: &trace)
    }
    if setting.limitsVariants {
      stream?.limit(to: limits)
      for index in prepared.indices { prepared[index].limit(to: limits) }
    }
  }

  private mutating func failItem(at now: Instant, network: inout Network, trace: inout Trace) {
    guard let current = item, current.status != .failed else { return }
    abandonSeek(at: now, trace: &trace)
    cancelRequest(at: now, network: &network, trace: &trace)
    fail(at: now, trace: &trace)
  }

  /// Takes note that the item can go on no more.
  mutating func fail(at now: Instant, trace: inout Trace) {
    abandonSeek(at: now, trace: &trace)
    item?.status = .failed
    buffer.isFailed = true
    leavePipeline()
    cause = record(.itemStatus(.failed), now, &trace)
    var facts = playbackFacts(at: now, rate: judgedRate)
    facts.item = .failed
    apply(.itemFailed, given: facts, at: now, trace: &trace)
  }

  /// Maps a time of the item to a host time; the player does not make sure that data is there.
  private mutating func setRate(
    _ rate: PlaybackRate, _ mapping: (time: MediaTime?, hostTime: Instant?), at now: Instant,
    network: inout Network, trace: inout Trace
  ) {
    guard let wish = WishedRate(rate) else {
      input(.setRate(.zero), rate: judgedRate, at: now, trace: &trace)
      return
    }
    if waitsAutomatically, configuration.contract.hasAutomaticWaiting {
      input(.setRateAtHostTime(wish), rate: rate, at: now, trace: &trace)
      return
    }
    let host = mapping.hostTime ?? now  // an invalid host time means the near future
    var start = mapping.time ?? currentTime(at: now)
    if host < now { start = start + rate.media(in: now - host) }
    start = min(max(start, .zero), item?.media.duration ?? start)
    if item?.status == .readyToPlay, start != currentTime(at: now) {
      seek(to: start, at: now, trace: &trace)
      _ = moveToSeek(at: now, network: &network, trace: &trace)
    }
    if host > now { hostTime = host }
    input(.setRateAtHostTime(wish), rate: rate, at: now, trace: &trace)
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
