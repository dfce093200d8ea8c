/// What an application has set of a player and its items, as it would read it back.
package struct PlayerPreferences: Hashable, Sendable {
  /// What limits the choice among the variants of a stream.
  package let limits: VariantLimits
  /// `preferredForwardBufferDuration`.
  package let preferredForwardBufferDuration: MediaTime
  /// `automaticallyPreservesTimeOffsetFromLive`.
  package let automaticallyPreservesTimeOffsetFromLive: Bool
  /// `forwardPlaybackEndTime` of the current item; nil for the end of the media.
  package let forwardPlaybackEndTime: MediaTime?
  /// `reversePlaybackEndTime` of the current item; nil for the beginning of the media.
  package let reversePlaybackEndTime: MediaTime?

  init(_ player: Player) {
    limits = player.limits
    preferredForwardBufferDuration = player.preferredForwardBufferDuration
    automaticallyPreservesTimeOffsetFromLive = player.automaticallyPreservesTimeOffsetFromLive
    let buffer = player.source.item == nil ? nil : player.source.buffer
    forwardPlaybackEndTime = buffer?.forwardEndTime
    reversePlaybackEndTime = buffer?.reverseEndTime
  }
}
