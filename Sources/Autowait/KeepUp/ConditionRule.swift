/// A rule as data: what must hold before playback begins, goes on, or begins elsewhere.
///
/// Players other than AVPlayer have two states, ready and buffering. What holds once is held: a
/// player that is ready stays so, whether it plays or is paused, until its buffer starves or the
/// playhead is moved. The conditions of a rule say when a player that is buffering becomes ready.
/// Source: `ExoPlayerImplInternal`, `MediaDecoderStateMachine`, `playloop.c`; see
/// <doc:startup-rules>.
package struct ConditionRule: Hashable, Sendable {
  private struct Parts: Hashable, Sendable {
    let start: BufferConditions
    let resume: BufferConditions
    let afterSeek: BufferConditions
    let checkInterval: TimeSpan?
  }

  /// The parts, in an array of one for the rule to be small where it is copied.
  private let storage: [Parts]

  /// Creates a rule; what is not given is as for the start, and it is looked at continuously.
  package init(
    start: BufferConditions, resume: BufferConditions? = nil,
    afterSeek: BufferConditions? = nil, checkInterval: TimeSpan? = nil
  ) {
    storage = [
      Parts(
        start: start, resume: resume ?? start, afterSeek: afterSeek ?? start,
        checkInterval: checkInterval)
    ]
  }

  /// What must hold before playback begins for the first time.
  package var start: BufferConditions { storage[0].start }
  /// What must hold before playback goes on after a stall.
  package var resume: BufferConditions { storage[0].resume }
  /// What must hold before playback begins where it was sought.
  package var afterSeek: BufferConditions { storage[0].afterSeek }
  /// How often a player that waits after a stall looks at its buffer; nil for continuously.
  ///
  /// The looks count from the stall on. At the start and after a seek players look whenever data
  /// comes (Firefox looks once a second while it is buffering, and nowhere else).
  package var checkInterval: TimeSpan? { storage[0].checkInterval }

  /// Returns what must hold before a player plays that was left without media in some way.
  package func conditions(_ situation: BufferingSituation) -> BufferConditions {
    switch situation {
    case .start: start
    case .resume: resume
    case .afterSeek: afterSeek
    }
  }

  /// Whether the rule looks at how fast media arrives.
  var readsFillRate: Bool {
    asks { $0 == .isKeepingUp || $0.measure?.basis == .fillRate }
  }

  /// Whether the rule looks at what is still to come.
  var readsRemaining: Bool {
    asks { $0 == .isKeepingUp || $0.measure?.basis == .remaining }
  }

  /// Whether the rule looks at how long the player has waited, or only now and then.
  var readsWaiting: Bool {
    checkInterval != nil || asks { $0.measure?.basis == .waiting }
  }

  private func asks(_ isMeant: (BufferCondition) -> Bool) -> Bool {
    [start, resume, afterSeek].contains { conditions in
      conditions.alternatives.contains { $0.contains(where: isMeant) }
    }
  }

  /// Refuses numbers with which no player comes to rest.
  func check() {
    if let checkInterval {
      precondition(
        checkInterval > .zero, "checkInterval must be above 0 s, is \(checkInterval)")
    }
  }
}

/// Why a player has to buffer.
package enum BufferingSituation: UInt8, CaseIterable, Hashable, Sendable {
  /// Playback of the item has not begun.
  case start
  /// The buffer starved while the item played.
  case resume
  /// The playhead was moved after playback had begun.
  case afterSeek
}

/// Conditions of which some must hold together: any of alternatives, each of which is a list.
package struct BufferConditions: Hashable, Sendable {
  /// The alternatives; of one of them all conditions must hold.
  ///
  /// Without an alternative nothing suffices; an alternative without conditions always does.
  package var alternatives: [[BufferCondition]]

  /// Creates conditions of alternatives.
  package init(anyOf alternatives: [[BufferCondition]]) {
    self.alternatives = alternatives
  }

  /// Creates conditions that must all hold.
  package init(allOf conditions: BufferCondition...) {
    alternatives = [conditions]
  }

  /// Nothing must hold but that a frame can be shown.
  package static let none = BufferConditions(anyOf: [[]])
}

/// One thing that a rule as data may ask.
package enum BufferCondition: Hashable, Sendable {
  /// A measure is a value, or more.
  case atLeast(BufferMeasure, Int64)
  /// A measure is less than a value.
  case below(BufferMeasure, Int64)
  /// What is missing arrives in time for the end: the rule that AVFoundation speaks of, with the
  /// window, the margin and the least size of ``KeepUpPolicy``.
  case isKeepingUp
  /// All media up to the end is loaded; playback begins then whatever else is asked.
  case isLoaded
  /// The network is idle, because the buffer is full or a live stream offers nothing more.
  case isNetworkIdle
  /// Not even that: the network is busy.
  case isNetworkBusy

  /// What it measures; nil if that is no number.
  var measure: BufferMeasure? {
    switch self {
    case .atLeast(let measure, _), .below(let measure, _): measure
    case .isKeepingUp, .isLoaded, .isNetworkIdle, .isNetworkBusy: nil
    }
  }
}

/// What a rule as data can measure.
///
/// While a playhead stands and nothing about the link changes, each of them only grows or only
/// shrinks; so the instant at which a condition turns can be found exactly.
package enum BufferMeasure: UInt8, CaseIterable, Hashable, Sendable {
  /// The media loaded without a gap from the playhead on, in nanoseconds of media.
  case buffered
  /// The time in which that media plays at the wished rate, in nanoseconds.
  case playout
  /// The data of that media, in bytes.
  case bufferedBytes
  /// The data still to arrive before the end, in bytes.
  case missingBytes
  /// The media data received for the item, in bytes.
  case receivedBytes
  /// The rate at which the buffer fills, over the window of ``KeepUpPolicy``, in bit/s.
  case fillRate
  /// The time that the player has waited, in nanoseconds.
  case waited
  /// The time that the player has waited, divided by the wished rate, in nanoseconds.
  ///
  /// Firefox counts its patience so: at double speed it waits twice as long.
  case waitedPerSpeed
  /// The wished rate, in millionths.
  case speed
  /// The stalls since playback began or the playhead was moved.
  case stalls

  /// What a measure is read from, and so when it changes.
  enum Basis {
    /// The playhead and what is loaded.
    case buffer
    /// What comes, and the time in which nothing does.
    case fillRate
    /// What is still to come.
    case remaining
    /// The time that the player has waited.
    case waiting
  }

  /// What it is read from, and so when it changes.
  var basis: Basis {
    switch self {
    case .buffered, .playout, .bufferedBytes, .receivedBytes, .speed, .stalls: .buffer
    case .missingBytes: .remaining
    case .fillRate: .fillRate
    case .waited, .waitedPerSpeed: .waiting
    }
  }
}

/// What is known of how a player came to buffer, and for how long it has.
struct BufferingState: Hashable, Sendable {
  /// Why the player buffers, if it does.
  var situation = BufferingSituation.start
  /// Whether the player plays: what it plays needs no judgement.
  var isPlaying = false
  /// Whether the playhead was moved, so that what held says nothing.
  var isMoved = false
  /// Since when the player has waited; never if it does not.
  var waitsSince = Instant.never
  /// The stalls since playback began or the playhead was moved.
  var stalls: Int32 = 0

  /// Takes note that the buffer starved while the player played.
  ///
  /// Chromium's audio renderer asks for more after each of its own underflows, of which one of the
  /// picture is none.
  mutating func stall(isForPicture: Bool = false) {
    situation = .resume
    if !isForPicture { stalls &+= 1 }
  }

  /// Takes note that the playhead was moved.
  mutating func move(hasBegun: Bool, at now: Instant) {
    situation = hasBegun ? .afterSeek : .start
    stalls = 0
    isMoved = true
    if waitsSince != .never { waitsSince = now }
  }

  /// The time that the player has waited by an instant.
  func waited(at instant: Instant) -> TimeSpan {
    waitsSince > instant ? .zero : instant - waitsSince
  }

  /// Returns whether a player that looks in intervals looks at an instant.
  func looks(at instant: Instant, every interval: TimeSpan?) -> Bool {
    guard let interval, situation == .resume, waitsSince != .never else { return true }
    return waited(at: instant).nanoseconds % interval.nanoseconds == 0
  }

  /// Returns the first look not before an instant.
  func nextLook(notBefore instant: Instant, every interval: TimeSpan?) -> Instant {
    guard let interval, situation == .resume, waitsSince != .never else { return instant }
    let over = waited(at: instant).nanoseconds % interval.nanoseconds
    return over == 0 ? instant : instant + TimeSpan(nanoseconds: interval.nanoseconds - over)
  }
}
