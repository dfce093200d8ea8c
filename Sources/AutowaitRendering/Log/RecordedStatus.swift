import Autowait
import AutowaitScenario

/// The status of a player as the records of a run imply it.
///
/// Before iOS 10 no record says it: there was no such property. It then follows from the rate,
/// which is the wish, and the timebase's rate, which is what is being done. A host time until which
/// the time is held is in no record either, and is taken from the step that sets it.
struct RecordedStatus {
  private(set) var value = TimeControlStatus.paused
  /// The host time until which the time of a player that plays is held, also when it is over.
  private(set) var heldUntil: Instant?

  private var heldSince = Instant.start
  private let player: Int
  private let script: [ScriptStep]
  private let isRecorded: Bool
  private let mapsHostTimes: Bool
  private var rate = PlaybackRate.zero
  private var isTimebaseRunning = false
  /// Whether a timebase that stands has something to play: its pipeline is being rebuilt.
  private var hasFrame = false
  private var isRebuilding = false

  init(_ player: Int, _ world: World) {
    let configuration = world.players[player]
    self.player = player
    script = world.script
    isRecorded = configuration.contract.hasAutomaticWaiting
    mapsHostTimes =
      configuration.contract.mapsStreamsToHostTime
      || configuration.media.allSatisfy { $0.streamMedia == nil }
  }

  /// Follows a record, and returns whether the status changed.
  mutating func take(_ record: EventRecord) -> Bool {
    if case .step(let index) = record.event,
      case .player(player, .setRateAtHostTime(_, _, let host?)) = script[index].action
    {
      if mapsHostTimes, host > record.instant { (heldUntil, heldSince) = (host, record.instant) }
      return false
    }
    guard record.player == player else { return false }
    // A call that did not lead to playback holds nothing.
    if value != .playing, record.instant > heldSince { heldUntil = nil }
    let old = value
    switch record.event {
    case .timeControlStatus(let new): value = new
    case .rate(let new): rate = new
    case .timebaseRate(let new, _):
      isRebuilding = new == .zero && isTimebaseRunning && hasFrame
      isTimebaseRunning = new != .zero
    case .isPlaybackBufferEmpty(let isEmpty): hasFrame = !isEmpty
    case .currentItem, .seek: hasFrame = false
    case .seekDidComplete(_, isFinished: true, _): hasFrame = true
    case .exception: heldUntil = nil
    default: return false
    }
    if !isRecorded {
      value =
        rate == .zero
        ? .paused : isTimebaseRunning || isRebuilding ? .playing : .waitingToPlayAtSpecifiedRate
    }
    if value != .playing, value != old { heldUntil = nil }
    return value != old
  }
}

extension Event {
  /// Whether the playhead may be somewhere else behind this event.
  var isJump: Bool {
    switch self {
    case .currentItem, .seek, .timeJumped, .timebaseRate: true
    default: false
    }
  }

  /// Whether what is ahead of the playhead may change in another way than evenly.
  var movesBuffer: Bool {
    switch self {
    case .mediaRequestCompleted, .linkChanged, .readingSuspended, .playbackStalled: true
    default: isJump
    }
  }

  /// Whether pictures must reach as far as this event.
  var isOfInterest: Bool {
    switch self {
    case .started, .finished, .linkRate, .linkChanged, .ruleAnswer: false
    default: true
    }
  }
}

extension PlayerSnapshot {
  /// The media loaded ahead of the playhead, in nanoseconds.
  var aheadOfPlayhead: Int64 { max(0, (loadedEnd - currentTime).nanoseconds) }
}
