import Autowait
import AutowaitScenario

/// Which version of the tool this is.
package enum ToolVersion {
  /// The number of the product.
  package static let text = "0.1.0"

  /// What made a page, in a few words.
  ///
  /// As in logs, there is no commit: two builds of one version give equal bytes.
  package static let words = ["autowait \(text)", "model version \(SimulationModel.version)"]

  /// What `autowait --version` prints, line by line.
  package static var lines: [String] {
    words + [ToolCommit.text.map { "commit \($0)" } ?? "development build"]
  }

  /// Writes the members by which an output says what made it.
  ///
  /// They have the commit, too: outputs of two builds are read side by side.
  package static func write(into writer: inout JSONWriter) {
    writer.field("autowaitVersion", text: text)
    writer.field("modelVersion", SimulationModel.version)
    if let commit = ToolCommit.text {
      writer.field("commit", text: commit)
    } else {
      writer.nullField("commit")
    }
  }
}
