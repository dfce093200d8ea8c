/// Some of the places from zero to a number.
struct PlaceSet: Sendable {
  private var words: [UInt64]

  /// Makes the set of all places.
  init(allOf count: Int) {
    words = (0..<(count + 63) / 64).map { _ in .max }
    if count % 64 != 0 { words[words.count - 1] = 1 << UInt64(count % 64) - 1 }
  }

  @inline(__always)
  mutating func insert(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }

  @inline(__always)
  mutating func remove(_ place: Int) { words[place / 64] &= ~(1 << UInt64(place % 64)) }

  /// Adds the places in ascending order.
  @inline(__always)
  func collect(into found: inout [Int]) {
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        found.append(index * 64 + word.trailingZeroBitCount)
        word &= word &- 1
      }
    }
  }
}
