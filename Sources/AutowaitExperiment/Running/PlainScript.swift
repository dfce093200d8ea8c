import Autowait

/// A script for which it is known what the best start would be: an item, or a queue of files, is
/// loaded, and played from its beginning once and at one speed; an item with or without pauses.
struct PlainScript {
  /// The speed.
  let rate: PlaybackRate
  /// How long the media plays.
  let duration: MediaTime
  /// How long that plays which is loaded whether anybody plays or not: an item, or the first two of
  /// a queue, whose third one waits for the first one's end.
  let firstDuration: MediaTime
  /// The items that are played.
  let itemCount: Int
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
      let items = Self.items(of: player), let media = player.media.first,
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
      guard case .player(_, let action) = step.action else { return nil }
      switch action {
      case .play: turns.append((instant, player.defaultRate))
      case .playImmediately(let rate), .setRate(let rate): turns.append((instant, rate))
      case .pause:
        turns.append((instant, .zero))
        // It changes nothing where nobody plays; but what has come by then must be looked at.
        loading.append(step)
      case .replaceCurrentItem(0), .loadValues, .createItem: loading.append(step)
      case .replaceCurrentItem, .insert, .remove, .removeAllItems, .advanceToNextItem,
        .disableLooping, .setRateAtHostTime, .seek, .seekNear, .seekToLive, .preroll, .set,
        .interrupt, .enterBackground, .changeTracks, .select, .transcode, .enable, .failItem:
        return nil
      }
    }
    guard let rate = turns.first?.rate, rate > .zero, let pauses = Self.pauses(turns, rate) else {
      return nil
    }
    // Of a queue it is not worked out what pauses and items to load do.
    if items.count > 1, turns.count > 1 || !loading.isEmpty { return nil }
    self.rate = rate
    self.pauses = pauses
    self.loading = loading
    wish = turns[0].instant
    itemCount = items.count
    guard items.count > 1 else {
      duration = min(media.duration, player.forwardPlaybackEndTime ?? media.duration)
      firstDuration = duration
      return
    }
    func sum(_ items: some Sequence<Int>) -> MediaTime {
      items.reduce(.zero) { $0 + player.media[$1].duration }
    }
    (duration, firstDuration) = (sum(items), sum(items.prefix(2)))
  }

  /// Returns the items that a player is made to play in order; nil if they are none of which the
  /// best start is known.
  private static func items(of player: PlayerConfiguration) -> [Int]? {
    guard let queue = player.queue, queue.count > 1 else {
      return player.media.count == 1 ? [0] : nil
    }
    // An item that is there twice is loaded once, and streams choose their variants item by item.
    let isPlain = queue.indices.allSatisfy { place in
      player.media.indices.contains(queue[place]) && player.media[queue[place]].streamMedia == nil
        && !queue[..<place].contains(queue[place])
    }
    guard isPlain, player.loop == nil, player.pipeline == nil,
      player.forwardPlaybackEndTime == nil, player.actionAtItemEnd == .advance
    else { return nil }
    return queue
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
