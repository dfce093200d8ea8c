import AutowaitExperiment
import AutowaitScenario

/// What a command does with rules that are programs, which may be a stranger's.
enum ProgramUse {
  /// They are read, and nothing is run.
  case named
  /// Something would be run, and nobody has allowed that programs are started.
  case refused
  /// They are started.
  case started

  /// The variable that allows what ``Option/allowPrograms`` allows.
  static let variable = "AUTOWAIT_ALLOW_PROGRAMS"

  static let refusal =
    "the rule is a program, which is started only with '\(Option.allowPrograms.name)'"
  static let refusalNotes = [
    "it would run as you, with all that you may do; see what it is first",
    "\(variable)=1 in the environment allows it too",
    "the article 'Running what others wrote' says what the files of others can do",
  ]

  /// Whether scenarios may name programs.
  var acceptance: ProgramAcceptance {
    switch self {
    case .named, .started: .accepted
    case .refused: .refused(Self.refusal, notes: Self.refusalNotes)
    }
  }

  /// Refuses an experiment that names programs, where that is refused and no scenario that was
  /// tried has one.
  func checked(
    _ read: (plan: ExperimentPlan?, findings: [Finding])
  ) -> (plan: ExperimentPlan?, findings: [Finding]) {
    guard self == .refused, let plan = read.plan, plan.namesPrograms else { return read }
    let finding = Finding(
      .error,
      "a rule of the experiment is a program, which is started only with "
        + "'\(Option.allowPrograms.name)'", path: plan.path, notes: Self.refusalNotes)
    return (nil, read.findings + [finding])
  }
}

extension Option {
  static let allowPrograms = Option(
    "--allow-programs",
    "Starts rules that are programs, with your permissions; default: only if "
      + "\(ProgramUse.variable)=1 in the environment")
}

extension Arguments {
  /// Returns what is done with rules that are programs, by the option and the environment.
  func programs(_ console: Console) throws(Command.UsageError) -> ProgramUse {
    if has(.allowPrograms) { return .started }
    switch console.environment.variable(ProgramUse.variable) {
    case nil, "", "0": return .refused
    case "1": return .started
    case let value?:
      throw Command.UsageError(
        message: "\(ProgramUse.variable) must be 1 or 0, not '\(value)'",
        notes: ["1 allows what '\(Option.allowPrograms.name)' allows"])
    }
  }
}
