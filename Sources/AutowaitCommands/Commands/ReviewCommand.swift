import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait review` and `autowait accept`: what becomes of logs that `autowait test` kept beside
/// golden ones.
enum ReviewCommand {
  private static let about = """
    If a run differs from its golden log, 'autowait test' writes the new log next to it, as \
    x.expected.log.new. PATH is a folder, a scenario, or such a log; default: the folder \
    Scenarios, or else the current folder.
    """
  static let review = Command(
    name: "review", operands: "[PATH…]", operandsMin: 0,
    summary: "Shows how new logs differ from golden ones, and asks what to do",
    about: about + """


      Shows the first difference of each log, with the lines around it and its cause. On a \
      terminal, asks what to do: a accepts the new log, r removes it, s skips it, q quits. \
      Elsewhere, only shows the differences, and exits with 1 if there are any.
      """,
    options: [],
    examples: [("autowait review", "Reviews all new logs.")],
    run: { arguments, console in look(arguments, console) })
  static let accept = Command(
    name: "accept", operands: "[PATH…]", operandsMin: 0,
    summary: "Replaces golden logs with new ones",
    about: about + """


      Each new log becomes the golden log. Not available where CI is set. Exits with 4 if there \
      is no new log.
      """,
    options: [],
    examples: [
      ("autowait accept", "Accepts all new logs."),
      ("autowait accept Scenarios/demo", "Accepts those in one folder."),
    ],
    run: { arguments, console throws(Command.UsageError) in
      try console.refuseOnServer("autowait accept")
      return take(arguments, console)
    })

  private static func take(_ arguments: Arguments, _ console: Console) -> ExitCode {
    let paths = TestCase.paths(arguments.operands)
    guard let logs = NewLog.find(paths, console) else { return .invalid }
    if logs.isEmpty { return nothing(paths, console) }
    var count = 0
    for log in logs where log.accept(console) {
      console.line("wrote \(log.golden)")
      count += 1
    }
    console.line("\(Plural.text(count, "new log")) accepted")
    return count == logs.count ? .fine : .invalid
  }

  private static func nothing(_ paths: [String], _ console: Console) -> ExitCode {
    let places = paths.map { "'\($0)'" }.joined(separator: ", ")
    console.refuse(
      "there is no new log in \(places)",
      notes: ["'autowait test' keeps one where a run differs from its golden log"])
    return .nothing
  }

  // MARK: One by one

  /// What is done with a log.
  private enum Verdict: UInt8, CaseIterable {
    case accept = 0x61
    case reject = 0x72
    case skip = 0x73
    case quit = 0x71
  }

  private static func look(_ arguments: Arguments, _ console: Console) -> ExitCode {
    let paths = TestCase.paths(arguments.operands)
    guard let logs = NewLog.find(paths, console) else { return .invalid }
    if logs.isEmpty { return nothing(paths, console) }
    var isFine = true
    var (accepted, rejected) = (0, 0)
    var input = console.input()
    for (index, log) in logs.enumerated() {
      console.line("\(index + 1) of \(logs.count)  \(log.path)")
      do throws(Files.SystemProblem) {
        for line in try log.lines() { console.line("  \(line)") }
      } catch {
        console.report([Finding(.error, "a log here \(error.reason)", path: log.path)])
        isFine = false
        continue
      }
      guard console.environment.isInputTerminal else { continue }
      let verdict = verdict(&input, console)
      switch verdict {
      case .accept: if log.accept(console) { accepted += 1 } else { isFine = false }
      case .reject: if log.reject(console) { rejected += 1 } else { isFine = false }
      case .skip, .quit: break
      }
      if verdict == .quit { break }
    }
    let left = logs.count - accepted - rejected
    if console.environment.isInputTerminal {
      console.line("\(accepted) accepted, \(rejected) rejected, \(left) left")
    } else {
      let places = arguments.operands.map { " " + Path.quoted($0) }.joined()
      console.line(
        "\(Plural.text(left, "new log")); accept with: autowait accept\(places), "
          + "or one by one on a terminal")
    }
    if !isFine { return .invalid }
    return left == 0 ? .fine : .differs
  }

  /// Asks until there is an answer; the end of the input ends the review.
  private static func verdict(_ input: inout LineSplitter, _ console: Console) -> Verdict {
    while true {
      console.message("accept, reject, skip or quit? [a/r/s/q]")
      guard let line = try? input.next() else { return .quit }
      guard case .whole(let bytes) = line, let first = bytes.first else { continue }
      if let verdict = Verdict(rawValue: first | 0x20) { return verdict }
    }
  }
}

extension Console {
  /// Returns what the command is sent, line by line.
  fileprivate func input() -> LineSplitter {
    LineSplitter(lineMax: 4_096) { () throws(Files.SystemProblem) in
      switch self.environment.input() {
      case .bytes(let bytes): return bytes
      case .end: return []
      case .failed(let reason): throw Files.SystemProblem("cannot be read: \(reason)")
      }
    }
  }
}
