import Autowait

extension Media {
  /// A stream of a picture and sound beside it, in segments of whole seconds whose sizes differ a
  /// little.
  static func pictureAndSound(
    count: Int, seconds: Int64, picture: Int64, sound: Int64
  ) -> Media {
    func list(_ size: Int64) -> SegmentList {
      SegmentList(
        (0..<count).map { (.seconds(seconds), ByteCount(bytes: size + Int64($0 % 3) * 777)) })
    }
    var parts = StreamMedia(
      variants: [StreamMedia.Variant(bandwidth: BitRate(bitsPerSecond: 900_000), list: 0)],
      lists: [list(picture), list(sound)])
    parts.variants[0].audioGroup = 0
    parts.renditions = [StreamMedia.Rendition(.audio, group: 0, list: 1)]
    parts.renditions[0].isDefault = true
    return Media(parts)
  }
}
