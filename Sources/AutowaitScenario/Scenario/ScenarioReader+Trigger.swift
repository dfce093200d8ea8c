import Autowait

/// What the steps so far have said of when they are due.
struct ReadTriggers {
  /// The time of the last step that has one.
  var latest = Instant.start
}

/// What a step of a script waits for, and where the file says so.
enum AwaitedTrigger {
  case event(name: String, player: Int?, place: JSONValue)
  case state(StatePattern, place: JSONValue)
}

/// Reading when the steps of a script are due.
extension ScenarioReader {
  mutating func trigger(
    _ step: inout FieldReader, number: Int, after read: inout ReadTriggers
  ) -> ScriptStep.Trigger? {
    let name = step.optional(StepKeys.name)
    let others = namedSteps
    if let name {
      if others.contains(where: { $0.word == name }) {
        step.error("there is a step '\(name)' already", at: "name")
      }
      namedSteps.append((name, number))
    }
    switch step.choice() {
    case "at": return instant(&step, after: &read.latest)
    case "when": return condition(&step)
    case "on": return reaction(&step)
    case "after":
      let delay = step.value(of: StepKeys.delay)
      if others.isEmpty {
        _ = step.value(StepKeys.after)
        step.error(
          "no step before this one has a name", at: "after",
          notes: [#"give one a name: { "name": "tap", "at": 1, "do": "play" }"#])
        return nil
      }
      return step.required("after", .word(others)).map { .after($0, delay) }
    case "every":
      let interval = step.required(StepKeys.every)
      let first = step.optional(StepKeys.from)
      let count = count(&step) ?? nil
      return interval.map { .every($0, from: first ?? .start + $0, count: count) }
    default: return nil
    }
  }

  private func instant(
    _ step: inout FieldReader, after latest: inout Instant
  ) -> ScriptStep.Trigger? {
    guard let instant = step.required(StepKeys.at) else { return nil }
    if instant < latest {
      step.error(
        "this step is earlier than the one before it", at: "at",
        notes: ["steps must be in the order of their times"])
      return nil
    }
    latest = instant
    return .at(instant)
  }

  /// Reads how often something happens; nil, and no number in it, for as often as it comes.
  private func count(_ step: inout FieldReader) -> Int?? {
    step.optional(StepKeys.count).map { $0.map { Int($0) } }
  }

  private mutating func reaction(_ step: inout FieldReader) -> ScriptStep.Trigger? {
    guard let value = step.value(StepKeys.on) else { return nil }
    var events: EventFilter?
    if value.kind == .string {
      let name = step.required("on", .eventName)
      // The short form is about the player of the step.
      let isPlayers = name.map { !Event.namesWithoutPlayer.contains($0) } ?? false
      let player = isPlayers ? self.player(&step) : nil
      events = name.flatMap { Event.example($0) }.map { EventFilter($0, player: player) }
    } else {
      var fields = FieldReader(value, EventFilterKeys.object, findings)
      events = filter(&fields)
      fields.finish()
    }
    if let events, let name = value.member("event")?.string ?? value.string {
      awaited.append(.event(name: name, player: events.player, place: value))
    }
    let delay = step.value(of: StepKeys.delay)
    let skipped = step.value(of: StepKeys.skip)
    let count = count(&step)
    return events.map {
      var reaction = ScriptStep.Reaction(to: $0)
      reaction.delay = delay
      reaction.skipped = Int(skipped)
      if let count { reaction.count = count }
      return .on(reaction)
    }
  }

  private func filter(_ fields: inout FieldReader) -> EventFilter? {
    let name = fields.required(EventFilterKeys.event)
    let value = fields.value(EventFilterKeys.value)
    let player = fields.contains(EventFilterKeys.player) ? self.player(&fields) : nil
    guard let name else { return nil }
    if player != nil, Event.namesWithoutPlayer.contains(name) {
      fields.error("the event '\(name)' belongs to no player", at: "player")
      return nil
    }
    guard let example = Event.example(name) else { return nil }
    guard let value else { return EventFilter(example, player: player) }
    guard let kind = Event.announcedKind(name) else {
      fields.error("the event '\(name)' has no value", at: "value")
      return nil
    }
    let announced = propertyValue(
      value, kind.kind, named: kind.named, FieldLabel(key: "value"), of: player)
    return announced.map {
      EventFilter(
        example, player: player, announcement: UInt64(bitPattern: kind.number(of: $0)))
    }
  }

  private mutating func condition(_ step: inout FieldReader) -> ScriptStep.Trigger? {
    guard let value = step.value(StepKeys.when) else { return nil }
    var fields = FieldReader(value, ConditionOfStepKeys.object, findings)
    let player = self.player(&fields)
    let properties = Property.allCases.filter { $0.condition != nil }
    let tests = tests(&fields, of: properties, player: player)
    for property in Property.allCases
    where property.condition == nil && value.member(property.rawValue) != nil {
      _ = fields.contains(property.rawValue)
      fields.error(
        "'\(property.rawValue)' cannot be waited for; it can be expected", at: property.rawValue)
    }
    fields.finish()
    guard fields.object != nil else { return nil }
    if tests.isEmpty, !findings.hasErrors {
      findings.error("a condition needs a property", at: value.opening)
    }
    for test in tests where test.isMissable {
      findings.error(
        "'\(test.property.rawValue)' may pass a value between two nanoseconds: "
          + "a condition needs <, <=, > or >=", at: value.opening)
    }
    awaited.append(
      .state(StatePattern(player: player, tests: tests, tolerance: .zero), place: value))
    return .when(Condition(player: player, tests.compactMap { $0.conditionTest }))
  }
}

extension Condition.Comparison {
  var isEquality: Bool { self == .equal || self == .notEqual }
}

extension StatePattern.Test {
  /// Whether the test asks for one exact value of something that moves.
  fileprivate var isMissable: Bool {
    comparison.isEquality && property.condition?.isContinuous == true
  }

  /// The test as the core knows it; nil if the property cannot be waited for.
  fileprivate var conditionTest: Condition.Test? {
    guard let condition = property.condition else { return nil }
    let place: Int64? =
      switch condition {
      case .timeControlStatus: TimeControlStatus.place(of: expected)
      case .reasonForWaitingToPlay: WaitingReason.place(of: expected)
      case .status: ItemStatus.place(of: expected)
      case .loaded, .bufferedAhead, .currentTime, .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull,
        .isPlaybackBufferEmpty, .stallCount, .playedToEndCount, .variant, .indicatedBitrate,
        .errorCount, .offsetFromLive:
        expected.number
      }
    return Condition.Test(condition, comparison, place ?? -1)
  }
}
