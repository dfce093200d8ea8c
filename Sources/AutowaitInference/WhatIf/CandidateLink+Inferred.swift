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
    ([links.best] + links.samples).map { track in
      let link = PredictionLink(track, inferredWith: links.model.kind)
      let transport: String =
        switch link.tier {
        case .ideal: ""
        case .fluid: #"{"tier": "fluid"}"#
        case .packet: #"{"tier": "packet"}"#
        }
      var candidate = CandidateLink(
        steps: steps(link.track), roundTrip: links.roundTrip, transport: transport)
      if link.tier == .packet { candidate.inferred = steps(track) }
      return candidate
    }
  }

  private static func steps(_ track: LinkTrack) -> [RecordedLink.Step] {
    track.samples.map { RecordedLink.Step(start: .start + $0.start, rate: $0.rate) }
  }
}
