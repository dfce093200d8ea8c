import AutowaitScenario

extension Option {
  static let set: Option = {
    var option = Option(
      "--set", value: "PATH=VALUE",
      "Puts VALUE into each scenario at PATH, as in 'link.rate=3 Mbit/s' or 'script[1].at=8'; may "
        + "be given again")
    option.isRepeatable = true
    return option
  }()

  static let run: Option = {
    var option = Option(
      "--run", value: "NAME",
      "Takes the run NAME of a scenario that varies, and not all of them; may be given again")
    option.isRepeatable = true
    return option
  }()
}

extension Arguments {
  /// Returns what is to be changed in each scenario.
  func changes() throws(Command.UsageError) -> [ScenarioChange] {
    var changes: [ScenarioChange] = []
    for text in values(.set) {
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
