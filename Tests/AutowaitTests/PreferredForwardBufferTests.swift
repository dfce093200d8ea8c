import Autowait
import Testing

/// What an application prefers to have ahead: a hint, which never stalls a link that carries the
/// variant, and which zero takes back.
@Suite struct PreferredForwardBufferTests {
  private static func stream(_ rates: [Int64], segment: Int64, duration: Int64) -> Media {
    // All segments of a variant are as large as its peak rate lets them be.
    let count = Int(duration / segment)
    let lists = rates.map { rate in
      SegmentList(
        (0..<count).map { _ in
          (MediaTime(nanoseconds: segment * 1_000_000), ByteCount(bytes: rate * segment / 8_000))
        })
    }
    return Media(
      StreamMedia(
        variants: rates.indices.map {
          StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: rates[$0]), list: $0)
        }, lists: lists))
  }

  private static func run(
    _ media: Media, link: Int64, until end: Int64, _ steps: [ScriptStep] = [],
    _ change: (inout PlayerConfiguration) -> Void
  ) -> Simulation {
    var player = PlayerConfiguration(media: [media])
    change(&player)
    var simulation = Simulation(
      World(
        links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: link)))], players: [player],
        script: [
          ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
          ScriptStep(.at(.start), .player(0, .play)),
        ] + steps, horizon: Instant(nanoseconds: end * 1_000_000_000)))
    _ = simulation.run()
    return simulation
  }

  private static func stalls(_ run: Simulation) -> Int {
    run.log.records.count { $0.event == .playbackStalled }
  }

  private static func switches(_ run: Simulation) -> Int {
    run.log.records.count { if case .variantSwitchStart = $0.event { true } else { false } }
  }

  /// 5 s on a steady 4 Mbit/s, with variants of 0.8 and 3 Mbit/s: 10 stalls and 19 switches in two
  /// minutes when 5 s were an exact limit.
  @Test func fiveSecondsStallNothing() {
    let media = Self.stream([800_000, 3_000_000], segment: 6_000, duration: 240_000)
    for seconds in 1...12 as ClosedRange<Int64> {
      let run = Self.run(media, link: 4_000_000, until: 120) {
        $0.preferredForwardBufferDuration = .seconds(seconds)
      }
      #expect(Self.stalls(run) == 0, "\(seconds) s")
      // The first choice, and one climb.
      #expect(Self.switches(run) == 2, "\(seconds) s")
    }
  }

  /// A segment of at most the variant's peak rate comes in the time that it plays: no preference
  /// stalls such a link, whatever the segments are.
  @Test(arguments: [1_000, 2_000, 4_000, 6_000, 10_000] as [Int64])
  func noPreferenceStallsALinkThatCarriesTheVariant(_ segment: Int64) {
    for percent in [101, 110, 125, 150, 300, 1_000] as [Int64] {
      for preferred in [1, 300, 1_000, 2_500, 5_000, 7_000, 12_000, 31_000] as [Int64] {
        for rates in [[2_000_000], [700_000, 2_000_000]] as [[Int64]] {
          let media = Self.stream(rates, segment: segment, duration: 60_000)
          let run = Self.run(media, link: 20_000 * percent, until: 90) {
            $0.preferredForwardBufferDuration = MediaTime(nanoseconds: preferred * 1_000_000)
          }
          #expect(
            Self.stalls(run) == 0, "\(preferred) ms of \(segment) ms, \(rates), \(percent) %")
        }
      }
    }
  }

  /// With zero the default is back: 60 s of 10 kB a second are less than 40 MiB.
  @Test func zeroGivesTheDefaultBack() {
    let media = Self.stream([80_000], segment: 1_000, duration: 60_000)
    let reset = ScriptStep(
      .at(Instant(nanoseconds: 1_000_000_000)),
      .player(0, .set(.preferredForwardBufferDuration(.zero))))
    func ahead(_ steps: [ScriptStep]) -> Int {
      let run = Self.run(media, link: 8_000_000, until: 3, steps) {
        $0.preferredForwardBufferDuration = .seconds(5)
      }
      return run.log.records.count {
        if case .segmentRequest = $0.event { true } else { false }
      }
    }
    // Five are full until a second and a quarter have been played; a sixth and seventh follow.
    #expect(ahead([]) == 7)
    #expect(ahead([reset]) == 60)
  }

  /// A limit that is exact lets the rule choose what comes while the rest of it is played: 5 s are
  /// read into again at 3.75 s, in which 4 Mbit/s bring 6 s of at most 2.5 Mbit/s.
  @Test(arguments: [(Int64(2_499_999), 2), (2_500_000, 2), (2_500_001, 1)])
  func theChoiceKnowsTheLimit(_ row: (rate: Int64, switches: Int)) {
    let media = Self.stream([800_000, row.rate], segment: 6_000, duration: 120_000)
    let run = Self.run(media, link: 4_000_000, until: 100) {
      $0.keepUp.forwardBufferLimit = .seconds(5)
      $0.keepUp.forwardBufferResume = MediaTime(nanoseconds: 3_750_000_000)
    }
    #expect(Self.switches(run) == row.switches)
    #expect(Self.stalls(run) == 0)
  }

  // MARK: Switching

  /// The mean rate decides which variant is switched to (WWDC18 502), at 80 % of 5 Mbit/s.
  @Test(arguments: [
    (Int64?.none, 1), (3_999_999, 2), (4_000_000, 2), (4_000_001, 1),
  ])
  func theMeanRateDecides(_ row: (mean: Int64?, switches: Int)) {
    var media = Self.stream([800_000, 3_000_000], segment: 6_000, duration: 120_000)
    guard var parts = media.streamMedia else { return }
    parts.variants[1].bandwidth = BitRate(bitsPerSecond: 6_000_000)
    parts.variants[1].averageBandwidth = row.mean.map { BitRate(bitsPerSecond: $0) }
    media = Media(parts)
    let run = Self.run(media, link: 5_000_000, until: 60) { _ in }
    #expect(Self.switches(run) == row.switches)
  }

  // MARK: Starts

  /// Apple's bipbop in five variants of 10 s, over 14 Mbit/s.
  private static func bipbop(_ change: (inout PlayerConfiguration) -> Void) -> [(Instant, Int)] {
    let media = Self.stream(
      [263_851, 577_610, 915_905, 1_030_138, 1_924_009], segment: 10_000, duration: 600_000)
    let run = Self.run(media, link: 14_000_000, until: 20, [], change)
    return run.log.records.compactMap {
      if case .variantSwitchStart(_, let variant, _) = $0.event {
        ($0.instant, variant)
      } else {
        nil
      }
    }
  }

  /// A cold start as iPadOS 26.5 logged it: the first, and a second each later the third and fifth.
  @Test func aColdStartClimbsInSteps() {
    let steps = Self.bipbop { $0.streaming.followLogs26() }
    #expect(steps.map(\.1) == [0, 2, 4])
    for (step, second) in zip(steps, [0, 1, 2] as [Int64]) {
      #expect(abs(step.0.nanoseconds - second * 1_000_000_000) <= 1_000_000_000)
    }
    // Without the log's numbers it is one step.
    #expect(Self.bipbop { _ in }.map(\.1) == [0, 4])
  }

  /// A warm one, twelve minutes later: the fifth at once.
  ///
  /// A quarter of what is remembered, or 80 %, must be enough for the variant.
  @Test(arguments: [
    (Int64(20_000_000), 4, 4), (7_696_036, 4, 4), (7_696_035, 3, 4), (2_405_012, 1, 4),
    (2_405_011, 1, 3), (100_000, 0, 0),
  ])
  func aWarmStartRemembers(_ row: (history: Int64, observed: Int, documented: Int)) {
    func first(_ change: (inout PlayerConfiguration) -> Void) -> Int? {
      Self.bipbop {
        change(&$0)
        $0.streaming.adaptation.history = BitRate(bitsPerSecond: row.history)
      }.first?.1
    }
    #expect(first { $0.streaming.followLogs26() } == row.observed)
    #expect(first { _ in } == row.documented)
    #expect(first { $0.streaming.adaptation.startsOnFirstEligibleVariant = true } == 0)
  }

  /// A quarter of 4.06 Mbit/s takes the third variant, and not the fourth.
  @Test func aQuarterIsTakenAtTheStart() {
    let media = Self.stream(
      [263_851, 577_610, 915_905, 1_030_138, 1_924_009], segment: 10_000, duration: 600_000)
    let run = Self.run(media, link: 4_060_000, until: 9) {
      $0.streaming.followLogs26()
    }
    let variants = run.log.records.compactMap {
      if case .variantSwitchStart(_, let variant, _) = $0.event { variant } else { nil }
    }
    #expect(variants == [0, 2])
  }
}
