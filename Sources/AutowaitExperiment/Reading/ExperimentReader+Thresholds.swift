import Autowait
import AutowaitScenario

/// Reading bounds on what sessions amount to.
extension ExperimentReader {
  /// A threshold, and what can only be read when all sessions are known.
  struct ThresholdDraft {
    var threshold: Threshold
    let of: JSONValue?
    let sessions: JSONValue?
  }

  /// Reads all thresholds but for what depends on the contestants and worlds.
  func thresholds(_ elements: JSONElements) -> [ThresholdDraft] {
    elements.flatMap { element -> [ThresholdDraft] in
      var fields = FieldReader(element, ThresholdKeys.object, findings)
      let of = fields.value(ThresholdKeys.of)
      let sessions = fields.value(ThresholdKeys.sessions)
      let level = fields.value(of: ThresholdKeys.level)
      _ = fields.optional(ThresholdKeys.about)
      let subject = subject(&fields)
      let statistics = subject.map { self.statistics(&fields, of: $0) } ?? []
      // Of a figure that is none it is not known which bounds it has.
      if subject != nil { fields.finish() }
      guard let subject else { return [] }
      if statistics.isEmpty, !findings.hasErrors {
        let words = ThresholdKeys.numbers.map { $0.key } + ["p95", "share", "difference"]
        findings.error(
          "a threshold needs what the sessions amount to", at: element.opening,
          notes: ["it is one of: " + NearestWord.quotedList(words)])
      }
      return statistics.map { statistic, bounds, value in
        if bounds.areUnsatisfiable {
          findings.warning("this can never hold: no figure is within these bounds", at: value)
        }
        let text = ThresholdText.text(subject, statistic, value, element)
        let threshold = Threshold(
          subject: subject, statistic: statistic, bounds: bounds, level: level, text: text,
          place: element)
        return ThresholdDraft(threshold: threshold, of: of, sessions: sessions)
      }
    }
  }

  private func subject(_ fields: inout FieldReader) -> Threshold.Subject? {
    guard let choice = fields.one(of: ["metric", "outcome"]) else { return nil }
    if choice == "metric" { return fields.required(ThresholdKeys.metric).map { .figure($0) } }
    guard let value = fields.value(ThresholdKeys.outcome) else { return nil }
    let label = FieldLabel(key: "outcome")
    let values = value.kind == .array ? Array(value.elements) : [value]
    let outcomes = values.compactMap { ThresholdKeys.outcomeKind.read($0, label, findings) }
    if values.isEmpty { findings.error("'outcome' has no words", at: value) }
    return outcomes.isEmpty ? nil : .outcomes(outcomes)
  }

  private typealias Statistic = (Threshold.Statistic, [Bound], JSONValue)

  private func statistics(
    _ fields: inout FieldReader, of subject: Threshold.Subject
  ) -> [Statistic] {
    let share = fields.value(ThresholdKeys.share)
    let difference = fields.value(ThresholdKeys.difference)
    let to = fields.optional(ThresholdKeys.to)
    let decides = fields.optional(ThresholdKeys.decides)
    for key in ["to", "decides"] where difference == nil && fields.contains(key) {
      fields.error("'\(key)' belongs to 'difference'", at: key)
    }
    var found: [Statistic] = []
    guard case .figure(let figure) = subject else {
      if difference != nil { fields.error("'difference' belongs to 'metric'", at: "difference") }
      return self.share(share, within: []).map { [$0] } ?? []
    }
    let kind = figure.unit.kind
    let within = fields.bounds { value, label in kind.read(value, label, findings) }
    if share != nil, within.isEmpty, !findings.hasErrors {
      fields.error(
        "'share' needs a comparison next to it, for the sessions that it counts", at: "share",
        notes: [#"as in "metric": "stallCount", ">=": 1, "share": { "<=": "10 %" }"#])
    } else if share == nil, !within.isEmpty {
      fields.error(
        "a comparison of a single session belongs to 'share'", at: "metric",
        notes: [#"put a bound in what it limits, as in "p95": { "<=": 1 }"#])
    }
    for (statistic, value) in numbers(&fields) {
      let kind = statistic == .mean ? meanKind(of: figure) : kind
      let bounds = bounds(value, ThresholdKeys.bounds(figure.unit, isMean: statistic == .mean)) {
        kind.read($0, $1, findings)
      }
      if !bounds.isEmpty { found.append((statistic, bounds, value)) }
    }
    if let share = self.share(share, within: within) { found.append(share) }
    if let difference {
      let options = (to ?? .baseline, decides ?? .interval)
      if let read = self.difference(difference, of: figure, options) { found.append(read) }
    }
    return found
  }

  /// Returns the statistics that are one number.
  private func numbers(_ fields: inout FieldReader) -> [(Threshold.Statistic, JSONValue)] {
    var found: [(Threshold.Statistic, JSONValue)] = []
    for (key, statistic) in ThresholdKeys.numbers {
      if let value = fields.value(key) { found.append((statistic, value)) }
    }
    for member in fields.members(named: ThresholdKeys.isOfPercentile) {
      let key = member.key.string ?? ""
      if let statistic = ThresholdKeys.percentile(key) {
        found.append((statistic, member.value))
      } else {
        findings.error(
          "'\(key.excerpt)' is not a percentile", at: member.key,
          notes: ["percentiles are 'p0.1' to 'p99.9', with at most one decimal"])
      }
    }
    return found
  }

  /// How a bound on a mean is read: in parts of a thing.
  private func meanKind(of figure: SessionFigure) -> FieldKind<Int64> {
    figure.unit == .count
      ? FieldKind(.number) { value, label, findings in
        Self.parts(value, label, findings, of: figure.meanParts)
      } : figure.unit.kind
  }

  private static func parts(
    _ value: JSONValue, _ label: FieldLabel, _ findings: Findings, of unit: Int64
  ) -> Int64? {
    guard let decimal = value.decimal,
      case .exact(let number) = decimal.integer(scaledBy: unit, allowingNegative: true)
    else {
      findings.error("\(label) must be a number with at most six decimals", at: value)
      return nil
    }
    return number
  }

  /// Reads the bounds of an object; none if it has none, which is reported.
  private func bounds(
    _ value: JSONValue, _ kind: ObjectKind, _ read: (JSONValue, FieldLabel) -> Int64?
  ) -> [Bound] {
    var fields = FieldReader(value, kind, findings)
    let bounds = fields.bounds(read)
    fields.finish()
    if let object = fields.object, bounds.isEmpty, !findings.hasErrors {
      findings.error(
        "a bound needs a comparison", at: object.opening, notes: [FieldReader.comparisonsNote])
    }
    return bounds
  }

  private func share(_ value: JSONValue?, within: [Bound]) -> Statistic? {
    guard let value else { return nil }
    let bounds = bounds(value, ThresholdKeys.shares) {
      FieldKind<Int64>.share.read($0, $1, findings)
    }
    return bounds.isEmpty ? nil : (.share(within), bounds, value)
  }

  private func difference(
    _ value: JSONValue, of figure: SessionFigure,
    _ options: (reference: Threshold.Reference, decides: Threshold.Decider)
  ) -> Statistic? {
    var kinds: [Bool] = []
    let bounds = bounds(value, ThresholdKeys.differences) { value, label in
      let isRelative = value.string.map { $0.hasSuffix("%") } ?? false
      kinds.append(isRelative)
      return isRelative
        ? relative(value, label) : absolute(value, label, of: figure)
    }
    guard let isRelative = kinds.first, !bounds.isEmpty else { return nil }
    if kinds.contains(!isRelative) {
      findings.error("the bounds of a difference are either all in percent or none", at: value)
      return nil
    }
    let difference = Threshold.Difference(
      reference: options.reference, isRelative: isRelative, decides: options.decides)
    return (.difference(difference), bounds, value)
  }

  /// Reads a percentage as millionths.
  private func relative(_ value: JSONValue, _ label: FieldLabel) -> Int64? {
    var digits = Array((value.string ?? "").utf8.dropLast())
    while digits.last == UInt8(ascii: " ") { digits.removeLast() }
    guard let decimal = ExactDecimal(String(decoding: digits, as: UTF8.self)),
      case .exact(let number) = decimal.integer(scaledBy: 10_000, allowingNegative: true)
    else {
      findings.error("\(label) must be a percentage such as \"5 %\"", at: value)
      return nil
    }
    return number
  }

  private func absolute(
    _ value: JSONValue, _ label: FieldLabel, of figure: SessionFigure
  ) -> Int64? {
    switch figure.unit {
    case .time:
      let most = Limits.timeMax
      let kind = FieldKind<TimeSpan>.time(in: TimeSpan(nanoseconds: -most.nanoseconds)...most)
      return kind.read(value, label, findings)?.nanoseconds
    case .ratio: return Self.parts(value, label, findings, of: 1_000_000)
    case .count: return Self.parts(value, label, findings, of: figure.meanParts)
    case .bytes, .bitRate: return figure.unit.kind.read(value, label, findings)
    }
  }
}

/// Thresholds whose contestants and sessions are known.
extension ExperimentReader {
  /// Returns the thresholds with the contestants and sessions that they cover.
  func resolved(_ drafts: [ThresholdDraft], _ plan: ExperimentPlan) -> [Threshold] {
    let contestants = plan.contestantNames
    return drafts.map { draft in
      var threshold = draft.threshold
      if let value = draft.of, !value.isString("*") {
        threshold.contestants = names(value, "of").map { name, place in
          if !contestants.contains(name) {
            let list = NearestWord.quotedList(Array(contestants.prefix(20)))
            findings.error(
              "there is no contestant '\(name.excerpt)'", at: place,
              notes: NearestWord.hint(
                for: name, among: contestants, orElse: "the contestants are: \(list)"))
          }
          return name
        }
      }
      if let value = draft.sessions { threshold.selection = selection(value, plan) }
      return threshold
    }
  }

  private func selection(_ value: JSONValue, _ plan: ExperimentPlan) -> SessionSelection {
    var selection = SessionSelection()
    var fields = FieldReader(value, ThresholdKeys.selection, findings)
    if let seeds = fields.value("seed") {
      let kind = FieldKind<Int64>.integer()
      let values = seeds.kind == .array ? Array(seeds.elements) : [seeds]
      selection.seeds = values.compactMap {
        kind.read($0, FieldLabel(key: "seed"), findings).map { UInt64($0) }
      }
    }
    for member in fields.others() {
      let key = member.key.string ?? ""
      guard let axis = plan.worldAxes.first(where: { $0.key == key }) else {
        let keys = plan.worldAxes.map { $0.key } + ["seed"]
        findings.error(
          "no world differs in '\(key.excerpt)'", at: member.key,
          notes: NearestWord.hint(
            for: key, among: keys, orElse: "worlds differ in: \(NearestWord.quotedList(keys))"))
        continue
      }
      selection.names[key] = names(member.value, key).map { name, place in
        let known = axis.values.map { $0.name }
        if !known.contains(where: { SessionSelection.matches($0, name) }) {
          let list = NearestWord.quotedList(Array(known.prefix(20)))
          findings.error(
            "'\(key)' is never '\(name.excerpt)'", at: place,
            notes: NearestWord.hint(for: name, among: known, orElse: "its values are: \(list)"))
        }
        return name
      }
    }
    fields.finish()
    return selection
  }

  /// Reads a name, or several.
  private func names(_ value: JSONValue, _ key: String) -> [(name: String, place: JSONValue)] {
    let values = value.kind == .array ? Array(value.elements) : [value]
    return values.compactMap { place in
      FieldKind<String>.string.read(place, FieldLabel(key: key), findings).map { ($0, place) }
    }
  }
}
