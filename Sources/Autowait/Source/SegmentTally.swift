/// What the access log says of the segments that came in an entry.
///
/// A segment costs one division and a few sums, so that it can be kept on the hot path; what needs
/// roots and quotients is made when somebody reads it.
struct SegmentTally: Hashable, Sendable {
  /// The data and the media of a track.
  struct Amount: Hashable, Sendable {
    var bytes: UInt64 = 0
    var duration = MediaTime.zero

    /// The mean rate of the media; nil if there is none.
    var bitRate: BitRate? {
      guard duration > .zero else { return nil }
      let bits = UInt128(bytes) * 8_000_000_000 / UInt128(UInt64(duration.nanoseconds))
      return BitRate(bitsPerSecond: Int64(clamping: bits))
    }
  }

  /// What came of the variant's own segments, and of those of its audio.
  private(set) var video = Amount()
  private(set) var audio = Amount()
  /// The segments that took longer to come than they play.
  private(set) var overdueCount = 0
  /// The least and the highest rate at which a segment came, in bit/s.
  private var least = UInt64.max
  private var most: UInt64 = 0
  /// How many rates there are, their sum, and that of their squares.
  private var count: UInt64 = 0
  private var sum: UInt64 = 0
  private var squares: UInt128 = 0

  /// No rate is higher, so that no sum overflows.
  private static let rateMax = UInt64(BitRate.unlimited.bitsPerSecond)

  /// Takes note of a segment of the variant's own.
  @inline(__always)
  mutating func noteVideo(_ size: ByteCount, plays: MediaTime, in span: TimeSpan) {
    video.bytes &+= UInt64(size.bytes)
    video.duration.nanoseconds &+= plays.nanoseconds
    note(size, plays: plays, in: span)
  }

  /// Takes note of a segment of audio.
  mutating func noteAudio(_ size: ByteCount, plays: MediaTime, in span: TimeSpan) {
    audio.bytes &+= UInt64(size.bytes)
    audio.duration.nanoseconds &+= plays.nanoseconds
    note(size, plays: plays, in: span)
  }

  /// Takes note of what came of a segment in a request before the one that brought the rest: no
  /// rate at which a segment came, but a part of what lies in the segments that did.
  mutating func noteKept(_ size: ByteCount, isVideo: Bool) {
    if isVideo { video.bytes &+= UInt64(size.bytes) } else { audio.bytes &+= UInt64(size.bytes) }
  }

  /// Takes note of a segment of any track; one that took no time at all has no rate.
  @inline(__always)
  mutating func note(_ size: ByteCount, plays: MediaTime, in span: TimeSpan) {
    if span.nanoseconds > plays.nanoseconds { overdueCount &+= 1 }
    if span == .zero { return }
    let time = UInt64(span.nanoseconds)
    let amount = UInt64(size.bytes).multipliedFullWidth(by: 8_000_000_000)
    // What does not fit into the quotient is above the highest rate. Most amounts are narrow, and a
    // division of wide ones is a call.
    var rate = Self.rateMax
    if amount.high == 0 {
      rate = min(amount.low / time, rate)
    } else if amount.high < time {
      rate = min(time.dividingFullWidth((amount.high, amount.low)).quotient, rate)
    }
    least = min(least, rate)
    most = max(most, rate)
    count &+= 1
    sum &+= rate
    squares &+= UInt128(rate) &* UInt128(rate)
  }

  /// The highest rate at which a segment came; nil if none did.
  var observedMax: BitRate? { count == 0 ? nil : BitRate(bitsPerSecond: Int64(most)) }

  /// The lowest rate at which a segment came; nil if none did.
  var observedMin: BitRate? { count == 0 ? nil : BitRate(bitsPerSecond: Int64(least)) }

  /// The standard deviation of the rates, rounded down; nil if no segment came.
  ///
  /// All segments are there, so it is that of a whole and not of a sample.
  var observedDeviation: BitRate? {
    if count == 0 { return nil }
    let (product, overflow) = squares.multipliedReportingOverflow(by: UInt128(count))
    if overflow { return nil }
    let spread = (product - UInt128(sum) * UInt128(sum)) / (UInt128(count) * UInt128(count))
    return BitRate(bitsPerSecond: Int64(IntegerRoot.square(of: spread)))
  }
}

extension StreamSource {
  /// Takes note of a segment for the access log, of which so much had been kept.
  mutating func note(
    _ request: StreamRequest, kept: ByteCount, plays: MediaTime, at now: Instant
  ) {
    let (size, span) = (request.size.wholeBytes, now - request.opened)
    let list = request.track.map { tracks[$0].list }
    if request.track == 0 {
      tally.noteVideo(size, plays: plays, in: span)
      tally.noteKept(kept, isVideo: true)
    } else if streamMedia.renditions.contains(where: { $0.kind == .audio && $0.list == list }) {
      tally.noteAudio(size, plays: plays, in: span)
      tally.noteKept(kept, isVideo: false)
    } else {
      tally.note(size, plays: plays, in: span)
    }
  }
}
