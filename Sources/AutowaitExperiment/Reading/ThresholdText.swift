import AutowaitScenario

/// Spells thresholds in one line for people.
enum ThresholdText {
  /// Returns a threshold without its contestants: `p95 of stallCount <= 1, link nlc/*`.
  static func text(
    _ subject: Threshold.Subject, _ statistic: Threshold.Statistic, _ bounds: JSONValue,
    _ element: JSONValue
  ) -> String {
    let limit = comparisons(bounds)
    let text: String
    switch (subject, statistic) {
    case (.figure(let figure), .share):
      text = "share of sessions with \(figure.word) \(comparisons(element)) \(limit)"
    case (.outcomes(let outcomes), _):
      text = "share of sessions with outcome \(list(outcomes.map { $0.rawValue })) \(limit)"
    case (.figure(let figure), .difference(let difference)):
      let other = difference.reference == .saved ? "the saved baseline" : "the baseline"
      text = "mean difference of \(figure.word) to \(other) \(limit)"
    case (.figure(let figure), _):
      text = "\(ThresholdKeys.key(of: statistic)) of \(figure.word) \(limit)"
    }
    let selected = (element.member("where")?.members.map { $0 } ?? []).map { member in
      let values = member.value.kind == .array ? Array(member.value.elements) : [member.value]
      return ", \(member.key.string ?? "") \(list(values.map(word)))"
    }
    return text + selected.joined()
  }

  /// Returns all comparisons of an object: `>= 1 and < 3`.
  private static func comparisons(_ value: JSONValue) -> String {
    value.members.compactMap { member in
      switch member.key.string ?? "" {
      case "between": "between \(member.value.elements.map(word).joined(separator: " and "))"
      case "approximately":
        "approximately \(word(member.value)) ± \(value.member("tolerance").map(word) ?? "")"
      case let sign where sign.utf8.allSatisfy({ "<=>!".utf8.contains($0) }):
        "\(sign) \(word(member.value))"
      default: nil
      }
    }.joined(separator: " and ")
  }

  private static func word(_ value: JSONValue) -> String {
    value.string ?? JSONWriter.text { $0.value(value) }
  }

  private static func list(_ words: [String]) -> String { words.joined(separator: " or ") }
}
