import AutowaitRendering
import AutowaitScenario

extension Help {
  /// The version of the format of the JSON output.
  private static let formatVersion: Int64 = 1

  /// All commands with their options, for programs: `autowait help --format json`.
  static var json: [UInt8] {
    JSONWriter.line { writer in
      writer.field("version", formatVersion)
      writer.field("tool", text: ToolVersion.text)
      writer.objects("commands", Command.all) { write($1, into: &$0) }
      writer.objects("exitCodes", ExitCode.allCases) { writer, code in
        writer.field("code", Int64(code.rawValue))
        writer.field("meaning", text: code.meaning)
      }
    }
  }

  private static func write(_ command: Command, into writer: inout JSONWriter) {
    writer.field("name", text: command.name)
    writer.field("operands", text: command.operands)
    writer.field("summary", text: command.summary)
    writer.field("about", text: command.about)
    writer.objects("options", command.allOptions) { writer, option in
      writer.field("name", text: option.name)
      if let value = option.value { writer.field("value", text: value) }
      if option.isValueOptional { writer.field("isValueOptional", true) }
      if !option.choices.isEmpty {
        writer.array("choices", option.choices) { $0.string(text: $1) }
      }
      if option.isRepeatable { writer.field("isRepeatable", true) }
      writer.field("about", text: option.about)
    }
    writer.objects("examples", command.examples) { writer, example in
      writer.field("call", text: example.call)
      writer.field("about", text: example.about)
    }
  }
}
