import Autowait
import AutowaitScenario

/// Reads scenarios about a link, with files that a row gives.
enum LinkFixture {
  /// Reads a scenario whose link is a text in JSON.
  static func read(
    _ link: String, _ fields: String = "", files: [String: String] = [:], lints: Bool = false,
    seed: UInt64? = nil
  ) -> (scenario: Scenario?, findings: [Finding]) {
    let text = """
      {"link":\(link),
       \(fields.isEmpty ? "" : fields + ",")"media":{"kind":"local","duration":1},\
      "script":[{"at":0,"do":"load"}]}
      """
    let loader = FileLoader { path, _ in
      files[path].map { .success(SourceText(path: path, text: $0)) }
        ?? .failure(FileLoader.FileProblem("does not exist"))
    }
    return ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: loader, seed: seed, lints: lints)
  }

  /// Returns the findings about a link, as they are printed.
  static func messages(
    _ link: String, _ fields: String = "", files: [String: String] = [:], lints: Bool = false
  ) -> String {
    read(link, fields, files: files, lints: lints).findings.map(\.rendered)
      .joined(separator: "\n")
  }

  /// Returns a chance in a million.
  static func chance(_ millionths: Int64) -> Probability {
    Probability(billionths: millionths * 1_000)
  }
}
