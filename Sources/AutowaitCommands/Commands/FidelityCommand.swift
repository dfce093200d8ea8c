import Autowait
import AutowaitFidelity
import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait fidelity`: how true simulations are to recorded players.
enum FidelityCommand {
  private static let rules = Option(
    "--rules", "Judges the rules of players by decisions of their own code")
  private static let only = Option(
    "--only", value: "TEXT", "Looks at the recordings alone whose names contain TEXT")
  private static let requests = Option(
    "--requests", "Shows each request of streams, with when it was made and when it had come")
  private static let leaveOneOut = Option(
    "--leave-one-out",
    "Chooses what was measured of players again without each shape of link, and tries it there")
  private static let brief = Option("--brief", "Prints the tables alone")
  private static let json = Option("--json", "Prints an object in a line for each recording")
  private static let html = Option(
    "--html", value: "FILE",
    "Also writes a page with both sessions of each recording on one axis of time")

  static let command = Command(
    name: "fidelity", operands: "DIR", operandsMin: 1,
    summary: "Holds simulations against recordings of real players",
    about: """
      DIR holds recordings in the format player-timeline/1, in its folder 'timelines' or by \
      themselves, the maps of their media, and in 'cases' what is known of each. Plays every one \
      again with the heuristic of its player: over the rates as they were planned, over what had \
      arrived by when, and with a naive player that begins with the first frame and goes on with \
      the next. A recording without planned rates, as browsers make them, is judged by what \
      arrived. Prints what a viewer sees of both sessions, simulated / recorded, and what is \
      wrong; then how many are met within the tolerances of their class, by player, and how many \
      requests of streams are in order and in time.

      The first column has a tick for a recording that is met, a cross for one that is not, and a \
      dot for one that does not count, since the machine was too busy. 'a repeat' says how often \
      one repeat of a recording would have passed for a simulation of another. Ends with 2 if a \
      recording cannot be used; the others are compared all the same.

      With --leave-one-out it asks whether numbers that were measured on recordings hold on \
      others: it chooses those of each player again, from a half to twice what is in use, without \
      the recordings of one shape of link, which is the third part of their names, and counts how \
      many of those are met then.

      With --rules, DIR holds decisions that the players' own code made, a folder for each player. \
      Takes the rule that simulations run through each session, whatever it answers, and prints \
      for each player how many decisions are equal, how many changes of variant are met, how many \
      requests are given up within a millisecond and for the same variant, and how often the \
      estimate is that of the player.
      """,
    options: [rules, only, requests, leaveOneOut, brief, json, html, .color],
    examples: [
      ("autowait fidelity recordings", "Judges all recordings of a folder."),
      (
        "autowait fidelity recordings --only hlsjs --requests",
        "Shows what hls.js asked for, and when."
      ),
      ("autowait fidelity recordings --html page.html", "Draws both sessions of each recording."),
      ("autowait fidelity --rules decisions", "Judges the rules of all players."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    guard arguments.operands.count == 1, let folder = arguments.operands.first else {
      throw Command.UsageError(
        message: "'autowait fidelity' takes one folder", notes: ["several are several calls"])
    }
    let output = arguments.value(html)
    try InputGuard(option: html.name, output: output).checkIsName()
    if arguments.has(rules) {
      if let other = [only, requests, leaveOneOut, brief, json, html].first(where: arguments.has) {
        throw Command.UsageError(message: "'\(other.name)' cannot be combined with '--rules'")
      }
      return judgeRules(folder, console)
    }
    if arguments.has(leaveOneOut),
      let other = [requests, brief, json, html].first(where: arguments.has)
    {
      throw Command.UsageError(
        message: "'\(other.name)' cannot be combined with '--leave-one-out'")
    }
    guard let names = recordings(in: folder, console) else { return .invalid }
    let report = report(names, folder, only: arguments.value(only), console)
    for problem in report.problems { console.message("error: \(problem)") }
    if report.rows.isEmpty {
      if report.problems.isEmpty { console.message("error: \(nothing(folder, arguments))") }
      return .invalid
    }
    if arguments.has(leaveOneOut) {
      let style = arguments.style(console)
      console.write(
        FidelityRendering.text(LeaveOneOut(report), style: style), keepsPaint: style.usesColor)
    } else if arguments.has(json) {
      for row in report.rows { console.write(data: FidelityJSON.line(row)) }
    } else {
      let style = arguments.style(console)
      console.write(
        FidelityRendering.text(report, detail(arguments), style: style),
        keepsPaint: style.usesColor)
    }
    let code = report.problems.isEmpty ? ExitCode.fine : .invalid
    guard let output else { return code }
    return code.combined(with: Files.store([(output, FidelityPage.html(report))], console))
  }

  private static func detail(_ arguments: Arguments) -> FidelityRendering.Detail {
    if arguments.has(requests) { return .requests }
    return arguments.has(brief) ? .tables : .recordings
  }

  private static func nothing(_ folder: String, _ arguments: Arguments) -> String {
    let name = arguments.value(only).map { ", whose name contains \(Path.quoted($0))" } ?? ""
    return "there is no recording in \(Path.quoted(folder))\(name)"
  }

  /// The files of a folder, by their paths from there; nil if it cannot be read.
  private static func recordings(in folder: String, _ console: Console) -> [String]? {
    do throws(Files.SystemProblem) {
      return try Files.list(folder) { $0.hasSuffix(".json") }.map {
        String($0.dropFirst(folder.hasSuffix("/") ? folder.count : folder.count + 1))
      }
    } catch {
      console.message("error: the folder \(Path.quoted(folder)) \(error.reason)")
      return nil
    }
  }

  private static func report(
    _ names: [String], _ folder: String, only: String?, _ console: Console
  ) -> FidelityReport {
    let reader = RecordingReader { path throws(RecordingProblem) in
      try bytes(Path.join(folder, path), named: path)
    }
    let cases = Set(names.filter { $0.hasPrefix("cases/") })
    let wanted = names.filter { name in
      (name.hasPrefix("timelines/") || !name.contains("/"))
        && (only.map { name.contains($0) } ?? true)
    }
    let meter = ProgressMeter(console, total: wanted.count, word: "recording")
    var report = FidelityReport()
    for (number, name) in wanted.enumerated() {
      let casePath = "cases/" + (name.split(separator: "/").last.map(String.init) ?? name)
      do throws(RecordingProblem) {
        report.add(
          try reader.recording(name, casePath: cases.contains(casePath) ? casePath : nil))
      } catch {
        report.note(error)
      }
      meter.tell(number + 1)
    }
    return report
  }

  private static func judgeRules(_ folder: String, _ console: Console) -> ExitCode {
    guard let names = recordings(in: folder, console) else { return .invalid }
    var report = RuleReport()
    for name in names {
      do throws(RecordingProblem) {
        let path = Path.join(folder, name)
        report.add(try RuleCaseReader.read(path, try bytes(path, named: path)))
      } catch {
        report.note(error)
      }
    }
    for problem in report.problems { console.message("error: \(problem)") }
    if report.rows.isEmpty {
      console.message("error: there is no case in \(Path.quoted(folder))")
      return .invalid
    }
    for line in RuleRendering.lines(report) { console.line(line) }
    return report.problems.isEmpty ? .fine : .invalid
  }

  private static func bytes(
    _ path: String, named name: String
  ) throws(RecordingProblem) -> [UInt8] {
    do throws(Files.SystemProblem) {
      return try Files.read(path)
    } catch {
      throw RecordingProblem(name, error.reason)
    }
  }
}
