import AutowaitScenario

/// Reads the scenarios of an experiment before any is run, so that all that is wrong with them is
/// told at once and at its place.
enum ScenarioTrial {
  /// The values of an axis that are tried; a folder may have more traces than a start can wait for,
  /// and what is wrong with the rest is told by its sessions.
  private static let valuesMax = 1_000

  /// Returns what is to be said about the values of all axes: each once, beside the first values of
  /// the others, so that the cost is the sum of their numbers and not the product.
  ///
  /// Also returns what the scenarios expect, which is the same for all.
  static func read(
    _ plan: ExperimentPlan, files: ExperimentFiles
  ) -> (findings: [Finding], expectations: [Expectation]) {
    var expectations: [Expectation] = []
    let loader = files.loader(of: plan)
    var result: [Finding] = []
    // What several values have in common is told once, whatever else could be advised of each.
    var seen: Set<String> = []
    func read(contestant: Int, world: Int) {
      let composition = plan.composition(contestant: contestant, world: world)
      let read = ScenarioReader.read(
        composition.source, loader: loader, seed: plan.seeds[0],
        programs: files.acceptance)
      for finding in read.findings {
        let traced = composition.traced(finding)
        let place = "\(traced.path):\(traced.line):\(traced.column): \(traced.message)"
        if seen.insert(place).inserted { result.append(traced) }
      }
      if let scenario = read.scenario { expectations = scenario.expectations }
    }
    read(contestant: 0, world: 0)
    for number in firsts(plan.contestantAxes) { read(contestant: number, world: 0) }
    for number in firsts(plan.worldAxes) { read(contestant: 0, world: number) }
    return (Array(result.prefix(Findings.countMax)), expectations)
  }

  /// The numbers of the combinations in which one axis has another value than its first.
  private static func firsts(_ axes: [Axis]) -> [Int] {
    var numbers: [Int] = []
    var step = 1
    for axis in axes.reversed() {
      numbers += (1..<max(1, min(axis.values.count, valuesMax))).map { $0 * step }
      step *= axis.values.count
    }
    return numbers
  }
}
