import Autowait

/// A script for which it is known what the best start would be: an item is loaded, and played from
/// its beginning once and at one speed.
struct PlainScript {
  /// The speed.
  let rate: PlaybackRate
  /// How long the media plays.
  let duration: MediaTime
  /// The script without the wish to play.
  let loading: [ScriptStep]

  /// Recognises such a script; nil if a world's script does more, or its media has no end.
  init?(_ world: World) {
    guard world.players.count == 1, let player = world.players.first,
      player.forwardPlaybackEndTime == nil, player.media.count == 1, let media = player.media.first,
      media.streamMedia?.live == nil, media.streamMedia?.startOffset == nil
    else { return nil }
    var rates: [PlaybackRate] = []
    var loading: [ScriptStep] = []
    for step in world.script {
      switch step.trigger {
      case .at, .when: break
      // What follows from something else cannot be taken apart from it.
      case .on, .after, .every: return nil
      }
      switch step.action {
      case .player(_, .play): rates.append(player.defaultRate)
      case .player(_, .playImmediately(let rate)), .player(_, .setRate(let rate)):
        rates.append(rate)
      case .player(_, .replaceCurrentItem(0)), .player(_, .loadValues), .player(_, .createItem):
        loading.append(step)
      default: return nil
      }
    }
    guard rates.count == 1, let rate = rates.first, rate > .zero else { return nil }
    self.rate = rate
    self.loading = loading
    duration = media.duration
  }
}
