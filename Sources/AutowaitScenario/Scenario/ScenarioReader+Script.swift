import Autowait

/// Reading the script.
extension ScenarioReader {
  /// Reads all steps, each with the word for what it does.
  mutating func script(_ fields: inout FieldReader) -> [(step: ScriptStep, name: String)] {
    var steps: [(step: ScriptStep, name: String)] = []
    var read = ReadTriggers()
    let isThere = fields.contains(ScenarioKeys.script)
    for element in fields.elements(ScenarioKeys.script) {
      var step = FieldReader(element, StepKeys.object, findings)
      let trigger = trigger(&step, number: steps.count, after: &read)
      let word = step.required(StepKeys.action)
      let action = word.flatMap { $0.row.make(&self, &step) }
      _ = step.optional(StepKeys.about)
      // Nobody knows which keys an unknown action would have.
      if word == nil, step.contains(StepKeys.action) { _ = step.others() }
      step.finish()
      if let trigger, let action, let word {
        steps.append((ScriptStep(trigger, action), word.rawValue))
      }
    }
    let loads =
      steps.contains { ["load", "replaceCurrentItem", "insert"].contains($0.name) }
      || players.contains { $0.queue?.isEmpty == false || $0.loop != nil }
    if isThere, !loads, !steps.isEmpty, !findings.hasErrors,
      let script = fields.object?.member("script")
    {
      findings.warning("the script never loads anything", at: script.opening)
    }
    if !isThere, let object = fields.object {
      findings.warning(
        "a scenario without the key 'script' does nothing", at: object.opening,
        notes: [#"try "script": [{"at": 0, "do": "load"}, {"at": 0, "do": "play"}]"#])
    }
    return steps
  }

  func seek(_ step: inout FieldReader) -> PlayerAction? {
    func tolerance(_ key: Key<MediaTime?>) -> MediaTime {
      step.contains(key) ? step.value(of: key) ?? Limits.mediaMax : .zero
    }
    let (before, after) = (tolerance(StepKeys.toleranceBefore), tolerance(StepKeys.toleranceAfter))
    guard let target = step.required(StepKeys.to) else { return nil }
    guard let target, before > .zero || after > .zero else { return .seek(target) }
    return .seekNear(target, before: before, after: after)
  }

  func setRate(_ step: inout FieldReader) -> PlayerAction? {
    let rate = step.required(StepKeys.rate)
    let isMapped = step.contains(StepKeys.time) || step.contains(StepKeys.hostTime)
    let time = step.optional(StepKeys.time) ?? nil
    let hostTime = step.optional(StepKeys.hostTime) ?? nil
    guard let rate else { return nil }
    return isMapped ? .setRateAtHostTime(rate, time: time, hostTime: hostTime) : .setRate(rate)
  }

  func item(_ step: inout FieldReader, _ player: Int) -> Int? {
    guard player < itemNames.count else { return nil }
    return number(step.value(StepKeys.item), "item", among: itemNames[player])
  }

  /// Reads a hold, if the player's contract has it.
  func hold(
    _ setting: PlayerSetting, _ name: String, exists: (APIContract) -> Bool,
    _ step: inout FieldReader, _ player: Int
  ) -> PlayerAction? {
    if player < players.count, !exists(players[player].contract) {
      step.error("\(name) does not exist before iOS 15", at: "do")
      return nil
    }
    return .set(setting)
  }

  func coordination(
    _ isHeld: Bool, _ step: inout FieldReader, _ player: Int
  ) -> PlayerAction? {
    hold(
      .coordination(isHeld), "coordinated playback", exists: { $0.hasCoordinatedPlayback }, &step,
      player)
  }

  func interstitial(
    _ isActive: Bool, _ step: inout FieldReader, _ player: Int
  ) -> PlayerAction? {
    hold(
      .interstitial(isActive), "an interstitial event", exists: { $0.hasInterstitialEvents }, &step,
      player)
  }

  func setting(_ step: inout FieldReader, _ player: Int) -> PlayerAction? {
    guard let name = step.one(of: SettingKey.all.map({ $0.row.name })) else { return nil }
    let contract = player < players.count ? players[player].contract : .newest
    if let row = PlayerKeys.object.keys.first(where: { $0.name == name }) {
      require(row, step, contract)
    }
    let setting = SettingKey.all.first { $0.row.name == name }?.read(self, &step)
    if player < players.count {
      if setting == .actionAtItemEnd(.advance) { requireQueue(players[player], step) }
      if case .preferredForwardBufferDuration = setting { warnOfFiles(players[player], step) }
    }
    return setting.map { .set($0) }
  }
}

/// Reading tests of properties.
extension ScenarioReader {
  /// Reads the properties of an object: each a value, or an object of comparisons.
  func tests(
    _ fields: inout FieldReader, of properties: [Property], player: Int
  ) -> [StatePattern.Test] {
    var tests: [StatePattern.Test] = []
    for property in properties {
      guard let value = fields.value(property.rawValue) else { continue }
      let label = FieldLabel(key: property.rawValue)
      guard value.kind == .object else {
        if let expected = expected(value, property, label, player) {
          tests.append(
            StatePattern.Test(property: property, comparison: .equal, expected: expected))
        }
        continue
      }
      var comparisons = FieldReader(value, "a comparison", findings)
      var isCompared = false
      for comparison in Condition.Comparison.allCases {
        guard let limit = comparisons.value("\(comparison.word)") else { continue }
        isCompared = true
        guard let expected = expected(limit, property, label, player) else { continue }
        if !comparison.isEquality, !expected.isOrdered {
          findings.error("\(label) has no order: only == and != make sense", at: limit)
        }
        tests.append(
          StatePattern.Test(property: property, comparison: comparison, expected: expected))
      }
      isCompared = RangeKeys.names.contains { value.member($0) != nil } || isCompared
      tests += range(&comparisons, of: property, label)
      comparisons.finish()
      if !isCompared {
        findings.error(
          "\(label) needs a comparison", at: value, notes: [FieldReader.comparisonsNote])
      }
    }
    return tests
  }

  private func expected(
    _ value: JSONValue, _ property: Property, _ label: FieldLabel, _ player: Int
  ) -> PropertyValue? {
    propertyValue(
      value, property.kind, named: property == .currentItem ? .item : nil, label, of: player)
  }
}
