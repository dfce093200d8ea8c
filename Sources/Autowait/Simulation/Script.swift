/// A step of the script: when it is due, and what is done then.
package struct ScriptStep: Hashable, Sendable {
  /// When a step is due.
  package enum Trigger: Hashable, Sendable {
    /// At an instant, in the order of the script.
    case at(Instant)
    /// At the first instant at which a condition holds, once all steps before it are done.
    case when(Condition)
    /// After events that happen, whatever other steps wait for.
    case on(Reaction)
    /// So long after each time that a step before it, counted from zero, is done.
    case after(Int, TimeSpan)
    /// At an instant, and again in intervals, a number of times or without end.
    case every(TimeSpan, from: Instant, count: Int?)
  }

  /// What a step does about events.
  package struct Reaction: Hashable, Sendable {
    /// The events.
    package var events: EventFilter
    /// How many of them pass before the first one to which it reacts.
    package var skipped = 0
    /// To how many it reacts; nil for all.
    package var count: Int? = 1
    /// How long after the event the step is due.
    package var delay = TimeSpan.zero

    /// Creates the reaction to the first of some events.
    package init(to events: EventFilter) { self.events = events }
  }

  /// When the step is due.
  package var trigger: Trigger
  /// What is done.
  package var action: ScriptAction

  /// Creates a step.
  package init(_ trigger: Trigger, _ action: ScriptAction) {
    self.trigger = trigger
    self.action = action
  }
}

/// What a step of the script does.
package enum ScriptAction: Hashable, Sendable {
  /// A call to a player.
  case player(Int, PlayerAction)
  /// The link's condition becomes another of the world's links.
  case useLink(track: Int)
  /// What others ask of the network stands still, or goes on.
  case suspendTraffic(Bool)
}

/// A condition on a player: all of its tests hold.
package struct Condition: Hashable, Sendable {
  /// One test: a property, a comparison, a value.
  package struct Test: Hashable, Sendable {
    /// What is tested.
    package var property: Property
    /// How it is compared.
    package var comparison: Comparison
    /// What it is compared with, in the property's own unit.
    package var value: Int64

    /// Creates a test.
    package init(_ property: Property, _ comparison: Comparison, _ value: Int64) {
      self.property = property
      self.comparison = comparison
      self.value = value
    }
  }

  /// A property that can be tested; flags are 0 or 1, times are nanoseconds.
  package enum Property: UInt8, CaseIterable, Hashable, Sendable {
    /// The end of what is loaded without a gap from the playhead on.
    case loaded
    /// The media loaded ahead of the playhead.
    case bufferedAhead
    /// The playhead.
    case currentTime
    /// `isPlaybackLikelyToKeepUp`.
    case isPlaybackLikelyToKeepUp
    /// `isPlaybackBufferFull`.
    case isPlaybackBufferFull
    /// `isPlaybackBufferEmpty`.
    case isPlaybackBufferEmpty
    /// `timeControlStatus`, by its number; −1 before iOS 10, which has no such property.
    case timeControlStatus
    /// `reasonForWaitingToPlay`, by its number; −1 for nil.
    case reasonForWaitingToPlay
    /// The item's `status`, by its number; −1 without an item.
    case status
    /// The number of stalls so far.
    case stallCount
    /// The number of times that the item has played to its end.
    case playedToEndCount
    /// The number of the variant whose segment came last; −1 without one.
    case variant
    /// That variant's peak rate in bit/s; −1 without one.
    case indicatedBitrate
    /// The number of entries of the error log so far.
    case errorCount
    /// How far the playhead is behind the programme of a live stream; without one no test holds.
    case offsetFromLive

    /// Whether the property changes between events.
    package var isContinuous: Bool {
      switch self {
      case .loaded, .bufferedAhead, .currentTime, .offsetFromLive: true
      case .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull, .isPlaybackBufferEmpty,
        .timeControlStatus, .reasonForWaitingToPlay, .status, .stallCount, .playedToEndCount,
        .variant, .indicatedBitrate, .errorCount:
        false
      }
    }
  }

  /// How a property is compared with a value.
  package enum Comparison: UInt8, CaseIterable, Hashable, Sendable {
    /// Equal.
    case equal
    /// Not equal.
    case notEqual
    /// Less.
    case less
    /// Less or equal.
    case atMost
    /// Greater.
    case greater
    /// Greater or equal.
    case atLeast

    /// Returns whether the comparison holds.
    package func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
      switch self {
      case .equal: left == right
      case .notEqual: left != right
      case .less: left < right
      case .atMost: left <= right
      case .greater: left > right
      case .atLeast: left >= right
      }
    }
  }

  /// The player that is looked at.
  package var player: Int
  /// The tests, all of which must hold.
  package var tests: [Test]

  /// Creates a condition on a player.
  package init(player: Int = 0, _ tests: [Test]) {
    self.player = player
    self.tests = tests
  }
}
