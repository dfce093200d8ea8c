import Autowait
import AutowaitScenario
import Testing

/// No playlist takes more time or memory than its size allows.
@Suite struct PlaylistLimitTests {
  private typealias Fixture = PlaylistFixture

  private func media(_ lines: String) -> String {
    "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + lines
  }

  @Test func lines() {
    let max = PlaylistReader.lineMax
    let long = String(repeating: "a", count: max)
    #expect(Fixture.findings(media("#EXTINF:6,\n\(long)\n")) == [])
    #expect(
      Fixture.findings(media("#EXTINF:6,\n\(long)a\n#EXTINF:x,\n")) == [
        "4:1: error: the line is longer than \(max) bytes"
      ])
  }

  @Test func segments() {
    let max = PlaylistReader.segmentsMax
    let text = media(String(repeating: "#EXTINF:6,\na\n", count: max + 1) + "#EXTINF:x,\n")
    #expect(
      Fixture.findings(text) == ["\(2 * max + 4):1: error: more than \(max) segments"])
  }

  @Test func duration() {
    let day = "#EXT-X-TARGETDURATION:86400\n" + String(repeating: "#EXTINF:86400,\na\n", count: 366)
    #expect(Fixture.findings("#EXTM3U\n" + day) == [])
    #expect(
      Fixture.findings("#EXTM3U\n" + day + "#EXTINF:0.000000001,\na\n") == [
        "736:1: error: the segments are longer than the limit of 366 d"
      ])
  }

  @Test(
    arguments: [
      "#EXT-X-STREAM-INF:BANDWIDTH=1\na\n", "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"a\"\n",
      "#EXT-X-SESSION-DATA:DATA-ID=\"a\"\n", "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"a\"\n",
    ])
  func entries(_ entry: String) {
    let max = PlaylistReader.entriesMax
    let last = "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n"
    let text = "#EXTM3U\n" + String(repeating: entry, count: max - 1) + last
    #expect(Fixture.findings(text) == [])
    let line = text.utf8.count { $0 == 0x0A } + 1
    #expect(
      Fixture.findings(text + entry) == [
        "\(line):1: error: more than \(max) variants, renditions and other entries"
      ])
  }

  @Test func attributes() {
    let list = (0..<200).map { "A\($0)=1" }.joined(separator: ",")
    #expect(Fixture.findings(media("#EXT-X-DATERANGE:ID=\"x\",A=1\n#EXTINF:6,\na\n")) == [])
    #expect(
      Fixture.findings(media("#EXT-X-MAP:\(list),URI=\"a\"\n#EXTINF:6,\na\n")) == [
        "3:\(13 + list.utf8.count): error: more than 200 attributes"
      ])
  }

  @Test func formatsOfKeys() {
    func keys(_ count: Int) -> String {
      (0..<count).map { "#EXT-X-KEY:METHOD=AES-128,URI=\"a\",KEYFORMAT=\"f\($0)\"\n" }.joined()
    }
    #expect(Fixture.findings(media(keys(16) + "#EXTINF:6,\na\n")) == [])
    #expect(
      Fixture.findings(media(keys(17) + "#EXTINF:6,\na\n")) == [
        "19:1: error: more than 16 formats of keys"
      ])
  }

  @Test func findingsOfOneKind() throws {
    let lines = (1...25).map { "#EXTINF:6.5,\n\($0)\n" }.joined() + "#EXTINF:0,\na\n"
    let findings = Fixture.findings(media(lines))
    try #require(findings.count == 22)
    let message = "warning: the duration is above the target duration of 6 s"
    #expect(findings.first == "3:9: \(message)")
    #expect(findings[19] == "41:9: \(message)")
    #expect(findings[20] == "43:9: \(message), and 5 more")
    #expect(findings[21] == "53:9: warning: the duration is 0")
  }

  @Test func namesOfUnknownTags() throws {
    let text = (0..<2_000).map { "#EXT-Y\($0)\n" }.joined()
    let playlist = try Fixture.readMedia(media("#EXTINF:6,\na\n" + text))
    #expect(playlist.unknownTags.count == 1_000)
  }
}

/// Playlists know no simulator, and so have limits of their own; the core's are no lower.
@Suite struct PlaylistBoundTests {
  @Test func boundsAreThoseOfTheCore() {
    #expect(MediaTime(PlaylistReader.timeMax) == Limits.mediaMax)
    #expect(PlaylistReader.bytesMax == Limits.bytesMax.bytes)
    #expect(PlaylistReader.bitRateMax == Limits.bitRateMax.bitsPerSecond)
  }
}
