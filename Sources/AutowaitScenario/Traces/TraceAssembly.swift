import Autowait

extension FieldReader {
  /// Reports a warning about the value of a key.
  func warning(_ message: String, at name: String) {
    if let value = object?.member(name) { findings.warning(message, at: value) }
  }
}

extension FieldKind where Value == Probability {
  /// A chance in percent, to the nearest billionth; a string may spell it.
  static var percent: FieldKind {
    spelled("a percentage from 0 to 100") { Probability.percent($0) }
  }
}

extension Findings {
  /// Adds a piece to a track, or reports that it cannot be added.
  func add(
    _ length: TimeSpan, _ rate: TraceRate, delay: TimeSpan = .zero, to track: inout TrackBuilder,
    at value: JSONValue
  ) {
    do throws(TraceWriter.TraceProblem) {
      try track.add(length, rate, delay: delay)
    } catch {
      self.error(error.message, at: value, notes: error.notes)
    }
  }

  /// Returns a track, or reports that there is none.
  func finished(
    _ track: TrackBuilder, _ ending: TraceEnding, _ value: JSONValue, _ message: String
  ) -> LinkTrack? {
    if let result = track.track(ending) { return result }
    if !hasErrors { error(message, at: value) }
    return nil
  }
}

extension LineReader {
  /// Adds a piece to a track, or says that the line is one too many.
  func add(
    _ length: TimeSpan, _ rate: TraceRate, delay: TimeSpan = .zero, to track: inout TrackBuilder
  ) throws(TraceError) {
    do throws(TraceWriter.TraceProblem) {
      try track.add(length, rate, delay: delay)
    } catch {
      throw self.error(error.message, at: line, notes: error.notes)
    }
  }

  /// Returns two amounts as one, or says that it is too large.
  func sum(
    _ left: ByteCount, _ right: ByteCount, _ range: Range<Int>
  ) throws(TraceError) -> ByteCount {
    let sum = left + right
    if sum <= Limits.bytesMax { return sum }
    throw error("the bytes of one moment are above the limit of 1 TB", at: range)
  }

  /// Returns the rate of an amount in a time.
  func rate(_ size: ByteCount, _ span: TimeSpan) throws(TraceError) -> TraceRate {
    if let rate = TraceRate(size, in: span) { return rate }
    throw error("the rate is above the limit of 1 Tbit/s", at: line)
  }
}
