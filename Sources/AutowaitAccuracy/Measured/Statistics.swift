import Autowait

/// What the report says of many numbers.
package enum Statistics {
  /// The median; the mean of the two in the middle of an even number.
  package static func median(_ values: [Double]) -> Double {
    median(sorted: values.sorted())
  }

  private static func median(sorted values: [Double]) -> Double {
    if values.isEmpty { return 0 }
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }

  /// The least value that so many hundredths of all do not exceed.
  package static func percentile(_ values: [Double], _ hundredths: Int) -> Double {
    if values.isEmpty { return 0 }
    let rank = (values.count * hundredths + 99) / 100
    return values.sorted()[max(0, rank - 1)]
  }

  /// The interval that holds the median with 95 %: by percentiles of 1,000 bootstrap samples.
  package static func medianInterval(_ values: [Double]) -> ClosedRange<Double> {
    if values.isEmpty { return 0...0 }
    var stream = RandomStream(seed: 1, component: "accuracy", purpose: "bootstrap")
    let sorted = values.sorted()
    var counts = [Int](repeating: 0, count: sorted.count)
    let medians = (0..<1_000).map { _ in
      // A sample is known by how often it has each value: no sample needs sorting.
      for index in counts.indices { counts[index] = 0 }
      for _ in sorted { counts[Int(stream.next(below: UInt64(sorted.count)))] += 1 }
      return (at(sorted.count / 2, counts, sorted) + at((sorted.count - 1) / 2, counts, sorted)) / 2
    }
    let ordered = medians.sorted()
    return ordered[24]...ordered[974]
  }

  /// The value at a rank of a sample.
  private static func at(_ rank: Int, _ counts: [Int], _ sorted: [Double]) -> Double {
    var passed = 0
    for (count, value) in zip(counts, sorted) {
      passed += count
      if passed > rank { return value }
    }
    return sorted[sorted.count - 1]
  }
}
