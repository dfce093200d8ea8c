/// What one direction of a link can do over time: a rate, a delay and a loss that change at given
/// instants.
///
/// The samples live in shared storage that is never written, so that copying a world with a
/// thousand samples copies one reference; of a long track they are packed.
public struct LinkTrack: Hashable, Sendable {
  /// The condition of a direction from one instant on.
  public struct Sample: Hashable, Sendable {
    /// The time from the start of the track at which the sample begins to hold.
    public var start: TimeSpan
    /// The rate at which data is carried; zero is an outage that loses nothing.
    public var rate: BitRate
    /// The time that data is under way, from one end to the other.
    public var delay: TimeSpan
    /// The chance that a packet is lost; nil for what the direction says.
    public var loss: Probability? {
      get { lossParts == .max ? nil : Probability(parts: lossParts) }
      set { lossParts = newValue?.parts ?? .max }
    }

    /// The parts of the chance, or no number of parts: a track has many samples, and most of them
    /// say nothing of losses.
    private var lossParts: UInt64

    /// Creates a sample.
    public init(
      start: TimeSpan = .zero, rate: BitRate, delay: TimeSpan = .zero, loss: Probability? = nil
    ) {
      self.start = start
      self.rate = rate
      self.delay = delay
      lossParts = loss?.parts ?? .max
    }
  }

  /// What follows when the samples have run out.
  public enum Ending: Hashable, Sendable {
    /// The last sample holds forever.
    case hold
    /// The link is down from the given time on.
    case offline(after: TimeSpan)
    /// The track starts again after the given time.
    case loop(after: TimeSpan)
  }

  /// The samples by ascending start, the first at zero.
  package let samples: TrackSamples
  /// What follows the last sample.
  public let ending: Ending
  /// The delay of all samples; nil if they differ.
  let constantDelay: TimeSpan?

  /// Creates a track from samples by ascending start, the first at zero.
  public init(_ samples: [Sample], ending: Ending = .hold) {
    self.init(TrackSamples(samples), ending: ending)
  }

  /// Creates a track from samples that may be packed, by ascending start, the first at zero.
  package init(_ samples: TrackSamples, ending: Ending = .hold) {
    precondition(
      samples.first?.start == .zero,
      "the first sample of a track must start at 0 s, "
        + "\(samples.first.map { "starts at \($0.start)" } ?? "there is none")")
    let delay = samples.first?.delay ?? .zero
    var differences: Int64 = 0
    var start = TimeSpan(nanoseconds: -1)
    for number in 0..<samples.stretchCount {
      for sample in samples.stretch(number) {
        precondition(
          start < sample.start,
          "the samples of a track must ascend, one at \(sample.start) comes after one at \(start)")
        assert(
          sample.rate >= .zero && sample.delay >= .zero,
          "a sample of \(sample.rate.bitsPerSecond) bit/s and \(sample.delay.nanoseconds) ns")
        start = sample.start
        // All bits that any delay has otherwise: no branch in a loop over many samples.
        differences |= sample.delay.nanoseconds ^ delay.nanoseconds
      }
    }
    if case .loop(let period) = ending, let last = samples.last {
      precondition(
        period > last.start,
        "a track must loop after its last sample, at \(last.start), loops after \(period)")
    }
    if case .offline(let end) = ending, let last = samples.last {
      precondition(
        end > last.start,
        "a track must end after its last sample, at \(last.start), ends after \(end)")
    }
    self.samples = samples
    self.ending = ending
    constantDelay = differences == 0 ? delay : nil
  }

  /// Creates a track that never changes.
  public init(rate: BitRate, delay: TimeSpan = .zero) {
    self.init([Sample(rate: rate, delay: delay)])
  }
}
