import Autowait
import Testing

/// Segments that follow each other at once on an ideal link end where equal shares of it end, of
/// what flows one after the other and side by side.
///
/// The judge knows no shares: as long as they load, all lists have got the same, and one that has
/// ended has got its sum. By the end of a response the link has brought, to each, what that
/// response ends at, or its own sum if that is less. The instant is that total divided by the
/// rates, rounded up once.
@Suite struct SegmentsInSequenceTests {
  /// One list, whose segments are added up: not a nanobit is lost.
  @Test(arguments: LawWorlds.batches(200, release: 1_000, of: 20))
  func endWhereTheirSumDoes(_ batch: Range<UInt64>) {
    for seed in batch {
      var random = RandomStream(seed: seed, component: "tests", purpose: "sequence")
      let sizes = Self.sizes(60, smallest: 2, &random)
      let link = SteppedLink(&random, stretches: 1...12, least: 1)
      let found = Self.run([PlayerConfiguration(media: [Media(.ofSizes(sizes))])], link)
      var sum: Int128 = 0
      let expected = sizes.map { size in
        sum += Int128(size)
        return link.time(of: sum * 8_000_000_000)
      }
      #expect(found.segmentEnds[0]?[0] == expected, law(seed))
    }
  }

  /// Up to five lists, of one player, as its picture and its sound, or of several.
  @Test(arguments: LawWorlds.batches(200, release: 1_000, of: 20))
  func endWhereEqualSharesDo(_ batch: Range<UInt64>) {
    for seed in batch {
      var random = RandomStream(seed: seed, component: "tests", purpose: "side by side")
      let players = (0...random.next(below: 3)).map { _ in
        let picture = Self.sizes(40, smallest: 10, &random)
        if random.next(below: 2) == 0 { return [picture] }
        // Sound is loaded as far as there is a picture.
        let sound = Self.sizes(40, smallest: 10, &random)
        let count = min(picture.count, sound.count)
        return [Array(picture.prefix(count)), Array(sound.prefix(count))]
      }
      let link = SteppedLink(&random, stretches: 1...12, least: 1_000)
      let configurations = players.map { lists in
        let parts = StreamMedia.ofSizes(lists[0], sound: lists.count > 1 ? lists[1] : nil)
        var player = PlayerConfiguration(media: [Media(parts)])
        player.keepUp.requestOrder = .independent
        return player
      }
      let found = Self.run(configurations, link).segmentEnds
      let all = players.flatMap { $0 }
      // A share is a whole number of nanobits: it may be one more or less with each event.
      let events = Int128(3 * all.reduce(0) { $0 + $1.count } + link.count)
      for (player, lists) in players.enumerated() {
        for (number, list) in lists.enumerated() {
          let ends = found[player]?[number] ?? []
          #expect(ends.count == list.count, law(seed))
          var sum: Int64 = 0
          for (size, end) in zip(list, ends) {
            sum += size
            let total = all.reduce(Int128(0)) { $0 + Int128(min($1.reduce(0, +), sum)) }
            let nanobits = total * 8_000_000_000
            let (least, most) = (link.time(of: nanobits - events), link.time(of: nanobits + events))
            #expect(end == least || end == most, "player \(player), list \(number): \(law(seed))")
          }
        }
      }
    }
  }

  /// The sizes of some segments, a fourth or fifth of them small.
  private static func sizes(
    _ most: UInt64, smallest: UInt64, _ random: inout RandomStream
  ) -> [Int64] {
    (0...random.next(below: most - 1)).map { _ in
      let isSmall = random.next(below: 5) == 0
      return 1 + Int64(random.next(below: isSmall ? smallest : 400_000))
    }
  }

  private static func run(_ players: [PlayerConfiguration], _ link: SteppedLink) -> Simulation {
    let world = World(
      links: [link.profile], players: players,
      script: players.indices.map {
        ScriptStep(.at(.start), .player($0, .replaceCurrentItem(0)))
      }, horizon: Demo.seconds(1_000_000))
    return Simulation.run(of: world)
  }
}
