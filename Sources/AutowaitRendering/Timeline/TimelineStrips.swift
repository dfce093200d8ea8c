import Autowait
import AutowaitScenario

/// Draws what happened over time: a ruler, and below it a strip for every state, buffer and link.
struct TimelineStrips {
  private let result: RunResult
  private let histories: [PlayerHistory]
  private let axis: TimelineAxis
  /// The samples of each column.
  private let samples: [[RunResult.Sample]]
  /// What the block at full height stands for.
  private let bufferMax: Int64
  private let linkMax: Int64
  private let hasSeveralPlayers: Bool
  /// What streams loaded, and what their variants are called.
  private let streams: [StreamHistory]
  private let rungs: [RungNames]

  /// The columns before the strips, which name them.
  static let gutter = 9

  init(_ result: RunResult, strip: [RunResult.Sample], width: Int) {
    self.result = result
    histories = PlayerHistory.all(result)
    axis = Self.axis(result, histories, width: width)
    hasSeveralPlayers = histories.count > 1
    streams = StreamHistory.all(result, RequestStory.all(result))
    rungs = streams.indices.map { RungNames(result.scenario, $0) }
    var samples = Array(repeating: [RunResult.Sample](), count: axis.columns)
    for sample in strip {
      let column = axis.column(of: sample.instant)
      if column < axis.columns, axis.instants(in: column).contains(sample.instant) {
        samples[column].append(sample)
      }
    }
    self.samples = samples
    // The legend speaks of what the columns show, not of what is left out.
    let gap = axis.gap
    let shown = strip.filter { sample in
      gap.map { sample.instant < $0.start || sample.instant >= $0.end } ?? true
    }
    let ahead = shown.flatMap { $0.players.map { $0.aheadOfPlayhead } }
    bufferMax = TimelineNumbers.rounded(ahead.max() ?? 0)
    linkMax = shown.map { $0.linkRate.bitsPerSecond }.max() ?? 0
  }

  /// The most records at whose instants a run is looked at.
  private static let recordsMax = 20_000

  /// Returns the instants at which the strips look at a run, ascending: some in each column, and
  /// those of its events, since the most that is ever buffered is buffered when something happens.
  static func instants(_ result: RunResult, width: Int) -> [Instant] {
    let axis = axis(result, PlayerHistory.all(result), width: width)
    var instants = (0..<axis.columns).flatMap { axis.instants(in: $0) }
    for record in result.records(max: recordsMax) {
      if record.event.isJump, record.instant > .start {
        instants.append(Instant(nanoseconds: record.instant.nanoseconds - 1))
      }
      if instants.last != record.instant { instants.append(record.instant) }
    }
    return result.distinct(instants)
  }

  private static func axis(
    _ result: RunResult, _ histories: [PlayerHistory], width: Int
  ) -> TimelineAxis {
    TimelineAxis(
      until: result.end, quietSince: result.quietSince(histories), columnsMax: width - gutter)
  }

  /// Draws the strips and their legends, unless all is over at once.
  func draw(on page: inout TextPage, hasLegend: Bool = true) {
    if axis.isEmpty { return }
    let ruler = axis.ruler()
    page.line([gap, PaintedText(ruler.labels, .dim)])
    page.line([gap, PaintedText(ruler.marks, .dim)])
    let states = histories.map { $0.completed(untilEnd($0.strip(axis)), axis) }
    for (player, strip) in states.enumerated() {
      if hasSeveralPlayers {
        page.line(TerminalText.safe(result.scenario.playerNames[player]), .bold)
      }
      page.line([label("state")] + pieces(strip.map { (text: String($0.symbol), paint: $0.paint) }))
      page.line([label("buffer")] + pieces(buffer(player).map { (text: $0, paint: .plain) }))
      if rungs[player].variantCountMax > 1 {
        page.line([label("plays")] + pieces(symbols(of: plays(player), player)))
        page.line([label("loads")] + pieces(loads(player)))
      }
    }
    page.line([PaintedText(TerminalText.padded("link", columns: Self.gutter))] + pieces(link()))
    if !hasLegend { return }
    page.separate()
    legend(states, on: &page)
  }

  /// Returns a strip without what lies behind a run that was cut off.
  private func untilEnd(_ strip: [StripState]) -> ArraySlice<StripState> {
    let last = axis.column(of: result.end)
    if result.finish == .settled || last >= strip.count { return strip[...] }
    // Of a column that only begins when the run ends, nothing is seen but what happened just then.
    let isOver = last > 0 && result.end.nanoseconds % axis.span == 0
    return strip[...(isOver && strip[last] == strip[last - 1] ? last - 1 : last)]
  }

  private var gap: PaintedText { PaintedText(TerminalText.spaces(Self.gutter)) }

  private func label(_ name: String) -> PaintedText {
    PaintedText(TerminalText.padded((hasSeveralPlayers ? "  " : "") + name, columns: Self.gutter))
  }

  /// Joins neighbours of one paint.
  private func pieces(_ symbols: [(text: String, paint: Paint)]) -> [PaintedText] {
    var pieces: [PaintedText] = []
    for (column, drawn) in symbols.enumerated() {
      let isBreak = column == axis.gap?.column
      let symbol = isBreak ? (text: String(TimelineAxis.breakSign), paint: .dim) : drawn
      if let last = pieces.last, last.paint == symbol.paint {
        pieces[pieces.count - 1].text += symbol.text
      } else {
        pieces.append(PaintedText(symbol.text, symbol.paint))
      }
    }
    return pieces
  }

  /// The least that lay ahead of the playhead in each column: a gap of any length is a gap.
  private func buffer(_ player: Int) -> [String] {
    samples.map { samples in
      Self.leastAhead(samples, player).map { block($0, of: bufferMax) } ?? " "
    }
  }

  private static func leastAhead(_ samples: [RunResult.Sample], _ player: Int) -> Int64? {
    samples.map { $0.players[player].aheadOfPlayhead }.min()
  }

  private static func meanRate(_ samples: [RunResult.Sample]) -> Int64? {
    if samples.isEmpty { return nil }
    let sum = samples.reduce(Int128(0)) { $0 + Int128($1.linkRate.bitsPerSecond) }
    return Int64(sum / Int128(samples.count))
  }

  /// An outage is seen if it lasts so long, or an eighth of a column.
  ///
  /// Shorter ones are what a trace of single packets is made of, and no more than a lower rate.
  private static let outageSpanMin: Int64 = 100_000_000

  /// The mean rate of the link in each column, or that it was down.
  private func link() -> [(text: String, paint: Paint)] {
    let least = min(Self.outageSpanMin, axis.span / 8)
    var isDown = samples.map { _ in false }
    for outage in result.outages where (outage.end - outage.start).nanoseconds >= least {
      let last = axis.column(of: Instant(nanoseconds: outage.end.nanoseconds - 1))
      for column in axis.column(of: outage.start)...max(last, axis.column(of: outage.start))
      where isDown.indices.contains(column) {
        isDown[column] = true
      }
    }
    return samples.enumerated().map { column, samples in
      if isDown[column] {
        let isUp = samples.contains { $0.linkRate != .zero }
        return isUp ? ("▾", .red) : ("×", .red)
      }
      return (Self.meanRate(samples).map { block($0, of: linkMax) } ?? " ", .plain)
    }
  }

  /// Returns the block whose height is the part, rounded up, so that only nothing is empty.
  private func block(_ part: Int64, of whole: Int64) -> String {
    if part <= 0 || whole <= 0 { return " " }
    let eighths = (Int128(part) * 8 + Int128(whole) - 1) / Int128(whole)
    return String("▁▂▃▄▅▆▇█".prefix(Int(min(eighths, 8))).suffix(1))
  }

  private func legend(_ strips: [ArraySlice<StripState>], on page: inout TextPage) {
    let present = StripState.allCases.filter { state in
      strips.contains { $0.contains(state) }
    }
    var entries = present.map { "\($0.symbol) \($0.meaning)" }
    if let gap = axis.gap { entries.append(left(gap)) }
    if bufferMax > 0 {
      entries.append("buffer █ \(TimelineNumbers.seconds(bufferMax)) ahead")
    } else {
      entries.append("buffer always empty")
    }
    if linkMax > 0 {
      let rate = BitRate(bitsPerSecond: TimelineNumbers.rounded(linkMax))
      entries.append("link █ \(LinkText.rate(rate))")
    }
    let link = link()
    if link.contains(where: { $0.0 == "×" }) { entries.append("× down") }
    if link.contains(where: { $0.0 == "▾" }) { entries.append("▾ down for a while") }
    entries.append("a column is \(axis.spanText)")
    draw(entries, on: &page)
    draw(variantEntries(), on: &page)
  }

  /// Says how much a break leaves out, and what players did all the while.
  private func left(_ gap: TimelineAxis.Break) -> String {
    let length = TimelineNumbers.seconds((gap.end - gap.start).nanoseconds)
    let states = histories.map { $0.state(at: gap.start) }
    let isOne = states.allSatisfy { $0 == states.first }
    let what = isOne ? states.first?.lasting : nil
    return "\(TimelineAxis.breakSign) \(length) \(what.map { $0 + ", " } ?? "")left out"
  }

  private func draw(_ entries: [String], on page: inout TextPage) {
    if entries.isEmpty { return }
    var line = ""
    for entry in entries {
      let joined = line.isEmpty ? entry : line + "   " + entry
      if !line.isEmpty, TerminalText.width(joined) > page.width - Self.gutter {
        page.line([gap, PaintedText(line, .dim)])
        line = entry
      } else {
        line = joined
      }
    }
    page.line([gap, PaintedText(line, .dim)])
  }
}

// MARK: - Streams

extension TimelineStrips {
  /// The variant that was seen last in each column.
  private func plays(_ player: Int) -> [StreamHistory.ItemVariant?] {
    samples.map { samples in
      for sample in samples.reversed() {
        let snapshot = sample.players[player]
        guard let item = snapshot.currentItem, snapshot.timebaseRate != .zero else { continue }
        if let choice = streams[player].variant(
          at: snapshot.currentTime, of: item, before: sample.instant)
        {
          return choice
        }
      }
      return nil
    }
  }

  /// The variant that was being loaded last in each column.
  private func loaded(_ player: Int) -> [StreamHistory.ItemVariant?] {
    var columns = [StreamHistory.ItemVariant?](repeating: nil, count: axis.columns)
    for load in streams[player].loads {
      let first = axis.column(of: load.request.opened)
      // What ends as a column begins is not in it.
      let last = axis.column(of: Instant(nanoseconds: max(0, load.end.nanoseconds - 1)))
      for column in first...max(first, last) where columns.indices.contains(column) {
        columns[column] = load.choice
      }
    }
    return columns
  }

  /// The strip of what was loaded, with what went wrong and what was given up.
  private func loads(_ player: Int) -> [(text: String, paint: Paint)] {
    var strip = symbols(of: loaded(player), player)
    for (sign, paint, instants) in marks(player) {
      for column in instants.map({ axis.column(of: $0) }) where strip.indices.contains(column) {
        strip[column] = (sign, paint)
      }
    }
    return strip
  }

  private func marks(_ player: Int) -> [(sign: String, Paint, instants: [Instant])] {
    [("○", .yellow, streams[player].givenUp), ("✗", .red, streams[player].errors)]
  }

  /// Returns the signs of variants; where another one begins it stands out.
  private func symbols(
    of choices: [StreamHistory.ItemVariant?], _ player: Int
  ) -> [(text: String, paint: Paint)] {
    var last: StreamHistory.ItemVariant?
    return choices.map { choice in
      guard let choice else { return (" ", .plain) }
      let isNew = last != nil && choice != last
      last = choice
      return (String(rungs[player].sign(choice)), isNew ? .bold : .plain)
    }
  }

  /// What the signs of variants stand for, from the lowest rate up.
  private func variantEntries() -> [String] {
    var entries: [String] = []
    var signs: [String] = []
    // Equal signs of several players may mean different variants.
    let media = streams.indices.filter { rungs[$0].variantCountMax > 1 }
      .map { result.scenario.world.players[$0].media }
    let isAmbiguous = media.contains { $0 != media.first }
    for player in streams.indices where rungs[player].variantCountMax > 1 {
      let name = TerminalText.safe(result.scenario.playerNames[player])
      let prefix = isAmbiguous ? TerminalText.shortened(name, columns: 12) + " " : ""
      let shown = (plays(player) + loaded(player)).compactMap { $0 }
      let choices = shown.indices.filter { shown[..<$0].contains(shown[$0]) == false }
        .map { shown[$0] }
        .sorted { ($0.item, rungs[player].rung($0)) < ($1.item, rungs[player].rung($1)) }
      for choice in choices {
        let entry = prefix + rungs[player].legend(choice)
        if !entries.contains(entry) { entries.append(entry) }
      }
      for (sign, _, instants) in marks(player) where !instants.isEmpty && !signs.contains(sign) {
        signs.append(sign)
      }
    }
    return entries + signs.map { $0 == "○" ? "○ given up" : "✗ went wrong" }
  }
}
