/// How much a player of several on one network needs what it loads
/// (`AVPlayer.networkResourcePriority`).
package enum NetworkResourcePriority: UInt8, CaseIterable, Hashable, Sendable {
  case low, `default`, high
}
