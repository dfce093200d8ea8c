import Autowait

/// A rate as a trace spells it, to the millionth of a bit per second.
///
/// A link counts whole bits per second. ``TrackBuilder`` rounds so that what is lost in one row
/// is made up for in the next ones.
struct TraceRate: Hashable, Sendable {
  /// The parts of a bit per second that are kept.
  static let parts: Int64 = 1_000_000

  /// Millionths of a bit per second.
  let microbits: Int64

  init(microbits: Int64) { self.microbits = microbits }

  /// Creates a whole number of bits per second.
  init(_ rate: BitRate) { microbits = rate.bitsPerSecond * Self.parts }

  /// Creates the rate that carries an amount in a time, to the nearest; nil if it is too fast.
  init?(_ size: ByteCount, in span: TimeSpan) {
    precondition(span > .zero, "an amount needs time")
    let halves = Int128(size.bytes) * 16_000_000_000 * Int128(Self.parts)
    let rounded = (halves / Int128(span.nanoseconds) + 1) / 2
    if rounded > Int128(Limits.bitRateMax.bitsPerSecond) * Int128(Self.parts) { return nil }
    microbits = Int64(rounded)
  }

  static let zero = TraceRate(microbits: 0)

  /// The nearest whole number of bits per second, halves up.
  var nearest: BitRate {
    BitRate(
      bitsPerSecond: microbits / Self.parts + (microbits % Self.parts >= Self.parts / 2 ? 1 : 0))
  }
}

extension TraceUnit {
  /// Returns a rate of a number of these, or the end of a sentence that says why not.
  func rate(_ number: ExactDecimal?) -> Result<TraceRate, FileLoader.FileProblem> {
    switch value(number) {
    case .failure(let problem): return .failure(problem)
    case .success(let nearest):
      if case .exact(let parts)? = number?.nearestInteger(scaledBy: size * TraceRate.parts) {
        return .success(TraceRate(microbits: parts))
      }
      return .success(TraceRate(BitRate(bitsPerSecond: nearest)))
    }
  }
}

extension LineReader {
  /// Reads a rate.
  func rate(
    _ range: Range<Int>, _ unit: TraceUnit, _ what: String
  ) throws(TraceError) -> TraceRate {
    switch unit.rate(ExactDecimal(bytes.span.extracting(range))) {
    case .success(let rate): return rate
    case .failure(let problem): throw error("\(what) \(problem.reason)", at: shown(range))
    }
  }
}

extension FieldKind where Value == TraceRate {
  /// A rate in a unit.
  static func rate(_ unit: TraceUnit) -> FieldKind {
    FieldKind(.any) { value, label, findings in
      guard let number = value.decimal else {
        findings.errorWrongType(value, label, "a number of \(unit.name)")
        return nil
      }
      switch unit.rate(number) {
      case .success(let result): return result
      case .failure(let problem):
        findings.error("\(label) \(problem.reason)", at: value)
        return nil
      }
    }
  }
}
