import AutowaitExperiment
import AutowaitRendering
import AutowaitScenario

/// `autowait recipe`: prints a script that runs an experiment in shards on an engine that exists.
enum RecipeCommand {
  private static let shards = Option("--shards", value: "N", "Splits the experiment into N shards")
  private static let out = Option(
    "--out", value: "DIR", "Writes the shards to DIR; default: NAME.shards")

  private static let names = Recipe.Engine.allCases.map(\.rawValue)

  static let command = Command(
    name: "recipe", operands: "ENGINE EXPERIMENT", operandsMin: 2, operandsMax: 2,
    summary: "Prints a script that runs an experiment on many machines",
    about: """
      Prints a script for ENGINE: \(names.joined(separator: ", ")). Comments in it explain each \
      step. A shard file appears complete or not at all, and has the same content on every \
      machine, so you can restart the script after any failure. 'autowait merge' lists what is \
      missing.

      As a rule of thumb, use several times as many shards as processors, but few enough that \
      each takes at least half a minute.
      """,
    options: [shards, out, CompareCommand.seeds, .set, .allowPrograms, .root],
    examples: [
      ("autowait recipe xargs x.json --shards 16 | bash", "Runs the experiment on this machine."),
      ("autowait recipe slurm x.json --shards 500 > x.sbatch", "Writes a job array for Slurm."),
    ],
    operandWords: { OperandWords(words: $0.isEmpty ? names : [], orFile: $0.count == 1) },
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let (word, path) = (arguments.operands[0], arguments.operands[1])
    guard let engine = Recipe.Engine(rawValue: word) else {
      throw Command.UsageError(
        unknown: "unknown engine", word, among: names, list: "the engines are: ",
        shownBy: "autowait recipe --help")
    }
    guard let count = try arguments.number(shards, in: 1...Int64(Shard.countMax)) else {
      throw Command.UsageError(
        message: "'autowait recipe' needs the number of shards", notes: ["give it: --shards 16"])
    }
    let limits = engine.shardLimits
    guard limits.contains(Int(count)) else {
      throw Command.UsageError(
        message: "'\(word)' takes \(limits.lowerBound) to \(limits.upperBound) shards, not \(count)"
      )
    }
    let seedCount = try arguments.count(CompareCommand.seeds, in: 1...1_000_000_000_000)
    let files = ScenarioFiles(
      root: try arguments.root(), programs: try arguments.programs(console),
      changes: try arguments.changes())
    let (plan, findings) = files.readExperiment(path, seedCount: seedCount)
    console.report(findings)
    guard let plan else { return .invalid }
    let recipe = Recipe(
      engine: engine, experiment: path, shards: Int(count),
      folder: arguments.value(out) ?? "\(ShardFiles.stem(of: path)).shards",
      sessions: plan.sessionCount,
      options: (seedCount.map { ["--seeds", "\($0)"] } ?? [])
        + plan.changes.flatMap { [Option.set.name, $0] }
        + (arguments.value(.root).map { ["--root", $0] } ?? []),
      allowsPrograms: plan.namesPrograms)
    console.write(data: Array(recipe.text.utf8))
    if plan.unitCount < Int(count) {
      console.report([
        Finding(
          .warning, "there are only \(Plural.text(plan.unitCount, "unit")) for \(count) shards",
          path: path)
      ])
    }
    return .fine
  }
}
