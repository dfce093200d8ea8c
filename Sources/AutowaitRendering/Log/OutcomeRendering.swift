import Autowait
import AutowaitFigures
import AutowaitScenario

/// Renders what became of expectations as words for people.
package enum OutcomeRendering {
  /// Returns what was observed, in a few words, and why it could not be anything else.
  package static func observed(_ outcome: Outcome, _ scenario: Scenario) -> String {
    let seen = seen(outcome, scenario)
    guard !outcome.isMet, let reason = outcome.expectation.impossible else { return seen }
    return "\(seen): \(reason)"
  }

  private static func seen(_ outcome: Outcome, _ scenario: Scenario) -> String {
    switch outcome.observation {
    case .properties(let properties):
      let wrong = properties.filter { !$0.holds }
      return (wrong.isEmpty ? properties : wrong)
        .map { property in
          let value = text(property.observed, of: property.test, outcome.expectation, scenario)
          return "\(property.test.property.rawValue) \(value)"
        }.joined(separator: ", ")
    case .records(let first, let count):
      guard let first else { return "no such event" }
      let time = seconds(first.instant.nanoseconds)
      if count == 0 { return "no such event then; \(first.event.name) at \(time) s" }
      let others = count > 1 ? ", \(count) times in all" : ""
      return "\(first.event.name) at \(time) s\(others)"
    case .instant(let instant):
      return instant.map { "at \(seconds($0.nanoseconds)) s" } ?? "never"
    case .metric(let value):
      guard let value else { return "nothing was measured" }
      return text(value, outcome.expectation.kind.metric?.unit ?? .count)
    case .sequence(let met): return sequence(outcome.expectation, met: met)
    case .finish(let reason): return "\(reason.word)"
    case .ended(let instant): return "the run ended before, at \(seconds(instant.nanoseconds)) s"
    }
  }

  /// Returns the value of a property that is tested; an item that has a name is called by it, too.
  static func text(
    _ value: PropertyValue, of test: StatePattern.Test, _ expectation: Expectation,
    _ scenario: Scenario
  ) -> String {
    let state: StatePattern? =
      switch expectation.kind {
      case .snapshot(_, let state), .snapshotAtEvent(_, _, let state), .always(let state),
        .never(.state(let state)), .eventually(.state(let state), _, _):
        state
      case .never, .eventually, .sequence, .metric, .finish: nil
      }
    guard test.property == .currentItem, let state, case .count(let item) = value,
      let name = scenario.name(ofItem: Int(item), of: state.player)
    else { return text(value) }
    return "\(item) '\(name)'"
  }

  private static func sequence(_ expectation: Expectation, met: Int) -> String {
    guard case .sequence(let patterns) = expectation.kind, met < patterns.count else {
      return "all \(met) events, in order"
    }
    let missed = patterns[met]
    let value = missed.value.map { " \(text($0))" } ?? ""
    let instant = missed.instant.map { " at \(seconds($0.nanoseconds)) s" } ?? ""
    return "\(met) of \(patterns.count) events in order; missed \(missed.name)"
      + "\(value)\(instant)\(missed.gap.isEmpty ? "" : " in that gap")"
  }

  /// Returns a value as people read it.
  package static func text(_ value: PropertyValue) -> String {
    switch value {
    case .null: "nil"
    case .word(let word): word
    case .flag(let flag): flag ? "true" : "false"
    case .time(let time): "\(seconds(time.nanoseconds)) s"
    case .rate(let rate): FigureDecimal.text(rate.millionths, digits: 6)
    case .count(let count): "\(count)"
    case .ranges(let ranges):
      "["
        + ranges.map { "[\(seconds($0.start.nanoseconds)), \(seconds($0.end.nanoseconds))]" }
        .joined(separator: ", ") + "]"
    }
  }

  /// Returns a metric's value as people read it.
  package static func text(_ value: MetricValue) -> String {
    switch value {
    case .time(let span): "\(seconds(span.nanoseconds)) s"
    case .count(let count): "\(count)"
    case .ratio: FigureDecimal.text(value.number, digits: 6)
    }
  }

  /// Returns a metric's value with its unit, exactly.
  private static func text(_ value: MetricValue, _ unit: Metric.NumberUnit) -> String {
    switch unit {
    case .bytes: Quantity.size.text(value.number)
    case .bitRate: Quantity.bitRate.text(value.number)
    case .time, .count, .ratio: text(value)
    }
  }

  /// Returns nanoseconds as seconds, exactly.
  package static func seconds(_ nanoseconds: Int64) -> String {
    FigureDecimal.text(nanoseconds, digits: 9)
  }

  /// Returns a line of JSON without the quotes and braces that people do not need.
  package static func people(_ json: String) -> String {
    var result = ""
    var isInString = false
    var isEscaped = false
    var word = ""
    for character in json {
      if isInString {
        if !isEscaped, character == "\"" {
          isInString = false
        } else {
          word.append(character)
          result.append(character)
        }
        isEscaped = !isEscaped && character == "\\"
        continue
      }
      switch character {
      case "\"":
        isInString = true
        word = ""
      case ":":
        // A comparison is its own verb.
        result += word.allSatisfy { "<=>!".contains($0) } ? " " : ": "
      case ",": result += ", "
      default: result.append(character)
      }
    }
    if result.hasPrefix("{"), result.hasSuffix("}") {
      result = String(result.dropFirst().dropLast())
    }
    return result
  }
}
