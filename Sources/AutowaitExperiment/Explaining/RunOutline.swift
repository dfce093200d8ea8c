import Autowait
import AutowaitScenario

/// When playback stood still for want of media: a stall, or several close to each other.
///
/// What shortens one of those often only moves it to the next one, so that they have one answer.
package struct Stoppage: Hashable, Sendable {
  /// When it stalled first, and when it went on at last; the end of the run if it did not.
  package let start: Instant
  package fileprivate(set) var end: Instant
  /// The media that had been played by then: its place in the run, whatever else happens.
  package let played: MediaTime
  /// The media that had been played at the last of the stalls.
  package fileprivate(set) var lastPlayed: MediaTime
  /// How long it lasted, without the time that was played between stalls.
  package fileprivate(set) var span = TimeSpan.zero
  /// How many stalls there were.
  package fileprivate(set) var count = 1
  /// Whether playback went on.
  package fileprivate(set) var isOver = false

  /// The most media between two stalls that are close to each other; assumed.
  static let gapMax = MediaTime.seconds(10)
}

/// What a run came to for its players: when they played, and when they stalled.
package struct RunOutline: Sendable {
  /// What a player did.
  package struct PlayerOutline: Sendable {
    /// The stalls, those that are close to each other together.
    package fileprivate(set) var stoppages: [Stoppage] = []
    /// The stalls one by one.
    fileprivate var singles: [Stoppage] = []
    /// When the timebase ran first.
    package fileprivate(set) var firstPlayed: Instant?
    /// When somebody wished to play; nil if nobody did.
    package fileprivate(set) var wished: Instant?
    /// The media that was played.
    package fileprivate(set) var played = MediaTime.zero
    private var rate = PlaybackRate.zero
    private var stall = RecordedStall()
    private var since = Instant.start

    /// The time from the request to play until the timebase ran; nil if it never did.
    package var startup: TimeSpan? {
      guard let firstPlayed else { return nil }
      return max(.zero, firstPlayed - (wished ?? firstPlayed))
    }

    fileprivate mutating func take(_ record: EventRecord) {
      guard case .playback(let news) = record.event.topic else { return }
      let isChanged = stall.take(record)
      switch news {
      case .rate(let rate):
        if rate != .zero, wished == nil { wished = record.instant }
      case .timebaseRate(let new, _):
        move(to: record.instant)
        rate = new
        if new == .zero { return }
        if firstPlayed == nil { firstPlayed = record.instant }
        goOn(at: record.instant, isOver: true)
      case .stalled:
        move(to: record.instant)
        goOn(at: record.instant, isOver: false)
        singles.append(
          Stoppage(start: record.instant, end: .never, played: played, lastPlayed: played))
      // What is waited for from here on is another thing.
      case .seek, .currentItem, .itemStatus(.failed): goOn(at: record.instant, isOver: false)
      case .timeControlStatus(.paused):
        if let last = singles.last, last.start < record.instant {
          goOn(at: record.instant, isOver: false)
        }
      case .seekDidComplete:
        // A seek that is refused has ended nothing.
        if isChanged { singles[singles.count - 1].end = .never }
      case .itemStatus, .timeControlStatus, .reasonForWaitingToPlay, .timeJumped,
        .didPlayToEndTime, .pictureFrozen, .exception:
        break
      }
    }

    private mutating func move(to instant: Instant) {
      let span = Int128((instant - since).nanoseconds) * Int128(rate.millionths.magnitude)
      played = played + MediaTime(nanoseconds: Int64(clamping: span / 1_000_000))
      since = instant
    }

    private mutating func goOn(at instant: Instant, isOver: Bool) {
      guard let last = singles.last, last.end == .never else { return }
      singles[singles.count - 1].end = instant
      singles[singles.count - 1].span = instant - last.start
      singles[singles.count - 1].isOver = isOver
    }

    fileprivate mutating func end(at instant: Instant) {
      move(to: instant)
      goOn(at: instant, isOver: false)
      for single in singles {
        guard let last = stoppages.last, single.played - last.lastPlayed <= Stoppage.gapMax else {
          stoppages.append(single)
          continue
        }
        let place = stoppages.count - 1
        stoppages[place].end = single.end
        stoppages[place].lastPlayed = single.played
        stoppages[place].span += single.span
        stoppages[place].count += 1
        stoppages[place].isOver = single.isOver
      }
    }
  }

  /// The players.
  package private(set) var players: [PlayerOutline]
  /// When the run ended.
  package let end: Instant
  /// The digest of all that happened.
  package let fingerprint: UInt64
  /// The number of simulated events.
  package let eventCount: Int

  /// Runs a world; nil if a rule of it must be asked, or if the run is cut off.
  package init?(of world: World) {
    var simulation = Simulation(world)
    var players = world.players.map { _ in PlayerOutline() }
    let result = simulation.run { record in
      if let player = record.player, player < players.count { players[player].take(record) }
    }
    guard case .finished(let reason) = result, reason != .eventLimit else { return nil }
    end = simulation.now
    for place in players.indices { players[place].end(at: end) }
    self.players = players
    fingerprint = simulation.fingerprint.value
    eventCount = simulation.eventCount
  }

  /// Returns how long a player of another run stands still where it did so in this one; nil if it
  /// does not come that far.
  ///
  /// To a stall belongs the media halfway from the one before it and halfway to the next one, since
  /// what shortens a stall often moves it.
  package func remains(
    of number: Int, of player: Int, in other: RunOutline
  ) -> TimeSpan? {
    let all = players[player].stoppages
    let here = (first: all[number].played.nanoseconds, last: all[number].lastPlayed.nanoseconds)
    let others = other.players[player]
    if others.played.nanoseconds + 1_000_000 < here.first { return nil }
    let before = number == 0 ? nil : all[number - 1].lastPlayed.nanoseconds
    let after = number + 1 == all.count ? nil : all[number + 1].played.nanoseconds
    let first = before.map { ($0 + here.first) / 2 } ?? .min
    let last = after.map { ($0 + here.last) / 2 } ?? .max
    var sum = TimeSpan.zero
    for single in others.singles
    where first < single.played.nanoseconds && single.played.nanoseconds <= last {
      sum += single.span
    }
    return sum
  }
}
