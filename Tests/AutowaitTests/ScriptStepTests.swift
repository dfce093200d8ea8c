import Autowait
import Testing

/// When steps of a script are due that follow from events, from other steps, or come again; what
/// they do to the traffic of others; and runs that go on.
@Suite struct ScriptStepTests {
  /// A step, with when it was done in milliseconds and what led to it.
  private struct Done: Equatable {
    let step: Int
    let at: Int64
    let cause: Event
  }

  private static let clip = Media(
    .local, duration: .seconds(5), bitRate: BitRate(bitsPerSecond: 1_000_000))

  private static func reaction(
    to events: EventFilter, skipped: Int = 0, count: Int? = 1, after delay: TimeSpan = .zero
  ) -> ScriptStep.Trigger {
    var reaction = ScriptStep.Reaction(to: events)
    (reaction.skipped, reaction.count, reaction.delay) = (skipped, count, delay)
    return .on(reaction)
  }

  private static func run(_ steps: ScriptStep...) -> Simulation {
    var world = Demo.world(of: clip, horizon: 60)
    world.script += [Demo.at(seconds: 1, .play)] + steps
    world.eventsMax = 1_000
    let run = Simulation.run(of: world)
    var strict = Simulation(world, pace: .eventByEvent)
    _ = strict.run()
    #expect(strict.fingerprint == run.fingerprint)
    return run
  }

  /// What was done behind the first two steps, which load and play.
  private static func done(_ run: Simulation) -> [Done] {
    let records = Array(run.log.records)
    return records.compactMap { (record: EventRecord) -> Done? in
      guard case .step(let step) = record.event, step > 1 else { return nil }
      return Done(
        step: step, at: record.instant.nanoseconds / 1_000_000,
        cause: records[record.cause - 1].event)
    }
  }

  /// An application that rewinds at the end, twice, and plays again a little later.
  @Test func endsLeadToReplays() {
    let run = Self.run(
      ScriptStep(
        Self.reaction(to: EventFilter(.didPlayToEndTime), count: 2, after: .milliseconds(100)),
        .player(0, .seek(.zero))),
      ScriptStep(.after(2, .milliseconds(50)), .player(0, .play)))
    let (end, rewind) = (Event.didPlayToEndTime, Event.step(index: 2))
    #expect(
      Self.done(run) == [
        Done(step: 2, at: 6_100, cause: end), Done(step: 3, at: 6_150, cause: rewind),
        Done(step: 2, at: 11_250, cause: end), Done(step: 3, at: 11_300, cause: rewind),
      ])
    #expect(run.times(of: .didPlayToEndTime) == [6_000_000_000, 11_150_000_000, 16_300_000_000])
    #expect(run.finishReason == .settled)
  }

  @Test func eventsMayPass() {
    let rates = (1...4).map { ScriptStep(.at(Demo.seconds(Int64($0))), .player(0, .preroll)) }
    for (skipped, count, expected) in [
      (0, 1, [1_000]), (1, 2, [2_000, 3_000]), (3, nil, [4_000]), (4, 9, []), (0, 0, []),
    ] as [(Int, Int?, [Int64])] {
      var world = Demo.world(of: Self.clip, horizon: 60)
      world.script += rates
      // A preroll of a file on the device is over at once.
      let event = EventFilter(.prerollDidComplete(isFinished: true))
      let trigger = Self.reaction(to: event, skipped: skipped, count: count)
      world.script.append(ScriptStep(trigger, .player(0, .pause)))
      let run = Simulation.run(of: world)
      let times = run.log.records.filter { $0.event == .step(index: 5) }
      #expect(times.map { $0.instant.nanoseconds / 1_000_000 } == expected)
    }
  }

  /// A kind alone lets all its values pass; a value, and a player, only their own.
  @Test func valuesAndPlayersAreToldApart() {
    let status = Event.timeControlStatus(.paused)
    let playing = UInt64(TimeControlStatus.playing.rawValue)
    let change = ScriptAction.player(0, .changeTracks)
    for (player, value, expected) in [
      (nil, nil, [1_000, 2_000, 3_000, 4_000, 6_000, 7_000]), (0, nil, [1_000, 3_000, 6_000]),
      (1, nil, [2_000, 4_000, 7_000]), (nil, playing, [1_000, 2_000, 3_000, 4_000]),
      (1, playing, [2_000, 4_000]), (2, nil, []),
    ] as [(Int?, UInt64?, [Int64])] {
      var world = Demo.world(of: Self.clip, horizon: 60)
      world.players.append(world.players[0])
      world.script = [ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0)))]
      world.script.append(ScriptStep(.at(.start), .player(1, .replaceCurrentItem(0))))
      for (second, player, action) in [
        (1, 0, PlayerAction.play), (2, 1, .play), (3, 0, .pause), (3, 0, .play), (4, 1, .pause),
        (4, 1, .play),
      ] as [(Int64, Int, PlayerAction)] {
        world.script.append(ScriptStep(.at(Demo.seconds(second)), .player(player, action)))
      }
      let step = world.script.count
      world.script.append(
        ScriptStep(
          Self.reaction(
            to: EventFilter(status, player: player, announcement: value), count: nil), change))
      let run = Simulation.run(of: world)
      let times = run.log.records.filter { $0.event == .step(index: step) }
      var instants = times.map { $0.instant.nanoseconds / 1_000_000 }
      // Pause and play of one instant are told apart by the log, and not by this list.
      instants = instants.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
      #expect(instants == expected, "player \(player ?? -1), value \(value ?? 99)")
    }
  }

  @Test func intervalsComeAgain() {
    let change = ScriptAction.player(0, .changeTracks)
    let seven = TimeSpan.seconds(7)
    let twice = Self.run(ScriptStep(.every(seven, from: Demo.seconds(2), count: 2), change))
    #expect(Self.done(twice).map(\.at) == [2_000, 9_000])
    #expect(twice.finishReason == .settled)
    let always = Self.run(ScriptStep(.every(seven, from: .start, count: nil), change))
    #expect(Self.done(always).map(\.at) == (0...8).map { $0 * 7_000 })
    #expect(always.finishReason == .horizon)
  }

  /// A step that leads to what it reacts to goes on until the bound of the run, and no longer.
  @Test func reactionsMayNotHang() {
    let run = Self.run(
      ScriptStep(
        Self.reaction(to: EventFilter(.step(index: 0), announcement: 3), count: nil),
        .player(0, .changeTracks)),
      ScriptStep(.at(Demo.seconds(2)), .player(0, .pause)))
    #expect(Self.done(run).map(\.step) == [3, 2])
    // Each change of the rate leads to two.
    let endless = Self.run(
      ScriptStep(Self.reaction(to: EventFilter(.rate(.normal)), count: nil), .player(0, .pause)),
      ScriptStep(Self.reaction(to: EventFilter(.rate(.zero)), count: nil), .player(0, .play)))
    #expect(endless.finishReason == .eventLimit)
  }

  // MARK: The traffic of others

  /// Four megabit over four Mbit/s of which others take half, which stands still for a second.
  @Test(
    arguments: [
      CrossTraffic(.constant(BitRate(bitsPerSecond: 2_000_000))), CrossTraffic(.download(nil)),
    ], [LinkTier.ideal])
  func othersStandStill(_ other: CrossTraffic, _ tier: LinkTier) {
    let media = Media(
      .progressive, duration: .seconds(2), bitRate: BitRate(bitsPerSecond: 4_000_000))
    for (steps, expected) in [
      ([], 4_000), ([(1, true)], 2_500), ([(1, true), (2, false)], 3_000),
      ([(0, true), (1, false)], 3_000), ([(0, true)], 2_000), ([(1, false)], 4_000),
      ([(1, true), (1, true), (2, false)], 3_000),
    ] as [([(Int64, Bool)], Int64)] {
      var world = Demo.world(on: LinkTrack(rate: BitRate(bitsPerSecond: 4_000_000)), of: media)
      world.traffic = [other]
      world.tier = tier
      world.script += steps.map { ScriptStep(.at(Demo.seconds($0)), .suspendTraffic($1)) }
      let run = Simulation.run(of: world)
      let full = run.times(of: .isPlaybackBufferFull(true)).first
      #expect(full == expected * 1_000_000, "\(steps)")
    }
  }

  /// A download that was to begin at 1 s begins when others go on, at 1.5 s: of eight megabit six
  /// have come by then, and two are left for half of the link.
  @Test func downloadsThatWereToBeginBeginLater() {
    let media = Media(
      .progressive, duration: .seconds(2), bitRate: BitRate(bitsPerSecond: 4_000_000))
    var world = Demo.world(on: LinkTrack(rate: BitRate(bitsPerSecond: 4_000_000)), of: media)
    var download = CrossTraffic(.download(nil))
    download.start = Demo.seconds(1)
    world.traffic = [download]
    for (milliseconds, isSuspended) in [(500, true), (1_500, false)] as [(Int64, Bool)] {
      let instant = Instant(nanoseconds: milliseconds * 1_000_000)
      world.script.append(ScriptStep(.at(instant), .suspendTraffic(isSuspended)))
    }
    let run = Simulation.run(of: world)
    #expect(run.times(of: .isPlaybackBufferFull(true)) == [2_500_000_000])
  }

  /// Polls that stand still ask for nothing, and go on at their own times.
  @Test func pollsAreLeftOut() {
    // 32 Mbit over 4 Mbit/s; a poll takes one.
    let media = Media(
      .progressive, duration: .seconds(8), bitRate: BitRate(bitsPerSecond: 4_000_000))
    func full(_ steps: [(Int64, Bool)]) -> Int64? {
      var world = Demo.world(on: LinkTrack(rate: BitRate(bitsPerSecond: 4_000_000)), of: media)
      world.traffic = [CrossTraffic(.poll(ByteCount(bytes: 125_000), every: .seconds(1)))]
      world.script += steps.map { ScriptStep(.at(Demo.seconds($0)), .suspendTraffic($1)) }
      return Simulation.run(of: world).times(of: .isPlaybackBufferFull(true)).first
    }
    #expect(full([(0, true)]) == 8_000_000_000)
    // Eleven polls are whole by then.
    #expect(full([]) == 10_750_000_000)
    // The first poll stands still from 0 to 4 s; then it goes on, and five others come.
    #expect(full([(0, true), (4, false)]) == 9_500_000_000)
  }

  // MARK: Runs that go on

  @Test func settledRunsGoOn() {
    var run = Simulation(Demo.world(of: Self.clip, horizon: 60))
    #expect(run.run() == .finished(.settled))
    #expect(run.now == .start)
    #expect(run.advance(to: Demo.seconds(3)) == .advanced)
    run.perform(.player(0, .play))
    #expect(run.run() == .finished(.settled))
    #expect(run.times(of: .didPlayToEndTime) == [8_000_000_000])
    // Without a wait it goes on where it ended.
    run.perform(.player(0, .seek(.zero)))
    run.perform(.player(0, .play))
    #expect(run.run() == .finished(.settled))
    #expect(run.times(of: .didPlayToEndTime) == [8_000_000_000, 13_000_000_000])
    #expect(run.metrics(of: 0).playedToEndCount == 2)
  }
}
