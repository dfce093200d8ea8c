/// How the tracks of a stream follow its variant.
extension StreamSource {
  /// Lets the tracks load a variant from now on; audio and subtitles follow its groups.
  mutating func enter(variant number: Int) {
    variant = number
    let variant = streamMedia.variants[number]
    let audio = streamMedia.rendition(.audio, group: variant.audioGroup)
    let subtitles =
      policy.showsSubtitles ? streamMedia.rendition(.subtitles, group: variant.subtitleGroup) : nil
    var wanted = [StreamTrack(list: variant.list)]
    for rendition in [audio, subtitles] {
      guard let rendition, let list = rendition.list else { continue }
      wanted.append(StreamTrack(list: list, kind: rendition.kind))
    }
    follow(wanted)
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
    if old.map({ $0.kind }) == tracks.map({ $0.kind }) { return }
    for index in requests.indices {
      guard let place = requests[index].track, place < old.count else { continue }
      requests[index].track =
        tracks.firstIndex { $0.kind == old[place].kind } ?? StreamRequest.noTrack
    }
  }
}
