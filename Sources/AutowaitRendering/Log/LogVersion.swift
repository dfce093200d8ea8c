import Autowait
import AutowaitScenario

/// Which tool and which model made a log.
///
/// A log does not name the commit: two builds of one version give equal bytes.
package struct LogVersion: Hashable, Sendable {
  /// The version of the tool; nil in logs from before they named it.
  package var tool: String?
  /// The version of the model; nil in such logs.
  package var model: Int64?

  /// What made the logs of this build.
  package static let current = LogVersion(tool: ToolVersion.text, model: SimulationModel.version)

  private init(tool: String?, model: Int64?) { (self.tool, self.model) = (tool, model) }

  /// Reads what the header of a log says, and reports what cannot be.
  package init(_ header: JSONValue, _ findings: Findings? = nil) {
    let (tool, model) = (header.member("autowaitVersion"), header.member("modelVersion"))
    self.tool = tool?.string
    if case .exact(let number)? = model?.decimal?.integer(scaledBy: 1) { self.model = number }
    if let tool, self.tool == nil {
      findings?.error("'autowaitVersion' must be a string", at: tool)
    }
    if let model, self.model == nil {
      findings?.error("'modelVersion' must be a whole number", at: model)
    }
  }

  /// Writes the members of the header.
  func write(into writer: inout JSONWriter) {
    if let tool { writer.field("autowaitVersion", text: tool) }
    if let model { writer.field("modelVersion", model) }
  }

  /// The members as they stand in a header, behind others.
  package var text: String {
    let members = JSONWriter.text { writer in writer.object { write(into: &$0) } }
    return members == "{}" ? "" : "," + members.dropFirst().dropLast()
  }

  /// What to know before a log is compared with a run of this build; nil if one model made both.
  package var warning: (message: String, notes: [String])? {
    let own = SimulationModel.version
    // The first version is that of the logs which name none.
    let made = model ?? 1
    if made == own { return nil }
    let said = "the log was made by model version \(made), and this is version \(own)"
    if made < own { return ("\(said): what happens may have changed", []) }
    let notes = tool.map { ["autowait \($0) or a newer version has that model"] } ?? []
    return ("\(said), which is older: what happens may differ", notes)
  }
}
