/// An entry of the access log: one uninterrupted period of play, with AVFoundation's names.
///
/// What was transferred since the period before ended counts into the period. What comes after the
/// last period has ended is in no entry.
public struct AccessLogEvent: Hashable, Sendable {
  /// When the period began.
  public internal(set) var playbackStartDate = Instant.start
  /// The playhead when the period began.
  public internal(set) var playbackStartOffset = MediaTime.zero
  /// The time from the item's creation until it was ready.
  public internal(set) var startupTime = TimeSpan.zero
  /// The time watched.
  public internal(set) var durationWatched = TimeSpan.zero
  /// The stalls: one if the period ended in one.
  public internal(set) var numberOfStalls = 0
  /// The requests for ranges of the file.
  public internal(set) var numberOfMediaRequests = 0
  /// The bytes that arrived.
  public internal(set) var numberOfBytesTransferred = ByteCount.zero
  /// The time in which a request was open and being read.
  public internal(set) var transferDuration = TimeSpan.zero

  /// The rate over all that was transferred, in bit/s rounded down; nil if nothing was.
  public var observedBitrate: BitRate? {
    guard transferDuration > .zero else { return nil }
    let bits = Int128(numberOfBytesTransferred.bytes) * 8 * 1_000_000_000
    return BitRate(bitsPerSecond: Int64(bits / Int128(transferDuration.nanoseconds)))
  }
}

/// The periods of play of a player, and the counters from which the next one is reckoned.
struct AccessLog: Hashable, Sendable {
  /// The counters of a player at an instant.
  struct Counters: Hashable, Sendable {
    var received = Work.zero
    var open = TimeSpan.zero
    var requests = 0
    var watched = TimeSpan.zero
  }

  /// The periods that have begun; the last one may be running.
  private(set) var events: [AccessLogEvent] = []
  /// Whether a period is running.
  private(set) var isRunning = false
  private var booked = Counters()

  /// Begins a period.
  mutating func begin(_ event: AccessLogEvent) {
    precondition(!isRunning, "a period of play begins within another")
    events.append(event)
    isRunning = true
  }

  /// Ends the running period, if any.
  mutating func end(stalled: Bool, counters: Counters) {
    guard isRunning else { return }
    isRunning = false
    events[events.count - 1].numberOfStalls = stalled ? 1 : 0
    book(counters)
    booked = counters
  }

  /// Returns the periods with the running one as it stands.
  func events(at counters: Counters) -> [AccessLogEvent] {
    guard isRunning else { return events }
    var copy = self
    copy.book(counters)
    return copy.events
  }

  private mutating func book(_ counters: Counters) {
    let last = events.count - 1
    events[last].durationWatched = counters.watched - booked.watched
    events[last].numberOfMediaRequests = counters.requests - booked.requests
    events[last].numberOfBytesTransferred = ByteCount(
      bytes: counters.received.wholeBytes.bytes - booked.received.wholeBytes.bytes)
    events[last].transferDuration = counters.open - booked.open
  }
}
