/// What a queue player has behind its current item.
struct ItemQueue: Sendable {
  /// The items, by number, in the order in which they become the current one.
  var upcoming: [Int] = []
  /// Whether an item was ever put into the queue.
  var hadItems = false
  /// What makes some of them ready, in no order that matters.
  var standbys: [Standby] = []
  /// The items that are the current one no more.
  private var left: [LeftItem] = []
  /// What was loaded of their assets, the latest of each.
  private var known: [KnownAsset] = []
  /// What was loaded of items that were taken out of the queue, and is of no use.
  var dropped = UnplayedItems()
  /// The time in which several of the items brought media, the current one included.
  var sharedTime = SharedTime()

  /// What a player keeps of an item that is the current one no more.
  struct LeftItem: Sendable {
    let item: Int
    /// Where its playhead stands.
    var time: MediaTime
    let hasFailed: Bool
  }

  /// What was loaded of an asset: a file or a stream.
  private struct KnownAsset: Sendable {
    let asset: Int
    var file: FileSource?
    var stream: StreamSource?
  }

  /// How often a player may have to look at itself at one instant for what is in its queue.
  var roundsMax: Int { upcoming.count + left.count }

  /// Keeps what was loaded of an item that is the current one no more, and where it stands.
  mutating func keep(
    _ source: ItemSource, of asset: Int, at time: MediaTime, _ now: Instant
  ) {
    let hasFailed = source.item?.status == .failed
    let item = LeftItem(item: source.number, time: time, hasFailed: hasFailed)
    if let place = left.firstIndex(where: { $0.item == source.number }) {
      left[place] = item
    } else {
      left.append(item)
    }
    let stream = source.buffer.isStream ? source.stream.ofSameAsset : nil
    let file = source.file?.ofSameAsset(edge: source.buffer.edge(at: now))
    if stream == nil, file == nil { return }
    known.removeAll { $0.asset == asset }
    known.append(KnownAsset(asset: asset, file: file, stream: stream))
    assert(left.count { $0.item == source.number } == 1, "an item was left in two places")
  }

  /// Takes over what a player, and those of its enqueued items, have loaded by now.
  mutating func takeOver(from player: Player, at now: Instant) {
    (left, known) = (player.queue.left, player.queue.known)
    let players =
      (player.source.item == nil ? [] : [player]) + player.queue.standbys.map { $0.player }
    for player in players {
      let asset = player.configuration.span(of: player.source.number).asset
      keep(player.source, of: asset, at: player.currentTime(at: now), now)
    }
  }

  /// Where an item stands that was the current one before.
  func timeLeft(of item: Int) -> MediaTime? { left.first { $0.item == item }?.time }

  /// Whether an item was the current one and failed, and so cannot play any more.
  func hasFailed(_ item: Int) -> Bool { left.contains { $0.item == item && $0.hasFailed } }

  /// Seeks an item that is not the current one.
  mutating func rewind(_ item: Int, to time: MediaTime) {
    guard let place = left.firstIndex(where: { $0.item == item }) else { return }
    left[place].time = time
  }

  /// What was loaded of an item's asset for other items or before, the latest of it.
  func known(
    of item: Int, _ configuration: PlayerConfiguration
  ) -> (file: FileSource?, stream: StreamSource?)? {
    let asset = configuration.span(of: item).asset
    return known.first { $0.asset == asset }.map { ($0.file, $0.stream) }
  }

  /// The place of the standby of an item, if it has one.
  func place(of item: Int) -> Int? { standbys.firstIndex { $0.item == item } }

  /// The most items that are made ready at a time.
  ///
  /// The next item is, and the one after it if the next is shorter than its preroll.
  static let standbysMax = 2

  /// What was loaded by now of items that are not, and never were, the current one.
  func loaded(at now: Instant) -> UnplayedItems {
    var all = dropped
    for standby in standbys { all.add(standby.player, at: now) }
    return all
  }

  /// An item with a player that loads and prerolls it and never plays: it is to the item what the
  /// queue player is to the current one.
  struct Standby: Sendable {
    let item: Int
    var player: Player
    /// Whether it can follow the item before without a gap.
    let joins: Bool
  }

  /// What came of requests for items that never played.
  struct UnplayedItems: Sendable {
    var received = DataAmount.zero
    var active = TimeSpan.zero
    var requestCount = 0
    var errorCount = 0
    var variantSwitchCount = 0
    var abandonedCount = 0
    /// Whether some of them are streams.
    var hasStream = false

    mutating func add(_ standby: Player, at now: Instant) {
      hasStream = hasStream || standby.source.buffer.isStream
      requestCount += standby.meter.requestCount
      errorCount += standby.meter.recoverableErrorCount
      variantSwitchCount += standby.meter.variantSwitchCount
      abandonedCount += standby.meter.abandonedCount
      received += standby.source.buffer.meter.received(at: now)
      active += standby.source.buffer.meter.active(at: now)
    }
  }
}

/// How a queue player goes from item to item, and what it lets the next ones load.
extension Player {
  // MARK: What the application does

  /// Puts an item behind another one, or behind all; without a current item it becomes that.
  mutating func insert(_ number: Int, after other: Int?, in moment: inout Moment) {
    guard hasQueue else { return }
    let current = source.item == nil ? nil : source.number
    if number == current || queue.upcoming.contains(number) {
      moment.record(.exception(.itemAlreadyInQueue))
      return
    }
    let place: Int? =
      if let other {
        other == current ? 0 : queue.upcoming.firstIndex(of: other).map { $0 + 1 }
      } else {
        queue.upcoming.count
      }
    guard let place else {
      moment.record(.exception(.insertAfterItemNotInQueue))
      return
    }
    queue.hadItems = true
    moment.record(.itemInserted(number))
    // A failure is for good (AVPlayerItem.h): a bad item is dropped.
    if queue.hasFailed(number) {
      moment.record(.itemRemoved(number))
      return
    }
    queue.upcoming.insert(number, at: place)
    assert(
      queue.upcoming.count { $0 == number } == 1, "item \(number) is in the queue more than once")
    if source.item == nil { advanceToNextItem(in: &moment) }
  }

  /// Takes an item out of the queue; the current one makes way for the next.
  mutating func remove(_ number: Int, in moment: inout Moment) {
    guard hasQueue else { return }
    if source.item != nil, number == source.number {
      moment.record(.itemRemoved(number))
      return advanceToNextItem(in: &moment)
    }
    drop(number, in: &moment)
  }

  mutating func removeAllItems(in moment: inout Moment) {
    guard hasQueue else { return }
    for number in queue.upcoming { drop(number, in: &moment) }
    guard source.item != nil else { return }
    moment.record(.itemRemoved(source.number))
    advanceToNextItem(in: &moment)
  }

  /// Makes the next item the current one, or none if there is no other.
  mutating func advanceToNextItem(in moment: inout Moment) {
    isAdvancing = false
    assert(queue.upcoming.isEmpty || queue.hadItems, "items of a queue that never had any")
    let next = queue.upcoming.isEmpty ? nil : queue.upcoming.removeFirst()
    if next == nil, source.item == nil { return }
    change(to: next, in: &moment)
    // Between two items there is a gap, whatever the next one waits for.
    if phase.isWaiting || isPrerolling { meter.willWait(for: .gap) }
    enterAccount(at: moment.now)
  }

  /// Takes an item out of the queue that is not the current one, with what was loaded of it.
  private mutating func drop(_ number: Int, in moment: inout Moment) {
    guard let place = queue.upcoming.firstIndex(of: number) else { return }
    queue.upcoming.remove(at: place)
    if let place = queue.place(of: number) {
      onStandby(place, in: &moment) { $0.cancelRequests(in: &$1) }
      if let standby = takeStandby(number) { countUnplayedItems(standby, at: moment.now) }
    }
    moment.record(.itemRemoved(number))
  }

  /// Whether the player waits for items of which none is left: nobody says that more will come.
  var hasPlayedQueue: Bool {
    hasQueue && source.item == nil && queue.upcoming.isEmpty && queue.hadItems
  }

  // MARK: What becomes the current item

  /// Takes the player that has made an item ready, if there is one.
  mutating func takeStandby(_ number: Int) -> Player? {
    guard let place = queue.place(of: number) else { return nil }
    return queue.standbys.remove(at: place).player
  }

  /// Goes on with an item that was made ready, and tells what holds of it.
  mutating func receive(_ standby: Player, in moment: inout Moment) {
    assert(!standby.phase.isPlaying, "an item plays that is not the current one")
    source = standby.source
    tellRate()
    prepared += standby.prepared
    meter.addRequests(of: standby.meter)
    source.item?.isPrerolling = false
    source.recordedEnd = MediaTime(nanoseconds: -1)
    source.stream.catchUp.attendance = phase == .paused ? .away : .following
    if let known = queue.known(of: source.number, configuration) {
      // What other items of the asset have played meanwhile counts once.
      if let stream = known.stream { source.stream.played.merge(stream.played) }
      if let file = known.file { source.file?.played.merge(file.played) }
    }
    if source.buffer.isStream { noteStream(at: moment.now) }
    source.buffer.prepareRule(for: evaluationRate)
    let held = facts(at: moment.now)
    source.buffer.facts = [.empty]
    moment.flowCause = moment.cause
    if leaveUntold(held, in: &moment) { return }
    source.buffer.facts = held
    if held.contains(.ready), source.item?.status == .unknown {
      source.item?.status = .readyToPlay
    }
    recordFacts(from: [.empty], to: held, in: &moment)
  }

  /// Counts what was loaded of an item that is never going to play.
  private mutating func countUnplayedItems(_ standby: Player, at now: Instant) {
    queue.dropped.add(standby, at: now)
  }

  /// The entries of the error log so far: of the items that were the current one, of those that
  /// load behind it, and of those that were taken out of the queue.
  var errorCount: Int {
    queue.standbys.reduce(meter.recoverableErrorCount + queue.dropped.errorCount) {
      $0 + $1.player.meter.recoverableErrorCount
    }
  }

  /// Takes note of how many items bring media from now on.
  ///
  /// Only shares of the link tell of that: where packets bring media, the network counts a time in
  /// which several responses come for one of them.
  mutating func noteSharedTime(at now: Instant) {
    let isFlowing = source.buffer.meter.isFlowing
    let others = queue.standbys.count { $0.player.source.buffer.meter.isFlowing }
    queue.sharedTime.note(others + (isFlowing ? 1 : 0), at: now)
  }

  // MARK: What waits behind it

  /// Lets what is behind the current item load and preroll; returns whether the player has to look
  /// at itself again.
  mutating func settleQueue(in moment: inout Moment) -> Bool {
    while addStandby(in: &moment) {}
    var hasFailed = false
    for place in queue.standbys.indices {
      let joins = queue.standbys[place].joins
      let isFailed = onStandby(place, in: &moment) { standby, moment in
        standby.settle(in: &moment)
        if joins { standby.prerollEnqueued(in: &moment) }
        return standby.source.item?.status == .failed
      }
      hasFailed = hasFailed || isFailed
    }
    if hasFailed { dropFailed(in: &moment) }
    return hasFailed
  }

  /// Lets the next item begin to load that may; returns whether there was one.
  ///
  /// An item is loaded once the one before it has come whole (WWDC18 502): the next one then, and
  /// the one after it if the next is shorter than the preroll for which it would have time.
  private mutating func addStandby(in moment: inout Moment) -> Bool {
    guard source.item != nil, !source.buffer.isFailed else { return false }
    var isComplete = source.buffer.isComplete(at: moment.now)
    var span = MediaTime.zero
    let prerolled = evaluationRate.media(in: configuration.latency.preroll)
    for number in queue.upcoming.prefix(ItemQueue.standbysMax) {
      if !isComplete || (span > .zero && span >= prerolled) { return false }
      guard let place = queue.place(of: number) else {
        let join = join(number)
        var player = newStandby(number, at: moment.now)
        if case .mismatch(let trait)? = join {
          moment.record(.notGapless(item: number, JoinMismatch(trait)))
        } else if case .variant(let variant)? = join {
          player.joinedBy = variant
        }
        let joins = if case .mismatch? = join { false } else { true }
        queue.standbys.append(ItemQueue.Standby(item: number, player: player, joins: joins))
        let place = queue.standbys.count - 1
        assert(queue.place(of: number) == place, "item \(number) is made ready twice")
        onStandby(place, in: &moment) { $0.change(to: number, in: &$1) }
        return true
      }
      let buffer = queue.standbys[place].player.source.buffer
      isComplete = buffer.isComplete(at: moment.now)
      span = span + buffer.endTime
    }
    return false
  }

  /// Returns how an item follows the one that is loaded last; nil if none of them is a stream.
  private func join(_ number: Int) -> GaplessJoin? {
    let last = queue.standbys.last?.player.source ?? source
    guard let next = configuration.media[number].streamMedia, let media = last.media.streamMedia,
      let variant = last.variantAtEnd
    else { return nil }
    return media.join(next, after: variant, among: limits.eligible(in: next))
  }

  /// Makes a player that never plays, with the settings of this one.
  private mutating func newStandby(_ number: Int, at now: Instant) -> Player {
    var configuration = configuration
    (configuration.queue, configuration.pipeline, configuration.loop) = (nil, nil, nil)
    var standby = Player(index: index, configuration: configuration, sharesAssets: true)
    standby.queue.takeOver(from: self, at: now)
    standby.waitsAutomatically = waitsAutomatically
    standby.defaultRate = defaultRate
    standby.rateOfQueue = loadingRate
    standby.limits = limits
    standby.automaticallyPreservesTimeOffsetFromLive = automaticallyPreservesTimeOffsetFromLive
    standby.preferredForwardBufferDuration = preferredForwardBufferDuration
    (standby.cause, standby.flowCause) = (cause, flowCause)
    if let place = prepared.firstIndex(where: { $0.number == number }) {
      standby.prepared = [prepared.remove(at: place)]
    }
    return standby
  }

  /// Makes what is to be shown first of an enqueued item ready as soon as it is there.
  private mutating func prerollEnqueued(in moment: inout Moment) {
    guard let item = source.item, item.status == .readyToPlay, !item.isPrimed, !item.isPrerolling
    else { return }
    source.item?.isPrerolling = true
    settle(in: &moment)
  }

  /// Tells the players of enqueued items at which rate the queue plays.
  mutating func tellRateToStandbys() {
    for place in queue.standbys.indices {
      queue.standbys[place].player.rateOfQueue = loadingRate
      queue.standbys[place].player.tellRate()
    }
  }

  private mutating func dropFailed(in moment: inout Moment) {
    for standby in queue.standbys where standby.player.source.item?.status == .failed {
      noteFailureInLoop(of: standby.item, in: &moment)
      drop(standby.item, in: &moment)
    }
  }

  /// Writes a setting to the players of enqueued items, where it is theirs, too.
  mutating func setStandbys(_ setting: PlayerSetting, in moment: inout Moment) {
    if !setting.isOfEnqueuedItems { return }
    for place in queue.standbys.indices {
      onStandby(place, in: &moment) { $0.perform(.set(setting), in: &$1) }
    }
  }

  // MARK: What happens to a player that never plays

  /// The place of the standby that a transfer belongs to.
  @inline(__always)
  func standby(of transfer: Int) -> Int? {
    hasQueue
      ? queue.standbys.firstIndex { $0.player.has(transfer) } : nil
  }

  /// Lets something happen to a standby; the log has only what it loads, as this player's.
  mutating func onStandby<Outcome>(
    _ place: Int, in moment: inout Moment, _ body: (inout Player, inout Moment) -> Outcome
  ) -> Outcome {
    let (cause, flowCause) = (moment.cause, moment.flowCause)
    moment.enter(queue.standbys[place].player)
    queue.standbys[place].player.restedAt = .never
    moment.enqueued = UInt16(clamping: queue.standbys[place].item)
    defer {
      queue.standbys[place].player.keepCauses(of: moment)
      (moment.cause, moment.flowCause, moment.enqueued) = (cause, flowCause, nil)
    }
    return body(&queue.standbys[place].player, &moment)
  }

  private mutating func keepCauses(of moment: Moment) {
    (cause, flowCause) = (moment.cause, moment.flowCause)
  }

  /// Whether a transfer brings something to this player.
  private func has(_ transfer: Int) -> Bool { source.has(transfer) || place(of: transfer) != nil }

  /// Takes note of how a transfer of an enqueued item goes on; returns whether it is one.
  mutating func followOfStandby(_ transfer: Transfer, at now: Instant) -> Bool {
    guard let place = standby(of: transfer.number) else { return false }
    queue.standbys[place].player.follow(transfer, at: now)
    return true
  }

  /// The next instant, before the link changes, at which something happens to a standby.
  mutating func nextInstantOfStandbys(linkChange: Instant) -> Instant {
    var next = Instant.never
    for place in queue.standbys.indices {
      next = min(next, queue.standbys[place].player.nextInstant(linkChange: linkChange, .none))
      let other = queue.standbys[place].player.turn
      turn.isTied = turn.isTied || other.isTied
      if other.tiedAt != .never { turn.tiedAt = other.tiedAt }
    }
    if let instant = standbyInstant { next = min(next, instant < linkChange ? instant : .never) }
    if !queue.standbys.isEmpty || !queue.upcoming.isEmpty { turn.own = nil }
    return next
  }

  /// When the file has come whole behind which the next item may begin to load; nil if none waits,
  /// or nobody can tell.
  private var standbyInstant: Instant? {
    guard let last = lastLoading, queue.standbys.count < queue.upcoming.count, !last.isStream,
      !last.isFailed, !last.isComplete(at: touched)
    else { return nil }
    let instant = last.arrival(of: last.endPosition)
    return instant == .never ? nil : max(instant, touched)
  }

  /// The buffer of the item that is loaded last of those that are.
  private var lastLoading: ItemBuffer? {
    if source.item == nil { return nil }
    guard
      let last = queue.upcoming.prefix(ItemQueue.standbysMax).last(where: {
        queue.place(of: $0) != nil
      }), let place = queue.place(of: last)
    else { return source.buffer }
    return queue.standbys[place].player.source.buffer
  }

  /// Whether the next item may begin to load now, and has not.
  private func awaitsStandby(at now: Instant) -> Bool {
    guard let last = lastLoading, queue.standbys.count < queue.upcoming.count else { return false }
    return !last.isFailed && last.isComplete(at: now)
      && queue.standbys.count < ItemQueue.standbysMax
  }

  /// Whether no standby has anything to react to.
  mutating func areStandbysAtRest(at now: Instant) -> Bool {
    if awaitsStandby(at: now) { return false }
    for place in queue.standbys.indices where !queue.standbys[place].player.isAtRest(at: now) {
      return false
    }
    return true
  }
}

extension Player {
  /// The media time up to which playback could go on, counted on from the current item to the next.
  func loadedEndOfQueue(at instant: Instant) -> MediaTime {
    let end = source.buffer.loadedEnd(at: instant)
    guard end >= source.buffer.duration, let next = queue.standbys.first?.player,
      next.source.item != nil
    else { return end }
    return end + next.source.buffer.loadedEnd(at: instant)
  }
}
