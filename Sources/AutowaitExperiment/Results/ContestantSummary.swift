/// What the sessions of one contestant came to.
///
/// Sums are whole and wide, quantiles come from sketches: whatever the order in which sessions were
/// added, the summary is the same, and it grows with the number of traces and not of seeds.
package struct ContestantSummary: Sendable {
  /// What tables call it.
  package let name: String
  /// The sessions that were run.
  package private(set) var sessions: Int64 = 0
  /// The sessions that could not be run; nothing else counts them.
  package private(set) var errors: Int64 = 0
  /// The sessions by what they ended with, in the order of ``SessionOutcome``.
  package private(set) var outcomes = SessionOutcome.allCases.map { _ in Int64(0) }
  /// The startup of the sessions that started.
  package private(set) var startup = QuantileSketch()
  /// The time spent in stalls, of all sessions.
  package private(set) var stalled = QuantileSketch()
  /// The waiting beyond the yardstick, where it is known.
  package private(set) var excessWait = QuantileSketch()
  /// The yardstick, where it is known.
  package private(set) var yardstick = QuantileSketch()
  /// The sessions with a stall.
  package private(set) var sessionsWithStalls: Int64 = 0
  /// The mean rates of the variants that were played, of the sessions that played any.
  package private(set) var bitRates = QuantileSketch()
  /// The changes of variant, of the same sessions.
  package private(set) var switchCounts = QuantileSketch()
  /// The sums over all sessions, started or not.
  package private(set) var totals = Totals()
  /// The scores of others.
  package private(set) var scores = Scores()
  /// The sums of the metrics that were asked for, and how many sessions have them.
  package private(set) var metrics: [QuantileSketch]
  /// The sessions that were exactly as the baseline's.
  package private(set) var identical: Int64 = 0
  /// The differences to the baseline, in the order of ``Paired/Quantity``.
  package private(set) var paired: [Paired]

  /// Sums over sessions, in nanoseconds and things.
  package struct Totals: Hashable, Sendable {
    /// The startup, of sessions that never started until their end.
    package var startup: Int128 = 0
    /// The time spent in stalls.
    package var stalled: Int128 = 0
    /// The wall time in which the timebase ran.
    package var played: Int128 = 0
    /// The time watched.
    package var watched: Int128 = 0
    /// The stalls.
    package var stalls: Int128 = 0
    /// The stalls that a start at the right time would have avoided.
    package var avoidableStalls: Int128 = 0

    mutating func add(_ row: SessionRow) {
      startup += Int128(row.startup)
      stalled += Int128(row.stalled)
      played += Int128(row.played)
      watched += Int128(row.watched)
      stalls += Int128(row.stallCount)
      avoidableStalls += Int128(row.avoidableStalls ?? 0)
    }

    /// Whether there is more than one stall a session, and more than one a minute watched.
    func stallsOften(in sessions: Int64) -> Bool {
      stalls > Int128(sessions) && stalls * 60_000_000_000 > watched
    }
  }

  /// Creates the summary of no sessions.
  init(name: String, clusterCount: Int, metricCount: Int) {
    self.name = name
    metrics = Array(repeating: QuantileSketch(), count: metricCount)
    paired = Paired.Quantity.allCases.map { _ in Paired(clusterCount: clusterCount) }
  }

  /// The sessions that have something to say.
  package var valid: Int64 { sessions - errors }

  /// The sessions in which playback never began, whether they failed or not.
  package var neverStarted: Int64 { valid - startup.count }

  /// The sessions that failed before playback began.
  package var startFailures: Int64 { neverStarted - outcomeCount(.neverStarted) }

  /// Whether it stalls more than once in a session, and more than once in a minute that is watched.
  package var stallsOften: Bool { totals.stallsOften(in: valid) }

  /// Returns the sessions that ended with something.
  package func outcomeCount(_ outcome: SessionOutcome) -> Int64 {
    outcomes[SessionOutcome.allCases.firstIndex(of: outcome) ?? 0]
  }

  /// Returns the comparison with the baseline.
  package func paired(_ quantity: Paired.Quantity) -> Paired {
    paired[Paired.Quantity.allCases.firstIndex(of: quantity) ?? 0]
  }

  /// Returns the mean difference to the baseline with its interval; nil if nothing was compared.
  package func difference(_ quantity: Paired.Quantity) -> Interval? {
    // One purpose for all: contestants that are compared are drawn on the same traces.
    Bootstrap.interval(
      paired(quantity).clusters, purpose: "bootstrap", parts: quantity.parts)
  }

  /// The time in stalls of the time watched, in millionths: a ratio of sums, as CTA-2066 has it.
  package var stalledShare: Int64? { Ratio.millionths(totals.stalled, of: totals.watched) }

  /// The time in stalls of that and the time played, in millionths.
  package var rebufferRatio: Int64? {
    Ratio.millionths(totals.stalled, of: totals.stalled + totals.played)
  }

  /// Returns a number of sessions of others in millionths, rounded to the nearest; nil of none.
  package static func share(_ part: Int64, of whole: Int64) -> Int64? {
    Ratio.millionths(Int128(part), of: Int128(whole))
  }

  /// Adds a session, and how it compares with the baseline's in the same unit.
  mutating func add(_ row: SessionRow, baseline: SessionRow?, cluster: Int, margin: Int64) {
    sessions += 1
    outcomes[SessionOutcome.allCases.firstIndex(of: row.outcome) ?? 0] += 1
    if row.outcome == .error {
      errors += 1
      return
    }
    if row.isStarted { startup.add(row.startup) }
    stalled.add(row.stalled)
    if let excess = row.excessWait { excessWait.add(excess) }
    if let least = row.yardstick { yardstick.add(least) }
    if row.stallCount > 0 { sessionsWithStalls += 1 }
    if let rate = row.bitRate {
      bitRates.add(rate)
      switchCounts.add(row.switchCount ?? 0)
    }
    totals.add(row)
    scores.add(row)
    for (index, value) in row.metrics.enumerated() {
      if let value, value >= 0 { metrics[index].add(value) }
    }
    guard let baseline, baseline.outcome != .error else { return }
    if row.isSame(as: baseline) { identical += 1 }
    for (index, quantity) in Paired.Quantity.allCases.enumerated() {
      paired[index].add(
        quantity.value(in: row) - quantity.value(in: baseline), cluster: cluster,
        margin: quantity.isTime ? margin : 0)
    }
  }
}
