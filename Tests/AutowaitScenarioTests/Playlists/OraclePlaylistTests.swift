import AutowaitScenario
import Foundation
import Testing

/// Playlists of others against what another parser made of them.
///
/// They are read where they lie and never copied. The other parser is the package m3u8 of Python.
@Suite struct OraclePlaylistTests {
  /// The files for which this reader and the other parser differ, and why.
  enum Exception: CaseIterable {
    /// The draft wants it refused.
    case refused
    /// The other parser counts the segment behind the last one, which is not over.
    case openSegment
    /// The other parser takes a rate for the next segment alone.
    case rateInForce
    /// The other parser leaves references to variables as they are.
    case variables
    /// Both say the same.
    case none

    var files: [String] {
      switch self {
      // Negative target duration, no '#EXTM3U' in the first line (two), byte ranges without an
      // offset behind nothing that they could continue.
      case .refused: ["21_", "25_", "43_", "51_"]
      case .openSegment: ["13_", "27_"]
      case .rateInForce: ["15_"]
      case .variables: ["17_"]
      case .none: []
      }
    }

    static func of(_ name: String) -> Exception {
      allCases.first { $0.files.contains { name.hasPrefix($0) } } ?? .none
    }
  }

  private static let folder: URL? = {
    let repository = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let path = ProcessInfo.processInfo.environment["AUTOWAIT_ORACLES"] ?? "../shared/oracles"
    let folder = URL(filePath: path, relativeTo: repository).appending(path: "playlists")
    if FileManager.default.fileExists(atPath: folder.path) { return folder }
    print("skipped: no oracles")
    return nil
  }()

  /// The other parser's results, by the names of the files.
  private static let expected: [String: JSONValue] = {
    guard let folder, let data = try? Data(contentsOf: folder.appending(path: "expected.json")),
      let root = try? JSONDocument(SourceText(path: "x", bytes: Array(data))).root
    else { return [:] }
    return Dictionary(uniqueKeysWithValues: root.members.map { ($0.key.string ?? "", $0.value) })
  }()

  @Test(arguments: expected.keys.sorted())
  func sameAsTheOtherParser(_ name: String) throws {
    let folder = try #require(Self.folder)
    let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
    let (playlist, findings) = PlaylistReader.read(SourceText(path: name, bytes: bytes))
    let exception = Exception.of(name)
    if exception == .refused {
      #expect(playlist == nil)
      #expect(findings.contains { $0.severity == .error })
      return
    }
    let expected = try #require(Self.expected[name])
    switch try #require(playlist) {
    case .media(let media): try check(media, expected, exception)
    case .multivariant(let multivariant): try check(multivariant, expected, exception)
    }
    let again = try PlaylistWriter.write(try #require(playlist))
    #expect(!again.isEmpty)
  }

  private func elements(_ value: JSONValue?) -> [JSONValue] {
    value.map { Array($0.elements) } ?? []
  }

  private func integer(_ value: JSONValue?, _ scale: Int64 = 1) -> Int64? {
    guard case .exact(let number)? = value?.decimal?.nearestInteger(scaledBy: scale) else {
      return nil
    }
    return number
  }

  private func check(
    _ playlist: MediaPlaylist, _ expected: JSONValue, _ exception: Exception
  ) throws {
    #expect(expected.member("is_variant")?.bool == false)
    #expect(playlist.version == integer(expected.member("version")) ?? 1)
    #expect(
      playlist.targetDuration.nanoseconds == integer(expected.member("target"), 1_000_000_000))
    #expect(playlist.mediaSequence == integer(expected.member("media_sequence")) ?? 0)
    let type = expected.member("playlist_type")?.string ?? "live"
    #expect(playlist.kind.rawValue.lowercased() == type)
    #expect(playlist.hasEndList == expected.member("endlist")?.bool)
    let count = Int(try #require(integer(expected.member("n_segments"))))
    #expect(playlist.segments.count == count - (exception == .openSegment ? 1 : 0))
    #expect((playlist.openSegment != nil) == (exception == .openSegment))
    #expect(playlist.keys.count == Int(integer(expected.member("keys")) ?? 0))

    let rows = elements(expected.member("segs"))
    for (segment, row) in zip(playlist.segments, rows) {
      let cells = elements(row)
      #expect(segment.uri == cells[0].string)
      #expect(segment.duration.nanoseconds == integer(cells[1], 1_000_000_000))
      if let text = cells[2].string, text.contains("@") {
        let range = segment.byteRange
        #expect(text == "\(range?.length ?? -1)@\(range?.offset ?? -1)")
      } else {
        #expect((segment.byteRange?.length).map { "\($0)" } == cells[2].string)
      }
      #expect(segment.isDiscontinuity == cells[3].bool)
      if exception != .rateInForce || cells[4].kind != .null {
        #expect(segment.bitRate == integer(cells[4], 1_000))
      }
      #expect(segment.isGap == cells[5].bool)
    }
  }

  private func check(
    _ playlist: MultivariantPlaylist, _ expected: JSONValue, _ exception: Exception
  ) throws {
    #expect(expected.member("is_variant")?.bool == true)
    #expect(playlist.version == integer(expected.member("version")) ?? 1)
    #expect(playlist.iFrameVariants.count == Int(integer(expected.member("iframe_variants")) ?? -1))
    let variants = elements(expected.member("variants"))
    #expect(playlist.variants.count == variants.count)
    for (variant, row) in zip(playlist.variants, variants) {
      if exception != .variables { #expect(variant.uri == row.member("uri")?.string) }
      #expect(variant.bandwidth == integer(row.member("bw")))
      #expect(variant.averageBandwidth == integer(row.member("avg")))
      let sides = elements(row.member("res")).map { integer($0) }
      let resolution = variant.resolution
      #expect((resolution.map { [$0.width, $0.height] } ?? []) == sides)
      // The other parser leaves white space behind commas.
      let codecs = (row.member("codecs")?.string ?? "").split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(variant.codecs == codecs)
      #expect(variant.frameRateMillihertz == integer(row.member("fr"), 1_000))
      #expect(variant.audioGroup == row.member("audio")?.string)
    }
    let renditions = elements(expected.member("media"))
    #expect(playlist.renditions.count == renditions.count)
    for (rendition, row) in zip(playlist.renditions, renditions) {
      #expect(rendition.kind.rawValue == row.member("type")?.string)
      #expect(rendition.groupID == row.member("group")?.string)
      #expect(rendition.name == row.member("name")?.string)
      #expect(rendition.uri == row.member("uri")?.string)
      #expect(rendition.isDefault == (row.member("default")?.string == "YES"))
    }
  }

  /// Bounds the time of the largest one generously: a debug build on a busy machine takes most of
  /// a second, a release build some ten milliseconds.
  @Test func speed() throws {
    guard let folder = Self.folder else { return }
    let name = "54_grafov_media-playlist-large.m3u8"
    let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
    let clock = ContinuousClock()
    let best = (0..<3).map { _ in
      clock.measure { _ = PlaylistReader.read(SourceText(path: name, bytes: bytes)) }
    }.min()
    print("\(name): \(bytes.count) bytes in \(best ?? .zero)")
    #expect((best ?? .zero) < .seconds(10))
  }
}
