import Autowait
import Testing

/// What holds of requests on every tier, whatever their servers make of them.
@Suite struct AnswerLawTests {
  static let trials = LawWorlds.numbers(120, release: 4_000)
  /// Trials that went wrong once.
  ///
  /// 672: a request that had waited for a connection for longer than
  /// the timeout was due to fail before it was sent.
  static let found: [UInt64] = [672]

  /// A drawn trial: servers that delay, names that do not resolve, empty bodies, and users who
  /// give up, stop to read and go on, before and after the first byte.
  private struct Drawn {
    private var stream: RandomStream
    private(set) var trial: TransferTrial

    static func trial(_ seed: UInt64) -> TransferTrial {
      var drawn = Drawn(seed)
      drawn.draw()
      return drawn.trial
    }

    private init(_ seed: UInt64) {
      stream = RandomStream(seed: seed, component: "test", purpose: "answers")
      trial = TransferTrial(
        TransferPlan(flows: []), on: [], policy: TransportPolicy(), tier: .ideal, seed: seed)
    }

    private mutating func draw() {
      trial.tier = pick(LinkTier.allCases)
      trial.links = [link(), link()]
      trial.policy.http = pick(TransportPolicy.HTTP.allCases)
      trial.policy.tls = pick(TransportPolicy.TLS.allCases)
      trial.policy.serverDelay = .milliseconds(pick([0, 0, 30]))
      trial.policy.requestTimeout = pick([.seconds(5), .seconds(60)])
      trial.policy.connectionsPerHost = Int(number(1, 3))
      trial.policy.usesDNSLookup = chance(1, 2)
      trial.policy.responseHeaderSize = ByteCount(bytes: pick([0, 300, 4_000]))
      let owner = chance(1, 2) ? 7 : nil
      trial.plan.flows = (0..<number(1, 3)).map { _ in
        var flow = TransferPlan.Flow(steps: (0..<number(1, 5)).map { _ in step() })
        flow.start = .start + .milliseconds(pick([0, 0, 500, number(0, 2_000)]))
        flow.owner = owner
        return flow
      }
      if chance(1, 3) { trial.changes = [LinkChange(at: .start + .seconds(3), link: 1)] }
    }

    private mutating func link() -> LinkProfile {
      func direction() -> LinkDirection {
        var direction = LinkDirection(
          LinkTrack(
            rate: BitRate(bitsPerSecond: pick([80_000, number(100_000, 9_000_000)])),
            delay: .milliseconds(pick([0, 10, number(0, 200)]))))
        if chance(1, 3) {
          direction.loss = .bernoulli(Probability(billionths: number(0, 100_000_000)))
        }
        return direction
      }
      var link = LinkProfile(down: direction(), up: direction())
      link.names.delay = .milliseconds(pick([0, 300]))
      link.names.isCached = chance(3, 4)
      if chance(1, 3) {
        let gap = TimeSpan.milliseconds(number(1, 2_000))
        let start = TimeSpan.milliseconds(number(0, 3_000))
        link.events = [
          chance(1, 2)
            ? LinkEvent(at: start, .blackout(gap, drops: pick([.nothing, .new, .inFlight, .both])))
            : LinkEvent(
              at: start,
              .handover(.init(gap: gap, flushesQueue: true, endsConnections: chance(1, 2))))
        ]
      }
      return link
    }

    private mutating func step() -> TransferPlan.Step {
      var request = TransferRequest(
        host: Int(number(0, 1)),
        size: ByteCount(bytes: pick([0, 0, 1, 1_148, number(0, 40_000), number(0, 400_000)])))
      request.serverDelay = pick([
        .zero, .zero, .milliseconds(number(0, 900)), .seconds(4), .seconds(5), .seconds(86_400),
      ])
      if chance(1, 5) { request.answer = .nameNotResolved }
      if chance(1, 6) { request.connection = .new }
      request.priority = Int(number(0, 1))
      var step = TransferPlan.Step(request)
      step.isConcurrent = chance(1, 2)
      step.idle = .milliseconds(pick([0, 0, 100, number(0, 900)]))
      // On an ideal link nothing fails, and somebody must give up in the end.
      let isEndless = request.serverDelay > .seconds(60)
      if chance(1, 4) || isEndless { step.patience = .milliseconds(pick([0, 100, 5_000])) }
      if chance(1, 3) {
        step.suspendedAfter = .milliseconds(pick([0, 50, 100, 1_000]))
        step.suspension = .milliseconds(pick([0, 1, 100, 3_000]))
      }
      return step
    }

    private mutating func number(_ least: Int64, _ most: Int64) -> Int64 {
      least + Int64(stream.next(below: UInt64(most - least) + 1))
    }

    private mutating func chance(_ wins: UInt64, _ of: UInt64) -> Bool {
      stream.next(below: of) < wins
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int(stream.next(below: UInt64(elements.count)))]
    }
  }

  /// Every request is over once: served whole, failed or given up; no sooner than its server lets
  /// it, and what does not resolve brings nothing.
  @Test func everyRequestIsOver() {
    for seed in Self.found + Array(Self.trials) {
      let trial = Drawn.trial(seed)
      let report = trial.run()
      for (flow, outcomes) in zip(trial.plan.flows, report.outcomes) {
        #expect(outcomes.count == flow.steps.count, law(seed))
        for (step, outcome) in zip(flow.steps, outcomes) {
          Self.check(outcome, of: step.request, trial, law(seed))
        }
      }
    }
  }

  private static func check(
    _ outcome: TransferOutcome, of request: TransferRequest, _ trial: TransferTrial,
    _ name: Comment
  ) {
    let ends = [
      outcome.times.completed != nil, outcome.failure != nil, outcome.isCancelled,
    ]
    #expect(ends.filter(\.self).count == 1, name)
    #expect(outcome.delivered <= request.size, name)
    #expect(outcome.failure == nil || trial.tier != .ideal, name)
    if let failure = outcome.failure, request.answer == .nameNotResolved {
      // A lookup over a link that is down may take longer than the request has.
      #expect(failure == .nameNotResolved || failure == .timedOut, name)
    }
    if request.answer == .nameNotResolved {
      #expect(outcome.delivered == .zero && outcome.times.connected == nil, name)
      #expect(outcome.times.completed == nil || trial.tier == .ideal, name)
    } else if let first = outcome.times.firstByte {
      let asked = outcome.times.sent ?? outcome.times.opened
      let least = max(.zero, request.serverDelay)
      #expect(first - asked >= least || outcome.times.sent.map { $0 > first } ?? false, name)
      if outcome.times.completed != nil { #expect(outcome.delivered == request.size, name) }
    }
  }

  /// A run that stops anywhere and goes on, or whose copy does, is the same run.
  @Test func copiesAndPiecesAreTheRun() {
    for seed in Self.trials {
      let trial = Drawn.trial(seed)
      let whole = trial.run()
      var stream = RandomStream(seed: seed, component: "test", purpose: "pieces")
      var run = TransferRun(trial)
      var target = Instant.start
      for _ in 0..<12 {
        target = target + .milliseconds(Int64(stream.next(below: 700)))
        run.advance(to: target)
        _ = run.report
        var fork = run
        fork.advance(to: .never)
        #expect(fork.report == whole, "\(law(seed)): \(target)")
      }
      run.advance(to: .never)
      #expect(run.report == whole, law(seed))
    }
  }

  /// On an ideal link nobody waits for anybody's server.
  @Test func serverDelayMovesNothingElseOnAnIdealLink() {
    for seed in Self.trials {
      var trial = Drawn.trial(seed)
      trial.tier = .ideal
      trial.changes = []
      trial.plan.flows = [
        TransferPlan.Flow(
          steps: trial.plan.flows.flatMap(\.steps).map { step in
            var alone = TransferPlan.Step(step.request)
            alone.request.serverDelay = min(step.request.serverDelay, .seconds(5))
            return alone
          })
      ]
      let delayed = trial.run().outcomes[0]
      for place in trial.plan.flows[0].steps.indices {
        trial.plan.flows[0].steps[place].request.serverDelay = .zero
      }
      // One after another, each takes its round trip, its server's time, and its body.
      for (request, (slow, fast)) in zip(
        Drawn.trial(seed).plan.flows.flatMap(\.steps).map(\.request),
        zip(delayed, trial.run().outcomes[0]))
      {
        guard let first = slow.times.firstByte, let plain = fast.times.firstByte else {
          Issue.record("\(law(seed)): no first byte")
          continue
        }
        let serverDelay = request.answer == .served ? min(request.serverDelay, .seconds(5)) : .zero
        #expect(
          first - slow.times.opened == plain - fast.times.opened + serverDelay, law(seed))
      }
    }
  }

  /// What only matters as a whole costs an event for each sixteenth, not for each packet.
  ///
  /// The request is an event, the first byte is one, sixteenths are fifteen, and the end is one;
  /// some of them come with the same packet.
  @Test(
    arguments: [
      (0, 2...2), (1, 2...2), (15, 2...2), (16, 2...2), (17, 2...2), (3_000, 3...4),
      (100_000, 17...18), (3_000_000, 18...18),
    ] as [(Int64, ClosedRange<Int>)])
  func wholesCostFewEvents(size: Int64, events: ClosedRange<Int>) {
    var world = World(
      seed: 1, links: [Self.steady], players: [], script: [],
      horizon: .start + .seconds(60))
    world.transport = TransportPolicy()
    world.tier = .packet
    world.traffic = [CrossTraffic(.download(ByteCount(bytes: size)))]
    let once = Simulation.run(of: world).eventCount
    #expect(events.contains(once), "\(size): \(once)")
    world.traffic[0].kind = .poll(ByteCount(bytes: size), every: .seconds(40))
    let twice = Simulation.run(of: world).eventCount
    #expect((once + events.lowerBound...once + events.upperBound).contains(twice), "\(size)")
  }

  /// A player's file is watched packet by packet, for what has arrived of it can be played.
  @Test func filesAreWatchedClosely() {
    let media = Media(
      .progressive, duration: .seconds(24), bitRate: BitRate(bitsPerSecond: 1_000_000))
    var world = World(
      seed: 1, links: [Self.steady], players: [PlayerConfiguration(media: [media])],
      script: [ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0)))],
      horizon: .start + .seconds(60))
    world.transport = TransportPolicy()
    world.tier = .packet
    #expect(Simulation.run(of: world).eventCount > 1_000)
  }

  /// A segment is watched packet by packet where the rule looks at rates; where it does not, only
  /// the first one is, until enough has come for a verdict.
  @Test(arguments: [
    (StartupRule.linearToEnd, 2_000...2_300), (.buffered(start: .zero, resume: .zero), 500...800),
  ])
  func segmentsAreWatchedAsTheRuleNeeds(rule: StartupRule, events: ClosedRange<Int>) {
    let (span, size) = (MediaTime(nanoseconds: 6_000_000_000), ByteCount(bytes: 750_000))
    let variant = StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 1_000_000), list: 0)
    let media = StreamMedia(
      variants: [variant], lists: [SegmentList((0..<4).map { _ in (span, size) })])
    var player = PlayerConfiguration(media: [Media(media)])
    player.keepUp.rule = rule
    var world = World(
      seed: 1, links: [Self.steady], players: [player],
      script: [ScriptStep(.at(.start), .player(0, .replaceCurrentItem(0)))],
      horizon: .start + .seconds(60))
    world.transport = TransportPolicy()
    world.tier = .packet
    let count = Simulation.run(of: world).eventCount
    #expect(events.contains(count), "\(count) events")
  }

  private static let steady: LinkProfile = {
    let direction = LinkDirection(
      LinkTrack(rate: BitRate(bitsPerSecond: 8_000_000), delay: .milliseconds(20)))
    return LinkProfile(down: direction, up: direction)
  }()
}
