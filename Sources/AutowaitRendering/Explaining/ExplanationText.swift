import AutowaitExperiment
import AutowaitFigures
import AutowaitScenario

/// Says in sentences why the players of a run waited, and what would have spared them that.
package enum ExplanationText {
  /// Nothing narrower can be read.
  private static let widthMin = 40
  private static let indent = 15

  /// Returns the text.
  package static func text(_ run: RunExplanation, style: TextStyle) -> String {
    let width = max(style.width, widthMin)
    var page = TextPage(TextStyle(width: width, usesColor: style.usesColor))
    let scenario = run.result.scenario
    page.line(TerminalText.safe(scenario.title), .bold)
    for explanation in run.explanations {
      if run.explanations.count > 1 {
        page.separate()
        page.line(TerminalText.safe(scenario.playerNames[explanation.player]), .bold)
      }
      for section in ExplanationSection.all(run, explanation) {
        page.separate()
        page.line(section.title, section.isAside ? .dim : .bold)
        for line in section.lines { draw(line, on: &page) }
      }
    }
    page.separate()
    let runs = run.explanations.reduce(0) { $0 + $1.runCount }
    page.paragraph([], "found by running it \(Plural.text(runs, "time"))", .dim)
    return page.text
  }

  private static func draw(_ line: ExplanationSection.Line, on page: inout TextPage) {
    for (number, text) in line.texts.enumerated() {
      let head = TerminalText.padded(number == 0 ? "  \(line.head)" : "", columns: indent)
      page.paragraph([PaintedText(head, .dim)], text, indent: indent)
    }
  }
}
