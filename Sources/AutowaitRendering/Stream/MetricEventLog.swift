import Autowait
import AutowaitScenario

/// Renders the metric events of AVFoundation (`AVMetrics.h` of iOS 18), an object in a line each.
///
/// An event has the name of its class and the names of its properties. Dates are seconds from the
/// start of the run. Players of older versions of iOS have none.
package enum MetricEventLog {
  /// Returns the events of all players, one player after another.
  package static func log(_ result: RunResult) -> [UInt8] {
    let requests = RequestStory.byTransfer(result)
    let players = result.scenario.world.players
    return players.indices.flatMap { player in
      guard players[player].contract.publishesMetrics else { return [UInt8]() }
      var reader = MetricEventReader(result, player, requests)
      return reader.read()
    }
  }

  /// Says which players have no metric events.
  package static func findings(_ result: RunResult) -> [Finding] {
    let scenario = result.scenario
    return zip(scenario.world.players, scenario.playerNames).compactMap { player, name in
      if player.contract.publishesMetrics { return nil }
      return Finding(
        .warning,
        "the player '\(name)' has no metric events: they do not exist before iOS 18, and its "
          + "'contract' is iOS \(player.contract.iOS)", path: scenario.path)
    }
  }
}

/// Follows the records of a player, and writes the events that they amount to.
private struct MetricEventReader {
  private let result: RunResult
  private let player: Int
  private let requests: [Int: RequestStory]
  private let addresses: LogAddresses
  private var lines: [UInt8] = []
  private var item: Int?
  private var rate = PlaybackRate.zero
  private var rateBefore = PlaybackRate.zero
  /// Where the playhead is at an instant from which on it moves at the rate.
  private var playhead = (time: MediaTime.zero, instant: Instant.start)
  private var loaded: LoadedHistory
  /// The variants that came last, by item: those of enqueued items come before they play.
  private var variants: [Int: Int] = [:]
  /// The entries of the access log that have begun: they name the variant that plays.
  private var entryCount = 0
  /// When the wait began that ends with the verdict that playback keeps up.
  private var waitsSince: Instant?
  /// When the seek was called that is under way.
  private var seekBegan: Instant?
  /// The items that had such a verdict: a looper makes them current again.
  private var judgedItems: Set<Int> = []
  /// What was asked for.
  private var transfers: [Int] = []
  /// How long the first item took to be likely to keep up; nil if it never was.
  private var startup: TimeSpan?

  init(_ result: RunResult, _ player: Int, _ requests: [Int: RequestStory]) {
    (self.result, self.player, self.requests) = (result, player, requests)
    addresses = LogAddresses(result.scenario)
    loaded = LoadedHistory(result.scenario.world.players[player])
  }

  mutating func read() -> [UInt8] {
    for record in result.records where record.player == player { take(record) }
    writeSummary()
    return lines
  }

  private mutating func take(_ record: EventRecord) {
    switch record.event.topic {
    case .playback(let news): take(news, at: record.instant)
    case .buffer(.loadedTimeRange(let index, let start, let end)):
      loaded.tell(LoadedTimeRange(start: start, end: end), index)
    case .buffer(.isLikelyToKeepUp(true)): writeVerdict(at: record.instant)
    case .buffer(.isLikelyToKeepUp(false)):
      if let seekBegan { waitsSince = waitsSince ?? seekBegan }
    case .request(let transfer, .asked): transfers.append(transfer)
    case .request(let transfer, .completed), .request(let transfer, .cancelled),
      .request(let transfer, .failed):
      if let story = requests[transfer] {
        loaded.take(story)
        write(story, at: record.instant)
      }
    case .variant(.switchStart(let old, let new, let enqueued)):
      writeSwitch(
        "AVMetricPlayerItemVariantSwitchStartEvent", old, new, of: enqueued, at: record.instant)
    case .variant(.switched(let old, let new, let enqueued)):
      if let item = enqueued ?? item { variants[item] = new }
      writeSwitch(
        "AVMetricPlayerItemVariantSwitchEvent", old, new, of: enqueued, at: record.instant)
    case .buffer(.isEmpty), .buffer(.isFull), .buffer(.ruleAnswer), .request(_, .phase),
      .request(_, .response), .request(_, .reading), .request(_, .discarded),
      .request(_, .errorLogged), .world, .queue, .setting, .notice:
      break
    }
  }

  private mutating func take(_ news: PlaybackNews, at now: Instant) {
    switch news {
    case .currentItem(let new): enter(new, at: now)
    case .timebaseRate(let new, let time): change(to: new, time, at: now)
    case .stalled:
      waitsSince = now
      let old = rateBefore
      write("AVMetricPlayerItemStallEvent", at: now) {
        Self.write(PlaybackRate.zero, "rate", into: &$0)
        Self.write(old, "previousRate", into: &$0)
      }
    case .seek:
      seekBegan = now
      write("AVMetricPlayerItemSeekEvent", at: now) { _ in }
    case .timeJumped(let time):
      playhead = (time, now)
      loaded.jump()
    case .seekDidComplete(isFinished: true, let isInBuffer):
      seekBegan = nil
      write("AVMetricPlayerItemSeekDidCompleteEvent", at: now) {
        $0.field("didSeekInBuffer", isInBuffer)
      }
    case .itemStatus, .rate, .reasonForWaitingToPlay, .timeControlStatus, .didPlayToEndTime,
      .seekDidComplete, .pictureFrozen, .exception:
      break
    }
  }

  private mutating func enter(_ new: Int?, at now: Instant) {
    item = new
    playhead = (.zero, now)
    loaded.enter(new)
    waitsSince = now
  }

  private mutating func change(to new: PlaybackRate, _ time: MediaTime, at now: Instant) {
    playhead = (time, now)
    if new == rate { return }
    let old = rate
    (rateBefore, rate) = (old, new)
    let variant = playedVariant(at: now, isStopping: new == .zero)
    write("AVMetricPlayerItemRateChangeEvent", at: now) { [self] in
      Self.write(new, "rate", into: &$0)
      Self.write(old, "previousRate", into: &$0)
      write(variant: variant, of: item, "variant", into: &$0)
    }
  }

  /// Returns the variant that plays as the rate changes, "the variant being played at the time of
  /// rate change" (`AVMetrics.h`); what was loaded last may play much later.
  ///
  /// Where a seek stops playback, that is what played before it.
  private mutating func playedVariant(at now: Instant, isStopping: Bool) -> Int? {
    let log = result.metrics[player].accessLog
    while entryCount < log.count, log[entryCount].playbackStartDate <= now { entryCount += 1 }
    let entry = log[..<entryCount].last {
      $0.item == item && ($0.playbackStartDate < now || !isStopping)
    }
    return entry?.variant
  }

  /// The first one of an item tells of the requests that it took.
  private mutating func writeVerdict(at now: Instant) {
    guard let since = waitsSince, let item else { return }
    waitsSince = nil
    let isFirst = judgedItems.insert(item).inserted
    let name: String =
      isFirst
      ? "AVMetricPlayerItemInitialLikelyToKeepUpEvent" : "AVMetricPlayerItemLikelyToKeepUpEvent"
    let taken = isFirst ? startup(of: item, at: now) : now - since
    startup = startup ?? taken
    let asked = transfers.compactMap { requests[$0] }.filter {
      $0.end <= now && $0.request.item == item
    }
    write(name, at: now) { [self] in
      write(variant: variants[item], of: item, "variant", into: &$0)
      $0.field("timeTaken", seconds: taken.nanoseconds)
      write(loaded.ranges(at: now, time(at: now)), into: &$0)
      if !isFirst { return }
      let kinds: [(StaticString, String)] = [
        ("playlistRequestEvents", "AVMetricHLSPlaylistRequestEvent"),
        ("mediaSegmentRequestEvents", "AVMetricHLSMediaSegmentRequestEvent"),
        ("contentKeyRequestEvents", "AVMetricContentKeyRequestEvent"),
      ]
      for (key, kind) in kinds {
        let members = asked.filter { Self.name(of: $0.request.resource) == kind }
        $0.array(key, members) { $0.string(text: address(of: $1)) }
      }
    }
  }

  /// How long an item took until it was first likely to keep up: from its first media request on,
  /// which is the first `startupTime` of its access log unless it was sought before; what needs no
  /// request takes no time.
  ///
  /// Logs of devices have one number for both, and for `timeSpentInInitialStartup` (WWDC18 502,
  /// SRGSSR FB22519249, pillarbox-apple 925).
  private func startup(of item: Int, at now: Instant) -> TimeSpan {
    let entry = result.metrics[player].accessLog.first { $0.item == item }
    if let span = entry?.startupTime { return span }
    let media = transfers.compactMap { requests[$0]?.request }.first {
      $0.item == item && $0.resource.isMedia
    }
    return media.map { now - $0.opened } ?? .zero
  }

  private mutating func writeSwitch(
    _ name: String, _ old: Int?, _ new: Int, of enqueued: Int?, at now: Instant
  ) {
    // The first choice of an item is no switch.
    guard old != nil else { return }
    write(name, at: now, ofEnqueued: enqueued) { [self] in
      write(variant: old, of: enqueued ?? item, "fromVariant", into: &$0)
      write(variant: new, of: enqueued ?? item, "toVariant", into: &$0)
      // What is loaded of an enqueued item is in no record.
      if enqueued == nil { write(loaded.ranges(at: now, time(at: now)), into: &$0) }
    }
  }

  // MARK: Requests

  private static func name(of resource: RequestIndex.Resource) -> String {
    switch resource {
    case .file: "AVMetricMediaResourceRequestEvent"
    case .multivariantPlaylist, .mediaPlaylist: "AVMetricHLSPlaylistRequestEvent"
    case .contentKey: "AVMetricContentKeyRequestEvent"
    case .initialization, .segment: "AVMetricHLSMediaSegmentRequestEvent"
    }
  }

  private func address(of story: RequestStory) -> String {
    addresses.uri(player, story.request.item ?? 0, story.request.resource)
  }

  private mutating func write(_ story: RequestStory, at now: Instant) {
    let other = story.request.item == item ? nil : story.request.item
    write(Self.name(of: story.request.resource), at: now, ofEnqueued: other) { [self] in
      $0.field("url", text: address(of: story))
      switch story.request.resource {
      case .multivariantPlaylist: $0.field("isMultivariantPlaylist", true)
      case .mediaPlaylist: $0.field("isMultivariantPlaylist", false)
      case .initialization: $0.field("isMapSegment", true)
      case .segment: $0.field("isMapSegment", false)
      case .contentKey: $0.field("isClientInitiated", false)
      case .file: break
      }
      $0.field("requestStartTime", seconds: (story.request.opened - .start).nanoseconds)
      if let response = story.response {
        $0.field("responseStartTime", seconds: (response - .start).nanoseconds)
      }
      $0.field("responseEndTime", seconds: (story.end - .start).nanoseconds)
      $0.field("wasReadFromCache", false)
      if story.outcome != .whole {
        $0.field("errorEvent", text: story.outcome == .givenUp ? "cancelled" : "failed")
      }
    }
  }

  // MARK: Lines

  private func time(at now: Instant) -> MediaTime {
    let span = Int128((now - playhead.instant).nanoseconds)
    let moved = Int64(clamping: span * Int128(rate.millionths) / 1_000_000)
    return max(.zero, playhead.time + MediaTime(nanoseconds: moved))
  }

  private mutating func write(
    _ name: String, at now: Instant, ofEnqueued other: Int? = nil,
    _ fields: (inout JSONWriter) -> Void
  ) {
    let time = time(at: now)
    lines += JSONWriter.line { writer in
      writer.field("event", text: name)
      writer.field("date", seconds: (now - .start).nanoseconds)
      writer.field("mediaTime", seconds: other == nil ? time.nanoseconds : 0)
      if result.scenario.playerNames.count > 1 {
        writer.field("player", text: result.scenario.playerNames[player])
      }
      if let item = other ?? item {
        writer.field("sessionID", text: addresses.playbackSessionID(player, item))
      }
      fields(&writer)
    }
  }

  private static func write(
    _ rate: PlaybackRate, _ key: StaticString, into writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.millionths(rate.millionths)
  }

  private func write(
    variant: Int?, of item: Int?, _ key: StaticString, into writer: inout JSONWriter
  ) {
    guard let variant, let item, let names = result.scenario.streamNames[player][item],
      let media = result.scenario.world.players[player].media[item].streamMedia
    else { return }
    writer.object(key) {
      $0.field("name", text: names.variants[variant])
      $0.field("peakBitRate", media.variants[variant].bandwidth.bitsPerSecond)
      if let rate = media.variants[variant].averageBandwidth {
        $0.field("averageBitRate", rate.bitsPerSecond)
      }
    }
  }

  private func write(_ ranges: [LoadedTimeRange], into writer: inout JSONWriter) {
    writer.array("loadedTimeRanges", ranges) { writer, range in
      writer.beginArray()
      writer.seconds(nanoseconds: range.start.nanoseconds)
      writer.seconds(nanoseconds: range.end.nanoseconds)
      writer.endArray()
    }
  }

  private mutating func writeSummary() {
    let (metrics, startup) = (result.metrics[player], startup)
    let hasFailed = result.records.contains {
      $0.player == player && $0.event == .itemStatus(.failed)
    }
    rate = .zero
    write("AVMetricPlayerItemPlaybackSummaryEvent", at: result.end) {
      if hasFailed { $0.field("errorEvent", text: "failed") }
      $0.field("recoverableErrorCount", Int64(metrics.streaming?.recoverableErrorCount ?? 0))
      $0.field("stallCount", Int64(metrics.stallCount))
      $0.field("variantSwitchCount", Int64(metrics.streaming?.variantSwitchCount ?? 0))
      $0.field("playbackDuration", seconds: metrics.playbackDuration.nanoseconds)
      $0.field("mediaResourceRequestCount", Int64(metrics.mediaResourceRequestCount))
      $0.field(
        "timeSpentRecoveringFromStall", seconds: metrics.timeSpentRecoveringFromStall.nanoseconds)
      if let startup {
        $0.field("timeSpentInInitialStartup", seconds: startup.nanoseconds)
      }
      if let rate = metrics.streaming?.timeWeightedAverageBitrate {
        $0.field("timeWeightedAverageBitrate", rate.bitsPerSecond)
      }
      if let rate = metrics.streaming?.timeWeightedPeakBitrate {
        $0.field("timeWeightedPeakBitrate", rate.bitsPerSecond)
      }
    }
  }
}
