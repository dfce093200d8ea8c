import Autowait
import AutowaitScenario

/// More rate, or less delay, never makes a file that is played from start to end later.
///
/// The link is ideal and steady. Source: elementary; all data arrives sooner, or at the same time.
package enum MonotoneLaw {
  /// Returns what does not hold of the files of a number.
  package static func breaches(_ seed: UInt64) -> [Breach] {
    var stream = RandomStream(seed: seed, component: "worlds", purpose: "monotone")
    func number(_ least: Int64, _ most: Int64) -> Int64 {
      least + Int64(stream.next(below: UInt64(most - least) + 1))
    }
    var policy = KeepUpPolicy()
    policy.verdictSize = ByteCount(bytes: [0, 65_536, number(0, 300_000)][Int(number(0, 2))])
    if number(0, 2) == 0 {
      policy.rule = .buffered(
        start: MediaTime(nanoseconds: number(0, 8_000_000_000)),
        resume: MediaTime(nanoseconds: number(0, 8_000_000_000)))
    }
    let media = Media(
      .progressive, duration: MediaTime(nanoseconds: number(1, 40_000_000_000)),
      bitRate: BitRate(bitsPerSecond: number(1_000, 4_000_000)),
      headerSize: ByteCount(bytes: number(0, 1) * number(0, 400_000)))
    let rate = number(20_000, 5_000_000)
    let delay = number(0, 900_000_000)
    let base = run(media, policy, rate, delay)
    let faster = run(media, policy, rate + number(1, 3 * rate), delay)
    let nearer = run(media, policy, rate, delay - number(0, delay))
    return [("more rate", faster), ("less delay", nearer)].flatMap { name, other in
      zip(["first plays", "ends"], zip(base, other)).compactMap { what, times in
        times.1 <= times.0
          ? nil
          : Breach(
            law: .monotone,
            message: "with \(name) playback \(what) at \(times.1) instead of \(times.0)")
      }
    }
  }

  /// When playback begins, and when it ends.
  private static func run(
    _ media: Media, _ policy: KeepUpPolicy, _ rate: Int64, _ delay: Int64
  ) -> [Instant] {
    var player = PlayerConfiguration(media: [media])
    player.keepUp = policy
    let track = LinkTrack(
      rate: BitRate(bitsPerSecond: rate), delay: TimeSpan(nanoseconds: delay))
    let world = World(
      links: [LinkProfile(track)], players: [player],
      script: [
        ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0))),
        ScriptStep(.at(.start), .player(0, .play)),
      ], horizon: .start + .seconds(100_000))
    var simulation = Simulation(world)
    _ = simulation.run()
    let end = simulation.log.records.last { $0.event == .didPlayToEndTime }?.instant ?? .never
    return [simulation.metrics(of: 0).firstPlayed ?? .never, end]
  }
}
