import AutowaitRendering

/// The commands in the language of man(7).
enum ManualPage {
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
    page += ".SH OPTIONS\nEach command has these options, too.\n"
    for option in common { page += item(option.usage, option.about + ".") }
    page += ".SH EXIT STATUS\n"
    for code in ExitCode.allCases { page += item("\(code.rawValue)", code.meaning) }
    page += ".SH ENVIRONMENT\n"
    for variable in EnvironmentVariable.all { page += item(variable.name, variable.about) }
    page += ".SH FILES\n"
    for file in KnownFile.all { page += item(file.path, file.about) }
    return page
  }

  /// The options that all commands have.
  private static let common = [Option.color, .help]

  private static func section(_ command: Command) -> String {
    let call = "autowait \(command.name) [OPTION…]"
    var text = ".SS \(plain("\(call) \(command.operands)"))\n\(line(command.summary + "."))"
    for paragraph in command.about.split(separator: "\n\n") {
      text += ".PP\n" + paragraph.split(separator: "\n").map { line(String($0)) }.joined()
    }
    for option in command.allOptions where !common.contains(where: { $0.name == option.name }) {
      text += item(option.usage, option.about)
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
