import AutowaitScenario

extension ExperimentPlan {
  /// Returns the scenario of a session as it is run, for somebody who wants to look at it closely;
  /// nil if it is invalid.
  public func scenario(of key: SessionKey, files: ExperimentFiles) -> Scenario? {
    let unit = unit(of: key)
    let source = scenarioText(contestant: contestant(of: key), world: unit.world)
    return ScenarioReader.read(source, loader: files.loader(of: self), seed: unit.seed).scenario
  }
}
