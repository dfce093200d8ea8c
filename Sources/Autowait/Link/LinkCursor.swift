/// A place on a track: the sample that holds now and the instant of the next.
struct LinkCursor: Sendable {
  /// The samples; of a long track those of the stretch that holds.
  private var samples: [LinkTrack.Sample]
  /// The samples of a long track, in an array of one for the cursor to be small; nil of one whose
  /// samples are all at hand.
  private let packed: [TrackSamples]?
  /// The stretch of a long track that holds.
  private var stretch = 0
  private let ending: LinkTrack.Ending
  /// The delay, if it never changes: who asks for nothing else need not follow the track.
  let constantDelay: TimeSpan?
  private(set) var rate = BitRate.zero
  /// Since when the rate has been zero, if it is; what was before the track does not count.
  private(set) var stoodSince: Instant
  /// The instant at which the next sample begins.
  private(set) var changesAt: Instant
  private var index = -1
  /// The instant that is zero on the track, of the present lap if it loops.
  private var origin: Instant

  /// Creates the place that a track started at an origin has reached at an instant.
  init(_ track: LinkTrack, origin: Instant, at now: Instant) {
    samples = track.samples.stretch(0)
    packed = track.samples.isPacked ? [track.samples] : nil
    ending = track.ending
    constantDelay = track.constantDelay
    changesAt = origin
    stoodSince = origin
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
  var samplesCount: Int { packed?[0].count ?? samples.count }

  /// The first sample of a long track that is not at hand.
  private var firstOfNextStretch: LinkTrack.Sample? {
    guard let all = packed?[0] else { return nil }
    let next = (stretch + 1) * TrackSamples.blockCount
    return next < all.count ? all[next] : nil
  }

  /// Takes a stretch of a long track at hand.
  private mutating func enter(stretch number: Int) {
    guard let all = packed?[0], number != stretch else { return }
    stretch = number
    samples = all.stretch(number)
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
    assert(rate >= .zero && index <= samples.count, "sample \(index) of \(samples.count)")
  }

  /// Laps that pass while nobody looks are counted, not walked.
  private mutating func skipLaps(to now: Instant) {
    guard case .loop(let period) = ending else { return }
    let elapsed = (now - origin).nanoseconds
    if elapsed >= 2 * period.nanoseconds {
      let laps = elapsed / period.nanoseconds - 1
      origin = origin + TimeSpan(nanoseconds: laps * period.nanoseconds)
      enter(stretch: 0)
      assert(laps > 0 && origin <= now, "\(laps) laps were counted")
      index = -1
      changesAt = origin
    }
  }

  /// Moves on to the next sample, whose time has come.
  @inline(__always)
  mutating func enterNext() {
    if rate > .zero { stoodSince = changesAt }
    if index + 2 < samples.count {
      index += 1
      rate = samples[index].rate
      changesAt = origin + samples[index + 1].start
    } else {
      enterLast()
    }
  }

  /// Moves on to the last sample at hand, or to what follows it.
  @inline(never)
  private mutating func enterLast() {
    index += 1
    if index == samples.count {
      if firstOfNextStretch != nil {
        enter(stretch: stretch + 1)
      } else if case .loop(let period) = ending {
        origin = origin + period
        enter(stretch: 0)
      } else {
        // The track is over and the link down; a held track has no change after its last sample.
        rate = .zero
        changesAt = .never
        return
      }
      index = 0
    }
    rate = samples[index].rate
    if index + 1 < samples.count {
      changesAt = origin + samples[index + 1].start
    } else if let next = firstOfNextStretch {
      changesAt = origin + next.start
    } else {
      switch ending {
      case .hold: changesAt = .never
      case .offline(let end): changesAt = origin + end
      case .loop(let period): changesAt = origin + period
      }
    }
  }
}
