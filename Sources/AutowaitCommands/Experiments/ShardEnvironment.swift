import AutowaitExperiment
import AutowaitScenario

/// Finds out from the environment which shard a process is to make.
///
/// Each engine numbers its tasks in its own way; shards are numbered from one.
enum ShardEnvironment {
  /// Why there is no shard.
  struct EngineProblem: Error, Hashable {
    let reason: String
    var notes: [String] = []
  }

  /// What an engine says: the shard's number, and how many there are if it says that.
  private struct EngineShard {
    let variable: String
    let number: Int
    let count: Int?
  }

  /// The names of all variables that are read.
  static let variables = [
    "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
    "SLURM_ARRAY_TASK_COUNT", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX",
    "AWS_BATCH_JOB_ARRAY_SIZE", "CI_NODE_INDEX", "CI_NODE_TOTAL",
  ]

  /// The variables, each with what counts the tasks and the number of the first task.
  static let about = """
    SLURM_ARRAY_TASK_ID (from 1 with N given, else from SLURM_ARRAY_TASK_MIN, of \
    SLURM_ARRAY_TASK_COUNT), JOB_COMPLETION_INDEX (Kubernetes, from 0), AWS_BATCH_JOB_ARRAY_INDEX \
    (from 0, of AWS_BATCH_JOB_ARRAY_SIZE) or CI_NODE_INDEX (from 1, of CI_NODE_TOTAL)
    """

  /// Returns the shard that the environment asks for; the number of shards may be known already.
  static func shard(
    of count: Int?, _ variable: (String) -> String?
  ) throws(EngineProblem) -> Shard {
    var engineShards: [EngineShard] = []
    if let engineShard = try slurm(countIsKnown: count != nil, variable) {
      engineShards.append(engineShard)
    }
    for (name, total, first) in [
      ("JOB_COMPLETION_INDEX", nil, 0),
      ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", 0),
      ("CI_NODE_INDEX", "CI_NODE_TOTAL", 1),
    ] {
      guard let index = try number(name, variable) else { continue }
      engineShards.append(
        EngineShard(
          variable: name, number: index - first + 1,
          count: try total.flatMap { name throws(EngineProblem) in try number(name, variable) }))
    }
    guard let engineShard = engineShards.first else {
      throw EngineProblem(
        reason: "the environment does not say which shard this is",
        notes: ["it would by one of \(about)", "or give the shard: --shard 1/8"])
    }
    if engineShards.count > 1 {
      throw EngineProblem(
        reason:
          "both \(engineShard.variable) and \(engineShards[1].variable) say which shard this is",
        notes: ["give the shard: --shard 1/8"])
    }
    guard let total = count ?? engineShard.count else {
      throw EngineProblem(
        reason: "\(engineShard.variable) does not say how many shards there are",
        notes: ["give their number: --shard auto/8"])
    }
    guard let shard = Shard(engineShard.number, of: total) else {
      throw EngineProblem(
        reason: "\(engineShard.variable) asks for shard \(engineShard.number) of \(total)",
        notes: ["shards are numbered from 1; see 'autowait compare --help'"])
    }
    return shard
  }

  /// Slurm counts as the array says.
  ///
  /// An array with gaps, as one that is made again, does not say how many shards there were.
  private static func slurm(
    countIsKnown: Bool, _ variable: (String) -> String?
  ) throws(EngineProblem) -> EngineShard? {
    let name = "SLURM_ARRAY_TASK_ID"
    guard let id = try number(name, variable) else { return nil }
    if countIsKnown { return EngineShard(variable: name, number: id, count: nil) }
    guard let first = try number("SLURM_ARRAY_TASK_MIN", variable),
      let last = try number("SLURM_ARRAY_TASK_MAX", variable),
      let count = try number("SLURM_ARRAY_TASK_COUNT", variable)
    else { return EngineShard(variable: name, number: id, count: nil) }
    guard last - first + 1 == count else {
      throw EngineProblem(
        reason: "the array of Slurm has gaps, and does not say how many shards there are",
        notes: ["give their number: --shard auto/8"])
    }
    return EngineShard(variable: name, number: id - first + 1, count: count)
  }

  private static func number(
    _ name: String, _ variable: (String) -> String?
  ) throws(EngineProblem) -> Int? {
    guard let text = variable(name) else { return nil }
    guard let number = Int(text), 0...Shard.countMax ~= number else {
      throw EngineProblem(reason: "\(name) must be a whole number, not '\(text.printable)'")
    }
    return number
  }
}
