/// How long an item, or a seek, takes until it is likely to keep up.
///
/// WWDC18 502: from the start of the download of media until the first likely-to-keep-up. A seek
/// has a time of its own, as logs of devices show (SRGSSR FB22519249).
struct StartupSpan: Hashable, Sendable {
  private var since: Instant?
  private(set) var span: TimeSpan?

  /// The time of an item of which nothing was asked for, or of a seek for which media is under way.
  init(since: Instant? = nil) { self.since = since }

  /// The time of a seek to where the item is likely to keep up already.
  static let none: StartupSpan = {
    var none = StartupSpan()
    none.span = .zero
    return none
  }()

  /// Takes note of a media request.
  mutating func noteRequest(at now: Instant) { since = since ?? now }

  /// Takes note that the item is likely to keep up; returns whether it is so for the first time.
  mutating func noteLikely(at now: Instant) -> Bool {
    if span != nil { return false }
    // What needs no request takes no time.
    span = since.map { now - $0 } ?? .zero
    return true
  }
}

/// What of a stream plays.
struct PlayedVariant: Hashable, Sendable {
  /// The variant; nil before any has.
  var variant: Int?
  /// Where, in the direction of playback, another one does; nil if none is loaded.
  var until: MediaTime?
  /// The number of loaded stretches for which that was found.
  var pieceCount = 0
}
