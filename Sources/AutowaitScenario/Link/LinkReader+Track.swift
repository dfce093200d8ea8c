import Autowait

/// Reading what a direction carries over time.
extension LinkReader {
  /// Reads a track: samples that begin at times, or that last for times.
  mutating func samples(
    _ fields: inout FieldReader, delay: TimeSpan, _ number: Int
  ) -> LinkTrack? {
    var samples: [LinkTrack.Sample] = []
    var end: TimeSpan?
    let length = fields.optional(DirectionKeys.length)
    let ending = fields.value(of: DirectionKeys.trackEnd)
    let elements = fields.elements(DirectionKeys.track)
    let findings = fields.findings
    guard let array = fields.object?.member("track") else { return nil }
    samples.reserveCapacity(array.count)
    var isWrong = false
    for element in elements {
      var sample = FieldReader(element, SampleKeys.object, findings)
      let rate = sample.required(SampleKeys.rate)
      let ownDelay = sample.optional(SampleKeys.delay) ?? delay
      let loss = sample.optional(SampleKeys.loss)
      if loss != nil { conditions[number].isReal = true }
      let lasting = sample.optional(SampleKeys.length)
      let begins = sample.contains(SampleKeys.at)
      if begins == (lasting != nil) { _ = sample.choice() }
      let start = begins ? sample.required(SampleKeys.at) : end ?? .zero
      sample.finish()
      guard let rate, let start, begins || lasting != nil else {
        isWrong = true
        continue
      }
      if let last = samples.last, start <= last.start {
        sample.error("the samples of a track must be in the order of their times", at: "at")
        isWrong = true
        continue
      }
      if samples.isEmpty, start != .zero {
        sample.error("the first sample of a track must begin at 0", at: "at")
        isWrong = true
      }
      samples.append(LinkTrack.Sample(start: start, rate: rate, delay: ownDelay, loss: loss))
      end = lasting.map { start + $0 }
    }
    if array.count == 0 { findings.error("'track' has no samples", at: array) }
    if samples.isEmpty || isWrong { return nil }
    return finished(samples, ending, length ?? end, at: array, findings)
  }

  private func finished(
    _ samples: [LinkTrack.Sample], _ ending: TraceEnding, _ length: TimeSpan?, at array: JSONValue,
    _ findings: Findings
  ) -> LinkTrack? {
    if let length, let last = samples.last, length <= last.start {
      findings.error("the 'length' of a track must be after its last sample", at: array)
      return nil
    }
    if ending == .hold { return LinkTrack(samples) }
    guard let length else {
      findings.error(
        "a track that loops or ends needs the key 'length', or samples with 'for'", at: array)
      return nil
    }
    return LinkTrack(samples, ending: ending.ending(after: length))
  }

  /// Draws a track whose rate is uniform between two bounds, from the scenario's seed.
  mutating func drawn(
    _ fields: inout FieldReader, delay: TimeSpan, component: String
  ) -> LinkTrack? {
    guard var random = fields.object(DirectionKeys.random) else { return nil }
    let from = random.required(RandomTrackKeys.from)
    let to = random.required(RandomTrackKeys.to)
    let every = random.required(RandomTrackKeys.every)
    let count = random.required(RandomTrackKeys.count)
    random.finish()
    guard let from, let to, let every, let count else { return nil }
    if to < from {
      random.error("'to' must not be less than 'from'", at: "to")
      return nil
    }
    if draws + count > Self.drawsMax {
      random.error("the links of a scenario draw at most \(Self.drawsMax) numbers", at: "count")
      return nil
    }
    let (last, overflow) = (count - 1).multipliedReportingOverflow(by: every.nanoseconds)
    if overflow || last > Limits.timeMax.nanoseconds {
      random.error("the track is longer than any run", at: "count")
      return nil
    }
    let track = LinkDraws.Track(
      component: component, from: from, to: to, every: every, count: Int(count))
    let drawn = track.rates(seed: seed)
    draws += drawn.draws
    drawnTracks.append(track)
    return track.track(drawn.rates, delay: delay)
  }
}
