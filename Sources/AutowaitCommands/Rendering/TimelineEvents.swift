import Autowait
import AutowaitScenario

/// Tells the events that matter: one line for all that happens to a player, or to the link, at one
/// instant, with the reason in words.
struct TimelineEvents {
  /// A line of the story.
  struct Line {
    var instant: Instant
    var player: Int?
    var what: String
    var why: String
    var paint = Paint.plain
    /// Whether the link goes down.
    var isOutage = false
    /// How long the link was down that is up again.
    var outage: TimeSpan?
    /// Whether the story can be followed without the line.
    var isAside = false
  }

  /// The most lines that are shown, and how many of the first and the last if there are more.
  private static let shownMax = (all: 40, first: 30, last: 5)
  /// The most changes of the link's rate, and of a player's flags while it plays, that are told.
  private static let asidesMax = 6

  private let scenario: Scenario
  private var lines: [Line] = []

  init(_ result: RunResult) {
    scenario = result.scenario
    let records = result.records
    var stories = scenario.world.players.indices.map { PlayerStory($0, scenario) }
    var flips = Array(repeating: 0, count: stories.count)
    for record in records where record.event.isFlagOfKeepingUp {
      if let player = record.player { flips[player] += 1 }
    }
    for index in stories.indices {
      stories[index].tellsFlagsWhilePlaying = flips[index] <= Self.asidesMax
    }
    let rates = records.count(where: \.event.isRate)
    var link = LinkStory(scenario, tellsRates: rates <= Self.asidesMax)
    var downLine: Int?
    var start = 0
    while start < records.count {
      var end = start
      while end < records.count, records[end].instant == records[start].instant { end += 1 }
      let moment = records[start..<end]
      for line in link.tell(moment) {
        if let outage = line.outage, let downLine {
          lines[downLine].why += " for \(TimelineNumbers.seconds(outage.nanoseconds))"
          // Of many changes the line of the outage says enough.
          if !link.tellsRates { continue }
        }
        if line.isOutage { downLine = lines.count }
        lines.append(line)
      }
      for player in players(of: moment) {
        if let line = stories[player].tell(moment) { lines.append(line) }
      }
      start = end
    }
    if let line = ending(result) { lines.append(line) }
  }

  /// Returns the players that an instant is about, ascending.
  private func players(of moment: ArraySlice<TraceRecord>) -> [Int] {
    var players: [Int] = []
    for record in moment {
      var player = record.player
      if case .step(let index) = record.event,
        case .player(let addressed, _) = scenario.world.script[index].action
      {
        player = addressed
      }
      if let player, players.last != player { players.append(player) }
    }
    players.sort()
    return players.indices.filter { $0 == 0 || players[$0] != players[$0 - 1] }.map { players[$0] }
  }

  private func ending(_ result: RunResult) -> Line? {
    func line(_ why: String) -> Line {
      Line(instant: result.end, player: nil, what: "end of run", why: why, paint: .yellow)
    }
    switch result.finish {
    case .settled: return nil
    case .horizon: return line("the time of the run is up, and things are still going on")
    case .stillWaiting: return line("the time of the run is up, and a player still waits")
    case .eventLimit:
      return line("the bound of \(scenario.world.eventsMax) events is reached")
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
    let note = "… \(lines.count - shown.count) more are left out; --format jsonl shows all"
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
    if isLong, !isCut { page.line("\(TerminalText.spaces(timeWidth))  \(note)", .dim) }
  }

  private func safe(_ text: String) -> String { TerminalText.safe(text) }
}

extension TraceEvent {
  fileprivate var isRate: Bool {
    if case .linkRate = self { true } else { false }
  }

  fileprivate var isFlagOfKeepingUp: Bool {
    switch self {
    case .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull: true
    default: false
    }
  }
}

/// Tells what happens to the link.
private struct LinkStory {
  private let scenario: Scenario
  let tellsRates: Bool
  private var downSince: Instant?

  init(_ scenario: Scenario, tellsRates: Bool) {
    self.scenario = scenario
    self.tellsRates = tellsRates
    if scenario.world.tracks.first?.samples.first?.rate == .zero { downSince = .start }
  }

  /// Tells the changes of the condition, of the rate if there are few, and all outages.
  mutating func tell(_ moment: ArraySlice<TraceRecord>) -> [TimelineEvents.Line] {
    moment.compactMap { record in
      switch record.event {
      case .linkChanged(let track, _):
        let name = TerminalText.safe(scenario.linkNames[track])
        let samples = scenario.world.tracks[track].samples
        guard let rate = samples.first?.rate else { return nil }
        let text = samples.count > 1 ? "\(TimelineNumbers.text(rate)) at first" : nil
        return line(record.instant, rate, "\(name): ", text)
      case .linkRate(let rate):
        if !tellsRates, rate != .zero, downSince == nil { return nil }
        return line(record.instant, rate, "", nil)
      default: return nil
      }
    }
  }

  private mutating func line(
    _ instant: Instant, _ rate: BitRate, _ prefix: String, _ text: String?
  ) -> TimelineEvents.Line {
    var line = TimelineEvents.Line(instant: instant, player: nil, what: "link", why: prefix)
    line.isAside = !tellsRates
    if rate == .zero {
      line.what = "link down"
      line.why += "nothing arrives"
      line.paint = .red
      line.isOutage = true
      downSince = downSince ?? instant
      return line
    }
    line.why += text ?? TimelineNumbers.text(rate)
    if let downSince {
      line.what = "link up"
      line.outage = instant - downSince
      self.downSince = nil
    }
    return line
  }
}
