import Autowait
import AutowaitScenario
import Testing

/// What is wrong with a playlist is told with its place; what players take is taken.
@Suite struct PlaylistErrorTests {
  private typealias Fixture = PlaylistFixture

  /// A text, and what is said about it.
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let findings: [String]

    init(_ text: String, _ findings: String...) {
      self.text = text
      self.findings = findings
    }

    /// A row about lines of a media playlist, of which the first is the third.
    static func media(_ lines: [String], _ findings: String...) -> Row {
      Row(lines: ["#EXTM3U", "#EXT-X-TARGETDURATION:6"] + lines, findings)
    }

    /// A row about a line before a segment of a media playlist.
    static func line(_ line: String, _ findings: String...) -> Row {
      Row(lines: ["#EXTM3U", "#EXT-X-TARGETDURATION:6", line, "#EXTINF:6,", "a"], findings)
    }

    /// A row about a line of a multivariant playlist.
    static func entry(_ line: String, _ findings: String...) -> Row {
      Row(lines: ["#EXTM3U", line, "#EXT-X-STREAM-INF:BANDWIDTH=1", "v"], findings)
    }

    private init(lines: [String], _ findings: [String]) {
      text = (lines + [""]).joined(separator: "\n")
      self.findings = findings
    }

    var testDescription: String { findings.first ?? text }
  }

  private func check(_ row: Row, sourceLocation: SourceLocation = #_sourceLocation) {
    let (playlist, findings) = PlaylistReader.read(Fixture.source(row.text))
    #expect(findings.map(Fixture.short) == row.findings, sourceLocation: sourceLocation)
    let hasErrors = findings.contains { $0.severity == .error }
    #expect((playlist == nil) == hasErrors, sourceLocation: sourceLocation)
  }

  private static let oneSegment = "#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na\n"

  static let texts: [Row] = [
    Row("", "1:1: error: the playlist is empty"),
    Row("\n \n\r\n", "1:1: error: the playlist is empty"),
    Row("<html>\nx\n", "1:1: error: the first line must be '#EXTM3U'"),
    Row("#EXTM3U8\n\(oneSegment)", "1:1: error: the first line must be '#EXTM3U'"),
    Row("# x\n#EXTM3U\n\(oneSegment)", "1:1: error: the first line must be '#EXTM3U'"),
    Row(oneSegment, "1:1: error: the first line must be '#EXTM3U'"),
    Row("\n#EXTM3U\n\(oneSegment)", "2:1: warning: '#EXTM3U' must be the first line"),
    Row("#EXTM3U \n\(oneSegment)", "1:1: warning: '#EXTM3U' must be alone on its line"),
    Row("#EXTM3U url=x\n\(oneSegment)", "1:1: warning: '#EXTM3U' must be alone on its line"),
    Row("#EXTM3U\n#EXTM3U\n\(oneSegment)", "2:1: warning: '#EXTM3U' again"),
    Row(
      "\u{FEFF}#EXTM3U\n\(oneSegment)",
      "1:1: warning: a playlist must not begin with a byte order mark"),
    Row(
      "#EXTM3U\n",
      "1:1: error: no tag says what kind of playlist it is [one with segments has "
        + "'EXT-X-TARGETDURATION', one with variants 'EXT-X-STREAM-INF']"),
    Row(
      "#EXTM3U\na.mp3\n\(oneSegment)",
      "2:1: warning: the address belongs to no tag and is skipped"),
    Row("#EXTM3U\n\(oneSegment)# a\0b\n", "5:4: error: a control character"),
    Row("#EXTM3U\n\(oneSegment)# a\u{7F}b\n", "5:4: error: a control character"),
    Row("#EXTM3U\n\(oneSegment)# \u{85}b\n", "5:3: error: a control character"),
    Row("#EXTM3U\n\(oneSegment)# \u{A0}b\t\u{10FFFF}\n"),
    Row("#EXTM3U\n\(oneSegment) # a\n", "5:2: warning: white space around the line"),
    Row(
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n#EXTINF:6,\nb\n",
      "4:1: error: a tag of a media playlist in a multivariant playlist "
        + "[the tag at 2:1 makes it a multivariant playlist]"),
    Row(
      "#EXTM3U\n\(oneSegment)#EXT-X-MEDIA:TYPE=AUDIO\n",
      "5:1: error: a tag of a multivariant playlist in a media playlist "
        + "[the tag at 2:1 makes it a media playlist]"),
  ]

  static let heads: [Row] = [
    Row("#EXTM3U\n#EXTINF:6,\na\n", "1:1: error: the tag 'EXT-X-TARGETDURATION' is missing"),
    .line("#EXT-X-VERSION:x", "3:16: error: the value must be a whole number"),
    .line("#EXT-X-VERSION", "3:1: error: the value must be a whole number"),
    .line("#EXT-X-VERSION:0", "3:16: error: the value must be at least 1"),
    .line("#EXT-X-VERSION: 10", "3:1: warning: white space before the value"),
    .line("#EXT-X-VERSION:13"),
    .line("#EXT-X-VERSION:14", "3:16: warning: the version is above 13, the highest known"),
    .line(
      "#EXT-X-MEDIA-SEQUENCE:9000000000000000001",
      "3:23: error: the value is above the limit of 9000000000000000000"),
    .line(
      "#EXT-X-MEDIA-SEQUENCE:99999999999999999999999",
      "3:23: error: the value is above the limit of 9000000000000000000"),
    .line("#EXT-X-MEDIA-SEQUENCE:-1", "3:23: error: the value must be a whole number"),
    .line("#EXT-X-MEDIA-SEQUENCE:1.5", "3:23: error: the value must be a whole number"),
    .line(
      "#EXT-X-PLAYLIST-TYPE:DVR",
      "3:22: warning: the type must be VOD or EVENT; it is left out"),
    .line("#EXT-X-PLAYLIST-TYPE:event", "3:22: warning: the type must be in capitals"),
    .line(
      "#EXT-X-PLAYLIST-TYPE:VOD",
      "1:1: warning: a playlist of the type VOD without 'EXT-X-ENDLIST'"),
    .media(
      ["#EXTINF:6,", "a", "#EXT-X-MEDIA-SEQUENCE:1"],
      "5:1: error: the tag must come before the first segment"),
    .media(
      ["#EXTINF:6,", "a", "#EXT-X-DISCONTINUITY-SEQUENCE:1"],
      "5:1: error: the tag must come before the first segment and the first discontinuity"),
    .media(
      ["#EXT-X-DISCONTINUITY", "#EXT-X-DISCONTINUITY-SEQUENCE:1", "#EXTINF:6,", "a"],
      "4:1: error: the tag must come before the first segment and the first discontinuity"),
    .media([], "1:1: warning: the playlist has no segments"),
    Row(
      "#EXTM3U\n#EXT-X-TARGETDURATION:0\n#EXTINF:0.4,\na\n",
      "2:23: warning: the target duration is 0"),
    Row(
      "#EXTM3U\n#EXT-X-TARGETDURATION:6.9\n#EXTINF:6,\na\n",
      "2:23: warning: the target duration must be a whole number of seconds"),
    Row("#EXTM3U\n#EXT-X-TARGETDURATION:-1\n", "2:23: error: the value must be a whole number"),
    Row(
      "#EXTM3U\n#EXT-X-TARGETDURATION:31622401\n",
      "2:23: error: the value is above the limit of 31622400"),
  ]

  static let repeats: [Row] = [
    "VERSION:3", "INDEPENDENT-SEGMENTS", "START:TIME-OFFSET=1", "TARGETDURATION:6",
    "MEDIA-SEQUENCE:1", "DISCONTINUITY-SEQUENCE:1", "ENDLIST", "PLAYLIST-TYPE:EVENT",
    "I-FRAMES-ONLY", "PART-INF:PART-TARGET=1", "SERVER-CONTROL:PART-HOLD-BACK=3",
    "SKIP:SKIPPED-SEGMENTS=1",
  ].map { tag in
    let name = "EXT-X-" + tag.prefix { $0 != ":" }
    let text = "#EXTM3U\n#EXT-X-\(tag)\n#EXT-X-\(tag)\n#EXTINF:1,\na\n"
    let error = "3:1: error: the tag '\(name)' must not repeat [the first one is at 2:1]"
    let missing = "1:1: error: the tag 'EXT-X-TARGETDURATION' is missing"
    switch name {
    case "EXT-X-TARGETDURATION": return Row(text, error)
    case "EXT-X-PART-INF":
      return Row(text, missing, "1:1: warning: 'EXT-X-PART-INF' without 'PART-HOLD-BACK'", error)
    default: return Row(text, missing, error)
    }
  }

  static let segments: [Row] = [
    .media(["#EXTINF:6", "a"], "3:9: warning: no comma follows the duration"),
    .media(["#EXTINF:6 x=y,z", "a"], "3:9: warning: no comma follows the duration"),
    .media(["#EXTINF:0,", "a"], "3:9: warning: the duration is 0"),
    .media(["#EXTINF:-1,", "a"], "3:9: warning: the duration is negative and counts as 0"),
    .media(["#EXTINF:x,", "a"], "3:9: error: the duration must be a number of seconds"),
    .media(["#EXTINF:1e3,", "a"], "3:9: error: the duration must be a number of seconds"),
    .media(["#EXTINF:.,", "a"], "3:9: error: the duration must be a number of seconds"),
    .media(["#EXTINF:,", "a"], "3:1: error: the duration must be a number of seconds"),
    .media(
      ["#EXTINF", "a"], "3:1: error: the duration must be a number of seconds",
      "3:1: warning: no comma follows the duration"),
    .media(["#EXTINF:31622401,", "a"], "3:9: error: the duration is above the limit of 366 d"),
    .media(
      ["#EXTINF:99999999999999999999999999,", "a"],
      "3:9: error: the duration is above the limit of 366 d"),
    .media(["#EXTINF:6.499999999,", "a"]),
    .media(
      ["#EXTINF:6.5,x", "a"],
      "3:9: warning: the duration is above the target duration of 6 s"),
    Row(
      "#EXTM3U\n#EXTINF:6.5,\na\n#EXT-X-TARGETDURATION:6\n",
      "2:9: warning: the duration is above the target duration of 6 s"),
    .media(
      ["#EXTINF:6,", "a", "b", "#EXTINF:6,", "c"],
      "5:1: warning: the address has no 'EXTINF' before it and is skipped"),
    .media(
      ["#EXTINF:6,", "#EXTINF:5,", "a"],
      "4:1: warning: a second duration of a segment; it replaces the first"),
    .media(["#EXTINF:6,", "a", "#EXTINF:6,"], "5:9: warning: no address follows the duration"),
    .media(
      ["#EXT-X-BYTERANGE:1@0", "#EXT-X-BYTERANGE:2@0", "#EXTINF:6,", "a"],
      "4:1: warning: a second byte range of a segment; it replaces the first"),
    .line("#EXT-X-BYTERANGE:1@", "3:18: warning: no offset follows '@'", continued("3:18")),
    .line("#EXT-X-BYTERANGE:1", continued("3:18")),
    .media(
      ["#EXTINF:6,", "a", "#EXTINF:6,", "#EXT-X-BYTERANGE:1", "a"], continued("6:18")),
    .media(
      ["#EXT-X-BYTERANGE:1@0", "#EXTINF:6,", "b", "#EXTINF:6,", "#EXT-X-BYTERANGE:1", "a"],
      continued("7:18")),
    .media(
      ["#EXT-X-SKIP:SKIPPED-SEGMENTS=1", "#EXTINF:6,", "#EXT-X-BYTERANGE:1", "a"],
      continued("5:18") + " [the segment before it is one of those that are skipped]"),
    .line("#EXT-X-BYTERANGE:x@0", wrongRange),
    .line("#EXT-X-BYTERANGE:1@x", wrongRange),
    .line("#EXT-X-BYTERANGE:1.5@0", wrongRange),
    .line("#EXT-X-BYTERANGE:-1@0", wrongRange),
    .line(
      "#EXT-X-BYTERANGE:1@1000000000000",
      "3:18: error: the byte range ends above the limit of 1 TB"),
    .line("#EXT-X-BYTERANGE:0@1000000000000"),
    .line(
      "#EXT-X-BYTERANGE:99999999999999999999@0",
      "3:18: error: the byte range ends above the limit of 1 TB"),
    .media(
      [
        "#EXT-X-BYTERANGE:600000000000@0", "#EXTINF:6,", "a",
        "#EXT-X-BYTERANGE:600000000000", "#EXTINF:6,", "a",
      ], "6:18: error: the byte range ends above the limit of 1 TB"),
    .line("#EXT-X-BITRATE:x", wrongRate),
    .line("#EXT-X-BITRATE:0", wrongRate),
    .line("#EXT-X-BITRATE:1000000001", wrongRate),
    .line("#EXT-X-BITRATE:1000000000"),
  ]

  private static func continued(_ place: String) -> String {
    "\(place): error: the byte range has no offset, and the segment before it is no part of the "
      + "same file"
  }
  private static let wrongRange =
    "3:18: error: a byte range must be a length, or a length, '@' and an offset"
  private static let wrongRate =
    "3:16: warning: the rate must be a whole number of kilobits per second; it is left out"

  static let attributes: [Row] = [
    .line("#EXT-X-MAP:URI", malformed("3:12")),
    .line("#EXT-X-MAP:=x", malformed("3:12")),
    .line("#EXT-X-MAP:,,URI=\"x\"", comma("3:12"), comma("3:13")),
    .line("#EXT-X-MAP:URI=\"x\",", comma("3:19")),
    .line(
      "#EXT-X-MAP:URI=\"x", "3:16: error: the quotation marks are not closed in this line"),
    .line("#EXT-X-MAP:URI=\"x\"y", "3:19: error: a comma must follow the quotation marks"),
    .line(
      "#EXT-X-MAP:URI=x\"y\"",
      "3:16: error: quotation marks must enclose the whole value"),
    .line("#EXT-X-MAP:URI=\"x\",URI=\"y\"", "3:20: error: an attribute appears twice in a tag"),
    .line("#EXT-X-MAP: URI=\"x\"", "3:1: warning: white space before the value"),
    .line(
      "#EXT-X-MAP:URI = \"x\"", "3:12: warning: white space in a list of attributes"),
    .line(
      "#EXT-X-MAP:URI=\"x\", BYTERANGE=\"1@0\"",
      "3:20: warning: white space in a list of attributes"),
    .line(
      "#EXT-X-MAP:URI=\"x\" ,BYTERANGE=\"1@0\"",
      "3:12: warning: white space in a list of attributes"),
    .line("#EXT-X-MAP:URI=x", "3:16: warning: the value of 'URI' must be in quotation marks"),
    .line("#EXT-X-MAP:", "3:1: error: the attribute 'URI' is missing"),
    .line("#EXT-X-MAP", "3:1: error: the attribute 'URI' is missing"),
    .line("#EXT-X-MAP:URI=\"\"", "3:12: error: the address in 'URI' is empty"),
    .line(
      "#EXT-X-MAP:URI=\"x\",BYTRANGE=\"1@0\"",
      "3:20: warning: unknown attribute 'BYTRANGE' [did you mean 'BYTERANGE'?]"),
    .line("#EXT-X-MAP:URI=\"x\",OTHER=1,X-BYTERANGE=1"),
    .line(
      "#EXT-X-MAP:URI=\"x\",BYTERANGE=\"1\"",
      "3:31: warning: the byte range of a map must have an offset; it is 0"),
    .line(
      "#EXT-X-DISCONTINUTY",
      "3:1: warning: unknown tag 'EXT-X-DISCONTINUTY' "
        + "[did you mean 'EXT-X-DISCONTINUITY'?]"),
    .line("#EXT-X-START:PRECISE=YES", "3:1: error: the attribute 'TIME-OFFSET' is missing"),
    .line(
      "#EXT-X-START:TIME-OFFSET=1,PRECISE=MAYBE",
      "3:36: warning: the value of 'PRECISE' must be YES or NO, not 'MAYBE'; it is left out"),
    .line(
      "#EXT-X-START:TIME-OFFSET=\"1\"",
      "3:27: warning: the value of 'TIME-OFFSET' must not be in quotation marks"),
    .line(
      "#EXT-X-START:TIME-OFFSET=x",
      "3:26: error: the value of 'TIME-OFFSET' must be a number of seconds, not 'x'"),
    .line(
      "#EXT-X-START:TIME-OFFSET=-31622401",
      "3:26: error: the value of 'TIME-OFFSET' is above the limit of 366 d"),
    .line("#EXT-X-START:TIME-OFFSET=-31622400"),
    .line("#EXT-X-KEY:URI=\"k\"", "3:1: error: the attribute 'METHOD' is missing"),
    .line("#EXT-X-KEY:METHOD=AES-128", "3:1: error: the attribute 'URI' is missing"),
    .line(
      "#EXT-X-KEY:METHOD=AES,URI=\"k\"",
      "3:19: error: the value of 'METHOD' must be one of 'NONE', 'AES-128', 'AES-256-GCM', "
        + "'AES-256', 'AES-256-CTR', 'SAMPLE-AES', 'SAMPLE-AES-CTR', not 'AES'"),
    .line(
      "#EXT-X-KEY:METHOD=NONE,URI=\"k\"",
      "3:1: warning: other attributes with METHOD=NONE"),
    .line(
      "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=12",
      "3:38: warning: the value of 'IV' must be '0x' and up to 32 hexadecimal digits, not '12'; "
        + "it is left out"),
    .line(
      "#EXT-X-DATERANGE:CLASS=\"x\"",
      "3:1: warning: a date range without the attribute 'ID'; it is left out"),
    .line(
      "#EXT-X-DATERANGE:ID",
      "3:18: warning: an attribute must be a name, '=' and a value; the tag is left out"),
  ]

  private static func malformed(_ place: String) -> String {
    "\(place): error: an attribute must be a name, '=' and a value"
  }
  private static func comma(_ place: String) -> String {
    "\(place): warning: a comma without an attribute"
  }

  static let lowLatency: [Row] = [
    .line(
      "#EXT-X-PART:URI=\"p\",DURATION=1",
      "3:1: warning: parts without the tag 'EXT-X-PART-INF'"),
    .media(
      [
        "#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=0.9,HOLD-BACK=17.9,CAN-SKIP-UNTIL=35.9",
        "#EXT-X-PART-INF:PART-TARGET=0.5", "#EXT-X-PART:URI=\"p\",DURATION=0.6",
        "#EXT-X-DISCONTINUITY", "#EXT-X-PART:URI=\"q\",DURATION=0.5,BYTERANGE=\"1\"",
      ], "3:1: warning: 'HOLD-BACK' is below three target durations",
      "3:1: warning: 'CAN-SKIP-UNTIL' is below six target durations",
      "3:1: warning: 'PART-HOLD-BACK' is below two durations of the longest part",
      "5:1: warning: the duration is above that of the longest part",
      "6:1: warning: the tag must come before the parts of its segment",
      "7:45: warning: the byte range has no offset, and no part of the same file is before it; "
        + "it is 0"),
    .line(
      "#EXT-X-PART-INF:PART-TARGET=1",
      "1:1: warning: 'EXT-X-PART-INF' without 'PART-HOLD-BACK'"),
    .line("#EXT-X-PART-INF:X=1", "3:1: error: the attribute 'PART-TARGET' is missing"),
    .line(
      "#EXT-X-PRELOAD-HINT:TYPE=FOO,URI=\"x\"",
      "3:26: warning: a hint of an unknown type; it is left out"),
    .line("#EXT-X-PRELOAD-HINT:TYPE=MAP", "3:1: error: the attribute 'URI' is missing"),
    .line("#EXT-X-RENDITION-REPORT:LAST-MSN=1", "3:1: error: the attribute 'URI' is missing"),
    .line("#EXT-X-SKIP:X=1", "3:1: error: the attribute 'SKIPPED-SEGMENTS' is missing"),
    .line(
      "#EXT-X-SKIP:SKIPPED-SEGMENTS=1000001",
      "3:30: error: the value of 'SKIPPED-SEGMENTS' is above the limit"),
    .media(
      ["#EXTINF:6,", "a", "#EXT-X-SKIP:SKIPPED-SEGMENTS=1"],
      "5:1: warning: the tag must come before the first segment"),
  ]

  static let entries: [Row] = [
    .entry("#EXT-X-STREAM-INF:BANDWIDTH=1", "2:1: error: no address follows the variant"),
    Row(
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", "2:1: error: no address follows the variant"),
    .entry(
      "x\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\"\ny",
      "2:1: warning: the address belongs to no tag and is skipped",
      "4:1: warning: the address has no 'EXT-X-STREAM-INF' before it and is skipped"),
    .entry("#EXT-X-STREAM-INF:AUDIO=\"x\"\na", "2:1: error: the attribute 'BANDWIDTH' is missing"),
    .entry(
      "#EXT-X-STREAM-INF:BANDWIDTH=1.5\na",
      "2:29: error: the value of 'BANDWIDTH' must be a whole number, not '1.5'"),
    .entry(
      "#EXT-X-STREAM-INF:BANDWIDTH=1000000000001\na",
      "2:29: error: the value of 'BANDWIDTH' is above the limit"),
    .entry("#EXT-X-STREAM-INF:BANDWIDTH=0\na", "2:1: warning: the bandwidth is 0"),
    .entry(
      "#EXT-X-STREAM-INF:BANDWIDTH=1,AVERAGE-BANDWIDTH=2\na",
      "2:1: warning: the average bandwidth is above the highest one"),
    .entry(
      "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=640*480\na",
      "2:42: warning: the value of 'RESOLUTION' must be a width, 'x' and a height, "
        + "not '640*480'; it is left out"),
    .entry(
      "#EXT-X-STREAM-INF:BANDWIDTH=1,VIDEO-RANGE=HDR\na",
      "2:43: warning: the value of 'VIDEO-RANGE' must be one of 'SDR', 'HLG', 'PQ', not 'HDR'; "
        + "it is left out"),
    .entry(
      "#EXT-X-STREAM-INF:BANDWIDTH=1,FRAME-RATE=fast\na",
      "2:42: warning: the value of 'FRAME-RATE' must be a number, not 'fast'; it is left out"),
    .entry(
      "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"g\"\na",
      "2:38: warning: no rendition of the type AUDIO has the group 'g'"),
    .entry(
      "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"\"\na",
      "2:1: warning: no rendition of the type SUBTITLES has the group ''"),
    .entry("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1", "2:1: error: the attribute 'URI' is missing"),
    .entry(
      "#EXT-X-MEDIA:X=1", "2:1: error: the attribute 'TYPE' is missing",
      "2:1: error: the attribute 'GROUP-ID' is missing",
      "2:1: error: the attribute 'NAME' is missing"),
    .entry(
      "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"g\",NAME=\"n\",URI=\"u\"",
      "2:1: error: the attribute 'INSTREAM-ID' is missing",
      "2:1: warning: closed captions must not have an address"),
    .entry(
      "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"n\"",
      "2:1: error: subtitles must have the attribute 'URI'"),
    .entry(
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\",DEFAULT=YES,AUTOSELECT=NO",
      "2:1: warning: a default rendition that must not be selected"),
    .entry(
      """
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="n",DEFAULT=YES
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="g",NAME="n",DEFAULT=YES
      """, "3:1: warning: two renditions of a group have one name",
      "3:1: warning: two renditions of a group are the default"),
    .entry("#EXT-X-SESSION-KEY:METHOD=NONE", "2:1: error: a session key must not be NONE"),
    .entry("#EXT-X-SESSION-DATA:VALUE=\"x\"", "2:1: error: the attribute 'DATA-ID' is missing"),
    .entry(
      "#EXT-X-CONTENT-STEERING:PATHWAY-ID=\"x\"",
      "2:1: error: the attribute 'SERVER-URI' is missing"),
    Row(
      "#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i\"\n",
      "1:1: error: the playlist has no variants"),
  ]

  @Test(arguments: texts) func rowsOfTexts(_ row: Row) { check(row) }
  @Test(arguments: heads) func rowsOfHeads(_ row: Row) { check(row) }
  @Test(arguments: repeats) func rowsOfRepeats(_ row: Row) { check(row) }
  @Test(arguments: segments) func rowsOfSegments(_ row: Row) { check(row) }
  @Test(arguments: attributes) func rowsOfAttributes(_ row: Row) { check(row) }
  @Test(arguments: lowLatency) func rowsOfLowLatency(_ row: Row) { check(row) }
  @Test(arguments: entries) func rowsOfEntries(_ row: Row) { check(row) }

  @Test func aFindingShowsItsLine() {
    let (_, findings) = PlaylistReader.read(Fixture.source(Fixture.media("#EXTINF:x,", "a")))
    #expect(
      findings.map(\.rendered) == [
        """
        a/x.m3u8:3:9: error: the duration must be a number of seconds
        #EXTINF:x,
                ^
        """
      ])
  }

  @Test func invalidText() {
    for (bytes, problem) in [
      ([0xFF], "a byte that never occurs"), ([0xC3], "a sequence that ends too early"),
      ([0xED, 0xA0, 0x80], "a surrogate"), ([0xE0, 0x80, 0x80], "an overlong form"),
      ([0xF4, 0x90, 0x80, 0x80], "a scalar above U+10FFFF"),
      ([0xE2, 0x82], "a sequence that ends too early"),
      ([0x80], "a continuation byte without a beginning"),
    ] as [([UInt8], String)] {
      let text = Array("#EXTM3U\n\(Self.oneSegment)# \u{E9}".utf8) + bytes + Array("\n".utf8)
      let (playlist, findings) = PlaylistReader.read(SourceText(path: "x", bytes: text))
      #expect(playlist == nil)
      #expect(findings.map(Fixture.short) == ["5:4: error: invalid UTF-8: \(problem)"])
    }
  }
}
