import Autowait
import AutowaitFigures
import AutowaitScenario

/// Tells a run as a picture of lanes over one axis of time.
package struct SessionPicture {
  private let result: RunResult
  private let samples: [RunResult.Sample]
  private let histories: [PlayerHistory]
  private let streams: [StreamHistory]
  private let requests: [[RequestStory]]
  private let rungs: [RungNames]
  private let end: Instant
  /// What there is to be said of instants, by player; nil for the link.
  private let words: [WordsKey: String]

  /// An instant of a player or of the link.
  private struct WordsKey: Hashable {
    let instant: Instant
    let player: Int?
  }

  /// The most records at whose instants a run is looked at: of more than that an even choice shows
  /// in each pixel how far the buffer goes up and down.
  private static let recordsMax = 6_000

  /// Returns the instants at which a picture looks at a run, ascending.
  package static func instants(_ result: RunResult) -> [Instant] {
    instants(result, columns: SessionChart.laneWidth, recordsMax: recordsMax)
  }

  /// Returns even instants of a run, as many as there are columns, and those of records, ascending.
  static func instants(_ result: RunResult, columns: Int, recordsMax: Int) -> [Instant] {
    let end = lastInstant(of: result)
    let columns = Int64(columns)
    // What is drawn larger than the rest is looked at as finely.
    let quiet = result.quietSince(PlayerHistory.all(result))
    var instants = [end, quiet, startupEnd(result)].compactMap { $0 }.flatMap { end in
      (0...columns).map { column in
        Instant(
          nanoseconds: Int64(Int128(end.nanoseconds) * Int128(column) / Int128(columns)))
      }
    }
    for record in result.records(max: recordsMax) where record.instant <= end {
      // What jumps is as it was until just before.
      if record.instant > .start {
        instants.append(Instant(nanoseconds: record.instant.nanoseconds - 1))
      }
      instants.append(record.instant)
    }
    return result.distinct(instants)
  }

  /// Returns the picture of a run that was sampled at `instants(_:)`.
  package static func chart(_ result: RunResult, samples: [RunResult.Sample]) -> SessionChart {
    SessionPicture(result, samples).chart
  }

  /// Returns where a picture of the startup alone ends, somewhat behind the first picture; nil if
  /// it can be seen well enough in the picture of all, or there is none.
  static func startupEnd(_ result: RunResult) -> Instant? {
    let startups = result.metrics.filter { $0.timeSpentInInitialStartup > .zero }
    guard let played = startups.compactMap({ $0.firstPlayed }).max() else { return nil }
    let startup = Instant(nanoseconds: played.nanoseconds / 4 * 5)
    return startup.nanoseconds < lastInstant(of: result).nanoseconds / 4 ? startup : nil
  }

  /// A run in which all is over at once still has a second to be drawn in.
  private static func lastInstant(of result: RunResult) -> Instant {
    result.end > .start ? result.end : .start + .seconds(1)
  }

  private init(_ result: RunResult, _ samples: [RunResult.Sample]) {
    self.result = result
    self.samples = samples
    histories = PlayerHistory.all(result)
    requests = RequestStory.all(result)
    streams = StreamHistory.all(result, requests)
    rungs = streams.indices.map { RungNames(result.scenario, $0) }
    end = Self.lastInstant(of: result)
    var words: [WordsKey: String] = [:]
    for line in TimelineEvents(result).lines {
      let text = line.why.isEmpty ? line.what : "\(line.what): \(line.why)"
      words[WordsKey(instant: line.instant, player: line.player), default: ""] +=
        (words[WordsKey(instant: line.instant, player: line.player)] == nil ? "" : "; ")
        + TerminalText.withoutTies(text)
    }
    self.words = words
  }

  private var chart: SessionChart {
    let scenario = result.scenario
    var chart = SessionChart(
      title: scenario.title, subtitle: SessionWords.summary(result), end: end.nanoseconds)
    chart.quietSince = result.quietSince(histories)?.nanoseconds
    chart.players = histories.indices.map { player($0) }
    chart.changes = result.records.compactMap { record in
      guard case .linkChanged(let link, let rate) = record.event, record.instant > .start else {
        return nil
      }
      return mark(
        .change, record.instant, nil,
        rate == .zero ? "\(scenario.linkNames[link]): down" : scenario.linkNames[link])
    }
    chart.linkRates = samples.map {
      .init($0.instant.nanoseconds, $0.linkRate.bitsPerSecond)
    }
    chart.outages = result.outages.map { .init($0.start.nanoseconds, $0.end.nanoseconds) }
    return chart
  }

  // MARK: - A player

  private func player(_ number: Int) -> SessionChart.Player {
    let scenario = result.scenario
    let isAlone = scenario.playerNames.count == 1
    var player = SessionChart.Player(name: isAlone ? "" : scenario.playerNames[number])
    player.states = states(number)
    player.marks = marks(number)
    let shown = samples.filter { $0.instant <= end }
    player.ahead = shown.map { sample in
      let snapshot = sample.players[number]
      return .init(
        sample.instant.nanoseconds, snapshot.currentItem == nil ? nil : snapshot.aheadOfPlayhead)
    }
    player.aheadLimits = limits(number)
    player.levels = rungs[number].shortNames
    player.requests = requests[number].filter { $0.request.opened <= end }.map { request($0) }
    player.plays = plays(number, shown)
    player.fillRates = shown.map {
      .init($0.instant.nanoseconds, $0.fillRates[number]?.bitsPerSecond)
    }
    player.mediaRates = shown.map { sample in
      .init(sample.instant.nanoseconds, need(sample.players[number], of: number)?.bitsPerSecond)
    }
    return player
  }

  private func states(_ player: Int) -> [SessionChart.State] {
    let runs = histories[player].runs
    return runs.indices.compactMap { index in
      let run = runs[index]
      let next = index + 1 < runs.count ? runs[index + 1].start : end
      let last = min(next, result.end)
      if run.start >= last { return nil }
      return SessionChart.State(
        run.state.kind, run.state.meaning, from: run.start.nanoseconds, to: last.nanoseconds)
    }
  }

  /// The media ahead at which a player loads no more, as its configuration and the app say.
  private func limits(_ player: Int) -> [SessionChart.Sample] {
    let configuration = result.scenario.world.players[player]
    let isStream = configuration.media.contains { $0.streamMedia != nil }
    let (own, streaming) = (configuration.keepUp.forwardBufferLimit, configuration.streaming)
    let countsData = configuration.keepUp.forwardBufferSizes?.sizeMax != nil
    let other = isStream && !countsData ? streaming.forwardBufferLimit : nil
    let usual = own ?? other
    let least = configuration.media.compactMap { $0.streamMedia }.map {
      streaming.forwardBufferMin(of: $0)
    }.max()
    // Files do not honour what the app prefers, and of streams some segments may always be ahead.
    func limit(_ preferred: MediaTime) -> Int64? {
      (isStream && preferred > .zero ? max(preferred, least ?? preferred) : usual)?.nanoseconds
    }
    var limits: [SessionChart.Sample] = [
      .init(0, limit(configuration.preferredForwardBufferDuration))
    ]
    for record in result.records where record.player == player && record.instant <= end {
      if case .setting(let written) = record.event,
        case .preferredForwardBufferDuration(let new) = written.setting
      {
        limits.append(.init(record.instant.nanoseconds, limit(new)))
      }
    }
    return limits
  }

  /// The rate that the media of a player's item needs: of a stream that of the variant that came
  /// last, of a file the mean one.
  private func need(_ snapshot: PlayerSnapshot, of player: Int) -> BitRate? {
    guard let item = snapshot.currentItem, snapshot.status == .readyToPlay else { return nil }
    let media = result.scenario.world.players[player].media[item]
    switch media.source {
    case .local: return nil
    case .progressive:
      let rate = media.size.nanobits / UInt128(UInt64(media.duration.nanoseconds))
      return BitRate(bitsPerSecond: Int64(clamping: rate))
    case .stream(let shared):
      return snapshot.variant.map { number in
        let variant = shared.streamMedia.variants[number]
        return variant.averageBandwidth ?? variant.bandwidth
      }
    }
  }

  private func request(_ story: RequestStory) -> SessionChart.ChartRequest {
    let asked = story.request
    var text = "\(result.scenario.words(for: asked)), \(TimelineNumbers.text(asked.size))"
    let phases = story.phases.map {
      "\($0.phase.title) \(TimelineNumbers.seconds($0.span.nanoseconds))"
    }
    if !phases.isEmpty { text += " (\(phases.joined(separator: ", ")))" }
    var request = SessionChart.ChartRequest(
      lane(story), TerminalText.withoutTies(text),
      from: asked.opened.nanoseconds, to: min(story.end, end).nanoseconds)
    request.response = story.response?.nanoseconds
    request.shortText = shortWords(asked)
    request.bytes = asked.size.bytes
    request.steps = story.phases.compactMap { phase, span in
      switch phase {
      case .domainLookup: .init(.lookup, span.nanoseconds)
      case .connect: .init(.connect, span.nanoseconds)
      case .secureConnection: .init(.secure, span.nanoseconds)
      // The first byte has an instant of its own, and the rest comes after it.
      case .firstByte, .body: nil
      }
    }
    switch story.outcome {
    case .whole: break
    case .open: request.outcome = .open
    case .givenUp: request.outcome = .givenUp
    case .failed: request.outcome = .failed
    }
    return request
  }

  /// What was asked for, without the names that its lane has.
  private func shortWords(_ request: RequestIndex.IndexedRequest) -> String {
    switch request.resource {
    case .file: "file"
    case .multivariantPlaylist: "multivariant"
    case .mediaPlaylist: "playlist"
    case .contentKey: "key"
    case .initialization: "initialization"
    case .segment(_, let segment): "segment \(segment)"
    }
  }

  private func lane(_ story: RequestStory) -> SessionChart.ChartRequest.Lane {
    let list: Int
    switch story.request.resource {
    case .file: return .file
    case .multivariantPlaylist, .mediaPlaylist: return .playlist
    case .contentKey: return .key
    case .initialization(let number), .segment(let number, _): list = number
    }
    guard let item = story.request.item,
      let streamMedia = result.scenario.world.players[story.request.player].media[item].streamMedia
    else { return .rendition }
    // Several variants may share a list; it is loaded for the one that is chosen.
    if let choice = story.choice, streamMedia.variants[choice.variant].list == list {
      return .level(rungs[story.request.player].rung(choice))
    }
    guard let variant = streamMedia.variants.firstIndex(where: { $0.list == list }) else {
      return .rendition
    }
    let choice = StreamHistory.ItemVariant(item: item, variant: variant)
    return .level(rungs[story.request.player].rung(choice))
  }

  private func plays(_ player: Int, _ shown: [RunResult.Sample]) -> [SessionChart.ChartStretch] {
    if rungs[player].variantCountMax < 2 { return [] }
    var plays: [SessionChart.ChartStretch] = []
    var isPlaying = false
    for sample in shown {
      let now = sample.instant.nanoseconds
      if isPlaying { plays[plays.count - 1].end = now }
      let snapshot = sample.players[player]
      guard let item = snapshot.currentItem, snapshot.timebaseRate != .zero,
        let choice = streams[player].variant(
          at: snapshot.currentTime, of: item, before: sample.instant)
      else {
        isPlaying = false
        continue
      }
      let rung = rungs[player].rung(choice)
      if !isPlaying || plays[plays.count - 1].number != rung {
        plays.append(.init(now, now, number: rung))
      }
      isPlaying = true
    }
    return plays
  }

  // MARK: - Marks

  private func marks(_ player: Int) -> [SessionChart.Mark] {
    var marks: [SessionChart.Mark] = []
    for record in result.records where record.instant <= end {
      if case .step(let index) = record.event {
        guard case .player(player, _) = result.scenario.world.script[index].action else { continue }
        let name = result.scenario.stepNames[index]
        if let last = marks.last, last.kind == .tap, last.instant == record.instant.nanoseconds {
          marks[marks.count - 1].label += ", " + name
        } else {
          marks.append(mark(.tap, record.instant, player, name))
        }
        continue
      }
      if record.player != player { continue }
      switch record.event.topic {
      case .playback(.stalled): marks.append(mark(.failure, record.instant, player, "stalled"))
      case .playback(.itemStatus(.failed)):
        marks.append(mark(.failure, record.instant, player, "failed"))
      case .request(_, .errorLogged):
        marks.append(mark(.failure, record.instant, player, "error"))
      case .playback(.exception):
        marks.append(mark(.failure, record.instant, player, "exception"))
      case .playback(.didPlayToEndTime):
        marks.append(mark(.note, record.instant, player, "ended"))
      case .playback(.currentItem), .playback(.itemStatus), .playback(.rate),
        .playback(.reasonForWaitingToPlay), .playback(.timeControlStatus),
        .playback(.timebaseRate), .playback(.timeJumped), .playback(.seek),
        .playback(.seekDidComplete), .playback(.pictureFrozen), .request, .world, .variant,
        .buffer, .queue, .setting, .notice:
        break
      }
    }
    return marks
  }

  /// Makes a mark with all that is to be said of its instant.
  private func mark(
    _ kind: SessionChart.Mark.Kind, _ instant: Instant, _ player: Int?, _ label: String
  ) -> SessionChart.Mark {
    let text = words[WordsKey(instant: instant, player: player)] ?? ""
    return SessionChart.Mark(kind, at: instant.nanoseconds, label, text: text)
  }
}

extension StripState {
  /// What the state looks like in a picture.
  fileprivate var kind: SessionChart.State.Kind {
    switch self {
    case .paused, .ended, .seek, .failed: .paused
    case .evaluating: .evaluating
    case .waiting: .waiting
    case .noItem, .coordinated, .interstitial, .standing: .held
    case .playing: .playing
    case .stalled: .stalled
    }
  }
}
