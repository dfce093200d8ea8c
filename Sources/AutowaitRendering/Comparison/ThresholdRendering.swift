import Autowait
import AutowaitExperiment
import AutowaitFigures
import AutowaitScenario

/// Shows whether sessions are within thresholds.
package enum ThresholdRendering {
  /// The most lines; of more, those that are within their thresholds are only counted.
  private static let linesMax = 60

  /// A verdict as people read it.
  struct Line {
    let sign: String
    let paint: Paint
    /// Where the threshold stands.
    let place: String
    /// The contestant and the threshold.
    let text: String
    /// What the sessions amount to.
    let observed: String
  }

  /// Returns the verdicts line by line, and how many more are within their thresholds.
  static func lines(_ result: ExperimentResult) -> (lines: [Line], left: Int) {
    let all = result.verdicts
    let shown = all.count > linesMax ? all.filter { $0.state != .held } : all
    let lines = shown.prefix(linesMax).map { verdict in
      Line(
        sign: sign(verdict), paint: paint(verdict), place: "line \(verdict.threshold.line)",
        text: text(verdict, result), observed: observed(verdict))
    }
    return (lines, all.count - lines.count)
  }

  /// Returns the contestant and the threshold: `vlc: p95 of stallCount <= 1`.
  package static func text(_ verdict: ThresholdVerdict, _ result: ExperimentResult) -> String {
    "\(result.contestants[verdict.contestant].name): \(verdict.threshold.text)"
  }

  private static func sign(_ verdict: ThresholdVerdict) -> String {
    switch verdict.state {
    case .held: "✓"
    case .doubtful: "?"
    case .crossed, .unjudged: verdict.threshold.level == .warn ? "!" : "✗"
    }
  }

  private static func paint(_ verdict: ThresholdVerdict) -> Paint {
    switch verdict.state {
    case .held: .green
    case .doubtful: .yellow
    case .crossed, .unjudged: verdict.threshold.level == .warn ? .yellow : .red
    }
  }

  /// Returns what the sessions amount to, or why nothing can be said.
  package static func observed(_ verdict: ThresholdVerdict) -> String {
    guard let observed = verdict.observed else { return verdict.reason ?? "" }
    var text = "is \(number(observed.value, verdict, observed.scale))"
    if case .difference = verdict.threshold.statistic {
      text = "is \(signed(observed.value, verdict, observed.scale))"
      if let relative = observed.relative {
        text += ", \(relative > 0 ? "+" : "")\(FigureDecimal.text(relative, digits: 4)) %"
      }
      if let interval = observed.interval {
        let ends = [interval.lowerBound, interval.upperBound].map {
          signed($0, verdict, observed.scale)
        }
        text += ", 95 % interval \(ends[0]) … \(ends[1])"
      }
    }
    let count = verdict.count
    let of = count == verdict.valid ? "" : " of \(verdict.valid)"
    text += ", in \(count)\(of) \(verdict.valid == 1 ? "session" : "sessions")"
    if verdict.state == .doubtful { text += "; only a part of the interval is beyond the bound" }
    return text
  }

  private static func signed(
    _ value: Int64, _ verdict: ThresholdVerdict, _ scale: ThresholdVerdict.Scale
  ) -> String {
    (value > 0 ? "+" : "") + number(value, verdict, scale)
  }

  private static func number(
    _ value: Int64, _ verdict: ThresholdVerdict, _ scale: ThresholdVerdict.Scale
  ) -> String {
    switch scale {
    case .nanoseconds: return "\(OutcomeRendering.seconds(value)) s"
    case .millionths: return FigureDecimal.text(value, digits: 6)
    case .billionths: return "\(FigureDecimal.text(value, digits: 7)) %"
    case .things:
      switch verdict.threshold.figure?.unit {
      case .bytes: return "\(value) B"
      case .bitRate: return "\(value) bit/s"
      case .time, .count, .ratio, nil: return "\(value)"
      }
    }
  }

  // MARK: On a page

  /// Draws the verdicts; nothing without thresholds.
  static func draw(_ result: ExperimentResult, on page: inout TextPage) {
    let (lines, left) = lines(result)
    if lines.isEmpty, left == 0 { return }
    page.separate()
    page.line("Thresholds", .bold)
    for line in lines {
      let head = "\(line.sign) \(line.place)  "
      page.paragraph(
        [PaintedText("\(line.sign) ", line.paint), PaintedText("\(line.place)  ", .dim)],
        TerminalText.safe("\(line.text), \(line.observed)"), indent: TerminalText.width(head))
    }
    if left > 0 { page.line("✓ \(left) more", .dim) }
  }

  /// Returns the verdicts as a table; nil without thresholds.
  static func table(_ result: ExperimentResult) -> Table? {
    let (lines, left) = lines(result)
    if lines.isEmpty, left == 0 { return nil }
    let columns = ["", "threshold", "sessions"].map { Table.Column($0) }
    var rows = lines.map { line in
      var sign = Table.Cell(line.sign)
      sign.isAlarm = line.paint == .red
      return Table.TableRow(
        [sign, Table.Cell("\(line.text) (\(line.place))"), Table.Cell(line.observed)])
    }
    if left > 0 { rows.append(Table.TableRow(["✓", "\(left) more", ""].map { Table.Cell($0) })) }
    var table = Table(columns: columns, rows: rows)
    table.caption = "Thresholds"
    return table
  }

  /// Returns the verdicts as a list of Markdown, in which a function escapes what is a sign there.
  static func markdown(_ result: ExperimentResult, _ escaped: (String) -> String) -> String {
    let (lines, left) = lines(result)
    if lines.isEmpty, left == 0 { return "" }
    var text = "\n### Thresholds\n\n"
    for line in lines {
      text += "- \(line.sign) \(escaped("\(line.text), \(line.observed)")) (\(line.place))\n"
    }
    return left > 0 ? text + "- ✓ \(left) more\n" : text
  }

  /// Writes the verdicts into a comparison; nothing without thresholds.
  static func write(_ result: ExperimentResult, into writer: inout JSONWriter) {
    if result.plan.thresholds.isEmpty { return }
    writer.objects("thresholds", result.verdicts) { writer, verdict in
      writer.field("line", Int64(verdict.threshold.line))
      writer.field("contestant", text: result.contestants[verdict.contestant].name)
      writer.field("threshold", text: verdict.threshold.text)
      writer.field("level", text: verdict.threshold.level.rawValue)
      writer.field("state", text: verdict.state.rawValue)
      if let reason = verdict.reason { writer.field("reason", text: reason) }
      writer.field("sessions", verdict.valid)
      guard let observed = verdict.observed else { return }
      writer.field("counted", verdict.count)
      writer.key("observed")
      write(observed.value, observed.scale, &writer)
      guard case .difference = verdict.threshold.statistic else { return }
      writer.number("relative", observed.relative, .ratio)
      if let interval = observed.interval {
        writer.array("interval", [interval.lowerBound, interval.upperBound]) {
          write($1, observed.scale, &$0)
        }
      } else {
        writer.nullField("interval")
      }
    }
  }

  private static func write(
    _ value: Int64, _ scale: ThresholdVerdict.Scale, _ writer: inout JSONWriter
  ) {
    switch scale {
    case .nanoseconds: writer.number(value, .time)
    case .things: writer.number(value, .count)
    case .millionths: writer.number(value, .ratio)
    // A share of all is 1; billionths are written like nanoseconds.
    case .billionths: writer.number(value, .time)
    }
  }
}
