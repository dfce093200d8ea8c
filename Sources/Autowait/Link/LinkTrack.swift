/// What a link can do over time: a rate and a round trip that change at given instants.
///
/// The samples live in shared storage that is never written, so that copying a world with a
/// thousand samples copies one reference.
public struct LinkTrack: Hashable, Sendable {
  /// The condition of a link from one instant on.
  public struct Sample: Hashable, Sendable {
    /// The time from the start of the track at which the sample begins to hold.
    public var start: TimeSpan
    /// The rate at which data arrives; zero is an outage.
    public var rate: BitRate
    /// The time from sending a request to the first byte of its response.
    public var roundTrip: TimeSpan

    /// Creates a sample.
    public init(start: TimeSpan = .zero, rate: BitRate, roundTrip: TimeSpan = .zero) {
      self.start = start
      self.rate = rate
      self.roundTrip = roundTrip
    }
  }

  /// What follows when the samples have run out.
  public enum Ending: Hashable, Sendable {
    /// The last sample holds for ever.
    case hold
    /// The link is down from the given time on.
    case offline(after: TimeSpan)
    /// The track starts again after the given time.
    case loop(after: TimeSpan)
  }

  /// The samples by ascending start, the first at zero.
  public let samples: [Sample]
  /// What follows the last sample.
  public let ending: Ending

  /// Creates a track from samples by ascending start, the first at zero.
  public init(_ samples: [Sample], ending: Ending = .hold) {
    precondition(samples.first?.start == .zero, "a track starts at zero")
    for (earlier, later) in zip(samples, samples.dropFirst()) {
      precondition(earlier.start < later.start, "the samples of a track ascend")
    }
    if case .loop(let period) = ending, let last = samples.last {
      precondition(period > last.start, "a track loops after its last sample")
    }
    if case .offline(let end) = ending, let last = samples.last {
      precondition(end > last.start, "a track ends after its last sample")
    }
    self.samples = samples
    self.ending = ending
  }

  /// Creates a track that never changes.
  public init(rate: BitRate, roundTrip: TimeSpan = .zero) {
    self.init([Sample(rate: rate, roundTrip: roundTrip)])
  }
}

/// A place on a track: the sample that holds now and the instant of the next.
struct LinkCursor: Hashable, Sendable {
  private(set) var rate: BitRate
  private(set) var roundTrip: TimeSpan
  /// The instant at which the next sample begins.
  private(set) var changesAt: Instant
  private var index: Int
  /// The instant that is zero on the track, of the present lap if it loops.
  private var origin: Instant

  /// Creates the place that a track started at an origin has reached at an instant.
  init(_ track: LinkTrack, origin: Instant, at now: Instant) {
    rate = .zero
    roundTrip = .zero
    changesAt = origin
    index = -1
    self.origin = origin
    advance(track, to: now)
  }

  /// Moves on to the sample that holds at an instant.
  @inline(__always)
  mutating func advance(_ track: LinkTrack, to now: Instant) {
    if now < changesAt { return }
    skipLaps(track, to: now)
    while changesAt <= now {
      enterNext(track)
    }
  }

  /// Laps that pass while nobody looks are counted, not walked.
  @inline(__always)
  private mutating func skipLaps(_ track: LinkTrack, to now: Instant) {
    guard case .loop(let period) = track.ending else { return }
    let elapsed = (now - origin).nanoseconds
    if elapsed >= 2 * period.nanoseconds {
      let laps = elapsed / period.nanoseconds - 1
      origin = origin + TimeSpan(nanoseconds: laps * period.nanoseconds)
      index = -1
      changesAt = origin
    }
  }

  @inline(__always)
  private mutating func enterNext(_ track: LinkTrack) {
    index += 1
    if index == track.samples.count {
      switch track.ending {
      case .hold:
        preconditionFailure("a held track has no change after its last sample")
      case .offline:
        rate = .zero
        changesAt = .never
        return
      case .loop(let period):
        origin = origin + period
        index = 0
      }
    }
    let sample = track.samples[index]
    rate = sample.rate
    roundTrip = sample.roundTrip
    if index + 1 < track.samples.count {
      changesAt = origin + track.samples[index + 1].start
    } else {
      switch track.ending {
      case .hold: changesAt = .never
      case .offline(let end): changesAt = origin + end
      case .loop(let period): changesAt = origin + period
      }
    }
  }
}
