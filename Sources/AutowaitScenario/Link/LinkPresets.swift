import Autowait

/// The tables of the links that are built in; rates are in bit/s and delays in microseconds.
enum LinkPresets {
  /// What links of one family have in common.
  struct Family {
    private let name: String
    private let source: String
    private let confidence: LinkPreset.Confidence
    private let queue: LinkQueue
    private let isIdeal: Bool

    init(
      _ name: String, source: String, confidence: LinkPreset.Confidence,
      queue: LinkQueue = .automatic, isIdeal: Bool = false
    ) {
      self.name = name
      self.source = source
      self.confidence = confidence
      self.queue = queue
      self.isIdeal = isIdeal
    }

    /// Returns a link of the family: a rate and a delay down, a rate and a delay up.
    func link(
      _ name: String, _ down: (rate: Int64, delay: Int64), _ up: (rate: Int64, delay: Int64),
      _ about: String
    ) -> LinkPreset {
      var preset = LinkPreset(
        name: "\(self.name)/\(name)", about: about, source: source, confidence: confidence,
        down: direction(down), up: direction(up))
      preset.isIdeal = isIdeal
      return preset
    }

    private func direction(_ numbers: (rate: Int64, delay: Int64)) -> LinkPreset.Direction {
      var direction = LinkPreset.Direction(
        rate: BitRate(bitsPerSecond: numbers.rate),
        delay: TimeSpan(nanoseconds: numbers.delay * 1_000))
      // What is not limited is never full.
      direction.queue = numbers.rate == unlimited ? .automatic : queue
      return direction
    }
  }

  /// The rate of a direction that is not limited.
  static let unlimited = BitRate.unlimited.bitsPerSecond

  /// The acts of the stage demo, which pin what they need: a rate, and nothing else.
  ///
  /// Better models of links never change them.
  static let demo: [LinkPreset] = [
    act(
      "fast", 100_000_000, "A network far faster than the movie of the stage demo.",
      source: "WWDC16 503, first act; the rate is assumed"
    ).with(.low),
    act(
      "slow-server", 3_200_000, "A server a little slower than the movie of the stage demo.",
      source: "WWDC16 503: the frames of the second act fix the ratio 320/373"),
    act(
      "offline", 0, "A link that is down: a dead path, of which the device does not know.",
      source: "by definition"),
  ]

  private static func act(
    _ name: String, _ rate: Int64, _ about: String, source: String
  ) -> LinkPreset {
    Family("demo", source: source, confidence: .high).link(name, (rate, 0), (unlimited, 0), about)
  }
}

extension LinkPreset {
  /// Returns the link with a loss in both directions, in millionths.
  func losing(_ millionths: Int64) -> LinkPreset {
    var preset = self
    preset.down.lossMillionths = millionths
    preset.up.lossMillionths = millionths
    return preset
  }

  /// Returns the link with a delay that goes up and down by so many microseconds.
  func deviating(_ microseconds: Int64) -> LinkPreset {
    var preset = self
    preset.down.deviation = TimeSpan(nanoseconds: microseconds * 1_000)
    return preset
  }

  /// Returns the link with names that take so many microseconds more to look up.
  func delayingNames(_ microseconds: Int64) -> LinkPreset {
    var preset = self
    preset.nameDelay = TimeSpan(nanoseconds: microseconds * 1_000)
    return preset
  }

  /// Returns the link with numbers that can be trusted otherwise than those of its family.
  func with(_ confidence: Confidence) -> LinkPreset {
    var preset = self
    preset.confidence = confidence
    return preset
  }
}
