import AutowaitScenario

/// `autowait manual`: the page for `man`.
enum ManualCommand {
  static let command = Command(
    name: "manual", operands: "", operandsMin: 0,
    summary: "Prints the page for man",
    about: """
      Prints all that the help says of the commands as one page in the language of man(7).
      """,
    options: [],
    examples: [
      ("autowait manual | man -l -", "Shows the page, where man reads from a pipe."),
      ("autowait manual > /usr/local/share/man/man1/autowait.1", "Installs it."),
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

/// The commands in the language of man(7).
private enum ManualPage {
  static var text: String {
    var page = """
      .TH AUTOWAIT 1 "" "autowait \(plain(ToolVersion.text))"
      .SH NAME
      autowait \\- replays exactly what a media player does on a bad network
      .SH SYNOPSIS
      .B autowait
      .I COMMAND
      [\\fIOPTION\\fR]...
      .SH COMMANDS

      """
    for command in Command.all { page += section(command) }
    page += ".SH EXIT STATUS\n"
    for code in ExitCode.allCases { page += item("\(code.rawValue)", code.meaning) }
    return page
  }

  private static func section(_ command: Command) -> String {
    let call = "autowait \(command.name)\(command.options.isEmpty ? "" : " [OPTION…]")"
    var text = ".SS \(plain("\(call) \(command.operands)"))\n\(line(command.summary + "."))"
    for paragraph in command.about.split(separator: "\n\n") {
      text += ".PP\n" + paragraph.split(separator: "\n").map { line(String($0)) }.joined()
    }
    for option in command.options {
      text += item(option.name + (option.value.map { " \($0)" } ?? ""), option.about)
    }
    if !command.examples.isEmpty { text += ".PP\nExamples:\n" }
    for example in command.examples { text += item(example.call, example.about) }
    return text
  }

  /// A name in bold, and what it means below.
  private static func item(_ name: String, _ about: String) -> String {
    ".TP\n\\fB\(plain(name))\\fR\n\(line(about))"
  }

  private static func line(_ text: String) -> String { "\(plain(text))\n" }

  /// A text that means nothing to roff: a backslash and a dash are written out, and what begins
  /// with a sign of a request is no request.
  private static func plain(_ text: String) -> String {
    var plain = ""
    for character in text {
      switch character {
      case "\\": plain += "\\e"
      case "-": plain += "\\-"
      case "…": plain += "..."
      default: plain.append(character)
      }
    }
    let isRequest = plain.utf8.first == UInt8(ascii: ".") || plain.utf8.first == UInt8(ascii: "'")
    return isRequest ? "\\&\(plain)" : plain
  }
}
