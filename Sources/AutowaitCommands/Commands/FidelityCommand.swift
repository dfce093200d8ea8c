import Autowait
import AutowaitFidelity
import AutowaitFiles
import AutowaitInference
import AutowaitRendering
import AutowaitScenario

/// `autowait fidelity`: how true simulations are to recorded players.
enum FidelityCommand {
  private static let rules = Option(
    "--rules", "Compares rules with decisions made by players' own code")
  private static let only = Option(
    "--only", value: "TEXT", "Compares only recordings whose names contain TEXT")
  private static let requests = Option(
    "--requests", "Shows when each request was made and completed")
  private static let leaveOneOut = Option(
    "--leave-one-out",
    "Fits players' values without each shape of link, and tests them on it")
  private static let whatIf = Option(
    "--whatif",
    "Predicts each session from what another player's session over the same link shows")
  private static let brief = Option("--brief", "Prints only the tables")
  private static let json = Option(
    "--json", "Prints one JSON object per line for each recording, and one with the totals")
  private static let html = Option(
    "--html", value: "FILE",
    "Also writes a page that shows both sessions of each recording on one time axis")

  static let command = Command(
    name: "fidelity", operands: "DIR", operandsMin: 1, operandsMax: 1,
    summary: "Compares simulations with recordings of real players",
    about: """
      DIR contains recordings in the format player-timeline/1, either directly or in a folder \
      'timelines', the byte maps of their media, and in 'cases' what is known about each \
      recording. Simulates each session in three ways: over the planned rates of its link, over a \
      link that delivers what was recorded when it was recorded, and with a naive player that \
      starts with the first frame and resumes with the next. A recording without planned rates, \
      such as one made in a browser, is judged by the second. Prints what a viewer sees in both \
      sessions, simulated / recorded, and what is wrong. Then prints how many sessions are within \
      the tolerances of their class, for each player, and how many requests were made in the same \
      order and at the same time. Freezes of pictures count where a case says which there were; \
      after an outage they are those over what was recorded.

      The first column has a tick for a session within its tolerances, a cross for one that is \
      not, and a dot for one that does not count because the recording machine was too busy. 'a \
      repeat' is how often one recording of a case would pass as a simulation of another. Ends \
      with 2 if a recording cannot be used; the others are still compared.

      --leave-one-out tests whether values fitted to recordings hold for other recordings. For \
      each shape of link (the third part of a recording's name), it fits each player's values \
      again without that shape, choosing from half to twice the value in use, and counts how many \
      recordings of that shape are then within their tolerances.

      --whatif takes the recordings as ordered pairs of different players over one schedule. It \
      infers the link from the requests of the first, plays the second on 32 such links, and \
      compares download times, startup and stalls with what was recorded, and also shows the \
      planned schedule, responses spread evenly, observed throughput and raw arrivals. It says \
      which of the figures asked of inferred links are met.

      With --rules, DIR contains decisions made by players' own code, one folder per player. Runs \
      each session through the rule that simulations use and prints, for each player, how many \
      decisions are equal, how many changes of variant occur at the same segment, how many \
      requests are given up within a millisecond and for the same variant, and how often the \
      estimate is equal.
      """,
    options: [rules, only, requests, leaveOneOut, whatIf, brief, json, html, .color],
    examples: [
      ("autowait fidelity recordings", "Compares all recordings in a folder."),
      (
        "autowait fidelity recordings --only hlsjs --requests",
        "Shows what hls.js requested, and when."
      ),
      ("autowait fidelity recordings --html page.html", "Draws both sessions of each recording."),
      (
        "autowait fidelity recordings --whatif",
        "Tests how well one player's session predicts another's."
      ),
      ("autowait fidelity --rules decisions", "Compares the rules of all players."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let folder = arguments.operands[0]
    let output = arguments.value(html)
    try InputGuard(option: html.name, output: output).checkIsName()
    if arguments.has(rules) {
      if let other = [only, requests, leaveOneOut, whatIf, brief, json, html].first(
        where: arguments.has)
      {
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
    if arguments.has(whatIf),
      let other = [requests, leaveOneOut, brief, json, html].first(where: arguments.has)
    {
      throw Command.UsageError(message: "'\(other.name)' cannot be combined with '--whatif'")
    }
    guard let names = recordings(in: folder, console) else { return .invalid }
    if arguments.has(whatIf) {
      return judgeWhatIf(names, folder, only: arguments.value(only), console)
    }
    let guardian = InputGuard(option: html.name, output: output)
    try guardian.check(inputs: names.map { Path.join(folder, $0) })
    var report = FidelityReport()
    let loaded = read(names, folder, only: arguments.value(only), console) { reading in
      switch reading {
      case .success(let recording): report.add(recording)
      case .failure(let problem): report.note(problem)
      }
    }
    try guardian.check(inputs: loaded)
    console.report(report.problems.map { RecordingProblem(Path.join(folder, $0.path), $0.reason) })
    if report.rows.isEmpty {
      if !report.problems.isEmpty { return .invalid }
      console.refuse(nothing(folder, arguments))
      return .nothing
    }
    if arguments.has(leaveOneOut) {
      let style = arguments.style(console)
      console.write(
        FidelityRendering.text(LeaveOneOut(report), style: style), keepsPaint: style.usesColor)
    } else if arguments.has(json) {
      for row in report.rows { console.write(data: FidelityJSON.line(row)) }
      console.write(data: FidelityJSON.totals(report))
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
    if Files.kind(of: folder) == .file {
      console.refuse(
        "\(Path.quoted(folder)) is a file; 'autowait fidelity' takes the folder that it is in",
        notes: ["--only chooses recordings in it by their names"])
      return nil
    }
    do throws(Files.SystemProblem) {
      // The paths of files in the folder '.' do not begin with it.
      let start = folder.hasSuffix("/") ? folder : folder + "/"
      var paths = try Files.list(folder) { $0.hasSuffix(".json") }
      // Folders of recordings may be links to where they are kept; those in these are not entered.
      for name in try Files.siblings(folder) {
        let path = Path.join(folder, name)
        if Files.isLink(path), Files.kind(of: path) == .folder {
          paths += try Files.list(path) { $0.hasSuffix(".json") }
        }
      }
      return paths.map { $0.hasPrefix(start) ? String($0.dropFirst(start.count)) : $0 }
        .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    } catch {
      console.refuse("the folder \(Path.quoted(folder)) \(error.reason)")
      return nil
    }
  }

  /// Reads recordings one after another; returns the paths of all files that it read.
  @discardableResult
  private static func read(
    _ names: [String], _ folder: String, only: String?, _ console: Console,
    _ take: (Result<Recording, RecordingProblem>) -> Void
  ) -> [String] {
    var loaded: [String] = []
    let reader = RecordingReader { path throws(RecordingProblem) in
      loaded.append(Path.join(folder, path))
      return try bytes(Path.join(folder, path), named: path)
    }
    let cases = Set(names.filter { $0.hasPrefix("cases/") })
    let wanted = names.filter { name in
      (name.hasPrefix("timelines/") || !name.contains("/"))
        && (only.map { name.contains($0) } ?? true)
    }
    let meter = ProgressMeter(console, total: wanted.count, word: "recording")
    for (number, name) in wanted.enumerated() {
      let casePath = "cases/" + (name.split(separator: "/").last.map(String.init) ?? name)
      do throws(RecordingProblem) {
        take(
          .success(try reader.recording(name, casePath: cases.contains(casePath) ? casePath : nil)))
      } catch {
        take(.failure(error))
      }
      meter.tell(number + 1)
    }
    return loaded
  }

  /// Predicts sessions from the links of others, which are inferred one by one.
  private static func judgeWhatIf(
    _ names: [String], _ folder: String, only: String?, _ console: Console
  ) -> ExitCode {
    var (recordings, problems): ([Recording], [RecordingProblem]) = ([], [])
    read(names, folder, only: only, console) { reading in
      switch reading {
      case .success(let recording) where recording.isBusy: return
      case .success(let recording): recordings.append(recording)
      case .failure(let problem): problems.append(problem)
      }
    }
    console.report(problems.map { RecordingProblem(Path.join(folder, $0.path), $0.reason) })
    let sessions = recordings.compactMap { WhatIfSession($0) }
    var report = WhatIfFidelity()
    for recording in recordings {
      let others = sessions.filter { WhatIfFidelity.isPair(recording, $0.recording) }
      if others.isEmpty { continue }
      report.add(recording, WhatIfFidelity.inferred(recording, seed: 1), predicting: others)
    }
    if report.pairs == 0 {
      if !problems.isEmpty { return .invalid }
      console.refuse("there are no two recordings of different players over one schedule")
      return .nothing
    }
    for line in WhatIfFidelityText.lines(report) { console.line(line) }
    return problems.isEmpty ? .fine : .invalid
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
    console.report(report.problems)
    if report.rows.isEmpty {
      if !report.problems.isEmpty { return .invalid }
      console.refuse("there is no case in \(Path.quoted(folder))")
      return .nothing
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
