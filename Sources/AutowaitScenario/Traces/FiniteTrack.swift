import Autowait

/// A track with an end, as formats hold it that only know rows with durations.
struct FiniteTrack {
  /// How long a last sample becomes that would hold forever; assumed.
  static let tail = TimeSpan.seconds(60)

  /// The samples.
  private(set) var samples: TrackSamples
  /// Where the last one ends.
  private(set) var end: TimeSpan

  /// Creates a track that ends where another one does, or at a given time.
  ///
  /// What holds forever is written up to the given time, or for a minute.
  init(_ track: LinkTrack, until: TimeSpan? = nil, tail: TimeSpan = FiniteTrack.tail) {
    samples = track.samples
    let start = samples[samples.count - 1].start
    switch track.ending {
    case .loop(let period): end = period
    case .hold: end = until.map { max($0, start) } ?? start + tail
    case .offline(let last):
      end = last
      if let until, until > last {
        samples.append(LinkTrack.Sample(start: last, rate: .zero))
        end = until
      }
    }
    guard let until, until < end else { return }
    samples = samples(before: until)
    end = until
  }

  /// The samples that begin before a time.
  func samples(before time: TimeSpan) -> TrackSamples {
    guard let last = samples.last, last.start >= time else { return samples }
    return TrackSamples(samples.lazy.filter { $0.start < time })
  }

  /// The length of a sample.
  func length(_ index: Int) -> TimeSpan {
    (index + 1 < samples.count ? samples[index + 1].start : end) - samples[index].start
  }

  /// What the track carries from its start to its end.
  var amount: DataAmount {
    samples.indices.reduce(DataAmount.zero) { $0 + DataAmount(samples[$1].rate, for: length($1)) }
  }

  /// Returns the track cut wherever the delay of another one changes, with both delays added up.
  func adding(delaysOf other: LinkTrack) -> FiniteTrack {
    var cursor = FiniteTrack(other, until: end).samples[...]
    var result = TrackSamples()
    var delay = TimeSpan.zero
    func add(_ sample: LinkTrack.Sample, at start: TimeSpan) {
      result.append(
        LinkTrack.Sample(
          start: start, rate: sample.rate, delay: sample.delay + delay, loss: sample.loss))
    }
    for index in samples.indices {
      let own = samples[index]
      while let next = cursor.first, next.start <= own.start {
        delay = next.delay
        cursor = cursor.dropFirst()
      }
      add(own, at: own.start)
      while let next = cursor.first, next.start < own.start + length(index) {
        cursor = cursor.dropFirst()
        if next.delay == delay { continue }
        delay = next.delay
        add(own, at: next.start)
      }
    }
    var track = self
    track.samples = result
    return track
  }
}
