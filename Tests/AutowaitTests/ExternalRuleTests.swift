import Autowait
import Testing

/// An external rule is asked by the driver, with all it needs in the question.
@Suite struct ExternalRuleTests {
  static func external(_ world: World) -> World {
    Demo.with(world) { $0.keepUp.rule = .external }
  }

  /// AVFoundation's rule, computed from a question alone.
  private func linear(_ question: RuleQuestion) -> RuleAnswer {
    let left = question.endTime - question.currentTime
    let missing = Int128(question.missing.bytes) * Int128(question.open.nanoseconds)
    let filled = Int128(question.received.bytes) * Int128(left.nanoseconds)
    let speed = Int128(question.rate.millionths.magnitude)
    let holds = question.received > .zero && missing * speed <= filled * 1_000_000
    return RuleAnswer(isLikelyToKeepUp: holds, askAgainAfter: .milliseconds(10))
  }

  /// Runs a world with a driver's rule, and returns it with the questions.
  private func run(
    _ world: World, answer: (RuleQuestion) -> RuleAnswer
  ) -> (Simulation, [RuleQuestion]) {
    var simulation = Simulation(world)
    var questions: [RuleQuestion] = []
    while true {
      switch simulation.step() {
      case .advanced: continue
      case .finished: return (simulation, questions)
      case .needsDecision(let question):
        questions.append(question)
        simulation.answer(answer(question), to: question)
      }
    }
  }

  @Test func linearRuleInTheDriverStartsLikeTheBuiltInOne() throws {
    let world = Demo.world(SimulationDemoTests.playAtFirstFrame)
    let (driven, questions) = run(Self.external(world), answer: linear)
    let start = try #require(driven.starts().first)
    #expect(start >= 6_459_375_000)
    #expect(start < 6_470_000_000)
    #expect(driven.metrics(of: 0).stallCount == 0)
    #expect(questions.map(\.number) == Array(1...questions.count))
    #expect(questions.first?.instant == Instant(nanoseconds: 349_687_500))
  }

  /// The wish comes before there is anything to judge.
  @Test func playerThatWishesBeforeItIsReadyIsAskedWhenItIs() throws {
    let world = Demo.world(Demo.at(0, .play))
    let (driven, questions) = run(Self.external(world), answer: linear)
    #expect(questions.count > 0)
    let start = try #require(driven.starts().first)
    #expect(start >= 6_459_375_000)
    #expect(start < 6_720_000_000)
  }

  @Test func questionHoldsItsContext() throws {
    let world = Demo.world(Demo.at(seconds: 2, .setRate(PlaybackRate(millionths: 1_500_000))))
    let (_, questions) = run(Self.external(world)) { _ in RuleAnswer(isLikelyToKeepUp: true) }
    let question = try #require(questions.first { $0.instant == Demo.seconds(2) })
    #expect(question.player == 0)
    #expect(question.rate.millionths == 1_500_000)
    #expect(!question.hasPlayed)
    #expect(question.currentTime == .zero)
    #expect(question.loadedEnd.nanoseconds == 1_715_817_694)
    #expect(question.endTime == .seconds(39))
    #expect(question.received.bytes == 800_000)
    #expect(question.open == .seconds(2))
    #expect(question.missing.bytes == 18_183_750 - 800_000)
  }

  @Test func openQuestionBlocks() throws {
    var simulation = Simulation(Self.external(Demo.world(Demo.at(seconds: 2, .play))))
    var step = simulation.run()
    while case .needsDecision(let question) = step, question.instant < Demo.seconds(2) {
      simulation.answer(RuleAnswer(isLikelyToKeepUp: false), to: question)
      step = simulation.run()
    }
    guard case .needsDecision(let question) = step else {
      Issue.record("no question was asked")
      return
    }
    let (fingerprint, count) = (simulation.fingerprint, simulation.eventCount)
    #expect(simulation.step() == step)
    #expect(simulation.run() == step)
    #expect(simulation.advance(to: Demo.seconds(100)) == step)
    #expect(simulation.fingerprint == fingerprint)
    #expect(simulation.eventCount == count)
    #expect(simulation.now == question.instant)
  }

  /// A fork meets the same question, and its other answer leads elsewhere.
  @Test func forkMayAskAgain() throws {
    var simulation = Simulation(Self.external(Demo.world(SimulationDemoTests.playAtFirstFrame)))
    var step = simulation.run()
    while case .needsDecision(let question) = step,
      question.instant < Instant(nanoseconds: 349_687_500)
    {
      simulation.answer(RuleAnswer(isLikelyToKeepUp: false), to: question)
      step = simulation.run()
    }
    guard case .needsDecision(let question) = step else {
      Issue.record("no question was asked")
      return
    }
    var (patient, impatient) = (simulation, simulation)
    #expect(impatient.step() == step)
    patient.answer(
      RuleAnswer(isLikelyToKeepUp: false, askAgainAfter: .seconds(9)), to: question)
    impatient.answer(RuleAnswer(isLikelyToKeepUp: true), to: question)
    _ = patient.advance(to: Demo.seconds(1))
    _ = impatient.advance(to: Instant(nanoseconds: 400_000_000))
    #expect(patient.snapshot(of: 0).reasonForWaitingToPlay == .toMinimizeStalls)
    #expect(impatient.snapshot(of: 0).timeControlStatus == .playing)
    #expect(simulation.step() == step)
  }

  @Test func askingEndsWithTheDownload() {
    let (driven, questions) = run(
      Self.external(Demo.world(Demo.at(seconds: 2, .play), on: Demo.fast)), answer: linear)
    #expect(driven.finishReason == .settled)
    #expect(driven.now == Demo.seconds(41))
    #expect(questions.filter { $0.missing.bytes == 0 }.count <= 1)
  }

  @Test func answerToAnotherQuestionTraps() async {
    await #expect(processExitsWith: .failure) {
      var simulation = Simulation(
        ExternalRuleTests.external(Demo.world(Demo.at(seconds: 2, .play))))
      guard case .needsDecision(let question) = simulation.run() else { return }
      simulation.answer(RuleAnswer(isLikelyToKeepUp: false), to: question)
      simulation.answer(RuleAnswer(isLikelyToKeepUp: false), to: question)
    }
  }
}

/// A run that runs away ends with a finding.
@Suite struct RunawayTests {
  @Test(arguments: [0, 1, 2, 6])
  func boundOnEventsEndsTheRun(_ bound: Int) {
    var world = Demo.world(Demo.at(0, .play))
    world.eventsMax = bound
    let run = Simulation.run(of: world)
    #expect(run.finishReason == .eventLimit)
    #expect(run.eventCount == bound + 1)
    #expect(run.log.records.last?.event == .finished(.eventLimit))
  }

  @Test func aRunOfExactlyTheBoundIsWhole() {
    var world = Demo.world(Demo.at(0, .play))
    world.eventsMax = Simulation.run(of: world).eventCount
    #expect(Simulation.run(of: world).finishReason == .settled)
    world.eventsMax -= 1
    #expect(Simulation.run(of: world).finishReason == .eventLimit)
  }

  @Test func finishedRunStaysFinished() {
    var run = Simulation.run(of: Demo.world(Demo.at(0, .play)))
    let fingerprint = run.fingerprint
    #expect(run.step() == .finished(.settled))
    #expect(run.run() == .finished(.settled))
    // A run that has settled may be watched further, and that changes nothing.
    #expect(run.advance(to: Demo.seconds(600)) == .advanced)
    #expect(run.now == Demo.seconds(600))
    #expect(run.fingerprint == fingerprint)
    #expect(run.run() == .finished(.settled))
    #expect(run.fingerprint == fingerprint)

    var short = Simulation.run(of: Demo.world(Demo.at(0, .play), horizon: 20))
    #expect(short.run() == .finished(.horizon))
    #expect(short.advance(to: Demo.seconds(600)) == .finished(.horizon))
    #expect(short.now == Demo.seconds(20))
  }
}
