import Autowait
import AutowaitScenario
import Testing

/// What is said of streams on disk that cannot be read, or only in part.
@Suite struct HLSFolderErrorTests {
  /// Checks what is said of a media playlist, or of a multivariant one.
  private func check(
    _ lines: [String], _ messages: String, _ media: String = "", files: [String: String] = [:],
    _ location: SourceLocation = #_sourceLocation
  ) {
    var fixture = HLSFolderFixture(files: files)
    if files["m.m3u8"] == nil { fixture.files["m.m3u8"] = HLSFolderFixture.multivariant }
    fixture.files["v/a.m3u8"] =
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
      + lines.map { $0 + "\n" }.joined() + "#EXT-X-ENDLIST\n"
    let actual = fixture.messages(#""playlist":"m.m3u8""# + media)
    #expect(actual.joined(separator: "\n") == messages, sourceLocation: location)
  }

  private static let segment = ["#EXTINF:4,", "#EXT-X-BYTERANGE:1@0", "x"]

  @Test func whatAScenarioSays() {
    check(
      Self.segment, "a.json:1: error: 'sizes' must be an object with sizes, or the name of a file",
      #","sizes":1"#)
    check(Self.segment, "a.json:1: error: the file 's' does not exist", #","sizes":"s""#)
    check(
      Self.segment, "s:2: error: a line must be an address, a comma and a size in bytes",
      #","sizes":"s""#, files: ["s": "a,b\nc,d\n"])
    check(
      Self.segment, "s:2: error: 'a' has two sizes", #","sizes":"s""#, files: ["s": "a,1\na,2\n"])
    check(
      Self.segment, "s:1: error: 'a' must not be negative", #","sizes":"s""#,
      files: ["s": #"{"a":-1}"#])
    check(
      Self.segment, "a.json:1: error: 'live' is for a playlist without an end; this one has one",
      #","live":{}"#)
    check(
      Self.segment, "a.json:1: error: only a stream, of the kind 'hls', has a 'playlist'",
      #","kind":"local""#)
    check(
      Self.segment, "a.json:1: error: there is no segment 1; they count from 0 to 0",
      #","failures":[{"of":"segment","number":1,"status":404}]"#)
    #expect(
      HLSFolderFixture(files: [:]).messages() == [
        "a.json:1: error: the playlist 'm.m3u8' does not exist"
      ])
  }

  @Test func whatAVariantNames() {
    func say(_ uri: String, _ reason: String, _ location: SourceLocation = #_sourceLocation) {
      check(
        Self.segment,
        """
        a.json:1: error: no variant of the playlist 'm.m3u8' can be read
        m.m3u8:2: warning: the playlist '\(uri)' \(reason); the variant is left out
        """,
        files: [
          "m.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\n\(uri)\n",
          "n.m3u8": HLSFolderFixture.multivariant,
        ], location)
    }
    say("v/b.m3u8", "does not exist")
    say("../b.m3u8", "does not exist")
    say("m.m3u8", "is this one itself")
    say("./x/../m.m3u8?y", "is this one itself")
    say("n.m3u8", "is a multivariant playlist")
    say("https://a.example/b.m3u8", "is not on disk")
    say("skd://b", "is not on disk")
    check(
      Self.segment,
      """
      m.m3u8:2: warning: the playlist 'b' does not exist; the rendition is left out
      m.m3u8:4: warning: the playlist 'b' does not exist; the variant is left out
      """,
      files: [
        "m.m3u8": """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",URI="b"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="o"
        #EXT-X-STREAM-INF:BANDWIDTH=9,AUDIO="a"
        b
        #EXT-X-STREAM-INF:BANDWIDTH=9,AUDIO="a"
        v/a.m3u8

        """
      ])
  }

  @Test func whatSizesAreUnknown() {
    check(
      ["#EXTINF:4,", "x", "#EXTINF:4,", "y"],
      """
      v/a.m3u8:4: warning: the size of a segment is unknown: the variant's BANDWIDTH, 800 kbit/s, \
      is taken
      note: this applies to 2 segments, of 2, of the playlist
      """)
    check(
      [#"#EXT-X-MAP:URI="i""#] + Self.segment,
      """
      v/a.m3u8:3: warning: the size of an initialization section is unknown: 1000 bytes are assumed
      """)
    check(
      Self.segment, "v/a.m3u8:5: warning: a byte range ends beyond the file, which has 0 bytes",
      files: ["v/x": ""])
    #expect(
      HLSFolderFixture(files: ["m.m3u8": HLSFolderFixture.media("#EXTINF:4,", "x")]).messages() == [
        "m.m3u8:4: error: the size of a segment is unknown",
        "note: 'sizes' can name a file with the sizes, and 'bitrate' say their rate",
      ])
    check(
      [
        "#EXTINF:4,", "#EXT-X-BYTERANGE:999999999999@0", "x", "#EXTINF:4,", "#EXT-X-BYTERANGE:2@0",
        "x",
      ],
      "v/a.m3u8:8: error: the segments are larger than the limit of 1 TB")
  }

  @Test func whatPlaylistsDoNotHave() {
    check(
      [],
      """
      a.json:1: error: no variant of the playlist 'm.m3u8' can be read
      v/a.m3u8:1: warning: the playlist has no segments
      m.m3u8:2: warning: the playlist 'v/a.m3u8' cannot be used; the variant is left out
      """)
    #expect(
      HLSFolderFixture(files: ["m.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nx\n"])
        .messages(
          #""playlist":"m.m3u8","sizes":{"x":1}"#) == [
          "a.json:1: warning: the stream is live, and goes on with the segments of its "
            + "playlist for 5 min",
          #"note: {"live": {"continues": "5 min"}} says for how long"#,
        ])
  }

  /// A variant may be shorter than the stream by a target duration, and not by more.
  @Test(arguments: [["4", "4", "4"], ["4", "4", "3.999"], ["4", "4", "4", "0.001"]])
  func variantsThatEndTooEarly(_ other: [String]) {
    func media(_ durations: [String]) -> String {
      HLSFolderFixture.media(
        durations.map { "#EXTINF:\($0),\n#EXT-X-BYTERANGE:1@0\nx" }.joined(separator: "\n"))
    }
    let fixture = HLSFolderFixture(files: [
      "m.m3u8": HLSFolderFixture.multivariant + "#EXT-X-STREAM-INF:BANDWIDTH=900000\nb.m3u8\n",
      "v/a.m3u8": media(["4", "4"]), "b.m3u8": media(other),
    ])
    let warnings = [
      "m.m3u8:2: warning: the variant ends at 8 s, and the stream at 12001 ms",
      "note: nothing is shown after the end of a variant",
    ]
    #expect(fixture.messages() == (other.count > 3 ? warnings : []))
  }

  @Test func whatAnUpdateSkips() {
    check(
      ["#EXT-X-VERSION:9", "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24"]
        + ["#EXT-X-SKIP:SKIPPED-SEGMENTS=3"] + Self.segment,
      """
      v/a.m3u8:8: warning: the playlist is an update: 3 segments that it skips are not known
      note: request it without '_HLS_skip' to get all of it (RFC 8216 bis, 6.2.5.1)
      """)
  }

  @Test func whatIsTooMuch() {
    let main =
      "#EXTM3U\n"
      + (0...1_000).map { "#EXT-X-STREAM-INF:BANDWIDTH=9\nv\($0).m3u8\n" }.joined()
    var files = ["m.m3u8": main]
    for number in 0...1_000 {
      files["v\(number).m3u8"] = HLSFolderFixture.media("#EXTINF:4,", "#EXT-X-BYTERANGE:1@0", "x")
    }
    let messages = HLSFolderFixture(files: files).messages()
    #expect(
      messages
        == [1_999, 2_001].map { line in
          "m.m3u8:\(line + 1): warning: the playlist 'v\(line / 2).m3u8' is one of more than 1000 "
            + "playlists; the variant is left out"
        })
    let keys = (0...1_000).map { number in
      ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\(number)\""] + Self.segment
    }
    check(keys.flatMap { $0 }, "v/a.m3u8:4003: error: the stream has more than 1000 keys")
  }

  /// What is wrong with a stream whose lists are spelled out.
  @Test func listsThatAreSpelledOut() {
    func say(
      _ list: String, _ message: String, _ rest: String = "",
      _ at: SourceLocation = #_sourceLocation
    ) {
      let media = #""kind":"hls","variants":[{"bandwidth":9,"list":0}],"lists":[\#(list)]\#(rest)"#
      #expect(
        HLSFolderFixture(files: [:]).messages(media) == ["a.json:1: error: \(message)"],
        sourceLocation: at
      )
    }
    say("", "'lists' has no lists")
    say(#"{"durations":[1],"sizes":[]}"#, "'sizes' has 0 sizes, but there are 1 durations")
    say(
      #"{"durations":[0],"sizes":[1]}"#,
      "the segments must last for more than 0 s and for 366 d at most")
    say(
      #"{"durations":[1,1],"sizes":["1 TB",1]}"#, "the segments are larger than the limit of 1 TB")
    say(#"{"durations":[1,1],"sizes":[1,1],"gaps":[1,1]}"#, "the 'gaps' must be in ascending order")
    say(
      #"{"durations":[1],"sizes":[1],"gaps":[1]}"#, "an element of 'gaps' is above the limit of 0")
    say(
      #"{"durations":[1],"sizes":[1],"needs":[{"first":0},{"first":0}]}"#,
      "the 'needs' must be in ascending order")
    say(#"{"durations":[1],"sizes":[1],"needs":[{"first":0,"init":0}]}"#, "the list has no 'inits'")
    say(#"{"durations":[1],"sizes":[1],"needs":[{"first":0,"key":0}]}"#, "the stream has no 'keys'")
    say(#"{"durations":[1],"sizes":[1]}"#, "the stream has no 'keys'", #","sessionKeys":[0]"#)
  }
}
