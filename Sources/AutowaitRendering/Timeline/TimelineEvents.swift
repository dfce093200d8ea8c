import Autowait
import AutowaitScenario

/// Tells the events that matter: one line for all that happens to a player, or to the link, at one
/// instant, with the reason in words.
struct TimelineEvents {
  /// A line of the story.
  struct StoryLine {
    var instant: Instant
    var player: Int?
    var what: String
    var why: String
    var paint = Paint.plain
    /// Whether the link goes down.
    var isOutage = false
    /// How long the link was down that is up again, or goes down.
    var outage: TimeSpan?
    /// Whether the story can be followed without the line.
    var isAside = false
    /// How many changes of reading, buffer and link the line stands for.
    var changes = 0

    /// Says of a link that goes down for how long.
    mutating func lasted(_ span: TimeSpan) {
      outage = span
      why += " for \(TimelineNumbers.seconds(span.nanoseconds))"
    }
  }

  /// The most lines that are shown, and how many of the first and the last if there are more.
  private static let shownMax = (all: 40, first: 30, last: 5)
  /// The most changes of the link's rate, and of a player's flags while it plays, that are told
  /// whether or not a stall is near.
  private static let ratesMax = 12
  private static let flagsMax = 6

  private let scenario: Scenario
  private(set) var lines: [StoryLine] = []
  /// How many changes of reading, buffer and link no line stands for.
  private var untold = 0

  /// Tells a run, which may be one that is still going on.
  init(_ result: RunResult, isOngoing: Bool = false) {
    scenario = result.scenario
    let records = result.records
    let prelude = StallPrelude(records)
    var stories = Self.stories(records, prelude, scenario)
    let rates = records.count { $0.event.isRate }
    var link = LinkStory(
      result, tellsRates: rates <= Self.ratesMax, nearStalls: prelude.rates)
    var streams = scenario.world.players.indices.map { StreamStory($0, scenario) }
    var downLine: Int?
    for moment in Moments(records) {
      untold += moment.count { $0.event.isChange }
      for line in link.tell(moment) {
        untold -= line.changes
        if let outage = line.outage, let downLine {
          lines[downLine].lasted(outage)
          // Of many changes the line of the outage says enough.
          if !link.tellsRates {
            lines[downLine].changes += line.changes
            continue
          }
        }
        if line.isOutage { downLine = lines.count }
        lines.append(line)
      }
      for player in players(of: moment) {
        let streamed = streams[player].tell(moment)
        lines += streamed.before
        for line in stories[player].tell(moment) {
          untold -= line.changes
          lines.append(line)
        }
        lines += streamed.after
        lines += moment.lazy.filter { $0.player == player }.compactMap { $0.colorLine }
      }
    }
    addSilentEnds(result)
    // That the link is up again is told when it was, by a record that comes later.
    lines = lines.enumerated().sorted { one, other in
      (one.element.instant, one.offset) < (other.element.instant, other.offset)
    }.map { $0.element }
    if !isOngoing, let line = ending(result) { lines.append(line) }
  }

  /// Says how long the link was down where nothing flowed when it came back, so that no record
  /// tells of it.
  private mutating func addSilentEnds(_ result: RunResult) {
    let outages = result.outages
    for index in lines.indices where lines[index].isOutage && lines[index].outage == nil {
      let outage = outages.first { $0.start == lines[index].instant }
      if let outage, outage.end < result.end { lines[index].lasted(outage.end - outage.start) }
    }
  }

  /// Returns the tellers of the players, who know how much there will be to tell.
  private static func stories(
    _ records: EventRecords, _ prelude: StallPrelude, _ scenario: Scenario
  ) -> [PlayerStory] {
    var flips = scenario.playerNames.map { _ in 0 }
    for record in records where record.event.isFlagOfKeepingUp {
      if let player = record.player { flips[player] += 1 }
    }
    return scenario.world.players.indices.map { player in
      var story = PlayerStory(player, scenario)
      story.tellsFlagsWhilePlaying = flips[player] <= flagsMax
      story.nearStalls = prelude.flags
      return story
    }
  }

  /// Returns the players that an instant is about, ascending.
  private func players(of moment: ArraySlice<EventRecord>) -> [Int] {
    var players: Set<Int> = []
    for record in moment {
      var player = record.player
      if case .step(let index) = record.event,
        case .player(let addressed, _) = scenario.world.script[index].action
      {
        player = addressed
      }
      if let player { players.insert(player) }
    }
    return players.sorted()
  }

  private func ending(_ result: RunResult) -> StoryLine? {
    func line(_ why: String) -> StoryLine {
      StoryLine(instant: result.end, player: nil, what: "end of run", why: why, paint: .yellow)
    }
    switch result.finish {
    case .settled: return nil
    case .horizon: return line("the time of the run is up, and things are still going on")
    case .stillWaiting: return line("the time of the run is up, and a player still waits")
    case .eventLimit:
      return line("the bound of \(result.bound) is reached")
    }
  }

  /// Draws the lines, or the first and the last of many.
  func draw(on page: inout TextPage) {
    if lines.isEmpty {
      page.line("nothing happens", .dim)
      return
    }
    // Of many lines those go first that matter least.
    let isLong = lines.count > Self.shownMax.all
    let main = isLong ? lines.filter { !$0.isAside } : lines
    let isCut = main.count > Self.shownMax.all
    let first = isCut ? Array(main.prefix(Self.shownMax.first)) : main
    let last = isCut ? Array(main.suffix(Self.shownMax.last)) : []
    let shown = first + last
    let timeWidth = shown.map { TerminalText.width(TimelineNumbers.text($0.instant)) }.max() ?? 0
    let nameWidth =
      scenario.playerNames.count > 1
      ? min(page.width / 6, scenario.playerNames.map { TerminalText.width(safe($0)) }.max() ?? 0)
        + 2
      : 0
    let whatWidth = min(
      page.width / (nameWidth > 0 ? 4 : 3), shown.map { TerminalText.width($0.what) }.max() ?? 0)
    let note = "… \(main.count - shown.count) more are left out; --format jsonl shows all"
    for (number, line) in shown.enumerated() {
      if isCut, number == first.count {
        page.line("\(TerminalText.spaces(timeWidth))  \(note)", .dim)
      }
      let time = TerminalText.rightAligned(
        TimelineNumbers.text(line.instant), columns: timeWidth)
      var head = [PaintedText(time + "  ", .dim)]
      if nameWidth > 0 {
        let name = line.player.map { safe(scenario.playerNames[$0]) } ?? ""
        head.append(
          PaintedText(
            TerminalText.padded(
              TerminalText.shortened(name, columns: nameWidth - 2), columns: nameWidth)))
      }
      let what = TerminalText.padded(line.what, columns: whatWidth)
      head.append(PaintedText(what + "  ", line.paint))
      page.paragraph(
        head, line.why, indent: timeWidth + 2 + nameWidth + whatWidth + 2)
    }
    if let rest = rest(isLong ? lines.filter({ $0.isAside }) : []) {
      page.paragraph(
        [PaintedText(TerminalText.spaces(timeWidth + 2))], rest, indent: timeWidth + 4, .dim)
    }
  }

  /// Returns what is to be said of what no line is shown for; nil if there is nothing.
  private func rest(_ asides: [StoryLine]) -> String? {
    let changes = asides.reduce(untold) { $0 + $1.changes }
    let others = asides.count { $0.changes == 0 }
    var parts: [String] = []
    if changes > 0 {
      parts.append("\(Plural.text(changes, "change")) of reading, buffer and link")
    }
    if others > 0 { parts.append(Plural.text(others, "other event")) }
    if parts.isEmpty { return nil }
    let isOne = changes + others == 1
    return "… \(parts.joined(separator: " and ")) \(isOne ? "is" : "are") not shown; "
      + "--format\(TerminalText.tie)jsonl has \(isOne ? "it" : "them")"
  }

  private func safe(_ text: String) -> String { TerminalText.safe(text) }
}

/// The records of a run by their instants: all that happen at one instant together.
private struct Moments: Sequence, IteratorProtocol {
  private var records: EventRecords.Iterator
  /// The first record of the next instant.
  private var ahead: EventRecord?

  init(_ records: EventRecords) {
    self.records = records.makeIterator()
    ahead = self.records.next()
  }

  mutating func next() -> ArraySlice<EventRecord>? {
    guard let first = ahead else { return nil }
    var moment = [first]
    ahead = records.next()
    while let record = ahead, record.instant == first.instant {
      moment.append(record)
      ahead = records.next()
    }
    return moment[...]
  }
}

/// What leads up to the stalls of a run, by the numbers of the records.
private struct StallPrelude {
  /// The last changes of likely-to-keep-up before stalls.
  private(set) var flags: Set<Int> = []
  /// The last changes of the link's rate before stalls, and the first behind them.
  private(set) var rates: Set<Int> = []

  init(_ records: EventRecords) {
    var lastFlags: [Int: [EventRecord]] = [:]
    var lastRate: Int?
    var isBehindStall = false
    for record in records {
      switch record.event.topic {
      case .buffer(.isLikelyToKeepUp):
        if let player = record.player {
          lastFlags[player] = (lastFlags[player] ?? []).suffix(1) + [record]
        }
      case .world(.linkRate), .world(.linkChanged):
        lastRate = record.number
        if isBehindStall { rates.insert(record.number) }
        isBehindStall = false
      case .playback(.stalled):
        // The buffer that runs empty is no longer likely to keep up, which leads up to nothing.
        if let player = record.player,
          let flag = lastFlags[player]?.last(where: { $0.instant < record.instant })
        {
          flags.insert(flag.number)
        }
        if let lastRate { rates.insert(lastRate) }
        isBehindStall = true
      case .buffer, .world, .playback, .request, .variant, .queue, .setting, .notice: break
      }
    }
  }
}

extension Event {
  /// Whether it is a change of reading, buffer or link.
  var isChange: Bool {
    switch topic {
    case .world(.linkRate), .world(.linkChanged), .request(_, .reading): true
    case .buffer: isFlagOfKeepingUp
    case .world, .request, .variant, .playback, .queue, .setting, .notice: false
    }
  }

  fileprivate var isRate: Bool {
    if case .linkRate = self { true } else { false }
  }

  fileprivate var isFlagOfKeepingUp: Bool {
    guard case .buffer(let news) = topic else { return false }
    return switch news {
    case .isLikelyToKeepUp, .isFull: true
    case .loadedTimeRange, .isEmpty, .ruleAnswer: false
    }
  }
}
