import Autowait
import Testing

/// Segments that follow each other at once on an ideal link end where their shares of it end, of
/// what flows one after the other and side by side.
///
/// The judge knows no flows: while they load, all lists have got the same, or by their weights,
/// and one that has ended has got its sum. By the end of a response the link has brought, to each,
/// what goes with that, or its own sum if that is less. The instant is that total divided by the
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
  func endWhereEqualSharesDo(_ batch: Range<UInt64>) { endWhereSharesDo(batch) }

  /// The same where sound gets less than the picture.
  @Test(arguments: LawWorlds.batches(200, release: 1_000, of: 20))
  func endWhereUnequalSharesDo(_ batch: Range<UInt64>) {
    endWhereSharesDo(batch, isUnequal: true, leeway: 1_000)
  }

  /// The leeway is how many nanobits an event may cost: where a small share lacks one, a large one
  /// lacks as many as it weighs more.
  private func endWhereSharesDo(
    _ batch: Range<UInt64>, isUnequal: Bool = false, leeway: Int128 = 1
  ) {
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
      // What a list gets for each thousand of the others.
      let shares = players.map { _ in
        isUnequal ? 1 + UInt32(random.next(below: 1_000)) : 1_000
      }
      let weights = players.indices.flatMap { player in
        players[player].indices.map { Int128($0 == 0 ? 1_000 : shares[player]) }
      }
      let configurations = players.indices.map { player in
        let lists = players[player]
        let parts = StreamMedia.ofSizes(lists[0], sound: lists.count > 1 ? lists[1] : nil)
        var configuration = PlayerConfiguration(media: [Media(parts)])
        configuration.keepUp.requestOrder = .independent
        configuration.keepUp.soundShare = shares[player]
        return configuration
      }
      let found = Self.run(configurations, link).segmentEnds
      let all = players.flatMap { $0 }
      // A share is a whole number of nanobits: it may be one more or less with each event.
      let events = Int128(3 * all.reduce(0) { $0 + $1.count } + link.count) * leeway
      var place = 0
      for (player, lists) in players.enumerated() {
        for (number, list) in lists.enumerated() {
          let ends = found[player]?[number] ?? []
          #expect(ends.count == list.count, law(seed))
          let own = weights[place]
          place += 1
          var sum: Int128 = 0
          for (size, end) in zip(list, ends) {
            sum += Int128(size) * 8_000_000_000
            let nanobits = zip(all, weights).reduce(Int128(0)) { total, other in
              let whole = Int128(other.0.reduce(0, +)) * 8_000_000_000
              return total + min(whole, sum * other.1 / own)
            }
            let (least, most) = (link.time(of: nanobits - events), link.time(of: nanobits + events))
            #expect(least <= end && end <= most, "player \(player), list \(number): \(law(seed))")
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
