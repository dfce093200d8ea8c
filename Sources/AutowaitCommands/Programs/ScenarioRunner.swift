import Autowait
import AutowaitScenario

/// Runs scenarios whose rules may be programs.
struct ScenarioRunner {
  /// The files from which programs are started.
  let files: ScenarioFiles
  /// How scenarios are run.
  let pace: Simulation.Pace
  /// Returns the file in which a program is named; nil where that is the scenario itself.
  var origin: ((_ program: String) -> String)?

  /// Creates a runner that starts programs from some files.
  init(_ files: ScenarioFiles, pace: Simulation.Pace = .fast) {
    self.files = files
    self.pace = pace
  }

  /// A run that can be repeated without asking its programs again.
  struct Played {
    /// What the run came to.
    let result: RunResult
    /// What the programs answered.
    fileprivate var answers: [RuleAnswer] = []
  }

  /// Runs a scenario for what it came to; its records are those that this needs, or all.
  func summary(of scenario: Scenario) throws(Finding) -> Played {
    scenario.asksPrograms
      ? try run(scenario) : Played(result: ScenarioRun.summary(scenario, pace: pace))
  }

  /// Runs a scenario to its end, or to the first answer that does not come.
  func run(_ scenario: Scenario, samplesAt instants: [Instant] = []) throws(Finding) -> Played {
    if !scenario.asksPrograms {
      return Played(result: ScenarioRun.run(scenario, samplesAt: instants, pace: pace))
    }
    precondition(files.programs == .started, "a program that was not allowed")
    do throws(RuleFailure) {
      let bases = scenario.programs.map { origin?($0?.words.first ?? "") ?? scenario.path }
      let rule = try ProcessRule(scenario.programs, bases: bases, files)
      var recorder = AnswerRecorder(rule)
      defer { recorder.rule.end() }
      let result = try ScenarioRun.run(
        scenario, asking: &recorder, samplesAt: instants, pace: pace)
      return Played(result: result, answers: recorder.answers)
    } catch {
      guard let program = scenario.programs[error.player] else {
        preconditionFailure("a failure of a player without a program")
      }
      throw program.finding(error.message, notes: error.notes)
    }
  }

  /// Returns how a run stood at some instants, for which it is repeated: only a run tells which
  /// instants matter.
  func samples(of run: Played, at instants: [Instant]) -> [RunResult.Sample] {
    let scenario = run.result.scenario
    if !scenario.asksPrograms {
      return ScenarioRun.rerun(scenario, samplesAt: instants, pace: pace).samples
    }
    guard let again = repeated(run, of: scenario, samplesAt: instants, keepsRecords: false) else {
      preconditionFailure("a run that is repeated asks more than it did")
    }
    return again.samples
  }

  /// Repeats a run with the answers that its programs gave; nil if it asks more than it did.
  func repeated(
    _ run: Played, of scenario: Scenario, samplesAt instants: [Instant] = [],
    keepsRecords: Bool = true
  ) -> RunResult? {
    var rule = RecordedAnswers(run.answers)
    return try? ScenarioRun.run(
      scenario, asking: &rule, samplesAt: instants, keepsRecords: keepsRecords, pace: pace)
  }
}

extension Scenario {
  /// Whether a rule of it is a program.
  var asksPrograms: Bool { programs.contains { $0 != nil } }
}
