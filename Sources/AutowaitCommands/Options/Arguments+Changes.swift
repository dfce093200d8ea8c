import AutowaitScenario

extension Option {
  static let set: Option = {
    var option = Option(
      "--set", value: "PATH=VALUE",
      "Sets PATH in each scenario, or in the base of an experiment, to VALUE, as in "
        + "'link.rate=3 Mbit/s' or 'script[1].at=8'; can be repeated")
    option.isRepeatable = true
    return option
  }()

  static let run: Option = {
    var option = Option(
      "--run", value: "NAME",
      "Runs only the run NAME of a scenario with several runs; can be repeated")
    option.isRepeatable = true
    return option
  }()
}

extension Path {
  /// Returns the options of a call that makes changes, each with a space before it.
  static func options(settingChanges changes: [String]) -> String {
    changes.map { " \(Option.set.name) \(quoted($0))" }.joined()
  }
}

extension Arguments {
  /// Returns what is to be changed in each scenario.
  func changes() throws(Command.UsageError) -> [ScenarioChange] {
    try Self.changes(values(.set))
  }

  /// Reads changes.
  static func changes(_ texts: [String]) throws(Command.UsageError) -> [ScenarioChange] {
    var changes: [ScenarioChange] = []
    for text in texts {
      switch ScenarioChange.read(text, for: Option.set.name) {
      case .success(let change): changes.append(change)
      case .failure(let finding):
        throw Command.UsageError(
          message: "'\(Option.set.name) \(text)': \(finding.message)", notes: finding.notes)
      }
    }
    return changes
  }
}
