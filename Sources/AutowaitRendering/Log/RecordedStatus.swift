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
    switch record.event.topic {
    case .playback(.timeControlStatus(let new)): value = new
    case .playback(.rate(let new)): rate = new
    case .playback(.timebaseRate(let new, _)):
      isRebuilding = new == .zero && isTimebaseRunning && hasFrame
      isTimebaseRunning = new != .zero
    case .buffer(.isEmpty(let isEmpty)): hasFrame = !isEmpty
    case .playback(.currentItem), .playback(.seek): hasFrame = false
    case .playback(.seekDidComplete(isFinished: true, _)): hasFrame = true
    case .playback(.exception): heldUntil = nil
    case .playback(.itemStatus), .playback(.reasonForWaitingToPlay), .playback(.timeJumped),
      .playback(.stalled), .playback(.didPlayToEndTime), .playback(.seekDidComplete),
      .playback(.pictureFrozen), .buffer, .world, .request, .variant, .queue, .setting, .notice:
      return false
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
    guard case .playback(let news) = topic else { return false }
    return switch news {
    case .currentItem, .seek, .timeJumped, .timebaseRate: true
    case .itemStatus, .rate, .reasonForWaitingToPlay, .timeControlStatus, .stalled,
      .didPlayToEndTime, .seekDidComplete, .pictureFrozen, .exception:
      false
    }
  }

  /// Whether what is ahead of the playhead may change in another way than evenly.
  var movesBuffer: Bool {
    switch topic {
    case .request(_, .completed), .request(_, .reading), .world(.linkChanged),
      .playback(.stalled):
      true
    case .playback: isJump
    case .request(_, .asked), .request(_, .phase), .request(_, .response),
      .request(_, .cancelled), .request(_, .failed), .request(_, .discarded),
      .request(_, .errorLogged), .world(.started), .world(.step), .world(.finished),
      .world(.linkRate), .variant, .buffer, .queue, .setting, .notice:
      false
    }
  }

  /// Whether pictures must reach as far as this event.
  var isOfInterest: Bool {
    switch topic {
    case .world(.started), .world(.finished), .world(.linkRate), .world(.linkChanged),
      .buffer(.ruleAnswer):
      false
    case .world(.step), .request, .variant, .playback, .queue, .setting, .notice,
      .buffer(.loadedTimeRange), .buffer(.isEmpty), .buffer(.isFull), .buffer(.isLikelyToKeepUp):
      true
    }
  }
}

extension PlayerSnapshot {
  /// The media loaded ahead of the playhead, in nanoseconds.
  var aheadOfPlayhead: Int64 { max(0, (loadedEnd - currentTime).nanoseconds) }
}
