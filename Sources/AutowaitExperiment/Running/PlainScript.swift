import Autowait

/// A script for which it is known what the best start would be: an item is loaded, and played from
/// its beginning once and at one speed, with or without pauses.
struct PlainScript {
  /// The speed.
  let rate: PlaybackRate
  /// How long the media plays.
  let duration: MediaTime
  /// When the wish to play comes, if that is an instant of the script.
  let wish: Instant?
  /// When the application pauses, until it plays on.
  let pauses: [Range<Instant>]
  /// The script without the wish to play.
  let loading: [ScriptStep]

  /// A step that begins or ends playback.
  private typealias Turn = (instant: Instant?, rate: PlaybackRate)

  /// Recognises such a script; nil if a world's script does more, or its media has no end.
  init?(_ world: World) {
    guard world.players.count == 1, let player = world.players.first,
      player.media.count == 1, let media = player.media.first,
      media.streamMedia?.live == nil, media.streamMedia?.startOffset == nil
    else { return nil }
    var turns: [Turn] = []
    var loading: [ScriptStep] = []
    for step in world.script {
      var instant: Instant?
      switch step.trigger {
      case .at(let at): instant = at
      case .when: break
      // What follows from something else cannot be taken apart from it.
      case .on, .after, .every: return nil
      }
      switch step.action {
      case .player(_, .play): turns.append((instant, player.defaultRate))
      case .player(_, .playImmediately(let rate)), .player(_, .setRate(let rate)):
        turns.append((instant, rate))
      case .player(_, .pause):
        turns.append((instant, .zero))
        // It changes nothing where nobody plays; but what has come by then must be looked at.
        loading.append(step)
      case .player(_, .replaceCurrentItem(0)), .player(_, .loadValues), .player(_, .createItem):
        loading.append(step)
      default: return nil
      }
    }
    guard let rate = turns.first?.rate, rate > .zero, let pauses = Self.pauses(turns, rate) else {
      return nil
    }
    self.rate = rate
    self.pauses = pauses
    self.loading = loading
    wish = turns[0].instant
    duration = min(media.duration, player.forwardPlaybackEndTime ?? media.duration)
  }

  /// Returns the pauses between wishes to play at one speed; nil unless each is at an instant of
  /// its own, and followed by another wish.
  private static func pauses(_ turns: [Turn], _ rate: PlaybackRate) -> [Range<Instant>]? {
    if turns.count == 1 { return [] }
    let instants = turns.compactMap { $0.instant }
    guard !turns.count.isMultiple(of: 2), instants.count == turns.count,
      zip(instants, instants.dropFirst()).allSatisfy({ $0 < $1 }),
      turns.indices.allSatisfy({ turns[$0].rate == ($0.isMultiple(of: 2) ? rate : .zero) })
    else { return nil }
    return stride(from: 1, to: turns.count, by: 2).map { instants[$0]..<instants[$0 + 1] }
  }
}
