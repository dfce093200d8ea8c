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
}
