/// Numbers of one kind, one for each trial, in ascending order.
struct Distribution: Sendable {
  /// The numbers, ascending.
  let values: [Int64]

  /// Creates a distribution of one number or more, in any order.
  init?(_ numbers: [Int64]) {
    if numbers.isEmpty { return nil }
    values = numbers.sorted()
  }

  /// Returns the smallest number that so many percent of all do not exceed (the nearest rank).
  func percentile(_ percent: Int) -> Int64 {
    let rank = (values.count * percent + 99) / 100
    return values[Swift.max(rank, 1) - 1]
  }

  /// The smallest number.
  var min: Int64 { values[0] }

  /// The largest number.
  var max: Int64 { values[values.count - 1] }

  /// The mean, rounded down.
  var mean: Int64 {
    let sum = values.reduce(Int128(0)) { $0 + Int128($1) }
    return Int64(sum / Int128(values.count))
  }

  /// Whether all numbers are the same.
  var isConstant: Bool { min == max }
}
