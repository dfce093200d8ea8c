import AutowaitScenario

/// `autowait check`: reads scenarios, experiments and playlists without running them.
enum CheckCommand {
  /// The version of the format of the JSON output.
  private static let formatVersion: Int64 = 1

  static let command = Command(
    name: "check", operands: "FILE…", operandsMin: 1,
    summary: "Reads scenarios, experiments and playlists without running them",
    about: """
      Tells all that is wrong with each FILE, a scenario, an experiment or a playlist of HTTP \
      Live Streaming (.m3u8), and warns of what is hardly what was meant. Ends with 2 if there \
      is an error.
      """,
    options: [.format, .root],
    examples: [
      ("autowait check Scenarios/demo/*.json", "Checks some scenarios."),
      ("autowait check prog_index.m3u8", "Checks a playlist."),
    ],
    run: run)

  private static func run(
    _ arguments: Arguments, _ console: Console
  ) throws(Command.UsageError) -> ExitCode {
    let files = ScenarioFiles(root: try arguments.root())
    let format: TextFormat = arguments.choice(.format, default: .text)
    var (invalid, errors, warnings) = (0, 0, 0)
    let object = JSONWriter.line { writer in
      writer.field("version", formatVersion)
      writer.objects("files", arguments.operands) { writer, path in
        let (isValid, findings) = files.check(path)
        if !isValid { invalid += 1 }
        errors += findings.count { $0.severity == .error }
        warnings += findings.count { $0.severity == .warning }
        if format == .text { console.report(findings) }
        writer.field("path", text: path)
        writer.field("valid", isValid)
        FindingRendering.write("findings", findings, into: &writer)
      }
      writer.field("errors", Int64(errors))
      writer.field("warnings", Int64(warnings))
    }
    if format == .json {
      console.write(data: object)
    } else {
      let counts = [
        Plural.text(arguments.operands.count, "file") + ": \(invalid) invalid",
        Plural.text(errors, "error"), Plural.text(warnings, "warning"),
      ]
      console.line(counts.joined(separator: ", "))
    }
    return invalid == 0 ? .fine : .invalid
  }
}
