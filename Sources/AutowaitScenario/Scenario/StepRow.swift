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

  /// The keys of a step that does this, and how they are read.
  var row: StepRow {
    switch self {
    case .load: .ofItem { .replaceCurrentItem($0) }
    case .replaceCurrentItem:
      .player([StepKeys.itemOrNone.row]) { reader, step, player in
        if step.value(StepKeys.itemOrNone)?.kind == .null { return .replaceCurrentItem(nil) }
        return reader.item(&step, player).map { .replaceCurrentItem($0) }
      }
    case .loadValues: .ofItem { .loadValues($0) }
    case .createItem: .ofItem { .createItem($0) }
    case .insert:
      .queue(self, [StepKeys.item.row, StepKeys.afterItem.row]) { reader, step, player in
        let other = reader.itemAfter(&step, player)
        return reader.item(&step, player).map { .insert($0, after: other) }
      }
    case .remove:
      .queue(self, [StepKeys.item.row]) { $0.item(&$1, $2).map { .remove($0) } }
    case .removeAllItems: .queue(self, []) { _, _, _ in .removeAllItems }
    case .advanceToNextItem: .queue(self, []) { _, _, _ in .advanceToNextItem }
    case .disableLooping: .player([]) { $0.disableLooping($1, $2) }
    case .play: .plain(.play)
    case .pause: .plain(.pause)
    case .playImmediately:
      .player([StepKeys.immediateRate.row]) { _, step, _ in
        .playImmediately(step.value(of: StepKeys.immediateRate))
      }
    case .setRate:
      .player([StepKeys.rate.row, StepKeys.time.row, StepKeys.hostTime.row]) { reader, step, _ in
        reader.setRate(&step)
      }
    case .seek:
      .player([StepKeys.to.row, StepKeys.toleranceBefore.row, StepKeys.toleranceAfter.row]) {
        reader, step, _ in reader.seek(&step)
      }
    case .seekToLive: .plain(.seekToLive)
    case .preroll: .plain(.preroll)
    case .set: .player(SettingKey.all.map { $0.row }) { $0.setting(&$1, $2) }
    case .interrupt: .plain(.interrupt)
    case .enterBackground: .plain(.enterBackground)
    case .changeTracks: .plain(.changeTracks)
    case .failItem: .plain(.failItem)
    case .select:
      .player([StepKeys.audio.row, StepKeys.subtitles.row]) { $0.selection(&$1, $2) }
    case .enableTrack: .ofTrack { .enable($0, true) }
    case .disableTrack: .ofTrack { .enable($0, false) }
    case .transcode:
      .player([StepKeys.item.row, StepKeys.reader.row, StepKeys.writer.row]) {
        reader, step, player in
        reader.item(&step, player).map { reader.transcode(&step, item: $0) }
      }
    case .attachLayer: .player([]) { $0.attachLayer(true, $1, $2) }
    case .detachLayer: .player([]) { $0.attachLayer(false, $1, $2) }
    case .attachVideoOutput:
      .player([]) { reader, _, player in reader.attachVideoOutput(true, player) }
    case .detachVideoOutput:
      .player([]) { reader, _, player in reader.attachVideoOutput(false, player) }
    case .beginInterstitial: .player([]) { $0.interstitial(true, &$1, $2) }
    case .endInterstitial: .player([]) { $0.interstitial(false, &$1, $2) }
    case .beginCoordination: .player([]) { $0.coordination(true, &$1, $2) }
    case .endCoordination: .player([]) { $0.coordination(false, &$1, $2) }
    case .link: StepRow([StepKeys.link.row]) { $0.link(&$1) }
    case .suspendTraffic: StepRow([]) { $0.suspendTraffic(true, $1) }
    case .resumeTraffic: StepRow([]) { $0.suspendTraffic(false, $1) }
    }
  }
}

/// The keys of a step beside those of all steps, and what it does by them.
struct StepRow: Sendable {
  /// Reads what a player does.
  typealias Make =
    @Sendable (inout ScenarioReader, inout FieldReader, _ player: Int) -> PlayerAction?

  let keys: [KeyRow]
  /// Reads what the step does; nil if that is wrong.
  let make: @Sendable (inout ScenarioReader, inout FieldReader) -> ScriptAction?

  init(
    _ keys: [KeyRow],
    _ make: @escaping @Sendable (inout ScenarioReader, inout FieldReader) -> ScriptAction?
  ) {
    (self.keys, self.make) = (keys, make)
  }

  /// Something that a player does.
  static func player(_ keys: [KeyRow], _ make: @escaping Make) -> StepRow {
    StepRow([StepKeys.player.row] + keys) { reader, step in
      let player = reader.player(&step)
      return make(&reader, &step, player).map { .player(player, $0) }
    }
  }

  /// Something of which there is nothing more to say.
  static func plain(_ action: PlayerAction) -> StepRow { .player([]) { _, _, _ in action } }

  /// Something that is done with an item.
  static func ofItem(_ action: @escaping @Sendable (Int) -> PlayerAction) -> StepRow {
    .player([StepKeys.item.row]) { $0.item(&$1, $2).map(action) }
  }

  /// Something that is done with the tracks of a kind.
  static func ofTrack(_ action: @escaping @Sendable (MediaTrack) -> PlayerAction) -> StepRow {
    .player([StepKeys.track.row]) { _, step, _ in step.required(StepKeys.track).map(action) }
  }

  /// Something that only a queue player does.
  static func queue(_ word: ActionWord, _ keys: [KeyRow], _ make: @escaping Make) -> StepRow {
    .player(keys) { reader, step, player in
      if player < reader.players.count, !reader.players[player].hasQueue {
        step.error(
          "only a queue player can '\(word.rawValue)'", at: "do",
          notes: [#"a queue player has the key 'queue', as in "player": { "queue": [] }"#])
      }
      return make(&reader, &step, player)
    }
  }
}

/// Reading single steps.
extension ScenarioReader {
  fileprivate mutating func link(_ step: inout FieldReader) -> ScriptAction? {
    guard let value = step.value(StepKeys.link) else {
      _ = step.required(StepKeys.link)
      return nil
    }
    return links.condition(value, findings).map { .useLink(track: $0) }
  }

  fileprivate func suspendTraffic(_ isSuspended: Bool, _ step: FieldReader) -> ScriptAction {
    if !hasTraffic {
      step.error("there is no traffic of others", at: "do", notes: ["the key is 'traffic'"])
    }
    return .suspendTraffic(isSuspended)
  }

  fileprivate func disableLooping(_ step: FieldReader, _ player: Int) -> PlayerAction {
    if player < players.count, players[player].loop == nil {
      step.error(
        "there is no loop to disable", at: "do",
        notes: [#"a loop is a key of a player, as in "loop": { "by": "looper" }"#])
    }
    return .disableLooping
  }

  /// Takes note that the pipelines of a player are of interest.
  private mutating func notePipeline(_ player: Int) -> PipelinePolicy {
    let policy = players[player].pipeline ?? PipelinePolicy()
    players[player].pipeline = policy
    return policy
  }

  fileprivate mutating func attachVideoOutput(_ isAttached: Bool, _ player: Int) -> PlayerAction {
    if player < players.count { _ = notePipeline(player) }
    return .set(.videoOutputAttached(isAttached))
  }

  /// Warns of a layer that is where it should be.
  fileprivate mutating func attachLayer(
    _ isAttached: Bool, _ step: FieldReader, _ player: Int
  ) -> PlayerAction {
    let action = PlayerAction.set(.layerAttached(isAttached))
    if player >= players.count { return action }
    let policy = notePipeline(player)
    let wasAttached = layers.last { $0.player == player }?.isAttached ?? policy.hasLayer
    layers.append((player, isAttached))
    guard wasAttached == isAttached, let value = step.object?.member("do") else { return action }
    findings.warning(
      isAttached ? "the layer is attached already" : "there is no layer to detach", at: value,
      notes: isAttached ? ["a player has a layer unless it says 'hasLayer': false"] : [])
    return action
  }

  fileprivate func itemAfter(_ step: inout FieldReader, _ player: Int) -> Int? {
    step.value(StepKeys.afterItem).flatMap { value -> Int? in
      if value.kind == .null || player >= itemNames.count { return nil }
      return number(value, "afterItem", among: itemNames[player])
    }
  }
}
