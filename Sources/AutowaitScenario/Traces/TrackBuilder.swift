import Autowait

/// Puts a track together, piece by piece, and stops where no more of it is needed.
struct TrackBuilder {
  /// The most samples of a track.
  ///
  /// A day of them at 10 ms has 8.64 million. Packed, the most take 64 MB if they come evenly, and
  /// 200 MB if nothing about them is even.
  static let samplesMax = 16_000_000

  /// The samples so far.
  private(set) var samples = TrackSamples()
  /// Where the last of them ends.
  private(set) var end = TimeSpan.zero
  /// What the samples carry less than the trace says, in 10⁻¹⁵ bits.
  private var missing: Int128 = 0
  /// The rate of the last sample, as the trace spells it.
  private var lastSpelled = TraceRate.zero
  /// How much of the track is needed.
  private let until: TimeSpan?
  /// Whether a piece like the one before it is the same sample.
  private let isMerging: Bool

  init(until: TimeSpan?, isMerging: Bool = false) {
    self.until = until
    self.isMerging = isMerging
  }

  /// Whether no more is needed.
  var isEnough: Bool { until.map { end >= $0 } ?? false }

  /// Adds a piece of some length; one of no length is nothing.
  mutating func add(
    _ length: TimeSpan, _ spelled: TraceRate, delay: TimeSpan = .zero
  ) throws(TraceWriter.TraceProblem) {
    if length <= .zero { return }
    var length = length
    if let until, length > until - end { length = until - end }
    if length <= .zero { return }
    if length > Limits.timeMax - end {
      throw TraceWriter.TraceProblem(
        message: "the trace is longer than the limit of "
          + Quantity.time.text(Limits.timeMax.nanoseconds), notes: [Self.note])
    }
    if isMerging, let last = samples.last, spelled == lastSpelled, last.delay == delay {
      _ = rounded(spelled, length, at: last.rate)
      end += length
      return
    }
    if samples.count == Self.samplesMax {
      throw TraceWriter.TraceProblem(
        message: "the trace has more than \(Self.samplesMax) changes", notes: [Self.note])
    }
    let rate = rounded(spelled, length)
    lastSpelled = spelled
    samples.append(LinkTrack.Sample(start: end, rate: rate, delay: delay))
    end += length
  }

  /// Returns a rate in whole bits per second, and keeps what is too much or too little.
  ///
  /// It is one of the two around the rate that is spelled: what many rows carry together is what
  /// the trace says, and a row that is spelled in whole bits stays as it is.
  private mutating func rounded(
    _ spelled: TraceRate, _ length: TimeSpan, at fixed: BitRate? = nil
  ) -> BitRate {
    let floor = BitRate(bitsPerSecond: spelled.microbits / TraceRate.parts)
    let span = Int128(length.nanoseconds)
    let (rest, whole) = (
      Int128(spelled.microbits % TraceRate.parts) * span, Int128(TraceRate.parts) * span
    )
    if rest == 0 { return floor }
    // Halves up: the first row with a half is rounded as it would be alone.
    let isUp = fixed.map { $0 > floor } ?? ((missing + rest) * 2 >= whole)
    missing += isUp ? rest - whole : rest
    return isUp ? BitRate(bitsPerSecond: floor.bitsPerSecond + 1) : floor
  }

  private static let note = "only a part of a trace is read with '--until'"

  /// Returns the track; nil if nothing was added.
  func track(_ ending: TraceEnding) -> LinkTrack? {
    samples.isEmpty ? nil : LinkTrack(samples, ending: ending.ending(after: end))
  }
}

extension LinkProfile {
  /// Creates a link from a track whose delays are round trips.
  ///
  /// Half a delay that never changes is given to each direction. One that changes stays in the
  /// downward direction, where a track can hold it: nothing but the sum is known.
  init(roundTrips track: LinkTrack) {
    let delay = track.samples[0].delay
    if delay == .zero || track.samples.contains(where: { $0.delay != delay }) {
      self.init(track)
      return
    }
    let up = TimeSpan(nanoseconds: delay.nanoseconds / 2)
    let samples = track.samples.lazy.map {
      LinkTrack.Sample(start: $0.start, rate: $0.rate, delay: delay - up, loss: $0.loss)
    }
    self.init(
      down: LinkDirection(LinkTrack(TrackSamples(samples), ending: track.ending)),
      up: LinkDirection(LinkTrack(rate: .unlimited, delay: up)))
  }
}

extension TrackBuilder {
  /// Returns the track, or throws why a file has none.
  func finished(
    _ ending: TraceEnding, or message: @autoclosure () -> String, _ path: String
  ) throws(TraceError) -> LinkTrack {
    if let track = track(ending) { return track }
    throw TraceError(message(), path: path)
  }
}
