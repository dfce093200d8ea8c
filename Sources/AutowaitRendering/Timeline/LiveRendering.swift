import Autowait
import AutowaitScenario

/// Renders a run that is still going on, as a screen of a terminal.
package enum LiveRendering {
  /// What the screen shows besides the run.
  package struct Frame {
    /// What stands to the right of the title: the time, and how it runs.
    package var clock: String
    /// The player whose properties are shown.
    package var player: Int
    /// What stands above the keys.
    package var message: String
    /// The lines that say what keys do.
    package var keys: [String]
    /// What keys do, in the place of events; nothing, where those are shown.
    package var help: [(key: String, what: String)] = []
    /// The lines that the screen has.
    package var rows: Int

    package init(clock: String, player: Int, message: String, keys: [String], rows: Int) {
      (self.clock, self.player, self.message) = (clock, player, message)
      (self.keys, self.rows) = (keys, rows)
    }
  }

  /// The properties that say how a player stands, in the order of the stage demo.
  private static let properties: [Property] = [
    .timeControlStatus, .reasonForWaitingToPlay, .rate, .timebaseRate, .currentTime,
    .loadedTimeRanges, .isPlaybackLikelyToKeepUp, .isPlaybackBufferEmpty, .isPlaybackBufferFull,
  ]

  /// The columns in which keys stand before what they do.
  private static let helpIndent = 8

  /// Returns the lines of a screen, with the last events of the run that there is room for.
  package static func lines(
    _ result: RunResult, strip: [RunResult.Sample], _ frame: Frame, style: TextStyle
  ) -> [String] {
    let top = top(result, strip, frame, style)
    let bottom = bottom(frame, style)
    let room = frame.rows - top.count - bottom.count - 2
    let events = frame.help.isEmpty ? events(result, style) : help(frame, style)
    let shown = room > 0 ? events.suffix(room) : []
    let gap = Array(repeating: "", count: max(0, room - shown.count))
    let lines = top + [""] + shown + gap + [""] + bottom
    // Of a screen that is too low the end matters least, but for what is being asked.
    return lines.count <= frame.rows
      ? lines : Array(lines.prefix(max(0, frame.rows - bottom.count))) + bottom.suffix(frame.rows)
  }

  private static func top(
    _ result: RunResult, _ strip: [RunResult.Sample], _ frame: Frame, _ style: TextStyle
  ) -> [String] {
    var page = TextPage(style)
    let room = style.width - TerminalText.width(frame.clock) - 2
    let name = TerminalText.shortened(TerminalText.safe(result.scenario.title), columns: room)
    let gap = TerminalText.spaces(
      style.width - TerminalText.width(name) - TerminalText.width(frame.clock))
    page.line([PaintedText(name, .bold), PaintedText(gap), PaintedText(frame.clock, .bold)])
    page.separate()
    TimelineStrips(result, strip: strip, width: style.width).draw(on: &page, hasLegend: false)
    page.separate()
    if let sample = strip.last {
      let names = result.scenario.playerNames
      if names.count > 1 { page.line(TerminalText.safe(names[frame.player]), .bold) }
      page.paragraph([], state(sample, frame.player, result.scenario))
    }
    return lines(page.text)
  }

  /// Says how a player stands, as `rate 1   timebaseRate 0`.
  private static func state(
    _ sample: RunResult.Sample, _ player: Int, _ scenario: Scenario
  ) -> String {
    let snapshot = sample.players[player]
    let parts = properties.map { property in
      let text = TimelineTables.text(property, in: snapshot, of: player, scenario)
      return property.rawValue + TerminalText.tie
        + text.map {
          $0 == " " ? TerminalText.tie : String($0)
        }.joined()
    }
    return parts.joined(separator: " ·\u{20}")
  }

  private static func events(_ result: RunResult, _ style: TextStyle) -> [String] {
    var page = TextPage(style)
    TimelineEvents(result, isOngoing: result.finish != .settled).draw(on: &page)
    return lines(page.text)
  }

  private static func help(_ frame: Frame, _ style: TextStyle) -> [String] {
    var page = TextPage(style)
    for line in frame.help {
      page.paragraph([PaintedText(line.key)], line.what, indent: helpIndent)
    }
    return lines(page.text)
  }

  private static func bottom(_ frame: Frame, _ style: TextStyle) -> [String] {
    var page = TextPage(style)
    page.line(frame.message, .yellow)
    for line in frame.keys { page.line(line, .dim) }
    return lines(page.text)
  }

  private static func lines(_ text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
