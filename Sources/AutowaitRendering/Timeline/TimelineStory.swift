import Autowait
import AutowaitScenario

/// Follows a player through its records and tells each instant of it in one line.
struct PlayerStory {
  /// Whether changes of flags are told that change nothing, because the player plays.
  var tellsFlagsWhilePlaying = true
  /// The numbers of the records of flags that led up to stalls, which are told in any case.
  var nearStalls: Set<Int> = []

  let player: Int
  let scenario: Scenario
  private var recorded: RecordedStatus
  private var reason: WaitingReason?
  private var rate = PlaybackRate.zero
  private var isLikely = false
  private var isFull = false
  private var hasBeenFull = false
  private var item: Int?
  private var isReady = false
  private var isAtEnd = false
  private var playhead = MediaTime.zero
  private var ranges: [LoadedTimeRange] = []
  private var waitsAutomatically: Bool
  private var stall = RecordedStall()
  /// What keeps items from following the ones before them without a gap.
  private var mismatches: [Int: JoinTrait] = [:]
  private var seekSince: (instant: Instant, target: MediaTime)?

  init(_ player: Int, _ scenario: Scenario) {
    self.player = player
    self.scenario = scenario
    let configuration = scenario.world.players[player]
    recorded = RecordedStatus(player, scenario.world)
    waitsAutomatically =
      configuration.waitsByItem
      ? configuration.media.contains { $0.streamMedia != nil } : configuration.waitsAtFirst
  }

  private var status: TimeControlStatus { recorded.value }

  /// What the records of one instant say of the player.
  private struct StoryMoment {
    let instant: Instant
    var steps: [(step: ScriptStep, name: String)] = []
    var hasStatus = false
    var hasReason = false
    var hasRate = false
    var hasRanges = false
    var likely: Bool?
    var full: Bool?
    /// Whether a flag changed before a stall or for the first time.
    var isFlagTold = false
    var changes = 0
    var stalled = false
    var ended = false
    var ready = false
    var failed = false
    var isStanding = false
    var hasJumped = false
    var exceptions: [PlaybackException] = []
    var seeks: [MediaTime] = []
    var seekDone: (isFinished: Bool, isInBuffer: Bool)?
    var preroll: Bool?
    var rateReason: RateChangeReason?
    var wasStalledSince: Instant?
    var soughtSince: (instant: Instant, target: MediaTime)?
    var wasPlaying = false
    /// What the way to the first byte of a response took.
    var phases: [String] = []
    var failure: TransferFailure?
    /// Whether another item, or none, became the current one.
    var hasOtherItem = false
    /// Whether the timebase runs since then.
    var runs = false
    /// The items that left the queue, and what the looper says of itself.
    var removed: [Int] = []
    var looper: LooperStatus?
    /// An item that will not follow without a gap.
    var notGapless: Int?
  }

  /// Tells an instant, in a line or none, or in several if things happened before a step was done.
  mutating func tell(_ records: ArraySlice<EventRecord>) -> [TimelineEvents.StoryLine] {
    var lines: [TimelineEvents.StoryLine] = []
    var start = records.startIndex
    var hasOutcome = false
    for index in records.indices {
      if hasOutcome, isOwnStep(records[index].event) {
        // A step has nothing to do with what was recorded before it.
        if let line = line(records[start..<index]) { lines.append(line) }
        start = index
        hasOutcome = false
      }
      if records[index].player == player, records[index].event.isOutcome { hasOutcome = true }
    }
    if let line = line(records[start...]) { lines.append(line) }
    return lines
  }

  private func isOwnStep(_ event: Event) -> Bool {
    guard case .step(let index) = event,
      case .player(player, _) = scenario.world.script[index].action
    else { return false }
    return true
  }

  private mutating func line(_ records: ArraySlice<EventRecord>) -> TimelineEvents.StoryLine? {
    guard let instant = records.first?.instant else { return nil }
    var moment = StoryMoment(instant: instant)
    moment.wasStalledSince = stall.start
    moment.soughtSince = seekSince
    moment.wasPlaying = status == .playing
    for record in records {
      if recorded.take(record) { moment.hasStatus = true }
      if case .step(let index) = record.event {
        let step = scenario.world.script[index]
        if case .player(player, _) = step.action {
          moment.steps.append((step, scenario.stepNames[index]))
        }
      } else if record.player == player {
        if nearStalls.contains(record.number) { moment.isFlagTold = true }
        _ = stall.take(record)
        if record.event.isChange { moment.changes += 1 }
        take(record.event, &moment)
      }
    }
    guard let outcome = outcome(moment) ?? stepAlone(moment) else { return nil }
    let words = moment.steps.map { word($0.step.action, $0.name) }
    var what = words.joined(separator: ", ")
    // "pause" says that the player is "paused".
    if !outcome.what.isEmpty, words.last.map({ $0 + "d" }) != outcome.what {
      what += (what.isEmpty ? "" : " → ") + outcome.what
    }
    let details = moment.steps.compactMap { detail($0.step.action, $0.name) }
    let conditions = moment.steps.compactMap { $0.step.trigger.condition }
    let reasons = conditions + details + [outcome.why].filter { !$0.isEmpty }
    var line = TimelineEvents.StoryLine(
      instant: instant, player: player, what: what, why: reasons.joined(separator: "; "),
      paint: outcome.paint)
    line.isAside = moment.steps.isEmpty && outcome.isAside
    line.changes = moment.changes
    return line
  }
}

// MARK: - Following the records

extension PlayerStory {
  private mutating func take(_ event: Event, _ moment: inout StoryMoment) {
    switch event.topic {
    case .playback(let news): take(news, &moment)
    case .buffer(let news): take(news, &moment)
    case .request(_, .phase(let phase, let span)):
      moment.phases.append("\(phase.title) \(TimelineNumbers.seconds(span.nanoseconds))")
    case .request(_, .failed(let failure, _)): moment.failure = failure
    case .queue(.removed(let item)): moment.removed.append(item)
    case .queue(.looperStatus(let status)): moment.looper = status
    case .queue(.notGapless(let item, let mismatch)):
      mismatches[item] = mismatch.trait
      moment.notGapless = item
    case .setting(.written(.automaticallyWaitsToMinimizeStalling(let value))):
      waitsAutomatically = value
    case .notice(.rateDidChange(let reason)): moment.rateReason = reason
    case .notice(.prerollDidComplete(let isFinished)): moment.preroll = isFinished
    case .request(_, .asked), .request(_, .response), .request(_, .reading),
      .request(_, .completed), .request(_, .cancelled), .request(_, .discarded),
      .request(_, .errorLogged), .queue(.valuesLoaded), .queue(.created), .queue(.inserted),
      .queue(.loopCount), .setting(.written), .setting(.mediaSelection), .setting(.trackEnabled),
      .notice(.failedToPlayToEndTime), .notice(.newAccessLogEntry), .notice(.pipelineBuilt),
      .notice(.videoFrames), .world, .variant:
      break
    }
  }

  private mutating func take(_ news: BufferNews, _ moment: inout StoryMoment) {
    switch news {
    case .loadedTimeRange(let index, let start, let end):
      if index == 0 { ranges = [] }
      ranges.append(LoadedTimeRange(start: start, end: end))
      moment.hasRanges = true
    case .isLikelyToKeepUp(let value):
      isLikely = value
      moment.likely = value
    case .isFull(let value):
      isFull = value
      moment.full = value
      if value, !hasBeenFull || isEverythingLoaded { moment.isFlagTold = true }
      hasBeenFull = hasBeenFull || value
    case .isEmpty, .ruleAnswer: break
    }
  }

  private mutating func take(_ news: PlaybackNews, _ moment: inout StoryMoment) {
    switch news {
    case .currentItem(let new):
      item = new
      (moment.hasOtherItem, moment.runs) = (true, false)
      isReady = false
      ranges = []
      isAtEnd = false
      playhead = .zero
    case .itemStatus(.readyToPlay):
      moment.ready = true
      isReady = true
    case .itemStatus(.failed): moment.failed = true
    case .reasonForWaitingToPlay(let new):
      reason = new
      moment.hasReason = true
    case .rate(let new):
      rate = new
      moment.hasRate = true
    case .timebaseRate(let new, let time):
      playhead = time
      moment.runs = new != .zero
      // Where it has jumped, the player prerolls, and no pipeline is built.
      moment.isStanding = new == .zero && status == .playing && !moment.hasJumped
    case .stalled: moment.stalled = true
    case .didPlayToEndTime:
      moment.ended = true
      isAtEnd = true
    case .seek(let target):
      moment.seeks.append(target)
      // An earlier seek that is given up has been recorded before this one.
      moment.seekDone = nil
      seekSince = (moment.instant, target)
    case .timeJumped(let time):
      moment.hasJumped = true
      playhead = time
      isAtEnd = false
    case .seekDidComplete(let isFinished, let isInBuffer):
      moment.seekDone = (isFinished, isInBuffer)
      if isFinished { seekSince = nil }
    case .exception(let exception): moment.exceptions.append(exception)
    case .itemStatus(.unknown), .timeControlStatus, .pictureFrozen: break
    }
  }
}

// MARK: - Telling

extension PlayerStory {
  private struct Outcome {
    var what: String
    var why: String
    var paint = Paint.plain
    var isAside = false

    init(_ what: String, _ why: String, _ paint: Paint = .plain) {
      self.what = what
      self.why = why
      self.paint = paint
    }
  }

  /// Returns what the instant came to, the weightiest first.
  private func outcome(_ moment: StoryMoment) -> Outcome? {
    if let exception = moment.exceptions.last {
      return Outcome("exception", exception.sentence, .red)
    }
    if moment.failed {
      let reason = moment.failure.map { "\($0.sentence); " } ?? ""
      let after = moment.hasOtherItem ? "; " + next(moment) : ""
      return Outcome("failed", reason + "the item will not play any more" + after, .red)
    }
    if moment.stalled {
      let end = "the buffer ran empty at \(TimelineNumbers.text(playhead))"
      return status == .paused
        ? Outcome("stalled, paused", end + "; nothing resumes by itself", .red)
        : Outcome("stalled", end, .red)
    }
    if moment.ended {
      if moment.hasOtherItem { return Outcome("ended", next(moment), .bold) }
      let rest =
        status == .playing
        ? "; the rate stays \(TimelineNumbers.text(rate))" : " \(place)"
      return Outcome("ended", "played to the end\(rest)", .bold)
    }
    if moment.hasStatus {
      switch status {
      case .playing: return Outcome("playing", whyPlaying(moment), .green)
      case .waitingToPlayAtSpecifiedRate: return Outcome("waiting", whyWaiting(moment), .yellow)
      case .paused: return Outcome("paused", whyPaused(moment))
      }
    }
    if let outcome = seeking(moment) { return outcome }
    if let outcome = queueing(moment) { return outcome }
    var aside = aside(moment)
    aside?.isAside = !moment.isFlagTold
    return aside
  }

  /// Returns what comes after an item.
  private func next(_ moment: StoryMoment) -> String {
    guard let item else { return "nothing is left in the queue" }
    let name = scenario.word(forItem: item, of: player)
    switch status {
    case .playing where moment.runs: return "\(name) plays without a gap"
    case .playing:
      let reason = mismatches[item].map { ", for \($0.sentence)" } ?? ""
      return "\(name) is made ready only now\(reason)"
    case .waitingToPlayAtSpecifiedRate: return "\(name) waits: \(whyWaiting(moment))"
    case .paused: return "\(name) is the current one"
    }
  }

  /// Returns what changed of the queue.
  private func queueing(_ moment: StoryMoment) -> Outcome? {
    if moment.hasOtherItem, moment.wasPlaying { return Outcome("next", next(moment)) }
    if let looper = moment.looper, looper != .unknown {
      return Outcome("looper \(looper.word)", "", looper == .failed ? .red : .plain)
    }
    if let item = moment.notGapless, let trait = mismatches[item] {
      let name = scenario.word(forItem: item, of: player)
      return Outcome("gap ahead", "before \(name): \(trait.sentence)", .yellow)
    }
    guard let item = moment.removed.last, moment.steps.isEmpty else { return nil }
    let name = scenario.word(forItem: item, of: player)
    return Outcome("dropped", "\(name) has failed", .red)
  }

  /// Returns what a step came to at which nothing else happens; nil without a step.
  private func stepAlone(_ moment: StoryMoment) -> Outcome? {
    if moment.steps.isEmpty { return nil }
    let isInVain =
      isAtEnd && status == .paused && moment.steps.contains { $0.step.action.isPlay }
    return Outcome("", isInVain ? "at the end: nothing plays until a seek" : "")
  }

  /// What is told of an instant at which the status stays.
  private func aside(_ moment: StoryMoment) -> Outcome? {
    if moment.hasReason, status == .waitingToPlayAtSpecifiedRate {
      return Outcome("waiting", whyWaiting(moment), .yellow)
    }
    if moment.isStanding {
      let frame =
        moment.hasJumped ? ", from the key frame at \(TimelineNumbers.text(playhead)) on" : ""
      return Outcome("standing", "the pipeline is built again" + frame)
    }
    if moment.hasRate {
      let what = moment.steps.isEmpty ? "rate \(TimelineNumbers.text(rate))" : ""
      return Outcome(what, "from \(TimelineNumbers.text(playhead)) on")
    }
    if let preroll = moment.preroll {
      return Outcome(preroll ? "prerolled" : "preroll given up", "")
    }
    let isWorthIt = !moment.wasPlaying || tellsFlagsWhilePlaying || moment.isFlagTold
    if moment.full == true, isWorthIt {
      let isAll = isEverythingLoaded
      return Outcome(isAll ? "all loaded" : "buffer full", isAll ? "" : loaded(moment))
    }
    if let likely = moment.likely, isWorthIt {
      return likely
        ? Outcome("likely", "would keep up from here" + loaded(moment, ": "))
        : Outcome("not likely", "would no longer keep up" + loaded(moment, ": "))
    }
    if moment.full == false, isWorthIt {
      return Outcome("not full", "the player reads on")
    }
    return moment.ready ? Outcome("ready", moment.phases.joined(separator: ", ")) : nil
  }

  private func seeking(_ moment: StoryMoment) -> Outcome? {
    // A step says by itself where it seeks to; what loops does not.
    let isTold = !moment.steps.isEmpty
    let target = moment.seeks.last.map { "seek to \(TimelineNumbers.text($0))" } ?? ""
    guard let done = moment.seekDone else {
      return moment.seeks.isEmpty ? nil : Outcome(isTold ? "" : target, "it is not loaded")
    }
    if !moment.seeks.isEmpty {
      return done.isFinished
        ? Outcome(isTold ? "" : target, "it is in the buffer")
        : Outcome("refused", "there is nothing to seek in")
    }
    guard done.isFinished, let sought = moment.soughtSince else { return nil }
    let time = TimelineNumbers.seconds((moment.instant - sought.instant).nanoseconds)
    return Outcome("seek done", "at \(TimelineNumbers.text(playhead)), after \(time)")
  }

  private func whyPlaying(_ moment: StoryMoment) -> String {
    var why =
      if isEverythingLoaded {
        "everything is loaded"
      } else if isLikely {
        "likely to keep up" + loaded(moment, ": ")
      } else if moment.steps.contains(where: { $0.step.action.isImmediate }) {
        "at once, whether it keeps up or not" + loaded(moment, ": ")
      } else if !waitsAutomatically {
        "without waiting, whether it keeps up or not" + loaded(moment, ": ")
      } else if isFull {
        "the buffer is as full as it gets" + loaded(moment, ": ")
      } else {
        "nothing holds it any more"
      }
    if rate != .normal { why += "; at rate \(TimelineNumbers.text(rate))" }
    if let since = moment.wasStalledSince, !moment.stalled, since < moment.instant {
      why += ", after \(TimelineNumbers.seconds((moment.instant - since).nanoseconds))"
    }
    return why
  }

  private func whyWaiting(_ moment: StoryMoment) -> String {
    let target = moment.seeks.last.map { "\(TimelineNumbers.text($0)) is not loaded; " } ?? ""
    switch reason {
    case .evaluatingBufferingRate:
      return target
        + (awaitsPipeline
          ? "the pipeline is being built" : "too little has arrived to judge the fill rate")
    case .toMinimizeStalls:
      return target + "to minimize stalls: would not keep up" + loaded(moment, ", ")
    case .noItemToPlay: return "there is no item to play"
    case .waitingForCoordinatedPlayback: return "other participants are not ready"
    case .interstitialEvent: return "an interstitial plays elsewhere"
    case nil:
      if item == nil { return "there is no item to play" }
      return target
        + (awaitsPipeline
          ? "the pipeline is being built"
          : waitsAutomatically ? "not yet likely to keep up" : "the first frame is not there yet")
    }
  }

  /// Whether nothing but its pipeline keeps a file on the device from being ready.
  private var awaitsPipeline: Bool {
    guard let item, !isReady else { return false }
    let configuration = scenario.world.players[player]
    return configuration.pipeline != nil && configuration.media[item].source == .local
  }

  private func whyPaused(_ moment: StoryMoment) -> String {
    switch moment.rateReason {
    case .audioSessionInterrupted: "the audio session is interrupted, \(place)"
    case .appBackgrounded: "the application went to the background, \(place)"
    case .playheadReachedLiveEdge: "the live edge is reached"
    case .reversePlaybackReachedStartOfSeekableRange: "the beginning is reached"
    case .setRateFailed: "the rate could not be set"
    case .setRateCalled: place
    case nil:
      waitsAutomatically ? place : "there is nothing to play yet, and the player does not wait"
    }
  }

  private var place: String { "at \(TimelineNumbers.text(playhead))" }

  private var isEverythingLoaded: Bool {
    guard let item, ranges.count == 1 else { return false }
    let media = scenario.world.players[player].media[item]
    if media.source == .local { return true }
    return ranges[0].start == .zero && ranges[0].end == media.duration
  }

  /// Returns what is loaded around the playhead, if the records of this instant say it.
  private func loaded(_ moment: StoryMoment, _ opening: String = "") -> String {
    guard moment.hasRanges, let item,
      let range = ranges.last(where: { $0.start <= playhead && playhead <= $0.end })
    else { return "" }
    let media = scenario.world.players[player].media[item]
    let duration = TimelineNumbers.text(media.duration)
    let end = TimelineNumbers.text(range.end)
    // Nobody knows how long a live programme will be.
    if media.streamMedia?.live != nil { return "\(opening)loaded to \(end)" }
    return playhead == .zero && !moment.wasPlaying
      ? "\(opening)\(end) loaded of \(duration)"
      : "\(opening)loaded to \(end) of \(duration)"
  }
}

extension Event {
  /// Whether it decides what an instant came to.
  fileprivate var isOutcome: Bool {
    guard case .playback(let news) = topic else { return false }
    return switch news {
    case .timeControlStatus, .stalled, .didPlayToEndTime, .itemStatus(.failed), .exception,
      .seekDidComplete(isFinished: true, _):
      true
    case .itemStatus, .seekDidComplete, .currentItem, .rate, .reasonForWaitingToPlay,
      .timebaseRate, .timeJumped, .seek, .pictureFrozen:
      false
    }
  }
}

extension TransferFailure {
  fileprivate var sentence: String {
    switch self {
    case .nameNotResolved: "the name of the host could not be resolved"
    case .cannotConnect: "no connection could be made"
    case .connectionLost: "the connection was lost, and no try was left"
    case .timedOut: "no byte came for too long"
    }
  }
}

extension PlaybackException {
  fileprivate var sentence: String {
    switch self {
    case .setRateAtHostTimeWhileWaitingAutomatically:
      "setRate(_:time:atHostTime:) needs automaticallyWaitsToMinimizeStalling to be false"
    case .seekToInvalidTime: "the time to seek to is invalid"
    case .seekBeforeReady: "before iOS 11 a seek must wait until the item is ready"
    case .prerollNotPossible: "only a paused player with a ready item can preroll"
    case .advanceWithoutQueue: "only a queue player can advance at the end of an item"
    case .itemAlreadyInQueue: "the item is in the queue already"
    case .insertAfterItemNotInQueue: "the item to insert after is not in the queue"
    }
  }
}
