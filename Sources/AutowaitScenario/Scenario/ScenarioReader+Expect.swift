import Autowait

/// Reading what a scenario expects.
extension ScenarioReader {
  /// Reads all expectations.
  mutating func expectations(_ fields: inout FieldReader) -> [Expectation] {
    var expectations: [Expectation] = []
    for element in fields.elements(ScenarioKeys.expect) {
      var expect = FieldReader(element, ExpectationKeys.object, findings)
      let kind = kind(&expect, element)
      _ = expect.optional(ExpectationKeys.about)
      let level = expect.value(of: ExpectationKeys.level)
      expect.finish()
      guard let kind else { continue }
      expected.append((kind, element))
      // What an expectation is about is for readers of the file; here it would hide the rest.
      let text = JSONWriter.text { $0.object(element, without: "about") }
      expectations.append(
        Expectation(
          kind: kind, level: level, text: text, line: findings.line(of: element.range)))
    }
    return expectations
  }

  private func kind(_ expect: inout FieldReader, _ element: JSONValue) -> Expectation.Kind? {
    guard let choice = expect.one(of: ExpectationKeys.choices) else { return nil }
    switch choice {
    case "at":
      return snapshot(&expect)
    case "never": return pattern("never", &expect).map { .never($0) }
    case "always":
      guard let value = expect.value(ExpectationKeys.always) else { return nil }
      var fields = FieldReader(value, PatternKeys.state, findings)
      let state = state(&fields)
      fields.finish()
      return state.map { .always($0) }
    case "eventually":
      let within = expect.optional(ExpectationKeys.within)
      let count = expect.optional(ExpectationKeys.count)
      guard let pattern = pattern("eventually", &expect) else { return nil }
      if case .state = pattern, count != nil {
        expect.error("'count' counts events, not states", at: "count")
      }
      return .eventually(pattern, within: within, count: count.map(Int.init))
    case "sequence":
      let patterns = expect.elements(ExpectationKeys.sequence).compactMap {
        element -> EventPattern? in
        var fields = FieldReader(element, PatternKeys.eventOfSequence, findings)
        // Both are asked for, whether or not the other one is wrong: so the key is known.
        let gap = gap(&fields)
        var event = event(&fields)
        event?.gap = gap
        fields.finish()
        return event
      }
      if patterns.isEmpty, !findings.hasErrors {
        expect.error("'sequence' has no events", at: "sequence")
      }
      return .sequence(patterns)
    case "metric": return metric(&expect, element)
    default: return expect.required(ExpectationKeys.finish).map { .finish($0) }
    }
  }

  /// Reads properties at a time, or at an event.
  private func snapshot(_ expect: inout FieldReader) -> Expectation.Kind? {
    guard let moment = expect.value(ExpectationKeys.at) else { return nil }
    guard moment.kind == .object else {
      let instant = FieldKind<Instant>.instant.read(moment, FieldLabel(key: "at"), findings)
      let state = state(&expect)
      guard let instant, let state else { return nil }
      return .snapshot(at: instant, state)
    }
    var fields = FieldReader(moment, PatternKeys.momentOfEvent, findings)
    let number = fields.value(of: PatternKeys.number)
    let event = event(&fields)
    fields.finish()
    let state = state(&expect)
    guard let event, let state else { return nil }
    return .snapshotAtEvent(event, number: Int(number), state)
  }

  /// Reads how long after the event before it an event of a sequence happens.
  private func gap(_ fields: inout FieldReader) -> [Bound] {
    guard var gap = fields.object(PatternKeys.gap) else { return [] }
    let kind = FieldKind<TimeSpan>.time
    let bounds = gap.bounds { value, label in
      kind.read(value, label, findings).map { $0.nanoseconds }
    }
    gap.finish()
    if let object = gap.object, bounds.isEmpty, !findings.hasErrors {
      findings.error(
        "'gap' needs a comparison", at: object.opening, notes: [FieldReader.comparisonsNote])
    }
    return bounds
  }

  private func pattern(_ key: String, _ expect: inout FieldReader) -> Pattern? {
    guard let value = expect.value(key) else { return nil }
    var fields = FieldReader(value, "what is looked for", findings)
    defer { fields.finish() }
    if fields.object == nil { return nil }
    return fields.contains("event")
      ? event(&fields).map { .event($0) } : state(&fields).map { .state($0) }
  }

  private func state(_ fields: inout FieldReader) -> StatePattern? {
    let player = self.player(&fields)
    let tolerance = fields.value(of: PatternKeys.tolerance)
    let tests = tests(&fields, of: Property.allCases, player: player)
    guard let object = fields.object else { return nil }
    // A key that is none will be reported as such, and was probably meant as a property.
    let known = ["at", "player", "tolerance", "about"]
    let isBare = object.members.allSatisfy { known.contains($0.key.string ?? "") }
    if tests.isEmpty, isBare, !findings.hasErrors {
      findings.error("\(fields.subject) needs a property", at: object.opening)
    }
    return StatePattern(player: player, tests: tests, tolerance: tolerance)
  }

  private func event(_ fields: inout FieldReader) -> EventPattern? {
    let name = fields.required(EventFilterKeys.event)
    let value = fields.value(EventFilterKeys.value)
    let instant = fields.has(PatternKeys.at) ? fields.optional(PatternKeys.at) : nil
    let player = fields.contains(EventFilterKeys.player) ? self.player(&fields) : nil
    let tolerance = fields.value(of: PatternKeys.tolerance)
    guard let name else { return nil }
    if player != nil, Event.namesWithoutPlayer.contains(name) {
      fields.error("the event '\(name)' belongs to no player", at: "player")
      return nil
    }
    var pattern = EventPattern(
      name: name, value: nil, instant: instant, player: player, tolerance: tolerance)
    if let value {
      guard let kind = Event.announcedKind(name) else {
        fields.error("the event '\(name)' has no value", at: "value")
        return nil
      }
      pattern.value = propertyValue(
        value, kind.kind, named: kind.named, FieldLabel(key: "value"), of: player)
    }
    return pattern
  }

  private func metric(_ expect: inout FieldReader, _ element: JSONValue) -> Expectation.Kind? {
    let player = self.player(&expect)
    let metric = expect.required(ExpectationKeys.metric)
    let bounds = expect.bounds { value, label in metric?.kind.read(value, label, findings) }
    guard let metric else { return nil }
    if bounds.isEmpty, !findings.hasErrors {
      findings.error(
        "a bound on a metric needs a comparison", at: element.opening,
        notes: [FieldReader.comparisonsNote])
    }
    return .metric(metric, player: player, bounds)
  }
}
