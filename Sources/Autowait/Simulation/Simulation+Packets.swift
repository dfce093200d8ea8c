/// How packets travel between the events of others.
extension Simulation {
  /// Lets packets travel until something comes of them, at most until the next event of others.
  ///
  /// What they amount to is an event of the link. A packet that changes nothing is none: the run is
  /// the same however often it is looked at.
  @inline(__always)
  mutating func lookAhead(notAfter limit: Instant) {
    if moment.network.hasPackets { travel(notAfter: limit) }
  }

  private mutating func travel(notAfter limit: Instant) {
    if finishReason != nil || question != nil || moment.network.hasNotices { return }
    var bound = min(limit, queue.firstInstant())
    if keepsPlan {
      // What comes just then may come behind what is due then.
      let kept = Instant(nanoseconds: queue.instant(of: 0).nanoseconds - 1)
      if let instant = moment.network.travel(notAfter: min(bound, kept)) {
        queue.schedule(.link, at: instant)
        return
      }
      plan()
      bound = min(limit, queue.firstInstant())
    }
    if let instant = moment.network.travel(notAfter: bound) { queue.schedule(.link, at: instant) }
  }

  /// Lets a player that is alone keep what was planned for it before data came that changed
  /// nothing; returns whether it may.
  ///
  /// Its next event then comes no sooner than that, and is planned when packets have travelled so
  /// far. Most packets are such data, and to plan after each of them took a quarter of the time of
  /// 22 rules on 98 networks (measured).
  mutating func keepPlan() -> Bool {
    guard players.count == 1, players[0].turn.isKept, script.isDone,
      players[0].restedAt == now, players[0].turn.tiedAt == .never
    else { return false }
    let linkChange = moment.network.nextChange()
    if linkChange != plannedLinkChange { return false }
    queue.schedule(.link, at: linkChange)
    keepsPlan = true
    return true
  }

  /// Tells the players what came of their transfers; returns whether it is no more than data.
  mutating func takeNotices(isNewLink: Bool) -> Bool {
    moment.network.advance(to: now, isNewLink: isNewLink)
    var isData = true
    // Most often all that has come is data of the only transfer, and no other is to be looked at.
    let isAlone = moment.network.places.count == 1
    var arrived: Transfer?
    while let news = moment.network.popNews(at: now) {
      if case .arrived = news.kind {
        arrived = moment.network.takeArrival(news, at: now)
        if let arrived { certainty.forget(arrived.player) }
        continue
      }
      isData = false
      guard let notice = moment.network.take(news, at: now) else { continue }
      let transfer = notice.transfer
      certainty.forget(transfer.player)
      switch notice.kind {
      case .responseBegan:
        act(transfer.player) { $1.recordPhases(of: transfer, notice.times) }
        act(transfer.player) { $0.responseBegan(transfer.number, in: &$1) }
      case .arrived: break
      case .completed:
        act(transfer.player) { $0.transferCompleted(transfer, in: &$1) }
      case .failed(_, let failure):
        act(transfer.player) { $1.recordPhases(of: transfer, notice.times) }
        act(transfer.player) { $0.transferFailed(transfer, failure, in: &$1) }
      }
    }
    if isAlone, isData, let arrived {
      players[arrived.player].follow(arrived, at: now)
    } else {
      followPaths()
    }
    settleAll()
    return isData
  }
}
