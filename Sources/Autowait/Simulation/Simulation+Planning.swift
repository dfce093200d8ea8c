extension Simulation {
  /// Lets a player act; what it records follows from what it knows.
  @inline(__always)
  mutating func act<Outcome>(
    _ index: Int, _ body: (inout Player, inout Moment) -> Outcome
  ) -> Outcome {
    readNews(of: index)
    moment.enter(players[index])
    players[index].restedAt = .never
    let outcome = body(&players[index], &moment)
    (players[index].cause, players[index].flowCause) = (moment.cause, moment.flowCause)
    return outcome
  }
}

/// How players come to rest after an event, and when each is looked at next.
extension Simulation {
  mutating func settle(_ index: Int, isByPriority: Bool = false) {
    turns[index] = nil
    players[index].turn.tiedAt = .never
    act(index) { $0.settle(in: &$1) }
    if hasPriorities, !isByPriority { settleBelow(index) }
  }

  /// Settles all players to whom something was done, or for whom something is due.
  ///
  /// Nothing has changed for the others since they came to rest, and what will is planned.
  mutating func settleAll() {
    settledAt = now
    if hasPriorities { return settleByPriority() }
    for index in players.indices {
      if let turn = turns[index], turn > now { continue }
      readNews(of: index)
      if !isEventByEvent, queue.instant(of: index) > now, players[index].isAtRest(at: now) {
        players[index].touched = now
      } else {
        settle(index)
      }
    }
  }

  /// Tells every player how its transfer goes on.
  @inline(__always)
  mutating func followTransfers() {
    if moment.network.version == followedVersion { return }
    followedVersion = moment.network.version
    if moment.network.hasPaths {
      followPaths()
      return
    }
    if moment.network.link.flowVersion == followedFlows { return }
    followedFlows = moment.network.link.flowVersion
    let anchor = moment.network.link.anchor
    moment.network.link.noteTold()
    for index in moment.network.link.transfers.indices {
      let player = moment.network.link.transfers[index].player
      if hearsLater[player], turns[player] != nil { continue }
      players[player].follow(moment.network.link.transfers[index], at: anchor)
      heardCounts[player] = moment.network.link.log.toldCount
    }
    // A script that waits looks at players unasked.
    if moment.network.link.log.isLong || script.isWaiting { readNews() }
  }

  mutating func followPaths() {
    moment.network.update(at: now)
    for place in moment.network.places {
      guard let transfer = moment.network.transfer(in: place) else { continue }
      players[transfer.player].follow(transfer, at: now)
    }
  }

  /// Finds every component's next event; only one player's, if it alone has changed.
  @inline(__always)
  mutating func plan(after player: Int? = nil) {
    if let player, moment.network.version == followedVersion, !isEventByEvent {
      plan(player, linkChange: queue.linkInstant)
    } else {
      followTransfers()
      keepsPlan = false
      let linkChange = moment.network.nextChange()
      plannedLinkChange = linkChange
      queue.schedule(.link, at: linkChange)
      let most = players.count > 1 ? moment.network.link.most(by: linkChange) : .zero
      for index in players.indices {
        if let turn = turns[index], turn > now, turn != linkChange,
          certainUntil[index] >= min(turn, linkChange), most <= certainUpTo[index] ?? most
        {
          queue.schedule(.player, component: index, at: turn < linkChange ? turn : .never)
        } else {
          wake(index)
          plan(index, linkChange: linkChange)
        }
      }
    }
    if script.isReacting { moment.log.takeSightings().forEach { script.note($0) } }
    if !script.isDone {
      let bound = min(queue.firstInstantBeforeScript(), horizon)
      queue.schedule(.script, at: script.nextInstant(from: now, notAfter: bound, &players))
    }
  }
}

extension Simulation {
  @inline(__always)
  mutating func plan(_ player: Int, linkChange: Instant) {
    // What is due at this instant stays due though something else has come first: planned again,
    // it would lie in the past.
    if queue.instant(of: player) == now { return }
    // What was to come as the link changes is due when it has changed, whatever it was.
    if players[player].turn.tiedAt == now {
      queue.schedule(.player, component: player, at: now)
      return
    }
    let next = players[player].nextInstant(linkChange: linkChange)
    queue.schedule(.player, component: player, at: next)
    if isEventByEvent { return }
    turns[player] = players[player].turn.certain
    certainUntil[player] = players[player].turn.certainUntil
    let told = moment.network.link.log.mostTold
    certainUpTo[player] = players[player].turn.dataMax.map { told + $0 }
    hearsLater[player] = moment.network.link.log.isKept && players[player].hasOneFlow
  }
}
