import Autowait
import Testing

/// Sound that gets less of a link than the picture, against a link that is shared in fractions.
@Suite struct SoundShareTests {
  private static let count = 9

  /// When each segment of two tracks comes that ask for one after the other, in nanoseconds.
  ///
  /// What is missing is counted in parts of a nanobit, of which a nanobit has as many as the two
  /// weigh together, so that both get whole numbers in each nanosecond.
  private static func expected(
    _ sizes: [[Int64]], weights: [Int128], _ bitsPerSecond: Int64
  ) -> [[Int64]] {
    let (all, rate) = (weights.reduce(0, +), Int128(bitsPerSecond))
    var came: [[Int64]] = [[], []]
    var missing = sizes.map { Int128($0[0]) * 8_000_000_000 * all }
    var now: Int128 = 0
    while true {
      let flows = (0...1).filter { came[$0].count < sizes[$0].count }
      if flows.isEmpty { return came }
      func speed(_ flow: Int) -> Int128 { rate * (flows.count == 1 ? all : weights[flow]) }
      let span = flows.map { (missing[$0] + speed($0) - 1) / speed($0) }.min() ?? 0
      now += span
      for flow in flows {
        missing[flow] = max(0, missing[flow] - speed(flow) * span)
        if missing[flow] > 0 { continue }
        came[flow].append(Int64(now))
        if came[flow].count < sizes[flow].count {
          missing[flow] = Int128(sizes[flow][came[flow].count]) * 8_000_000_000 * all
        }
      }
    }
  }

  private static func run(
    _ share: UInt32, _ bitsPerSecond: Int64, _ picture: Int64, _ sound: Int64
  ) -> TrackLog {
    TrackLog(
      .onePlayer(
        .pictureAndSound(count: count, seconds: 4, picture: picture, sound: sound),
        bitsPerSecond: bitsPerSecond, [.at(0, .play)], until: 2_000
      ) {
        $0.keepUp.requestOrder = .independent
        $0.keepUp.soundShare = share
        $0.streaming.adaptation.rule = .fixed
        $0.streaming.responseTimeout = .seconds(1_000)
      })
  }

  @Test func itSharesAsItWeighs() {
    var uneven = 0
    for number in 0..<120 as Range<UInt64> {
      var random = RandomStream(seed: number, component: "sound", purpose: "share")
      func draw(_ least: Int64, _ most: Int64) -> Int64 {
        least + Int64(random.next(below: UInt64(most - least + 1)))
      }
      let share = UInt32(number % 6 == 0 ? 1_000 : draw(1, 999))
      let (rate, picture) = (draw(900_000, 9_000_000), draw(1_000, 400_000))
      let sound = draw(1_000, 400_000)
      let log = Self.run(share, rate, picture, sound)
      let sizes = [picture, sound].map { size in
        (0..<Self.count).map { size + Int64($0 % 3) * 777 }
      }
      let expected = Self.expected(sizes, weights: [1_000, Int128(share)], rate)
      #expect(log.asked[0].first?.at == log.asked[1].first?.at)
      let begin = log.asked[0].first?.at ?? 0
      for list in 0...1 {
        #expect(log.came[list].count == Self.count)
        for (came, expected) in zip(log.came[list], expected[list]) {
          // A nanobit that a flow has less may cost it a nanosecond, with each change of the flows.
          #expect(
            abs(came.at - begin - expected) <= 2 * Int64(Self.count),
            "case \(number), list \(list): \(came.at - begin) for \(expected)")
        }
      }
      if share != 1_000 { uneven += 1 }
    }
    #expect(uneven > 90)
  }

  /// Who has the link alone has all of it, whatever it weighs.
  @Test func aloneItHasTheLink() {
    func last(_ share: UInt32) -> Int64? {
      Self.run(share, 1_000_000, 1_000, 400_000).came[1].last?.at
    }
    let (less, equal) = (last(10) ?? 0, last(1_000) ?? .max)
    // All data has come at the same time, but for what rounding costs.
    #expect(abs(less - equal) <= 50)
  }

  /// A run with packets, or with another player on the link, shares nothing that adds up wrongly.
  @Test func playersShareALinkWithIt() {
    var players: [PlayerConfiguration] = []
    for share in [1_000, 250, 1_000, 40] as [UInt32] {
      var player = PlayerConfiguration(
        media: [.pictureAndSound(count: 4, seconds: 2, picture: 90_000, sound: 40_000)])
      player.keepUp.soundShare = share
      player.keepUp.requestOrder = .independent
      player.streaming.adaptation.rule = .fixed
      players.append(player)
    }
    let script = players.indices.flatMap { index in
      [
        ScriptStep(.at(.start), .player(index, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(index, .play)),
      ]
    }
    let run = Simulation.run(
      of: World(
        links: [LinkProfile(LinkTrack(rate: BitRate(bitsPerSecond: 3_000_000)))],
        players: players, script: script, horizon: .start + .seconds(100)))
    let bytes = run.log.records.reduce(Int64(0)) { sum, record in
      if case .mediaRequestCompleted(_, let size) = record.event { sum + size.bytes } else { sum }
    }
    let last = run.log.records.last {
      if case .mediaRequestCompleted = $0.event { true } else { false }
    }
    #expect(bytes >= 16 * 130_000)
    // The link is never idle, so it is done when all bytes can have come.
    let all = Int128(bytes) * 8_000_000_000
    let expected = Int64((all + 2_999_999) / 3_000_000)
    #expect(abs((last?.instant.nanoseconds ?? 0) - expected) <= 1_000)
  }
}
