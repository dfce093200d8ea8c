import Autowait
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait shrink`: the smallest scenario that still shows something, to be sent with a report.
enum ShrinkCommand {
  private static let keep = Option(
    "--keep", value: "N|stall|startup|EVENT",
    "What the scenario must still show: the result of its Nth expectation, a stall, a late start, "
      + "or an event of the log; default: stall"
  ).offering(words)
  /// What can be kept, but for expectations, which have numbers.
  private static let words = ["stall", "startup"] + Event.names
  private static let output = Option(
    "--output", value: "FILE", "Writes the scenario to FILE, or prints it if FILE is -")

  static let command = Command(
    name: "shrink", operands: "FILE", operandsMin: 1, operandsMax: 1,
    summary: "Prints the smallest scenario that still shows a stall or a result",
    about: """
      FILE is a scenario, a log or a recording; - is standard input. Leaves out of the scenario \
      all that can be left out: steps, players, samples of the link, variants, segments, traffic, \
      failures, expectations; makes the run and the media shorter and numbers rounder; and runs \
      each of these scenarios to see whether it still shows what --keep says.

      A stall, or a late start, is kept if the longest one stays of the same order of magnitude, \
      and ends if it did. An expectation stays met or missed, and is missed on the same side: a \
      figure that was too high does not become too low. What is missed because something does not \
      happen still has a run that ends alike.

      Prints a scenario from which nothing more can be removed. Names of files are replaced by a \
      few values where that is enough. The result is the same every time. Rules that are programs \
      are not run.
      """,
    options: [keep, output, .run, .set, .root],
    examples: [
      (
        "autowait shrink Scenarios/complaints/segment-abandon-cascade.json",
        "Prints the smallest scenario with such a stall."
      ),
      ("autowait shrink x.json --keep 2", "Keeps the result of the second expectation."),
      ("autowait shrink x.log --keep startup --output small.json", "Keeps a late start."),
      ("autowait shrink x.json --set link=nlc/3g", "Shrinks it on another network."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let keep = try kept(arguments)
    guard arguments.values(.run).count < 2 else {
      throw Command.UsageError(
        message: "'autowait shrink' shrinks one run of one file",
        notes: ["see 'autowait shrink --help'"])
    }
    let output = arguments.output(output)
    let path = arguments.operands[0]
    try InputGuard(option: Self.output.name, output: output).check(inputs: [path])
    var choice = RunReading.RunChoice(path: path, run: arguments.value(.run))
    choice.changes = try arguments.changes()
    let files = ScenarioFiles(root: try arguments.root())
    switch ShrinkSubject.read(choice, files, console) {
    case .failure(let problem):
      console.report(problem.findings)
      return .invalid
    case .success(let subject):
      guard let shrinking = ScenarioShrinking(subject, keep: keep) else {
        console.report([nothing(keep, subject)])
        return .invalid
      }
      return write(shrinking, to: output, console)
    }
  }

  private static func kept(_ arguments: Arguments) throws(Command.UsageError) -> KeptThing {
    guard let text = arguments.value(keep) else { return .stall }
    if let kept = KeptThing(text) { return kept }
    throw Command.UsageError(
      message: "'\(keep.name)' cannot keep '\(text)'",
      notes: NearestWord.hint(
        for: text, among: words,
        orElse: "it is the number of an expectation, from 1 on, 'stall', 'startup', or an event of "
          + "'autowait list events'"))
  }

  /// Says that a run does not show what is to be kept.
  private static func nothing(_ keep: KeptThing, _ subject: ShrinkSubject) -> Finding {
    let message: String
    switch keep {
    case .stall: message = "no player stalls in this run"
    case .startup: message = "no player waits to start in this run"
    case .event(let name): message = "there is no event '\(name)' in this run"
    case .expectation(let number):
      let count = subject.read(subject.draft).scenario?.expectations.count ?? 0
      message =
        "there is no expectation \(number): the scenario has "
        + (count == 0 ? "none" : Plural.text(count, "expectation"))
    }
    return Finding(
      .error, message, path: subject.path,
      notes: ["'\(Self.keep.name)' says what a smaller scenario must still show"])
  }

  private static func write(
    _ shrinking: ScenarioShrinking, to output: String?, _ console: Console
  ) -> ExitCode {
    let meter = ProgressMeter(console, word: "scenario")
    let shrunk = shrinking.shrunk { meter.tell($0) }
    console.clearProgress()
    let named = shrinking.subject.paths(in: shrunk.draft, from: output)
    let bytes = Array(named.text.utf8)
    if let output {
      if Files.store([(output, bytes)], console) != .fine { return .invalid }
    } else {
      console.write(data: bytes)
    }
    for line in ShrinkSummary(shrinking, shrunk).lines { console.message(line) }
    if let output { console.message("\(output): written") }
    return shrunk.isDone ? .fine : .cutOff
  }
}
