import AutowaitScenario
import Testing

/// What the tags of a media playlist come to.
@Suite struct MediaPlaylistTests {
  private typealias Fixture = PlaylistFixture

  @Test func head() throws {
    let playlist = try Fixture.readMedia(
      """
      #EXTM3U
      #EXT-X-VERSION:9
      #EXT-X-TARGETDURATION:6
      #EXT-X-MEDIA-SEQUENCE:266
      #EXT-X-DISCONTINUITY-SEQUENCE:7
      #EXT-X-PLAYLIST-TYPE:EVENT
      #EXT-X-I-FRAMES-ONLY
      #EXT-X-INDEPENDENT-SEGMENTS
      #EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES
      # a comment
      #EXTINF:6,
      1.ts
      #EXT-X-ENDLIST

      """)
    var expected = MediaPlaylist(targetDuration: .seconds(6))
    expected.version = 9
    expected.mediaSequence = 266
    expected.discontinuitySequence = 7
    expected.kind = .event
    expected.isIFramesOnly = true
    expected.hasIndependentSegments = true
    expected.start = PlaylistStart(
      timeOffset: PlaylistTime(nanoseconds: -12_500_000_000), isPrecise: true)
    expected.segments = [MediaPlaylist.Segment(uri: "1.ts", duration: .seconds(6), line: 12)]
    expected.hasEndList = true
    #expect(playlist == expected)
    #expect(playlist.mediaSequenceNumber(ofSegmentAt: 0) == 266)
    #expect(playlist.duration == .seconds(6))
  }

  @Test func whatIsNotSaid() throws {
    let playlist = try Fixture.readMedia(Fixture.media("#EXTINF:4,", "1.ts"))
    #expect(playlist.version == 1)
    #expect(playlist.kind == .live)
    #expect(!playlist.hasEndList)
    #expect(playlist.mediaSequence == 0)
    #expect(playlist.segments.map(\.line) == [4])
    #expect(playlist.openSegment == nil)
  }

  /// A duration as it is written, and in nanoseconds.
  @Test(
    arguments: [
      ("6", 6_000_000_000), ("4.00008", 4_000_080_000), ("5.5", 5_500_000_000),
      (".5", 500_000_000), ("5.", 5_000_000_000), ("0.0000000014", 1),
      ("0.0000000015", 2), ("0.00000000149999", 1),
      ("000006.0000000000000000000000", 6_000_000_000),
      ("6.499999999", 6_499_999_999), ("0.333333333333333333333333", 333_333_333),
      ("1.9999999999", 2_000_000_000),
    ])
  func duration(_ text: String, _ nanoseconds: Int64) throws {
    let playlist = try Fixture.readMedia(Fixture.media("#EXTINF:\(text),", "1.ts"))
    #expect(playlist.segments.map(\.duration.nanoseconds) == [nanoseconds])
  }

  @Test func titlesAreNotKept() throws {
    let playlist = try Fixture.readMedia(
      Fixture.media("#EXTINF:6,a title, with a comma ", "1.ts", "#EXTINF:6, ", "2.ts"))
    #expect(playlist.segments.map(\.uri) == ["1.ts", "2.ts"])
  }

  @Test func endsOfLines() throws {
    let lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:6", "#EXTINF:6,", "1.ts", "", "#EXTINF:6,", "2"]
    for end in ["\n", "\r\n", "\r"] {
      for last in ["", end, end + end] {
        let playlist = try Fixture.readMedia(lines.joined(separator: end) + last)
        #expect(playlist.segments.map(\.uri) == ["1.ts", "2"])
        #expect(playlist.segments.map(\.line) == [4, 7])
      }
    }
  }

  @Test func byteRanges() throws {
    let playlist = try Fixture.readMedia(
      Fixture.media(
        "#EXT-X-BYTERANGE:100@0", "#EXTINF:6,", "a", "#EXTINF:6,", "#EXT-X-BYTERANGE:50", "a",
        "#EXT-X-BYTERANGE:7", "#EXTINF:6,", "a", "#EXTINF:6,", "#EXT-X-BYTERANGE:1@1000", "b",
        "#EXTINF:6,", "c"))
    func range(_ offset: Int64, _ length: Int64) -> PlaylistByteRange {
      PlaylistByteRange(offset: offset, length: length)
    }
    #expect(
      playlist.segments.map(\.byteRange) == [
        range(0, 100), range(100, 50), range(150, 7), range(1_000, 1), nil,
      ])
  }

  @Test func bitRatesHoldForWholeFiles() throws {
    let playlist = try Fixture.readMedia(
      Fixture.media(
        "#EXTINF:6,", "a", "#EXT-X-BITRATE:500", "#EXTINF:6,", "b", "#EXTINF:6,",
        "#EXT-X-BYTERANGE:1@1", "c", "#EXTINF:6,", "d", "#EXTINF:6,", "#EXT-X-BITRATE:600", "e"))
    let rates = playlist.segments.map(\.bitRate)
    #expect(rates == [nil, 500_000, nil, 500_000, 600_000])
  }

  @Test func whatHoldsForOneSegment() throws {
    let playlist = try Fixture.readMedia(
      Fixture.media(
        "#EXTINF:6,", "a", "#EXT-X-DISCONTINUITY", "#EXTINF:6,", "#EXT-X-GAP", "b",
        "#EXT-X-GAP", "#EXT-X-PROGRAM-DATE-TIME:2019-02-14T02:14:00.106Z", "#EXTINF:6,", "c",
        "#EXTINF:6,", "d"))
    #expect(playlist.segments.map(\.isDiscontinuity) == [false, true, false, false])
    #expect(playlist.segments.map(\.isGap) == [false, true, true, false])
    #expect(
      playlist.segments.map(\.programDateTime) == [nil, nil, "2019-02-14T02:14:00.106Z", nil])
  }

  @Test func endListStandsAnywhere() throws {
    let playlist = try Fixture.readMedia(
      Fixture.media("#EXT-X-ENDLIST", "#EXTINF:6,", "a", "#EXTINF:6,", "b"))
    #expect(playlist.hasEndList)
    #expect(playlist.segments.count == 2)
  }

  @Test func keysHoldUntilTheNextOfTheirFormat() throws {
    let playlist = try Fixture.readMedia(
      Fixture.media(
        "#EXTINF:6,", "a",  //
        "#EXT-X-KEY:METHOD=AES-128,URI=\"k0\",IV=0x0a", "#EXTINF:6,", "b",
        "#EXTINF:6,", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k1\",KEYFORMAT=\"com.x\"", "c",
        "#EXT-X-KEY:METHOD=AES-128,URI=\"k2\",KEYFORMATVERSIONS=\"1/2\"", "#EXTINF:6,", "d",
        "#EXT-X-KEY:METHOD=AES-128,URI=\"k0\",IV=0x0a", "#EXTINF:6,", "e",
        "#EXT-X-KEY:METHOD=NONE", "#EXTINF:6,", "f"))
    #expect(playlist.keys.map(\.uri) == ["k0", "k1", "k2"])
    #expect(playlist.keys.map(\.method) == [.aes128, .sampleAES, .aes128])
    #expect(playlist.keys.map(\.keyFormat) == ["identity", "com.x", "identity"])
    #expect(playlist.keys.map(\.initializationVector) == ["0x0a", nil, nil])
    #expect(playlist.keys.map(\.keyFormatVersions) == [nil, nil, "1/2"])
    #expect(playlist.keys.map(\.line) == [5, 9, 11])
    #expect(playlist.segments.map(\.keyIndexes) == [[], [0], [0, 1], [1, 2], [1, 0], []])
  }

  @Test func mapsHoldUntilTheNextOne() throws {
    let playlist = try Fixture.readMedia(
      Fixture.media(
        "#EXTINF:6,", "a", "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"719@0\"", "#EXTINF:6,", "b",
        "#EXTINF:6,", "#EXT-X-MAP:URI=\"j\"", "c", "#EXT-X-DISCONTINUITY", "#EXTINF:6,", "d",
        "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"719@0\"", "#EXTINF:6,", "e",
        "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-MAP:URI=\"j\"", "#EXTINF:6,", "f"))
    let range = PlaylistByteRange(offset: 0, length: 719)
    #expect(playlist.maps.map(\.uri) == ["i", "j", "j"])
    #expect(playlist.maps.map(\.byteRange) == [range, nil, nil])
    #expect(playlist.maps.map(\.keyIndexes) == [[], [], [0]])
    #expect(playlist.segments.map(\.mapIndex) == [nil, 0, 1, 1, 0, 2])
  }

  @Test func lowLatency() throws {
    let playlist = try Fixture.readMedia(
      Fixture.media(
        "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36,PART-HOLD-BACK=1.5,"
          + "HOLD-BACK=18,CAN-SKIP-DATERANGES=YES",
        "#EXT-X-PART-INF:PART-TARGET=0.5", "#EXT-X-MEDIA-SEQUENCE:10",
        "#EXT-X-SKIP:SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES=\"a\tb\"",
        "#EXT-X-PART:URI=\"p\",DURATION=0.5,BYTERANGE=\"10@0\",INDEPENDENT=YES",
        "#EXT-X-PART:URI=\"p\",DURATION=0.25,BYTERANGE=\"20\",GAP=YES", "#EXTINF:1,", "a",
        "#EXT-X-DISCONTINUITY", "#EXT-X-GAP", "#EXT-X-PART:URI=\"q\",DURATION=0.5",
        "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"r\",BYTERANGE-START=5,BYTERANGE-LENGTH=6",
        "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"m\"",
        "#EXT-X-RENDITION-REPORT:URI=\"../1\",LAST-MSN=13,LAST-PART=2"))
    var control = MediaPlaylist.ServerControl()
    control.canBlockReload = true
    control.canSkipDateRanges = true
    control.canSkipUntil = .seconds(36)
    control.holdBack = .seconds(18)
    control.partHoldBack = PlaylistTime(nanoseconds: 1_500_000_000)
    #expect(playlist.serverControl == control)
    #expect(playlist.partTarget == PlaylistTime(nanoseconds: 500_000_000))
    var skip = MediaPlaylist.Skip(segmentCount: 3)
    skip.removedDateRanges = ["a", "b"]
    #expect(playlist.skipped == skip)
    #expect(playlist.mediaSequenceNumber(ofSegmentAt: 0) == 13)

    let half = PlaylistTime(nanoseconds: 500_000_000)
    var first = MediaPlaylist.Part(uri: "p", duration: half, line: 7)
    first.byteRange = PlaylistByteRange(offset: 0, length: 10)
    first.isIndependent = true
    let quarter = PlaylistTime(nanoseconds: 250_000_000)
    var second = MediaPlaylist.Part(uri: "p", duration: quarter, line: 8)
    second.byteRange = PlaylistByteRange(
      offset: 10, length: 20)
    second.isGap = true
    #expect(playlist.segments.map(\.parts) == [[first, second]])

    let open = try #require(playlist.openSegment)
    #expect(open.parts == [MediaPlaylist.Part(uri: "q", duration: half, line: 13)])
    #expect(open.isDiscontinuity)
    #expect(open.isGap)
    var part = MediaPlaylist.PreloadHint(.part, uri: "r", line: 14)
    part.offset = 5
    part.length = 6
    let map = MediaPlaylist.PreloadHint(.map, uri: "m", line: 15)
    #expect(playlist.preloadHints == [part, map])
    var report = MediaPlaylist.RenditionReport(uri: "../1", line: 16)
    report.lastMediaSequence = 13
    report.lastPart = 2
    #expect(playlist.renditionReports == [report])
  }

  @Test func whatIsKeptAndCounted() throws {
    let playlist = try Fixture.readMedia(
      Fixture.media(
        "#EXT-X-DATERANGE:ID=\"a\",X-WHAT=0xFC,START-DATE=\"2020\"", "#EXT-X-CUE-OUT:30",
        "#EXT-X-FAXS-CM:x", "#EXT-X-CUE-OUT:30", "##EXT-X-GAP", "#ext-x-gap", "#EXTINF:6,", "a"))
    #expect(
      playlist.dateRanges == [
        PlaylistTagText(text: "ID=\"a\",X-WHAT=0xFC,START-DATE=\"2020\"", line: 3)
      ])
    #expect(
      playlist.unknownTags == [
        PlaylistTagCount(name: "EXT-X-CUE-OUT", count: 2),
        PlaylistTagCount(name: "EXT-X-FAXS-CM", count: 1),
      ])
    #expect(playlist.segments.map(\.isGap) == [false])
  }
}
