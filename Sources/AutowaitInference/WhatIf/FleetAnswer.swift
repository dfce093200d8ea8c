import Autowait
import AutowaitExperiment
import AutowaitRendering
import AutowaitScenario

/// What rules would have done in many sessions together.
///
/// Means are over sessions, and so are the intervals: sessions are drawn again and again.
package struct FleetAnswer: Sendable {
  /// A rule in all sessions that were asked about it.
  private struct RuleSum {
    let name: String
    var sessions = 0
    var better = 0
    var worse = 0
    /// The stalls of the sessions, and the part of them that it avoids, in millionths.
    var avoided: [Cluster] = []
    var laterStart: [Cluster] = []
    var stalledMore: [Cluster] = []
    var smooth: [Cluster] = []
  }

  private var rules: [RuleSum] = []
  private var keys: [FleetRow.Status: Set<String>] = [:]

  package init() {}

  /// The sessions that came to an answer.
  package var answered: Int { keys[.ok]?.count ?? 0 }
  package var notReproduced: Int { keys[.notReproduced]?.count ?? 0 }
  package var unusable: Int { keys[.unusable]?.count ?? 0 }

  package mutating func add(_ row: FleetRow) {
    keys[row.status, default: []].insert(row.key)
    guard row.status == .ok, let links = row.value("links"), links > 0 else { return }
    let place = rules.firstIndex { $0.name == row.rule } ?? rules.count
    if place == rules.count { rules.append(RuleSum(name: row.rule)) }
    rules[place].sessions += 1
    if let stalls = row.value("of_stalls"), let avoided = row.value("avoided"), stalls > 0 {
      var cluster = Cluster()
      cluster.count = stalls
      cluster.sum = Int128(avoided) * 1_000_000 / Int128(links)
      rules[place].avoided.append(cluster)
    }
    func add(_ value: Int64?, _ list: WritableKeyPath<RuleSum, [Cluster]>) {
      guard let value else { return }
      var cluster = Cluster()
      cluster.add(value)
      rules[place][keyPath: list].append(cluster)
    }
    add(row.value("later_start_s"), \.laterStart)
    add(row.value("stalled_more_s"), \.stalledMore)
    add(row.value("no_stall").map { $0 * 1_000_000 / links }, \.smooth)
    let more = row.value("stalled_more_s") ?? 0
    if more < 0 { rules[place].better += 1 }
    if more > 0 { rules[place].worse += 1 }
  }

  /// Returns the text.
  package func text(style: TextStyle) -> String {
    var page = TextPage(style)
    var left: [String] = []
    if notReproduced > 0 { left.append("\(notReproduced) not reproduced") }
    if unusable > 0 { left.append("\(unusable) not usable") }
    page.line(
      WhatIfText.count(answered, "session")
        + (left.isEmpty ? "" : "; \(left.joined(separator: ", "))"))
    if rules.isEmpty { return page.text }
    page.separate()
    // Two tables: with all intervals side by side a line would be wider than a terminal.
    var counts = [["", "stalls avoided", "no stall", "better", "worse"]]
    var times = [["", "later start", "stalled more"]]
    for rule in rules {
      counts.append([
        rule.name, Self.percent(rule.avoided), Self.percent(rule.smooth), "\(rule.better)",
        "\(rule.worse)",
      ])
      times.append([rule.name, Self.seconds(rule.laterStart), Self.seconds(rule.stalledMore)])
    }
    for rows in [counts, times] {
      for line in TerminalText.table(rows, isText: { $0 == 0 }) { page.line(line) }
      page.separate()
    }
    page.paragraph(
      [],
      "means over sessions, compared with the recorded rule on the same links; in brackets 95 % "
        + "intervals, drawn by session. Better and worse are sessions with less and with more "
        + "stalled time.", .dim)
    return page.text
  }

  private static func percent(_ clusters: [Cluster]) -> String {
    guard let interval = Bootstrap.interval(clusters, purpose: "fleet") else { return "–" }
    func text(_ millionths: Int64) -> String { "\((millionths + 5_000) / 10_000)" }
    let bounds = interval.bounds.map { " [\(text($0.lowerBound)) to \(text($0.upperBound))]" }
    return text(interval.mean) + (bounds ?? "") + " %"
  }

  private static func seconds(_ clusters: [Cluster]) -> String {
    guard let interval = Bootstrap.interval(clusters, purpose: "fleet") else { return "–" }
    func text(_ value: Int64) -> String { WhatIfText.seconds(value, isSigned: true) }
    let bounds = interval.bounds.map { " [\(text($0.lowerBound)) to \(text($0.upperBound))]" }
    return text(interval.mean) + (bounds ?? "") + " s"
  }
}
