import AutowaitFiles
import AutowaitRendering
import AutowaitScenario

/// `autowait init`: writes a file to begin with.
enum InitCommand {
  private static let output = Option(
    "--output", value: "FILE", "Writes to FILE, - prints; default: NAME.json")

  private static let names = FileTemplate.all.map(\.name)

  static let command = Command(
    name: "init", operands: "[NAME]", operandsMin: 0, operandsMax: 1,
    summary: "Writes a starter scenario for a situation",
    about: """
      Writes the template NAME to NAME.json: a scenario that a person can read, with \
      expectations that are met. Without a NAME, lists the templates. A file that exists is \
      never overwritten. The article 'Cookbook' explains each template and what to change in it.
      """,
    options: [output],
    examples: [
      ("autowait init", "Lists the templates."),
      ("autowait init train", "Writes train.json."),
      ("autowait init live --output Scenarios/our-live.json", "Writes another file."),
      ("autowait init hotel-wifi --output -", "Prints the file."),
    ],
    operandWords: { OperandWords(words: $0.isEmpty ? names : []) },
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    guard let name = arguments.operands.first else {
      if arguments.has(output) {
        throw Command.UsageError(
          message: "'\(output.name)' needs the name of a template",
          notes: ["'autowait init' shows the templates"])
      }
      list(console)
      return .fine
    }
    guard let template = FileTemplate.all.first(where: { $0.name == name }) else {
      throw Command.UsageError(
        unknown: "there is no template", name, among: names, list: "the templates are: ",
        shownBy: "autowait init")
    }
    if arguments.value(output) == "-" {
      console.write(data: Array(template.text.utf8))
      return .fine
    }
    return write(template, to: arguments.value(output) ?? template.fileName, console)
  }

  private static func list(_ console: Console) {
    var page = TextPage(TextStyle(width: console.width, usesColor: false))
    for template in FileTemplate.all {
      let head = TerminalText.padded(template.name, columns: 13)
      page.paragraph([PaintedText(head)], template.summary?.firstSentence ?? "")
    }
    page.separate()
    page.line("autowait init NAME writes NAME.json")
    console.write(page.text)
  }

  private static func write(
    _ template: FileTemplate, to path: String, _ console: Console
  ) -> ExitCode {
    if Files.kind(of: path) != nil {
      console.report([
        Finding(
          .error, "the file exists, and is not overwritten", path: path,
          notes: ["name another one: autowait init \(template.name) --output FILE"])
      ])
      return .invalid
    }
    let code = Files.store([(path, Array(template.text.utf8))], console)
    guard code == .fine, let summary = template.summary else { return code }
    let file = Path.quoted(path)
    console.line("wrote \(path)")
    console.line("run it:  autowait \(summary.command) \(file)")
    if summary.form == .scenario { console.line("test it: autowait test \(file)") }
    return .fine
  }
}

extension FileTemplate {
  /// What the file says of itself.
  fileprivate var summary: FileSummary? {
    FileSummary(SourceText(path: fileName, bytes: Array(text.utf8)))
  }
}
