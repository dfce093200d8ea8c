import AutowaitScenario

/// One of so many equal parts of an experiment, which are run apart and merged.
///
/// A shard is some units in a row: all contestants of a world under a seed stay together, so that
/// what is compared is known where it is run. Units in a row are mostly of one world, so that a
/// machine reads few traces; the price is that a shard of a slow world takes longer than others,
/// which several times as many shards as processors make good.
package struct Shard: Hashable, Sendable {
  /// The most shards of an experiment.
  ///
  /// Assumed: more are more files than file systems like.
  package static let countMax = 1_000_000

  /// The number of the shard, from one.
  package let number: Int
  /// The number of shards.
  package let count: Int

  /// Creates a shard; nil if there is no such one.
  package init?(_ number: Int, of count: Int) {
    guard 1...Self.countMax ~= count, 1...count ~= number else { return nil }
    self.number = number
    self.count = count
  }

  /// Reads what is spelled `3/8`; nil if it is not, or there is no such shard.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]),
      parts.joined().utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    self.init(number, of: count)
  }

  /// The shard as it is spelled in calls: `3/8`.
  package var text: String { "\(number)/\(count)" }

  /// The shard as it is spelled in the names of files: `3-of-8`.
  package var fileText: String { "\(number)-of-\(count)" }

  /// Returns the units that belong to the shard; none if there are more shards than units.
  package func units(of unitCount: Int) -> Range<Int> {
    func bound(_ number: Int) -> Int { Int(Int128(unitCount) * Int128(number) / Int128(count)) }
    return bound(number - 1)..<bound(number)
  }
}

extension ExperimentPlan {
  /// Returns the keys of the sessions in some units.
  package func keys(of units: Range<Int>) -> Range<Int> {
    units.lowerBound * contestantCount..<units.upperBound * contestantCount
  }
}
