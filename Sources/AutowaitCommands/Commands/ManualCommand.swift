/// `autowait manual`: the page for `man`.
enum ManualCommand {
  static let command = Command(
    name: "manual", operands: "", operandsMin: 0,
    summary: "Prints a manual page",
    about: """
      Prints the help of all commands as one page for man(1).
      """,
    options: [],
    examples: [
      ("autowait manual | man -l -", "Shows the page, if man can read from a pipe."),
      ("autowait manual > /usr/local/share/man/man1/autowait.1", "Installs the page."),
    ],
    operandWords: { _ in OperandWords(words: []) },
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    if let word = arguments.operands.first {
      throw Command.UsageError(
        message: "'autowait manual' takes nothing, but was given '\(word)'",
        notes: [command.seeHelp])
    }
    console.write(ManualPage.text)
    return .fine
  }
}
