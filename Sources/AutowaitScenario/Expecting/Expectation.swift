import Autowait

/// Something that a scenario expects of its run.
public struct Expectation: Sendable {
  /// What is expected.
  package enum Kind: Sendable {
    /// Properties of a player at an instant, after all that happens at that instant.
    case snapshot(at: Instant, StatePattern)
    /// Properties of a player at the instant of an event, the nth of its kind, after all that
    /// happens at that instant.
    case snapshotAtEvent(EventPattern, number: Int, StatePattern)
    /// Something that must not happen, or not hold after any event.
    case never(Pattern)
    /// What must hold after every event from the first step of the script on.
    case always(StatePattern)
    /// Something that must happen, or hold after an event: by a time, so many times.
    case eventually(Pattern, within: Instant?, count: Int?)
    /// Events that must happen in this order; others may lie between.
    case sequence([EventPattern])
    /// Bounds on a metric of a player.
    case metric(Metric, player: Int, [Bound])
    /// How the run must end.
    case finish(FinishReason)

    /// The metric that is asked for; nil for anything else.
    package var metric: Metric? { if case .metric(let metric, _, _) = self { metric } else { nil } }
  }

  /// What follows if an expectation is not met.
  package enum Level: String, CaseIterable, Sendable {
    /// The run fails.
    case error
    /// The user is told.
    case warn
  }

  /// What is expected.
  package var kind: Kind
  /// What follows if it is not met.
  package var level = Level.error
  /// The expectation as it is spelled in the file, in one line.
  public var text: String
  /// The line of the file on which it begins.
  public var line: Int
  /// Why no run of this world can meet it; nil if one can.
  package var impossible: String?
}

/// A comparison with a number: nanoseconds, things, or millionths.
package struct Bound: Hashable, Sendable {
  /// How the observed value is compared.
  package var comparison: Condition.Comparison
  /// What it is compared with.
  package var limit: Int64

  /// Creates a bound.
  package init(comparison: Condition.Comparison, limit: Int64) {
    (self.comparison, self.limit) = (comparison, limit)
  }
}

/// What an expectation looks for.
package enum Pattern: Sendable {
  /// An event.
  case event(EventPattern)
  /// Properties that hold together.
  case state(StatePattern)
}

/// Properties of a player that hold together.
package struct StatePattern: Sendable {
  /// One property and what it is compared with.
  package struct Test: Hashable, Sendable {
    /// The property.
    package var property: Property
    /// How it is compared.
    package var comparison: Condition.Comparison
    /// What it is compared with.
    package var expected: PropertyValue
  }

  /// The number of the player.
  package var player: Int
  /// The properties.
  package var tests: [Test]
  /// How far times may be off and still count as equal.
  package var tolerance: TimeSpan

  /// Returns whether all tests hold in a snapshot.
  package func holds(in snapshot: PlayerSnapshot) -> Bool {
    tests.allSatisfy { test in
      test.property.value(in: snapshot)
        .satisfies(test.comparison, test.expected, tolerance: tolerance)
    }
  }
}

/// An event by its name, and as far as they are given by its value, time and player.
package struct EventPattern: Sendable {
  /// The name.
  package var name: String
  /// The value that the event announces.
  package var value: PropertyValue?
  /// When it happens.
  package var instant: Instant?
  /// The player, by number.
  package var player: Int?
  /// How far times may be off and still count as equal.
  package var tolerance: TimeSpan
  /// In a sequence: how long after the event before it, or after the start of the run.
  package var gap: [Bound] = []

  /// Returns whether a record is such an event.
  package func matches(_ record: EventRecord) -> Bool {
    guard name == "\(record.event.name)" else { return false }
    if let player, record.player != player { return false }
    if let instant, (record.instant - instant).nanoseconds.magnitude > tolerance.nanoseconds {
      return false
    }
    guard let value else { return true }
    return record.event.announced?.satisfies(.equal, value, tolerance: tolerance) ?? false
  }
}

/// What became of an expectation.
public struct Outcome: Sendable, CustomStringConvertible {
  /// What was observed.
  package enum Observation: Sendable {
    /// The properties, each with its value and whether its test held.
    case properties([(test: StatePattern.Test, observed: PropertyValue, holds: Bool)])
    /// The first record that decided the matter, or none, and how many matched; the first one that
    /// would have, at another time, if none did.
    case records(first: EventRecord?, count: Int)
    /// The instant at which a pattern of properties decided the matter, or none.
    case instant(Instant?)
    /// The value of a metric; nil where nothing was measured.
    case metric(MetricValue?)
    /// How many events of a sequence were met, in order.
    case sequence(met: Int)
    /// How the run ended.
    case finish(FinishReason)
    /// The run ended before the instant that was to be looked at.
    case ended(Instant)
  }

  /// The expectation.
  public let expectation: Expectation
  /// Whether it was met.
  public let isMet: Bool
  /// What was observed.
  package let observation: Observation

  /// The expectation, and whether it was met.
  public var description: String {
    "\(isMet ? "met" : "not met"), line \(expectation.line): \(expectation.text)"
  }
}
