/// Where the bytes of a file lie: a header, then data that is spread evenly over time.
///
/// It holds no reference, unlike ``Media``: it is read with every change of the link.
struct ByteMap: Hashable, Sendable {
  /// How long the media plays.
  let duration: MediaTime
  /// The size of the header as an amount of data; content begins behind it.
  private let header: DataAmount
  /// Data per time as a fraction: `nanobits` for every `nanoseconds` of media.
  private let nanobits: UInt128
  private let nanoseconds: UInt64

  /// Makes the map of a file with so much data in so much time.
  init(_ duration: MediaTime, header: ByteCount, nanobits: UInt128, nanoseconds: UInt64) {
    self.duration = duration
    self.header = DataAmount(header)
    self.nanobits = nanobits
    self.nanoseconds = nanoseconds
  }

  /// Makes the map of media whose positions are its times, a nanobit for a nanosecond.
  ///
  /// A stream has no positions of its own: it is loaded by segments, whose sizes differ by variant.
  init(timesOf duration: MediaTime) {
    self.init(duration, header: .zero, nanobits: 1, nanoseconds: 1)
  }

  /// The position of a time in such media.
  @inline(__always)
  static func positionInStream(of time: MediaTime) -> DataAmount {
    DataAmount(nanobits: UInt128(UInt64(time.nanoseconds)))
  }

  /// The time of a position in such media.
  @inline(__always)
  static func timeInStream(of position: DataAmount) -> MediaTime {
    MediaTime(nanoseconds: Int64(position.nanobits))
  }

  /// Returns the least position in the file at which all media before a time has been read.
  ///
  /// It is rounded up, so that media counts as loaded only when all of it is.
  @inline(__always)
  func position(of time: MediaTime) -> DataAmount {
    let elapsed = UInt64(time.nanoseconds)
    if nanoseconds == 1 {
      let product = UInt64(truncatingIfNeeded: nanobits).multipliedFullWidth(by: elapsed)
      return DataAmount(
        nanobits: header.nanobits &+ (UInt128(product.high) << 64 | UInt128(product.low)))
    }
    // Behind its end a file has no bytes; a playhead may be there, far away.
    return DataAmount(
      nanobits: header.nanobits
        &+ ExactProduct.scaledUp(nanobits, min(elapsed, nanoseconds), UInt128(nanoseconds)))
  }

  /// Returns the position of some media ahead of a playhead.
  ///
  /// It counts the part of a nanosecond that a clock does not show. Else a buffer would be empty,
  /// or full, for a nanosecond or so at a time, as the steps of a clock at a rate of 1.5 meet what
  /// comes.
  @inline(__always)
  func position(
    ahead lead: MediaTime, of playhead: Playhead, roundedUp: Bool = false
  ) -> DataAmount {
    let place = position(of: playhead.time + lead)
    return playhead.part == 0
      ? place : place + data(inPartOf: playhead, ahead: lead, behind: place, roundedUp: roundedUp)
  }

  @inline(never)
  private func data(
    inPartOf playhead: Playhead, ahead lead: MediaTime, behind place: DataAmount, roundedUp: Bool
  ) -> DataAmount {
    let next = position(of: playhead.time + lead + MediaTime(nanoseconds: 1))
    let part = (next - place).nanobits * UInt128(playhead.part) + (roundedUp ? 999_999 : 0)
    return DataAmount(nanobits: part / 1_000_000)
  }

  /// The position of a time as a line in 64-bit numbers; nil if media by size needs a division.
  var line: (origin: UInt64, density: UInt64)? {
    guard nanoseconds == 1, position(of: duration).nanobits < 1 << 62 else { return nil }
    return (UInt64(truncatingIfNeeded: header.nanobits), UInt64(truncatingIfNeeded: nanobits))
  }

  /// Returns the media time up to which a file that is read up to a position can play.
  func time(of position: DataAmount) -> MediaTime {
    if position <= header { return .zero }
    let time = ExactProduct.scaledDown(
      position.nanobits &- header.nanobits, nanoseconds, nanobits)
    return min(MediaTime(nanoseconds: Int64(time)), duration)
  }
}
