import Autowait
import AutowaitExperiment
import AutowaitScenario

extension ShardTrailer {
  /// Why the shard, which may be whole, is none of an experiment; nil if it is one.
  func foreignness(to asked: ShardedExperiment) -> String? {
    if changes != asked.origin.changes {
      let own = changes.isEmpty ? " no changes" : Path.options(settingChanges: changes)
      return "is a shard with other changes of the base:\(own)"
    }
    if experiment != asked.origin.digest {
      return path == asked.origin.path
        ? "was made from another version of '\(path)', or of a file that it reads"
        : "is a shard of another experiment, or of one over other files"
    }
    if modelVersion == SimulationModel.version { return nil }
    return "is of version \(modelVersion) of the model, not \(SimulationModel.version)"
  }

  /// Whether the units and rows of the shard are those that an experiment has.
  func fits(_ plan: ExperimentPlan) -> Bool {
    if units.upperBound > plan.unitCount { return false }
    if let shard, shard.units(of: plan.unitCount) != units { return false }
    let keys = plan.keys(of: units)
    return rows == keys.count
      && (keys.isEmpty || firstKey == keys.lowerBound && lastKey == keys.upperBound - 1)
  }
}
