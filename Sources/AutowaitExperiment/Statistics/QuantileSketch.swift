/// Counts numbers in buckets, so that quantiles of any many of them are known from little memory.
///
/// Buckets are fixed: each power of two is cut into 1,024 of the same width. Counts are whole, so
/// that any split of the numbers and any order of merging give the same sketch, and quantiles are
/// within 1/1,024 of the number that they stand for. As long as there are few numbers they are kept
/// themselves, and quantiles are exact.
package struct QuantileSketch: Hashable, Sendable {
  /// The most numbers that are kept themselves.
  package static let exactMax = 4_096
  /// The buckets that a power of two is cut into, as a power of two.
  private static let precision = 10

  /// The numbers that were added.
  package private(set) var count: Int64 = 0
  /// Their sum.
  package private(set) var sum: Int128 = 0
  /// The numbers, ascending, as long as they are few.
  private var numbers: [Int64] = []
  /// The first bucket that was needed, and the counts from there on.
  private var firstBucket = 0
  private var buckets: [Int64] = []

  /// Creates the sketch of no numbers.
  package init() {}

  /// Whether quantiles are exact.
  package var isExact: Bool { buckets.isEmpty }

  /// The numbers or counts that are kept.
  package var keptCount: Int { numbers.count + buckets.count }

  /// Adds a number, which must not be negative.
  package mutating func add(_ number: Int64) {
    precondition(number >= 0, "a negative number has no bucket")
    count += 1
    sum += Int128(number)
    if !isExact {
      increase(Self.bucket(of: number), by: 1)
      return
    }
    numbers.append(number)
    if numbers.count > Self.exactMax { coarsen() }
  }

  /// Adds all that another sketch has counted.
  package mutating func merge(_ other: QuantileSketch) {
    count += other.count
    sum += other.sum
    if isExact, other.isExact, numbers.count + other.numbers.count <= Self.exactMax {
      numbers += other.numbers
      return
    }
    coarsen()
    for number in other.numbers { increase(Self.bucket(of: number), by: 1) }
    for (index, count) in other.buckets.enumerated() where count > 0 {
      increase(other.firstBucket + index, by: count)
    }
  }

  /// Returns the number at a rank of a thousand: 500 for the median; nil if there are no numbers.
  ///
  /// It is the least number that at least so many thousandths of all do not exceed; of a bucket,
  /// its middle.
  package func quantile(perMille rank: Int64) -> Int64? {
    guard count > 0 else { return nil }
    let wanted = max(1, (count * rank + 999) / 1_000)
    if isExact { return numbers.sorted()[Int(wanted) - 1] }
    var seen: Int64 = 0
    for (index, count) in buckets.enumerated() {
      seen += count
      if seen >= wanted { return Self.middle(of: firstBucket + index) }
    }
    preconditionFailure("the counts of a sketch do not add up")
  }

  /// Returns how many numbers do not exceed a bound; of a bucket, its middle counts.
  package func count(notAbove bound: Int64) -> Int64 {
    if isExact { return numbers.reduce(0) { $1 <= bound ? $0 + 1 : $0 } }
    var seen: Int64 = 0
    for (index, count) in buckets.enumerated() {
      if Self.middle(of: firstBucket + index) > bound { break }
      seen += count
    }
    return seen
  }

  /// The mean, rounded to the nearest; nil if there are no numbers.
  package var mean: Int64? {
    count == 0 ? nil : Int64((sum * 2 + Int128(count)) / (2 * Int128(count)))
  }

  /// The mean in millionths, for numbers of which a whole one is much; nil if there are none.
  package var meanInMillionths: Int64? { Ratio.millionths(sum, of: Int128(count)) }

  /// Returns whether two sketches have counted the same numbers, in whatever order.
  package static func == (left: QuantileSketch, right: QuantileSketch) -> Bool {
    left.count == right.count && left.sum == right.sum && left.firstBucket == right.firstBucket
      && left.buckets == right.buckets && left.numbers.sorted() == right.numbers.sorted()
  }

  /// Feeds what makes two sketches equal.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    hasher.combine(sum)
  }

  private mutating func coarsen() {
    let kept = numbers
    numbers = []
    for number in kept { increase(Self.bucket(of: number), by: 1) }
  }

  /// Makes room so that the buckets begin and end with ones that are needed, whatever came first.
  private mutating func increase(_ bucket: Int, by count: Int64) {
    if buckets.isEmpty {
      firstBucket = bucket
      buckets = [count]
      return
    }
    if bucket < firstBucket {
      buckets.insert(contentsOf: repeatElement(0, count: firstBucket - bucket), at: 0)
      firstBucket = bucket
    } else if bucket >= firstBucket + buckets.count {
      let missing = bucket - firstBucket - buckets.count + 1
      buckets.append(contentsOf: repeatElement(0, count: missing))
    }
    buckets[bucket - firstBucket] += count
  }

  /// The bucket of a number: those below 2,048 have one each.
  private static func bucket(of number: Int64) -> Int {
    let bits = Int64.bitWidth - number.leadingZeroBitCount
    if bits <= precision + 1 { return Int(number) }
    let shift = bits - precision - 1
    return shift << precision + Int(number >> Int64(shift))
  }

  /// The middle of a bucket, rounded down.
  private static func middle(of bucket: Int) -> Int64 {
    let shift = bucket >> precision - 1
    if shift <= 0 { return Int64(bucket) }
    let start = Int64(bucket - shift << precision) << Int64(shift)
    return start + (1 << Int64(shift - 1))
  }
}
