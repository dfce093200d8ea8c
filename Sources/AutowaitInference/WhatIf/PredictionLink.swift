import Autowait
import AutowaitFidelity

/// An inferred link as predictions are played on it.
///
/// Links are inferred with requests that come at the rate of the link, and recorded requests are
/// forgiven for what is not so: after an outage a sender tries again only when its timeout says so,
/// which doubles each time (RFC 6298). A predicted player meets senders that are late, too, or each
/// outage is over too soon for it. So links with an outage are played in packets.
package struct PredictionLink: Hashable, Sendable {
  package let track: LinkTrack
  package let tier: LinkTier

  /// Takes a link that was inferred with a model.
  package init(_ track: LinkTrack, inferredWith kind: LinkModel.Kind = .ideal) {
    switch kind {
    // What was inferred with a transport must be played with it, or what it costs is counted twice
    // or not at all.
    case .transport: (self.track, tier) = (track, .fluid)
    case .ideal where track.samples.contains { $0.rate == .zero }:
      (self.track, tier) = (Self.withHeaders(track), .packet)
    case .ideal: (self.track, tier) = (track, .ideal)
    }
  }

  private static func withHeaders(_ track: LinkTrack) -> LinkTrack {
    LinkTrack(
      track.samples.map { sample in
        var sample = sample
        sample.rate = sample.rate.withHeaders
        return sample
      }, ending: track.ending)
  }
}
