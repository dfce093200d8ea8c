import Autowait

/// What of a stream is drawn from the seed of its scenario: sizes of segments that vary.
struct SizeDraws: Hashable, Sendable {
  /// A list whose sizes vary.
  struct DrawnList: Hashable, Sendable {
    /// The number of the list.
    let list: Int
    /// The segments before they vary.
    let even: EvenSegments
    /// By how much they vary, in billionths.
    let part: Int64
  }

  /// The item's number in the order of the file.
  let item: Int
  /// The pairs of segments, for each of which a number is drawn.
  let pairs: Int
  /// The lists whose sizes vary.
  let lists: [DrawnList]

  /// Draws the sizes of a stream again; returns how many numbers that took.
  func redraw(_ media: inout Media, seed: UInt64) -> Int64 {
    guard var streamMedia = media.streamMedia else {
      preconditionFailure("only streams have drawn sizes")
    }
    let scenes = SceneSizes(seed: seed, item: item, pairs: pairs)
    for listed in lists {
      var even = listed.even
      even.variation = EvenSegments.Variation(part: listed.part, weights: scenes.weights)
      streamMedia.lists[listed.list] = streamMedia.lists[listed.list].with(even)
    }
    var drawn = Media(streamMedia)
    drawn.canPlayFastForward = media.canPlayFastForward
    drawn.canPlayReverse = media.canPlayReverse
    drawn.isFedByDelegate = media.isFedByDelegate
    drawn.route = media.route
    media = drawn
    return scenes.draws
  }
}

extension SegmentList {
  /// Returns the list with segments of other sizes.
  fileprivate func with(_ segments: EvenSegments) -> SegmentList {
    var list = SegmentList(segments)
    list.playlistSize = playlistSize
    list.playlistText = playlistText
    list.initializations = initializations
    for stretch in stretches { list.need(stretch) }
    list.gaps = gaps
    list.targetDuration = targetDuration
    list.route = route
    return list
  }
}
