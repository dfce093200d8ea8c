/// How many of some things are as they should be.
package struct Score: Equatable, Sendable {
  package var met = 0
  package var count = 0

  package init(met: Int = 0, count: Int = 0) { (self.met, self.count) = (met, count) }

  package mutating func add(_ isMet: Bool) {
    count += 1
    if isMet { met += 1 }
  }

  /// Returns the same share of so many things, rounded up; all of them if nothing is known.
  func scaled(to other: Int) -> Score {
    if count == 0 { return Score(met: other, count: other) }
    return Score(met: (met * other + count - 1) / count, count: other)
  }

  package static func + (left: Score, right: Score) -> Score {
    var sum = left
    sum.met += right.met
    sum.count += right.count
    return sum
  }
}
