import Autowait

/// Answers questions by asking a rule, and keeps the answers.
package struct AnswerRecorder<Rule: ExternalRule>: ExternalRule {
  /// The rule that is asked.
  package var rule: Rule
  /// The answers, in the order of the questions.
  package private(set) var answers: [RuleAnswer] = []

  /// Creates a recorder without answers.
  package init(_ rule: Rule) {
    self.rule = rule
  }

  /// Asks the rule.
  package mutating func answer(_ question: RuleQuestion) throws(RuleFailure) -> RuleAnswer {
    let answer = try rule.answer(question)
    answers.append(answer)
    return answer
  }
}

/// Answers as a rule did before, so that a run can be repeated without asking the rule again.
package struct RecordedAnswers: ExternalRule {
  private var rest: ArraySlice<RuleAnswer>

  /// Creates a rule from the answers of a run, in the order of the questions.
  package init(_ answers: [RuleAnswer]) {
    rest = answers[...]
  }

  /// Returns the next answer.
  package mutating func answer(_ question: RuleQuestion) throws(RuleFailure) -> RuleAnswer {
    if let answer = rest.popFirst() { return answer }
    throw RuleFailure("more is asked than was answered before", player: question.player)
  }
}
