import AutowaitScenario
import Testing

/// What is written reads as it was; whatever the bytes are, reading ends without a crash.
@Suite struct PlaylistLawTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: [0, 1, 2, 3] as [UInt64])
  func whatIsWrittenIsRead(_ block: UInt64) throws {
    for seed in block * 100..<block * 100 + 100 {
      var draws = RandomPlaylist(seed: seed)
      let playlist = draws.draw()
      do {
        let bytes = try PlaylistWriter.write(playlist)
        // The writer looks at it, too; this is for the day when it does not.
        let (read, _) = PlaylistReader.read(SourceText(path: "x", bytes: bytes))
        let again = try #require(read)
        #expect(again.meaning == playlist.meaning, "seed \(seed):\n\(text(bytes))")
        #expect(try PlaylistWriter.write(again) == bytes, "seed \(seed)")
      } catch let problem as PlaylistWriter.PlaylistProblem {
        Issue.record("seed \(seed): \(problem.message)\n\(playlist)")
      }
    }
  }

  @Test func whatNoTextSays() {
    func check(
      _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
      _ change: (inout MediaPlaylist) -> Void
    ) {
      var playlist = MediaPlaylist(targetDuration: .seconds(6))
      playlist.segments = [MediaPlaylist.Segment(uri: "a", duration: .seconds(6))]
      playlist.maps = [MediaPlaylist.Map(uri: "m")]
      change(&playlist)
      #expect(
        throws: PlaylistWriter.PlaylistProblem.self, "\(message)", sourceLocation: sourceLocation
      ) {
        try PlaylistWriter.write(.media(playlist))
      }
    }
    check("a line end in an address") { $0.segments[0].uri = "a\nb" }
    check("an address that is a comment") { $0.segments[0].uri = "#a" }
    check("an address with a space at its end") { $0.segments[0].uri = "a " }
    check("a reference") { $0.segments[0].uri = "{$a}" }
    check("a quotation mark") { $0.maps[0].uri = "\"" }
    check("a negative duration") { $0.segments[0].duration = .seconds(-1) }
    check("a target duration between seconds") { $0.targetDuration.nanoseconds += 1 }
    check("a map that is none") { $0.segments[0].mapIndex = 1 }
    check("a key that is none") { $0.segments[0].keyIndexes = [0] }
    check("two equal maps") { $0.maps.append($0.maps[0]) }
    check("a rate that is not in kilobits") {
      $0.segments[0].bitRate = 1_001
    }
    check("a rate that ends") {
      $0.segments[0].bitRate = 1_000
      $0.segments.append(MediaPlaylist.Segment(uri: "b", duration: .seconds(1)))
    }
  }

  @Test func aSmallTextIsWritten() throws {
    var playlist = MediaPlaylist(targetDuration: .seconds(6))
    playlist.version = 6
    playlist.kind = .vod
    playlist.keys = [PlaylistKey(method: .aes128, uri: "k")]
    playlist.maps = [MediaPlaylist.Map(uri: "i")]
    playlist.unknownTags = [PlaylistTagCount(name: "EXT-X-OTHER", count: 1)]
    var first = MediaPlaylist.Segment(uri: "a", duration: PlaylistTime(nanoseconds: 5_500_000_000))
    first.mapIndex = 0
    var second = MediaPlaylist.Segment(uri: "b", duration: .seconds(6))
    second.mapIndex = 0
    second.keyIndexes = [0]
    second.isDiscontinuity = true
    playlist.segments = [first, second]
    playlist.hasEndList = true
    #expect(
      text(try PlaylistWriter.write(.media(playlist))) == """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-TARGETDURATION:6
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-MAP:URI="i"
        #EXTINF:5.5,
        a
        #EXT-X-KEY:METHOD=AES-128,URI="k"
        #EXT-X-DISCONTINUITY
        #EXTINF:6,
        b
        #EXT-X-ENDLIST

        """)
  }

  /// Texts for mutations: written playlists, and the rows of the error tests.
  private static let seeds: [[UInt8]] = {
    var seeds: [[UInt8]] = []
    for seed in 1_000..<1_030 as Range<UInt64> {
      var draws = RandomPlaylist(seed: seed)
      if let bytes = try? PlaylistWriter.write(draws.draw()) { seeds.append(bytes) }
    }
    let rows = PlaylistErrorTests.texts + PlaylistErrorTests.attributes
    for row in rows + PlaylistErrorTests.segments { seeds.append(Array(row.text.utf8)) }
    return seeds
  }()

  private static let pieces: [[UInt8]] = [
    "\n", "\r", ",", "\"", "=", "@", "-", ".", "{$v0}", "#EXT", "#EXTINF:", "\n#EXT-X-KEY:",
    "\nURI=\"", "99999999999999999999", "0x", "\0", "\u{FEFF}", "#EXT-X-STREAM-INF:BANDWIDTH=1\n",
    "#EXT-X-BYTERANGE:1\n", "#EXT-X-PART:DURATION=1,URI=\"p\"\n",
  ].map { (text: String) -> [UInt8] in Array(text.utf8) }

  @Test func mutations() {
    var random = SplitMix64(seed: 1)
    func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
    for _ in 0..<1_000 {
      var bytes = Self.seeds[draw(Self.seeds.count)]
      for _ in 0...draw(5) where !bytes.isEmpty {
        let (place, other) = (draw(bytes.count), draw(bytes.count))
        switch draw(6) {
        case 0: bytes.remove(at: place)
        case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 2: bytes.insert(contentsOf: Self.pieces[draw(Self.pieces.count)], at: place)
        case 3: bytes.removeSubrange(min(place, other)..<max(place, other))
        case 4: bytes += bytes[min(place, other)..<max(place, other)]
        default: bytes.swapAt(place, other)
        }
      }
      check(bytes)
    }
  }

  @Test func randomBytes() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<300 {
      var bytes = Array("#EXTM3U\n".utf8)
      for _ in 0..<random.next() % 200 {
        if random.next() % 4 == 0 {
          bytes += Self.pieces[Int(random.next() % UInt64(Self.pieces.count))]
        } else {
          bytes.append(UInt8(truncatingIfNeeded: random.next() % 128))
        }
      }
      check(bytes)
    }
  }

  /// A playlist is there if there is no error, and what can be written stays the same.
  private func check(_ bytes: [UInt8]) {
    let (playlist, findings) = PlaylistReader.read(SourceText(path: "x", bytes: bytes))
    let hasErrors = findings.contains { $0.severity == .error }
    #expect(hasErrors == (playlist == nil))
    for finding in findings { #expect(!finding.rendered.isEmpty) }
    guard let playlist else { return }
    do {
      _ = try PlaylistWriter.write(playlist)
    } catch {
      Issue.record("\(error.message)\n\(text(bytes))")
    }
  }
}
