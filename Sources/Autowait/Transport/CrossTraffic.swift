/// Traffic of others that shares the link with the players.
package struct CrossTraffic: Hashable, Sendable {
  /// What others do.
  package enum Kind: Hashable, Sendable {
    /// A flow towards the players' side that never yields, such as a call: it takes its rate off
    /// the link for as long as it lasts.
    case constant(BitRate)
    /// A download as the players' own are; nil for one that never ends.
    case download(ByteCount?)
    /// A small download again and again, left out while the one before it is under way.
    case poll(ByteCount, every: TimeSpan)
  }

  /// What it is.
  package var kind: Kind
  /// When it begins.
  package var start: Instant
  /// When it ends at the latest.
  package var end: Instant

  /// Creates traffic.
  package init(_ kind: Kind, from start: Instant = .start, to end: Instant = .never) {
    self.kind = kind
    self.start = start
    self.end = end
  }
}
