import Autowait
import Testing

/// Random streams are the published generators, derived as documented.
@Suite struct RandomStreamTests {
  private func check(
    _ stream: RandomStream, _ expected: [UInt64],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var stream = stream
    let drawn = expected.map { _ in stream.next() }
    #expect(drawn == expected, sourceLocation: sourceLocation)
    #expect(stream.draws == Int64(expected.count), sourceLocation: sourceLocation)
  }

  /// The vector that the reference implementation of xoshiro256** gives for the state 1, 2, 3, 4.
  @Test func xoshiroVector() {
    check(
      RandomStream(state: (1, 2, 3, 4)),
      [
        11520, 0, 1_509_978_240, 1_215_971_899_390_074_240, 1_216_172_134_540_287_360,
        607_988_272_756_665_600, 16_172_922_978_634_559_625, 8_476_171_486_693_032_832,
        10_595_114_339_597_558_777, 2_904_607_092_377_533_576,
      ])
  }

  /// The published outputs of SplitMix64 for the seed 1234567 are the state.
  @Test func splitMixVector() {
    #expect(
      RandomStream(splitMixSeed: 1_234_567)
        == RandomStream(
          state: (
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431
          )))
  }

  /// Worked out apart from the implementation: FNV-1a, then SplitMix64, then xoshiro256**.
  @Test(
    arguments: [
      (0, "", "", [14_734_794_274_954_253_888, 16_608_133_244_060_419_000]),
      (0, "link", "rate", [9_130_219_032_774_654_659, 4_476_946_150_360_308_192]),
      (1, "link", "rate", [7_138_758_204_165_966_239, 14_614_891_330_250_848_071]),
      (0, "lin", "krate", [12_447_802_223_668_612_966, 16_314_234_159_921_333_884]),
      (.max, "player 1", "décor", [17_432_863_188_619_593_724, 10_184_136_996_854_508_222]),
    ] as [(UInt64, String, String, [UInt64])])
  func derivation(_ seed: UInt64, _ component: String, _ purpose: String, _ expected: [UInt64]) {
    check(RandomStream(seed: seed, component: component, purpose: purpose), expected)
  }

  @Test func streamsShareNothing() {
    let names = ["", "link", "player 0", "player 1", "linkrate"]
    var firsts: [UInt64] = []
    for seed: UInt64 in [0, 1, .max] {
      for component in names {
        for purpose in names {
          var stream = RandomStream(seed: seed, component: component, purpose: purpose)
          firsts.append(stream.next())
        }
      }
    }
    #expect(Set(firsts).count == firsts.count)
  }

  @Test func drawingFromOneStreamMovesNoOther() {
    let fresh = RandomStream(seed: 7, component: "link", purpose: "loss")
    var other = RandomStream(seed: 7, component: "link", purpose: "delay")
    for _ in 0..<100 { _ = other.next(below: 3) }
    #expect(fresh == RandomStream(seed: 7, component: "link", purpose: "loss"))
    #expect(other != RandomStream(seed: 7, component: "link", purpose: "delay"))
  }

  @Test(arguments: [1, 2, 3, 6, 10, 1 << 32, (1 << 63) + 1, .max] as [UInt64])
  func boundIsNeverReached(_ bound: UInt64) {
    var stream = RandomStream(seed: bound, component: "test", purpose: "bound")
    for _ in 0..<1_000 { #expect(stream.next(below: bound) < bound) }
  }

  @Test func everyNumberBelowASmallBoundIsDrawnAboutAsOften() {
    var stream = RandomStream(seed: 1, component: "test", purpose: "dice")
    var counts = Array(repeating: 0, count: 6)
    for _ in 0..<12_000 { counts[Int(stream.next(below: 6))] += 1 }
    // Two thousand each; the standard deviation is 41.
    #expect(counts.allSatisfy { abs($0 - 2_000) < 165 }, "\(counts)")
  }

  @Test func copyGoesOnAlike() {
    var stream = RandomStream(seed: 3, component: "test", purpose: "copy")
    _ = stream.next()
    var copy = stream
    #expect(copy.next() == stream.next())
    #expect(copy == stream)
    _ = copy.next()
    #expect(copy != stream)
  }

  @Test func impossibleStreamsTrap() async {
    await #expect(processExitsWith: .failure) {
      _ = RandomStream(state: (0, 0, 0, 0))
    }
    await #expect(processExitsWith: .failure) {
      var stream = RandomStream(splitMixSeed: 1)
      _ = stream.next(below: 0)
    }
  }
}
