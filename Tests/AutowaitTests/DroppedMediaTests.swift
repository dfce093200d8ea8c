import Autowait
import Testing

/// What is thrown away, asked for beforehand, and asked for again: seeks before playback has
/// begun, a change of audio, the first bytes of files, and playlists of live streams.
@Suite struct DroppedMediaTests {
  private static func run(
    _ media: Media, _ steps: [ScriptStep], until end: Int64 = 30,
    _ change: (inout PlayerConfiguration) -> Void = { _ in }
  ) -> Simulation {
    .onePlayer(media, bitsPerSecond: 8_000_000, steps, until: end, change)
  }

  /// Segments of a second, of 100,000 bytes, with audio of its own or without.
  private static func stream(hasAudio: Bool = false) -> Media {
    func list(_ size: Int64) -> SegmentList {
      SegmentList((0..<20).map { _ in (MediaTime.seconds(1), ByteCount(bytes: size)) })
    }
    var parts = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 900_000), list: 0)],
      lists: [list(100_000)])
    if hasAudio {
      parts.lists.append(list(10_000))
      parts.variants[0].audioGroup = 0
      parts.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
      parts.renditions[0].isDefault = true
    }
    return Media(parts)
  }

  /// A seek before playback has begun throws away what is loaded (WWDC18 502), also around its
  /// target; a later one does not.
  @Test func aSeekAtTheStartDropsEverything() {
    let run = Self.run(Self.stream(), [.at(5_000, .seek(.seconds(3)))])
    #expect(run.segments(from: 0).prefix(20) == Array(0..<20)[...])
    #expect(run.segments(from: 5_000) == Array(3..<20))
    let later = Self.run(
      Self.stream(), [.at(4_000, .play), .at(5_000, .seek(.seconds(3)))])
    #expect(later.segments(from: 5_000) == [])
  }

  /// By a single log a later seek drops what is loaded too, but not into it (FB22519249).
  @Test(arguments: [false, true])
  func aLaterSeekDropsByTheLog(_ drops: Bool) {
    let steps: [ScriptStep] = [
      .at(0, .play), .at(700, .seek(.seconds(10))), .at(1_900, .seek(.seconds(1))),
    ]
    let run = Self.run(Self.stream(), steps, until: 60) {
      $0.streaming.dropsWhenSeeking = drops
    }
    // A segment takes 0.1 s: seven were loaded when the first seek led away, twelve are at the
    // second; the last ten of them from ten on.
    #expect(run.segments(from: 1_900).first == (drops ? 1 : 7))
  }

  /// Another selection of audio begins where the playhead is; the picture stays (WWDC18 502).
  @Test func aChangeOfAudioDropsTheAudio() {
    let run = Self.run(
      Self.stream(hasAudio: true), [.at(5_000, .play), .at(9_500, .changeTracks)])
    #expect(run.segments(from: 9_500) == [])
    // The playhead is at 4.5 s.
    #expect(run.segments(ofList: 1, from: 9_500) == Array(4..<20))
  }

  /// Files begin with their first two bytes, where logs say so, and then from the beginning.
  @Test func filesBeginWithTwoBytes() {
    let film = Media(
      .progressive, duration: .seconds(20), bitRate: BitRate(bitsPerSecond: 4_000_000))
    func requests(_ probe: ByteCount?) -> [[Int64]] {
      Self.run(film, [.at(0, .play)]) { $0.rangeProbe = probe }.log.records.compactMap {
        if case .mediaRequest(_, let from, let size, _) = $0.event {
          [$0.instant.nanoseconds, from.bytes, size.bytes]
        } else {
          nil
        }
      }
    }
    #expect(requests(nil) == [[0, 0, 10_000_000]])
    // Two bytes at a byte in a microsecond.
    #expect(requests(ByteCount(bytes: 2)) == [[0, 0, 2], [2_000, 0, 10_000_000]])
  }

  /// Segments of 11 s and a last one of 2.6 s: the playlist is loaded again after 2.6 s.
  ///
  /// As long as it is unchanged it is after half of 11 s (forum 387894); a segment comes at 11 s.
  @Test(
    arguments: [(26, [0, 2_600, 8_100, 13_600]), (12, [0, 11_000, 22_000])] as [(Int, [Int64])])
  func aLastSegmentSaysWhenToReload(_ row: (contract: Int, loads: [Int64])) {
    let lengths: [Int64] = Array(repeating: 11_000, count: 5) + [2_600]
    let list = SegmentList(
      (lengths + Array(repeating: 11_000, count: 9)).map {
        (MediaTime(nanoseconds: $0 * 1_000_000), ByteCount(bytes: 1_000))
      })
    var parts = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 900_000), list: 0)],
      lists: [list])
    parts.live = LiveWindow(elapsed: MediaTime(nanoseconds: 57_600_000_000), window: nil)
    let run = Self.run(Media(parts), [.at(0, .play)], until: 23) {
      $0.contract = APIContract(iOS: row.contract) ?? .newest
    }
    let loads = run.log.records.compactMap {
      guard case .playlistRequest(_, 0?, _, _) = $0.event else { return Int64?.none }
      return $0.instant.nanoseconds / 1_000_000
    }
    #expect(Array(loads.prefix(row.loads.count)) == row.loads)
  }
}
