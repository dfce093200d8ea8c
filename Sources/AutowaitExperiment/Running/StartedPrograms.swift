import Autowait
import AutowaitScenario

/// The programs of one run that are rules: they are asked until the run is over, and then ended.
package struct StartedPrograms: ExternalRule {
  private let ask: (RuleQuestion) throws(RuleFailure) -> RuleAnswer
  private let stop: () -> Void

  /// Creates it from what asks the programs and what ends them.
  package init(
    ask: @escaping (RuleQuestion) throws(RuleFailure) -> RuleAnswer, end: @escaping () -> Void
  ) {
    (self.ask, stop) = (ask, end)
  }

  /// Asks the program of the player that has a question.
  package func answer(_ question: RuleQuestion) throws(RuleFailure) -> RuleAnswer {
    try ask(question)
  }

  /// Ends the programs.
  func end() { stop() }
}

extension ExperimentPlan {
  /// Does something with the programs of a scenario, and ends them then; without programs, or
  /// somebody who starts them, nothing is there to be asked.
  ///
  /// Every session starts its own, so that none can depend on what ran before it, or beside it.
  func withPrograms<Value>(
    _ programs: [ExternalProgram?], _ files: ExperimentFiles,
    _ body: (inout StartedPrograms) throws(RuleFailure) -> Value
  ) throws(RowError) -> Value {
    do throws(RuleFailure) {
      guard let start = files.programs, programs.contains(where: { $0 != nil }) else {
        var none = StartedPrograms(
          ask: { question throws(RuleFailure) in
            throw RuleFailure("the rule is not built in", player: question.player)
          }, end: {})
        return try body(&none)
      }
      let bases = programs.map { origin(of: $0?.words.first ?? "", namedIn: path) }
      var started = try start(programs, bases).get()
      defer { started.end() }
      return try body(&started)
    } catch {
      // What else helps is for who looks at one run, and not for each of many.
      throw RowError(([error.message] + error.notes.prefix(1)).joined(separator: "; "))
    }
  }

  /// Returns the scenario of a session, whose expectations stand where the base has them; with an
  /// error among the findings there is none.
  package func scenario(
    of key: SessionKey, files: ExperimentFiles
  ) -> (scenario: Scenario?, findings: [Finding]) {
    let unit = unit(of: key)
    let composition = composition(contestant: contestant(of: key), world: unit.world)
    var read = ScenarioReader.read(
      composition.source, loader: files.loader(of: self), seed: unit.seed,
      programs: files.acceptance)
    let places = base.member("expect").map { Array($0.elements) } ?? []
    if let count = read.scenario?.expectations.count, count == places.count {
      for (index, place) in places.enumerated() {
        let line = place.source.position(of: place.range.lowerBound).line
        read.scenario?.expectations[index].line = line
      }
    }
    return (read.scenario, read.findings.map { composition.traced($0) })
  }

  /// Returns what a session came to, with all that happened in it, for somebody who wants to look
  /// at it closely; nil if it cannot be run.
  ///
  /// It is run once more for how it stood at some instants, since only a run tells which.
  package func result(
    of key: SessionKey, files: ExperimentFiles, samplesAt instants: (RunResult) -> [Instant]
  ) -> (result: RunResult, samples: [RunResult.Sample])? {
    guard let scenario = scenario(of: key, files: files).scenario else { return nil }
    let first = try? withPrograms(scenario.programs, files) { rule throws(RuleFailure) in
      var recorder = AnswerRecorder(rule)
      return (try ScenarioRun.run(scenario, asking: &recorder), recorder.answers)
    }
    guard let (result, answers) = first else { return nil }
    var rule = RecordedAnswers(answers)
    let again = try? ScenarioRun.run(
      scenario, asking: &rule, samplesAt: instants(result), keepsRecords: false)
    return again.map { (result, $0.samples) }
  }
}
