import Autowait
import AutowaitScenario

/// What an experiment came to so far: rows go in unit by unit, and summaries are there at any time.
package struct ExperimentResult: Sendable {
  /// The groups that seeds are put into where there is only one world to be on.
  static let seedGroups = 64
  /// The most groups that worlds are put into where no links tell them apart.
  static let worldGroups = 4_096

  /// The plan.
  package let plan: ExperimentPlan
  /// The contestants, by number.
  package private(set) var contestants: [ContestantSummary]
  /// A player that knows the network and starts at the best time; nil where that is not known.
  package private(set) var clairvoyant: ContestantSummary?
  /// The units that were added.
  package private(set) var unitCount = 0
  /// The first sessions that could not be run, each with its reason.
  package private(set) var problems: [(key: SessionKey, reason: String)] = []
  /// For each expectation of the base, how many sessions did not meet it, and the first of them.
  package private(set) var missed: [(count: Int64, first: SessionKey?)]
  /// How the sessions of each contestant went by link and duration.
  package private(set) var sensitivity: Sensitivity

  /// The sessions that started under every contestant.
  package private(set) var common: CommonSessions

  /// How the contestants differ from the saved baseline, by number; none without one.
  package internal(set) var changes: [BaselineChange]
  /// What is counted for each threshold, by the contestants that it covers.
  var tallies: [[(contestant: Int, tally: ThresholdTally)]]

  /// The most problems that are kept.
  private static let problemsMax = 20

  /// Creates the result of nothing.
  package init(_ plan: ExperimentPlan) {
    self.plan = plan
    let clusterCount = Self.clusterCount(plan)
    missed = plan.expected.map { _ in (0, nil) }
    contestants = plan.contestantNames.map {
      ContestantSummary(name: $0, clusterCount: clusterCount, metricCount: plan.metrics.count)
    }
    if plan.yardstick != nil {
      clairvoyant = ContestantSummary(
        name: "clairvoyant", clusterCount: clusterCount, metricCount: plan.metrics.count)
    }
    sensitivity = Sensitivity(contestantCount: plan.contestantCount)
    common = CommonSessions(contestantCount: plan.contestantCount, clusterCount: clusterCount)
    changes = plan.saved == nil ? [] : contestants.map { _ in BaselineChange() }
    tallies = plan.thresholds.map { threshold in
      let covered = plan.contestantNames.enumerated().filter { number, name in
        // The baseline does not differ from itself.
        threshold.covers(name) && !(threshold.isToBaseline && number == plan.baseline)
      }
      return covered.map { ($0.offset, ThresholdTally(threshold, clusterCount: clusterCount)) }
    }
  }

  /// Adds the rows of a unit, all of them and in the order of their keys.
  package mutating func add(_ rows: [SessionRow]) {
    precondition(rows.count == contestants.count, "a unit is added whole")
    guard let first = rows.first else { return }
    let unit = plan.unit(of: first.key)
    let cluster = Self.cluster(of: unit, plan)
    let baseline = rows[plan.baseline]
    let margin = plan.margin.nanoseconds
    for (index, row) in rows.enumerated() {
      precondition(plan.contestant(of: row.key) == index, "rows are in the order of their keys")
      contestants[index].add(row, baseline: baseline, cluster: cluster, margin: margin)
      sensitivity.add(row, contestant: index)
      for number in row.missed {
        missed[number] = (missed[number].count + 1, missed[number].first ?? row.key)
      }
      if let problem = row.problem, problems.count < Self.problemsMax {
        problems.append((row.key, problem))
      }
    }
    let best = clairvoyant == nil ? nil : Self.clairvoyant(rows, plan)
    if let best {
      clairvoyant?.add(best, baseline: baseline, cluster: cluster, margin: margin)
    }
    common.add(rows, best: best, cluster: cluster)
    tally(rows, unit, cluster: cluster)
    compareWithSaved(rows, unit)
    unitCount += 1
  }

  /// The sessions that were added.
  package var sessionCount: Int { unitCount * contestants.count }

  /// Whether the rule to stop says that enough was seen.
  ///
  /// It is to be asked behind a whole block of seeds, and nowhere else.
  package var isPreciseEnough: Bool {
    guard let stop = plan.stop else { return false }
    return contestants.indices.allSatisfy { index in
      if index == plan.baseline { return true }
      // Who cannot be run, or not where the baseline can, is not known better by more seeds.
      guard let difference = contestants[index].difference(.waiting) else { return true }
      guard let width = difference.halfWidth else { return false }
      return width <= stop.halfWidth
    }
  }

  /// The session of a player that knew the network of the baseline's, and chose its variants.
  ///
  /// Of files each that could be run tells the same, and stands in for a baseline that could not.
  private static func clairvoyant(
    _ rows: [SessionRow], _ plan: ExperimentPlan
  ) -> SessionRow? {
    var baseline = rows[plan.baseline]
    if baseline.outcome == .error, plan.yardstick == .unlimited,
      let other = rows.first(where: { $0.yardstick != nil && $0.qualitySum == nil })
    {
      baseline = other
    }
    guard let least = baseline.yardstick else { return nil }
    var row = SessionRow(baseline.key)
    row.outcome = .ended
    row.startup = least
    row.played = baseline.mediaDuration
    row.mediaPlayed = baseline.mediaDuration
    row.watched = least + row.played
    row.yardstick = least
    row.excessWait = 0
    row.avoidableStalls = 0
    row.qualitySum = baseline.qualitySum
    row.qualityChange = baseline.qualityChange
    row.mediaDuration = baseline.mediaDuration
    row.linkToMedia = baseline.linkToMedia
    return row
  }

  private static func linkAxis(_ plan: ExperimentPlan) -> Int? {
    plan.worldAxes.firstIndex { $0.key == "link" && $0.values.count > 1 }
  }

  /// What is drawn again for intervals: links, else worlds, else groups of seeds.
  static func clusterCount(_ plan: ExperimentPlan) -> Int {
    if let axis = linkAxis(plan) { return plan.worldAxes[axis].values.count }
    if plan.worldCount > 1 { return min(plan.worldCount, worldGroups) }
    return min(plan.seeds.count, seedGroups)
  }

  /// What they are called.
  static func clusterNames(_ plan: ExperimentPlan) -> [String] {
    if let axis = linkAxis(plan) { return plan.worldAxes[axis].values.map { $0.name } }
    let count = clusterCount(plan)
    if plan.worldCount > 1 {
      return (0..<count).map { plan.worldNames($0).joined(separator: ", ") }
    }
    let more = plan.seeds.count > count ? " and others" : ""
    return (0..<count).map { "seed \(plan.seeds[$0])\(more)" }
  }

  static func cluster(of unit: ExperimentUnit, _ plan: ExperimentPlan) -> Int {
    if let axis = linkAxis(plan) { return plan.worldPlaces(unit.world)[axis] }
    if plan.worldCount > 1 { return unit.world % worldGroups }
    return unit.seedIndex % seedGroups
  }
}
