/// A place on a track: the sample that holds now and the instant of the next.
struct LinkCursor: Sendable {
  private let samples: [LinkTrack.Sample]
  private let ending: LinkTrack.Ending
  /// The delay, if it never changes: who asks for nothing else need not follow the track.
  let constantDelay: TimeSpan?
  private(set) var rate = BitRate.zero
  /// The instant at which the next sample begins.
  private(set) var changesAt: Instant
  private var index = -1
  /// The instant that is zero on the track, of the present lap if it loops.
  private var origin: Instant

  /// Creates the place that a track started at an origin has reached at an instant.
  init(_ track: LinkTrack, origin: Instant, at now: Instant) {
    samples = track.samples
    ending = track.ending
    constantDelay = track.constantDelay
    changesAt = origin
    self.origin = origin
    advance(to: now)
  }

  /// The delay that holds; behind the end of a track that of its last sample.
  @inline(__always)
  var delay: TimeSpan {
    constantDelay ?? samples[min(max(index, 0), samples.count - 1)].delay
  }

  /// The loss that holds, if the sample says one.
  @inline(__always)
  var loss: Probability? { samples[min(max(index, 0), samples.count - 1)].loss }

  /// The number of samples on the track.
  var samplesCount: Int { samples.count }

  /// The rate after the next change.
  @inline(__always)
  var nextRate: BitRate {
    if index + 1 < samples.count { return samples[index + 1].rate }
    if case .loop = ending { return samples[0].rate }
    return .zero
  }

  /// Moves on to the sample that holds at an instant.
  @inline(__always)
  mutating func advance(to now: Instant) {
    if now < changesAt { return }
    enterNext()
    if now < changesAt { return }
    skipLaps(to: now)
    while changesAt <= now {
      enterNext()
    }
  }

  /// Laps that pass while nobody looks are counted, not walked.
  private mutating func skipLaps(to now: Instant) {
    guard case .loop(let period) = ending else { return }
    let elapsed = (now - origin).nanoseconds
    if elapsed >= 2 * period.nanoseconds {
      let laps = elapsed / period.nanoseconds - 1
      origin = origin + TimeSpan(nanoseconds: laps * period.nanoseconds)
      index = -1
      changesAt = origin
    }
  }

  /// Moves on to the next sample, whose time has come.
  @inline(__always)
  mutating func enterNext() {
    index += 1
    if index == samples.count {
      guard case .loop(let period) = ending else {
        // The track is over and the link down; a held track has no change after its last sample.
        rate = .zero
        changesAt = .never
        return
      }
      origin = origin + period
      index = 0
    }
    rate = samples[index].rate
    if index + 1 < samples.count {
      changesAt = origin + samples[index + 1].start
    } else {
      switch ending {
      case .hold: changesAt = .never
      case .offline(let end): changesAt = origin + end
      case .loop(let period): changesAt = origin + period
      }
    }
  }
}
