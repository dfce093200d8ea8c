import Autowait
import AutowaitScenario
import Testing

/// Streams on disk become the media that their playlists describe.
@Suite struct HLSFolderReaderTests {
  /// Checks the sizes of the segments of the only list.
  private func check(
    _ lines: String, _ sizes: [Int64], _ media: String = "", files: [String: String] = [:],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    var fixture = HLSFolderFixture(files: files)
    fixture.files["m.m3u8"] = HLSFolderFixture.multivariant
    fixture.files["v/a.m3u8"] = HLSFolderFixture.media(lines)
    let streamMedia = try fixture.streamMedia(#""playlist":"m.m3u8""# + media)
    #expect(streamMedia.lists[0].sizes == sizes, sourceLocation: location)
  }

  @Test func sizesComeFromWhatIsSurest() throws {
    try check("#EXTINF:4,\n#EXT-X-BYTERANGE:7@3\nx\n#EXTINF:4,\n#EXT-X-BYTERANGE:9\nx", [7, 9])
    try check("#EXT-X-BITRATE:2\n#EXTINF:4,\nx\n#EXTINF:2,\ny", [1_000, 500])
    // A file goes before a rate, and a byte range before both.
    try check(
      "#EXT-X-BITRATE:2\n#EXTINF:4,\nx\n#EXTINF:2,\n#EXT-X-BYTERANGE:1@0\nx\n#EXTINF:2,\ny",
      [3, 1, 500], files: ["v/x": "123"])
    try check(
      "#EXTINF:4,\nx\n#EXTINF:4,\n./y%20z?a=b#c", [3, 4], files: ["v/x": "123", "v/y z": "1234"])
    // A list goes before a file; it may know the address or the path.
    try check(
      "#EXTINF:4,\nx\n#EXTINF:4,\ny", [50, 60], #","sizes":{"x":50,"v/y":60}"#,
      files: ["v/x": "123"])
    try check("#EXTINF:4,\nx", [50], #","sizes":"s.json""#, files: ["s.json": #"{"x":50}"#])
    try check(
      "#EXTINF:4,\nx\n#EXTINF:4,\ny,1", [50, 7], #","sizes":"s.csv""#,
      files: ["s.csv": "uri,size\nx,50\ny,1, 7\r\n"])
    // What nothing says is reckoned, also beside what something says.
    try check("#EXTINF:4,\nx\n#EXTINF:4,\ny", [3, 400_000], files: ["v/x": "123"])
    try check("#EXTINF:4,\ndata:video/mp4;base64,AAAA", [3])
    try check(
      "#EXTINF:4,\n#EXT-X-GAP\nx\n#EXTINF:4,\ny", [0, 1], files: ["v/x": "12", "v/y": "1"])
  }

  @Test func addressesWithAHostAreLookedForInTheFolder() throws {
    for address in [
      "https://a.example/b/v/x", "//a.example/v/x", "/v/x", "/b/c/v/x?token=1", "http://a/v/../v/x",
    ] {
      try check("#EXTINF:4,\n\(address)", [5], files: ["v/x": "12345"])
    }
    // Nothing but the folder of the stream and what is below it counts.
    try check("#EXTINF:4,\nhttps://a.example/y", [400_000], files: ["v/y": "12345"])
  }

  /// A folder with all that streams know.
  private static let full = HLSFolderFixture(files: [
    "show/m.m3u8": """
    #EXTM3U
    #EXT-X-DEFINE:NAME="n",VALUE="low"
    #EXT-X-START:TIME-OFFSET=-4
    #EXT-X-SESSION-KEY:METHOD=AES-128,URI="keys/2"
    #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="Text",URI="s.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Stereo",DEFAULT=YES,CHANNELS="2",URI="a.m3u8"
    #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="b",NAME="Muxed",AUTOSELECT=YES,CHANNELS="6/JOC"
    #EXT-X-STREAM-INF:BANDWIDTH=900,AVERAGE-BANDWIDTH=800,RESOLUTION=640x360,AUDIO="a",SUBTITLES="s"
    v/{$n}.m3u8
    #EXT-X-STREAM-INF:BANDWIDTH=1900,FRAME-RATE=29.97,VIDEO-RANGE=PQ,CODECS="hvc1.2",AUDIO="b"
    v/low.m3u8?query
    #EXT-X-STREAM-INF:BANDWIDTH=2900
    v/high.m3u8

    """,
    "show/v/low.m3u8": HLSFolderFixture.media(
      #"#EXT-X-MAP:URI="i",BYTERANGE="11@0""#, #"#EXT-X-KEY:METHOD=AES-128,URI="../keys/1""#,
      "#EXTINF:4,", "#EXT-X-BYTERANGE:100@0", "x", "#EXT-X-DISCONTINUITY",
      #"#EXT-X-MAP:URI="i",BYTERANGE="12@0""#, "#EXTINF:3.5,", "#EXT-X-BYTERANGE:200", "x",
      "#EXT-X-KEY:METHOD=NONE", "#EXTINF:0,", "#EXT-X-GAP", "y"),
    "show/v/high.m3u8": HLSFolderFixture.media(
      #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery""#,
      #"#EXT-X-KEY:METHOD=SAMPLE-AES,URI="https://w",KEYFORMAT="other""#,
      "#EXTINF:4,", "#EXT-X-BYTERANGE:300@0", "x"),
    "show/a.m3u8": HLSFolderFixture.media("#EXTINF:4,", "#EXT-X-BYTERANGE:40@0", "x"),
    "show/s.m3u8": HLSFolderFixture.media("#EXTINF:8,", "#EXT-X-BYTERANGE:5@0", "x"),
  ])

  @Test func allThatAStreamKnowsIsTaken() throws {
    let streamMedia = try Self.full.streamMedia(
      #""kind":"hls","playlist":"show/m.m3u8","gzip":0.5"#)
    #expect(streamMedia.lists.map(\.sizes) == [[100, 200, 0], [300], [40], [5]])
    #expect(streamMedia.lists[0].initializations.map(\.bytes) == [11, 12])
    #expect(
      streamMedia.lists[0].stretches == [
        .init(first: 0, initialization: 0, key: 0), .init(first: 1, initialization: 1, key: 0),
        .init(first: 2, initialization: 1),
      ])
    #expect(streamMedia.lists[0].gaps == [2])
    #expect(streamMedia.lists[0].end == MediaTime(nanoseconds: 7_500_000_000))
    #expect(streamMedia.lists[1].stretches == [.init(first: 0, key: 1)])
    #expect(streamMedia.keys.map(\.size.bytes) == [16, 1_500, 16])
    #expect(streamMedia.sessionKeys == [2])
    #expect(streamMedia.startOffset == .seconds(-4))
    #expect(streamMedia.live == nil)
    #expect(streamMedia.variants.map(\.list) == [0, 0, 1])
    #expect(streamMedia.variants.map(\.audioGroup) == [0, 1, nil])
    #expect(streamMedia.variants.map(\.subtitleGroup) == [0, nil, nil])
    #expect(streamMedia.variants[0].averageBandwidth?.bitsPerSecond == 800)
    #expect(streamMedia.variants[0].resolution == Resolution(width: 640, height: 360))
    #expect(streamMedia.variants[1].frameRate == 29_970)
    #expect(streamMedia.variants[1].videoRange == .pq)
    #expect(streamMedia.variants[1].codecs == .hevc)
    #expect(streamMedia.renditions.map(\.kind) == [.audio, .audio, .subtitles])
    #expect(streamMedia.renditions.map(\.list) == [2, nil, 3])
    #expect(streamMedia.renditions.map(\.isDefault) == [true, false, false])
    #expect(streamMedia.renditions.map(\.isAutoselected) == [true, true, false])
    #expect(streamMedia.renditions.map(\.channels) == [2, 6, nil])
    let bytes = try #require(Self.full.files["show/m.m3u8"]).utf8.count
    #expect(streamMedia.playlistSize?.bytes == Int64((bytes + 1) / 2))
  }

  @Test func theScenarioSaysTheRest() throws {
    let streamMedia = try Self.full.streamMedia(
      #""playlist":"show/m.m3u8","startOffset":1,"keys":{"size":7,"serverTime":"1 s"},"#
        + #""rewrite":{"preferredFirst":2900},"#
        + #""failures":[{"of":"segment","rendition":"Text","status":404},"#
        + #"{"of":"segment","variant":0,"number":1,"status":"redirect"}]"#)
    #expect(streamMedia.startOffset == .seconds(1))
    #expect(streamMedia.keys.allSatisfy { $0.size.bytes == 7 && $0.serverDelay == .seconds(1) })
    #expect(streamMedia.variants.map(\.list) == [1, 0, 0])
    #expect(
      streamMedia.faults == [
        Fault(.status(404), of: .segment(list: 3, number: nil)),
        Fault(.redirect, of: .segment(list: 1, number: 1)),
      ])
  }

  @Test func aMediaPlaylistIsAStreamOfOneVariant() throws {
    let fixture = HLSFolderFixture(files: [
      "m.m3u8": HLSFolderFixture.media("#EXTINF:4,", "x", "#EXTINF:2,", "y")
    ])
    let streamMedia = try fixture.streamMedia(#""playlist":"./m.m3u8","sizes":{"x":1000,"y":1000}"#)
    #expect(streamMedia.playlistSize == nil)
    #expect(streamMedia.variants.map(\.bandwidth.bitsPerSecond) == [4_000])
    #expect(streamMedia.variants.map(\.averageBandwidth?.bitsPerSecond) == [2_667])
  }

  /// A playlist that lists as much as the file does has its size; an event's grows.
  @Test func aLivePlaylistOnDiskKeepsItsSize() throws {
    let head = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
    let entry = "#EXTINF:4,\n#EXT-X-BYTERANGE:40@0\nx\n"
    func sizes(_ tags: String, _ media: String = "") throws -> [Int64] {
      let text = head + tags + entry + entry
      let list = try HLSFolderFixture(files: ["m.m3u8": text])
        .streamMedia(#""playlist":"m.m3u8","live":{"continues":"1 h"}"# + media).lists[0]
      #expect(list.playlistText?.entries.bytes == Int64(2 * entry.utf8.count))
      return [0, 2, 4].map { list.playlistSize(listing: 0..<$0).bytes }
    }
    let (fixed, each) = (Int64(head.utf8.count), Int64(entry.utf8.count))
    #expect(try sizes("") == [fixed, fixed + 2 * each, fixed + 4 * each])
    let event = "#EXT-X-PLAYLIST-TYPE:EVENT\n"
    #expect(try sizes(event) == [fixed + 27, fixed + 27 + 2 * each, fixed + 27 + 4 * each])
    let half = try sizes("", #","gzip":0.5"#)
    #expect(half[1] == (fixed + 2 * each + 1) / 2)
    let whole = HLSFolderFixture(files: ["m.m3u8": head + entry + "#EXT-X-ENDLIST\n"])
    #expect(try whole.streamMedia().lists[0].playlistText == nil)
  }

  @Test func aPlaylistWithoutAnEndIsLive() throws {
    let text = """
      #EXTM3U
      #EXT-X-TARGETDURATION:4
      #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,HOLD-BACK=12,PART-HOLD-BACK=3
      #EXT-X-PART-INF:PART-TARGET=1
      #EXTINF:4,
      #EXT-X-BYTERANGE:40@0
      x
      #EXTINF:3,
      #EXT-X-BYTERANGE:30
      x
      #EXT-X-PART:DURATION=1,URI="p"

      """
    let streamMedia = try HLSFolderFixture(files: ["m.m3u8": text]).streamMedia(
      #""playlist":"m.m3u8","live":{"continues":"10 s","publishDelay":"1 s"}"#)
    #expect(streamMedia.lists[0].sizes == [40, 30, 40, 30, 40])
    #expect(streamMedia.lists[0].targetDuration == .seconds(4))
    var window = LiveWindow(elapsed: .seconds(8), window: .seconds(7))
    window.holdBack = .seconds(12)
    window.publishDelay = .seconds(1)
    window.partDuration = .seconds(1)
    window.partHoldBack = .seconds(3)
    window.canBlockReload = true
    #expect(streamMedia.live == window)
  }

  @Test func logsSpellTheStreamOut() throws {
    let common = #""canPlayFastForward":false,"canPlayReverse":false,"resourceLoader":true,"#
    let item = common + #""host":"edge","playlist":"show/m.m3u8","rewrite":{"preferredFirst":1900}"#
    let scenario = try #require(Self.full.read(item).scenario)
    #expect(scenario.world.players[0].media[0].isFedByDelegate)
    let again = ScenarioReader.read(
      SourceText(path: "log", bytes: scenario.resolved), loader: .none)
    #expect(again.findings.map(\.rendered) == [])
    let players = [again.scenario, scenario].map { $0?.world.players[0] }
    #expect(players[0]?.media == players[1]?.media)
    #expect(again.scenario?.streamNames == scenario.streamNames)
    #expect(again.scenario?.resolved == scenario.resolved)
    #expect(scenario.inputs == [])
  }

  @Test func aLargeStreamIsNamedByItsDigest() throws {
    let lines = String(repeating: "#EXTINF:4,\n#EXT-X-BYTERANGE:123456@0\nx\n", count: 8_000)
    var fixture = HLSFolderFixture(files: ["m.m3u8": HLSFolderFixture.media(lines)])
    let scenario = try #require(fixture.read(#""playlist":"m.m3u8""#).scenario)
    #expect(scenario.inputs.map(\.path) == ["m.m3u8"])
    #expect(String(decoding: scenario.resolved, as: UTF8.self).contains(#""playlist":"m.m3u8""#))
    fixture.files["m.m3u8"] = HLSFolderFixture.media(
      lines + "#EXTINF:4,\n#EXT-X-BYTERANGE:1@0\nx\n")
    #expect(fixture.read(#""playlist":"m.m3u8""#).scenario?.inputs != scenario.inputs)
  }
}
