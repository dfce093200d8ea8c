import AutowaitExperiment
import AutowaitScenario

/// Finds out from the environment which shard a process is to make.
///
/// Each engine numbers its tasks in its own way; shards are numbered from one.
enum ShardEnvironment {
  /// Why there is no shard.
  struct Problem: Error, Hashable {
    let reason: String
    var notes: [String] = []
  }

  /// What an engine says: the shard's number, and how many there are if it says that.
  private struct Claim {
    let variable: String
    let number: Int
    let count: Int?
  }

  /// The variables, each with what counts the tasks and the number of the first task.
  static let about = """
    SLURM_ARRAY_TASK_ID (from 1 with N given, else from SLURM_ARRAY_TASK_MIN, of \
    SLURM_ARRAY_TASK_COUNT), JOB_COMPLETION_INDEX (Kubernetes, from 0), AWS_BATCH_JOB_ARRAY_INDEX \
    (from 0, of AWS_BATCH_JOB_ARRAY_SIZE) or CI_NODE_INDEX (from 1, of CI_NODE_TOTAL)
    """

  /// Returns the shard that the environment asks for; the number of shards may be known already.
  static func shard(
    of count: Int?, _ variable: (String) -> String?
  ) throws(Problem) -> Shard {
    var claims: [Claim] = []
    if let claim = try slurm(countIsKnown: count != nil, variable) { claims.append(claim) }
    for (name, total, first) in [
      ("JOB_COMPLETION_INDEX", nil, 0),
      ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", 0),
      ("CI_NODE_INDEX", "CI_NODE_TOTAL", 1),
    ] {
      guard let index = try number(name, variable) else { continue }
      claims.append(
        Claim(
          variable: name, number: index - first + 1,
          count: try total.flatMap { name throws(Problem) in try number(name, variable) }))
    }
    guard let claim = claims.first else {
      throw Problem(
        reason: "the environment does not say which shard this is",
        notes: ["it would by one of \(about)", "or give the shard: --shard 1/8"])
    }
    if claims.count > 1 {
      throw Problem(
        reason: "both \(claim.variable) and \(claims[1].variable) say which shard this is",
        notes: ["give the shard: --shard 1/8"])
    }
    guard let total = count ?? claim.count else {
      throw Problem(
        reason: "\(claim.variable) does not say how many shards there are",
        notes: ["give their number: --shard auto/8"])
    }
    guard let shard = Shard(claim.number, of: total) else {
      throw Problem(
        reason: "\(claim.variable) asks for shard \(claim.number) of \(total)",
        notes: ["shards are numbered from 1; see 'autowait compare --help'"])
    }
    return shard
  }

  /// Slurm counts as the array says.
  ///
  /// An array with gaps, as one that is made again, does not say how many shards there were.
  private static func slurm(
    countIsKnown: Bool, _ variable: (String) -> String?
  ) throws(Problem) -> Claim? {
    let name = "SLURM_ARRAY_TASK_ID"
    guard let id = try number(name, variable) else { return nil }
    if countIsKnown { return Claim(variable: name, number: id, count: nil) }
    guard let first = try number("SLURM_ARRAY_TASK_MIN", variable),
      let last = try number("SLURM_ARRAY_TASK_MAX", variable),
      let count = try number("SLURM_ARRAY_TASK_COUNT", variable)
    else { return Claim(variable: name, number: id, count: nil) }
    guard last - first + 1 == count else {
      throw Problem(
        reason: "the array of Slurm has gaps, and does not say how many shards there are",
        notes: ["give their number: --shard auto/8"])
    }
    return Claim(variable: name, number: id - first + 1, count: count)
  }

  private static func number(
    _ name: String, _ variable: (String) -> String?
  ) throws(Problem) -> Int? {
    guard let text = variable(name) else { return nil }
    guard let number = Int(text), 0...Shard.countMax ~= number else {
      throw Problem(reason: "\(name) must be a whole number, not '\(text.printable)'")
    }
    return number
  }
}
