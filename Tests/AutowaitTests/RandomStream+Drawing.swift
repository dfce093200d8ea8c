import Autowait

extension RandomStream {
  /// Draws a whole number between two bounds, each of which may come.
  mutating func draw(_ least: Int64, _ most: Int64) -> Int64 {
    least + Int64(next(below: UInt64(most - least + 1)))
  }

  /// Draws a number of any order of magnitude between two bounds.
  mutating func spread(_ least: Int64, _ most: Int64) -> Int64 {
    var bounds = [least]
    while let last = bounds.last, last < most { bounds.append(min(most, 2 * last)) }
    let place = Int(draw(0, Int64(bounds.count) - 2))
    return draw(bounds[place], bounds[place + 1])
  }
}
