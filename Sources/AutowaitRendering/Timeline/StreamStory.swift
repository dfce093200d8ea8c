import Autowait
import AutowaitScenario

/// Tells what matters of the streams of a player.
///
/// That is choices of variants, keys, what went wrong, and segments that were given up. Of other
/// requests the strips say enough.
struct StreamStory {
  private let player: Int
  private let scenario: Scenario
  private let names: RungNames
  private var requests = RequestIndex()
  private var item: Int?

  init(_ player: Int, _ scenario: Scenario) {
    self.player = player
    self.scenario = scenario
    names = RungNames(scenario, player)
  }

  /// Tells an instant: what stands before what becomes of the player, and what stands behind it.
  mutating func tell(
    _ records: ArraySlice<EventRecord>
  ) -> (before: [TimelineEvents.StoryLine], after: [TimelineEvents.StoryLine]) {
    var before: [TimelineEvents.StoryLine] = []
    var after: [TimelineEvents.StoryLine] = []
    if names.variantCountMax == 0 { return (before, after) }
    // What went wrong leads to what is done about it, and that to what becomes of the player.
    let isWrong = records.contains { $0.player == player && $0.event.isError }
    let isAsked = records.contains { $0.player == player && $0.event.endsRequests }
    for (place, record) in zip(records.indices, records) where record.player == player {
      requests.take(record)
      switch record.event.topic {
      case .playback(.currentItem(let new)): item = new
      case .variant(.switchStart(let from, let to, let enqueued)):
        guard let line = choice(from, to, of: enqueued ?? item, records[place...]) else { break }
        if isWrong { before.append(line) } else { after.append(line) }
      case .request(let transfer, .completed(let bytes)):
        // A response that names another place is shorter.
        guard bytes >= requests[transfer]?.size ?? .zero else { break }
        if let line = key(transfer, record.instant, records) { before.append(line) }
      case .request(_, .discarded):
        before.append(line(record.instant, "thrown away", "it was loaded only to measure"))
      case .request(let transfer, .errorLogged(let code)):
        before.append(error(transfer, code, record.instant))
      case .request(let transfer, .cancelled):
        if !isAsked, let line = givenUp(transfer, record.instant, records) { before.append(line) }
      case .queue(.valuesLoaded(let item)):
        after.append(
          line(record.instant, "values loaded", "of \(scenario.word(forItem: item, of: player))"))
      case .playback, .variant(.switched), .request(_, .asked), .request(_, .phase),
        .request(_, .response), .request(_, .reading), .request(_, .failed), .queue, .world,
        .buffer, .setting, .notice:
        break
      }
    }
    return (before, after)
  }

  private func line(
    _ instant: Instant, _ what: String, _ why: String, _ paint: Paint = .plain,
    isAside: Bool = true
  ) -> TimelineEvents.StoryLine {
    var line = TimelineEvents.StoryLine(
      instant: instant, player: player, what: what, why: why, paint: paint)
    line.isAside = isAside
    return line
  }

  private func choice(
    _ from: Int?, _ to: Int, of chosen: Int?, _ records: ArraySlice<EventRecord>
  ) -> TimelineEvents.StoryLine? {
    guard let item = chosen, let instant = records.first?.instant, names.variantCountMax > 1 else {
      return nil
    }
    let new = StreamHistory.ItemVariant(item: item, variant: to)
    guard let from else {
      let name =
        item == self.item
        ? names.name(new) : "\(scenario.word(forItem: item, of: player)): \(names.name(new))"
      return line(instant, "begin with \(names.sign(new))", name, isAside: false)
    }
    let old = StreamHistory.ItemVariant(item: item, variant: from)
    let isUp = names.rung(new) > names.rung(old)
    var why = names.name(new)
    if let time = firstSegment(of: to, in: item, records) {
      why += " from \(TimelineNumbers.text(time)) on"
    }
    let way = isUp ? "up \(names.sign(old)) ↗" : "down \(names.sign(old)) ↘"
    return line(instant, "\(way) \(names.sign(new))", why)
  }

  /// Returns where the first segment begins that is asked for of a variant.
  private func firstSegment(
    of variant: Int, in item: Int, _ records: ArraySlice<EventRecord>
  ) -> MediaTime? {
    guard let streamMedia = scenario.world.players[player].media[item].streamMedia else {
      return nil
    }
    let own = streamMedia.variants[variant].list
    for record in records where record.player == player {
      if case .segmentRequest(_, _, let list, let segment?, _) = record.event, Int(list) == own {
        return streamMedia.lists[own].start(of: Int(segment))
      }
    }
    return nil
  }

  private func key(
    _ transfer: Int, _ instant: Instant, _ records: ArraySlice<EventRecord>
  ) -> TimelineEvents.StoryLine? {
    guard let request = requests[transfer], case .contentKey = request.resource,
      !records.contains(where: { $0.event.isError(of: transfer) })
    else { return nil }
    let time = TimelineNumbers.seconds((instant - request.opened).nanoseconds)
    return line(instant, "key", "\(scenario.words(for: request)) has come, after \(time)")
  }

  private func error(_ transfer: Int, _ code: Int32, _ instant: Instant) -> TimelineEvents.StoryLine
  {
    guard let request = requests[transfer] else {
      return line(instant, "error", "\(code)", .red, isAside: false)
    }
    let comment = ErrorLogEvent.comment(
      code, of: request.resource, after: instant - request.opened)
    let isWarning = ErrorLogEvent.isWarning(code)
    return line(
      instant, isWarning ? "warning" : "error",
      "\(scenario.words(for: request)): \(comment) (\(code))", isWarning ? .yellow : .red,
      isAside: false)
  }

  private func givenUp(
    _ transfer: Int, _ instant: Instant, _ records: ArraySlice<EventRecord>
  ) -> TimelineEvents.StoryLine? {
    guard let request = requests[transfer], case .segment = request.resource,
      !records.contains(where: { $0.event.isError(of: transfer) })
    else { return nil }
    let time = TimelineNumbers.seconds((instant - request.opened).nanoseconds)
    return line(
      instant, "given up", "\(scenario.words(for: request)), after \(time): it would come too late",
      .yellow,
      isAside: false)
  }
}

extension Event {
  /// Whether requests that end at the same instant end because of it.
  fileprivate var endsRequests: Bool {
    switch topic {
    case .playback(.currentItem), .playback(.seek), .playback(.itemStatus(.failed)), .setting:
      true
    case .playback(.itemStatus), .playback(.rate), .playback(.reasonForWaitingToPlay),
      .playback(.timeControlStatus), .playback(.timebaseRate), .playback(.timeJumped),
      .playback(.stalled), .playback(.didPlayToEndTime), .playback(.seekDidComplete),
      .playback(.pictureFrozen), .playback(.exception), .world, .request, .variant, .buffer,
      .queue, .notice:
      false
    }
  }

  /// Whether it says that something went wrong.
  fileprivate var isError: Bool {
    if case .newErrorLogEntry(_, let code) = self { !ErrorLogEvent.isWarning(code) } else { false }
  }

  /// Whether it says that a transfer went wrong.
  fileprivate func isError(of transfer: Int) -> Bool {
    if case .newErrorLogEntry(transfer, _) = self { isError } else { false }
  }
}
