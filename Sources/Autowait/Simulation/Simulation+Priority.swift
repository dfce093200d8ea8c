/// In which order players settle of which some leave the network to others.
extension Simulation {
  /// Settles the players in the order of their priority, so that each knows whether those before it
  /// load.
  mutating func settleByPriority() {
    for index in playersByPriority {
      followPriority(of: index)
      settle(index, isByPriority: true)
    }
  }

  /// Lets a player leave the network to those of higher priority, or use it again; returns whether
  /// it did otherwise before.
  @discardableResult
  private mutating func followPriority(of index: Int) -> Bool {
    let priority = players[index].networkResourcePriority.rawValue
    let yields = players.contains {
      $0.networkResourcePriority.rawValue > priority && $0.isLoading
    }
    assert(players.count > 1, "a player leaves the network to itself")
    if yields == players[index].yields { return false }
    act(index) { $0.yield(yields, in: &$1) }
    return true
  }

  /// Tells the players of lower priority of one that has settled.
  mutating func settleBelow(_ index: Int) {
    let priority = players[index].networkResourcePriority.rawValue
    for other in playersByPriority
    where players[other].networkResourcePriority.rawValue < priority && followPriority(of: other) {
      settle(other, isByPriority: true)
    }
  }

  /// The players, those of the highest priority first.
  private var playersByPriority: [Int] {
    players.indices.sorted {
      let (one, other) = (players[$0], players[$1])
      return (other.networkResourcePriority.rawValue, $0)
        < (one.networkResourcePriority.rawValue, $1)
    }
  }
}
