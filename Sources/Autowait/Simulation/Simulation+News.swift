/// What players are not told at once.
///
/// A player whose turn is certain need not hear how its flow goes on whenever the link changes. It
/// reads the link's log when it is looked at, and is then as if it had been told each time.
extension Simulation {
  /// Lets a player take note of how its flow has gone on.
  @inline(__always)
  mutating func readNews(of player: Int) {
    if heardCounts[player] == moment.network.link.log.toldCount { return }
    players[player].read(moment.network.link.log, from: heardCounts[player])
    heardCounts[player] = moment.network.link.log.toldCount
    assert(knowsFlow(player), "player \(player) has followed its flow to another amount")
  }

  /// Whether a player that has heard all knows what has come of its only request.
  private func knowsFlow(_ player: Int) -> Bool {
    guard players[player].hasOneFlow, let request = players[player].source.stream.requests.first,
      let told = moment.network.link.told(of: request.transfer)
    else { return true }
    return request.delivered == told
  }

  /// Lets all players do so, and begins a new log.
  mutating func readNews() {
    for index in players.indices { readNews(of: index) }
    if moment.network.link.log.isLong { moment.network.link.log.forget() }
  }

  /// A player as if it had read the log.
  func informed(_ index: Int) -> Player {
    if heardCounts[index] == moment.network.link.log.toldCount { return players[index] }
    var player = players[index]
    player.read(moment.network.link.log, from: heardCounts[index])
    return player
  }

  /// Lets a player that was left alone be looked at again, as if it had been looked at each time
  /// when all were.
  @inline(__always)
  mutating func wake(_ index: Int) {
    readNews(of: index)
    guard certainty.isBounded(index) else { return }
    players[index].touched = max(players[index].touched, settledAt)
    assert(certainty.isCertain(index, until: now), "player \(index) was left alone for too long")
  }

  /// Lets all players be looked at again: what seemed certain of the link is so no more.
  mutating func forgetCertainty() {
    for index in players.indices {
      wake(index)
      certainty.forget(index)
    }
  }
}

extension Player {
  /// Takes note of how its flow went on since an entry of the link's log, unless it was told.
  fileprivate mutating func read(_ log: FlowLog, from start: Int) {
    if start >= log.toldCount || !hasOneFlow { return }
    guard let last = source.follow(log, from: start) else { return }
    touched = max(touched, last)
    restedAt = .never
  }
}
