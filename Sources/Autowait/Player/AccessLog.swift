/// What the server of an item says of it.
public enum PlaybackType: UInt8, CaseIterable, Hashable, Sendable {
  /// A stream to which segments are added.
  case live
  /// A stream that is there as a whole.
  case vod
  /// A single file.
  case file
}

/// An entry of the access log: one uninterrupted period of play, with AVFoundation's names.
///
/// What was transferred since the period before ended counts into the period. What comes after the
/// last period has ended is in no entry. What AVFoundation does not know, and shows as a negative
/// number, is nil.
public struct AccessLogEvent: Hashable, Sendable {
  /// The number of the item in its player's configuration, which has the address.
  public internal(set) var item = 0
  /// The number of the variant whose segment came last; nil for files.
  public internal(set) var variant: Int?
  /// How the item is played.
  public internal(set) var playbackType = PlaybackType.file
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
  /// The requests for ranges of the file, or for segments.
  public internal(set) var numberOfMediaRequests = 0
  /// Those of them that were made while the network was expensive, as cellular ones are.
  public internal(set) var mediaRequestsWWAN = 0
  /// The bytes that arrived.
  public internal(set) var numberOfBytesTransferred = ByteCount.zero
  /// The time in which a request was open and being read.
  public internal(set) var transferDuration = TimeSpan.zero
  /// What only streams have; nil for files.
  public internal(set) var segments: Segments?

  /// What an entry says of the segments of a stream.
  public struct Segments: Hashable, Sendable {
    /// The media that came, of the variant's own segments.
    public internal(set) var segmentsDownloadedDuration: MediaTime
    /// The segments that took longer to come than they play (assumed).
    public internal(set) var downloadOverdue: Int
    /// The highest rate at which a segment came, its request and round trips counted.
    public internal(set) var observedMaxBitrate: BitRate?
    /// The lowest rate at which one came.
    public internal(set) var observedMinBitrate: BitRate?
    /// The standard deviation of these rates, rounded down.
    public internal(set) var observedBitrateStandardDeviation: BitRate?
    /// The peak rate of the variant, as the playlist says it.
    public internal(set) var indicatedBitrate: BitRate?
    /// The average rate of the variant, as the playlist says it.
    public internal(set) var indicatedAverageBitrate: BitRate?
    /// The mean rate of the variant's own segments that came, with all that lies in them.
    public internal(set) var averageVideoBitrate: BitRate?
    /// The mean rate of the segments of audio that came; nil if audio lies in the variant's own.
    public internal(set) var averageAudioBitrate: BitRate?
    /// The rate that was measured when another variant was last chosen; nil if none was.
    public internal(set) var switchBitrate: BitRate?
  }

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
    var received = DataAmount.zero
    var open = TimeSpan.zero
    var requests = 0
    var expensiveRequests = 0
    var watched = TimeSpan.zero
    /// The variant of a stream whose segment came last.
    var variant: Int?
    /// What has come of a stream since the period before ended; nil for files.
    var segments: AccessLogEvent.Segments?
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

  /// Ends the running period; returns whether there was one.
  mutating func end(stalled: Bool, counters: Counters) -> Bool {
    guard isRunning else { return false }
    isRunning = false
    events[events.count - 1].numberOfStalls = stalled ? 1 : 0
    book(counters)
    booked = counters
    return true
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
    events[last].mediaRequestsWWAN = counters.expensiveRequests - booked.expensiveRequests
    events[last].numberOfBytesTransferred = ByteCount(
      bytes: counters.received.wholeBytes.bytes - booked.received.wholeBytes.bytes)
    events[last].transferDuration = counters.open - booked.open
    events[last].variant = counters.variant
    events[last].segments = counters.segments
  }
}

/// Which media requests were made while the network was expensive.
struct ExpensiveRequests: Hashable, Sendable {
  private var closed = 0
  private var since: Int?

  init(isExpensive: Bool) { since = isExpensive ? 0 : nil }

  /// Takes note of a network that is expensive, or is not, after some requests.
  mutating func note(isExpensive: Bool, requests: Int) {
    closed = count(of: requests)
    since = isExpensive ? requests : nil
  }

  /// Returns how many of some requests were made while it was.
  func count(of requests: Int) -> Int { closed + (since.map { requests - $0 } ?? 0) }
}

extension Player {
  /// The counters from which the access log reckons.
  func counters(at now: Instant) -> AccessLog.Counters {
    AccessLog.Counters(
      received: receivedBefore + source.buffer.meter.received(at: now),
      open: openBefore + source.buffer.meter.open(at: now),
      requests: meter.mediaRequestCount,
      expensiveRequests: expensiveRequests.count(of: meter.mediaRequestCount),
      watched: meter.time(.playing, at: now),
      variant: source.arrivedVariant,
      segments: source.stream.map { segments(of: $0) })
  }

  private func segments(of stream: StreamSource) -> AccessLogEvent.Segments {
    let tally = stream.tally
    let variant = source.arrivedVariant.map { stream.streamMedia.variants[$0] }
    return AccessLogEvent.Segments(
      segmentsDownloadedDuration: tally.video.duration, downloadOverdue: tally.overdueCount,
      observedMaxBitrate: tally.observedMax, observedMinBitrate: tally.observedMin,
      observedBitrateStandardDeviation: tally.observedDeviation,
      indicatedBitrate: variant?.bandwidth, indicatedAverageBitrate: variant?.averageBandwidth,
      averageVideoBitrate: tally.video.bitRate, averageAudioBitrate: tally.audio.bitRate,
      switchBitrate: stream.switchEstimate?.bitRate)
  }

  /// Begins a period of play, if none is running.
  mutating func beginPeriod(in moment: inout Moment) {
    guard !accessLog.isRunning, let item = source.item else { return }
    var event = AccessLogEvent()
    event.item = source.number
    if let streamMedia = source.media.streamMedia {
      event.playbackType = streamMedia.live == nil ? .vod : .live
    }
    event.playbackStartDate = moment.now
    event.playbackStartOffset = currentTime(at: moment.now)
    event.startupTime = (item.becameReady ?? moment.now) - item.created
    accessLog.begin(event)
    moment.record(.newAccessLogEntry)
  }

  /// Ends the running period of play, if any.
  mutating func endPeriod(stalled: Bool, at now: Instant) {
    if accessLog.end(stalled: stalled, counters: counters(at: now)) {
      source.stream?.tally = SegmentTally()
      source.stream?.switchEstimate = nil
    }
  }
}
