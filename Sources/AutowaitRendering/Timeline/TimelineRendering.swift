import Autowait
import AutowaitScenario

/// Renders a run for people: strips over time, what happened and why, and what it came to.
///
/// Times are rounded to a microsecond; the log and the JSON object hold them exactly.
package enum TimelineRendering {
  /// The widths that make sense; others are brought to the nearest of them.
  package static let widths = 40...400

  /// Returns the instants at which the strips look at a run, ascending.
  ///
  /// They depend on the run, so it is run twice: once to know them, once to sample them.
  package static func stripInstants(_ result: RunResult, width: Int) -> [Instant] {
    TimelineStrips.instants(result, width: clamped(width))
  }

  /// Renders a run whose strips were sampled at `stripInstants(_:width:)` of the style's width;
  /// with the state at one more instant, also the players' properties then.
  ///
  /// A function says why expectations about waiting were missed.
  package static func text(
    _ result: RunResult, strip: [RunResult.Sample], table: RunResult.Sample?, style: TextStyle,
    why: (Outcome) -> [String] = { _ in [] }
  ) -> String {
    var page = TextPage(
      TextStyle(width: clamped(style.width), usesColor: style.usesColor))
    title(result.scenario, on: &page)
    page.separate()
    TimelineStrips(result, strip: strip, width: page.width).draw(on: &page)
    link(result.scenario, on: &page)
    page.separate()
    TimelineEvents(result).draw(on: &page)
    if let table {
      page.separate()
      TimelineTables.properties(table, result.scenario, on: &page)
    }
    TimelineStreams.startup(result, on: &page)
    page.separate()
    TimelineTables.metrics(result, on: &page)
    TimelineStreams.accessLog(result, on: &page)
    page.separate()
    TimelineTables.expectations(result, why: why, on: &page)
    return page.text
  }

  /// Renders the strips of a run alone.
  package static func strips(
    _ result: RunResult, strip: [RunResult.Sample], style: TextStyle
  ) -> String {
    var page = TextPage(
      TextStyle(width: clamped(style.width), usesColor: style.usesColor))
    TimelineStrips(result, strip: strip, width: page.width).draw(on: &page)
    return page.text
  }

  private static func clamped(_ width: Int) -> Int {
    min(max(width, widths.lowerBound), widths.upperBound)
  }

  /// Says how exactly the link is modelled, and why.
  private static func link(_ scenario: Scenario, on page: inout TextPage) {
    let name = TerminalText.shortened(TerminalText.safe(scenario.linkNames[0]), columns: 40)
    page.paragraph(
      [PaintedText(TerminalText.spaces(TimelineStrips.gutter))],
      "\(name), \(LinkText.sentence(for: scenario.world.tierChoice))", .dim)
  }

  private static func title(_ scenario: Scenario, on page: inout TextPage) {
    let seed = "seed \(scenario.world.seed)"
    let name = TerminalText.safe(scenario.title)
    let room = page.width - seed.utf8.count - 2
    if TerminalText.width(name) <= room {
      let gap = TerminalText.spaces(page.width - TerminalText.width(name) - seed.utf8.count)
      page.line([PaintedText(name, .bold), PaintedText(gap + seed, .dim)])
    } else {
      for line in TerminalText.wrapped(name, columns: page.width) { page.line(line, .bold) }
      page.line(seed, .dim)
    }
    for line in TerminalText.wrapped(TerminalText.safe(scenario.about), columns: page.width) {
      page.line(line, .dim)
    }
  }
}
