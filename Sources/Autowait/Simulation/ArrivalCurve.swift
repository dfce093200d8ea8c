/// When the media of a run arrived: what a player that knew the network would have known.
///
/// Between two points the edge of what is loaded moves evenly or not at all. Media that comes in
/// pieces, such as the segments of a stream, is there when the piece is whole.
package struct ArrivalCurve: Hashable, Sendable {
  /// The edge of what was loaded, just before something happened at an instant.
  package struct Point: Hashable, Sendable {
    /// The instant.
    package let instant: Instant
    /// The media time up to which all had arrived.
    package let loadedEnd: MediaTime
  }

  /// The points, by ascending instant.
  package private(set) var points: [Point] = []
  /// How long the media plays.
  package let duration: MediaTime

  /// Creates the curve of media of which nothing has arrived.
  init(duration: MediaTime) {
    self.duration = duration
  }

  /// Whether all of the media arrived.
  package var isComplete: Bool { points.last.map { $0.loadedEnd >= duration } ?? false }

  /// Returns the earliest instant at which playback at a rate can start and never stall, with a
  /// buffer that has no limit: the latest of arrival minus time of media; nil if not all arrived.
  ///
  /// While the application pauses, by ascending instant, nothing is played and nobody waits: the
  /// clock stands, and the result is what it shows.
  ///
  /// Source: elementary; it is exact but for the rounding of a nanosecond, upwards.
  package func earliestStart(
    at rate: PlaybackRate = .normal, pauses: [Range<Instant>] = []
  ) -> Instant? {
    guard isComplete, rate > .zero else { return nil }
    var earliest = Int64.min
    for point in points {
      let played =
        Int128(point.loadedEnd.nanoseconds) * 1_000_000 / Int128(rate.millionths)
      var arrived = point.instant.nanoseconds
      for pause in pauses where pause.lowerBound < point.instant {
        arrived -= (min(point.instant, pause.upperBound) - pause.lowerBound).nanoseconds
      }
      earliest = max(earliest, arrived - Int64(clamping: played))
    }
    return Instant(nanoseconds: earliest)
  }

  /// Takes note of the edge just before an instant.
  mutating func note(_ loadedEnd: MediaTime, at instant: Instant) {
    // While the edge stands only the last instant counts: what comes next comes then or later.
    if let last = points.last, last.loadedEnd == loadedEnd { points.removeLast() }
    points.append(Point(instant: instant, loadedEnd: loadedEnd))
  }
}

extension Simulation {
  /// Runs until the media of a player's current item has arrived, with that of the next one in its
  /// queue if there is one, or to the end, and returns when it did.
  ///
  /// The curve is that of the run as it is. In a world whose player never plays nothing is consumed
  /// early, and the curve is that of the network alone.
  package mutating func arrivalCurve(of player: Int, duration: MediaTime) -> ArrivalCurve {
    var curve = ArrivalCurve(duration: duration)
    while finishReason == nil, !curve.isComplete {
      _ = hasEvent(notAfter: .never)
      let next = nextInstant
      if next < .never, players[player].source.item != nil {
        curve.note(players[player].loadedEndOfQueue(at: next), at: next)
      }
      guard case .advanced = step() else { break }
      if players[player].source.item != nil {
        let loadedEnd = players[player].loadedEndOfQueue(at: now)
        if loadedEnd >= duration, !curve.isComplete { curve.note(loadedEnd, at: now) }
      }
    }
    return curve
  }
}
