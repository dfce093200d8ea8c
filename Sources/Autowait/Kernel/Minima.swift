/// Values in places that are asked which of them are least.
///
/// They lie in blocks of which each has a bound that no value is below: to find the few that are
/// small costs a look at each bound, and at the blocks where they may be. A change costs next to
/// nothing; a bound that has become too low is raised by the next look.
struct Minima<Value: Comparable & Sendable>: Sendable {
  private static var blockCount: Int { 32 }

  private var values: [Value]
  private var bounds: [Value]

  init(repeating value: Value, count: Int) {
    // A map knows the type of its array; what repeats a value asks for it each time (measured: a
    // fiftieth of a short session).
    values = (0..<count).map { _ in value }
    bounds = (0..<(count + Self.blockCount - 1) / Self.blockCount).map { _ in value }
  }

  /// All places.
  var indices: Range<Int> { values.indices }

  subscript(place: Int) -> Value {
    @inline(__always) get { values[place] }
    @inline(__always) set {
      values[place] = newValue
      if newValue < bounds[place / Self.blockCount] { bounds[place / Self.blockCount] = newValue }
    }
  }

  @inline(__always)
  private func places(of block: Int) -> Range<Int> {
    block * Self.blockCount..<min(values.count, (block + 1) * Self.blockCount)
  }

  /// The least of all; there is one.
  ///
  /// It is most often in the block with the least bound, and then no other one is looked at.
  @inline(__always)
  var least: Value {
    if bounds.count == 1 { return leastValue(of: 0) }
    var first = 0
    for block in bounds.indices where bounds[block] < bounds[first] { first = block }
    var least = leastValue(of: first)
    for block in bounds.indices where bounds[block] < least && block != first {
      least = min(least, leastValue(of: block))
    }
    return least
  }

  @inline(__always)
  private func leastValue(of block: Int) -> Value {
    var least = values[block * Self.blockCount]
    for place in places(of: block) where values[place] < least { least = values[place] }
    return least
  }

  /// Raises the bound of a block to its least value.
  @inline(__always)
  private mutating func raiseBound(of block: Int) {
    bounds[block] = leastValue(of: block)
  }

  /// Adds the places of the values that are not greater than a bound, in ascending order, and
  /// raises the bounds of the blocks that it has to look at.
  mutating func collect(upTo bound: Value, into found: inout [Int]) {
    for block in bounds.indices where bounds[block] <= bound {
      var least = values[block * Self.blockCount]
      for place in places(of: block) {
        let value = values[place]
        if value < least { least = value }
        if value <= bound { found.append(place) }
      }
      bounds[block] = least
    }
  }

  /// The first place of the least of all.
  @inline(__always)
  mutating func firstPlace(ofLeast least: Value) -> Int {
    for block in bounds.indices where bounds[block] <= least {
      raiseBound(of: block)
      if bounds[block] > least { continue }
      for place in places(of: block) where values[place] == least { return place }
    }
    preconditionFailure("the least of the values is none of them")
  }
}
