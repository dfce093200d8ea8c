import AutowaitScenario
import Testing

/// What the tags of a multivariant playlist come to.
@Suite struct MultivariantPlaylistTests {
  private typealias Fixture = PlaylistFixture

  @Test func variants() throws {
    let playlist = try Fixture.readMultivariant(
      """
      #EXTM3U
      #EXT-X-VERSION:12
      #EXT-X-INDEPENDENT-SEGMENTS
      #EXT-X-START:TIME-OFFSET=3
      #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="au",NAME="English",URI="a"
      #EXT-X-MEDIA:TYPE=VIDEO,GROUP-ID="vi",NAME="Angle"
      #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="su",NAME="English",URI="s"
      #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="English",INSTREAM-ID="CC1"
      #EXT-X-STREAM-INF:BANDWIDTH=8000000,AVERAGE-BANDWIDTH=6000000,SCORE=1.25,\
      CODECS="avc1.4d401e, mp4a.40.2",SUPPLEMENTAL-CODECS="dvh1.08.07/db4h",RESOLUTION=1920x1080,\
      FRAME-RATE=59.94,HDCP-LEVEL=TYPE-1,ALLOWED-CPC="x:y",VIDEO-RANGE=PQ,\
      REQ-VIDEO-LAYOUT="CH-STEREO",STABLE-VARIANT-ID="v1",AUDIO="au",VIDEO="vi",SUBTITLES="su",\
      CLOSED-CAPTIONS="cc",PATHWAY-ID="CDN-A",PROGRAM-ID=1,NAME="x",X-OWN="y"
      # between a tag and its address

      hi/index.m3u8?a=b#c
      #EXT-X-STREAM-INF:BANDWIDTH=1,CLOSED-CAPTIONS=NONE,FRAME-RATE=23.976
      lo
      #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=5,URI="i"

      """)
    var high = MultivariantPlaylist.Variant(
      uri: "hi/index.m3u8?a=b#c", bandwidth: 8_000_000, line: 9)
    high.averageBandwidth = 6_000_000
    high.scoreMillionths = 1_250_000
    high.codecs = ["avc1.4d401e", "mp4a.40.2"]
    high.supplementalCodecs = ["dvh1.08.07/db4h"]
    high.resolution = MultivariantPlaylist.Resolution(width: 1_920, height: 1_080)
    high.frameRateMillihertz = 59_940
    high.hdcpLevel = .type1
    high.allowedCPC = "x:y"
    high.videoRange = .pq
    high.requiredVideoLayout = "CH-STEREO"
    high.stableVariantID = "v1"
    high.audioGroup = "au"
    high.videoGroup = "vi"
    high.subtitlesGroup = "su"
    high.closedCaptions = .group("cc")
    high.pathwayID = "CDN-A"
    var low = MultivariantPlaylist.Variant(
      uri: "lo", bandwidth: 1, line: 13)
    low.closedCaptions = .absent
    low.frameRateMillihertz = 23_976
    #expect(playlist.variants == [high, low])
    let pictures = MultivariantPlaylist.Variant(
      uri: "i", bandwidth: 5, line: 15)
    #expect(playlist.iFrameVariants == [pictures])
    #expect(playlist.version == 12)
    #expect(playlist.hasIndependentSegments)
    #expect(playlist.start == PlaylistStart(timeOffset: .seconds(3)))
  }

  @Test func renditions() throws {
    let playlist = try Fixture.readMultivariant(
      Fixture.multivariant(
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\",URI=\"u\",LANGUAGE=\"sv\","
          + "ASSOC-LANGUAGE=\"en\",STABLE-RENDITION-ID=\"r\",DEFAULT=YES,FORCED=NO,BIT-DEPTH=24,"
          + "SAMPLE-RATE=48000,CHANNELS=\"16/JOC\",CHARACTERISTICS=\"a.b,c.d\"",
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"n\",URI=\"s\",FORCED=YES,"
          + "AUTOSELECT=YES"))
    var audio = MultivariantPlaylist.Rendition(
      .audio, groupID: "g", name: "n", uri: "u", line: 2)
    audio.language = "sv"
    audio.associatedLanguage = "en"
    audio.stableRenditionID = "r"
    audio.isDefault = true
    audio.isAutoselect = true
    audio.bitDepth = 24
    audio.sampleRate = 48_000
    audio.channels = "16/JOC"
    audio.characteristics = ["a.b", "c.d"]
    var subtitles = MultivariantPlaylist.Rendition(
      .subtitles, groupID: "g", name: "n", uri: "s", line: 3)
    subtitles.isForced = true
    subtitles.isAutoselect = true
    #expect(playlist.renditions == [audio, subtitles])
  }

  @Test func sessionAndSteering() throws {
    let playlist = try Fixture.readMultivariant(
      Fixture.multivariant(
        "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES-CTR,URI=\"skd://x\",KEYFORMAT=\"f\"",
        "#EXT-X-SESSION-DATA:DATA-ID=\"t\",VALUE=\"a, b\"",
        "#EXT-X-CONTENT-STEERING:SERVER-URI=\"/steer\",PATHWAY-ID=\"P\"", "#EXT-X-TWITCH-INFO:a"))
    #expect(
      playlist.sessionKeys == [
        PlaylistKey(method: .sampleAESCTR, uri: "skd://x", keyFormat: "f", line: 2)
      ])
    #expect(
      playlist.sessionData == [PlaylistTagText(text: "DATA-ID=\"t\",VALUE=\"a, b\"", line: 3)])
    #expect(
      playlist.contentSteering
        == MultivariantPlaylist.ContentSteering(serverURI: "/steer", pathwayID: "P"))
    #expect(playlist.unknownTags == [PlaylistTagCount(name: "EXT-X-TWITCH-INFO", count: 1)])
  }
}
