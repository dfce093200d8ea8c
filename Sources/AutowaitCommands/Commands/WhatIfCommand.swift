import Autowait
import AutowaitFidelity
import AutowaitFigures
import AutowaitFiles
import AutowaitInference
import AutowaitRendering
import AutowaitScenario

/// `autowait whatif`: how other rules would have done in a session that was recorded.
enum WhatIfCommand {
  /// The names of rules.
  private static let ruleNames = RecordedPlayer.names + Heuristic.all.map(\.name)
  static let player = Option(
    "--player", value: "NAME",
    "The rule of the recorded player; default: that of the player that the log names"
  ).offering(ruleNames)
  private static let rule: Option = {
    var option = Option(
      "--rule", value: "RULE",
      "Plays this rule, such as media3 or fixed:start=8s, or as a scenario spells it; repeatable"
    ).offering(ruleNames)
    option.isRepeatable = true
    return option
  }()
  private static let buffer = Option(
    "--buffer", value: "TIME", "Loads TIME ahead at most; default: what each rule does")
  private static let variant = Option(
    "--variant", value: "N",
    "Plays variant N, counted from 0, in all segments; default: those that were recorded")
  private static let playAt = Option(
    "--play-at", value: "TIME",
    "Plays TIME after the first request; default: when the recorded player was told to play")
  private static let svg = Option(
    "--svg", value: "FILE", "Also draws the session under all rules into FILE")
  private static let html = Option(
    "--html", value: "FILE", "Also writes a page with that picture and the answer")
  static let csv = Option("--csv", "Prints one line of CSV per session and rule")

  static let command = Command(
    name: "whatif", operands: "LOG…", operandsMin: 1,
    summary: "Says how other rules would have done in a user's recorded session",
    about: """
      LOG is what was recorded of a session: an HTTP archive (har), a server's log with Common \
      Media Client Data of version 1 (cmcd1), its events of version 2 (cmcd2), metric events \
      (avmetrics) or an access log (accesslog) of AVFoundation, or a recording of 'autowait \
      fidelity' (timeline). The command draws links on which the recorded requests take as long \
      as they did, keeps those on which the recorded player does what it did, plays each RULE on \
      all of them, and prints startup and stalls, as medians with the range of 8 links in 10, the \
      difference to the recorded rule on the same links, and for each stall on how many links a \
      rule avoids it. Only the time up to the last byte of the log counts, since nothing is known \
      of the link after it.

      LOG can also be a folder of logs, or several: then prints what the rules would have done in \
      all sessions together. With --out, each session is written to a file in DIR as soon as it is \
      answered, and a repeated call resumes where it stopped; --shard runs a part of the logs, and \
      a call without it puts the parts together.

      First the rule of the recorded player is played. If that does not reproduce the session, the \
      command says which request differs most, and ends with 1: the rule is not the player's, or \
      the log does not say enough. Addresses, headers and cookies of the log reach no output.
      """,
    options: [
      rule, player, LogCall.from, LogCall.mediaFile, buffer, variant, playAt, LogCall.samples,
      LogCall.seed, LogCall.steps, LogCall.keepURLs, .format, csv, svg, html, ShardCall.shard,
      ShardCall.out, CompareCommand.jobs, .color,
    ],
    examples: [
      (
        "autowait whatif page.har --player hls.js --rule media3",
        "Asks whether media3's rule would have avoided the stall."
      ),
      (
        "autowait whatif session.json --rule fixed:start=8s",
        "Asks about a rule with numbers of its own."
      ),
      (
        "autowait whatif logs --rule media3 --csv > sessions.csv",
        "Asks about a folder of sessions, and makes a table."
      ),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let call = try WhatIfCall(arguments)
    let operands = arguments.operands
    for option in [svg, html] {
      try InputGuard(option: option.name, output: arguments.value(option)).check(inputs: operands)
    }
    let isFleet =
      operands.count > 1 || operands.contains { Files.kind(of: $0) == .folder }
      || [csv, ShardCall.shard, ShardCall.out].contains(where: arguments.has)
    if isFleet { return try WhatIfFleet(call, arguments, console).run(operands) }
    let path = operands[0]
    let logs: [SessionLog]
    do throws(RecordingProblem) {
      logs = try call.logs.read(path)
    } catch {
      console.report([error])
      return .invalid
    }
    var code = ExitCode.fine
    for log in logs {
      if log.requests.isEmpty {
        console.report([
          RecordingProblem(
            log.name, "cannot carry the question: it has sums of what came, and no requests")
        ])
        code = code.combined(with: .differs)
        continue
      }
      do throws(RecordingProblem) {
        let answer = try call.answer(log)
        if !answer.report.refit.isReproduced { code = code.combined(with: .differs) }
        write(answer.report, arguments, console)
        code = code.combined(with: try draw(answer, arguments, console))
      } catch {
        console.report([error])
        code = code.combined(with: .invalid)
      }
    }
    return code
  }

  /// Draws a session that was reproduced; the last one of several stays.
  private static func draw(
    _ answer: WhatIfCall.Answer, _ arguments: Arguments, _ console: Console
  ) throws(RecordingProblem) -> ExitCode {
    let wishes = [svg, html].filter(arguments.has)
    if wishes.isEmpty || !answer.report.refit.isReproduced { return .fine }
    let chart = try WhatIfPicture.chart(answer.report, answer.stage)
    var files: [(path: String, bytes: [UInt8])] = []
    if let path = arguments.value(svg) { files.append((path, chart.figure.svg(FigureStyle()))) }
    if let path = arguments.value(html) {
      files.append((path, WhatIfPicture.html(answer.report, chart)))
    }
    return Files.store(files, console)
  }

  private static func write(
    _ report: WhatIfReport, _ arguments: Arguments, _ console: Console
  ) {
    let format: TextFormat = arguments.choice(.format, default: .text)
    switch format {
    case .json: console.write(data: WhatIfJSON.line(report))
    case .text:
      let style = arguments.style(console)
      console.write(WhatIfText.text(report, style: style), keepsPaint: style.usesColor)
    }
  }

  /// The options that say what is asked.
  static let asked = [rule, player, buffer, variant, playAt]

  /// Returns the rules that are asked about, with what else is to differ.
  static func rules(
    _ arguments: Arguments, isStream: Bool
  ) throws(Command.UsageError) -> [RuleChoice] {
    let texts = arguments.values(rule)
    if texts.isEmpty {
      throw Command.UsageError(
        message: "no rule given",
        notes: ["--rule names one; 'autowait list heuristics' has them all"])
    }
    var rules: [RuleChoice] = []
    for text in texts {
      var choice = try named(text, isStream: isStream, rule)
      choice.buffer = try arguments.time(buffer)
      choice.variant = try arguments.count(variant, in: 0...1_000)
      choice.play = try arguments.instant(playAt)
      rules.append(choice)
    }
    return rules
  }

  /// Returns a rule by its name, or as JSON.
  static func named(
    _ text: String, isStream: Bool, _ option: Option
  ) throws(Command.UsageError) -> RuleChoice {
    if let choice = RuleChoice(named: text, isStream: isStream) { return choice }
    if let choice = RuleChoice(spelled: text) {
      if let flaw = choice.flaw {
        throw Command.UsageError(message: "'\(option.name) \(text.excerpt)' is not a rule: \(flaw)")
      }
      return choice
    }
    throw Command.UsageError(
      message: "'\(option.name)' must be a rule, not '\(text.excerpt)'",
      notes: NearestWord.notes(
        for: text, among: ruleNames, list: "the rules are: ", shownBy: "autowait list heuristics"))
  }
}

/// What a call of `autowait whatif` asks about each of its logs.
struct WhatIfCall: Sendable {
  private let arguments: Arguments
  /// How its logs are read.
  let logs: LogCall
  private let player: String?

  init(_ arguments: Arguments) throws(Command.UsageError) {
    self.arguments = arguments
    logs = try LogCall(arguments)
    player = arguments.value(WhatIfCommand.player)
    // Wrong names are said before anything is read.
    _ = try WhatIfCommand.rules(arguments, isStream: true)
    if let player { _ = try WhatIfCommand.named(player, isStream: true, WhatIfCommand.player) }
  }

  /// What is asked, as a digest: results that were kept are those of one question.
  var digest: String {
    var fingerprint = Fingerprint()
    let words = WhatIfCommand.asked.flatMap { [$0.name] + arguments.values($0) }
    fingerprint.mix(bytes: Array(words.joined(separator: "\n").utf8))
    fingerprint.mix(
      logs.digest, UInt64(SimulationModel.version), UInt64(LinkInference.version), 0)
    return String(fingerprint.value, radix: 16)
  }

  /// What came of a session, and how it is played.
  struct Answer: Sendable {
    let report: WhatIfReport
    let stage: SessionStage
  }

  /// Infers the links of a session, and plays all rules on them.
  func answer(_ log: SessionLog) throws(RecordingProblem) -> Answer {
    guard let stage = SessionStage(log) else {
      throw RecordingProblem(
        log.name, "does not say what was played: --media names a playlist or a scenario")
    }
    guard let name = player ?? log.player else {
      throw RecordingProblem(
        log.name, "does not say which player it is of: --player names its rule")
    }
    let isStream = log.medium?.isStream ?? true
    let (recorded, rules): (RuleChoice, [RuleChoice])
    do throws(Command.UsageError) {
      recorded = try WhatIfCommand.named(name, isStream: isStream, WhatIfCommand.player)
      rules = try WhatIfCommand.rules(arguments, isStream: isStream)
    } catch {
      throw RecordingProblem(log.name, error.message)
    }
    if let variant = rules.lazy.compactMap(\.variant).first, variant >= stage.variantCount {
      throw RecordingProblem(
        log.name, "has no variant \(variant): they are 0 to \(stage.variantCount - 1)")
    }
    guard let links = logs.links(of: log, CandidateLink.model, perSample: Misfit.drawnPerKept)
    else {
      throw RecordingProblem(log.name, "has no transfer with a size and an end")
    }
    return Answer(
      report: try WhatIfReport(
        stage, recorded: recorded, rules: rules, on: CandidateLink.all(links),
        keeping: 1 + logs.sampleCount),
      stage: stage)
  }
}
