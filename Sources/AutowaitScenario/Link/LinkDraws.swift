import Autowait

/// What of the links of a scenario is drawn from its seed, so that another seed is drawn without
/// reading anything again.
struct LinkDraws: Hashable, Sendable {
  /// A track whose rate is uniform between two bounds.
  struct Track: Hashable, Sendable {
    /// The component that the random stream belongs to.
    let component: String
    let from: BitRate
    let to: BitRate
    /// How long each rate holds; the last one holds forever.
    let every: TimeSpan
    let count: Int
  }

  /// What of one link is drawn.
  struct DrawnPart: Hashable, Sendable {
    /// The numbers of the tracks that come down and go up.
    var down: Int?
    var up: Int?
    /// The outages that are cut into the track that comes down.
    var cuts: [ClosedRange<TimeSpan>] = []
    /// On and off times.
    var outage: LinkOutage?

    /// Takes note of the number of the track of a direction; nil if it is not drawn.
    mutating func take(_ track: Int?, goesUp: Bool) {
      if goesUp { up = track } else { down = track }
    }
  }

  /// The tracks, in the order in which they are drawn.
  var tracks: [Track] = []
  /// The parts, by the number of the link.
  var parts: [DrawnPart] = []
  /// How long the run is at most, which is how long outages are drawn for.
  var end = TimeSpan.zero

  /// Whether nothing is drawn.
  var isEmpty: Bool { tracks.isEmpty && parts.allSatisfy { $0.outage == nil } }

  /// Draws links again and returns how many numbers that took; nil if it took too many, of which
  /// those who read the scenario again will tell.
  func redraw(_ links: inout [LinkProfile], seed: UInt64) -> Int64? {
    var draws: Int64 = 0
    var rates: [[BitRate]] = []
    for track in tracks {
      if draws + Int64(track.count) > LinkReader.drawsMax { return nil }
      let drawn = track.rates(seed: seed)
      rates.append(drawn.rates)
      draws += drawn.draws
    }
    for (number, part) in parts.enumerated() {
      if let down = part.down {
        // The delay is the link's, and the same throughout.
        let delay = links[number].down.track.samples[0].delay
        let track = tracks[down].track(rates[down], delay: delay)
        links[number].down.track = part.cuts.isEmpty ? track : track.withOutages(part.cuts)
      }
      if let up = part.up {
        let delay = links[number].up.track.samples[0].delay
        links[number].up.track = tracks[up].track(rates[up], delay: delay)
      }
      if let outage = part.outage {
        guard let drawn = outage.events(seed: seed, link: number, until: end) else { return nil }
        links[number].events = drawn.events
        draws += drawn.draws
      }
    }
    return draws
  }
}

extension LinkDraws.Track {
  /// Draws the rates; also returns how many numbers that took.
  func rates(seed: UInt64) -> (rates: [BitRate], draws: Int64) {
    var stream = RandomStream(seed: seed, component: component, purpose: "rate")
    let span = UInt64(to.bitsPerSecond - from.bitsPerSecond) + 1
    let rates = (0..<count).map { _ in
      BitRate(bitsPerSecond: from.bitsPerSecond + Int64(stream.next(below: span)))
    }
    return (rates, stream.draws)
  }

  /// Makes a track of rates that were drawn.
  func track(_ rates: [BitRate], delay: TimeSpan) -> LinkTrack {
    var start = TimeSpan.zero
    return LinkTrack(
      rates.map { rate in
        defer { start = start + every }
        return LinkTrack.Sample(start: start, rate: rate, delay: delay)
      })
  }
}

extension LinkOutage {
  /// Returns the blackouts of a link until its end, and how many numbers were drawn for them; nil
  /// if they are too many.
  func events(
    seed: UInt64, link number: Int, until end: TimeSpan
  ) -> (events: [LinkEvent], draws: Int64)? {
    var stream = RandomStream(seed: seed, component: "link/\(number)", purpose: "outage")
    func next(_ mean: TimeSpan) -> TimeSpan {
      // A time of zero would join two outages, or make one that is none.
      isRandom ? max(TimeSpan(nanoseconds: 1), stream.nextExponential(mean: mean)) : mean
    }
    var events: [LinkEvent] = []
    var time = next(on)
    while time < end {
      if events.count == LinkReader.outagesMax { return nil }
      let length = next(off)
      events.append(LinkEvent(at: time, .blackout(length, drops: drops)))
      time = time + length + next(on)
    }
    return (events, stream.draws)
  }
}
