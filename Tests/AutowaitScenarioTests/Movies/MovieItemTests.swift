import Autowait
import AutowaitScenario
import Foundation
import Testing

/// Items of scenarios that are movie files on disk.
@Suite struct MovieItemTests {
  private func read(
    _ item: String, _ files: [String: [UInt8]] = ["clip.mp4": MovieFixture.clip.bytes()]
  ) -> (scenario: Scenario?, messages: [String]) {
    let loader = FileLoader { path, _ in
      files[path].map { .success(SourceText(path: path, bytes: $0)) }
        ?? .failure(FileLoader.FileProblem("does not exist"))
    }
    let text = """
      {"link": {"rate": "2 Mbit/s"}, "script": [{"at": 0, "do": "load"}], "media":
      {\(item)}}
      """
    let (scenario, findings) = ScenarioReader.read(
      SourceText(path: "a.json", text: text), loader: loader)
    return (
      scenario, findings.map { "\($0.line):\($0.column): \($0.severity.rawValue): \($0.message)" }
    )
  }

  @Test(
    arguments: [
      (#""file": "clip.mp4""#, false),
      (#""file": "clip.mp4", "kind": "local""#, false),
      (#""kind": "progressive", "file": "clip.mp4", "canPlayReverse": false, "host": "a""#, true),
      (#""kind": "local", "file": "clip.mp4""#, true),
    ])
  func anItemIsWhatTheFileSays(_ item: String, _ isAtBack: Bool) throws {
    var fixture = MovieFixture.clip
    fixture.hasIndexAtBack = isAtBack
    let bytes = fixture.bytes()
    let (scenario, messages) = read(item, ["clip.mp4": bytes])
    let media = try #require(scenario?.world.players[0].media.first, "\(messages)")
    #expect(media.size == DataAmount(ByteCount(bytes: Int64(bytes.count))))
    #expect(media.duration == .seconds(53))
    #expect(media.videoEnd?.nanoseconds == 52_967_000_000)
    #expect(media.audioEnd == nil)
    let isLocal = item.hasSuffix(#""kind": "local""#) || item.hasPrefix(#""kind": "local""#)
    #expect(media.indexPlacement == (isAtBack && !isLocal ? .back : .front))
    #expect(media.canPlayReverse == !item.hasSuffix(#""host": "a""#))

    // The log spells the item out, and a replay knows nothing of the file.
    let resolved = try #require(scenario).resolved
    let (again, problems) = ScenarioReader.read(
      SourceText(path: "log", bytes: resolved), loader: .none)
    #expect(again?.world.players[0].media == [media], "\(problems)")
    #expect(again?.resolved == resolved && again?.hostNames == scenario?.hostNames)
  }

  @Test func howAnItemIsSpelledOut() throws {
    var fixture = MovieFixture.clip
    fixture.hasIndexAtBack = true
    let (scenario, _) = read(#""file": "clip.mp4", "host": "a""#, ["clip.mp4": fixture.bytes()])
    let text = String(decoding: try #require(scenario).resolved, as: UTF8.self)
    #expect(
      text.hasSuffix(
        #""media":{"kind":"progressive","duration":53,"size":3495,"header":1539,"#
          + #""index":"back","color":{"primaries":9,"transfer":16,"matrix":9},"#
          + #""videoDuration":52.967,"host":"a"}}"#), "\(text)")
  }

  @Test(arguments: [
    (#""file": "b.mp4""#, "2:10: error: the file 'b.mp4' does not exist"),
    (#""file": 1"#, "2:10: error: 'file' must be a string, not a number"),
    (#""kind": "hls", "file": "clip.mp4""#, "2:10: error: 'kind' has the unknown value 'hls'"),
    (#""file": "clip.mp4", "duration": 1"#, "2:22: error: unknown key 'duration'"),
    (#""file": "cut.mp4""#, "2:10: error: the movie 'cut.mp4' ends in the box 'stsz' at byte 600"),
    (
      #""file": "text.mp4""#,
      "2:10: error: the movie 'text.mp4' is not a movie: it begins with 'o wo'"
    ),
    (#""file": "mute.mp4""#, "2:10: error: the movie 'mute.mp4' has neither picture nor sound"),
    (
      #""file": "clip.mp4", "kind": "local", "resourceLoader": true"#,
      "2:57: warning: 'resourceLoader' changes nothing: a local file is all there"
    ),
  ])
  func mistakesAreTold(_ item: String, _ message: String) {
    let clip = MovieFixture.clip
    var mute = clip
    mute.tracks = [MovieFixture.TrackFixture(handler: "tmcd", durations: [(1, 1000)])]
    let (scenario, messages) = read(
      item,
      [
        "clip.mp4": clip.bytes(), "cut.mp4": Array(clip.bytes()[..<600]),
        "text.mp4": Array("hello world".utf8), "mute.mp4": mute.bytes(),
      ])
    #expect(messages == [message])
    #expect((scenario == nil) == messages[0].contains(": error: "))
  }

  /// The movies of the scenarios that are shipped are what the writer here writes.
  ///
  /// With `AUTOWAIT_RECORD=all` in the environment, and without `CI`, they are written again, and
  /// the test fails all the same.
  @Test(arguments: [("clip.mp4", false), ("clip-back.mp4", true)])
  func shippedMovies(_ name: String, _ isAtBack: Bool) throws {
    var fixture = MovieFixture.clip
    fixture.hasIndexAtBack = isAtBack
    let bytes = fixture.bytes()
    #expect(bytes.count <= 4_000)
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Scenarios/files")
    let committed = try? Array(Data(contentsOf: folder.appending(path: name)))
    if committed == bytes { return }
    let variables = ProcessInfo.processInfo.environment
    let records = variables["AUTOWAIT_RECORD"] == "all" && variables["CI"] == nil
    try Data(bytes).write(to: folder.appending(path: records ? name : "\(name).actual"))
    let advice = records ? "it was written again" : "to write it again: AUTOWAIT_RECORD=all"
    Issue.record("\(name) is not what is written here; \(advice)")
  }
}
