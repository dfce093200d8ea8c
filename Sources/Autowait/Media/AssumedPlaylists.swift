// What playlists come to of which nobody says the size. Assumed, after those of Apple's streams.

extension StreamMedia {
  /// The bytes of the multivariant playlist: 100, for each variant 180, for each rendition and
  /// session key 120.
  package var assumedPlaylistBytes: Int64 {
    100 + 180 * Int64(variants.count) + 120 * Int64(renditions.count + sessionKeys.count)
  }
}

extension SegmentList {
  /// The bytes of the playlist: 150, for each segment 40, for each key 120, for an initialisation
  /// section 40.
  package var assumedPlaylistBytes: Int64 {
    let keys = Int64(stretches.count { $0.key != nil })
    return 150 + 40 * Int64(count) + 120 * keys + 40 * Int64(initializations.count)
  }
}
