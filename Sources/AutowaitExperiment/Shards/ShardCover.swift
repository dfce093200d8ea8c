/// How shards lie beside each other: in which order they are merged, and what stands against it.
package struct ShardCover: Hashable, Sendable {
  /// The places of the shards that cover the units, in the order of their units.
  package private(set) var order: [Int] = []
  /// The places of shards that tell of the same units as an earlier one, each with that one.
  package private(set) var duplicates: [Pair] = []
  /// The places of shards that share some units with an earlier one but not all.
  package private(set) var overlaps: [Pair] = []
  /// The units that no shard tells of.
  package private(set) var missing: [Range<Int>] = []

  /// Two shards by their places.
  package struct Pair: Hashable, Sendable {
    /// The one that stands first.
    package let first: Int
    /// The other one.
    package let second: Int
  }

  /// Lays out shards by their units.
  ///
  /// Those without units are left out: nothing is in them.
  package init(_ shards: [Range<Int>], unitCount: Int) {
    let sorted = shards.indices.filter { !shards[$0].isEmpty }.sorted {
      (shards[$0].lowerBound, shards[$0].upperBound, $0)
        < (shards[$1].lowerBound, shards[$1].upperBound, $1)
    }
    var end = 0
    for place in sorted {
      let units = shards[place]
      if let last = order.last, units.lowerBound < end {
        let pair = Pair(first: last, second: place)
        if shards[last] == units { duplicates.append(pair) } else { overlaps.append(pair) }
        continue
      }
      if units.lowerBound > end { missing.append(end..<units.lowerBound) }
      order.append(place)
      end = units.upperBound
    }
    if end < unitCount { missing.append(end..<unitCount) }
  }

  /// The shards of a split that have units which no shard tells of, by their numbers.
  package func missingShards(of count: Int, unitCount: Int) -> [Shard] {
    var shards: [Shard] = []
    for units in missing {
      // The first one that ends behind the first unit, found by halving.
      var (low, high) = (1, count)
      while low < high {
        let middle = (low + high) / 2
        let end = Shard(middle, of: count)?.units(of: unitCount).upperBound ?? 0
        if end > units.lowerBound { high = middle } else { low = middle + 1 }
      }
      var number = low
      while number <= count, let shard = Shard(number, of: count) {
        let own = shard.units(of: unitCount)
        if own.lowerBound >= units.upperBound { break }
        if !own.isEmpty, shards.last != shard { shards.append(shard) }
        number += 1
      }
    }
    return shards
  }
}
