import AutowaitExperiment
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// Finds the network on which a contestant does worst, and prints it as a scenario or keeps it in a
/// file.
struct WorstSearch {
  let plan: ExperimentPlan
  let contestant: Int
  /// The file of the scenario; nil if it is printed.
  let output: String?
  let threads: Int

  /// Searches; the scenario that is written to a file is first run from there, so that what the
  /// file promises is what `autowait run` shows.
  func run(_ files: ScenarioFiles, _ arguments: Arguments, _ console: Console) -> ExitCode {
    let found: WorstNetwork
    do throws(RowError) {
      found = try WorstNetwork.worst(
        of: climbs(files, console), contestant, of: plan, files: files.experimentFiles)
      console.clearProgress()
    } catch {
      console.report([Finding(.error, error.reason, path: plan.path)])
      return .invalid
    }
    let told =
      "'\(plan.contestantName(contestant))' waits \(ComparisonTable.seconds(found.excessWait)) s "
      + "more than it had to, with \(Plural.text(Int(found.stallCount), "stall")) of "
      + "\(ComparisonTable.seconds(found.stalled)) s"
    guard let output else {
      console.write(data: found.scenario(contestant, of: plan))
      console.message(told)
      return .fine
    }
    let bytes = found.scenario(contestant, of: plan) { Self.path($0, of: $1, from: output) }
    guard isSound(bytes, output, files, console) else { return .invalid }
    if Files.store([(output, bytes)], console) != .fine { return .invalid }
    let root = arguments.value(.root).map { " --root \(Path.quoted($0))" } ?? ""
    console.message(told)
    let programs = plan.namesPrograms ? " \(Option.allowPrograms.name)" : ""
    let call = "\(Path.quoted(output))\(programs)\(root)"
    console.message("\(output): written; play it with: autowait run \(call)")
    console.message("keep it as a test with: autowait test \(call) --update")
    return .fine
  }

  /// Climbs on all threads; the first climb that fails ends the search.
  private func climbs(
    _ files: ScenarioFiles, _ console: Console
  ) throws(RowError) -> [WorstNetwork.Climb] {
    let each = WorstNetwork.trialsPerClimb
    let count = WorstNetwork.climbCount
    let meter = ProgressMeter(console, total: count * each, word: "network")
    var climbs: [WorstNetwork.Climb] = []
    try ThreadPool.stream(
      ThreadPool.Load(count: count, threads: threads, ahead: count),
      progress: { meter.tell($0 * each) }
    ) {
    } _: { [plan, contestant] _, number in
      Result { () throws(RowError) in
        try WorstNetwork.climb(number, contestant, of: plan, files: files.experimentFiles)
      }
    } _: { (climb: Result<WorstNetwork.Climb, RowError>) throws(RowError) in
      climbs.append(try climb.get())
    }
    return climbs
  }

  /// Returns a path that one file names as another one has to.
  private static func path(_ path: String, of file: String, from other: String) -> String {
    guard let there = Files.realPath(Path.folder(of: file)),
      let here = Files.realPath(Path.folder(of: other)), here != there, !Path.isAbsolute(path)
    else { return path }
    return Path.relative(Path.join(there, path), from: here)
  }

  /// Runs the scenario as it will be run from its file; tells what keeps it from that.
  private func isSound(
    _ bytes: [UInt8], _ output: String, _ files: ScenarioFiles, _ console: Console
  ) -> Bool {
    var files = files
    // What a command changes is in the scenario already.
    files.changes = []
    let (scenario, findings) = files.read(SourceText(path: output, bytes: bytes))
    guard let scenario else {
      console.report(findings)
      console.message(
        "note: the scenario would not find its files from there; write it next to '\(plan.path)'")
      return false
    }
    do throws(Finding) {
      if try ScenarioRunner(files).run(scenario).result.isAsExpected { return true }
      console.report([
        Finding(
          .error,
          "'\(plan.contestantName(contestant))' does not answer alike each time it is asked",
          path: plan.path)
      ])
    } catch {
      console.report([error])
    }
    return false
  }
}
