import Autowait

/// What a movie file says of itself: QuickTime, or MPEG-4 as ISO/IEC 14496-12 has it.
package struct Movie: Hashable, Sendable {
  /// The size of the file.
  package let size: ByteCount
  /// Where the box `moov` lies, before the media or after it.
  package let indexPlacement: Media.IndexPlacement
  /// The bytes that must have come before anything can be shown: at the front all bytes before the
  /// media, at the back the box `moov`.
  package let headerSize: ByteCount
  /// How long it is by its own word; as long as its longest track if it does not say.
  package let duration: MediaTime
  package let tracks: [MovieTrack]
  /// How much of the file each second needs.
  package let positions: MoviePositions

  /// How long the tracks of a content are shown that are enabled; nil if there are none.
  package func duration(of content: MovieTrack.TrackContent) -> MediaTime? {
    tracks.filter { $0.content == content && $0.isEnabled && $0.duration > .zero }
      .map { $0.duration }.max()
  }

  /// Returns the movie as an item of a player; nil if it has nothing to be played.
  ///
  /// The item is as long as its longest track, and its bytes are spread evenly over its time.
  package func media(_ source: Media.Source) -> Media? {
    let (video, audio) = (duration(of: .video), duration(of: .audio))
    guard let end = [video, audio].compactMap({ $0 }).max(), headerSize < size else { return nil }
    var media = Media(
      source, duration: end, contentSize: ByteCount(bytes: size.bytes - headerSize.bytes),
      headerSize: headerSize, indexPlacement: source == .local ? .front : indexPlacement)
    media.videoEnd = video == end ? nil : video
    media.audioEnd = audio == end ? nil : audio
    media.color = tracks.first { $0.isEnabled && $0.content == .video }?.color
    return media
  }
}
