import Autowait
import AutowaitExperiment
import AutowaitScenario

/// Renders what an experiment came to as OpenMetrics 1.0 text, which Prometheus and its relatives
/// read: sessions and stalls as counters, times as summaries with quantiles, differences as gauges.
package enum OpenMetricsRendering {
  /// Returns the text, which ends as the format demands.
  package static func bytes(_ comparison: Comparison) -> [UInt8] {
    var text = OpenMetricsText(comparison)
    text.writeExperiment()
    text.writeCounts()
    text.writeTimes()
    text.writeMetrics()
    text.writeDifferences()
    return Array((text.text + "# EOF\n").utf8)
  }
}

private struct OpenMetricsText {
  private let comparison: Comparison
  private(set) var text = ""

  private typealias Label = (name: String, value: String)

  init(_ comparison: Comparison) { self.comparison = comparison }

  private var plan: ExperimentPlan { comparison.result.plan }

  /// The contestants, the player that knows the network among them.
  private var summaries: [ContestantSummary] {
    (comparison.entries + (comparison.clairvoyant.map { [$0] } ?? [])).map { $0.summary }
  }

  mutating func writeExperiment() {
    family("autowait_experiment", "info", "The experiment and what made these figures.")
    sample(
      "autowait_experiment_info",
      [
        ("path", plan.path), ("digest", SessionRowWriter.hexadecimal(plan.digest)),
        ("version", ToolVersion.text), ("model", "\(SimulationModel.version)"),
        ("baseline", comparison.result.contestants[plan.baseline].name),
      ], "1")
  }

  mutating func writeCounts() {
    family("autowait_sessions", "counter", "Sessions by what they ended with.")
    for summary in summaries {
      for outcome in SessionOutcome.allCases {
        sample(
          "autowait_sessions_total", labels(summary) + [("outcome", outcome.rawValue)],
          "\(summary.outcomeCount(outcome))")
      }
    }
    family("autowait_stalls", "counter", "Stalls of all sessions.")
    for summary in summaries {
      sample("autowait_stalls_total", labels(summary), "\(summary.totals.stalls)")
    }
    family("autowait_sessions_with_stalls", "counter", "Sessions with a stall.")
    for summary in summaries {
      sample(
        "autowait_sessions_with_stalls_total", labels(summary), "\(summary.sessionsWithStalls)")
    }
    family(
      "autowait_stalled_ratio", "gauge", "Time in stalls of the time played or stalled.",
      unit: "ratio")
    for summary in summaries {
      guard let ratio = summary.rebufferRatio else { continue }
      sample("autowait_stalled_ratio", labels(summary), number(ratio, .ratio))
    }
  }

  mutating func writeTimes() {
    let times: [(String, String, (ContestantSummary) -> QuantileSketch)] = [
      ("startup", "Wait before playback, of sessions that started.", { $0.startup }),
      ("stalled", "Time in stalls of a session.", { $0.stalled }),
      ("excess_wait", "Waiting beyond the best possible.", { $0.excessWait }),
    ]
    for (name, about, sketch) in times {
      let sketches = summaries.map { ($0, sketch($0)) }.filter { $0.1.count > 0 }
      if sketches.isEmpty { continue }
      write("autowait_\(name)_seconds", about, sketches, .time, unit: "seconds")
    }
  }

  /// The metrics that were asked for, under their own names.
  mutating func writeMetrics() {
    for (index, metric) in plan.metrics.enumerated() {
      let sketches = summaries.filter { index < $0.metrics.count }.map { ($0, $0.metrics[index]) }
        .filter { $0.1.count > 0 }
      if sketches.isEmpty { continue }
      let kind = metric.columnKind
      let unit = kind == .time ? "seconds" : ""
      let name = "autowait_metric_\(metric.rawValue)" + (unit.isEmpty ? "" : "_seconds")
      write(name, "The metric \(metric.rawValue) of a session.", sketches, kind, unit: unit)
    }
  }

  mutating func writeDifferences() {
    let baseline = comparison.result.contestants[plan.baseline].name
    for quantity in Paired.Quantity.allCases {
      let known = comparison.entries.compactMap { entry in
        entry.difference(quantity).map { (entry.summary, $0) }
      }
      if known.isEmpty { continue }
      let unit = quantity.isTime ? "seconds" : ""
      let name =
        "autowait_difference_\(Self.snake(quantity.rawValue))" + (unit.isEmpty ? "" : "_seconds")
      family(
        name, "gauge", "Mean difference to the baseline in the same sessions, and its interval.",
        unit: unit)
      let kind: ColumnKind = quantity.isTime ? .time : .ratio
      for (summary, interval) in known {
        let own = labels(summary) + [("baseline", baseline)]
        sample(name, own + [("bound", "mean")], number(interval.mean, kind))
        guard let bounds = interval.bounds else { continue }
        sample(name, own + [("bound", "lower")], number(bounds.lowerBound, kind))
        sample(name, own + [("bound", "upper")], number(bounds.upperBound, kind))
      }
    }
  }

  // MARK: Families and samples

  private mutating func write(
    _ name: String, _ about: String, _ sketches: [(ContestantSummary, QuantileSketch)],
    _ kind: ColumnKind, unit: String
  ) {
    family(name, "summary", about, unit: unit)
    for (summary, sketch) in sketches {
      for (rank, quantile) in [(50, "0.05"), (500, "0.5"), (950, "0.95")] as [(Int64, String)] {
        guard let value = sketch.quantile(perMille: rank) else { continue }
        sample(name, labels(summary) + [("quantile", quantile)], number(value, kind))
      }
      sample(name + "_sum", labels(summary), number(sketch.sum, kind))
      sample(name + "_count", labels(summary), "\(sketch.count)")
    }
  }

  private func labels(_ summary: ContestantSummary) -> [Label] {
    [("experiment", plan.name), ("contestant", summary.name)]
  }

  private mutating func family(
    _ name: String, _ type: String, _ about: String, unit: String = ""
  ) {
    text += "# TYPE \(name) \(type)\n"
    if !unit.isEmpty { text += "# UNIT \(name) \(unit)\n" }
    text += "# HELP \(name) \(about)\n"
  }

  private mutating func sample(_ name: String, _ labels: [Label], _ value: String) {
    let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
    text += "\(name){\(list)} \(value)\n"
  }

  /// A label may hold anything, but for three characters.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\"": result += "\\\""
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func snake(_ word: String) -> String {
    var result = ""
    for scalar in word.unicodeScalars {
      if ("A"..."Z").contains(scalar) {
        result += "_"
        result.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) + 32))
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns a number of a kind as an exact decimal one.
  private func number(_ value: Int64, _ kind: ColumnKind) -> String { number(Int128(value), kind) }

  private func number(_ value: Int128, _ kind: ColumnKind) -> String {
    let (unit, digits): (UInt128, Int) =
      switch kind {
      case .time: (1_000_000_000, 9)
      case .ratio: (1_000_000, 6)
      case .count: (1, 0)
      }
    var text = (value < 0 ? "-" : "") + "\(value.magnitude / unit)"
    let fraction = "\(value.magnitude % unit)"
    if digits == 0 || fraction == "0" { return text }
    text += "." + String(repeating: "0", count: digits - fraction.utf8.count) + fraction
    while text.hasSuffix("0") { text.removeLast() }
    return text
  }
}
