import Autowait

/// How a stream goes on whose playlists on disk have no end.
///
/// A file shows one moment of a live stream: what it lists has been published when the run starts.
/// What follows is not known, and is taken for the same segments over and over.
struct HLSFolderLive {
  /// How long it goes on if the scenario does not say; assumed.
  private static let continuationDefault = MediaTime.seconds(300)

  private var continuation: MediaTime?
  private var publishDelay: TimeSpan?
  private let isAsked: Bool

  /// Reads `live`.
  init(_ fields: inout FieldReader) {
    isAsked = fields.contains(HLSFolderKeys.live)
    guard var live = fields.object(HLSFolderKeys.live) else { return }
    continuation = live.optional(HLSFolderLiveKeys.continues)
    publishDelay = live.optional(LiveKeys.publishDelay)
    live.finish()
  }

  /// Makes a stream live if a playlist of its variants has no end.
  func apply(
    to streamMedia: inout StreamMedia, _ playlists: [MediaPlaylist], at value: JSONValue,
    _ findings: Findings
  ) {
    let variants = streamMedia.variants.map { playlists[$0.list] }
    guard let playlist = variants.first(where: { !$0.hasEndList }) else {
      if isAsked {
        findings.error("'live' is for a playlist without an end; this one has one", at: value)
      }
      return
    }
    let listed = variants.reduce(MediaTime.zero) { max($0, MediaTime($1.duration)) }
    let open = variants.reduce(MediaTime.zero) {
      max($0, MediaTime($1.duration + $1.openDuration))
    }
    var window = LiveWindow(elapsed: open, window: playlist.kind == .event ? nil : listed)
    window.holdBack = (playlist.serverControl?.holdBack).map { MediaTime($0) }
    window.publishDelay = publishDelay ?? .zero
    window.partDuration = playlist.partTarget.map { MediaTime($0) }
    window.partHoldBack = playlist.partTarget.flatMap { _ in
      (playlist.serverControl?.partHoldBack).map { MediaTime($0) }
    }
    window.canBlockReload = playlist.serverControl?.canBlockReload ?? false
    streamMedia.live = window
    let until = open + (continuation ?? Self.continuationDefault)
    var room = StreamReader.segmentsMax
    for index in streamMedia.lists.indices {
      if !playlists[index].hasEndList, !streamMedia.lists[index].goOn(until: until, within: &room) {
        findings.error(
          "the stream would go on for too long: more than \(StreamReader.segmentsMax) segments, or "
            + Quantity.size.text(Limits.bytesMax.bytes), at: value)
        return
      }
    }
    if continuation == nil {
      let seconds = Quantity.time.text(Self.continuationDefault.nanoseconds)
      findings.warning(
        "the stream is live, and goes on with the segments of its playlist for \(seconds)",
        at: value, notes: ["{\"live\": {\"continues\": \"5 min\"}} says for how long"])
    }
  }
}

extension MediaPlaylist {
  /// The parts behind the last segment.
  fileprivate var openDuration: PlaylistTime {
    openSegment?.parts.reduce(.zero) { $0 + $1.duration } ?? .zero
  }
}

extension SegmentList {
  /// Repeats the segments until a time; returns whether the limits allow it.
  fileprivate mutating func goOn(until end: MediaTime, within room: inout Int) -> Bool {
    room -= count
    let (listed, target) = (count, targetDuration)
    let gapped = Set(gaps)
    var bytes = byteCount
    if end > Limits.mediaMax { return false }
    var number = 0
    while self.end < end {
      room -= 1
      bytes += size(of: number).bytes
      if room < 0 || bytes > Limits.bytesMax.bytes { return false }
      if gapped.contains(number) { gaps.append(count) }
      append(self.end(of: number) - start(of: number), size(of: number))
      number = (number + 1) % listed
    }
    targetDuration = target
    return true
  }
}
