import Autowait

// What remedies do to the media of a player.

extension World {
  /// Changes the media of a player.
  mutating func changeMedia(by remedy: Remedy, for player: Int) -> Bool {
    var isChanged = false
    for item in players[player].media.indices {
      let media = players[player].media[item]
      guard let changed = media.changed(by: remedy) else { continue }
      players[player].media[item] = changed
      isChanged = true
    }
    if remedy == .playlists, isChanged { players[player].streaming.knowsPlaylists = true }
    // A script of variants names them by their numbers.
    if case .variant = remedy, case .scripted = players[player].streaming.adaptation.rule {
      return false
    }
    return isChanged
  }
}

extension Media {
  /// Returns the media with something changed; nil if it has nothing of the kind.
  fileprivate func changed(by remedy: Remedy) -> Media? {
    switch remedy {
    case .delegate:
      var copy = self
      copy.isFedByDelegate = false
      return isFedByDelegate ? copy : nil
    case .mediaRate(let kilobits, let old):
      if let streamMedia { return rebuilt(streamMedia.scaled(by: kilobits, over: old)) }
      return scaledFile(by: kilobits, over: old)
    case .outages, .faults, .keys, .traffic, .loss, .slowStretches, .linkChanges, .playlists,
      .serverDelay, .queue, .slowStart, .idleRestart, .roundTrips, .appDelay, .variant, .impatience,
      .bufferLimit, .linkRate, .play, .startBuffer, .bufferTarget, .bufferSize, .step:
      break
    }
    guard var stream = streamMedia else { return nil }
    switch remedy {
    case .faults:
      if stream.faults.isEmpty { return nil }
      stream.faults = []
    case .keys:
      if stream.keys.isEmpty { return nil }
      stream.lists = stream.lists.map { $0.rebuilt(scale: (1, 1), keepsKeys: false) }
      stream.sessionKeys = []
    case .playlists:
      stream.playlistSize = stream.playlistSize.map { _ in .zero }
      for place in stream.lists.indices {
        stream.lists[place].playlistSize = .zero
        stream.lists[place].playlistText?.sentPart = 0
      }
    case .variant(let limit):
      let kept = stream.variants.filter { $0.bandwidth <= limit }
      if kept.isEmpty || kept.count == stream.variants.count { return nil }
      stream.variants = kept
    case .outages, .traffic, .loss, .slowStretches, .linkChanges, .serverDelay, .queue, .slowStart,
      .idleRestart, .roundTrips, .appDelay, .delegate, .impatience, .bufferLimit, .linkRate,
      .mediaRate, .play, .startBuffer, .bufferTarget, .bufferSize, .step:
      return nil
    }
    return rebuilt(stream)
  }

  private func rebuilt(_ stream: StreamMedia) -> Media {
    takingOver(Media(stream))
  }

  private func scaledFile(by kilobits: Int64, over old: Int64) -> Media? {
    let header = DataAmount(headerSize).nanobits
    let content = (size.nanobits - min(size.nanobits, header)) / 8_000_000_000
    let scaled = content * UInt128(UInt64(kilobits)) / UInt128(UInt64(old))
    if scaled == 0 { return nil }
    return takingOver(
      Media(
        source, duration: duration, contentSize: ByteCount(bytes: Int64(clamping: scaled)),
        headerSize: headerSize, indexPlacement: indexPlacement))
  }

  private func takingOver(_ other: Media) -> Media {
    var copy = other
    copy.canPlayFastForward = canPlayFastForward
    copy.canPlayReverse = canPlayReverse
    copy.isFedByDelegate = isFedByDelegate
    (copy.videoEnd, copy.audioEnd) = (videoEnd, audioEnd)
    (copy.color, copy.keyFrameInterval) = (color, keyFrameInterval)
    copy.route = route
    return copy
  }
}

extension StreamMedia {
  fileprivate func scaled(by value: Int64, over old: Int64) -> StreamMedia {
    var copy = self
    copy.lists = lists.map { $0.rebuilt(scale: (value, old), keepsKeys: true) }
    for place in variants.indices {
      let bits = Int128(variants[place].bandwidth.bitsPerSecond) * Int128(value) / Int128(old)
      copy.variants[place].bandwidth = BitRate(bitsPerSecond: max(1, Int64(clamping: bits)))
      copy.variants[place].averageBandwidth = nil
    }
    return copy
  }
}

extension SegmentList {
  /// Returns the list with segments of other sizes, or without keys.
  fileprivate func rebuilt(scale: (value: Int64, old: Int64), keepsKeys: Bool) -> SegmentList {
    var list = SegmentList(
      (0..<count).map { number in
        let length = end(of: number).nanoseconds - start(of: number).nanoseconds
        let bytes = Int128(size(of: number).bytes) * Int128(scale.value) / Int128(scale.old)
        return (MediaTime(nanoseconds: length), ByteCount(bytes: Int64(clamping: bytes)))
      })
    (list.playlistSize, list.playlistText) = (playlistSize, playlistText)
    (list.initializations, list.gaps) = (initializations, gaps)
    (list.targetDuration, list.sizeAfterEnd) = (targetDuration, sizeAfterEnd)
    list.route = route
    for stretch in stretches {
      var copy = stretch
      if !keepsKeys { copy.key = nil }
      list.need(copy)
    }
    return list
  }
}
