import Autowait
import AutowaitScenario
import Testing

/// What the standard forbids and players take is told where somebody asks for it.
@Suite struct PlaylistRuleTests {
  private typealias Fixture = PlaylistFixture

  /// Lines before a segment, and what is said about them.
  static let media: [(lines: [String], findings: [String])] = [
    (["#EXT-X-VERSION:2", "#EXTINF:5.5,", "z"], [needs(4, "a duration with a fraction", 3, 2)]),
    (["#EXT-X-VERSION:3", "#EXTINF:5.5,", "z"], []),
    (["#EXTINF:5,a.b", "z"], []),
    (["#EXT-X-VERSION:3", "#EXT-X-BYTERANGE:1@0"], [needs(4, "'EXT-X-BYTERANGE'", 4, 3)]),
    (["#EXT-X-VERSION:4", "#EXT-X-BYTERANGE:1@0"], []),
    (["#EXT-X-VERSION:3", "#EXT-X-I-FRAMES-ONLY"], [needs(4, "'EXT-X-I-FRAMES-ONLY'", 4, 3)]),
    (
      ["#EXT-X-VERSION:4", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-MAP:URI=\"m\""],
      [needs(5, "'EXT-X-MAP'", 5, 4)]
    ),
    (["#EXT-X-VERSION:5", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-MAP:URI=\"m\""], []),
    (
      ["#EXT-X-VERSION:5", "#EXT-X-MAP:URI=\"m\""],
      [needs(4, "'EXT-X-MAP' with segments other than I-frames", 6, 5)]
    ),
    (["#EXT-X-VERSION:6", "#EXT-X-MAP:URI=\"m\""], []),
    (
      ["#EXT-X-VERSION:1", "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1"],
      [needs(4, "the attribute 'IV'", 2, 1)]
    ),
    (
      ["#EXT-X-VERSION:4", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"x\""],
      [needs(4, "the attribute 'KEYFORMAT'", 5, 4)]
    ),
    (
      ["#EXT-X-VERSION:7", "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\""],
      [
        needs(4, "'EXT-X-DEFINE'", 8, 7)
      ]
    ),
    (["#EXT-X-VERSION:8", "#EXT-X-SKIP:SKIPPED-SEGMENTS=1"], [needs(4, "'EXT-X-SKIP'", 9, 8)]),
    (
      ["#EXT-X-VERSION:9", "#EXT-X-SKIP:SKIPPED-SEGMENTS=1,RECENTLY-REMOVED-DATERANGES=\"\""],
      [needs(4, "'RECENTLY-REMOVED-DATERANGES'", 10, 9)]
    ),
    (
      ["#EXT-X-MAP:URI=\"m\""],
      [
        "3:1: warning: 'EXT-X-MAP' with segments other than I-frames needs version 6, and the "
          + "playlist has 1 ['#EXT-X-VERSION:6' says it]"
      ]
    ),
    (
      ["#EXT-X-SERVER-CONTROL:CAN-SKIP-DATERANGES=YES"],
      ["3:1: warning: 'CAN-SKIP-DATERANGES' without 'CAN-SKIP-UNTIL'"]
    ),
  ]

  private static func needs(_ line: Int, _ what: String, _ version: Int, _ has: Int) -> String {
    "\(line):1: warning: \(what) needs version \(version), and the playlist has \(has) "
      + "[the version is at 3:16]"
  }

  @Test(arguments: media.indices)
  func mediaPlaylists(_ index: Int) {
    let row = Self.media[index]
    let text = (["#EXTM3U", "#EXT-X-TARGETDURATION:6"] + row.lines + ["#EXTINF:6,", "a", ""])
      .joined(separator: "\n")
    #expect(Self.findings(text) == row.findings, "\(row.lines)")
  }

  private static let start = "START-DATE=\"2026-01-01T00:00:00Z\""

  static let dateRanges: [(attributes: String, finding: String?)] = [
    (start, nil), (start + ",DURATION=1.5,PLANNED-DURATION=2", nil),
    (start + ",DURATION=-1", "4:68: warning: the value of 'DURATION' must not be negative"),
    (
      start + ",PLANNED-DURATION=x",
      "4:76: warning: the value of 'PLANNED-DURATION' must be a number of seconds"
    ),
    (start + ",END-DATE=\"2026-01-01T00:00:01Z\",DURATION=1", nil),
    (
      start + ",END-DATE=\"2026-01-01T00:00:01Z\",DURATION=2",
      "4:1: warning: 'DURATION' is not what lies between both dates"
    ),
    (
      start + ",END-DATE=\"2025-12-31T23:59:59Z\"",
      "4:1: warning: the date range ends before it starts"
    ),
    (
      "START-DATE=\"today\"",
      "4:37: warning: the value of 'START-DATE' must be a date and a time of ISO 8601"
    ),
    ("CLASS=\"x\"", "4:1: warning: a date range without the attribute 'START-DATE'"),
    (start + ",CLASS=\"x\",END-ON-NEXT=YES", nil),
    (
      start + ",END-ON-NEXT=YES",
      "4:1: warning: 'END-ON-NEXT' without the attribute 'CLASS'"
    ),
    (start + ",CLASS=\"x\",END-ON-NEXT=NO", "4:1: warning: 'END-ON-NEXT' must be YES"),
    (
      start + ",CLASS=\"x\",END-ON-NEXT=YES,DURATION=1",
      "4:1: warning: 'END-ON-NEXT' with 'DURATION' or 'END-DATE'"
    ),
    (start + "\n#EXT-X-DATERANGE:ID=\"i\",DURATION=1", nil),
    (
      start + "\n#EXT-X-DATERANGE:ID=\"i\",START-DATE=\"2026-01-01T00:00:01Z\"",
      "5:1: warning: a date range has another value than before of 'START-DATE'"
    ),
  ]

  @Test(arguments: dateRanges.indices)
  func rangesOfDates(_ index: Int) {
    let row = Self.dateRanges[index]
    let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n"
    let text = head + "#EXT-X-DATERANGE:ID=\"i\",\(row.attributes)\n#EXTINF:6,\na\n"
    #expect(Self.findings(text) == (row.finding.map { [$0] } ?? []), "\(row.attributes)")
  }

  @Test func rangesOfDatesNeedADate() {
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DATERANGE:ID=\"i\",\(Self.start)\n"
    #expect(
      Self.findings(text + "#EXTINF:6,\na\n") == [
        "3:1: warning: a date range in a playlist without 'EXT-X-PROGRAM-DATE-TIME'"
      ])
  }

  /// Lines of a multivariant playlist, and what is said about them.
  static let multivariant: [(lines: [String], finding: String?)] = [
    (["#EXT-X-STREAM-INF:BANDWIDTH=2,CLOSED-CAPTIONS=NONE", "w"], captions(4)),
    (
      [
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\",FORCED=YES"
      ], "2:1: warning: only subtitles may have the attribute 'FORCED'"
    ),
    (["#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"n\",URI=\"u\",FORCED=YES"], nil),
    (["#EXT-X-STREAM-INF:BANDWIDTH=2,ALLOWED-CPC=\"com.x:A/B,y:\"", "w"], nil),
    (
      ["#EXT-X-STREAM-INF:BANDWIDTH=2,ALLOWED-CPC=\"A/B\"", "w"],
      "2:44: warning: the value of 'ALLOWED-CPC' must be formats, each with ':' and its classes"
    ),
    (
      ["#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"g\",NAME=\"n\",INSTREAM-ID=\"CC5\""],
      "2:70: warning: the value of 'INSTREAM-ID' must be CC1 to CC4, or SERVICE1 to SERVICE63"
    ),
    (["#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"g\",NAME=\"n\",INSTREAM-ID=\"CC4\""], nil),
    (
      ["#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"g\",NAME=\"n\",INSTREAM-ID=\"SERVICE1\""],
      "2:1: warning: 'SERVICE' in 'INSTREAM-ID' needs version 7, and the playlist has 1 "
        + "['#EXT-X-VERSION:7' says it]"
    ),
    (
      ["#EXT-X-STREAM-INF:BANDWIDTH=2,REQ-VIDEO-LAYOUT=\"CH-STEREO\"", "w"],
      "2:1: warning: an attribute whose name begins with 'REQ-' needs version 12, and the "
        + "playlist has 1 ['#EXT-X-VERSION:12' says it]"
    ),
    (
      ["#EXT-X-SESSION-DATA:DATA-ID=\"d\""],
      "2:1: warning: session data must have one of 'VALUE' and 'URI'"
    ),
    (
      [
        "#EXT-X-SESSION-DATA:DATA-ID=\"d\",VALUE=\"1\"",
        "#EXT-X-SESSION-DATA:DATA-ID=\"d\",VALUE=\"2\"",
      ],
      "3:1: warning: session data appears twice in one language"
    ),
    (
      ["#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\"A\""],
      "2:52: warning: no variant has the pathway to begin with"
    ),
    (["#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\".\""], nil),
  ]

  private static func captions(_ line: Int) -> String {
    "\(line):1: warning: another variant has 'CLOSED-CAPTIONS=NONE', and so all must"
  }

  @Test(arguments: multivariant.indices)
  func multivariantPlaylists(_ index: Int) {
    let row = Self.multivariant[index]
    let text = (["#EXTM3U"] + row.lines + ["#EXT-X-STREAM-INF:BANDWIDTH=1", "v", ""])
      .joined(separator: "\n")
    #expect(Self.findings(text) == (row.finding.map { [$0] } ?? []), "\(row.lines)")
  }

  /// Nothing of this is said where nobody asked for it.
  @Test func whoDoesNotAskIsNotTold() {
    for row in Self.media {
      let text = (["#EXTM3U", "#EXT-X-TARGETDURATION:6"] + row.lines + ["#EXTINF:6,", "a", ""])
        .joined(separator: "\n")
      #expect(Fixture.findings(text) == [])
    }
  }

  private static func findings(_ text: String) -> [String] {
    var context = PlaylistContext()
    context.lints = true
    return Fixture.findings(text, context)
  }
}
