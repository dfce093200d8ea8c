import Autowait
import AutowaitScenario

/// Draws the tables below the events: properties, metrics and expectations.
enum TimelineTables {
  /// The properties that the stage demo shows, in its order.
  private static let demo: [Property] = [
    .timeControlStatus, .reasonForWaitingToPlay, .rate, .timebaseRate, .currentTime,
    .loadedTimeRanges, .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull, .isPlaybackBufferEmpty,
  ]

  /// Draws what an application would read from each player at an instant.
  static func properties(
    _ sample: RunResult.Sample, _ scenario: Scenario, on page: inout TextPage
  ) {
    // This instant was asked for; a nanosecond may be what it is about.
    let instant = OutcomeRendering.seconds(sample.instant.nanoseconds)
    page.line("at \(instant)\(TerminalText.tie)s", .bold)
    let shown = shownProperties(scenario)
    let names = shown.map { $0.rawValue }
    let columns = sample.players.enumerated().map { number, player in
      shown.map {
        text($0, in: player, of: number, scenario) + chartSign($0, in: player, of: number, scenario)
      }
    }
    draw(names, columns, titles: titles(scenario), alignsRight: false, on: &page)
  }

  /// How the chart calls a variant, if otherwise: it counts them from 1 by their rates, and a
  /// scenario counts them from 0 as they come.
  private static func chartSign(
    _ property: Property, in player: PlayerSnapshot, of number: Int, _ scenario: Scenario
  ) -> String {
    guard property == .variant, case .count(let variant) = property.value(in: player),
      let item = player.currentItem
    else { return "" }
    let choice = StreamHistory.ItemVariant(item: item, variant: Int(variant))
    let sign = "\(RungNames(scenario, number).sign(choice))"
    return sign == "\(variant)" ? "" : ", \(sign) in the chart"
  }

  /// The properties that are shown of players: those of the stage demo, which item it is where
  /// there are several, and of streams some more.
  static func shownProperties(_ scenario: Scenario) -> [Property] {
    let players = scenario.world.players
    let hasItems = players.contains { $0.media.count > 1 || $0.queue != nil }
    let hasStreams = players.contains { $0.media.contains { $0.streamMedia != nil } }
    return demo + (hasItems ? [.currentItem] : [])
      + (hasStreams ? [.variant, .indicatedBitrate, .errorCount] : [])
  }

  /// Returns a property of a player, as people read it.
  static func text(
    _ property: Property, in player: PlayerSnapshot, of number: Int, _ scenario: Scenario
  ) -> String {
    switch (property, property.value(in: player)) {
    case (.indicatedBitrate, .count(let rate)):
      return TimelineNumbers.text(BitRate(bitsPerSecond: rate))
    case (.currentItem, .count(let item)):
      return scenario.word(forItem: Int(item), of: number)
    case (.variant, .count(let variant)):
      guard let item = player.currentItem else { return "\(variant)" }
      let choice = StreamHistory.ItemVariant(item: item, variant: Int(variant))
      return "\(variant): \(RungNames(scenario, number).name(choice))"
    case (_, let value): return text(value)
    }
  }

  /// The metrics that everybody asks for.
  private static let always: [Metric] = [
    .timeSpentInInitialStartup, .stallCount, .timeSpentRecoveringFromStall, .playbackDuration,
  ]

  /// Whether a metric says something about a run, or is one that everybody asks for.
  static func isShown(_ metric: Metric, _ result: RunResult) -> Bool {
    always.contains(metric)
      || result.metrics.contains {
        metric.isShown(in: $0) && (metric.value(in: $0)?.number ?? 0) != 0
      }
  }

  /// Draws the metrics that say something, and always those that everybody asks for.
  static func metrics(_ result: RunResult, on page: inout TextPage) {
    let shown = Metric.allCases.filter {
      isShown($0, result)
        && (always.contains($0) || !TimelineStreams.drawnMetrics.contains($0))
    }
    let columns = result.metrics.map { metrics in
      withAlignedUnits(
        shown.map { metric in metric.value(in: metrics).map { text($0, of: metric) } ?? "-" })
    }
    page.line("metrics", .bold)
    draw(
      shown.map { $0.rawValue }, columns, titles: titles(result.scenario), alignsRight: true,
      on: &page)
  }

  /// Fills up what follows the numbers, so that the numbers end in one column.
  private static func withAlignedUnits(_ values: [String]) -> [String] {
    let units = values.map { value in
      value.firstIndex(of: "\u{A0}").map { String(value[$0...]) } ?? ""
    }
    let width = units.map { TerminalText.width($0) }.max() ?? 0
    return zip(values, units).map { $0 + TerminalText.spaces(width - TerminalText.width($1)) }
  }

  /// Returns the players' names if there are several to tell apart.
  private static func titles(_ scenario: Scenario) -> [String]? {
    scenario.playerNames.count > 1
      ? scenario.playerNames.map { TerminalText.shortened(TerminalText.safe($0), columns: 28) }
      : nil
  }

  /// Draws names and, side by side if they fit, a column of values for each player.
  private static func draw(
    _ names: [String], _ columns: [[String]], titles: [String]?, alignsRight: Bool,
    on page: inout TextPage
  ) {
    let nameWidth = (names.map { $0.utf8.count }.max() ?? 0) + 2
    let widths = columns.indices.map { index in
      (columns[index] + [titles?[index] ?? ""]).map { TerminalText.width($0) }.max() ?? 0
    }
    var first = 0
    while first < columns.count {
      var last = first + 1
      var filled = nameWidth + widths[first] + 2
      while last < columns.count, filled + widths[last] + 2 <= page.width {
        filled += widths[last] + 2
        last += 1
      }
      let group = first..<last
      func align(_ text: String, _ column: Int) -> String {
        alignsRight
          ? TerminalText.rightAligned(text, columns: widths[column])
          : TerminalText.padded(text, columns: widths[column])
      }
      if let titles {
        let heading = group.map { align(titles[$0], $0) + "  " }.joined()
        page.line([
          PaintedText(TerminalText.spaces(nameWidth + 2)), PaintedText(heading, .bold),
        ])
      }
      for row in names.indices {
        let name = PaintedText(
          "  " + TerminalText.padded(names[row], columns: nameWidth), .dim)
        if group.count == 1, filled > page.width {
          page.paragraph([name], TerminalText.withoutTrailingSpaces(columns[first][row]))
        } else {
          page.line([name, PaintedText(group.map { align(columns[$0][row], $0) + "  " }.joined())])
        }
      }
      first = last
    }
  }

  /// Returns a property's value as AVFoundation spells it.
  private static func text(_ value: PropertyValue) -> String {
    switch value {
    case .time(let time): TimelineNumbers.text(time)
    case .rate(let rate): TimelineNumbers.text(rate)
    case .ranges(let ranges):
      "["
        + ranges.map { range in
          "[\(TimelineNumbers.bareSeconds(range.start.nanoseconds)), "
            + "\(TimelineNumbers.bareSeconds(range.end.nanoseconds))]"
        }.joined(separator: ", ") + "]"
    case .null, .word, .flag, .count: OutcomeRendering.text(value)
    }
  }

  /// Returns a metric's value with a unit; numbers without one stand where numbers stand.
  static func text(_ value: MetricValue, of metric: Metric) -> String {
    switch value {
    case .time(let span): return TimelineNumbers.seconds(span.nanoseconds)
    case .ratio: return OutcomeRendering.text(value)
    case .count(let count):
      switch metric.unit {
      case .bytes: return TimelineNumbers.text(ByteCount(bytes: count))
      case .bitRate: return TimelineNumbers.text(BitRate(bitsPerSecond: count))
      case .time, .count, .ratio: return OutcomeRendering.text(value)
      }
    }
  }
}

// MARK: - Expectations

extension TimelineTables {
  /// Draws each expectation with what became of it, how many were met, and the fingerprint.
  ///
  /// A function says why those were missed that are about waiting.
  static func expectations(
    _ result: RunResult, why: (Outcome) -> [String], on page: inout TextPage
  ) {
    let outcomes = (result.outcomes + result.warned).sorted {
      $0.expectation.line < $1.expectation.line
    }
    let lines = outcomes.map { "\($0.expectation.line)" }
    let lineWidth = lines.map { $0.utf8.count }.max() ?? 0
    for (outcome, line) in zip(outcomes, lines) {
      let isWarning = outcome.expectation.level == .warn
      let missed = isWarning ? PaintedText("!", .yellow) : PaintedText("✗", .red)
      let sign = outcome.isMet ? PaintedText("✓", .green) : missed
      let place = PaintedText(
        " line \(TerminalText.rightAligned(line, columns: lineWidth))  ", .dim)
      let room = page.width - 1 - TerminalText.width(place.text)
      let expected = OutcomeRendering.people(outcome.expectation.text)
      let text = TerminalText.safe(expected)
      page.line([sign, place, PaintedText(TerminalText.shortened(text, columns: room))])
      guard !outcome.isMet else { continue }
      let margin = PaintedText(TerminalText.spaces(page.width - room))
      for difference in differences(outcome, result.scenario) + why(outcome) {
        page.paragraph(
          [margin], TerminalText.safe(difference), indent: page.width - room,
          isWarning ? .yellow : .red)
      }
    }
    let missed = result.outcomes.count { !$0.isMet }
    let count = result.outcomes.count
    var summary = count == 0 ? "no expectations" : "\(Plural.text(count, "expectation")): "
    if count > 0 { summary += "\(count - missed) met" + (missed > 0 ? ", \(missed) not" : "") }
    let warnings = result.warned.count { !$0.isMet }
    if warnings > 0 { summary += "; \(Plural.text(warnings, "warning"))" }
    let print = "fingerprint \(LogRendering.hexadecimal(result.fingerprint))"
    let gap = page.width - summary.utf8.count - print.utf8.count
    if gap >= 2 {
      page.line([
        PaintedText(summary, missed > 0 ? .red : .plain),
        PaintedText(TerminalText.spaces(gap) + print, .dim),
      ])
    } else {
      page.line(summary, missed > 0 ? .red : .plain)
      page.line(print, .dim)
    }
  }

  /// Returns what was observed beside what was expected.
  static func differences(_ outcome: Outcome, _ scenario: Scenario) -> [String] {
    if case .instant(let instant?) = outcome.observation {
      let place = "at \(OutcomeRendering.seconds(instant.nanoseconds)) s"
      switch outcome.expectation.kind {
      case .always: return ["did not hold \(place)"]
      case .never: return ["held \(place)"]
      case .eventually: return ["held only \(place)"]
      case .snapshot, .snapshotAtEvent, .sequence, .metric, .finish: break
      }
    }
    guard case .properties(let properties) = outcome.observation else {
      return ["observed: " + OutcomeRendering.observed(outcome, scenario)]
    }
    let lines = properties.filter { !$0.holds }.map { property in
      let test = property.test
      let sign = test.comparison == .equal ? "" : "\(test.comparison.word) "
      let values = [test.expected, property.observed].map {
        OutcomeRendering.text($0, of: test, outcome.expectation, scenario)
      }
      return "\(test.property.rawValue): expected \(sign)\(values[0]), observed \(values[1])"
    }
    return lines + [outcome.expectation.impossible].compactMap { $0 }
  }
}
