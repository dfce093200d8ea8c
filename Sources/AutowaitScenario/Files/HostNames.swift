/// The hosts of an item, as far as they have names.
package struct HostNames: Hashable, Sendable {
  /// The host that has the media.
  package let media: String?
  /// The host that has the keys, which may be the same one.
  package let keys: String?
}
