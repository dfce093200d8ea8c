import Autowait
import AutowaitScenario

/// Runs scenarios whose rules may be programs.
struct ScenarioRunner {
  /// The files from which programs are started.
  let files: ScenarioFiles
  /// How scenarios are run.
  let pace: Simulation.Pace

  /// A finding in the place of an error.
  struct Failure: Error {
    let finding: Finding
  }

  /// Creates a runner that starts programs from some files.
  init(_ files: ScenarioFiles, pace: Simulation.Pace = .fast) {
    self.files = files
    self.pace = pace
  }

  /// Runs a scenario for what it came to; its records are those that this needs, or all.
  func summary(of scenario: Scenario) throws(Failure) -> RunResult {
    if scenario.programs.allSatisfy({ $0 == nil }) {
      return ScenarioRun.summary(scenario, pace: pace)
    }
    return try run(scenario)
  }

  /// Runs a scenario to its end, or to the first answer that does not come.
  func run(
    _ scenario: Scenario, samplesAt instants: [Instant] = [], keepsRecords: Bool = true
  ) throws(Failure) -> RunResult {
    if scenario.programs.allSatisfy({ $0 == nil }) {
      return keepsRecords
        ? ScenarioRun.run(scenario, samplesAt: instants, pace: pace)
        : ScenarioRun.rerun(scenario, samplesAt: instants, pace: pace)
    }
    precondition(files.programs == .started, "a program that nobody has allowed")
    do throws(RuleFailure) {
      var rule = try ProcessRule(scenario.programs, of: scenario.path, files)
      defer { rule.end() }
      return try ScenarioRun.run(
        scenario, asking: &rule, samplesAt: instants, keepsRecords: keepsRecords, pace: pace)
    } catch {
      guard let program = scenario.programs[error.player] else {
        preconditionFailure("a failure of a player without a program")
      }
      throw Failure(finding: program.finding(error.message, notes: error.notes))
    }
  }
}
