import Autowait

/// The words for what a step of a script does.
enum ActionWord: String, CaseIterable, Sendable {
  case load, replaceCurrentItem, loadValues, createItem
  case insert, remove, removeAllItems, advanceToNextItem, disableLooping
  case play, pause, playImmediately, setRate, seek, seekToLive, preroll, set
  case interrupt, enterBackground, changeTracks, failItem
  case select, enableTrack, disableTrack, transcode
  case attachLayer, detachLayer, attachVideoOutput, detachVideoOutput
  case beginInterstitial, endInterstitial, beginCoordination, endCoordination
  case link, suspendTraffic, resumeTraffic
}

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
      let action = word.flatMap { self.action($0, &step) }
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

  private mutating func action(_ word: ActionWord, _ step: inout FieldReader) -> ScriptAction? {
    if word == .link {
      guard let value = step.value(StepKeys.link) else {
        _ = step.required(StepKeys.link)
        return nil
      }
      return links.condition(value, findings).map { .useLink(track: $0) }
    }
    if word == .suspendTraffic || word == .resumeTraffic {
      if !hasTraffic {
        step.error("there is no traffic of others", at: "do", notes: ["the key is 'traffic'"])
      }
      return .suspendTraffic(word == .suspendTraffic)
    }
    let player = self.player(&step)
    noteViews(word, step, player)
    return playerAction(word, &step, player).map { .player(player, $0) }
  }

  /// Takes note that pipelines are of interest, and warns of a layer that is where it should be.
  private mutating func noteViews(_ word: ActionWord, _ step: FieldReader, _ player: Int) {
    let isOfLayer = word == .attachLayer || word == .detachLayer
    guard isOfLayer || word == .attachVideoOutput || word == .detachVideoOutput,
      player < players.count
    else { return }
    let policy = players[player].pipeline ?? PipelinePolicy()
    players[player].pipeline = policy
    if !isOfLayer { return }
    let isAttached = word == .attachLayer
    let wasAttached = layers.last { $0.player == player }?.isAttached ?? policy.hasLayer
    layers.append((player, isAttached))
    guard wasAttached == isAttached, let value = step.object?.member("do") else { return }
    findings.warning(
      isAttached ? "the layer is attached already" : "there is no layer to detach", at: value,
      notes: isAttached ? ["a player has a layer unless it says 'hasLayer': false"] : [])
  }

  private func playerAction(
    _ word: ActionWord, _ step: inout FieldReader, _ player: Int
  ) -> PlayerAction? {
    switch word {
    case .load: return item(&step, player).map { .replaceCurrentItem($0) }
    case .replaceCurrentItem:
      if step.value(StepKeys.itemOrNone)?.kind == .null { return .replaceCurrentItem(nil) }
      return item(&step, player).map { .replaceCurrentItem($0) }
    case .loadValues: return item(&step, player).map { .loadValues($0) }
    case .createItem: return item(&step, player).map { .createItem($0) }
    case .insert, .remove, .removeAllItems, .advanceToNextItem:
      return queueAction(word, &step, player)
    case .disableLooping:
      if player < players.count, players[player].loop == nil {
        step.error(
          "there is no loop to disable", at: "do",
          notes: [#"a loop is a key of a player, as in "loop": { "by": "looper" }"#])
      }
      return .disableLooping
    case .play: return .play
    case .pause: return .pause
    case .playImmediately:
      return .playImmediately(step.value(of: StepKeys.immediateRate))
    case .setRate: return setRate(&step)
    case .seek: return seek(&step)
    case .seekToLive: return .seekToLive
    case .preroll: return .preroll
    case .set: return setting(&step, player)
    case .interrupt: return .interrupt
    case .enterBackground: return .enterBackground
    case .changeTracks: return .changeTracks
    case .failItem: return .failItem
    case .attachLayer: return .set(.layerAttached(true))
    case .detachLayer: return .set(.layerAttached(false))
    case .attachVideoOutput: return .set(.videoOutputAttached(true))
    case .detachVideoOutput: return .set(.videoOutputAttached(false))
    case .select: return selection(&step, player)
    case .transcode: return item(&step, player).map { transcode(&step, item: $0) }
    case .enableTrack, .disableTrack:
      return step.required(StepKeys.track).map { .enable($0, word == .enableTrack) }
    case .beginInterstitial: return .set(.interstitial(true))
    case .endInterstitial: return .set(.interstitial(false))
    case .beginCoordination: return coordination(true, &step, player)
    case .endCoordination: return coordination(false, &step, player)
    case .link, .suspendTraffic, .resumeTraffic:
      preconditionFailure("the network belongs to no player")
    }
  }

  private func queueAction(
    _ word: ActionWord, _ step: inout FieldReader, _ player: Int
  ) -> PlayerAction? {
    if player < players.count, !players[player].hasQueue {
      step.error(
        "only a queue player can '\(word.rawValue)'", at: "do",
        notes: [#"a queue player has the key 'queue', as in "player": { "queue": [] }"#])
    }
    switch word {
    case .removeAllItems: return .removeAllItems
    case .advanceToNextItem: return .advanceToNextItem
    case .remove: return item(&step, player).map { .remove($0) }
    case _:
      let other = step.value(StepKeys.afterItem).flatMap { value -> Int? in
        if value.kind == .null || player >= itemNames.count { return nil }
        return number(value, "afterItem", among: itemNames[player])
      }
      return item(&step, player).map { .insert($0, after: other) }
    }
  }

  private func seek(_ step: inout FieldReader) -> PlayerAction? {
    func tolerance(_ key: Key<MediaTime?>) -> MediaTime {
      step.contains(key) ? step.value(of: key) ?? Limits.mediaMax : .zero
    }
    let (before, after) = (tolerance(StepKeys.toleranceBefore), tolerance(StepKeys.toleranceAfter))
    guard let target = step.required(StepKeys.to) else { return nil }
    guard let target, before > .zero || after > .zero else { return .seek(target) }
    return .seekNear(target, before: before, after: after)
  }

  private func setRate(_ step: inout FieldReader) -> PlayerAction? {
    let rate = step.required(StepKeys.rate)
    let isMapped = step.contains(StepKeys.time) || step.contains(StepKeys.hostTime)
    let time = step.optional(StepKeys.time) ?? nil
    let hostTime = step.optional(StepKeys.hostTime) ?? nil
    guard let rate else { return nil }
    return isMapped ? .setRateAtHostTime(rate, time: time, hostTime: hostTime) : .setRate(rate)
  }

  private func item(_ step: inout FieldReader, _ player: Int) -> Int? {
    guard player < itemNames.count else { return nil }
    return number(step.value(StepKeys.item), "item", among: itemNames[player])
  }

  private func coordination(
    _ isHeld: Bool, _ step: inout FieldReader, _ player: Int
  ) -> PlayerAction? {
    if player < players.count, !players[player].contract.hasCoordinatedPlayback {
      step.error("coordinated playback does not exist before iOS 15", at: "do")
      return nil
    }
    return .set(.coordination(isHeld))
  }

  private func setting(_ step: inout FieldReader, _ player: Int) -> PlayerAction? {
    guard let name = step.one(of: SettingKey.all.map({ $0.row.name })) else { return nil }
    let contract = player < players.count ? players[player].contract : .newest
    if let row = PlayerKeys.object.keys.first(where: { $0.name == name }) {
      require(row, step, contract)
    }
    let setting = SettingKey.all.first { $0.row.name == name }?.read(self, &step)
    if setting == .actionAtItemEnd(.advance), player < players.count {
      requireQueue(players[player], step)
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
