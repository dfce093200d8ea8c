import Autowait

/// A program that is an external rule: it is asked on its standard input and answers on its
/// standard output.
package struct ExternalProgram: Sendable {
  /// The path of the program from the scenario, and its arguments.
  package let words: [String]
  /// How long it may take to answer.
  package let timeout: TimeSpan
  /// The file that names the program, and where.
  private let source: SourceText
  private let range: Range<Int>

  init(_ words: [String], timeout: TimeSpan, at range: Range<Int>, in source: SourceText) {
    (self.words, self.timeout) = (words, timeout)
    (self.source, self.range) = (source, range)
  }

  /// Returns an error about the program, at the place where the scenario names it.
  package func finding(_ message: String, notes: [String] = []) -> Finding {
    Finding(.error, message, at: range, in: source, notes: notes)
  }
}

/// Whether the rules of scenarios may be programs.
package enum ProgramAcceptance: Hashable, Sendable {
  /// They may.
  case accepted
  /// They are an error, told with its reason and with what helps.
  case refused(String, notes: [String])

  /// What holds where nobody starts programs.
  package static let nobodyStarts = ProgramAcceptance.refused(
    "a rule that is a program cannot be started here", notes: [])
}

extension ScenarioReader {
  /// Reads a rule that is a program.
  mutating func program(_ value: JSONValue, _ fields: inout FieldReader) -> KeepUpPolicy {
    var policy = KeepUpPolicy()
    policy.rule = .external
    if fields.contains(HeuristicKeys.rule) {
      fields.error("'rule' cannot be combined with 'program'", at: "rule")
    }
    let words = fields.optional(HeuristicKeys.program) ?? []
    let timeout = fields.value(of: HeuristicKeys.timeout)
    fields.read(HeuristicKeys.askEvery, into: &policy.externalRuleInterval)
    let hasPath = words.first?.isEmpty == false
    if !hasPath, value.kind == .array {
      findings.error(
        "'program' needs the path of a program", at: value, notes: [#"as in ["./my-rule.sh"]"#])
    }
    if words.contains(where: { $0.utf8.contains(0) }) {
      findings.error("'program' has a word with a zero byte", at: value)
    } else if case .refused(let reason, let notes) = acceptance {
      findings.error(reason, at: value, notes: notes)
    } else if hasPath {
      noteProgram(words[0], value)
    }
    program = ExternalProgram(words, timeout: timeout, at: value.range, in: findings.source)
    return policy
  }

  /// Looks the program up; with its digest a replay knows whether it is still the same.
  private mutating func noteProgram(_ path: String, _ value: JSONValue) {
    switch loader.load(path, findings.source.path) {
    case .failure(let problem):
      findings.error("the program '\(path.excerpt)' \(problem.reason)", at: value)
    case .success(let file):
      var fingerprint = Fingerprint()
      fingerprint.mix(bytes: file.bytes)
      let input = InputFile(path: path, digest: fingerprint.value)
      if !links.inputs.contains(input) { links.inputs.append(input) }
    }
  }
}
