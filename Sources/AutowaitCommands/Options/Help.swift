import AutowaitRendering

/// The texts that explain the commands, at most 80 columns wide.
enum Help {
  static let columnsMax = 80

  /// The text of `autowait --help`.
  static var overview: String {
    let title = "autowait \(ToolVersion.text): "
    var text = wrapped(
      title + "replays exactly what a media player does on a bad network", indent: 0)
    text += """

      usage: autowait COMMAND …

      commands:

      """
    for command in Command.all {
      let operands = command.operands.isEmpty ? "" : " \(command.operands)"
      text += row("\(command.name)\(operands)", command.summary)
    }
    text += row("help [COMMAND]", "Explains a command; with --format json, lists all commands")
    text += """

      options:

      """
    text += row("-h, --help", "Prints this help; after a command, help for that command")
    text += row("--version", "Prints the versions of the tool and of its model, and the commit")
    text += """

      messages:
        Results go to standard output, messages to standard error. On a terminal,
        notes are wrapped to its width. Elsewhere each note is one line, for grep.

      examples:
        autowait init train
        autowait run Scenarios/demo/play-right-away.json
        autowait run Scenarios/demo/play-right-away.json --at 8.16
        autowait test
        autowait replay Scenarios/demo/play-right-away.expected.log

      """
    return text + exitCodes
  }

  /// The table of exit codes.
  static var exitCodes: String {
    var text = "\nexit codes:\n"
    for code in ExitCode.allCases { text += "  \(code.rawValue)  \(code.meaning)\n" }
    return text
  }

  /// Returns the text of a command.
  static func text(of command: Command) -> String {
    var text = wrapped("autowait \(command.name): \(command.summary)", indent: 0)
    let options = " [OPTION…]"
    let operands = command.operands.isEmpty ? "" : " \(command.operands)"
    text += "\nusage: autowait \(command.name)\(options)\(operands)\n\n"
    text += wrapped(command.about, indent: 0)
    text += "\noptions:\n"
    for option in command.allOptions {
      let short = option.name == Option.help.name ? "-h, " : ""
      text += row(short + option.usage, option.about)
    }
    text += "\nexamples:\n"
    for example in command.examples {
      text += "  \(example.call)\n" + wrapped(example.about, indent: 6)
    }
    return text + exitCodes
  }

  /// A name and its explanation, beside each other or, if the name is long, below.
  private static func row(_ name: String, _ about: String) -> String {
    let indent = 24
    let lines = wrapped(about, indent: indent)
    if name.count > indent - 4 { return "  \(name)\n\(lines)" }
    let gap = String(repeating: " ", count: indent - 2 - name.count)
    return "  \(name)\(gap)" + String(lines.dropFirst(indent))
  }

  /// Breaks a text into lines; an empty line stays one.
  private static func wrapped(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines = ""
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = margin
      for word in paragraph.split(separator: " ") {
        if line.count + 1 + word.count > columnsMax, line.count > indent {
          lines += line + "\n"
          line = margin
        }
        line += (line.count > indent ? " " : "") + word
      }
      lines += (line.count > indent ? line : "") + "\n"
    }
    return lines
  }
}
