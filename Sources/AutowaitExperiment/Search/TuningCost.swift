import Autowait

/// What waiting costs a viewer, in nanoseconds of startup.
package struct ViewerCost: Hashable, Sendable {
  /// What a second of stall is worth, in millionths of a second of startup.
  package let stallWeight: Int64

  /// What a session costs at most: a viewer who has waited so long has left.
  ///
  /// Assumed. Without it, networks on which nothing plays would decide.
  package static let most = TimeSpan.seconds(120)

  /// Creates the costs of a viewer.
  package init(stallWeight: Int64) {
    precondition(0...1_000_000_000 ~= stallWeight, "a stall worth \(stallWeight) millionths")
    self.stallWeight = stallWeight
  }

  /// Returns what a session costs: a wait without a start costs the most.
  package func cost(of row: SessionRow) -> Int64 {
    guard row.isStarted, row.outcome != .failed, row.outcome != .eventLimit else {
      return Self.most.nanoseconds
    }
    let stalls = Int128(row.stalled) * Int128(stallWeight) / 1_000_000
    return Int64(min(Int128(row.startup) + stalls, Int128(Self.most.nanoseconds)))
  }

  /// Returns what the best start possible costs; nil if it is not known.
  func leastCost(of row: SessionRow) -> Int64? {
    row.yardstick.map { min($0, Self.most.nanoseconds) }
  }
}

/// What the sessions of a contestant on one network come to.
package struct NetworkCost: Hashable, Sendable {
  /// The sessions.
  package var count: Int64 = 0
  /// The sum of their costs.
  package var cost: Int128 = 0
  /// The sums of startup, where playback began, and of stalls; and the sessions that began.
  package var startup: Int128 = 0
  package var stalled: Int128 = 0
  package var started: Int64 = 0
  /// What was lost beyond the best start possible, in how many sessions that is known.
  package var excess: Int128 = 0
  package var judged: Int64 = 0
  /// The sessions that could not be run.
  package var errors: Int64 = 0

  mutating func add(_ row: SessionRow, _ viewer: ViewerCost) {
    count += 1
    if row.outcome == .error { errors += 1 }
    let own = viewer.cost(of: row)
    cost += Int128(own)
    if let least = viewer.leastCost(of: row) {
      excess += Int128(own - least)
      judged += 1
    }
    guard row.isStarted else { return }
    started += 1
    startup += Int128(row.startup)
    stalled += Int128(row.stalled)
  }
}

/// What the sessions of a contestant come to, by network.
package struct TuningCost: Hashable, Sendable {
  /// The networks, by number.
  package private(set) var networks: [NetworkCost]

  init(networkCount: Int) {
    networks = Array(repeating: NetworkCost(), count: networkCount)
  }

  mutating func add(_ row: SessionRow, network: Int, _ viewer: ViewerCost) {
    networks[network].add(row, viewer)
  }

  /// Returns the sums over some networks.
  package func sum(_ isCounted: (Int) -> Bool) -> NetworkCost {
    networks.indices.reduce(into: NetworkCost()) { sum, index in
      guard isCounted(index) else { return }
      let network = networks[index]
      sum.count += network.count
      sum.cost += network.cost
      sum.startup += network.startup
      sum.stalled += network.stalled
      sum.started += network.started
      sum.excess += network.excess
      sum.judged += network.judged
      sum.errors += network.errors
    }
  }

  /// Returns by how much less another contestant costs on each of some networks, to be drawn again.
  func gains(of other: TuningCost, _ isCounted: (Int) -> Bool) -> [Cluster] {
    networks.indices.filter(isCounted).map { index in
      var cluster = Cluster()
      cluster.count = networks[index].count
      cluster.sum = networks[index].cost - other.networks[index].cost
      return cluster
    }
  }
}
