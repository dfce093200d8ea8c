import Autowait
import AutowaitFidelity

/// What is taken for the link of a recorded session, in one way or another.
package enum LinkGuess: String, CaseIterable, Sendable {
  /// The rates as they were planned: what no inference can do better than.
  case oracle
  /// Links drawn by a chain, as `autowait infer` does it.
  case inferred
  /// Each response spread evenly from its first byte to its last, as `autowait convert har` does.
  case evenSpread
  /// The bytes of a response over the time since it was asked for, until the next is asked for:
  /// observed throughput taken for the link.
  case naive
  /// What came by when, held in silence.
  case arrivals

  /// What a table calls it.
  package var title: String {
    switch self {
    case .oracle: "planned schedule (oracle)"
    case .inferred: "inferred links"
    case .evenSpread: "even spread"
    case .naive: "observed throughput (naive)"
    case .arrivals: "raw arrivals"
    }
  }

  /// Returns the links that are taken for that of a recording; empty if there is no way to tell.
  package func links(of recording: Recording, _ inferred: InferredLinks?) -> [LinkTrack] {
    switch self {
    case .oracle: Self.track(recording.link.schedule).map { [$0] } ?? []
    case .inferred: inferred?.samples ?? []
    case .evenSpread: delivered(recording, keepsConnections: false)
    case .naive: Self.track(Self.naiveSteps(recording)).map { [$0] } ?? []
    case .arrivals:
      recording.link.connections.isEmpty ? [] : delivered(recording, keepsConnections: true)
    }
  }

  private func delivered(_ recording: Recording, keepsConnections: Bool) -> [LinkTrack] {
    let link = recording.link.unplanned(keepsConnections: keepsConnections)
    guard let steps = link.delivered(for: recording.requests) else { return [] }
    return Self.track(steps).map { [$0] } ?? []
  }

  /// What is shorter waits for a round trip and says nothing of the rate.
  static let sizeMin = ByteCount(bytes: 16_000)

  private static func naiveSteps(_ recording: Recording) -> [RecordedLink.Step] {
    var steps: [RecordedLink.Step] = []
    for request in recording.requests where request.size >= sizeMin {
      guard let done = request.done, done > request.asked else { continue }
      let bits = Int128(request.size.bytes) * 8_000_000_000
      let rate = BitRate(
        bitsPerSecond: Int64(clamping: bits / Int128((done - request.asked).nanoseconds)))
      let start = steps.isEmpty ? .start : request.asked
      if let last = steps.last, last.start >= start { steps.removeLast() }
      steps.append(RecordedLink.Step(start: start, rate: rate))
    }
    return steps
  }

  /// Steps as a track; nil without any, or if they do not ascend from zero.
  private static func track(_ steps: [RecordedLink.Step]) -> LinkTrack? {
    guard let first = steps.first else { return nil }
    var samples = [LinkTrack.Sample(start: .zero, rate: first.rate)]
    for step in steps.dropFirst() where step.start - .start > samples[samples.count - 1].start {
      samples.append(LinkTrack.Sample(start: step.start - .start, rate: step.rate))
    }
    return LinkTrack(samples)
  }
}
