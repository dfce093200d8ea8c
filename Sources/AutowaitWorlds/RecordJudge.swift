import Autowait
import AutowaitScenario

/// Judges a run by what it recorded, without the simulation's own books.
struct RecordJudge {
  private let result: RunResult
  private let player: Int
  private var breaches: [Breach] = []
  /// The media that was played of each list of segments of an item, in nanoseconds.
  private var played: [Segments: Int64] = [:]
  private var stretchCount: Int64 = 0

  private struct Segments: Hashable {
    let item: Int
    let list: Int
  }

  /// Returns what does not hold of any of the players.
  static func breaches(_ result: RunResult) -> [Breach] {
    if result.finish == .eventLimit { return [] }
    return result.scenario.world.players.indices.flatMap { player in
      var judge = RecordJudge(result: result, player: player)
      judge.judge()
      return judge.breaches
    }
  }

  private init(result: RunResult, player: Int) {
    self.result = result
    self.player = player
  }

  private mutating func breach(_ law: Law, _ message: String) {
    breaches.append(Breach(law: law, message: "player \(player): \(message)"))
  }

  private var configuration: PlayerConfiguration { result.scenario.world.players[player] }
  private var records: [EventRecord] {
    result.records.filter { $0.player == player || (player == 0 && $0.player == nil) }
  }

  private mutating func judge() {
    let records = records
    judgeAccounts(records)
    judgeBytes(records)
    judgePlayed(records)
    judgeVariants(records)
    judgeSwitches(records)
    judgeTurns(records)
    judgeFull(records)
    judgeBriefPlay(records)
  }

  private var isLive: Bool { configuration.media.contains { $0.streamMedia?.live != nil } }

  /// Whether the script does something at an instant.
  private func isStep(at instant: Instant) -> Bool {
    result.records.contains { record in
      if case .step = record.event { record.instant == instant } else { false }
    }
  }

  /// Whether likely-to-keep-up turned back at the instant at which it turned, though nothing came
  /// between but what was asked for, or what else holds of the buffer.
  ///
  /// What is read of segments while they come is left out: reading stops in the same instant.
  private mutating func judgeTurns(_ records: [EventRecord]) {
    if configuration.keepUp.readStep != nil || configuration.keepUp.readAhead != nil { return }
    var turned: Instant?
    for record in records {
      switch record.event.topic {
      case .buffer(.isLikelyToKeepUp):
        if turned == record.instant, !isStep(at: record.instant) {
          breach(.turns, "likely to keep up turned twice at \(record.instant.nanoseconds) ns")
        }
        turned = record.instant
      case .request(_, .asked(.contentKey, _, _, _)): turned = nil
      case .request(_, .asked), .buffer(.isEmpty), .buffer(.isFull), .buffer(.loadedTimeRange):
        break
      // A live stream whose playlist does not list the next segment yet chooses when it asks.
      case .variant(.switchStart): if isLive { turned = nil }
      case .request, .buffer(.ruleAnswer), .variant(.switched), .world, .playback, .queue,
        .setting, .notice:
        turned = nil
      }
    }
  }

  /// Whether a player was full for no time, though nothing came between.
  ///
  /// That one reads on for no time is left out: a playlist of a live stream may list a segment that
  /// the next look at it leaves out.
  private mutating func judgeFull(_ records: [EventRecord]) {
    if configuration.keepUp.readStep != nil || configuration.keepUp.readAhead != nil { return }
    var filled: Instant?
    for record in records {
      switch record.event.topic {
      case .buffer(.isFull(true)): filled = record.instant
      case .buffer(.isFull(false)):
        if filled == record.instant, !isStep(at: record.instant) {
          breach(.turns, "full for no time at \(record.instant.nanoseconds) ns")
        }
        filled = nil
      case .request(_, .asked(.contentKey, _, _, _)): filled = nil
      case .request(_, .asked), .buffer(.isEmpty), .buffer(.isLikelyToKeepUp),
        .buffer(.loadedTimeRange):
        break
      case .request, .buffer(.ruleAnswer), .world, .variant, .playback, .queue, .setting,
        .notice:
        filled = nil
      }
    }
  }

  /// Whether the player played for no time, though the script did nothing then.
  ///
  /// Left out is an item of a queue that begins at its end.
  private mutating func judgeBriefPlay(_ records: [EventRecord]) {
    var (began, place): (Instant?, MediaTime?)
    for record in records {
      guard case .playback(let news) = record.event.topic else { continue }
      switch news {
      case .timebaseRate(.zero, let time), .timeJumped(let time):
        let isJump = if case .timeJumped = record.event { true } else { false }
        if began == record.instant, !isJump || time != place, !isStep(at: record.instant) {
          breach(.turns, "plays for no time at \(record.instant.nanoseconds) ns")
        }
        began = nil
      case .timebaseRate(_, let time): (began, place) = (record.instant, time)
      case .currentItem: began = nil
      case .itemStatus, .rate, .reasonForWaitingToPlay, .timeControlStatus, .stalled,
        .didPlayToEndTime, .seek, .seekDidComplete, .pictureFrozen, .exception:
        break
      }
    }
  }

  private mutating func judgeAccounts(_ records: [EventRecord]) {
    let metrics = result.metrics[player]
    let booked = TimeAccount.allCases.reduce(TimeSpan.zero) { $0 + metrics.time($1) }
    if booked != metrics.wallTime { breach(.time, "\(booked) of \(metrics.wallTime) are booked") }
    let stalls = records.count { $0.event == .playbackStalled }
    if stalls != metrics.stallCount {
      breach(.time, "\(stalls) stalls were told, and \(metrics.stallCount) are counted")
    }
    let log = metrics.accessLog
    if log.map(\.numberOfStalls).reduce(0, +) != stalls {
      breach(.time, "the access log has \(log.map(\.numberOfStalls)) stalls, not \(stalls)")
    }
    if metrics.mediaPlayed != log.reduce(MediaTime.zero, { $0 + $1.durationWatched }) {
      breach(.time, "the access log's entries are not what was watched")
    }
    if log.count != records.count(where: { $0.event == .newAccessLogEntry }) {
      breach(.time, "the access log has \(log.count) entries, and others were told")
    }
    let ends = records.count { $0.event == .didPlayToEndTime }
    if ends != metrics.playedToEndCount {
      breach(.time, "\(ends) ends were told, and \(metrics.playedToEndCount) are counted")
    }
  }

  /// What requests for media brought, and what those that are still open may have.
  private mutating func judgeBytes(_ records: [EventRecord]) {
    var open: [(transfer: Int, size: Int64)] = []
    var brought: Int64 = 0
    for record in records {
      guard case .request(let transfer, let news) = record.event.topic else { continue }
      switch news {
      case .asked(let resource, _, let size, _):
        if resource.isMedia { open.append((transfer, size.bytes)) }
      case .completed(let bytes), .cancelled(let bytes), .failed(_, let bytes):
        guard let place = open.firstIndex(where: { $0.transfer == transfer }) else { continue }
        if bytes.bytes > open[place].size {
          breach(.bytes, "transfer \(transfer) brought \(bytes.bytes) of \(open[place].size) B")
        }
        open.remove(at: place)
        brought += bytes.bytes
      case .phase, .response, .reading, .discarded, .errorLogged: break
      }
    }
    let received = result.metrics[player].numberOfBytesTransferred.bytes
    let most = brought + open.reduce(0) { $0 + $1.size }
    // A begun byte counts for the request that has it and not for the sum.
    let slack = Int64(records.count)
    if received < brought - slack || received > most + slack {
      breach(.bytes, "\(received) B were received, and requests brought \(brought) to \(most) B")
    }
  }

  // MARK: - What was played

  /// A segment that has come.
  private struct Arrival {
    let list: Int
    let number: Int
    let start: Int64
    let end: Int64
    let instant: Instant
  }

  /// A stretch of time in which the timebase runs forwards.
  private struct Stretch {
    let began: Instant
    let time: Int64
    let rate: Int64
  }

  /// Follows the playhead of streams through the segments that had come by then.
  private mutating func judgePlayed(_ records: [EventRecord]) {
    // Without an action at the end, time goes on behind it.
    let setsNone = records.contains {
      $0.event == .setting(WrittenSetting(.actionAtItemEnd(.none)))
    }
    if configuration.actionAtItemEnd == .none || setsNone { return }
    // A clock that is set to a host time stands until then, which no record tells.
    let isMapped = result.scenario.world.script.contains {
      if case .player(player, .setRateAtHostTime) = $0.action { true } else { false }
    }
    // A picture that nobody sees is not loaded: the sound plays alone.
    let isHidden = records.contains {
      if case .trackEnabled(.video, false) = $0.event { true } else { false }
    }
    // Nor is one that stands while the clock runs.
    if isMapped || isHidden || records.contains(where: { $0.event == .pictureFrozen(true) }) {
      return
    }
    // What is held back is not there yet when it has come, and the other variant plays.
    if configuration.keepUp.followingBlock != nil, configuration.keepUp.replacesOnClimb { return }
    let readsSegments = configuration.keepUp.readStep != nil
    var item: Int?
    var asked: [(transfer: Int, list: Int, number: Int, item: Int)] = []
    var arrivals: [Int: [Arrival]] = [:]
    var stretch: Stretch?
    for record in records {
      if let running = stretch, Self.endsStretch(record.event) {
        if let item { follow(running, until: record.instant, item, arrivals[asset(item)] ?? []) }
        stretch = nil
        // A jump leaves the timebase running from elsewhere.
        if case .timeJumped(let time) = record.event {
          stretch = Stretch(
            began: record.instant, time: time.nanoseconds, rate: running.rate)
        }
      }
      switch record.event.topic {
      case .playback(.currentItem(let number)):
        item = number
        // What items of one asset share is there for the next one, too.
        if let number, !configuration.hasQueue, configuration.spans.isEmpty {
          arrivals[number] = []
        }
      case .request(let transfer, .asked(.segment(let list, let number), _, _, let enqueued)):
        guard let item = enqueued ?? item else { continue }
        asked.append((transfer, list, number, item))
      case .request(let transfer, .completed), .request(let transfer, .response):
        // A segment that is read while it comes is there from its first byte on, as far as records
        // tell.
        if (record.event == .mediaResponse(transfer: transfer)) != readsSegments { continue }
        guard let request = asked.first(where: { $0.transfer == transfer }),
          let list = configuration.media[request.item].streamMedia?.lists[request.list]
        else { continue }
        arrivals[asset(request.item), default: []].append(
          Arrival(
            list: request.list, number: request.number,
            start: list.start(of: request.number).nanoseconds,
            end: list.end(of: request.number).nanoseconds, instant: record.instant))
      case .playback(.timebaseRate(let rate, let time)) where rate > .zero:
        stretch = Stretch(began: record.instant, time: time.nanoseconds, rate: rate.millionths)
      case .request(_, .asked), .request(_, .phase), .request(_, .reading),
        .request(_, .cancelled), .request(_, .failed), .request(_, .discarded),
        .request(_, .errorLogged), .playback, .world, .variant, .buffer, .queue, .setting,
        .notice:
        break
      }
    }
    if let running = stretch, let item {
      follow(running, until: result.end, item, arrivals[asset(item)] ?? [])
    }
  }

  /// The first item of the same asset.
  private func asset(_ item: Int) -> Int {
    let spans = configuration.spans
    return spans.isEmpty ? item : spans.firstIndex { $0.asset == spans[item].asset } ?? item
  }

  private static func endsStretch(_ event: Event) -> Bool {
    switch event.topic {
    case .playback(.timebaseRate), .playback(.currentItem), .playback(.timeJumped),
      .world(.finished):
      true
    case .playback(.itemStatus), .playback(.rate), .playback(.reasonForWaitingToPlay),
      .playback(.timeControlStatus), .playback(.stalled), .playback(.didPlayToEndTime),
      .playback(.seek), .playback(.seekDidComplete), .playback(.pictureFrozen),
      .playback(.exception), .world, .request, .variant, .buffer, .queue, .setting, .notice:
      false
    }
  }

  private mutating func follow(
    _ stretch: Stretch, until end: Instant, _ item: Int, _ arrivals: [Arrival]
  ) {
    guard let streamMedia = configuration.media[item].streamMedia else { return }
    stretchCount += 1
    let span = Int128((end - stretch.began).nanoseconds)
    let pictures = Set(streamMedia.variants.map(\.list))
    // In the last nanosecond the playhead may pass the edge: it stops there.
    let step = (stretch.rate + 999_999) / 1_000_000
    let last = min(
      stretch.time + Int64(span * Int128(stretch.rate) / 1_000_000) - step,
      pictures.map { streamMedia.lists[$0].end.nanoseconds }.max() ?? 0,
      streamMedia.mediaEnd?.nanoseconds ?? .max)
    var place = stretch.time
    while place < last {
      let ahead = Int128(place - stretch.time) * 1_000_000 / Int128(stretch.rate)
      let instant = stretch.began + TimeSpan(nanoseconds: Int64(ahead) + 1)
      // What came last is what plays, until something else begins, or comes.
      let playing = arrivals.last {
        pictures.contains($0.list) && $0.start <= place && place < $0.end && $0.instant <= instant
      }
      if let playing {
        var next = min(playing.end, last)
        for arrival in arrivals where pictures.contains(arrival.list) {
          let since = Int128((arrival.instant - stretch.began).nanoseconds)
          let there = stretch.time + Int64(since * Int128(stretch.rate) / 1_000_000)
          for edge in [arrival.start, there] where edge > place { next = min(next, edge) }
        }
        played[Segments(item: item, list: playing.list), default: 0] += next - place
        place = next
      } else if let gap = Self.gap(in: streamMedia, pictures, at: place) {
        place = gap
      } else {
        breach(
          .loaded,
          "plays \(place) ns at \(instant.nanoseconds) ns, and no segment with it has come")
        return
      }
    }
  }

  /// Holds what was played of each list of segments against the entries of the access log.
  ///
  /// Left out are runs in which the records do not say as much: parts of live segments, segments
  /// that are missing, or came and were of no use, and playback backwards.
  private mutating func judgeVariants(_ records: [EventRecord]) {
    let isPlain = configuration.media.allSatisfy { media in
      media.streamMedia.map {
        $0.live == nil && $0.faults.isEmpty && $0.mediaEnd == nil
          && $0.lists.allSatisfy { $0.gaps.isEmpty }
      } ?? true
    }
    let isOdd = records.contains {
      switch $0.event.topic {
      case .playback(.timebaseRate(let rate, _)): rate < .zero
      case .request(_, .discarded), .request(_, .errorLogged): true
      case .request(_, .asked), .request(_, .phase), .request(_, .response),
        .request(_, .reading), .request(_, .completed), .request(_, .cancelled),
        .request(_, .failed), .playback, .world, .variant, .buffer, .queue, .setting, .notice:
        false
      }
    }
    // Of an asset that items share each knows what had come when it began, which no record tells.
    let sharesAssets = !configuration.spans.isEmpty
    // How much of a segment had come when it was given up, no record tells either.
    let readsSegments = configuration.keepUp.readStep != nil
    // Segments of variants that are only looked into come whole, and are not played.
    let opensVariants = configuration.keepUp.opening?.order == .everyVariant
    // When a segment takes the place of one that is being played, neither, if appending takes time.
    let replacesLate =
      configuration.keepUp.replacesOnClimb
      && (configuration.latency.appending > .zero || configuration.latency.opening > .zero)
    let isUntold = sharesAssets || readsSegments || opensVariants || replacesLate
    if !isPlain || isOdd || isUntold || played.isEmpty { return }
    for event in result.metrics[player].accessLog {
      guard let media = configuration.media[event.item].streamMedia, let variant = event.variant
      else { continue }
      let list = media.variants[variant].list
      played[Segments(item: event.item, list: list), default: 0] -=
        event.durationWatched.nanoseconds
    }
    let count = stretchCount + Int64(records.count)
    for (segments, rest) in played.sorted(by: { $0.key.list < $1.key.list })
    where rest.magnitude > 100 * count {
      breach(
        .loaded,
        "\(rest) ns of list \(segments.list) were played that the access log does not have")
    }
  }

  /// Whether each switch to a variant is told with a segment of its own list.
  ///
  /// A segment that is read while it comes is announced when it is its turn.
  private mutating func judgeSwitches(_ records: [EventRecord]) {
    if configuration.keepUp.readStep != nil { return }
    var item: Int?
    var (asked, brought): ([Int: Segments], [Int: Segments]) = ([:], [:])
    for record in records {
      switch record.event.topic {
      case .playback(.currentItem(let number)): item = number
      case .request(let transfer, .asked(.segment(let list, _), _, _, let enqueued)):
        asked[transfer] = (enqueued ?? item).map { Segments(item: $0, list: list) }
      case .request(let transfer, .completed): brought[record.number] = asked[transfer]
      case .variant(.switched(_, let new, _)):
        guard let segments = brought[record.cause],
          let variants = configuration.media[segments.item].streamMedia?.variants,
          variants.contains(where: { $0.list == segments.list })
        else { continue }
        if variants[new].list != segments.list {
          breach(
            .loaded,
            "variant \(new) is told at \(record.instant.nanoseconds) ns of list \(segments.list)")
        }
      case .request, .playback, .variant(.switchStart), .world, .buffer, .queue, .setting, .notice:
        break
      }
    }
  }

  /// The end of a segment that is missing on purpose, if there is one at a time.
  private static func gap(in streamMedia: StreamMedia, _ lists: Set<Int>, at place: Int64) -> Int64?
  {
    for list in lists.sorted() {
      for gap in streamMedia.lists[list].gaps {
        let (start, end) = (
          streamMedia.lists[list].start(of: gap), streamMedia.lists[list].end(of: gap)
        )
        if start.nanoseconds <= place, place < end.nanoseconds { return end.nanoseconds }
      }
    }
    return nil
  }
}
