import AutowaitScenario

/// `autowait schema`: lets editors check and complete files.
enum SchemaCommand {
  /// The version of the formats of all files.
  private static let formatVersion = 1

  /// The kinds of files that have a schema.
  private static let kinds = FileKind.allCases.filter { $0.schema != nil }.map(\.rawValue)

  static let command = Command(
    name: "schema", operands: "[KIND]", operandsMin: 0, operandsMax: 1,
    summary: "Prints a JSON Schema for editors",
    about: """
      KIND is scenario, experiment, link or heuristic; default: scenario. Prints a JSON Schema, \
      draft 2020-12. A file refers to it with the key '$schema', which autowait ignores. \
      Everything that the schema rejects is an error; 'autowait check' finds more.
      """,
    options: [],
    examples: [
      ("autowait schema > autowait.schema.json", "Writes the schema of scenarios."),
      (
        #"autowait init train --output - "#
          + #"| sed '1s|{|{"$schema": "autowait.schema.json",|' > new.json"#,
        "Writes a scenario that refers to it."
      ),
      ("autowait schema experiment", "Prints the schema of experiments."),
    ],
    operandWords: { before in
      OperandWords(words: before.isEmpty ? kinds : [])
    },
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let word = arguments.operands.first ?? FileKind.scenario.rawValue
    guard let kind = FileKind(rawValue: word), let schema = kind.schema else {
      throw Command.UsageError(
        unknown: "there is no schema of", word, among: kinds, list: "there are schemas of: ")
    }
    let title = kind.subject.prefix(1).uppercased() + kind.subject.dropFirst() + " of autowait"
    let id = "urn:autowait:schema:\(kind.rawValue):\(formatVersion)"
    console.write(data: SchemaWriter.write(schema, id: id, title: title))
    return .fine
  }
}
