import AutowaitCommands
import Testing

/// `autowait convert` turns streams on disk into those that scenarios spell out, and back.
@Suite struct ConvertStreamTests {
  private static let master = """
    #EXTM3U
    #EXT-X-STREAM-INF:BANDWIDTH=9000
    a.m3u8

    """

  private static let media = """
    #EXTM3U
    #EXT-X-TARGETDURATION:4
    #EXTINF:4,
    a.ts
    #EXTINF:3.5,
    b.ts
    #EXT-X-ENDLIST

    """

  private static let streamMedia = """
    {
      "kind": "hls",
      "multivariantPlaylist": 48,
      "variants": [
        {"name": "9 kbit/s", "bandwidth": 9000, "list": 0}
      ],
      "lists": [
        {"name": "9 kbit/s", "playlistSize": 81, "targetDuration": 4,
          "durations": [4, 3.5], "sizes": [3, 2]}
      ]
    }

    """

  private static func scenario(_ media: String) -> String {
    """
    {"autowait":1,"link":"nlc/3g","media":\(media),
     "script":[{"at":0,"do":"load"},{"at":0,"do":"play"}]}
    """
  }

  private func fixture() throws -> CommandFixture {
    try CommandFixture([
      "m.m3u8": Self.master, "a.m3u8": Self.media, "a.ts": "123", "b.ts": "12",
    ])
  }

  @Test func aFolderBecomesAStream() throws {
    let fixture = try fixture()
    for arguments in [["$/m.m3u8"], ["$/m.m3u8", "--to", "ladder"]] {
      let outcome = fixture.call(["convert"] + arguments)
      #expect(outcome == .init(code: 0, output: Self.streamMedia, messages: ""))
    }
    try fixture.write("s.json", Self.scenario(#"{"playlist":"m.m3u8"}"#))
    #expect(fixture.call("convert", "$/s.json", "--to", "ladder").output == Self.streamMedia)
    #expect(fixture.call("convert", "$/m.m3u8", "--output", "$/l.json").output == "")
    try fixture.write("t.json", Self.scenario(try fixture.read("l.json")))
    let runs = ["s", "t"].map { fixture.call("run", "$/\($0).json").output.suffix(17) }
    #expect(runs[0] == runs[1])
    #expect(runs[0].hasSuffix("\n"))
  }

  @Test func aStreamBecomesAFolder() throws {
    let fixture = try fixture()
    #expect(fixture.call("convert", "$/m.m3u8", "--output", "$/l.json").code == 0)
    let outcome = fixture.call("convert", "$/l.json", "--to", "hls", "--output", "$/tree")
    #expect(
      outcome
        == .init(
          code: 0, output: "",
          messages: "$/l.json: warning: some playlists are longer than the stream says\n"))
    #expect(
      try fixture.read("tree/list-0.m3u8") == """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:4
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXTINF:4,
        #EXT-X-BYTERANGE:3@0
        0.mp4
        #EXTINF:3.5,
        #EXT-X-BYTERANGE:2
        0.mp4
        #EXT-X-ENDLIST

        """)
    let again = fixture.call("convert", "$/tree/master.m3u8").output
    #expect(again.contains(#""sizes": [3, 2]"#))
  }

  /// A file that a playlist names is only measured, and what is no file has no size.
  @Test func whatHasNoSize() throws {
    let fixture = try fixture()
    try fixture.write("a.m3u8", Self.media.replacing("b.ts", with: "."))
    let outcome = fixture.call("convert", "$/m.m3u8")
    #expect(outcome.code == 0)
    #expect(outcome.output.contains(#""sizes": [3, 3938]"#))
    #expect(
      outcome.messages.hasPrefix(
        "$/a.m3u8:6:1: warning: the size of a segment is unknown: the variant's BANDWIDTH, 9 kbit/s"
      ))
  }

  @Test func whatCannotBeConverted() throws {
    let fixture = try fixture()
    func check(
      _ arguments: [String], _ message: String, _ location: SourceLocation = #_sourceLocation
    ) {
      let outcome = fixture.call(["convert"] + arguments)
      #expect(outcome.code == 2, sourceLocation: location)
      #expect(outcome.messages.hasPrefix(message), "\(outcome.messages)", sourceLocation: location)
    }
    check(
      ["$/m.m3u8", "--to", "hls"],
      "autowait: error: '--to hls' needs '--output DIR', the folder to write")
    check(
      ["$/m.m3u8", "--to", "sabre"],
      "autowait: error: a playlist is not a link: '--to ladder' or '--to hls' takes streams")
    check(
      ["$/m.m3u8", "$/a.m3u8"], "autowait: error: 'autowait convert' reads one stream at a time")
    check(
      ["$/m.m3u8", "--name", "x"], "autowait: error: '--name' is for links, not for streams")
    check(
      ["$/m.m3u8", "--output", "$/a.m3u8"],
      "autowait: error: '--output' is one of the files that are read, '$/a.m3u8'")
    check(
      ["$/mm.m3u8"], "$/mm.m3u8: error: the file does not exist\nnote: did you mean '$/m.m3u8'?")
    check(
      ["$/m.m3u8", "--to", "hls", "--output", "$/a.ts"],
      "autowait: error: '$/a.ts' is a file; '--to hls' needs a folder")
    try fixture.write("n.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9000\n../a.m3u8\n")
    check(["$/n.m3u8"], "$/n.m3u8: error: no variant of the playlist 'n.m3u8' can be read\n")
    #expect(
      fixture.call("convert", "$/n.m3u8").messages.contains("lies outside of the scenario's root"))
    try fixture.write("s.json", Fixture.scenario(link: #""nlc/lte""#))
    check(["$/s.json", "--to", "ladder"], "$/s.json: error: the scenario has no stream")
  }
}
