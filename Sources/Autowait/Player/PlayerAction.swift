/// A call that an application can make, or something that the system does to a player.
package enum PlayerAction: Hashable, Sendable {
  /// Makes an item of the configuration, or none, the current one, and begins to load it.
  case replaceCurrentItem(Int?)
  /// `insert(_:after:)` of a queue player; after none means at the end.
  case insert(Int, after: Int?)
  /// `remove(_:)` of a queue player.
  case remove(Int)
  /// `removeAllItems()` of a queue player.
  case removeAllItems
  /// `advanceToNextItem()` of a queue player.
  case advanceToNextItem
  /// `disableLooping()` of a looper, or what ends another loop.
  case disableLooping
  /// Asks for the values of an item's asset, as `load(.duration)` does.
  case loadValues(Int)
  /// Creates an item of the configuration without making it the current one.
  case createItem(Int)
  /// `play()`.
  case play
  /// `pause()`.
  case pause
  /// `playImmediately(atRate:)`.
  case playImmediately(PlaybackRate)
  /// The `rate` property; zero pauses.
  case setRate(PlaybackRate)
  /// `setRate(_:time:atHostTime:)`; nil for an invalid time, which means "now".
  case setRateAtHostTime(PlaybackRate, time: MediaTime?, hostTime: Instant?)
  /// `seek(to:)`; nil for an invalid or indefinite time.
  case seek(MediaTime?)
  /// `seek(to:toleranceBefore:toleranceAfter:)`, of a time that is valid.
  case seekNear(MediaTime, before: MediaTime, after: MediaTime)
  /// A seek to where a live stream would start now.
  case seekToLive
  /// `preroll(atRate:)`.
  case preroll
  /// Writes a setting.
  case set(PlayerSetting)
  /// A call comes in: the audio session is interrupted.
  case interrupt
  /// The application goes to the background, where its video may not play.
  case enterBackground
  /// Something about the tracks changes: the sound is loaded again.
  case changeTracks
  /// `select(_:in:)`: a language of a kind of renditions; none for no subtitles.
  case select(StreamMedia.Rendition.Kind, LanguageTag?)
  /// Reads an item as an asset, and writes another one.
  case transcode(Int, TranscodePlan)
  /// `isEnabled` of the tracks of a kind.
  case enable(MediaTrack, Bool)
  /// The current item fails, as when its server goes away for good.
  case failItem
}

extension PlayerAction {
  /// The rate that it asks for, where `play()` asks for a certain one; nil if it asks for none.
  package func rate(ofPlay defaultRate: PlaybackRate) -> PlaybackRate? {
    switch self {
    case .play: defaultRate
    case .playImmediately(let rate), .setRate(let rate), .setRateAtHostTime(let rate, _, _): rate
    case .replaceCurrentItem, .insert, .remove, .removeAllItems, .advanceToNextItem,
      .disableLooping, .loadValues, .createItem, .pause, .seek, .seekNear, .seekToLive, .preroll,
      .set, .interrupt, .enterBackground, .changeTracks, .select, .transcode, .enable, .failItem:
      nil
    }
  }

  /// Whether it asks for playback.
  package var asksToPlay: Bool {
    if case .playImmediately = self { return true }
    return rate(ofPlay: .normal).map { $0 != .zero } ?? false
  }
}
