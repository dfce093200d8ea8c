import Autowait
import AutowaitScenario

/// Telling the steps of the script.
extension PlayerStory {
  /// Returns what a step does, in a word or two.
  func word(_ action: ScriptAction, _ name: String) -> String {
    guard case .player(_, let action) = action else { return name }
    switch action {
    case .replaceCurrentItem(let number):
      guard let number else { return "remove item" }
      return scenario.world.players[player].media.count > 1 ? "\(name) \(item(number))" : name
    case .insert(let number, let other):
      let after = other.map { " after \(scenario.name(ofItem: $0, of: player) ?? "\($0)")" }
      return "insert \(item(number))" + (after ?? "")
    case .remove(let number): return "remove \(item(number))"
    case .playImmediately(let rate):
      return rate == .normal ? name : "\(name) at \(TimelineNumbers.text(rate))"
    case .setRate(let rate): return "rate = \(TimelineNumbers.text(rate))"
    case .setRateAtHostTime: return "setRate"
    case .seek(let target):
      return target.map { "seek to \(TimelineNumbers.text($0))" } ?? "seek"
    case .select(let kind, let language):
      let what = kind == .audio ? "audio" : "subtitles"
      return "\(what) = \(language.map { $0.text } ?? "none")"
    case .enable(let track, let isEnabled):
      return "\(isEnabled ? "enable" : "disable") \(track.word)"
    case .seekNear(let target, _, _): return "seek near \(TimelineNumbers.text(target))"
    case .removeAllItems, .advanceToNextItem, .disableLooping, .loadValues, .createItem, .play,
      .pause, .seekToLive, .preroll, .set, .interrupt, .enterBackground, .changeTracks, .transcode,
      .failItem:
      return name
    }
  }

  private func item(_ number: Int) -> String {
    scenario.name(ofItem: number, of: player) ?? "item \(number)"
  }

  /// Returns what a word is not enough for.
  func detail(_ action: ScriptAction, _ name: String) -> String? {
    guard case .player(_, let action) = action else { return nil }
    switch action {
    case .replaceCurrentItem(let number): return number.map { detail(ofItem: $0) }
    case .insert(let number, _): return detail(ofItem: number)
    // Other words say by themselves what they set.
    case .set(let setting): return name == "set" ? detail(setting) : nil
    case .setRateAtHostTime(let rate, let time, let host):
      let media = time.map { TimelineNumbers.text($0) } ?? "any"
      let clock = host.map { TimelineNumbers.text($0) } ?? "any"
      return "rate \(TimelineNumbers.text(rate)), time \(media), atHostTime \(clock)"
    case .remove, .removeAllItems, .advanceToNextItem, .disableLooping, .loadValues, .createItem,
      .play, .pause, .playImmediately, .setRate, .seek, .seekNear, .seekToLive, .preroll,
      .interrupt,
      .enterBackground, .changeTracks, .select, .enable, .transcode, .failItem:
      return nil
    }
  }

  /// Returns what an item is, and how long.
  private func detail(ofItem number: Int) -> String {
    let media = scenario.world.players[player].media[number]
    let duration = TimelineNumbers.text(media.duration)
    switch media.source {
    case .local: return "\(duration) on the device"
    case .stream(let shared):
      let count = shared.streamMedia.variants.count
      let what = shared.streamMedia.live == nil ? "\(duration) of HLS" : "live HLS"
      return "\(what), \(Plural.text(count, "variant"))"
    case .progressive:
      let size = media.size.wholeBytes
      let rate = Int128(size.bytes) * 8_000_000_000 / Int128(media.duration.nanoseconds)
      // A large file of no length to speak of has a rate beyond all numbers.
      guard let rate = Int64(exactly: rate) else {
        return "\(duration) of \(TimelineNumbers.text(size))"
      }
      let text = TimelineNumbers.text(BitRate(bitsPerSecond: TimelineNumbers.rounded(rate)))
      return "\(duration) at \(text)"
    }
  }

  private func detail(_ setting: PlayerSetting) -> String {
    let field = setting.field
    let text: String
    switch field.value {
    case .flag(let value): text = "\(value)"
    case .word(let word): text = "\(word)"
    case .count(let rate): text = TimelineNumbers.text(BitRate(bitsPerSecond: rate))
    case .nanoseconds(let time): text = TimelineNumbers.text(MediaTime(nanoseconds: time))
    case .rate(let rate): text = TimelineNumbers.text(rate)
    case .resolution(let size): text = "\(size.width)x\(size.height)"
    // A time may be nil; of a size there is none.
    case .null: text = "\(field.name)".hasSuffix("Time") ? "nil" : "none"
    case .seed, .videoColor, .stepName, .linkName, .tier, .tierReason:
      preconditionFailure("'\(field.name)' is not set to such a value")
    }
    return "\(field.name) = \(text)"
  }
}

extension ScriptStep.Trigger {
  /// What a step waited for.
  var condition: String? {
    switch self {
    case .at: return nil
    case .when(let condition):
      let tests = condition.tests.map { test in
        "\(test.property.word) \(test.comparison.word)\(TerminalText.tie)"
          + test.property.text(test.value)
      }
      return "when \(tests.joined(separator: " and "))"
    case .on(let reaction):
      let event = "\(reaction.events.kind.name)"
      if reaction.delay == .zero { return "on \(event)" }
      return "\(TimelineNumbers.text(reaction.delay)) after \(event)"
    case .after(let step, let delay):
      let time = delay == .zero ? "" : "\(TimelineNumbers.text(delay)) "
      return "\(time)after step \(step)"
    case .every(let interval, _, _): return "every \(TimelineNumbers.text(interval))"
    }
  }
}

extension ScriptAction {
  /// Whether the step plays without waiting.
  var isImmediate: Bool {
    if case .player(_, .playImmediately) = self { true } else { false }
  }

  /// Whether the step asks for play.
  var isPlay: Bool { if case .player(_, let action) = self { action.asksToPlay } else { false } }
}

extension Condition.Property {
  /// The name of the property in scenarios.
  fileprivate var word: String {
    Property.allCases.first { $0.condition == self }?.rawValue ?? ""
  }

  fileprivate func text(_ value: Int64) -> String {
    func word<Word: NamedCase & RawRepresentable>(_: Word.Type) -> String
    where Word.RawValue == UInt8 {
      Word.allCases.first { Int64($0.rawValue) == value }.map { "\($0.word)" } ?? "nil"
    }
    return switch self {
    case .loaded, .bufferedAhead, .currentTime, .offsetFromLive: TimelineNumbers.seconds(value)
    case .isPlaybackLikelyToKeepUp, .isPlaybackBufferFull, .isPlaybackBufferEmpty:
      value == 0 ? "false" : "true"
    case .timeControlStatus: word(TimeControlStatus.self)
    case .reasonForWaitingToPlay: word(WaitingReason.self)
    case .status: word(ItemStatus.self)
    case .variant: value < 0 ? "nil" : "\(value)"
    case .indicatedBitrate:
      value < 0 ? "nil" : TimelineNumbers.text(BitRate(bitsPerSecond: value))
    case .stallCount, .playedToEndCount, .errorCount: "\(value)"
    }
  }
}
