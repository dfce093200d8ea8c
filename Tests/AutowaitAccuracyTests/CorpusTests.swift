import Autowait
import AutowaitScenario
import Foundation
import Testing

/// Playlists of others, which are no part of the repository, play as they are.
@Suite struct CorpusTests {
  /// The playlists by the paths that they had where they come from.
  private static let files: [String: URL] = {
    guard let folder = OracleFolder.url?.appending(path: "playlists"),
      let index = try? String(contentsOf: folder.appending(path: "INDEX.csv"), encoding: .utf8)
    else { return [:] }
    var files: [String: URL] = [:]
    for line in index.split(whereSeparator: \.isNewline).dropFirst() {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      files[String(fields[3])] = folder.appending(path: String(fields[0]))
    }
    return files
  }()

  private static var loader: FileLoader {
    FileLoader { path, _ in
      guard let url = files[path], let data = try? Data(contentsOf: url) else {
        return .failure(FileLoader.FileProblem("does not exist"))
      }
      return .success(SourceText(path: path, bytes: Array(data)))
    }
  }

  /// The streams of which the media playlists are there, and say the sizes of their segments.
  private static let streams = [
    (
      path: "libs/cmaf-ham/test/data/hls-samples/sample-2/main.m3u8", variants: 6, lists: 5,
      seconds: 733
    ),
    (
      path: "libs/cmaf-ham/test/data/hls-samples/sample-2/tears-of-steel-hev1-2200k.m3u8",
      variants: 1, lists: 1, seconds: 733
    ),
    (path: "src/test/resources/media/apple-media.m3u8", variants: 1, lists: 1, seconds: 600),
  ]

  @Test(.enabled(if: OracleFolder.url != nil), arguments: ["nlc/lte", "nlc/3g"])
  func completeStreamsPlayToTheEnd(link: String) throws {
    for stream in Self.streams {
      let text = """
        {"link":"\(link)","media":{"playlist":"\(stream.path)"},
         "script":[{"at":0,"do":"load"},{"at":0,"do":"play"}]}
        """
      let (scenario, findings) = ScenarioReader.read(
        SourceText(path: "a.json", text: text), loader: Self.loader)
      #expect(findings.map(\.rendered) == [])
      let read = try #require(scenario)
      let streamMedia = try #require(read.world.players[0].media[0].streamMedia)
      #expect(streamMedia.variants.count == stream.variants)
      #expect(streamMedia.lists.count == stream.lists)
      let result = ScenarioRun.run(read)
      #expect(result.metrics[0].mediaPlayed >= .seconds(Int64(stream.seconds)), "\(stream.path)")
    }
  }

  /// Every other playlist is played, or is told to be wrong; most have files that are not there.
  @Test(.enabled(if: OracleFolder.url != nil)) func allOthersAreToldOfOrPlayed() throws {
    var played = 0
    for path in Self.files.keys.sorted() {
      let text = """
        {"link":{"rate":"5 Mbit/s"},"media":{"playlist":"\(path)","bitrate":1000000},
         "until":"30 s","script":[{"at":0,"do":"load"},{"at":0,"do":"play"}]}
        """
      let (scenario, findings) = ScenarioReader.read(
        SourceText(path: "a.json", text: text), loader: Self.loader)
      if let scenario {
        played += 1
        _ = ScenarioRun.run(scenario)
      } else {
        #expect(findings.contains { $0.severity == .error }, "\(path)")
      }
    }
    #expect(played >= 15)
  }
}
