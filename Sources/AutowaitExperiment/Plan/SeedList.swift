/// The seeds of an experiment: some that are named, or so many in a row.
package enum SeedList: Hashable, Sendable {
  /// Seeds that are named.
  case listed([UInt64])
  /// Seeds in a row.
  case row(first: UInt64, count: Int)

  /// The number of seeds.
  package var count: Int {
    switch self {
    case .listed(let seeds): seeds.count
    case .row(_, let count): count
    }
  }

  /// Returns the seed at a place.
  package subscript(index: Int) -> UInt64 {
    switch self {
    case .listed(let seeds): seeds[index]
    case .row(let first, _): first + UInt64(index)
    }
  }
}

/// When an experiment has seen enough seeds.
package struct StopRule: Hashable, Sendable {
  /// Half the width of the interval of every difference that is small enough, in nanoseconds.
  package let halfWidth: Int64
  /// How many seeds are added at a time; the rule is asked behind each such block, and nowhere
  /// else, so that threads have no say in it.
  package let block: Int

  /// Creates a rule.
  package init(halfWidth: Int64, block: Int) {
    self.halfWidth = halfWidth
    self.block = block
  }
}
