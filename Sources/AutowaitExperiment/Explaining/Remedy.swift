import Autowait

/// One thing that is changed in a world, to see what a run would have come to with it.
///
/// A cause is found by taking it away, and a question "what if" is answered by running the answer:
/// both change a world by the same means.
package enum Remedy: Hashable, Sendable {
  /// No outage lasts longer than this; zero for no outages.
  case outages(max: TimeSpan)
  /// No request goes wrong.
  case faults
  /// No segment needs a key.
  case keys
  /// Nobody else uses the link.
  case traffic
  /// No packet is lost on the way.
  case loss
  /// The link is never slower than the rate that it has for a quarter of its time.
  case slowStretches
  /// The link's condition stays as it is at the start, and no connection is handed over.
  case linkChanges
  /// Playlists are known before they are asked for.
  case playlists
  /// Servers answer at once.
  case serverDelay
  /// No packet is dropped because a queue is full.
  case queue
  /// A connection sends at the rate of the link from its first byte on.
  case slowStart
  /// A connection that was idle goes on as it was.
  case idleRestart
  /// Packets take no time on the way.
  case roundTrips
  /// The app and the player react at once.
  case appDelay
  /// The network hands the media over, and not a delegate of the app.
  case delegate
  /// No variant has a higher peak rate than this.
  case variant(max: BitRate)
  /// The app lets the player wait for enough media.
  case impatience
  /// The player loads on, however much it has.
  case bufferLimit
  /// The rates of the link are as many kbit/s, where they were this many on average.
  case linkRate(kilobits: Int64, of: Int64)
  /// The media has this many kbit/s, where it had that many.
  case mediaRate(kilobits: Int64, of: Int64)
  /// The wish to play comes at an instant.
  case play(at: Instant)
  /// Playback starts, and goes on after a stall, with so much media ahead.
  case startBuffer(MediaTime)
  /// The player loads so far ahead.
  case bufferTarget(MediaTime)
  /// The player loads ahead until it has so many kB, where it is content with less.
  case bufferSize(kilobytes: Int64)
  /// A step of the script, counted from zero, is left out.
  case step(Int)

  /// What can go wrong in a run, and can be taken away: what is named first of two that matter
  /// alike.
  package static let incidents: [Remedy] = [
    .outages(max: .zero), .faults, .keys, .traffic, .loss, .linkChanges, .slowStretches,
    .playlists, .serverDelay, .delegate, .appDelay, .queue, .idleRestart, .slowStart,
  ]
}

extension World {
  /// Returns the world with some things changed, for a player where they are a player's; nil if one
  /// of them cannot be changed in it.
  ///
  /// The links are modelled as exactly as they are without the changes.
  package func changed(by remedies: [Remedy], for player: Int) -> World? {
    var world = self
    world.tier = tierChoice.tier
    for remedy in remedies {
      if !world.change(by: remedy, for: player) { return nil }
    }
    return world
  }

  private mutating func change(by remedy: Remedy, for player: Int) -> Bool {
    switch remedy {
    case .outages, .traffic, .loss, .slowStretches, .linkChanges, .queue, .roundTrips, .linkRate:
      return changeNetwork(by: remedy)
    case .serverDelay: return changeTransport { $0.serverDelay = .zero }
    case .slowStart: return changeTransport { $0.initialWindow = 10_000 }
    case .idleRestart: return changeTransport { $0.slowStartsAfterIdle = false }
    case .faults, .keys, .playlists, .delegate, .variant, .mediaRate:
      return changeMedia(by: remedy, for: player)
    case .appDelay:
      players[player].latency = LatencyPolicy()
    case .impatience: return letWait(player)
    case .bufferLimit:
      players[player].setBufferTarget(nil)
    case .bufferTarget(let time):
      players[player].setBufferTarget(time)
    case .bufferSize(let kilobytes):
      players[player].setBufferSize(ByteCount(bytes: kilobytes * 1_000))
    case .startBuffer(let time):
      if case .external = players[player].keepUp.rule { return false }
      players[player].keepUp.rule = .buffered(start: time, resume: time)
    case .play(let instant): return play(at: instant, player)
    case .step(let index): return leaveOut(index)
    }
    return true
  }

  private mutating func changeTransport(_ change: (inout TransportPolicy) -> Void) -> Bool {
    guard var policy = transport else { return false }
    change(&policy)
    transport = policy
    return true
  }

  /// Moves the first wish to play to an instant.
  private mutating func play(at instant: Instant, _ player: Int) -> Bool {
    guard let place = firstPlay(of: player) else { return false }
    switch script[place].trigger {
    case .at, .when, .on: script[place].trigger = .at(instant)
    case .after, .every: return false
    }
    return true
  }

  /// The first step that wishes a player to play; nil if there is none.
  package func firstPlay(of player: Int) -> Int? {
    script.firstIndex { step in
      guard case .player(player, let action) = step.action else { return false }
      // What begins at an instant of its own is left as it is.
      if case .setRateAtHostTime = action { return false }
      return action.asksToPlay
    }
  }

  /// Lets a player wait that was told to play at once.
  private mutating func letWait(_ player: Int) -> Bool {
    players[player].automaticallyWaitsToMinimizeStalling = nil
    for place in script.indices {
      guard case .player(player, let action) = script[place].action else { continue }
      if case .playImmediately(let rate) = action {
        script[place].action = .player(player, .setRate(rate))
      } else if case .set(.automaticallyWaitsToMinimizeStalling) = action {
        script[place].action = .player(player, .set(.automaticallyWaitsToMinimizeStalling(true)))
      }
    }
    return true
  }

  private mutating func leaveOut(_ index: Int) -> Bool {
    for place in script.indices {
      guard case .after(let other, let delay) = script[place].trigger else { continue }
      if other == index { return false }
      if other > index { script[place].trigger = .after(other - 1, delay) }
    }
    script.remove(at: index)
    return true
  }
}

extension PlayerConfiguration {
  /// The data ahead with which the player is content, whatever time that is; nil for any.
  package var bufferSize: ByteCount? {
    let isStream = media.contains { $0.streamMedia != nil }
    return keepUp.forwardBufferSizes.map { $0.sizeMax }
      ?? (isStream ? streaming.forwardBufferSize : nil)
  }

  /// Sets how much data ahead the player loads.
  fileprivate mutating func setBufferSize(_ size: ByteCount) {
    if keepUp.forwardBufferSizes?.sizeMax != nil {
      keepUp.forwardBufferSizes?.sizeMax = size
    } else {
      streaming.forwardBufferSize = size
    }
  }

  /// Sets how far ahead the player loads; nil for as far as it goes.
  fileprivate mutating func setBufferTarget(_ time: MediaTime?) {
    let far = MediaTime.seconds(86_400)
    preferredForwardBufferDuration = time ?? .zero
    if keepUp.forwardBufferLimit != nil || time != nil {
      keepUp.forwardBufferLimit = time
      keepUp.forwardBufferResume = nil
    }
    if streaming.forwardBufferDefault != nil || streaming.forwardBufferLimit != nil || time != nil {
      streaming.forwardBufferDefault = time ?? far
    }
    if time == nil {
      streaming.forwardBufferSize = ByteCount(bytes: 1 << 40)
      keepUp.forwardBufferSizes = nil
    }
  }
}
