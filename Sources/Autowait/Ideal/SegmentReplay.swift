/// When a player that fetches segments pauses because its buffer is full.
public enum BufferPause: Hashable, Sendable {
  /// Before a request, until there is room for exactly one more segment: Sabre's rule.
  case beforeRequest
  /// After a segment that overfills the buffer, for so many quanta that it is full at most:
  /// Pensieve's rule.
  case afterAppend(quantum: TimeSpan)
}

/// How a player fetches segments in the models of Sabre and Pensieve.
public struct SegmentPolicy: Hashable, Sendable {
  /// The media in a segment.
  public var segmentDuration: TimeSpan
  /// The most media that is kept ahead of the playhead.
  public var bufferMax: TimeSpan
  /// What happens when that is reached.
  public var pause: BufferPause

  /// Creates a policy.
  public init(segmentDuration: TimeSpan, bufferMax: TimeSpan, pause: BufferPause) {
    precondition(segmentDuration > .zero && bufferMax >= segmentDuration, "no segment fits")
    if case .afterAppend(let quantum) = pause {
      precondition(quantum > .zero, "a pause needs a length")
    }
    self.segmentDuration = segmentDuration
    self.bufferMax = bufferMax
    self.pause = pause
  }

  /// Sabre's player (commit 09b03bb) with its default buffer of 25 seconds.
  public static func sabre(
    segmentDuration: TimeSpan, bufferMax: TimeSpan = .seconds(25)
  ) -> SegmentPolicy {
    SegmentPolicy(segmentDuration: segmentDuration, bufferMax: bufferMax, pause: .beforeRequest)
  }

  /// Pensieve's player (`fixed_env.py`): segments of 4, a buffer of 60, quanta of half a second.
  public static let pensieve = SegmentPolicy(
    segmentDuration: .seconds(4), bufferMax: .seconds(60),
    pause: .afterAppend(quantum: .milliseconds(500)))
}

/// A request for the next segment.
public struct SegmentRequest: Hashable, Sendable {
  /// The data of the segment.
  public var size: DataAmount
  /// The time after which the download is given up; the segment is then still the next one.
  public var cancelledAfter: TimeSpan?
  /// How long the player waits of its own will before it asks.
  public var pause = TimeSpan.zero

  /// Creates a request.
  public init(size: DataAmount, cancelledAfter: TimeSpan? = nil) {
    self.size = size
    self.cancelledAfter = cancelledAfter
  }
}

/// What became of a request for a segment.
public struct SegmentFetch: Hashable, Sendable {
  /// When the request was made.
  public var requestedAt: Instant
  /// What the link did.
  public var transfer: ReferenceTransfer
  /// The buffered media when the request was made.
  public var levelBefore: TimeSpan
  /// The buffered media when the download was over, with the segment if it arrived.
  public var levelAfter: TimeSpan
}

/// A player that fetches one segment after another over a reference link, as Sabre and Pensieve do.
///
/// Playback starts when the first segment has arrived, and goes on after a stall when one more has.
/// Startup is a number of its own here; Pensieve counts it as rebuffering, Sabre hides it. A stall
/// that goes on over a download that was given up is one stall.
public struct SegmentReplay: Sendable {
  /// A time in which a player that had begun to play had nothing to play.
  public struct Stall: Hashable, Sendable {
    /// When the buffer ran dry.
    public var start: Instant
    /// How long it was.
    public var length: TimeSpan
  }

  /// How segments are fetched.
  public let policy: SegmentPolicy
  /// The link with its own time.
  public private(set) var link: ReferenceLink
  /// The player's time.
  public private(set) var now = Instant.start
  /// The media that is buffered.
  public private(set) var level = TimeSpan.zero
  /// The time from the first request to the last byte of the first segment.
  public private(set) var startup: TimeSpan?
  /// The stalls so far.
  public private(set) var stalls: [Stall] = []
  /// The media that has arrived.
  public private(set) var media = TimeSpan.zero
  private var isStalled = false

  /// Creates a player before its first request.
  public init(_ policy: SegmentPolicy, over link: ReferenceLink) {
    self.policy = policy
    self.link = link
  }

  /// The sum of all stalls; the startup is none.
  public var stalled: TimeSpan { stalls.reduce(.zero) { $0 + $1.length } }

  /// Fetches a segment; nil when its download would never end.
  public mutating func fetch(_ request: SegmentRequest) -> SegmentFetch? {
    if policy.pause == .beforeRequest {
      idle(level + policy.segmentDuration - policy.bufferMax)
    }
    idle(request.pause)
    let (requestedAt, levelBefore) = (now, level)
    let transfer = link.transfer(request.size, cancelledAfter: request.cancelledAfter)
    if link.now == .never { return nil }
    play(transfer.duration)
    if transfer.missing == .zero { append() }
    return SegmentFetch(
      requestedAt: requestedAt, transfer: transfer, levelBefore: levelBefore, levelAfter: level)
  }

  /// Plays what is buffered to its end.
  public mutating func playOut() {
    guard let startup else { return }
    play(level)
    precondition(
      now - .start == startup + media + stalled,
      "the time of a session is startup, media and stalls")
  }

  private mutating func append() {
    level += policy.segmentDuration
    media += policy.segmentDuration
    isStalled = false
    if startup == nil { startup = now - .start }
    guard case .afterAppend(let quantum) = policy.pause, level > policy.bufferMax else { return }
    let excess = (level - policy.bufferMax).nanoseconds
    let quanta = (excess + quantum.nanoseconds - 1) / quantum.nanoseconds
    idle(TimeSpan(nanoseconds: quanta * quantum.nanoseconds))
  }

  /// Lets time pass for the player and the link; a negative span is none.
  private mutating func idle(_ span: TimeSpan) {
    guard span > .zero else { return }
    play(span)
    link.wait(span)
  }

  /// Lets time pass for the player.
  private mutating func play(_ span: TimeSpan) {
    defer { now = now + span }
    guard startup != nil else { return }
    let played = min(level, span)
    level = level - played
    let dry = span - played
    if dry == .zero { return }
    if isStalled {
      stalls[stalls.count - 1].length += dry
    } else {
      stalls.append(Stall(start: now + played, length: dry))
      isStalled = true
    }
  }
}
