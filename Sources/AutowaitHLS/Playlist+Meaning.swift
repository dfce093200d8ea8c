/// What playlists say, whatever their texts look like.
extension Playlist {
  /// The same without the lines of its tags and the counts of unknown ones.
  ///
  /// Two texts with equal meanings are the same to a player.
  package var meaning: Playlist {
    switch self {
    case .multivariant(let playlist): .multivariant(playlist.meaning)
    case .media(let playlist): .media(playlist.meaning)
    }
  }
}

extension MultivariantPlaylist {
  fileprivate var meaning: MultivariantPlaylist {
    var result = self
    for index in variants.indices { result.variants[index].line = 0 }
    for index in iFrameVariants.indices { result.iFrameVariants[index].line = 0 }
    for index in renditions.indices { result.renditions[index].line = 0 }
    for index in sessionKeys.indices { result.sessionKeys[index].line = 0 }
    for index in sessionData.indices { result.sessionData[index].line = 0 }
    result.unknownTags = []
    return result
  }
}

extension MediaPlaylist {
  fileprivate var meaning: MediaPlaylist {
    var result = self
    for index in segments.indices {
      result.segments[index].line = 0
      for part in segments[index].parts.indices { result.segments[index].parts[part].line = 0 }
    }
    if let open = openSegment {
      for part in open.parts.indices { result.openSegment?.parts[part].line = 0 }
    }
    for index in maps.indices { result.maps[index].line = 0 }
    for index in keys.indices { result.keys[index].line = 0 }
    for index in preloadHints.indices { result.preloadHints[index].line = 0 }
    for index in renditionReports.indices { result.renditionReports[index].line = 0 }
    for index in dateRanges.indices { result.dateRanges[index].line = 0 }
    result.unknownTags = []
    return result
  }
}
