/// The hosts of an item, as far as they have names.
public struct HostNames: Hashable, Sendable {
  /// The host that has the media.
  public let media: String?
  /// The host that has the keys, which may be the same one.
  public let keys: String?
}
