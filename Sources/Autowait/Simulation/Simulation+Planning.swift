extension Simulation {
  /// Lets a player act; what it records follows from what it knows.
  @inline(__always)
  mutating func act<Outcome>(
    _ index: Int, _ body: (inout Player, inout Moment) -> Outcome
  ) -> Outcome {
    readNews(of: index)
    return players[index].act(in: &moment, body)
  }
}

extension Player {
  @inline(__always)
  fileprivate mutating func act<Outcome>(
    in moment: inout Moment, _ body: (inout Player, inout Moment) -> Outcome
  ) -> Outcome {
    moment.enter(self)
    restedAt = .never
    let outcome = body(&self, &moment)
    (cause, flowCause) = (moment.cause, moment.flowCause)
    return outcome
  }
}

/// How players come to rest after an event, and when each is looked at next.
extension Simulation {
  mutating func settle(_ index: Int, isByPriority: Bool = false) {
    certainty.forget(index)
    act(index) {
      $0.turn.tiedAt = .never
      $0.settle(in: &$1)
    }
    if hasPriorities, !isByPriority { settleBelow(index) }
  }

  /// Settles all players to whom something was done, or for whom something is due.
  ///
  /// Nothing has changed for the others since they came to rest, and what will is planned.
  mutating func settleAll() {
    settledAt = now
    if hasPriorities { return settleByPriority() }
    if !isCrowd {
      for index in players.indices {
        if let turn = certainty.turn(of: index), turn > now { continue }
        settleIfDue(index)
      }
      return
    }
    certainty.collect(dueAt: now, into: &looked)
    for index in looked { settleIfDue(index) }
    looked.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  private mutating func settleIfDue(_ index: Int) {
    readNews(of: index)
    if !isEventByEvent, queue.instant(of: index) > now, players[index].isAtRest(at: now) {
      players[index].touched = now
    } else {
      settle(index)
    }
  }

  /// Tells every player how its transfer goes on.
  @inline(__always)
  mutating func followTransfers() {
    if moment.network.version == followedVersion { return }
    followedVersion = moment.network.version
    if moment.network.hasPaths { return followPaths() }
    if moment.network.link.flowVersion != followedFlows { followFlows() }
  }

  /// Apart from where it is asked for: most of it is what a player does.
  @inline(never)
  private mutating func followFlows() {
    followedFlows = moment.network.link.flowVersion
    moment.network.link.noteTold()
    if isCrowd, moment.network.link.log.isKept { followHearing() } else { followAll() }
    // A script that waits looks at players unasked.
    if moment.network.link.log.isLong || script.isWaiting { readNews() }
  }

  /// Tells the players of a crowd that are to hear at once.
  private mutating func followHearing() {
    assert(looked.isEmpty, "\(looked.count) players are being looked at")
    certainty.collectThoseThatHear(into: &looked)
    if looked.contains(where: { !players[$0].hasOneSource }) {
      followAll()
    } else {
      for player in looked {
        players[player].follow(&moment.network.link)
        heardCounts[player] = moment.network.link.log.toldCount
      }
    }
    looked.removeAll(keepingCapacity: true)
  }

  /// Tells all players that are to hear at once.
  @inline(__always)
  private mutating func followAll() {
    let anchor = moment.network.link.anchor
    // Flows lie in the order of their transfers.
    var flows = 0
    for place in 0..<moment.network.link.transferCount {
      let lane = flows
      if moment.network.link.isFlowing(in: place) { flows += 1 }
      let player = moment.network.link.player(in: place)
      // A player that has dropped a transfer would take what it knows of its others for the news.
      if certainty.hearsLater(player) || moment.network.link.isDropped(in: place) { continue }
      players[player].follow(moment.network.link.transfer(in: place, lane: lane), at: anchor)
      let told = moment.network.link.log.toldCount
      if heardCounts[player] != told { heardCounts[player] = told }
    }
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
      moment.network.link.giveSpare()
      followTransfers()
      keepsPlan = false
      if moment.network.link.flowCount > flowsMax {
        flowsMax = moment.network.link.flowCount * 9 / 8 + 1
        forgetCertainty()
      }
      let linkChange = moment.network.nextChange()
      plannedLinkChange = linkChange
      queue.schedule(.link, at: linkChange)
      let most = moment.network.link.most(by: linkChange)
      if !isCrowd {
        for index in players.indices { look(at: index, linkChange, most) }
      } else {
        hidePlayers(behind: linkChange)
        certainty.collect(linkChange, most, into: &looked)
        for index in looked { look(at: index, linkChange, most) }
        looked.removeAll(keepingCapacity: true)
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
  /// Plans a player, unless nothing has changed for it.
  @inline(__always)
  private mutating func look(at index: Int, _ linkChange: Instant, _ most: DataAmount) {
    if let turn = certainty.turn(of: index, at: now, linkChange: linkChange, most: most) {
      queue.schedule(.player, component: index, at: turn < linkChange ? turn : .never)
    } else {
      wake(index)
      plan(index, linkChange: linkChange)
    }
  }

  /// What is due behind the link's next change is planned when the link has changed.
  @inline(__always)
  private mutating func hidePlayers(behind linkChange: Instant) {
    queue.collectPlayers(behind: linkChange, into: &looked)
    for index in looked { queue.cancel(.player, component: index) }
    looked.removeAll(keepingCapacity: true)
  }

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
    let least = moment.network.link.leastFlow(among: flowsMax)
    let next = players[player].nextInstant(linkChange: linkChange, least)
    queue.schedule(.player, component: player, at: next)
    if isEventByEvent { return }
    let told = moment.network.link.log.mostTold
    let hearsLater = moment.network.link.log.isKept && players[player].hasOneFlow
    certainty.note(players[player].turn, of: player, told: told, hearsLater: hearsLater)
  }
}
