import Autowait
import AutowaitScenario
import Testing

/// Movies that are damaged: each is read or refused, and none is read for long.
@Suite struct MovieFuzzTests {
  private static var small: MovieFixture {
    var fixture = MovieFixture.clip
    fixture.tracks[0].durations = [(3, 1000), (1, 967)]
    fixture.tracks[0].sizes = [3]
    fixture.tracks[0].delays = [(2, 0), (2, 10)]
    fixture.tracks[0].edits = [(100, -1), (3967, 0)]
    fixture.tracks[1].durations = [(4, 48_000)]
    fixture.tracks[1].sizes = [2]
    fixture.tracks[1].samplesPerChunk = 2
    return fixture
  }

  private func read(_ bytes: [UInt8], size: Int? = nil) -> Result<Movie, MovieProblem> {
    MovieReader.read(
      ByteSource(SourceText(path: "a.mp4", bytes: bytes)),
      size: ByteCount(bytes: Int64(size ?? bytes.count)))
  }

  private func reason(_ bytes: [UInt8]) -> String {
    switch read(bytes) {
    case .success: "it is read"
    case .failure(let problem): problem.reason
    }
  }

  @Test(arguments: [false, true])
  func everyPartOfAMovieIsRefused(_ isAtBack: Bool) {
    var fixture = Self.small
    fixture.hasIndexAtBack = isAtBack
    let bytes = fixture.bytes()
    #expect((try? read(bytes).get()) != nil)
    for count in bytes.indices {
      #expect((try? read(Array(bytes[..<count])).get()) == nil, "the first \(count) bytes")
      // A file that was cut after its size was asked for is no movie, unless that is not seen.
      _ = read(Array(bytes[..<count]), size: bytes.count)
      _ = read(bytes, size: count)
    }
  }

  /// What is read has numbers that fit together, whatever they are.
  @Test(arguments: [false, true], [0, 1])
  func everyChangedByteIsReadOrRefused(_ isAtBack: Bool, _ version: Int) {
    var fixture = Self.small
    fixture.hasIndexAtBack = isAtBack
    fixture.version = version
    fixture.hasLargeOffsets = version == 1
    fixture.hasLargeMedia = version == 1
    let original = fixture.bytes()
    for index in original.indices {
      for value: UInt8 in [0, 1, 2, 0x7F, 0x80, 0xFE, 0xFF, original[index] ^ 1] {
        var bytes = original
        bytes[index] = value
        guard case .success(let movie) = read(bytes) else { continue }
        #expect(movie.headerSize < movie.size && movie.size.bytes == Int64(bytes.count))
        #expect(movie.positions.ends.allSatisfy { $0 <= movie.size }, "byte \(index) is \(value)")
        #expect(movie.tracks.allSatisfy { $0.duration >= .zero && $0.remainder >= .zero })
        _ = movie.media(.progressive)
      }
    }
  }

  /// Four bytes at a time, so that counts and lengths become absurd.
  @Test func everyChangedNumberIsReadOrRefused() {
    let original = Self.small.bytes()
    var random = SplitMix64(seed: 4)
    for index in 0..<original.count - 3 {
      for number: UInt64 in [0, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x00FF_FFFF, random.next()] {
        var bytes = original
        bytes.replaceSubrange(index..<index + 4, with: MovieFixture.number(number, 4))
        _ = read(bytes)
      }
    }
  }

  /// Returns a movie in which the count of a table is another one.
  private func planted(_ table: String, count: UInt64, at place: Int = 8) throws -> [UInt8] {
    var bytes = Self.small.bytes()
    let name = Array(table.utf8)
    let start = try #require(
      bytes.indices.first { bytes[$0...].starts(with: name) })
    let range = start + place..<start + place + 4
    bytes.replaceSubrange(range, with: MovieFixture.number(count, 4))
    return bytes
  }

  @Test(arguments: [
    ("stts", 8, "that says it has 4294967295 entries, and has room for 2"),
    ("stsc", 8, "that says it has 4294967295 entries, and has room for 1"),
    ("stco", 8, "that says it has 4294967295 entries, and has room for 4"),
    ("stsz", 12, "that says it has 4294967295 entries, and has room for 4"),
    ("ctts", 8, "that says it has 4294967295 entries, and has room for 2"),
    ("elst", 8, "that says it has 4294967295 entries, and has room for 2"),
  ])
  func countsAreHeldAgainstTheBox(_ table: String, _ place: Int, _ message: String) throws {
    let reason = reason(try planted(table, count: 0xFFFF_FFFF, at: place))
    #expect(reason.hasPrefix("has a box '\(table)' at byte ") && reason.hasSuffix(message))
  }

  @Test(arguments: [
    ("stts", 12, 2, "with 4 samples, and durations of 3"),
    ("stsc", 12, 2, "whose chunks do not begin with the first one"),
    ("stsc", 16, 9, "with 4 samples, and chunks of more"),
    ("stco", 12, 0xFFFF_FF00, "with samples after byte 1035, the end of the file"),
    ("mdhd", 16, 0, "with a time scale of 0"),
    ("mdhd", 4, 0x0500_0000, "of the unknown version 5"),
    ("elst", 32, 0, "with a rate other than 1"),
  ])
  func whatDoesNotFit(_ box: String, _ place: Int, _ value: UInt64, _ message: String) throws {
    let bytes = try planted(box, count: value, at: place)
    let reason = reason(bytes)
    #expect(reason.hasPrefix("has a box '") && reason.hasSuffix(message), "\(reason)")
  }

  @Test func whatIsNoMovie() {
    #expect(reason([]) == "has no box 'moov'")
    #expect(reason(Array("RIFF....AVI LIST".utf8)) == "is not a movie: it begins with '....'")
    #expect(reason(Array("abc".utf8)) == "ends in the header of a box at byte 3")
    #expect(reason(MovieFixture.box("ftyp", [])) == "has no box 'moov'")
    #expect(
      reason(MovieFixture.box("ftyp", []) + MovieFixture.box("moof", []))
        == "is in fragments, which are not read")
    #expect(
      reason(MovieFixture.number(7, 4) + Array("ftyp".utf8))
        == "has a box at byte 0 whose size cannot be")
    #expect(
      reason(MovieFixture.box("moov", []) + MovieFixture.box("mdat", [0]))
        == "has a box 'moov' at byte 0 without a box 'mvhd'")
    let large = MovieFixture.number(1 << 27, 4) + Array("moov".utf8)
    #expect(reason(large) == "has a box 'moov' of 134217720 bytes, more than 64 MiB")
  }
}
