import Autowait
import AutowaitScenario

/// What all pictures of a run have in common, in letters or drawn.
extension RunResult {
  /// The least time that is shown after the last event.
  private static let quietMin = TimeSpan.seconds(5)

  /// Returns from when on nothing happens until the end of the run, so that a picture may leave
  /// most of it out; nil if players play to the end, or if the rest is short.
  ///
  /// Before that a quarter of the time until the last event is shown, or a little if there were
  /// none: enough to see that it goes on as it is.
  func quietSince(_ histories: [PlayerHistory]) -> Instant? {
    if finish != .settled, histories.contains(where: \.isPlaying) { return nil }
    let last = records.last { $0.event.isOfInterest }?.instant ?? .start
    let shown = TimeSpan(nanoseconds: (last - .start).nanoseconds / 4)
    let quiet = last + max(Self.quietMin, shown)
    // What is left out must be worth a break in the picture.
    return (end - quiet).nanoseconds > (quiet - .start).nanoseconds / 2 ? quiet : nil
  }

  /// Returns the records at whose instants a picture looks at the run: all of them, or of more
  /// than a number an even choice of those that may move the buffer.
  func records(max: Int) -> [EventRecord] {
    if records.count <= max { return Array(records) }
    let step = records.count(where: \.event.movesBuffer) / max + 1
    var (chosen, place): ([EventRecord], Int) = ([], 0)
    for record in records where record.event.movesBuffer {
      if place.isMultiple(of: step) { chosen.append(record) }
      place += 1
    }
    return chosen
  }

  /// Returns the instants of the run that are among some, ascending, each once.
  func distinct(_ instants: [Instant]) -> [Instant] {
    Set(instants.filter { $0 <= end }).sorted()
  }

  /// The times in which the link is known to have been down.
  var outages: [(start: Instant, end: Instant)] {
    var outages: [(start: Instant, end: Instant)] = []
    let first = scenario.world.links[0].shown.down.track.samples[0].rate
    var start: Instant? = first == .zero ? .start : nil
    for record in records {
      let rate: BitRate
      switch record.event {
      case .linkRate(let new), .linkChanged(_, let new): rate = new
      default: continue
      }
      if rate == .zero {
        start = start ?? record.instant
      } else if let began = start {
        outages.append((began, record.instant))
        start = nil
      }
    }
    if let start { outages.append((start, end)) }
    return outages
  }
}

/// The status of a player as the records of a run imply it.
///
/// Before iOS 10 no record says it: there was no such property. It then follows from the rate, which
/// is the wish, and the timebase's rate, which is what is being done. A host time until which the
/// time is held is in no record either, and is taken from the step that sets it.
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
