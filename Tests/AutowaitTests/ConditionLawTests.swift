import Autowait
import AutowaitWorlds
import Testing

/// Rules as data keep the laws of all runs, and begin where their conditions first hold.
@Suite struct ConditionLawTests {
  static let worlds = LawWorlds.numbers(50, release: 2_000)

  private static func world(_ seed: UInt64) -> World {
    let shapes = [
      WorldShape(.ideal, .stream, rule: .conditions), WorldShape(.fluid, rule: .conditions),
      WorldShape(.ideal, .file, rule: .conditions), WorldShape(.ideal, .live, rule: .conditions),
    ]
    return LawWorlds.world(seed, shapes[Int(seed % 4)])
  }

  /// A run that is watched in small pieces, and one that forks, is the run.
  @Test(arguments: worlds)
  func lookingChangesNothing(_ seed: UInt64) {
    let world = Self.world(seed)
    var whole = Simulation(world)
    _ = whole.run()
    var stream = RandomStream(seed: seed, component: "test", purpose: "looks")
    var pieces = Simulation(world)
    var target: Int64 = 0
    while target < world.horizon.nanoseconds, pieces.finishReason == nil {
      target += Int64(stream.next(below: 700_000_000))
      _ = pieces.advance(to: Instant(nanoseconds: target))
      _ = pieces.snapshot(of: 0)
      if stream.next(below: 8) == 0 {
        var fork = pieces
        _ = fork.run()
        #expect(fork.fingerprint == whole.fingerprint, law(seed))
      }
    }
    _ = pieces.run()
    #expect(pieces.fingerprint == whole.fingerprint, law(seed))
    #expect(pieces.eventCount == whole.eventCount, law(seed))
    #expect(
      Simulation.run(of: world, keepsRecords: false).fingerprint == whole.fingerprint, law(seed))
  }

  /// A player that plays is not empty, and one whose item is ready has a verdict at once: without
  /// seeks it waits for nothing but its rule.
  @Test(arguments: worlds)
  func waitsAreForTheRule(_ seed: UInt64) {
    var world = LawWorlds.world(seed, WorldShape(.ideal, .file, rule: .conditions))
    world.keepCalls { action in
      switch action {
      case .replaceCurrentItem(0), .play, .pause, .playImmediately, .setRate,
        .set(.automaticallyWaitsToMinimizeStalling), .set(.actionAtItemEnd):
        true
      default: false
      }
    }
    for player in world.players.indices { world.players[player].pipeline = nil }
    let asked = world.players.indices.filter {
      if case .conditions = world.players[$0].keepUp.rule { true } else { false }
    }
    var run = Simulation(world)
    while run.step() == .advanced {
      for player in asked {
        let snapshot = run.snapshot(of: player)
        if snapshot.timeControlStatus == .playing, snapshot.actionAtItemEnd == .pause {
          #expect(!snapshot.isPlaybackBufferEmpty, law(seed))
        }
        if snapshot.reasonForWaitingToPlay == .evaluatingBufferingRate {
          #expect(snapshot.status == .unknown, law(seed))
        }
      }
    }
  }

  /// Without a change of the link, a rule of data and times starts at the least of the instants
  /// at which one of its measures turns and all holds: found here by trying them all.
  @Test(arguments: LawWorlds.numbers(400))
  func startsAreTheFirst(_ seed: UInt64) {
    var draw = RandomStream(seed: seed, component: "test", purpose: "conditions")
    func number(_ below: UInt64) -> Int64 { Int64(draw.next(below: below)) }
    let rate = 100_000 + number(8_000_000)
    let alternatives = (0..<1 + number(3)).map { _ in
      (0..<1 + number(3)).map { _ in
        let isLeast = number(3) > 0
        let (measure, value): (BufferMeasure, Int64) =
          switch number(5) {
          case 0: (.buffered, number(9_000_000_000))
          case 1: (.bufferedBytes, number(4_000_000))
          case 2: (.receivedBytes, number(4_000_000))
          case 3: (.missingBytes, 14_000_000 + number(4_000_000))
          default: (.waited, number(9_000_000_000))
          }
        return isLeast ? BufferCondition.atLeast(measure, value) : .below(measure, value)
      }
    }
    let rule = ConditionRule(start: BufferConditions(anyOf: alternatives))
    let play = number(3_000_000_000)
    let world = Demo.with(
      Demo.world(
        Demo.at(play, .play), on: LinkTrack(rate: BitRate(bitsPerSecond: rate)), horizon: 3_000)
    ) { $0.keepUp.rule = .conditions(rule) }
    let simulation = Simulation.run(of: world)
    let model = Model(rate: rate, play: play)
    #expect(
      simulation.starts().first == model.start(alternatives), "\(law(seed)): \(alternatives)")
  }

  /// The demo's movie on a link of one rate, as whole numbers.
  private struct Model {
    let rate: Int64
    let play: Int64
    private let media: Int64 = 3_730_000
    private let size: Int64 = 18_183_750 * 8_000_000_000 / 1_000_000_000

    init(rate: Int64, play: Int64) { (self.rate, self.play) = (rate, play) }

    private func reaches(_ measure: BufferMeasure, _ value: Int64, _ instant: Int64) -> Bool {
      let loaded = Int128(rate) * Int128(instant)
      let bytes = Int128(value) * 8_000_000_000
      switch measure {
      case .buffered: return loaded >= Int128(media) * Int128(value)
      case .bufferedBytes, .receivedBytes: return loaded >= bytes
      case .missingBytes: return Int128(size) * 1_000_000_000 - loaded >= bytes
      default: return max(0, instant - play) >= value
      }
    }

    /// The instants around which a measure may turn.
    private func turns(_ measure: BufferMeasure, _ value: Int64) -> [Int64] {
      let bytes = Int128(value) * 8_000_000_000
      let turn: Int128 =
        switch measure {
        case .buffered: Int128(media) * Int128(value) / Int128(rate)
        case .bufferedBytes, .receivedBytes: bytes / Int128(rate)
        case .missingBytes: (Int128(size) * 1_000_000_000 - bytes) / Int128(rate)
        default: Int128(play + value)
        }
      return (-2...2).map { Int64(turn) + $0 }
    }

    func start(_ alternatives: [[BufferCondition]]) -> Int64? {
      let frame = (media * 40_000_000 + rate - 1) / rate
      let all = Int64((Int128(size) * 1_000_000_000 + Int128(rate) - 1) / Int128(rate))
      var candidates = [max(play, frame), max(play, all)]
      for condition in alternatives.joined() {
        switch condition {
        case .atLeast(let measure, let value), .below(let measure, let value):
          candidates += turns(measure, value)
        default: break
        }
      }
      return candidates.sorted().first { instant in
        guard instant >= play, instant >= frame else { return false }
        return instant >= all
          || holds(alternatives, instant)
          // What held while the player was paused is held.
          || wasReady(alternatives, candidates, before: instant, from: frame)
      }
    }

    private func wasReady(
      _ alternatives: [[BufferCondition]], _ candidates: [Int64], before instant: Int64,
      from frame: Int64
    ) -> Bool {
      candidates.contains { $0 >= frame && $0 < instant && holds(alternatives, $0) }
    }

    private func holds(_ alternatives: [[BufferCondition]], _ instant: Int64) -> Bool {
      alternatives.contains { alternative in
        alternative.allSatisfy { condition in
          switch condition {
          case .atLeast(let measure, let value): reaches(measure, value, instant)
          case .below(let measure, let value): !reaches(measure, value, instant)
          default: false
          }
        }
      }
    }
  }
}
