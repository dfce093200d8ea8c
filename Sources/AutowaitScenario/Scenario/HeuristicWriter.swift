import Autowait

/// A heuristic that is named, as logs spell it out: a later version may change its numbers.
struct ResolvedHeuristic {
  /// Where the scenario names it.
  let place: Int
  let name: String
  /// What it amounts to with the numbers beside the name.
  var policy: KeepUpPolicy
  var latency: LatencyPolicy
  /// What it stands over: the scenario's, where a player has its own.
  let inherited: KeepUpPolicy
}

/// Writes policies as scenarios spell them, with every number.
enum HeuristicWriter {
  /// Writes a policy as the value of the key `heuristic`; a rule as data has a name.
  ///
  /// A policy with the default rule inherits limits; those that it does not have are written as
  /// null.
  static func write(
    _ policy: KeepUpPolicy, _ name: String, _ latency: LatencyPolicy,
    over inherited: KeepUpPolicy = KeepUpPolicy(), into writer: inout JSONWriter
  ) {
    writer.beginObject()
    switch policy.rule {
    case .conditions(let rule):
      writer.object(text: HeuristicKeys.rule.name) { writer in
        RuleKeys.name.write(name, into: &writer)
        writeRule(rule, starvesBelow: policy.starvesBelow, into: &writer)
      }
    case .buffered(let start, let resume):
      writer.key(text: HeuristicKeys.rule.name)
      writer.string("buffered")
      HeuristicKeys.start.write(start, into: &writer, .bare)
      HeuristicKeys.resume.write(resume, into: &writer, .bare)
    case .linearToEnd, .external:
      writer.key(text: HeuristicKeys.rule.name)
      writer.string("avfoundation")
    }
    PolicyKeys.write(policy, into: &writer)
    if case .linearToEnd = policy.rule {
      PolicyKeys.clear(policy, over: inherited, into: &writer)
    }
    HeuristicKeys.frameDuration.write(policy.frameDuration, into: &writer, .bare)
    if latency != LatencyPolicy() {
      writer.key(text: HeuristicKeys.latency.name)
      LatencyKeys.record.write(latency, into: &writer, .bare)
    }
    writer.endObject()
  }

  /// Writes the members of a rule.
  static func writeRule(
    _ rule: ConditionRule, starvesBelow: MediaTime, into writer: inout JSONWriter
  ) {
    let situations = [
      (RuleKeys.start, rule.start), (RuleKeys.resume, rule.resume),
      (RuleKeys.afterSeek, rule.afterSeek),
    ]
    for (key, conditions) in situations {
      writer.key(text: key.name)
      write(conditions, into: &writer)
    }
    if starvesBelow > .zero { RuleKeys.starvesBelow.write(starvesBelow, into: &writer, .bare) }
    if let interval = rule.checkInterval {
      RuleKeys.checkEvery.write(interval, into: &writer, .bare)
    }
  }

  private static func write(_ conditions: BufferConditions, into writer: inout JSONWriter) {
    combine(conditions.alternatives, ConditionKeys.any, none: .never, into: &writer) {
      combine($1, ConditionKeys.all, none: .always, into: &$0) { write($1, into: &$0) }
    }
  }

  /// Writes some elements under the key that joins them; one stands for itself, and none has a
  /// word of its own.
  private static func combine<Element>(
    _ elements: [Element], _ joined: Key<JSONValue>, none: ConditionWord,
    into writer: inout JSONWriter, _ write: (inout JSONWriter, Element) -> Void
  ) {
    switch elements.count {
    case 0: writer.string(text: none.rawValue)
    case 1: write(&writer, elements[0])
    default: writer.object { $0.array(joined, elements, write) }
    }
  }

  private static func write(_ condition: BufferCondition, into writer: inout JSONWriter) {
    switch condition {
    case .atLeast(let measure, let value): write(measure, .atLeast, value, into: &writer)
    case .below(let measure, let value): write(measure, .below, value, into: &writer)
    case .isKeepingUp: write(.keepsUp, into: &writer)
    case .isLoaded: write(.loaded, into: &writer)
    case .isNetworkIdle: write(.networkIdle, into: &writer)
    case .isNetworkBusy: write(.networkBusy, into: &writer)
    }
  }

  private static func write(_ word: ConditionWord, into writer: inout JSONWriter) {
    writer.string(text: word.rawValue)
  }

  private static func write(
    _ measure: BufferMeasure, _ comparison: BufferComparison, _ value: Int64,
    into writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.object(text: measure.word) {
        measure.key(of: comparison).write(value, into: &$0, .bare)
      }
    }
  }
}

extension Heuristic {
  /// Writes the rule that given values come to, with every number, as a scenario's `heuristic`.
  package func write(_ given: [HeuristicValue] = [], into writer: inout JSONWriter) {
    HeuristicWriter.write(policy(given), name, latency, into: &writer)
  }
}
