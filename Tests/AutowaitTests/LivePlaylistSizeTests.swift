import Autowait
import Testing

/// The bytes of a live playlist follow what it lists when a server answers.
@Suite struct LivePlaylistSizeTests {
  /// A stream of 6 s segments, and the sizes of the first loads of its playlist: 150 bytes, and 40
  /// for each segment that is listed.
  struct Row: Sendable {
    var name: String
    var segments = 20
    var elapsed = MediaTime.seconds(60)
    var window: MediaTime? = .seconds(60)
    var publishDelay = TimeSpan.zero
    var blocks = false
    var change: @Sendable (inout SegmentList) -> Void = { _ in }
    var sizes: [Int64]
  }

  static let rows: [Row] = [
    Row(name: "a window of ten segments", sizes: [550, 550, 550]),
    Row(name: "a longer programme", segments: 20_000, sizes: [550, 550, 550]),
    Row(name: "a window of one segment", window: .seconds(6), sizes: [190, 190, 190]),
    Row(name: "a window of less than a segment", window: .seconds(1), sizes: [190, 190, 190]),
    Row(
      name: "a nanosecond less than two segments", window: .seconds(12) - nanosecond,
      sizes: [190, 190]),
    Row(name: "exactly two segments", window: .seconds(12), sizes: [230, 230]),
    Row(
      name: "a nanosecond more than two segments", window: .seconds(12) + nanosecond,
      sizes: [230, 230]),
    Row(
      name: "a window that is not yet filled", elapsed: .seconds(12),
      sizes: [230, 270, 310, 350, 390, 430, 470, 510, 550, 550]),
    Row(name: "nothing published", elapsed: .zero, sizes: [150, 190, 230]),
    Row(
      name: "published late", elapsed: .seconds(18), publishDelay: .seconds(6),
      sizes: [230, 270, 310]),
    Row(name: "all that was published", window: nil, sizes: [550, 590, 630, 670]),
    Row(
      name: "the end of the programme", segments: 12, window: nil, sizes: [550, 590, 630]),
    Row(name: "all over", segments: 10, window: nil, sizes: [550]),
    // The answer is held until the next segment is there, which it lists.
    Row(name: "held answers", window: nil, blocks: true, sizes: [550, 590, 630]),
    Row(
      name: "a fixed size", change: { $0.playlistText = nil },
      sizes: [7_000, 7_000, 7_000]),
    Row(
      name: "a key from the first segment on",
      change: { $0.need(SegmentList.SegmentStretch(first: 0, initialization: 0, key: 0)) },
      sizes: [550 + 120 + 40, 550 + 120 + 40]),
    Row(
      name: "a key for every five segments",
      change: { list in
        for first in stride(from: 0, to: 20, by: 5) {
          list.need(SegmentList.SegmentStretch(first: first, initialization: 0, key: 0))
        }
      }, sizes: [550 + 240 + 40, 550 + 360 + 40, 550 + 360 + 40]),
    Row(
      name: "a fifth is sent", change: { $0.playlistText?.sentPart = 200_000_001 },
      sizes: [111, 111]),
    Row(
      name: "entries of a file with three segments",
      change: {
        $0.playlistText = PlaylistText(
          head: ByteCount(bytes: 100), entries: ByteCount(bytes: 100), of: 3)
      }, sizes: [433, 433]),
  ]

  private static let nanosecond = MediaTime(nanoseconds: 1)

  @Test(arguments: rows.indices)
  func loadsHaveTheSizeOfTheWindow(_ index: Int) {
    let row = Self.rows[index]
    let run = Simulation.run(of: Self.world(row))
    let sizes = run.log.records.compactMap { record -> Int64? in
      guard case .playlistRequest(_, _?, let size, _) = record.event else { return nil }
      return size.bytes
    }
    #expect(Array(sizes.prefix(row.sizes.count)) == row.sizes, "\(row.name)")
  }

  /// By what is largest a tier is chosen: that must not depend on how long a programme goes on.
  @Test func whatIsNotYetPublishedIsNotAskedFor() throws {
    for window in [MediaTime.seconds(60), nil] {
      let row = Row(name: "", segments: 200_000, window: window, sizes: [])
      let streamMedia = try #require(Self.world(row).players[0].media[0].streamMedia)
      #expect(streamMedia.largestSegment.bytes == 75_000)
    }
  }

  private static func world(_ row: Row) -> World {
    var list = SegmentList(
      Array(repeating: (MediaTime.seconds(6), ByteCount(bytes: 75_000)), count: row.segments))
    list.initializations = [ByteCount(bytes: 1_000)]
    list.playlistSize = ByteCount(bytes: 7_000)
    var text = PlaylistText(head: ByteCount(bytes: 150), entries: ByteCount(bytes: 40), of: 1)
    text.key = ByteCount(bytes: 120)
    text.initialization = ByteCount(bytes: 40)
    list.playlistText = text
    row.change(&list)
    var streamMedia = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 100_000), list: 0)],
      lists: [list])
    streamMedia.keys = [StreamMedia.ContentKey(size: ByteCount(bytes: 16))]
    var window = LiveWindow(elapsed: row.elapsed, window: row.window)
    window.publishDelay = row.publishDelay
    window.canBlockReload = row.blocks
    streamMedia.live = window
    return World(
      links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 800_000_000)))],
      players: [PlayerConfiguration(media: [Media(streamMedia)])],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ],
      horizon: .start + .seconds(100))
  }
}
