import Autowait
import AutowaitExperiment
import AutowaitScenario

/// What a search for the numbers of a rule found, and how that does on the networks held back.
package struct TuningReport {
  /// A rule and what its sessions cost.
  struct RuleCost {
    let text: String
    let cost: TuningCost
  }

  let tuning: RuleTuning
  /// The rule with its own numbers, and with those that were found.
  let own: RuleCost
  let found: RuleCost
  /// The built-in rule that costs least on the networks of the search; nil if none can be run.
  let best: RuleCost?
  /// By how much less what was found costs on the networks held back.
  let gain: Interval?

  /// Creates a report from what all built-in rules cost.
  package init(_ tuning: RuleTuning, rules: [TuningCost]) {
    self.tuning = tuning
    own = RuleCost(text: tuning.text(of: tuning.candidates[0]), cost: tuning.costs[0])
    let chosen = tuning.chosen
    found = RuleCost(text: tuning.text(of: tuning.candidates[chosen]), cost: tuning.costs[chosen])
    let sums = rules.map { $0.sum { !tuning.isHeldBack[$0] } }
    let place = sums.indices.filter { sums[$0].errors == 0 }.min {
      (sums[$0].cost, $0) < (sums[$1].cost, $1)
    }
    best = place.map { RuleCost(text: RuleCatalogue.all[$0].name, cost: rules[$0]) }
    gain = tuning.gain(of: found.cost, over: own.cost)
  }

  /// Whether what was found is better beyond chance where it was not searched.
  package var isBetter: Bool { (gain?.bounds?.lowerBound ?? 0) > 0 }

  /// Whether no session starts, whatever the numbers: then there is nothing to choose by.
  package var neverStarts: Bool {
    tuning.costs.allSatisfy { cost in cost.sum { _ in true }.started == 0 }
  }

  /// The front by ascending startup where it was searched.
  var front: [Int] {
    tuning.front.map { (place: $0, sum: searched(tuning.costs[$0])) }
      .sorted {
        ($0.sum.meanStartup, $0.sum.meanStalled, $0.place)
          < ($1.sum.meanStartup, $1.sum.meanStalled, $1.place)
      }
      .map { $0.place }
  }

  /// What the search recommends.
  var chosen: RuleCost { isBetter ? found : own }

  /// The value for the key `heuristic` that the search recommends.
  var recommended: String { chosen.text }

  /// Whether no player can cost less than the clairvoyant: a stall must not be worth less than the
  /// same startup, or who starts at once and stalls may.
  var knowsLeast: Bool { tuning.viewer.stallWeight >= 1_000_000 }

  /// The costs of a session on the networks held back.
  func heldBack(_ cost: TuningCost) -> NetworkCost { cost.sum { tuning.isHeldBack[$0] } }

  /// The costs of a session on the networks of the search.
  func searched(_ cost: TuningCost) -> NetworkCost { cost.sum { !tuning.isHeldBack[$0] } }
}

// MARK: - For people

extension TuningReport {
  /// Draws the report for a terminal.
  package func text(_ plan: ExperimentPlan, _ style: TextStyle) -> String {
    var page = TextPage(style)
    page.line("\(tuning.rule.name) for \(TerminalText.safe(plan.name))", .bold)
    let held = tuning.isHeldBack.count { $0 }
    let numbers = tuning.parameters.map { $0.name }.joined(separator: ", ")
    page.paragraph(
      [],
      "\(Plural.text(tuning.candidates.count, "candidate")) for \(numbers), on "
        + "\(Plural.text(tuning.isHeldBack.count - held, "network")); \(held) others judge what "
        + "was found", .dim)
    page.separate()
    for line in lines {
      page.paragraph([PaintedText(TerminalText.padded(line.head, columns: 16), .bold)], line.text)
    }
    page.separate()
    ComparisonRendering.draw(table, on: &page)
    page.separate()
    for note in notes { page.paragraph([], note, .dim) }
    page.separate()
    page.line("In a scenario:")
    return page.text + "\"heuristic\": \(recommended)\n"
  }

  private var lines: [(head: String, text: String)] {
    var lines: [(head: String, text: String)] = [("choose", choice)]
    if let gain {
      let bounds = gain.bounds.map {
        " (95 % interval \(Self.signed($0.lowerBound)) … \(Self.signed($0.upperBound)))"
      }
      let there = searched(own.cost).meanCost - searched(found.cost).meanCost
      lines.append(
        (
          "gain",
          "\(Self.signed(gain.mean)) s a session\(bounds ?? "") on the networks held back, and "
            + "\(Self.signed(there)) s where it was searched"
        ))
    }
    lines.append(("worse", losses))
    if let best {
      let difference = heldBack(chosen.cost).meanCost - heldBack(best.cost).meanCost
      lines.append(("best rule", "\(best.text): \(Self.comparison(difference))"))
    }
    if knowsLeast, let excess = heldBack(chosen.cost).meanExcess {
      lines.append(
        (
          "best possible",
          "costs \(ComparisonTable.seconds(excess)) s a session less, for a clairvoyant"
        ))
    }
    return lines
  }

  private var choice: String {
    if neverStarts { return "nothing: no session ever starts, whatever the numbers" }
    if found.text == own.text {
      return "its own numbers: nothing that was tried costs less where it was searched"
    }
    let changes = zip(tuning.parameters, tuning.candidates[tuning.chosen].values)
      .filter { $0.value != $1 }
      .map { "\($0.name) \(Self.value($1, $0.kind)) instead of \(Self.value($0.value, $0.kind))" }
      .joined(separator: ", ")
    if isBetter { return changes }
    let isWorse = (gain?.bounds?.upperBound ?? 0) < 0
    return "its own numbers: \(changes) "
      + (isWorse ? "is worse on the networks held back" : "is not better for certain")
  }

  private var losses: String {
    if found.text == own.text { return "nowhere: nothing is changed" }
    let worse = tuning.worse(found.cost, than: own.cost)
    let held = tuning.isHeldBack.count { $0 }
    if worse.isEmpty { return "on none of \(held) networks" }
    let shown = worse.prefix(3).map {
      "\(TerminalText.safe($0.name)) \(Self.signed($0.cost)) s"
    }.joined(separator: ", ")
    let more = worse.count > 3 ? " and \(worse.count - 3) more" : ""
    return "on \(worse.count) of \(held) networks: \(shown)\(more)"
  }

  /// The most lines of the front that are shown.
  private static let frontShownMax = 10

  /// Returns an even choice of some lines, with the first and the last one.
  private static func spread(_ lines: [[Int]]) -> [[Int]] {
    if lines.count <= frontShownMax { return lines }
    return (0..<frontShownMax).map { lines[$0 * (lines.count - 1) / (frontShownMax - 1)] }
  }

  /// The front without some candidates; those that come to the same everywhere are together.
  private func frontLines(without named: [Int]) -> [[Int]] {
    var lines: [[Int]] = []
    for place in front where !named.contains(place) {
      let cost = tuning.costs[place]
      let tied = lines.firstIndex { tuning.costs[$0[0]].networks == cost.networks }
      if let tied { lines[tied].append(place) } else { lines.append([place]) }
    }
    return lines
  }

  /// Returns the values of a number of some candidates: one, or the least and the greatest.
  private func values(_ number: Int, of places: [Int]) -> String {
    let parameter = tuning.parameters[number]
    let values = places.map { tuning.candidates[$0].values[number] }
      .sorted { ($0 ?? .min) < ($1 ?? .min) }
    guard let least = values.first, let most = values.last else { return "" }
    let text = Self.value(least, parameter.kind)
    return least == most ? text : "\(text) … \(Self.value(most, parameter.kind))"
  }

  private static func comparison(_ difference: Int64) -> String {
    if difference == 0 { return "costs the same" }
    let text = ComparisonTable.seconds(abs(difference)) + " s"
    return difference > 0 ? "costs \(text) a session less" : "costs \(text) a session more"
  }

  /// The rule's own numbers and the front, on the networks held back.
  private var table: ComparisonTable {
    let head = tuning.parameters.map { $0.name } + ["startup s", "stalled s", "never", "cost s"]
    let named = [0] + (tuning.chosen == 0 ? [] : [tuning.chosen])
    let between = Self.spread(frontLines(without: named))
    let shown = [[0]] + between + named.dropFirst().map { [$0] }
    let rows = shown.enumerated().map { number, places -> ComparisonTable.ComparisonRow in
      let sum = heldBack(tuning.costs[places[0]])
      let isFound = places[0] == tuning.chosen
      // Lines are told apart by their numbers where a table goes on below.
      let name = isFound ? "found" : places[0] == 0 ? "its own" : "front \(number)"
      let numbers = tuning.parameters.indices.map { values($0, of: places) }
      let figures = [
        ComparisonTable.seconds(sum.meanStartup), ComparisonTable.seconds(sum.meanStalled),
        "\(sum.count - sum.started)", ComparisonTable.seconds(sum.meanCost),
      ]
      return ComparisonTable.ComparisonRow(
        cells: [name] + numbers + figures, paint: isFound ? .bold : .plain)
    }
    return ComparisonTable(head: ["held back"] + head, rows: rows)
  }

  private var notes: [String] {
    let weight = tuning.viewer.stallWeight.fixedPoint(1_000_000)
    let most = Quantity.time.text(ViewerCost.most.nanoseconds)
    return [
      "The cost of a session is its startup and \(weight) times its stalls, \(most) at most; a "
        + "session that never starts costs the most. Startup and stalls are means of the sessions "
        + "that started.",
      "Front: no other candidate has both less startup and less stalls where it was searched. "
        + "Candidates that do the same on every network are one line, with their least and "
        + "greatest numbers.",
    ]
  }

  private static func value(_ value: Int64?, _ kind: HeuristicParameter.Kind) -> String {
    guard let value else { return "none" }
    return switch kind {
    case .time, .optionalTime: Quantity.time.text(value)
    case .size, .optionalSize: Quantity.size.text(value)
    case .ratio: value.fixedPoint(1_000_000)
    }
  }

  private static func signed(_ nanoseconds: Int64) -> String {
    (nanoseconds > 0 ? "+" : "") + ComparisonTable.seconds(nanoseconds)
  }
}

// MARK: - For programs

extension TuningReport {
  private static let formatVersion: Int64 = 1

  /// Returns the report as one object, in one line.
  package func json(_ plan: ExperimentPlan) -> [UInt8] {
    JSONWriter.line(capacity: 4_096) { writer in
      writer.field("version", Self.formatVersion)
      ToolVersion.write(into: &writer)
      writer.field("experiment", text: plan.path)
      writer.field("rule", text: tuning.rule.name)
      writer.strings("numbers", tuning.parameters.map { $0.name })
      writer.field("stallWeight", millionths: tuning.viewer.stallWeight)
      writer.field("candidates", Int64(tuning.candidates.count))
      writer.strings(
        "heldBack",
        zip(tuning.networkNames, tuning.isHeldBack).compactMap {
          $1 ? $0 : nil
        })
      writer.field("isBetter", isBetter)
      writer.key("heuristic")
      writer.raw(recommended)
      write("own", own, into: &writer)
      write("found", found, into: &writer)
      if let best { write("bestRule", best, into: &writer) }
      if let gain {
        writer.object("gain") { writer in
          writer.field("mean", seconds: gain.mean)
          writer.field("from", seconds: gain.bounds?.lowerBound)
          writer.field("to", seconds: gain.bounds?.upperBound)
        }
      }
      writer.objects("worse", tuning.worse(found.cost, than: own.cost)) { writer, network in
        writer.field("network", text: network.name)
        writer.field("cost", seconds: network.cost)
      }
      writer.objects("front", front) { writer, place in
        writer.key("heuristic")
        writer.raw(tuning.text(of: tuning.candidates[place]))
        write(tuning.costs[place], into: &writer)
      }
    }
  }

  private func write(_ name: String, _ rule: RuleCost, into writer: inout JSONWriter) {
    writer.object(text: name) { writer in
      writer.key("heuristic")
      writer.raw(
        rule.text.hasPrefix("\"") || rule.text.hasPrefix("{") ? rule.text : "\"\(rule.text)\"")
      write(rule.cost, into: &writer)
    }
  }

  private func write(_ cost: TuningCost, into writer: inout JSONWriter) {
    for (key, sum) in [("searched", searched(cost)), ("heldBack", heldBack(cost))] {
      writer.object(text: key) { writer in
        writer.field("sessions", sum.count)
        writer.field("neverStarted", sum.count - sum.started)
        writer.field("startup", seconds: sum.meanStartup)
        writer.field("stalled", seconds: sum.meanStalled)
        writer.field("cost", seconds: sum.meanCost)
        writer.field("excess", seconds: sum.meanExcess)
      }
    }
  }
}
