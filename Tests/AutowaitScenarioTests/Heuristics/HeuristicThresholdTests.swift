import Autowait
import AutowaitScenario
import Testing

/// Every rule that is built in, at each of its thresholds, one less and one more.
///
/// What is expected is computed here from the rates alone: 3.73 Mbit/s of media on 3.2 Mbit/s.
@Suite struct HeuristicThresholdTests {
  /// A rule whose thresholds are media ahead of the playhead.
  struct Reserve: Sendable, CustomTestStringConvertible {
    let name: String
    /// The parameters that say with how much playback starts and goes on; nil for a frame.
    var start: String?
    var resume: String?
    /// What is more than the parameter says.
    var more: Int64 = 0
    /// How many times the parameter a stall asks for.
    var growth: Int64 = 1
    /// The media ahead at which the buffer counts as empty, by the value of the start's parameter.
    var starves: @Sendable (Int64) -> Int64 = { _ in 0 }
    /// Other parameters, so that these thresholds are what counts.
    var others: [HeuristicValue] = []

    var testDescription: String { name }
  }

  static let reserves = [
    Reserve(name: "media3", start: "start", resume: "resume"),
    Reserve(name: "exoplayer", start: "start", resume: "resume"),
    Reserve(name: "fixed", start: "start", resume: "start"),
    Reserve(name: "fixed", start: "start", resume: "resume", others: [.init("resume", second)]),
    Reserve(name: "dash.js", start: "stallThreshold", resume: "stallThreshold", more: 1),
    Reserve(
      name: "shaka-4.12", start: "rebufferingGoal", resume: "rebufferingGoal",
      starves: { min(500_000_000, $0 / 2) }),
    Reserve(name: "mpv", resume: "resume"),
    Reserve(name: "mpv-cache-pause-initial", start: "resume", resume: "resume"),
    Reserve(name: "gstreamer", start: "start", resume: "start", starves: { _ in 50_000_000 }),
    Reserve(name: "vlc", start: "networkCaching", resume: "networkCaching"),
    element("chromium-play", [.init("startSize", 1)]), element("hls.js"), element("shaka"),
    element("vhs"),
    Reserve(
      name: "firefox-play", resume: "resume",
      others: [
        .init("resume", 2 * second), .init("checkEvery", nil), .init("patience", 900 * second),
      ]),
    Reserve(name: "ffplay"),
  ]

  private static func element(_ name: String, _ others: [HeuristicValue] = []) -> Reserve {
    Reserve(
      name: name, start: "queue", resume: "queue", growth: 2, starves: { _ in 64_000_000 },
      others: others)
  }

  static let second: Int64 = 1_000_000_000
  private static let frame: Int64 = 40_000_000

  @Test(arguments: reserves, [Int64(-1), 0, 1])
  func startsAndGoesOn(_ row: Reserve, _ error: Int64) throws {
    let heuristic = try #require(Heuristic.named(row.name))
    func value(_ parameter: String?) throws -> Int64 {
      guard let parameter else { return Self.frame }
      let given = row.others.first { $0.name == parameter }?.value
      return try #require(given ?? heuristic.parameters.first { $0.name == parameter }?.value)
    }
    let (start, resume) = (try value(row.start), try value(row.resume))
    // First the start's threshold is moved, then the other one.
    for isStart in [true, false] {
      guard let parameter = isStart ? row.start : row.resume else { continue }
      let moved = try value(parameter) + error
      var given = row.others.filter { $0.name != parameter }
      given.append(HeuristicValue(parameter, moved))
      let run = Self.run(heuristic.policy(given))
      let ahead = row.start == parameter ? moved + row.more : start
      let again = row.resume == parameter ? row.growth * moved + row.more : resume
      let expected = Self.expected(
        start: max(ahead, Self.frame), resume: max(again, Self.frame),
        starves: row.starves(row.start == parameter ? moved : start))
      #expect(Array(run.starts().prefix(2)) == expected, "\(parameter) \(error)")
    }
    if row.start == nil, row.resume == nil {
      let run = Self.run(heuristic.policy())
      #expect(
        Array(run.starts().prefix(2))
          == Self.expected(start: Self.frame, resume: Self.frame, starves: 0))
    }
  }

  /// When playback starts and first goes on, by the rates alone.
  private static func expected(start: Int64, resume: Int64, starves: Int64) -> [Int64] {
    func loaded(_ media: Int64) -> Int64 { (3_730 * media + 3_199) / 3_200 }
    let first = loaded(start)
    let stall = (3_730 * (first - starves) + 529) / 530
    // Who runs dry counts from the edge, which is where he is; who stops before, from his time.
    let next =
      starves == 0 && 3_200 * stall / 3_730 <= stall - first
      ? stall + loaded(resume) : loaded(stall - first + resume)
    // When all is loaded, playback goes on whatever the rule says.
    return [first, min(next, 45_459_375_000)]
  }

  /// The second act of the demo with a policy.
  static func run(
    _ policy: KeepUpPolicy, on track: LinkTrack = LinkTrack(rate: rate(3_200_000)),
    _ steps: [ScriptStep] = [step(0, .play)],
    _ media: Media = Media(.progressive, duration: .seconds(39), bitRate: rate(3_730_000))
  ) -> Simulation {
    var player = PlayerConfiguration(media: [media])
    player.keepUp = policy
    var simulation = Simulation(
      World(
        links: [LinkProfile(track)], players: [player],
        script: [step(0, .replaceCurrentItem(0))] + steps,
        horizon: Instant(nanoseconds: 3_000 * second)))
    _ = simulation.run()
    return simulation
  }

  static func rate(_ bits: Int64) -> BitRate { BitRate(bitsPerSecond: bits) }

  static func step(_ nanoseconds: Int64, _ action: PlayerAction) -> ScriptStep {
    ScriptStep(.at(Instant(nanoseconds: nanoseconds)), .player(0, action))
  }

  // MARK: The rules that ask the fill rate

  /// What keeps up at once does so with the first byte that makes it known.
  @Test(
    arguments: ["avfoundation", "ios9", "webkit", "chromium-canplaythrough", "firefox"],
    [Int64(-1), 0, 1])
  func verdicts(_ name: String, _ error: Int64) throws {
    let heuristic = try #require(Heuristic.named(name))
    let policy = heuristic.policy([HeuristicValue("verdictSize", 1_000_000 + error)])
    let run = Self.run(policy, on: LinkTrack(rate: Self.rate(100_000_000)))
    #expect(run.starts().first == 80_000_000 + 80 * error)
  }

  /// On a slow link they start when the last byte will come with the end.
  @Test(arguments: ["avfoundation", "ios9", "webkit", "chromium-canplaythrough", "firefox"])
  func playThrough(_ name: String) throws {
    let run = Self.run(try #require(Heuristic.named(name)).policy())
    #expect(run.starts() == [6_459_375_000])
  }

  @Test func reliabilityOfFirefox() throws {
    let firefox = try #require(Heuristic.named("firefox"))
    #expect(firefox.policy().verdictSize.bytes == 83_220)
    // More than a second must be ahead: a nanosecond more, at a hundred million bits a second.
    let run = Self.run(firefox.policy(), on: LinkTrack(rate: Self.rate(100_000_000)))
    #expect(run.starts().first == 37_300_001)
  }

  /// Firefox goes on after fifteen seconds; the link is nearly dead from a tenth of a second on.
  @Test(arguments: [Int64(-1), 0, 1], [nil, Int64(1_000_000_000)])
  func patienceOfFirefox(_ error: Int64, _ interval: Int64?) throws {
    let dying = LinkTrack([
      LinkTrack.Sample(start: .zero, rate: Self.rate(3_200_000), delay: .zero),
      LinkTrack.Sample(start: .milliseconds(100), rate: Self.rate(40_000), delay: .zero),
    ])
    let policy = try #require(Heuristic.named("firefox-play")).policy([
      HeuristicValue("patience", 15 * Self.second + error), HeuristicValue("checkEvery", interval),
    ])
    let run = Self.run(policy, on: dying)
    let stall = try #require(
      run.log.records.first { $0.event == .playbackStalled }?.instant.nanoseconds)
    let wait = try #require(run.starts().dropFirst().first) - stall
    let late = interval != nil && error > 0
    #expect(wait == (interval == nil ? 15 * Self.second + error : (late ? 16 : 15) * Self.second))
  }

  // MARK: Data

  @Test(arguments: ["media3", "exoplayer", "gstreamer"], [Int64(-1), 0, 1])
  func bytes(_ name: String, _ error: Int64) throws {
    let heuristic = try #require(Heuristic.named(name))
    let run = Self.run(heuristic.policy([HeuristicValue("startSize", 100_000 + error)]))
    #expect(run.starts().first == (100_000 + error) * 2_500)
    #expect(heuristic.parameters.first { $0.name == "startSize" }?.value ?? 0 > 6_000_000)
  }

  /// At each player's own size of data reading is suspended, with a byte less it is not; it goes on
  /// when the slack has been played.
  @Test(
    arguments: ["media3", "exoplayer", "mpv", "mpv-cache-pause-initial", "gstreamer", "ffplay"],
    [Int64(-1), 0, 1])
  func sizesOfData(_ name: String, _ error: Int64) throws {
    let heuristic = try #require(Heuristic.named(name))
    let own = try #require(
      heuristic.parameters.first { $0.name == "forwardBufferSizeMax" }?.value)
    // Nothing but data is to be what suspends it.
    var given = [HeuristicValue("forwardBufferSizeMax", own + error)]
    if heuristic.parameters.contains(where: { $0.name == "forwardBufferLimit" }) {
      given.append(HeuristicValue("forwardBufferLimit", nil))
    }
    let policy = heuristic.policy(given)
    // A byte in a nanosecond: 8 Gbit/s; 40 Mbit/s are played, 5 bytes in a microsecond.
    let run = Self.run(
      policy, on: LinkTrack(rate: Self.rate(8_000_000_000)), [Self.step(10 * Self.second, .play)],
      Media(.progressive, duration: .seconds(60), bitRate: Self.rate(40_000_000)))
    let turns = run.log.records.compactMap { record in
      if case .readingSuspended = record.event { record.instant.nanoseconds } else { nil }
    }
    let slack = policy.forwardBufferSizes?.slack?.bytes
    // Of a quarter nanobits count: it is rounded down, and what is left of the mark up.
    let played = slack.map { $0 * 200 } ?? (own + error) * 50
    #expect(turns.first == own + error)
    #expect(turns.dropFirst().first == 10 * Self.second + played)
  }

  /// Chromium is suspended a MiB behind 13 s, which are 1,300,000 B here; 30 s of hls.js's are
  /// 60 MB, or 600 seconds.
  @Test(arguments: [Int64(-1), 0, 1])
  func leastSizesOfData(_ error: Int64) throws {
    func suspended(_ name: String, _ parameter: String, bits: Int64) throws -> Int64? {
      let heuristic = try #require(Heuristic.named(name))
      let own = try #require(heuristic.parameters.first { $0.name == parameter }?.value)
      let run = Self.run(
        heuristic.policy([HeuristicValue(parameter, own + error)]),
        on: LinkTrack(rate: Self.rate(8_000_000_000)), [],
        Media(.progressive, duration: .seconds(1_000), bitRate: Self.rate(bits)))
      return run.log.records.first {
        if case .readingSuspended = $0.event { true } else { false }
      }?.instant.nanoseconds
    }
    for name in ["chromium-play", "chromium-canplaythrough"] {
      #expect(
        try suspended(name, "forwardBufferSizeBeyond", bits: 800_000)
          == 1_300_000 + 1_048_576 + error)
    }
    #expect(try suspended("hls.js", "forwardBufferSizeMin", bits: 8_000_000) == 60_000_000 + error)
    // A nanosecond of 80 kbit/s is a hundred-thousandth of a byte.
    #expect(
      try suspended("hls.js", "forwardBufferLimitMax", bits: 80_000)
        == 6_000_000 + (error > 0 ? 1 : 0))
  }

  /// The playout of media at double speed is half as long.
  @Test(arguments: [Int64(-1), 0, 1])
  func playout(_ error: Int64) throws {
    let policy = try #require(Heuristic.named("media3")).policy([
      HeuristicValue("start", Self.second + error)
    ])
    let speed = PlaybackRate(millionths: 2_000_000)
    let run = Self.run(policy, [Self.step(0, .setRate(speed))])
    #expect(run.starts().first == (3_730 * 2 * (Self.second + error) + 3_199) / 3_200)
  }

  /// Each stall doubles Chromium's queue, up to three seconds; a seek begins again.
  @Test func growthOfChromium() throws {
    let policy = try #require(Heuristic.named("chromium-play")).policy()
    let run = Self.run(policy, on: LinkTrack(rate: Self.rate(1_865_000)))
    var ahead: [Int64] = []
    for start in run.starts() {
      var copy = Simulation(run.world(policy, rate: 1_865_000))
      _ = copy.advance(to: Instant(nanoseconds: start))
      let snapshot = copy.snapshot(of: 0)
      ahead.append((snapshot.loadedEnd - snapshot.currentTime).nanoseconds / 1_000_000)
    }
    // 128 KiB are 281 ms of 3.73 Mbit/s.
    #expect(ahead.prefix(7) == [281, 400, 800, 1_600, 3_000, 3_000, 3_000])
  }

  /// Chromium decodes a file with so much data first, at 400 bytes a millisecond; less of it is
  /// enough where that is all there is.
  @Test(arguments: [Int64(-1), 0, 1])
  func firstDataOfChromium(_ error: Int64) throws {
    let size = try #require(
      Heuristic.named("chromium-play")?.parameters.first { $0.name == "startSize" }?.value)
    let policy = try #require(Heuristic.named("chromium-play")).policy([
      HeuristicValue("startSize", size + error)
    ])
    #expect(Array(Self.run(policy).starts().prefix(1)) == [(size + error) * 2_500])
    let clip = Media(.progressive, duration: .seconds(4), bitRate: Self.rate(160_000))
    let run = Self.run(
      policy, on: LinkTrack(rate: Self.rate(3_200_000)), [Self.step(0, .play)], clip)
    // The index of such a file is 0 B, so that 80,000 B are all of it.
    #expect(run.starts() == [80_000 * 2_500])
  }
}

extension Simulation {
  /// The instants at which the timebase began to run.
  fileprivate func starts() -> [Int64] {
    log.records.compactMap { record in
      guard case .timebaseRate(let rate, _) = record.event, rate != .zero else { return nil }
      return record.instant.nanoseconds
    }
  }

  /// The world that a run was of.
  fileprivate func world(_ policy: KeepUpPolicy, rate: Int64) -> World {
    let media = Media(
      .progressive, duration: .seconds(39), bitRate: HeuristicThresholdTests.rate(3_730_000))
    var player = PlayerConfiguration(media: [media])
    player.keepUp = policy
    return World(
      links: [LinkProfile(LinkTrack(rate: HeuristicThresholdTests.rate(rate)))],
      players: [player],
      script: [
        HeuristicThresholdTests.step(0, .replaceCurrentItem(0)),
        HeuristicThresholdTests.step(0, .play),
      ], horizon: Instant(nanoseconds: 3_000_000_000_000))
  }
}
