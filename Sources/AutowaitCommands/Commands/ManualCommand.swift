/// `autowait manual`: the page for `man`.
enum ManualCommand {
  /// The word for the reference of scenarios.
  private static let scenario = "scenario"

  static let command = Command(
    name: "manual", operands: "[scenario]", operandsMin: 0,
    summary: "Prints a manual page",
    about: """
      Prints the help of all commands as one page for man(1). With the word scenario it prints \
      the reference of all keys of scenarios and experiments, in Markdown.
      """,
    options: [],
    examples: [
      ("autowait manual | man -l -", "Shows the page, if man can read from a pipe."),
      ("autowait manual > /usr/local/share/man/man1/autowait.1", "Installs the page."),
      ("autowait manual scenario", "Prints all keys of scenarios and experiments."),
    ],
    operandWords: { OperandWords(words: $0.isEmpty ? [scenario] : []) },
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    switch arguments.operands {
    case []: console.write(ManualPage.text)
    case [scenario]: console.write(document: KeyReference.article)
    default:
      throw Command.UsageError(
        message: "'autowait manual' accepts only '\(scenario)'", notes: [command.seeHelp])
    }
    return .fine
  }
}
