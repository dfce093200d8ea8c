import Autowait
import AutowaitScenario

/// Renders rules by which players start and go on, with their numbers.
package enum HeuristicRendering {
  /// The columns that names take.
  private static let nameColumns = 25

  /// Returns a list of heuristics, each in a sentence with its numbers and its version.
  package static func table(
    _ heuristics: [Heuristic], _ choosing: [AdaptationRules.Entry], width: Int
  ) -> String {
    var page = TextPage(TextStyle(width: width, usesColor: false))
    if !heuristics.isEmpty { page.line("Starting and resuming: 'heuristic'") }
    for heuristic in heuristics {
      let head = TerminalText.padded(heuristic.name, columns: nameColumns)
      page.paragraph([PaintedText(head)], "\(heuristic.summary) [\(heuristic.version)]")
    }
    if !heuristics.isEmpty { page.separate() }
    if !choosing.isEmpty {
      page.line("Choosing variants of streams: 'rule' of the player's 'streaming'")
    }
    for rule in choosing {
      let head = TerminalText.padded(rule.name, columns: nameColumns)
      page.paragraph([PaintedText(head)], "\(rule.about) [\(rule.version)]")
    }
    page.separate()
    page.paragraph([], legend)
    return page.text
  }

  private static let legend = """
    In brackets: the version whose source was read. 'autowait list heuristics NAME' shows the \
    source of one rule, and the parameters that a scenario can replace.
    """

  /// Returns all that is to be said about one heuristic, and about what recordings of its players
  /// add to it.
  package static func page(
    _ heuristic: Heuristic, measured: [String] = [], width: Int
  ) -> String {
    var page = head(
      "\(heuristic.name): \(heuristic.summary)", heuristic.version, heuristic.source, width)
    if heuristic.latency != LatencyPolicy() {
      let (start, resume) = (heuristic.latency.preroll, heuristic.latency.resume)
      let text = [start, resume].map { OutcomeRendering.seconds($0.nanoseconds) }
      page.paragraph(
        [PaintedText(TerminalText.padded("latency", columns: 10))],
        "measured: \(text[0]) s from its condition to its clock (preroll), \(text[1]) s after a "
          + "stall (resume)")
    }
    if heuristic.requestOrder != .furthestBehind {
      page.paragraph(
        [PaintedText(TerminalText.padded("requests", columns: 10))],
        "recorded: \(heuristic.requestOrder.word) (requestOrder)")
    }
    if let timeouts = heuristic.timeouts {
      page.paragraph([PaintedText(TerminalText.padded("waits", columns: 10))], waits(timeouts))
    }
    for (place, values) in measured.enumerated() {
      let head = TerminalText.padded(place == 0 ? "measured" : "", columns: 10)
      page.paragraph([PaintedText(head)], values)
    }
    if !heuristic.parameters.isEmpty { page.separate() }
    let values = heuristic.parameters.map { text($0) }
    let wide = values.reduce(0) { max($0, TerminalText.width($1)) }
    let longest = heuristic.parameters.reduce(0) { max($0, TerminalText.width($1.name)) }
    for (parameter, value) in zip(heuristic.parameters, values) {
      let name = TerminalText.padded(parameter.name, columns: max(20, longest + 2))
      let head = name + TerminalText.rightAligned(value, columns: wide) + "  "
      page.paragraph([PaintedText(head)], parameter.about)
    }
    page.separate()
    page.paragraph([], "In a scenario: \(example(heuristic))")
    return page.text
  }

  /// How long a player waits for requests of a stream.
  private static func waits(_ timeouts: RequestTimeouts) -> String {
    func seconds(_ span: TimeSpan) -> String {
      "\(OutcomeRendering.seconds(span.nanoseconds)) s"
    }
    var limits: [String] = []
    if let answer = timeouts.answer {
      limits.append("\(seconds(answer)) for an answer (answerTimeout)")
    }
    if let silence = timeouts.silence {
      limits.append("\(seconds(silence)) for more of it (silenceTimeout)")
    }
    if let whole = timeouts.whole { limits.append("\(seconds(whole)) in all (wholeTimeout)") }
    if limits.isEmpty { return "without a limit (ownTimeouts)" }
    var text = limits.joined(separator: ", ")
    if timeouts.retriesMax > 0 {
      let times = timeouts.retriesMax == 1 ? "once" : "\(timeouts.retriesMax) times"
      let what = timeouts.keepsData ? "for the rest " : ""
      text += "; then asks \(what)\(times) more (timeoutRetries)"
    }
    if timeouts.retryDelay > .zero {
      text += ", after \(seconds(timeouts.retryDelay)) (timeoutRetryDelay)"
    }
    return text
  }

  /// Returns all that is to be said about a rule that chooses among variants.
  package static func page(_ rule: AdaptationRules.Entry, width: Int) -> String {
    var page = head(
      "\(rule.name), choosing variants: \(rule.about)", rule.version, rule.source, width)
    page.separate()
    page.paragraph([], "In a scenario: \"player\": {\"streaming\": {\(example(rule))}}")
    return page.text
  }

  /// Returns how a scenario names a rule that chooses among variants, with the options that it has.
  private static func example(_ entry: AdaptationRules.Entry) -> String {
    let name = "\"rule\": \"\(entry.name)\""
    switch entry.rule {
    case .avfoundation:
      return name + ", \"climb\": \"80 %\", \"rungsAfterStall\": 2, \"abandonedAfter\": \"2 s\""
    case .throughput: return name + ", \"safety\": \"90 %\", \"segments\": 5"
    case .modelled(let policy):
      return "\"rule\": {\"name\": \"\(entry.name)\", \"abandons\": \(policy.abandons), "
        + "\"measuresFirst\": \(policy.measuresFirst)}"
    case .fixed, .scripted: return name
    }
  }

  /// Begins the page of a rule of either kind.
  private static func head(
    _ sentence: String, _ version: String, _ source: String, _ width: Int
  ) -> TextPage {
    var page = TextPage(TextStyle(width: width, usesColor: false))
    page.paragraph([], sentence)
    page.separate()
    for (head, text) in [("version", version), ("source", source)] {
      page.paragraph([PaintedText(TerminalText.padded(head, columns: 10))], text)
    }
    return page
  }

  /// Writes a rule that chooses among variants.
  package static func write(_ rule: AdaptationRules.Entry, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("kind", text: "adaptation")
    writer.field("name", text: rule.name)
    writer.field("about", text: rule.about)
    writer.field("version", text: rule.version)
    writer.field("source", text: rule.source)
    writer.endObject()
  }

  /// Returns how a scenario names the heuristic, with a parameter if it has one.
  private static func example(_ heuristic: Heuristic) -> String {
    guard let parameter = heuristic.parameters.first(where: { $0.value != nil }) else {
      return "\"heuristic\": \"\(heuristic.name)\""
    }
    let value = text(parameter)
    let written = parameter.kind == .ratio ? value : "\"\(value)\""
    return "\"heuristic\": {\"rule\": \"\(heuristic.name)\", \"\(parameter.name)\": \(written)}"
  }

  /// Returns a parameter's value as a scenario writes it.
  package static func text(_ parameter: HeuristicParameter) -> String {
    guard let value = parameter.value else { return "null" }
    switch parameter.kind {
    case .time, .optionalTime:
      if value % 1_000_000_000 != 0, value % 1_000_000 == 0 { return "\(value / 1_000_000) ms" }
      return OutcomeRendering.seconds(value) + " s"
    case .size, .optionalSize: return "\(value) B"
    case .ratio: return value.fixedPoint(1_000_000)
    }
  }

  /// Writes a heuristic with its parameters, and with the rule that its own values come to.
  package static func write(_ heuristic: Heuristic, into writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("kind", text: "startup")
    writer.field("name", text: heuristic.name)
    writer.field("about", text: heuristic.summary)
    writer.field("version", text: heuristic.version)
    writer.field("source", text: heuristic.source)
    writer.objects("parameters", heuristic.parameters) { writer, parameter in
      writer.field("name", text: parameter.name)
      writer.field("about", text: parameter.about)
      writer.key("value")
      if let value = parameter.value {
        switch parameter.kind {
        case .time, .optionalTime: writer.seconds(nanoseconds: value)
        case .size, .optionalSize: writer.integer(value)
        case .ratio: writer.millionths(value)
        }
      } else {
        writer.null()
      }
    }
    writer.key("heuristic")
    heuristic.write(into: &writer)
    writer.endObject()
  }
}
