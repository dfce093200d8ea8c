// Quantities print themselves exactly, in the unit that people would take.

extension Instant: CustomStringConvertible {
  /// The seconds since the start of the run, as in `6.459375 s`.
  public var description: String {
    self == .never ? "never" : "\(decimal(nanoseconds, of: 1_000_000_000)) s"
  }
}

extension TimeSpan: CustomStringConvertible {
  /// The seconds, as in `0.046625 s`.
  public var description: String { "\(decimal(nanoseconds, of: 1_000_000_000)) s" }
}

extension MediaTime: CustomStringConvertible {
  /// The seconds, as in `39 s`.
  public var description: String { "\(decimal(nanoseconds, of: 1_000_000_000)) s" }
}

extension BitRate: CustomStringConvertible {
  /// The rate in the largest unit that it fills, as in `3.2 Mbit/s`.
  public var description: String {
    if self == .unlimited { return "unlimited" }
    return scaled(bitsPerSecond, ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"])
  }
}

extension ByteCount: CustomStringConvertible {
  /// The size in the largest unit that it fills, as in `18.18375 MB`.
  public var description: String { scaled(bytes, ["B", "kB", "MB", "GB", "TB"]) }
}

extension PlaybackRate: CustomStringConvertible {
  /// How many times as fast as normal, as in `1.5`.
  public var description: String { decimal(millionths, of: 1_000_000) }
}

/// Returns a number of parts of a unit, a power of ten, without zeros at its end.
private func decimal(_ parts: Int64, of unit: Int64) -> String {
  let magnitude = parts.magnitude
  let (whole, rest) = magnitude.quotientAndRemainder(dividingBy: UInt64(unit))
  let sign = parts < 0 ? "-" : ""
  if rest == 0 { return "\(sign)\(whole)" }
  // The one in front keeps the zeros that follow it.
  var digits = Array("\(UInt64(unit) + rest)".utf8.dropFirst())
  while digits.last == 0x30 { digits.removeLast() }
  return "\(sign)\(whole)." + String(decoding: digits, as: UTF8.self)
}

/// Returns a number in the largest unit that it fills, each of which is a thousand of the last.
private func scaled(_ count: Int64, _ units: [String]) -> String {
  var (size, place) = (Int64(1), 0)
  while place + 1 < units.count, count.magnitude >= UInt64(size) * 1_000 {
    (size, place) = (size * 1_000, place + 1)
  }
  return "\(decimal(count, of: size)) \(units[place])"
}
