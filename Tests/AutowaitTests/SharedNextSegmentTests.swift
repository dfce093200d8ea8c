import Autowait
import Testing

/// Sound and picture share the link, also while the next segment of one of them comes: it is there
/// in time where playback was likely to keep up, on a link that stays as it is.
///
/// The judge shares a link between two tracks in whole bits: each gets as much as the other one, so
/// that when the smaller rest has come, twice as much has. It shares nothing with the rule.
@Suite struct SharedNextSegmentTests {
  /// Segments of a track: how many there are, of how many seconds and bits.
  struct Track {
    let count: Int64
    let seconds: Int64
    let bits: Int64
    var duration: Int64 { count * seconds }
  }

  /// How far both tracks were loaded before each segment that moved that on, and the bits that the
  /// link had brought by when it had come.
  private static func edges(_ tracks: [Track]) -> [(before: Int64, came: Int64)] {
    var (edges, rests, came) = ([Int64(0), 0], [Int64?.none, nil], Int64(0))
    var result: [(before: Int64, came: Int64)] = []
    func common() -> Int64 {
      tracks.indices.map { edges[$0] < tracks[$0].duration ? edges[$0] : .max }.min() ?? .max
    }
    while common() < .max {
      for place in tracks.indices where rests[place] == nil {
        let frontiers = tracks.indices.compactMap { other -> Int64? in
          let frontier = edges[other] + (rests[other] == nil ? 0 : tracks[other].seconds)
          return frontier < tracks[other].duration ? frontier : nil
        }
        if edges[place] < tracks[place].duration, edges[place] <= frontiers.min() ?? .max {
          rests[place] = tracks[place].bits
        }
      }
      let flows = rests.compactMap { $0 }
      let least = flows.min() ?? 0
      came += least * Int64(flows.count)
      let before = common()
      for place in tracks.indices {
        guard let rest = rests[place] else { continue }
        rests[place] = rest == least ? nil : rest - least
        if rest == least { edges[place] += tracks[place].seconds }
      }
      if common() > before { result.append((before, came)) }
    }
    return result
  }

  private static func media(_ tracks: [Track]) -> Media {
    let lists = tracks.map { track in
      SegmentList(
        (0..<track.count).map { _ in (.seconds(track.seconds), ByteCount(bytes: track.bits / 8)) })
    }
    var parts = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 9_000_000), list: 0)],
      lists: lists)
    parts.variants[0].audioGroup = 0
    parts.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
    parts.renditions[0].isDefault = true
    parts.playlistSize = .zero
    return Media(parts)
  }

  @Test func theNextSegmentIsThereInTime() {
    var (stalled, exact) = (0, 0)
    for number in 0..<260 as Range<UInt64> {
      var random = RandomStream(seed: number, component: "tests", purpose: "shared next segment")
      func draw(_ least: Int64, _ most: Int64) -> Int64 {
        least + Int64(random.next(below: UInt64(most - least + 1)))
      }
      let whole = draw(1, 3) * 12
      func track() -> Track {
        let seconds = [1, 2, 3, 4, 6, 12][Int(draw(0, 5))] as Int64
        return Track(
          count: whole / seconds, seconds: seconds, bits: draw(60, 500) * 1_000 * seconds * 8)
      }
      let tracks = [track(), track()]
      let all = tracks.reduce(0) { $0 + $1.count * $1.bits }
      let rate = all / whole * draw(70, 160) / 100
      let simulation = Simulation.onePlayer(
        Self.media(tracks), bitsPerSecond: rate, [.at(0, .play)], until: 1_000
      ) {
        $0.streaming.responseTimeout = .seconds(1_000)
        $0.streaming.forwardBufferDefault = .seconds(1_000)
      }
      let metrics = simulation.metrics(of: 0)
      // Later ones may be late: the lead of one track over the other may still grow.
      if metrics.stallCount > 0 { stalled += 1 }
      let started = Int128((metrics.firstPlayed ?? .never).nanoseconds) * Int128(rate)
      let next = Self.edges(tracks).first { Int128($0.came) * 1_000_000_000 > started }
      guard let next else { continue }
      // The playhead comes to the edge so much later.
      let needed = Int128(next.came - next.before * rate) * 1_000_000_000
      #expect(started >= needed, "case \(number): it starts at \(started / Int128(rate)) ns")
      if started - needed < Int128(rate) * 2 { exact += 1 }
    }
    // Some start at the first instant at which the next segment is just in time.
    #expect(stalled < 15 && exact > 5, "\(stalled), \(exact)")
  }
}
