/// What media requests of a stream bring that the edge of what is loaded does not wait for.
///
/// Sound is loaded a segment ahead of the picture, or the picture of the sound. What comes of it is
/// media, and tells how fast media comes; the segment that the playhead meets next is not there
/// sooner by it.
struct AsideFlow: Sendable {
  /// What has come of it by an instant, and how it goes on.
  private var delivered = DataAmount.zero
  private var share = FlowShare.none
  private var since = Instant.start

  /// Whether data of it comes.
  var isFlowing: Bool { share.rate > .zero }

  /// What has come of it by an instant.
  @inline(__always)
  func data(at instant: Instant) -> DataAmount {
    isFlowing ? delivered + share.data(in: instant - since) : delivered
  }

  /// Takes note of how it goes on from here.
  mutating func set(_ delivered: DataAmount, _ share: FlowShare, at now: Instant) {
    (self.delivered, self.share, since) = (delivered, share, now)
  }
}
