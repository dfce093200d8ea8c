import Autowait
import Testing

/// What flows side by side on an ideal link, without a pause, ends where the link has brought all
/// that equal shares bring until then.
///
/// The judge knows no shares: as long as they load, all have got the same, and who has ended has
/// got its sum. By the end of a response the link has brought, to each, what that response ends at,
/// or its own sum if that is less. The instant is that total divided by the rates, rounded up once.
@Suite struct SegmentsSideBySideTests {
  @Test(arguments: LawWorlds.batches(200, release: 1_000, of: 20))
  func endWhereEqualSharesDo(_ batch: Range<UInt64>) {
    for seed in batch {
      var random = RandomStream(seed: seed, component: "tests", purpose: "side by side")
      func draw(_ least: Int64, _ most: Int64) -> Int64 {
        least + Int64(random.next(below: UInt64(most - least + 1)))
      }
      var sizes = (0..<draw(1, 5)).map { _ in
        (0..<draw(1, 40)).map { _ in draw(1, draw(0, 3) == 0 ? 10 : 400_000) }
      }
      var rates = [LinkStretch(start: 0, rate: draw(1_000, 3_000_000))]
      for _ in 0..<draw(0, 12) {
        rates.append(
          LinkStretch(
            start: rates[rates.count - 1].start + draw(1, 9_000_000_000),
            rate: draw(1_000, 3_000_000)))
      }
      // Of lists beside each other, some belong to one player, as its picture and its sound.
      let sounds = Set(
        sizes.indices.dropFirst().filter { $0 % 2 == 1 && (seed >> UInt64($0)) % 2 == 1 })
      for sound in sounds {
        let count = min(sizes[sound - 1].count, sizes[sound].count)
        for list in sound - 1...sound { sizes[list] = Array(sizes[list].prefix(count)) }
      }
      let found = ends(sizes, rates, soundAt: sounds)
      let events = Int128(3 * sizes.reduce(0) { $0 + $1.count } + rates.count)
      for (number, list) in sizes.enumerated() {
        #expect(found[number].count == list.count, law(seed))
        var sum: Int64 = 0
        for (place, size) in list.enumerated() {
          sum += size
          let total = sizes.reduce(Int128(0)) { $0 + Int128(min($1.reduce(0, +), sum)) }
          let nanobits = total * 8_000_000_000
          // A share is a whole number of nanobits: it may be one more or less with each event.
          let least = time(nanobits - events, rates)
          let most = time(nanobits + events, rates)
          #expect(
            found[number].dropFirst(place).first == least
              || found[number].dropFirst(place).first == most,
            "segment \(place) of list \(number), \(least)…\(most) ns: \(law(seed))")
        }
      }
    }
  }

  /// When each segment of each list has come, as the simulation says: a player loads one list, or
  /// two as picture and sound.
  private func ends(
    _ sizes: [[Int64]], _ rates: [LinkStretch], soundAt sounds: Set<Int>
  ) -> [[Int64]] {
    let track = LinkTrack(
      rates.map {
        LinkTrack.Sample(
          start: TimeSpan(nanoseconds: $0.start), rate: BitRate(bitsPerSecond: $0.rate))
      })
    let lists = sizes.map { SegmentList($0.map { (.seconds(1_000), ByteCount(bytes: $0)) }) }
    let pictures = sizes.indices.filter { !sounds.contains($0) }
    let players = pictures.map { picture in
      var parts = StreamMedia(
        variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)],
        lists: [lists[picture]])
      parts.playlistSize = .zero
      if sounds.contains(picture + 1) {
        parts.lists.append(lists[picture + 1])
        parts.variants[0].audioGroup = 0
        parts.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
        parts.renditions[0].isDefault = true
      }
      var player = PlayerConfiguration(media: [Media(parts)])
      player.keepUp.requestOrder = .independent
      return player
    }
    let world = World(
      links: [LinkProfile(track)], players: players,
      script: players.indices.map {
        ScriptStep(.at(.start), .player($0, .replaceCurrentItem(0)))
      }, horizon: Demo.seconds(1_000_000))
    var simulation = Simulation(world)
    _ = simulation.run()
    var owners: [Int: Int] = [:]
    var ends = sizes.map { _ in [Int64]() }
    for record in simulation.log.records {
      switch record.event {
      case .segmentRequest(let transfer, _, let list, _, _):
        owners[transfer] = record.player.map { pictures[$0] + Int(list) }
      case .mediaRequestCompleted(let transfer, _):
        if let owner = owners[transfer] { ends[owner].append(record.instant.nanoseconds) }
      default: break
      }
    }
    return ends
  }

  /// When a link has brought so much.
  private func time(_ nanobits: Int128, _ rates: [LinkStretch]) -> Int64 {
    var brought: Int128 = 0
    for (place, stretch) in rates.enumerated() {
      let (rate, start) = (Int128(stretch.rate), Int128(stretch.start))
      let span = (nanobits - brought + rate - 1) / rate
      if place + 1 == rates.count || start + span <= Int128(rates[place + 1].start) {
        return Int64(start + span)
      }
      brought += rate * (Int128(rates[place + 1].start) - start)
    }
    return -1
  }

  private struct LinkStretch {
    var start: Int64
    var rate: Int64
  }
}
