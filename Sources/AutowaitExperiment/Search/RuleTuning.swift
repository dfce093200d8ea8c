import Autowait
import AutowaitScenario

/// A search for the numbers of a rule that cost a viewer least, on some networks of an experiment,
/// which are judged on the others.
///
/// What is found on the networks of the search fits them by chance, too; on those that are held
/// back it does not. From the rule's own numbers on, the search changes one number at a time of
/// each candidate that is cheapest or on the front of startup against stalls, until nothing is new
/// there, and then looks between the values that it has tried.
package struct RuleTuning: Sendable {
  /// Some values for the numbers that are searched, in their order; nil for none.
  package struct Candidate: Hashable, Sendable {
    package var values: [Int64?]
  }

  /// Why a search cannot begin.
  package struct TuningProblem: Error, Hashable, Sendable {
    package let message: String
    package let notes: [String]
  }

  /// The most candidates.
  package static let candidatesMax = 400
  /// The fewest networks, of which a third is held back.
  package static let networksMin = 6
  /// The numbers that are searched unless somebody says which: those that a rule waits for.
  package static let usual = [
    "start", "resume", "patience", "rebufferingGoal", "networkCaching", "stallThreshold", "queue",
    "safetyMargin",
  ]
  /// The rounds in which values between others are tried.
  private static let finerRounds = 3

  /// The rule.
  package let rule: Heuristic
  /// The numbers that are searched.
  package let parameters: [HeuristicParameter]
  /// The viewer who pays.
  package let viewer: ViewerCost
  /// Whether a network is held back, by number.
  package let isHeldBack: [Bool]
  /// The names of the networks, by number.
  package let networkNames: [String]
  /// The candidates in the order in which they were tried, the rule's own numbers first.
  package private(set) var candidates: [Candidate] = []
  /// What they cost.
  package private(set) var costs: [TuningCost] = []
  private let plan: ExperimentPlan
  private var finer = 0

  /// Prepares a search on the networks of an experiment; of what it compares only the networks, the
  /// media, the script and the seeds count.
  package init(
    _ rule: Heuristic, _ parameters: [HeuristicParameter], on plan: ExperimentPlan,
    for viewer: ViewerCost
  ) throws(TuningProblem) {
    if let axis = plan.contestantAxes.first(where: { $0.path.first != "heuristic" }) {
      throw TuningProblem(
        message: "the experiment compares '\(axis.key)', too; a search compares rules only",
        notes: ["give the base one value of it"])
    }
    let count = ExperimentResult.clusterCount(plan)
    guard count >= Self.networksMin else {
      throw TuningProblem(
        message: "the experiment has \(count) network\(count == 1 ? "" : "s"), and a search needs "
          + "\(Self.networksMin): a third is held back to judge what was found",
        notes: ["vary 'link', as in \"link\": \"nlc/*\", or give more seeds to what is drawn"])
    }
    (self.rule, self.parameters, self.viewer, self.plan) = (rule, parameters, viewer, plan)
    var order = Array(0..<count)
    var stream = RandomStream(seed: 1, component: "experiment", purpose: "tune")
    for index in order.indices.dropFirst() {
      order.swapAt(index, Int(stream.next(below: UInt64(index + 1))))
    }
    var held = Array(repeating: false, count: count)
    for index in order.prefix((count + 2) / 3) { held[index] = true }
    isHeldBack = held
    networkNames = ExperimentResult.clusterNames(plan)
  }

  // MARK: - Searching

  /// Returns the candidates to try next; none when the search is over.
  package mutating func next() -> [Candidate] {
    if candidates.isEmpty { return [Candidate(values: parameters.map { $0.value })] }
    var fresh: [Candidate] = []
    func add(_ candidate: Candidate) {
      if candidates.count + fresh.count < Self.candidatesMax, !candidates.contains(candidate),
        !fresh.contains(candidate)
      {
        fresh.append(candidate)
      }
    }
    let promising = promising
    for candidate in promising {
      for (index, parameter) in parameters.enumerated() {
        for value in Self.ladder(of: parameter) {
          var changed = candidate
          changed.values[index] = value
          add(changed)
        }
      }
    }
    while fresh.isEmpty, finer < Self.finerRounds {
      finer += 1
      for candidate in promising {
        for index in parameters.indices {
          for value in between(candidate.values[index], at: index) {
            var changed = candidate
            changed.values[index] = value
            add(changed)
          }
        }
      }
    }
    return fresh
  }

  /// Returns an experiment of some candidates.
  package func plan(of candidates: [Candidate]) -> ExperimentPlan {
    plan.searching(candidates.map { text(of: $0) })
  }

  /// Returns an experiment of all rules that are built in.
  package var planOfRules: ExperimentPlan { plan.searching(RuleCatalogue.all.map { $0.json }) }

  /// Returns the costs of no sessions, for as many contestants.
  package func noCosts(_ count: Int) -> [TuningCost] {
    Array(repeating: TuningCost(networkCount: isHeldBack.count), count: count)
  }

  /// Adds the rows of a unit to the costs of those that they are of.
  package func add(_ rows: [SessionRow], of plan: ExperimentPlan, to costs: inout [TuningCost]) {
    guard let first = rows.first else { return }
    let network = ExperimentResult.cluster(of: plan.unit(of: first.key), plan)
    for (index, row) in rows.enumerated() { costs[index].add(row, network: network, viewer) }
  }

  /// Takes note of what candidates cost.
  package mutating func take(_ tried: [Candidate], _ cost: [TuningCost]) {
    precondition(tried.count == cost.count, "\(cost.count) costs of \(tried.count) candidates")
    candidates += tried
    costs += cost
  }

  /// The cheapest candidates on the networks of the search, and those on the front of startup
  /// against stalls there.
  private var promising: [Candidate] {
    let sums = costs.map { $0.sum { !isHeldBack[$0] } }
    let sound = candidates.indices.filter { sums[$0].errors == 0 }
    let cheapest = sound.sorted { (sums[$0].cost, $0) < (sums[$1].cost, $1) }.prefix(3)
    let places = front.prefix(12)
    return (Array(cheapest) + places.filter { !cheapest.contains($0) }).map { candidates[$0] }
  }

  /// The values that a number is tried with.
  private static func ladder(of parameter: HeuristicParameter) -> [Int64?] {
    switch parameter.kind {
    case .time, .optionalTime:
      return [100, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000]
        .map { $0 * 1_000_000 } + [16, 24, 32].map { $0 * 1_000_000_000 }
    case .ratio: return [0, 2, 5, 10, 15, 20, 30, 50, 75, 100].map { $0 * 10_000 }
    case .size, .optionalSize:
      guard let own = parameter.value, own > 0 else { return [] }
      return [own / 8, own / 4, own / 2, own, own * 2, own * 4].map { max(1, $0) }
    }
  }

  /// The values halfway between one and the next that were tried on either side.
  private func between(_ value: Int64?, at index: Int) -> [Int64] {
    guard let value else { return [] }
    let tried = candidates.compactMap { $0.values[index] }
    let grain: Int64 = parameters[index].kind == .ratio ? 1_000 : 10_000_000
    let isFine = [.size, .optionalSize].contains(parameters[index].kind)
    return [tried.filter { $0 < value }.max(), tried.filter { $0 > value }.min()]
      .compactMap { $0 }.map { ($0 + value) / 2 / (isFine ? 1 : grain) * (isFine ? 1 : grain) }
      .filter { $0 > 0 && !tried.contains($0) }
  }

  // MARK: - What was found

  /// The place of the cheapest candidate on the networks of the search; of equal ones the first,
  /// which is nearest to the rule's own numbers.
  package var chosen: Int {
    let sums = costs.map { $0.sum { !isHeldBack[$0] } }
    let sound = candidates.indices.filter { sums[$0].errors == 0 }
    return sound.min { (sums[$0].cost, $0) < (sums[$1].cost, $1) } ?? 0
  }

  /// The places of the candidates that no other beats in both startup and stalls, on the networks
  /// of the search, by ascending startup; those that fail to start more often are not among them.
  package var front: [Int] {
    let sums = costs.map { $0.sum { !isHeldBack[$0] } }
    let sound = candidates.indices.filter { sums[$0].errors == 0 && sums[$0].started > 0 }
    let most = sound.map { sums[$0].started }.max() ?? 0
    let shown = sound.filter { sums[$0].started == most }
    let points = shown.map { (first: sums[$0].meanStartup, second: sums[$0].meanStalled) }
    return ParetoFront.places(points).map { shown[$0] }
  }

  /// Returns by how much less one costs than another, a session, on the networks held back.
  package func gain(of one: TuningCost, over other: TuningCost) -> Interval? {
    Bootstrap.interval(other.gains(of: one) { isHeldBack[$0] }, purpose: "tune")
  }

  /// Returns the networks held back on which one costs more than another, the worst first, with how
  /// much more a session.
  package func worse(_ one: TuningCost, than other: TuningCost) -> [(name: String, cost: Int64)] {
    let more = isHeldBack.indices.compactMap { index -> (name: String, cost: Int64)? in
      let (mine, its) = (one.networks[index], other.networks[index])
      guard isHeldBack[index], mine.count > 0, mine.cost > its.cost else { return nil }
      return (networkNames[index], Int64((mine.cost - its.cost) / Int128(mine.count)))
    }
    return more.filter { $0.cost > 0 }.sorted { ($1.cost, $0.name) < ($0.cost, $1.name) }
  }

  /// Returns a candidate as a scenario has it under the key `heuristic`.
  package func text(of candidate: Candidate) -> String {
    let changed = zip(parameters, candidate.values).filter { $0.value != $1 }
    if changed.isEmpty { return "\"\(rule.name)\"" }
    let members = changed.map { parameter, value in
      "\"\(parameter.name)\": \(Self.json(value, parameter.kind))"
    }
    return "{ \"rule\": \"\(rule.name)\", \(members.joined(separator: ", ")) }"
  }

  private static func json(_ value: Int64?, _ kind: HeuristicParameter.Kind) -> String {
    guard let value else { return "null" }
    return switch kind {
    case .time, .optionalTime: "\"\(value.fixedPoint(1_000_000_000)) s\""
    case .ratio: value.fixedPoint(1_000_000)
    case .size, .optionalSize: "\(value)"
    }
  }
}

extension NetworkCost {
  /// The mean startup of the sessions that began.
  package var meanStartup: Int64 { started > 0 ? Int64(startup / Int128(started)) : 0 }
  /// Their mean time in stalls.
  package var meanStalled: Int64 { started > 0 ? Int64(stalled / Int128(started)) : 0 }
  /// The mean cost of all sessions.
  package var meanCost: Int64 { count > 0 ? Int64(cost / Int128(count)) : 0 }
  /// The mean of what was lost beyond the best start possible; nil if it is not known of any.
  package var meanExcess: Int64? { judged > 0 ? Int64(excess / Int128(judged)) : nil }
}

extension ExperimentPlan {
  /// Returns the plan with some rules as contestants, each spelled as under the key `heuristic`.
  fileprivate func searching(_ rules: [String]) -> ExperimentPlan {
    let values = rules.compactMap { text in
      ScenarioPiece(text, for: base).map { AxisValue(text, $0) }
    }
    precondition(values.count == rules.count, "a rule that is no JSON")
    var plan = with(contestantAxes: [Axis(key: "heuristic", values: values)])
    plan.thresholds = []
    plan.saved = nil
    return plan
  }
}
