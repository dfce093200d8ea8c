import Autowait
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
  /// Whether the scenario is made smaller.
  let shrinks: Bool

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
    guard var scenario = scenario(found, files, console) else { return .invalid }
    let isShrunk = shrinks && !plan.namesPrograms
    if isShrunk {
      console.message(told)
      guard let shrunk = shrunk(scenario, found, files, console) else { return .invalid }
      scenario = shrunk
    }
    guard let output else {
      console.write(data: scenario)
      if !isShrunk { console.message(told) }
      return .fine
    }
    guard isSound(scenario, output, files, console) else { return .invalid }
    if Files.store([(output, scenario)], console) != .fine { return .invalid }
    let root = arguments.value(.root).map { " --root \(Path.quoted($0))" } ?? ""
    if !isShrunk { console.message(told) }
    let programs = plan.namesPrograms ? " \(Option.allowPrograms.name)" : ""
    let call = "\(Path.quoted(output))\(programs)\(root)"
    console.message("\(output): written; play it with: autowait run \(call)")
    console.message("keep it as a test with: autowait test \(call) --update")
    return .fine
  }

  /// Returns the scenario that was found, as it is to be printed or kept.
  private func scenario(
    _ found: WorstNetwork, _ files: ScenarioFiles, _ console: Console
  ) -> [UInt8]? {
    guard let output else { return found.scenario(contestant, of: plan) }
    return found.scenario(contestant, of: plan) { NamedPath.path($0, of: $1, from: output) }
  }

  /// Returns the smallest scenario in which the contestant, as it is, stalls as long, or starts as
  /// late if it does not stall; it expects what it then shows.
  private func shrunk(
    _ bytes: [UInt8], _ found: WorstNetwork, _ files: ScenarioFiles, _ console: Console
  ) -> [UInt8]? {
    var files = files
    files.changes = []
    let source = SourceText(path: output ?? plan.path, bytes: bytes)
    guard let root = Findings(source).parseJSON() else { return nil }
    let subject = ShrinkSubject(path: source.path, draft: Draft(root), files: files)
    guard
      var shrinking = ScenarioShrinking(subject, keep: found.stallCount > 0 ? .stall : .startup)
    else { return bytes }
    shrinking.fixedKeys = ["name", "seed", "heuristic", "player", "players"]
    let meter = ProgressMeter(console, word: "scenario")
    let shrunk = shrinking.shrunk { meter.tell($0) }
    console.clearProgress()
    for line in ShrinkSummary(shrinking, shrunk).lines { console.message(line) }
    var draft = shrunk.draft
    let metrics = ScenarioRun.summary(shrunk.scenario).metrics[0]
    draft["expect"] = .array(
      WorstNetwork.expected.map { metric in
        let number = metric.measured(in: metrics)?.number ?? 0
        let seconds = "\(number.fixedPoint(1_000_000_000)) s"
        return [
          "metric": .string(metric.rawValue),
          "==": metric.unit == .time ? .string(seconds) : Draft(number),
        ]
      })
    return Array(draft.text.utf8)
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
