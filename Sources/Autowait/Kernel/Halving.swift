extension Range<Int> {
  /// Returns the first place at which something holds that holds at all places behind it, too; the
  /// end of the range if it holds nowhere.
  @inline(__always)
  func firstPlace(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The same, looked for at a place and behind it first: who asks again and again asks for about
  /// the same place.
  @inline(__always)
  package func firstPlace(near guess: Int, where holds: (Int) -> Bool) -> Int {
    for place in guess...guess + 1 where lowerBound <= place && place <= upperBound {
      if place > lowerBound, holds(place - 1) { continue }
      if place == upperBound || holds(place) { return place }
    }
    return firstPlace(where: holds)
  }
}
