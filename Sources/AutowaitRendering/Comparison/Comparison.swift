import AutowaitExperiment

/// What an experiment came to, with all that takes time to reckon reckoned once.
package struct Comparison {
  /// A contestant with its differences to the baseline.
  struct Entry {
    let summary: ContestantSummary
    /// The differences, in the order of ``Paired/Quantity``; none if nothing was compared.
    let differences: [Interval?]
    /// Whether it is the one that the others are held against.
    let isBaseline: Bool

    init(_ summary: ContestantSummary, isBaseline: Bool = false) {
      self.summary = summary
      self.isBaseline = isBaseline
      differences = Paired.Quantity.allCases.map { isBaseline ? nil : summary.difference($0) }
    }

    /// Returns the difference of a quantity.
    func difference(_ quantity: Paired.Quantity) -> Interval? {
      differences[Paired.Quantity.allCases.firstIndex(of: quantity) ?? 0]
    }

    /// The time in stalls of the time watched; nil where nothing was played that could stall.
    var stalledShareOfStarted: Int64? {
      summary.startup.count == 0 ? nil : summary.stalledShare
    }

    /// What contestants are put in order by, in nanoseconds: the mean startup, and the time in
    /// stalls by what it is worth to who hates stalls; nil without sessions.
    var cost: Int64? {
      let totals = summary.totals
      let weight = Int128(ViewerPolicy.standard.stallWeight)
      return summary.valid == 0
        ? nil : Int64((totals.startup + totals.stalled * weight) / Int128(summary.valid))
    }
  }

  package let result: ExperimentResult
  /// The contestants, by number.
  let entries: [Entry]
  /// The player that knows the network; nil where nothing is known of the best.
  let clairvoyant: Entry?
  /// The numbers of the contestants, those with the least startup and stalls first, a second of
  /// stall weighing more; then those that stall all the time, and last those with
  /// sessions that could not be run, and were for others.
  let order: [Int]
  /// The numbers of the contestants that can be compared.
  let comparable: [Int]

  package init(_ result: ExperimentResult) {
    self.result = result
    let entries = result.contestants.indices.map {
      Entry(result.contestants[$0], isBaseline: $0 == result.plan.baseline)
    }
    self.entries = entries
    clairvoyant = result.clairvoyant.flatMap { $0.valid > 0 ? Entry($0) : nil }
    let comparable = result.comparable
    self.comparable = comparable
    let isFirst = Set(comparable)
    func rank(_ index: Int) -> (class: Int, cost: Int64, index: Int) {
      let place = !isFirst.contains(index) ? 2 : entries[index].summary.stallsOften ? 1 : 0
      return (place, entries[index].cost ?? .max, index)
    }
    order = entries.indices.sorted { rank($0) < rank($1) }
  }

  /// Whether the contestants played variants between which there was a choice.
  var hasVariants: Bool {
    let rates = entries.compactMap { $0.summary.bitRates.mean }
    return rates.contains { $0 != rates[0] }
      || entries.contains { $0.summary.switchCounts.sum > 0 }
  }

  /// The contestants with sessions that could not be run.
  var failing: [Entry] { entries.filter { $0.summary.errors > 0 } }

  /// Returns the contestants with the least of a number, several if they are equal.
  func least(_ value: (Entry) -> Int64?) -> (entries: [Entry], value: Int64)? {
    let known = comparable.compactMap { index in
      value(entries[index]).map { (entry: entries[index], value: $0) }
    }
    guard let least = known.map({ $0.value }).min() else { return nil }
    return (known.filter { $0.value == least }.map { $0.entry }, least)
  }
}
