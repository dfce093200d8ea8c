import Autowait
import AutowaitExperiment
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait compare --shard`: runs a part of an experiment and leaves it in a file.
struct ShardCall {
  static let shard = Option(
    "--shard", value: "M/N",
    "Runs shard M of N, numbered from 1; auto or auto/N asks the environment")
  static let out = Option("--out", value: "DIR", "Writes the shard to a file in DIR, atomically")

  static let about = """
    With --out, runs only a shard, one of N equal parts, and writes its rows to \
    DIR/NAME.M-of-N.ndjson for 'autowait merge'. An existing shard is kept, so you can repeat a \
    call at any time; files of other experiments are not changed. Without --shard, or with auto, \
    the environment selects the shard: \(ShardEnvironment.about). The shard's rows include \
    sessions that could not run. Exit code 1 means that the shard could not be written and that \
    another try can help; 2 means that it cannot.
    """

  private enum Choice {
    case given(Shard)
    case environment(count: Int?)
  }

  private let choice: Choice
  private let folder: String
  private let console: Console

  /// Reads the options; nil if the experiment is to be run whole.
  init?(_ arguments: Arguments, _ console: Console) throws(Command.UsageError) {
    let text = arguments.value(Self.shard)
    guard let folder = arguments.value(Self.out) else {
      if text == nil { return nil }
      throw Command.UsageError(
        message: "'--shard' needs a folder to write to", notes: ["give it with --out DIR"])
    }
    for option in CompareCommand.wholeOnly where arguments.has(option) {
      throw Command.UsageError(
        message: "'\(option.name)' cannot be combined with '--out'",
        notes: ["'autowait merge' prints the combined result"])
    }
    try InputGuard.check(folder: folder, for: "'\(Self.out.name)'")
    self.folder = folder
    self.console = console
    choice = try Self.choice(text)
  }

  private static func choice(_ text: String?) throws(Command.UsageError) -> Choice {
    guard let text, text != "auto" else { return .environment(count: nil) }
    if let shard = Shard(text) { return .given(shard) }
    if text.hasPrefix("auto/"), let last = Shard("1/" + text.dropFirst(5)) {
      return .environment(count: last.count)
    }
    throw Command.UsageError(
      message: "'--shard' must be a number and how many there are, not '\(text)'",
      notes: [
        "as 3/8: the third of eight shards; there are at most \(Shard.countMax)",
        "auto/8 takes the number of the shard from the environment",
      ])
  }

  /// Makes the shard, unless it is there.
  func run(
    _ path: String, seedCount: Int?, threads: Int?, files: ScenarioFiles
  ) throws(Command.UsageError) -> ExitCode {
    let shard: Shard
    switch choice {
    case .given(let given): shard = given
    case .environment(let count):
      do throws(ShardEnvironment.EngineProblem) {
        shard = try ShardEnvironment.shard(of: count, console.environment.variable)
      } catch {
        console.refuse(error.reason, notes: error.notes)
        return .invalid
      }
    }
    guard
      let experiment = ShardedExperiment(
        path, seedCount: seedCount, files: files, report: console.report)
    else { return .invalid }
    let target = Path.join(folder, ShardFiles.name(of: path, shard))
    try InputGuard(option: Self.out.name, output: target).check(inputs: [path] + experiment.loaded)
    do throws(Files.SystemProblem) {
      try Files.makeFolders(folder)
    } catch {
      console.report([Finding(.error, "the folder \(error.reason)", path: folder)])
      // What is in the way of the folder is there at the next try, too.
      return Files.kind(of: folder) == nil ? .differs : .invalid
    }
    // A shard may be there already, and beside it what workers that were killed left of it.
    TemporaryFile.removeStale(in: folder)
    switch Existing(target, experiment, shard) {
    case .valid(let rows):
      console.message("\(target): is there already, with \(Plural.text(rows, "row"))")
      return .fine
    case .foreign(let reason):
      console.report([
        Finding(
          .error, "the file \(reason)", path: target,
          notes: ["it may be a result of yours: choose another folder, or remove the file"])
      ])
      return .invalid
    case .damaged(let reason):
      console.message("\(target): is made again: \(reason)")
    case .absent: break
    }
    return make(shard, experiment, threads: threads, target)
  }

  private func make(
    _ shard: Shard, _ experiment: ShardedExperiment, threads: Int?, _ target: String
  ) -> ExitCode {
    let plan = experiment.plan
    let units = shard.units(of: plan.unitCount)
    let meter = ProgressMeter(
      console, total: units.count * plan.contestantCount, word: "session")
    do throws(Files.SystemProblem) {
      let file = try GrowingFile(for: target)
      let trailer = try experiment.write(
        units, shard: shard, threads: threads ?? console.environment.processorCount,
        progress: { meter.tell($0 * plan.contestantCount) }
      ) { line throws(Files.SystemProblem) in try file.write(line) }
      try file.finish()
      console.message("\(target): \(Plural.text(trailer.rows, "row"))")
      return .fine
    } catch {
      // Somebody else who made the same shard may have put it in its place.
      if case .valid = Existing(target, experiment, shard) { return .fine }
      console.report([Finding(.error, "the file \(error.reason)", path: target)])
      return .differs
    }
  }

  /// What is there already.
  private enum Existing {
    case absent
    case valid(rows: Int)
    case damaged(String)
    case foreign(String)

    init(_ path: String, _ experiment: ShardedExperiment, _ shard: Shard) {
      if Files.kind(of: path) == nil {
        self = .absent
        return
      }
      let sections: [ShardFiles.Section]
      do throws(Files.SystemProblem) {
        switch try ShardFiles.sections(path) {
        case .success(let found): sections = found
        case .failure(let place):
          self = .damaged(place.text)
          return
        }
      } catch {
        self = .damaged("it \(error.reason)")
        return
      }
      guard sections.count == 1, let trailer = sections.first?.trailer else {
        self = .damaged("it has more than one shard")
        return
      }
      if let reason = trailer.foreignness(to: experiment) {
        self = .foreign(reason)
      } else if trailer.shard != shard || !trailer.fits(experiment.plan) {
        self = .damaged("it is another shard")
      } else {
        self = .valid(rows: trailer.rows)
      }
    }
  }
}
