import Autowait
import AutowaitFidelity

extension CandidateLink {
  /// What links are inferred with: each request costs a round trip, and comes at the rate of the
  /// link.
  ///
  /// What connections and servers cost beyond that is part of the inferred rates, for the recorded
  /// rule as for others.
  package static var model: LinkModel {
    var model = LinkModel(.ideal)
    model.keepsWaits = false
    return model
  }

  /// Takes the links that a log was inferred to have had: the best one first, then as many as were
  /// drawn.
  package static func all(_ links: InferredLinks) -> [CandidateLink] {
    // What was inferred with a transport must be played with one, or what the transport costs is
    // counted twice or not at all.
    let transport: String =
      switch links.model.kind {
      case .ideal: ""
      case .transport: #"{"tier": "fluid"}"#
      }
    return ([links.best] + links.samples).map { track in
      CandidateLink(
        steps: track.samples.map { sample in
          RecordedLink.Step(start: .start + sample.start, rate: sample.rate)
        }, roundTrip: links.roundTrip, transport: transport)
    }
  }
}
