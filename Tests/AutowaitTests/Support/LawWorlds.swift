import Autowait
import AutowaitScenario
import AutowaitWorlds
import Foundation
import Testing

/// The worlds that laws are held against: those of the net, of which a law says what it needs.
enum LawWorlds {
  /// The one world that is asked for.
  private static let only = ProcessInfo.processInfo.environment["AUTOWAIT_WORLD"].flatMap {
    UInt64($0)
  }

  /// The numbers of a law's worlds: a third of a few in a debug build, and many in a release build.
  ///
  /// With `AUTOWAIT_WORLD=17` in the environment it is 17 alone.
  static func numbers(_ few: UInt64, release many: UInt64? = nil) -> Range<UInt64> {
    if let only { return only..<only + 1 }
    #if DEBUG
    return 0..<(few + 2) / 3
    #else
    return 0..<(many ?? few)
    #endif
  }

  /// As ``numbers(_:release:)``, cut into pieces.
  static func batches(
    _ few: UInt64, release many: UInt64, of size: UInt64
  ) -> [Range<UInt64>] {
    let numbers = numbers(few, release: many)
    return stride(from: numbers.lowerBound, to: numbers.upperBound, by: Int(size)).map {
      $0..<min($0 + size, numbers.upperBound)
    }
  }

  /// Ideal links, and any rule that needs no program: what most laws ask for.
  static let ideal = WorldShape(.ideal, rule: .builtIn)

  /// The first worlds on ideal links, which many laws share.
  private static let first = (0..<300 as Range<UInt64>).map { draw($0, ideal) }

  /// The world of a number.
  static func world(_ number: UInt64, _ shape: WorldShape = ideal) -> World {
    shape == ideal && number < 300 ? first[Int(number)] : draw(number, shape)
  }

  private static func draw(_ number: UInt64, _ shape: WorldShape) -> World {
    var world = DrawnWorld.valid(number, of: shape).scenario.world
    // A law's run shall end by itself.
    world.eventsMax = 2_000_000
    return world
  }
}

extension LawWorlds {
  /// Runs a world as fast as it goes, and event by event: no record and no metric may differ.
  static func expectSameRun(
    _ world: World, _ law: Comment, _ sourceLocation: SourceLocation
  ) -> EventRecords {
    var (fast, plain) = (Simulation(world), Simulation(world, pace: .eventByEvent))
    _ = fast.run()
    _ = plain.run()
    let difference = zip(fast.log.records, plain.log.records).first { $0 != $1 }
    #expect(difference == nil, law, sourceLocation: sourceLocation)
    #expect(fast.fingerprint == plain.fingerprint, law, sourceLocation: sourceLocation)
    for index in world.players.indices {
      #expect(
        fast.metrics(of: index) == plain.metrics(of: index), law, sourceLocation: sourceLocation)
    }
    return plain.log.records
  }
}

/// Names the law that does not hold, its world, and what runs that world again alone.
func law(
  _ world: UInt64, _ test: String = #function, file: String = #fileID
) -> Comment {
  let suite = file.split(separator: "/").last?.split(separator: ".").first ?? ""
  let name = "\(suite)/\(test.prefix { $0 != "(" })"
  return """
    law \(name) does not hold in world \(world); \
    again: AUTOWAIT_WORLD=\(world) swift test --filter \(name)
    """
}

extension World {
  /// Keeps of the steps at times and with conditions those that pass, and none that follow others.
  mutating func keepSteps(_ isKept: (ScriptStep) -> Bool) {
    script.removeAll { step in
      switch step.trigger {
      case .at, .when: !isKept(step)
      case .on, .after, .every: true
      }
    }
  }

  /// Keeps of the calls to players those that a law allows.
  mutating func keepCalls(_ isAllowed: (PlayerAction) -> Bool) {
    keepSteps { step in
      if case .player(_, let action) = step.action { isAllowed(action) } else { true }
    }
  }

  /// Keeps of the links what they carry, without what happens to them.
  mutating func keepTracks() {
    links = links.map { LinkProfile($0.down.track) }
    linkChanges = []
    keepSteps { if case .useLink = $0.action { false } else { true } }
  }
}
