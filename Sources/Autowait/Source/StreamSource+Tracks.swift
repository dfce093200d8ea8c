/// How the tracks of a stream follow its variant.
extension StreamSource {
  /// Lets the tracks load a variant from now on; audio and subtitles follow its groups.
  mutating func enter(variant number: Int) {
    variant = number
    let list = streamMedia.variants[number].list
    let audio = shared.renditionLists[number].audio
    let subtitles = policy.showsSubtitles ? shared.renditionLists[number].subtitles : nil
    if hasTracks(audio != nil, subtitles != nil) {
      for place in tracks.indices {
        switch tracks[place].kind {
        case nil: tracks[place].list = list
        case .audio: tracks[place].list = audio ?? list
        case .subtitles: tracks[place].list = subtitles ?? list
        }
      }
      return
    }
    var wanted = [StreamTrack(list: list)]
    if let audio { wanted.append(StreamTrack(list: audio, kind: .audio)) }
    if let subtitles { wanted.append(StreamTrack(list: subtitles, kind: .subtitles)) }
    follow(wanted)
  }

  /// Whether a variant's own track is loaded, and beside it audio, or subtitles, or both.
  private func hasTracks(_ audio: Bool, _ subtitles: Bool) -> Bool {
    let count = 1 + (audio ? 1 : 0) + (subtitles ? 1 : 0)
    return tracks.count == count && (!audio || tracks[1].kind == .audio)
      && (!subtitles || tracks[count - 1].kind == .subtitles)
  }

  /// Keeps the tracks whose kinds are still wanted, with what they have.
  ///
  /// What was loaded before a variant with audio of its own group has its sound in it: a track that
  /// is new has all that the first one has. A request for a track that is gone belongs to none.
  private mutating func follow(_ wanted: [StreamTrack]) {
    let old = tracks
    tracks = wanted.map { new in
      var track = new
      if let same = old.first(where: { $0.kind == new.kind }) {
        track = same
        track.list = new.list
      } else if let first = old.first {
        let end = DataAmount(placeOf: streamMedia.lists[new.list].end)
        for range in first.loaded.ranges where range.start < end {
          track.loaded.insert(LoadedRanges.Range(start: range.start, end: min(range.end, end)))
        }
      }
      return track
    }
    for index in requests.indices { follow(&requests[index], from: old) }
    for index in appending.indices { follow(&appending[index].request, from: old) }
  }

  private func follow(_ request: inout StreamRequest, from old: [StreamTrack]) {
    guard let place = request.track, place < old.count else { return }
    request.track = tracks.firstIndex { $0.kind == old[place].kind } ?? StreamRequest.noTrack
  }
}
