/// A piece of media: how long it plays and where its bytes lie.
public struct Media: Hashable, Sendable {
  /// Where the bytes come from.
  public enum Source: Hashable, Sendable {
    /// A file on the device: everything is there as soon as the item is loaded.
    case local
    /// A single file over HTTP, read from its beginning in one request.
    case progressive
  }

  /// Where the bytes come from.
  public let source: Source
  /// How long the media plays.
  public let duration: MediaTime
  /// The bytes at the head of the file that must arrive before anything can play.
  public let headerSize: ByteCount
  /// Whether the media can play faster than twice its natural speed.
  public var canPlayFastForward = true
  /// Whether the media can play backwards.
  public var canPlayReverse = true

  /// The way to the host that has the file: 0 for the link, else the place among the links of hosts
  /// with one of their own, counted from 1.
  public var route = 0

  /// Data per time as a fraction: `nanobits` for every `nanoseconds` of media.
  private let nanobits: UInt128
  private let nanoseconds: UInt64

  /// Creates media of a constant bit rate.
  public init(
    _ source: Source, duration: MediaTime, bitRate: BitRate, headerSize: ByteCount = .zero
  ) {
    precondition(bitRate > .zero && bitRate <= Limits.bitRateMax, "a bit rate out of range")
    self.init(
      source, duration, headerSize, nanobits: UInt128(UInt64(bitRate.bitsPerSecond)),
      nanoseconds: 1)
  }

  /// Creates media whose content, behind the header, has the given size spread evenly over time.
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
    self.source = source
    self.duration = duration
    self.headerSize = headerSize
    self.nanobits = nanobits
    self.nanoseconds = nanoseconds
    header = Work(headerSize)
  }

  /// The size of the header as an amount of data; content begins behind it.
  private let header: Work

  /// The size of the whole file as an amount of data.
  public var size: Work { position(of: duration) }

  /// Returns the least position in the file at which all media before a time has been read.
  ///
  /// It is rounded up, so that media counts as loaded only when all of it is.
  @inline(__always)
  func position(of time: MediaTime) -> Work {
    let elapsed = UInt64(time.nanoseconds)
    if nanoseconds == 1 {
      let product = UInt64(truncatingIfNeeded: nanobits).multipliedFullWidth(by: elapsed)
      return Work(
        nanobits: header.nanobits &+ (UInt128(product.high) << 64 | UInt128(product.low)))
    }
    // Behind its end a file has no bytes; a playhead may be there, far away.
    return Work(
      nanobits: header.nanobits
        &+ ExactProduct.scaledUp(nanobits, min(elapsed, nanoseconds), UInt128(nanoseconds)))
  }

  /// The position of a time as a line in 64-bit numbers; nil if media by size needs a division.
  var line: (origin: UInt64, density: UInt64)? {
    guard nanoseconds == 1, size.nanobits < 1 << 62 else { return nil }
    return (UInt64(truncatingIfNeeded: header.nanobits), UInt64(truncatingIfNeeded: nanobits))
  }

  /// Returns the media time up to which a file that is read up to a position can play.
  func time(of position: Work) -> MediaTime {
    if position <= header { return .zero }
    let time = ExactProduct.scaledDown(
      position.nanobits &- header.nanobits, nanoseconds, nanobits)
    return min(MediaTime(nanoseconds: Int64(time)), duration)
  }
}
