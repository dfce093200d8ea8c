import Autowait
import AutowaitScenario
import Testing

/// What a movie says of itself, and where its bytes lie.
@Suite struct MovieReaderTests {
  private typealias Track = MovieFixture.TrackFixture

  private func read(
    _ fixture: MovieFixture, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Movie {
    let bytes = fixture.bytes()
    let source = ByteSource(SourceText(path: "a.mp4", bytes: bytes))
    let result = MovieReader.read(source, size: ByteCount(bytes: Int64(bytes.count)))
    let movie = try? result.get()
    return try #require(movie, "\(result)", sourceLocation: sourceLocation)
  }

  @Test(arguments: [0, 1], [false, true])
  func everyFormSaysTheSame(_ version: Int, _ isLarge: Bool) throws {
    var fixture = MovieFixture.clip
    fixture.version = version
    fixture.hasLargeOffsets = isLarge
    fixture.hasLargeMedia = isLarge
    let movie = try read(fixture)
    #expect(movie.size.bytes == Int64(fixture.bytes().count))
    #expect(movie.duration == .seconds(53))
    #expect(movie.tracks.map(\.content) == [.video, .audio])
    #expect(movie.tracks.map(\.duration.nanoseconds) == [52_967_000_000, 53_000_000_000])
    #expect(movie.tracks.map(\.mediaDuration) == movie.tracks.map(\.duration))
    #expect(movie.tracks.map(\.sampleCount) == [53, 53])
    #expect(movie.tracks.map(\.isEnabled) == [true, true])
    #expect(
      movie.tracks.map(\.color) == [VideoColor(primaries: 9, transfer: 16, matrix: 9), nil])
  }

  @Test func whereTheIndexIs() throws {
    var fixture = MovieFixture.clip
    fixture.free = 24
    let media = Int64(40 + 52 * 20 + 53 * 16)
    let front = try read(fixture)
    #expect(front.indexPlacement == .front)
    #expect(front.headerSize.bytes == front.size.bytes - media)
    fixture.hasIndexAtBack = true
    let back = try read(fixture)
    #expect(back.indexPlacement == .back)
    // The other boxes are the type, 20 bytes, the free space and the header of the media.
    #expect(back.headerSize.bytes == back.size.bytes - media - 20 - 24 - 8)
    #expect(back.size == front.size)
    fixture.hasIndexAtBack = false
    fixture.hasOpenMedia = true
    #expect(try read(fixture).headerSize == front.headerSize)
  }

  /// AAC of 48 kHz begins with 1,024 samples of sound that are not heard, and ends with what was
  /// left of the last frame.
  @Test func primingAndRemainder() throws {
    let sound = Track(
      handler: "soun", scale: 48_000, durations: [(100, 1024)], sizeTable: .equal,
      edits: [(2_000, 1024)])
    let track = try read(MovieFixture(tracks: [sound], duration: 2_000)).tracks[0]
    #expect(track.mediaDuration.nanoseconds == 2_133_333_333)
    #expect(track.duration == .seconds(2))
    #expect(track.priming.nanoseconds == 21_333_333)
    #expect(track.remainder.nanoseconds == 112_000_000)
  }

  @Test(
    arguments: [
      (nil, 4_000_000_000, 0, 0),
      ([(1000, -1), (3000, 500)], 4_000_000_000, 500_000_000, 500_000_000),
      ([(1000, 0), (1000, 3000)], 2_000_000_000, 0, 0),
      ([(0, 1000)], 3_000_000_000, 1_000_000_000, 0),
      ([(9000, 0)], 9_000_000_000, 0, 0), ([(500, -1)], 500_000_000, 0, 0), ([], 0, 0, 0),
    ] as [([(Int64, Int64)]?, Int64, Int64, Int64)])
  func editLists(
    _ edits: [(Int64, Int64)]?, _ duration: Int64, _ priming: Int64, _ remainder: Int64
  ) throws {
    let picture = Track(durations: [(4, 1000)], edits: edits.map { $0.map { ($0.0, $0.1) } })
    for version in 0...1 {
      let track = try read(MovieFixture(tracks: [picture], version: version)).tracks[0]
      #expect(track.duration.nanoseconds == duration)
      #expect(track.priming.nanoseconds == priming)
      #expect(track.remainder.nanoseconds == remainder)
    }
  }

  @Test func lengthsThatAreNotKnownAreThoseOfSamples() throws {
    for stated in [0, UInt64(UInt32.max)] {
      let picture = Track(durations: [(2, 1000), (1, 1)], statedDuration: stated)
      let movie = try read(MovieFixture(tracks: [picture], duration: stated))
      #expect(movie.tracks[0].mediaDuration.nanoseconds == 2_001_000_000)
      #expect(movie.duration.nanoseconds == 2_001_000_000)
    }
  }

  @Test(arguments: [
    ("nclx", VideoColor(primaries: 1, transfer: 13, matrix: 6)),
    ("nclc", VideoColor(primaries: 1, transfer: 13, matrix: 6)), ("prof", nil),
  ])
  func colors(_ kind: String, _ color: VideoColor?) throws {
    let picture = Track(durations: [(1, 1000)], color: (kind, [1, 13, 6]))
    #expect(try read(MovieFixture(tracks: [picture])).tracks[0].color == color)
  }

  // MARK: - Positions

  /// The media of one track of four seconds, whose samples have these sizes.
  @Test(
    arguments: [
      (.each, 1, [], nil, [5, 6, 13, 15, 15]), (.compact(bits: 4), 1, [], nil, [5, 6, 13, 15, 15]),
      (.compact(bits: 8), 3, [], nil, [5, 6, 13, 15, 15]),
      (.compact(bits: 16), 4, [], nil, [5, 6, 13, 15, 15]),
      (.equal, 2, [], nil, [5, 10, 15, 20, 20]),
      // The second sample is shown last: the others come a second earlier.
      (.each, 1, [(1, 0), (1, 2000), (2, -1000)], nil, [5, 13, 15, 15, 15]),
      // What is before the edit is needed at its start, and what is behind it never.
      (.each, 1, [], [(1000, -1), (1500, 1500)], [0, 6, 13, 13]),
      (.equal, 4, [], [(1000, -1), (1500, 1500)], [0, 10, 15, 15]),
    ]
      as [(
        MovieFixture.SizeTable, Int, [(Int, Int)], [(Int64, Int64)]?, [Int64]
      )])
  func positionsOfATrack(
    _ table: MovieFixture.SizeTable, _ samplesPerChunk: Int, _ delays: [(Int, Int)],
    _ edits: [(Int64, Int64)]?, _ expected: [Int64]
  ) throws {
    let picture = Track(
      durations: [(4, 1000)], sizes: table == .equal ? [5] : [5, 1, 7, 2], sizeTable: table,
      samplesPerChunk: samplesPerChunk, edits: edits.map { $0.map { ($0.0, $0.1) } },
      delays: delays.map { ($0.0, $0.1) })
    let movie = try read(MovieFixture(tracks: [picture]))
    #expect(movie.positions.step == .seconds(1))
    let ends = movie.positions.ends.map { $0.bytes == 0 ? 0 : $0.bytes - movie.headerSize.bytes }
    #expect(ends == expected)
  }

  /// The last byte that any of both tracks needs: chunks of two seconds of sound after each second
  /// of the picture.
  @Test func positionsOfTwoTracks() throws {
    let picture = Track(durations: [(4, 1000)], sizes: [100])
    let sound = Track(
      handler: "soun", scale: 100, durations: [(400, 1)], sizes: [1], sizeTable: .equal,
      samplesPerChunk: 200)
    let movie = try read(MovieFixture(tracks: [picture, sound], duration: 4000))
    let ends = movie.positions.ends.map { $0.bytes - movie.headerSize.bytes }
    // 100 of picture, 200 of sound, 100, 200, 100, 100; the sound is 1 byte for 10 ms.
    #expect(ends == [101, 400, 700, 800, 800])
  }

  @Test func longMoviesHaveLongerSteps() throws {
    let picture = Track(scale: 1, durations: [(1, 131_071)], statedDuration: 131_071)
    #expect(try read(MovieFixture(tracks: [picture])).positions.step == .seconds(2))
    let longer = Track(scale: 1, durations: [(1, 31_622_400)])
    #expect(try read(MovieFixture(tracks: [longer])).positions.ends.count <= 65_537)
  }

  // MARK: - Items

  @Test func tracksThatAreNotPlayedDoNotCount() throws {
    var fixture = MovieFixture.clip
    fixture.tracks.append(Track(isEnabled: false, durations: [(1, 99_000)]))
    fixture.tracks.append(Track(handler: "tmcd", durations: [(1, 77_000)]))
    let media = try #require(try read(fixture).media(.progressive))
    #expect(media.duration == .seconds(53))
    #expect(media.videoEnd?.nanoseconds == 52_967_000_000)
    #expect(media.audioEnd == nil)
    fixture.tracks.removeSubrange(0..<2)
    #expect(try read(fixture).media(.progressive) == nil)
  }
}
