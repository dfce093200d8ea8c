/// A piece of media: how long it plays and where its data comes from.
public struct Media: Hashable, Sendable {
  /// Where the data comes from.
  public enum Source: Hashable, Sendable {
    /// A file on the device: everything is there as soon as the item is loaded.
    case local
    /// A single file over HTTP, read from its beginning in one request.
    case progressive
    /// A stream over HTTP, read by playlists, keys and segments.
    case stream(SharedLadder)
  }

  /// Where the data comes from.
  public let source: Source
  /// The bytes at the head of the file that must arrive before anything can play.
  public let headerSize: ByteCount
  /// Whether the media can play faster than twice its natural speed.
  public var canPlayFastForward = true
  /// Whether the media can play backwards.
  public var canPlayReverse = true

  /// The way to the host that has the media: 0 for the link, else the place among the links of hosts
  /// with one of their own, counted from 1.
  public var route = 0

  /// Where the bytes of a time lie.
  let map: ByteMap

  /// How long the media plays.
  public var duration: MediaTime { map.duration }

  /// Creates a file of a constant bit rate.
  public init(
    _ source: Source, duration: MediaTime, bitRate: BitRate, headerSize: ByteCount = .zero
  ) {
    precondition(bitRate > .zero && bitRate <= Limits.bitRateMax, "a bit rate out of range")
    self.init(
      source, duration, headerSize, nanobits: UInt128(UInt64(bitRate.bitsPerSecond)),
      nanoseconds: 1)
  }

  /// Creates a file whose content, behind the header, has the given size spread evenly over time.
  public init(
    _ source: Source, duration: MediaTime, contentSize: ByteCount, headerSize: ByteCount = .zero
  ) {
    precondition(contentSize > .zero && contentSize <= Limits.bytesMax, "a size out of range")
    self.init(
      source, duration, headerSize, nanobits: Work(contentSize).nanobits,
      nanoseconds: UInt64(duration.nanoseconds))
  }

  private init(
    _ source: Source, _ duration: MediaTime, _ headerSize: ByteCount, nanobits: UInt128,
    nanoseconds: UInt64
  ) {
    precondition(duration > .zero && duration <= Limits.mediaMax, "a duration out of range")
    if case .stream = source { preconditionFailure("a stream has no bytes of a file") }
    self.source = source
    self.headerSize = headerSize
    map = ByteMap(duration, header: headerSize, nanobits: nanobits, nanoseconds: nanoseconds)
  }

  /// Creates a stream.
  public init(_ ladder: Ladder) {
    ladder.check()
    source = .stream(SharedLadder(ladder))
    headerSize = .zero
    map = ByteMap(timesOf: ladder.duration)
  }

  /// The stream, if the media is one.
  public var ladder: Ladder? {
    shared?.ladder
  }

  /// The stream's own storage, which costs nothing to hand on.
  @inline(__always)
  var shared: SharedLadder? {
    if case .stream(let shared) = source { shared } else { nil }
  }

  /// The size of the whole file as an amount of data; of a stream that of its largest segment.
  public var size: Work {
    ladder.map { Work($0.largestSegment) } ?? map.position(of: duration)
  }
}

/// A ladder that is never written again, so that many may look at it without a copy.
public final class SharedLadder: Hashable, Sendable {
  /// The ladder.
  public let ladder: Ladder

  /// Takes a ladder that is complete.
  init(_ ladder: Ladder) {
    self.ladder = ladder
  }

  /// Returns whether two ladders are equal.
  public static func == (left: SharedLadder, right: SharedLadder) -> Bool {
    left === right || left.ladder == right.ladder
  }

  /// Hashes the ladder.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ladder)
  }
}
