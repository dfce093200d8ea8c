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
  @inline(__always)
  var least: Value {
    var least = values[0]
    for block in bounds.indices where bounds[block] < least {
      for place in places(of: block) where values[place] < least { least = values[place] }
    }
    return least
  }

  /// Raises the bound of a block to its least value.
  @inline(__always)
  private mutating func raiseBound(of block: Int) {
    var least = values[block * Self.blockCount]
    for place in places(of: block) where values[place] < least { least = values[place] }
    bounds[block] = least
  }

  /// Adds the places of the values that are not greater than a bound, in ascending order.
  mutating func collect(upTo bound: Value, into found: inout [Int]) {
    for block in bounds.indices where bounds[block] <= bound {
      raiseBound(of: block)
      if bounds[block] > bound { continue }
      for place in places(of: block) where values[place] <= bound { found.append(place) }
    }
  }

  /// The first place of a least value.
  @inline(__always)
  var firstOfLeast: Int {
    mutating get {
      let bound = least
      for block in bounds.indices where bounds[block] <= bound {
        raiseBound(of: block)
        for place in places(of: block) where values[place] == bound { return place }
      }
      preconditionFailure("the least of the values is none of them")
    }
  }
}
