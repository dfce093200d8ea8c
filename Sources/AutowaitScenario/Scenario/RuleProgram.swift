import Autowait

/// A rule that is a program: it is asked on its standard input and answers on its standard output.
public struct RuleProgram: Hashable, Sendable {
  /// The program, as a path from the scenario or as a name, and its arguments.
  public var words: [String]
  /// How long it may take to answer.
  public var timeout: TimeSpan
  /// Where the program stands in the scenario.
  public var line: Int
}

extension ScenarioReader {
  /// Reads a rule that is a program.
  mutating func program(_ value: JSONValue, _ fields: inout FieldReader) -> KeepUpPolicy {
    var policy = KeepUpPolicy()
    policy.rule = .foreign
    if fields.contains("rule") {
      fields.error("'rule' cannot stand beside 'program'", at: "rule")
    }
    let words = fields.optional("program", .list(of: .string)) ?? []
    let timeout = fields.optional("timeout", .positiveTime) ?? .seconds(5)
    policy.foreignRuleInterval =
      fields.optional("askEvery", .positiveTime) ?? policy.foreignRuleInterval
    if words.first?.isEmpty ?? true, !findings.hasErrors {
      findings.error(
        "'program' needs the path of a program", at: value, notes: [#"as in ["./my-rule.sh"]"#])
    }
    if words.contains(where: { $0.utf8.contains(0) }) {
      findings.error("'program' has a word with a zero byte", at: value)
    }
    if !acceptsPrograms {
      findings.error(
        "a rule that is a program can be run, tested and replayed, but not used here", at: value)
    }
    program = RuleProgram(
      words: words, timeout: timeout, line: findings.position(of: value.range.lowerBound).line)
    return policy
  }
}
