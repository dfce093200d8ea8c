import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// The command-line tool.
package enum AutowaitCommand {
  /// The version of the tool.
  package static let version = ToolVersion.text

  /// Runs the tool in this process; returns the code to exit with.
  ///
  /// The first argument is the name that the tool was called by.
  package static func main(_ arguments: [String]) -> Int32 {
    CommandEnvironment.prepareProcess()
    // An option is no path that begins with a dash.
    let words = arguments.map { word in
      let name = word.drop { $0 == "-" }
      return name.isEmpty ? word : word.prefix { $0 == "-" } + Path.quoted(String(name))
    }
    CrashReport.install(version: version, call: words.joined(separator: " ").printable)
    StatusSignal.install()
    if let argument = CommandEnvironment.argumentThatIsNoText {
      let console = Console(.process)
      console.refuse(
        "the argument \(Path.quoted(argument)) is not UTF-8",
        notes: ["files whose names are not UTF-8 cannot be named; rename them"])
      return ExitCode.invalid.rawValue
    }
    return run(Array(arguments.dropFirst()), in: .process)
  }

  /// Runs the tool in an environment; returns the code to exit with.
  package static func run(_ arguments: [String], in environment: CommandEnvironment) -> Int32 {
    let console = Console(environment)
    // Before the arguments are understood, for some messages are about them.
    console.messageColor = Console.ColorChoice(in: arguments)
    var code: ExitCode
    do throws(Command.UsageError) {
      code = try dispatch(arguments, console)
    } catch {
      console.refuse(error.message, notes: error.notes)
      code = .invalid
    }
    console.flush()
    console.clearProgress()
    if let problem = console.outputProblem {
      console.refuse("the results cannot be written: \(problem)")
      code = code.combined(with: .invalid)
    }
    return code.rawValue
  }

  private static func dispatch(
    _ arguments: [String], _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    guard let word = arguments.first else {
      throw Command.UsageError(message: "a command is missing", notes: [seeHelp])
    }
    let rest = Array(arguments.dropFirst())
    switch word {
    case "-h", "--help":
      console.write(Help.overview)
      return .fine
    case "--version":
      for line in ToolVersion.lines { console.line(line) }
      return .fine
    case "help": return try help(rest, console)
    default:
      let command = try find(word)
      let options = try Arguments(rest, of: command)
      if options.asksForHelp {
        console.write(Help.text(of: command))
        return .fine
      }
      return try command.run(options, console)
    }
  }

  private static func help(
    _ arguments: [String], _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    if arguments.first?.hasPrefix("--format") == true {
      guard arguments == ["--format", "json"] || arguments == ["--format=json"] else {
        throw Command.UsageError(message: "'autowait help' takes '--format json' and no other")
      }
      console.write(data: Help.json)
    } else if let word = arguments.first, word != "-h", word != "--help", word != "help" {
      console.write(Help.text(of: try find(word)))
    } else {
      console.write(Help.overview)
    }
    return .fine
  }

  private static func find(_ word: String) throws(Command.UsageError) -> Command {
    if let command = Command.all.first(where: { $0.name == word }) { return command }
    let kind = word.utf8.first == UInt8(ascii: "-") ? "option" : "command"
    let names =
      kind == "option" ? ["--help", "--version"] : Command.all.map(\.name) + ["help"]
    var notes: [String]
    if ["version", "-V", "-v"].contains(word) {
      notes = ["did you mean '--version'?"]
    } else if word.hasSuffix(".json") {
      notes = ["did you mean 'autowait run \(Path.quoted(word))'?"]
    } else {
      notes = NearestWord.hint(for: word, among: names)
      if notes.isEmpty { notes = [seeHelp] }
    }
    throw Command.UsageError(message: "unknown \(kind) '\(word)'", notes: notes)
  }

  private static let seeHelp = "'autowait --help' shows the commands"
}
