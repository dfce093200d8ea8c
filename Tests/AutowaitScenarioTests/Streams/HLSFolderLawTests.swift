import Autowait
import AutowaitScenario
import Testing

/// What holds of all streams that are written and read again.
@Suite struct HLSFolderLawTests {
  /// Makes a stream whose keys and groups are numbered as readers number them.
  private static func streamMedia(_ random: inout SplitMix64) -> StreamMedia {
    func number(_ limit: UInt64) -> Int { Int(random.next() % limit) }
    var keys: [StreamMedia.ContentKey] = []
    let encrypted = number(2) == 0
    var lists: [SegmentList] = []
    for _ in 0..<1 + number(4) {
      var list = SegmentList(
        (0..<1 + number(6)).map { _ in
          (
            MediaTime(nanoseconds: Int64(1 + number(6_000_000_000))),
            ByteCount(bytes: Int64(1 + number(900_000)))
          )
        })
      list.initializations = (0..<number(3)).map { ByteCount(bytes: Int64(500 + $0)) }
      for first in 0..<list.count where first == 0 || number(3) == 0 {
        var key: Int?
        if encrypted, number(3) > 0 {
          if keys.isEmpty || number(3) == 0 {
            keys.append(StreamMedia.ContentKey(size: ByteCount(bytes: [16, 32, 1_500][number(3)])))
            key = keys.count - 1
          } else {
            key = number(UInt64(keys.count))
          }
        }
        let last = list.stretches[list.stretches.count - 1]
        if first > 0, last.key == key { continue }
        list.need(
          SegmentList.SegmentStretch(
            first: first,
            initialization: list.initializations.isEmpty ? nil : list.initializations.count - 1,
            key: key))
      }
      list.targetDuration = .seconds(Int64(6))
      list.playlistSize = ByteCount(bytes: Int64(2_000 + number(30_000)))
      lists.append(list)
    }
    var variants: [StreamMedia.Variant] = []
    for list in 0..<max(1, lists.count - 1) {
      var variant = StreamMedia.Variant(
        bandwidth: BitRate(bitsPerSecond: Int64(1 + number(9_000_000))), list: list)
      if number(2) == 0 { variant.averageBandwidth = BitRate(bitsPerSecond: 1) }
      if number(2) == 0 {
        variant.resolution = Resolution(width: Int32(1 + number(4_000)), height: 9)
      }
      if number(2) == 0 { variant.frameRate = 1 + number(60_000) }
      variant.videoRange = VideoRange.allCases[number(3)]
      if number(2) == 0 { variant.codecs = [.avc, .heAAC] }
      variants.append(variant)
    }
    var streamMedia = StreamMedia(variants: variants, lists: lists)
    if lists.count > 1 {
      var rendition = StreamMedia.Rendition(.audio, group: 0, list: lists.count - 1)
      rendition.isDefault = number(2) == 0
      rendition.isAutoselected = rendition.isDefault || number(2) == 0
      rendition.channels = number(2) == 0 ? 2 : nil
      streamMedia.renditions = [rendition]
      for index in streamMedia.variants.indices { streamMedia.variants[index].audioGroup = 0 }
    }
    streamMedia.keys = keys
    if !keys.isEmpty, number(2) == 0 { streamMedia.sessionKeys = [number(UInt64(keys.count))] }
    streamMedia.playlistSize = ByteCount(bytes: Int64(3_000 + number(4_000)))
    if number(2) == 0 { streamMedia.startOffset = MediaTime(nanoseconds: Int64(number(9)) - 4) }
    return streamMedia
  }

  private static func playlistText(_ random: inout SplitMix64) -> PlaylistText {
    func bytes() -> ByteCount { ByteCount(bytes: Int64(random.next() % 500)) }
    var text = PlaylistText(head: bytes(), entries: bytes(), of: 1 + Int(random.next() % 9))
    text.key = bytes()
    text.initialization = bytes()
    text.sentPart = 1 + Int64(random.next() % 1_000_000_000)
    return text
  }

  private static func names(_ streamMedia: StreamMedia) -> StreamNames {
    StreamNames(
      variants: streamMedia.variants.indices.map { "v\($0)" },
      lists: streamMedia.lists.indices.map { "l\($0)" },
      keys: streamMedia.keys.indices.map { "key \($0)" })
  }

  @Test func readingWhatIsSpelledOutGivesTheSame() throws {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var streamMedia = Self.streamMedia(&random)
      if seed % 3 == 0 {
        var live = LiveWindow(elapsed: .zero, window: seed % 2 == 0 ? .seconds(5) : nil)
        live.publishDelay = .milliseconds(1)
        streamMedia.live = live
        for index in streamMedia.lists.indices where index % 2 == 0 {
          streamMedia.lists[index].playlistText = Self.playlistText(&random)
        }
      }
      let names = Self.names(streamMedia)
      let text = (seed % 2 == 0 ? StreamMediaWriter.write : StreamMediaWriter.text)(
        streamMedia, names, nil)
      let read = StreamFile.read(SourceText(path: "l.json", bytes: text), loader: .none)
      #expect(read.findings.map(\.rendered) == [], "seed \(seed)")
      #expect(read.stream?.streamMedia == streamMedia, "seed \(seed)")
      #expect(read.stream?.names == names, "seed \(seed)")
    }
  }

  @Test func readingPlaylistsGivesTheSame() throws {
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let streamMedia = Self.streamMedia(&random)
      let tree = try HLSFolderWriter.write(streamMedia, Self.names(streamMedia))
      var fixture = HLSFolderFixture(files: [:])
      for file in tree.files {
        fixture.files[file.name] = String(decoding: file.bytes, as: UTF8.self)
      }
      #expect(tree.warnings == [], "seed \(seed)")
      #expect(try fixture.streamMedia(#""playlist":"master.m3u8""#) == streamMedia, "seed \(seed)")
    }
  }

  /// Whatever is wrong with a folder, it is reported or played.
  @Test func brokenFoldersAreReported() throws {
    let parts = [
      "#EXTM3U\n", "#EXT-X-ENDLIST\n", "#EXTINF:4,\n", "#EXTINF:0,\n", "#EXTINF:-1\n",
      "#EXT-X-GAP\n", "a\n", "b.m3u8\n", "m.m3u8\n", "../m.m3u8\n", "https://x/b.m3u8\n",
      "#EXT-X-BYTERANGE:9@999999999999\n", "#EXT-X-BYTERANGE:1\n", "#EXT-X-BITRATE:1\n",
      "#EXT-X-MAP:URI=\"a\"\n", "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"0@0\"\n",
      "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n", "#EXT-X-KEY:METHOD=NONE\n",
      "#EXT-X-STREAM-INF:BANDWIDTH=0\n", "#EXT-X-STREAM-INF:BANDWIDTH=9,AUDIO=\"a\"\n",
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"b.m3u8\"\n",
      "#EXT-X-START:TIME-OFFSET=-9\n", "#EXT-X-PART-INF:PART-TARGET=1\n",
      "#EXT-X-PART:DURATION=1,URI=\"p\"\n", "#EXT-X-TARGETDURATION:4\n",
      "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"data:,1\"\n",
      "#EXT-X-DEFINE:NAME=\"x\",VALUE=\"b\"\n",
    ]
    let starts = [
      "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\nb.m3u8\n",
      "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na\n",
    ]
    var (valid, broken) = (0, 0)
    for seed in 0..<3_000 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      func text(_ start: String) -> String {
        var text = start
        for _ in 0..<Int(random.next() % 8) {
          text += parts[Int(random.next() % UInt64(parts.count))]
        }
        return text
      }
      let fixture = HLSFolderFixture(files: [
        "m.m3u8": text(starts[Int(random.next() % 2)]), "b.m3u8": text(starts[1]), "a": "12",
      ])
      let (scenario, findings) = fixture.read(#""playlist":"m.m3u8","bitrate":1000"#)
      if let scenario {
        valid += 1
        if seed % 10 == 0 { _ = ScenarioRun.run(scenario) }
      } else {
        broken += 1
        #expect(findings.contains { $0.severity == .error }, "seed \(seed)")
      }
    }
    #expect(valid > 500)
    #expect(broken > 500)
  }
}
