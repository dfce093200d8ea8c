import Autowait
import AutowaitExperiment
import Testing

/// Quantiles, intervals and scores, against numbers that were reckoned another way.
@Suite struct StatisticsTests {
  private func random(_ count: Int, purpose: String) -> [Int64] {
    var stream = RandomStream(seed: 7, component: "test", purpose: purpose)
    return (0..<count).map { _ in
      let bits = stream.next(below: 50) + 1
      return Int64(stream.next(below: 1 << bits))
    }
  }

  @Test func fewNumbersAreExact() {
    var sketch = QuantileSketch()
    #expect(sketch.quantile(perMille: 500) == nil)
    #expect(sketch.mean == nil)
    for number: Int64 in [5, 1, 4, 2, 3] { sketch.add(number) }
    #expect(sketch.quantile(perMille: 500) == 3)
    #expect(sketch.quantile(perMille: 50) == 1)
    #expect(sketch.quantile(perMille: 200) == 1)
    #expect(sketch.quantile(perMille: 201) == 2)
    #expect(sketch.quantile(perMille: 1_000) == 5)
    #expect(sketch.mean == 3)
    sketch.add(1)
    #expect(sketch.mean == 3)
    #expect([0, 1, 2, 5, 9].map { sketch.count(notAbove: $0) } == [0, 2, 3, 6, 6])
  }

  /// A bound that lies in a bucket may take some of it with it, and no more.
  @Test(arguments: [4_096, 30_000])
  func manyNumbersAreCounted(_ count: Int) {
    let numbers = random(count, purpose: "many")
    var sketch = QuantileSketch()
    for number in numbers { sketch.add(number) }
    for bound: Int64 in [0, 1, 1_000, 1 << 20, 1 << 40, .max] {
      let counted = Int(sketch.count(notAbove: bound))
      let (sum, overflow) = bound.addingReportingOverflow(bound / 1_024)
      #expect(counted >= numbers.count { $0 <= bound - bound / 1_024 })
      #expect(counted <= numbers.count { overflow || $0 <= sum })
    }
    #expect(sketch.count(notAbove: .max) == Int64(count))
  }

  @Test(arguments: [4_095, 4_096, 4_097, 30_000])
  func manyNumbersAreWithinAThousandth(_ count: Int) {
    let numbers = random(count, purpose: "many")
    var sketch = QuantileSketch()
    for number in numbers { sketch.add(number) }
    #expect(sketch.isExact == (count <= QuantileSketch.exactMax))
    let sorted = numbers.sorted()
    for rank in [1, 50, 500, 950, 999] {
      let exact = sorted[(count * rank + 999) / 1_000 - 1]
      let found = sketch.quantile(perMille: Int64(rank)) ?? -1
      #expect(abs(found - exact) <= exact / 1_024)
    }
  }

  @Test(arguments: [(10, 20), (4_000, 96), (4_000, 97), (5_000, 9_000), (9_000, 3)])
  func anySplitAndOrderGiveTheSameSketch(_ first: Int, _ second: Int) {
    let numbers = random(first + second, purpose: "split")
    var whole = QuantileSketch()
    for number in numbers { whole.add(number) }
    var left = QuantileSketch()
    for number in numbers.prefix(first) { left.add(number) }
    var right = QuantileSketch()
    for number in numbers.dropFirst(first).reversed() { right.add(number) }
    var merged = left
    merged.merge(right)
    #expect(merged == whole)
    right.merge(left)
    #expect(right == whole)
    for rank in stride(from: Int64(1), to: 1_000, by: 37) {
      #expect(merged.quantile(perMille: rank) == whole.quantile(perMille: rank))
    }
  }

  private func clusters(_ numbers: [Int64]) -> [Cluster] {
    numbers.map { number in
      var cluster = Cluster()
      cluster.add(number)
      return cluster
    }
  }

  @Test func anIntervalIsAboutTheSpreadOfTheClusters() throws {
    // 400 numbers from -1000 to 1000: the standard error of their mean is 577 / 20, and the
    // interval 1.96 times that to either side.
    var stream = RandomStream(seed: 3, component: "test", purpose: "interval")
    let numbers = (0..<400).map { _ in Int64(stream.next(below: 2_001)) - 1_000 }
    let interval = try #require(Bootstrap.interval(clusters(numbers), purpose: "a"))
    #expect(interval.mean == Int64((Double(numbers.reduce(0, +)) / 400).rounded()))
    let halfWidth = try #require(interval.halfWidth)
    #expect((48...66).contains(halfWidth))
    #expect(interval == Bootstrap.interval(clusters(numbers), purpose: "a"))
    #expect(interval != Bootstrap.interval(clusters(numbers), purpose: "b"))
  }

  @Test func equalClustersHaveNoWidthAndOneClusterHasNoInterval() {
    let equal = Bootstrap.interval(clusters([7, 7, 7]), purpose: "a")
    #expect(equal?.bounds == 7...7)
    #expect(Bootstrap.interval(clusters([7]), purpose: "a")?.bounds == nil)
    #expect(Bootstrap.interval([], purpose: "a") == nil)
  }

  @Test func meansOfCountsAreNoWholeNumbers() throws {
    let interval = try #require(
      Bootstrap.interval(clusters([0, 0, 0, -2]), purpose: "a", parts: 1_000_000))
    #expect(interval.mean == -500_000)
    #expect(interval.bounds?.upperBound == 0)
    #expect(Paired.Quantity.allCases.map(\.parts) == [1, 1, 1, 1_000_000])
    let sketch = [0, 0, 1].reduce(into: QuantileSketch()) { $0.add($1) }
    #expect(sketch.meanInMillionths == 333_333)
    #expect(QuantileSketch().meanInMillionths == nil)
  }

  @Test func tracesAreDrawnAndNotSessions() throws {
    // Two traces of a thousand sessions each that differ: a thousand sessions say no more of other
    // traces than one does.
    var many = [Cluster(), Cluster()]
    for _ in 0..<1_000 {
      many[0].add(0)
      many[1].add(100)
    }
    let interval = try #require(Bootstrap.interval(many, purpose: "a"))
    #expect(interval.mean == 50)
    #expect(interval.bounds == 0...100)
  }

  @Test func theFrontHasWhatNothingBeats() {
    let points: [(first: Int64, second: Int64)] = [(3, 3), (1, 5), (2, 4), (2, 6), (5, 1), (3, 3)]
    #expect(ParetoFront.places(points) == [1, 2, 0, 5, 4])
    #expect(ParetoFront.places([]) == [])
    #expect(ParetoFront.places([(1, 1), (1, 2), (2, 1)]) == [0])
  }

  /// 100 · 8 / (8 + t), the examples of its owner; and smoothness against the platform's own e.
  @Test(arguments: [
    (2, 0, 0, 80_000_000), (8, 1, 1, 50_000_000), (20, 3, 30, 28_571_428),
    (0, 12, 99, 100_000_000),
  ])
  func muxScores(_ startup: Int64, _ stalls: Int64, _ stalled: Int64, _ score: Int64) {
    var row = SessionRow(SessionKey(0))
    row.outcome = .ended
    row.startup = startup * 1_000_000_000
    row.stallCount = stalls
    row.stalled = stalled * 1_000_000_000
    row.played = (100 - stalled) * 1_000_000_000
    row.metrics = []
    let scores = Scores.of([row])
    #expect(scores.muxStartup.value == score)
    let frequency = 100 / (1 + Double(stalls * stalls) / 4).squareRoot()
    let power = (0..<stalled).reduce(100.0) { power, _ in power * 0.904_837_418_035_959_5 }
    #expect(abs(Double(scores.muxSmoothness.value ?? 0) / 1e6 - (frequency + power) / 2) < 1e-5)
    #expect(scores.muxPlaybackSuccess.value == 100_000_000)
    #expect(scores.pensieveLinear.value == nil)
  }

  @Test func qualityScores() {
    var row = SessionRow(SessionKey(0))
    row.outcome = .ended
    row.played = 30_000_000_000
    row.startup = 2_000_000_000
    row.stalled = 1_000_000_000
    row.qualitySum = 12_000_000
    row.qualityChange = 3_000_000
    let scores = Scores.of([row])
    // 12,000 - 3,000 - 3,000 · 3, with changes three times, and with 6,000 · 3.
    #expect(scores.yinBalanced.value == 0)
    #expect(scores.yinAvoidInstability.value == -6_000_000_000)
    #expect(scores.yinAvoidRebuffering.value == -9_000_000_000)
    // 12 - 3 - 4.3.
    #expect(scores.pensieveLinear.value == 4_700_000)
  }

  @Test(arguments: [(Int64(999_999_999), Int64?.none), (1_000_000_000, 50_000_000)])
  func whoGivesUpWithinASecondHasNoScore(_ startup: Int64, _ score: Int64?) {
    var row = SessionRow(SessionKey(0))
    row.outcome = .neverStarted
    row.startup = startup
    #expect(Scores.of([row]).muxPlaybackSuccess.value == score)
    #expect(Scores.of([row]).muxStartup.value == nil)
  }
}
