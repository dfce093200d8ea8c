import Autowait
import AutowaitFidelity
import AutowaitFiles
import AutowaitInference
import AutowaitRendering
import AutowaitScenario

/// `autowait infer`: the hidden link of a recorded session.
enum InferCommand {
  /// What links are inferred for.
  private enum InferredTier: String, CaseIterable {
    case fluid, packet, ideal
  }

  private static let tier = Option(
    "--tier", choices: InferredTier.allCases.map(\.rawValue),
    "Infers links to be played in this tier; packet knows that senders resume after an outage "
      + "when their timers say so; default: fluid")
  private static let output = Option(
    "--output", value: "FILE",
    "Writes all links to FILE as JSON, or prints them if FILE is -")
  private static let best = Option(
    "--best", value: "FILE", "Writes the most likely link to FILE, as scenarios read it")

  static let command = Command(
    name: "infer", operands: "LOG", operandsMin: 1, operandsMax: 1,
    summary: "Infers the hidden link of a user's recorded session",
    about: """
      LOG is what was recorded of a session: an HTTP archive, Common Media Client Data of a \
      server, metric events of AVFoundation, or a recording of 'autowait fidelity'. Draws links of \
      few changes on which the recorded requests end when they did, and prints the most likely \
      one, with the range of 8 links in 10, and how well each request fits.

      Requests not in progress when the link changed reveal nothing about it: with --output, \
      'seen' has the times about which the log says something. Each of 'best' and 'samples' is a \
      link as scenarios have it. Equal seeds give equal bytes on any machine.

      An access log has no requests, and a file that was loaded by a single request only its mean: \
      neither says when a link changed.
      """,
    options: [
      LogCall.from, LogCall.mediaFile, tier, LogCall.samples, LogCall.seed, LogCall.steps, output,
      best, .format, .color,
    ],
    examples: [
      ("autowait infer page.har", "Shows the link that a page was loaded over."),
      ("autowait infer page.har --output links.json", "Writes 32 links that it may have been."),
      ("autowait infer page.har --best link.json", "Writes the most likely link."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let path = arguments.operands[0]
    for option in [output, best] {
      try InputGuard(option: option.name, output: arguments.value(option)).check(inputs: [path])
    }
    let call = try LogCall(arguments)
    let logs: [SessionLog]
    do throws(RecordingProblem) {
      logs = try call.read(path)
    } catch {
      console.report([error])
      return .invalid
    }
    var code = ExitCode.fine
    var files: [(path: String, bytes: [UInt8])] = []
    for log in logs {
      guard let links = call.links(of: log, model(arguments)) else {
        let problem = RecordingProblem(
          log.name, "has no transfer with a size and an end, which a link is inferred from")
        console.report([problem])
        code = code.combined(with: .invalid)
        continue
      }
      files = write(links, of: log, arguments, console)
    }
    return files.isEmpty ? code : code.combined(with: Files.store(files, console))
  }

  private static func model(_ arguments: Arguments) -> LinkModel {
    switch arguments.choice(tier, default: InferredTier.fluid) {
    case .fluid: LinkModel(.transport)
    case .packet: LinkModel(.transport, recoversByTimer: true)
    case .ideal: LinkModel(.ideal)
    }
  }

  /// Prints links, and returns the files that they are to be written to; those of the last of
  /// several sessions stay.
  private static func write(
    _ links: InferredLinks, of log: SessionLog, _ arguments: Arguments, _ console: Console
  ) -> [(path: String, bytes: [UInt8])] {
    var files: [(path: String, bytes: [UInt8])] = []
    let all = JSONWriter.text { links.write(of: log, into: &$0) } + "\n"
    let format: TextFormat = arguments.choice(.format, default: .text)
    let file = arguments.value(output)
    if format == .json || file == "-" {
      console.write(data: Array(all.utf8))
    } else {
      let style = arguments.style(console)
      console.write(links.text(of: log, style: style), keepsPaint: style.usesColor)
    }
    if let file, file != "-" { files.append((file, Array(all.utf8))) }
    if let file = arguments.value(best) {
      let one = JSONWriter.text { links.write(links.best, into: &$0) } + "\n"
      files.append((file, Array(one.utf8)))
    }
    return files
  }
}
