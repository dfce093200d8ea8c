import Autowait
import AutowaitScenario
import Testing

/// Reads streams whose playlists lie in a few texts.
struct HLSFolderFixture {
  /// The files by their paths from the scenario.
  var files: [String: String]

  var loader: FileLoader {
    let files = files
    return FileLoader { path, _ in
      files[path].map { .success(SourceText(path: path, text: $0)) }
        ?? .failure(FileLoader.FileProblem("does not exist"))
    }
  }

  /// Reads a scenario with a stream that has some fields.
  func read(_ media: String) -> (scenario: Scenario?, findings: [Finding]) {
    let text = """
      {"link":{"rate":"2 Mbit/s"},"until":"20 s","media":{\(media)},\
      "script":[{"at":0,"do":"load"},{"at":0,"do":"play"}]}
      """
    return ScenarioReader.read(SourceText(path: "a.json", text: text), loader: loader)
  }

  /// Returns what is said of a stream, a line each.
  func messages(_ media: String = #""playlist":"m.m3u8""#) -> [String] {
    read(media).findings.flatMap { finding in
      let place = finding.line > 0 ? "\(finding.path):\(finding.line): " : ""
      return ["\(place)\(finding.severity): \(finding.message)"]
        + finding.notes.map { "note: \($0)" }
    }
  }

  /// Returns a stream that must be right.
  func streamMedia(_ media: String = #""playlist":"m.m3u8""#) throws -> StreamMedia {
    let (scenario, findings) = read(media)
    #expect(scenario != nil, "\(findings.map(\.rendered))")
    return try #require(scenario?.world.players[0].media[0].streamMedia)
  }

  /// A multivariant playlist of one variant.
  static let multivariant = """
    #EXTM3U
    #EXT-X-STREAM-INF:BANDWIDTH=800000
    v/a.m3u8

    """

  /// A media playlist with some lines before its segments of 4 s.
  static func media(_ lines: String...) -> String {
    "#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + lines.joined(separator: "\n") + "\n#EXT-X-ENDLIST\n"
  }
}
