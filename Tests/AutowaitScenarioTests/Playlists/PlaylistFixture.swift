import Autowait
import AutowaitScenario
import Testing

/// Short ways to write playlists, read them and say what was found.
enum PlaylistFixture {
  /// A media playlist of some lines; the first of them is the third of the text.
  static func media(_ lines: String...) -> String {
    (["#EXTM3U", "#EXT-X-TARGETDURATION:6"] + lines + [""]).joined(separator: "\n")
  }

  /// A multivariant playlist of some lines; the first of them is the second of the text, and a
  /// variant follows them.
  static func multivariant(_ lines: String...) -> String {
    (["#EXTM3U"] + lines + ["#EXT-X-STREAM-INF:BANDWIDTH=1", "v", ""]).joined(separator: "\n")
  }

  static func source(_ text: String) -> SourceText { SourceText(path: "a/x.m3u8", text: text) }

  /// What a reader says of a text, each finding in a line, with its notes behind it.
  static func findings(
    _ text: String, _ context: PlaylistContext = PlaylistContext()
  ) -> [String] {
    PlaylistReader.read(source(text), context).findings.map(short)
  }

  static func short(_ finding: Finding) -> String {
    let place = finding.line > 0 ? "\(finding.line):\(finding.column): " : ""
    return place + finding.severity.rawValue + ": " + finding.message
      + finding.notes.map { " [\($0)]" }.joined()
  }

  /// Reads a media playlist about which there is nothing to say.
  static func readMedia(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> MediaPlaylist {
    let (playlist, findings) = PlaylistReader.read(source(text))
    #expect(findings.map(short) == [], sourceLocation: sourceLocation)
    guard case .media(let media) = try #require(playlist, sourceLocation: sourceLocation) else {
      throw WrongKind()
    }
    return media
  }

  /// Reads a multivariant playlist about which there is nothing to say.
  static func readMultivariant(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> MultivariantPlaylist {
    let (playlist, findings) = PlaylistReader.read(source(text))
    #expect(findings.map(short) == [], sourceLocation: sourceLocation)
    guard case .multivariant(let multivariant) = try #require(playlist) else { throw WrongKind() }
    return multivariant
  }

  private struct WrongKind: Error {}
}
