/// Times of a calendar, as logs spell them.
package enum CalendarTime {
  /// Returns the nanoseconds since 1970 that a text spells, or nil.
  ///
  /// It is spelled as in RFC 3339, whose offset may be left out, or as `2019.11.28_07.05.12`.
  package static func nanoseconds(_ text: String) -> Int64? {
    var rest = Substring(text).utf8
    guard let year = digits(&rest, 4), let first = separator(&rest),
      let month = digits(&rest, 2), separator(&rest) == first,
      let day = digits(&rest, 2), separator(&rest) != nil,
      let hour = digits(&rest, 2), separator(&rest) != nil,
      let minute = digits(&rest, 2), separator(&rest) != nil,
      let second = digits(&rest, 2),
      1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60, 1970...2200 ~= year
    else { return nil }
    guard let fraction = fraction(&rest), let offset = offset(&rest), rest.isEmpty else {
      return nil
    }
    let days = dayNumber(Int64(year), Int64(month), Int64(day))
    let seconds = days * 86_400 + Int64(hour) * 3_600 + Int64(minute) * 60 + Int64(second)
    return (seconds - offset) * 1_000_000_000 + fraction
  }

  /// The days since 1970-01-01 in the Gregorian calendar, counted in years that begin in March.
  private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let monthSinceMarch = (month + 9) % 12
    let dayOfYear = (153 * monthSinceMarch + 2) / 5 + day - 1
    let leaps = shifted / 4 - shifted / 100 + shifted / 400
    return shifted * 365 + leaps + dayOfYear - 719_468
  }

  private static func digits(_ text: inout Substring.UTF8View, _ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = text.first, 0x30...0x39 ~= byte else { return nil }
      value = value * 10 + Int(byte - 0x30)
      text = text.dropFirst()
    }
    return value
  }

  private static func separator(_ text: inout Substring.UTF8View) -> UInt8? {
    guard let byte = text.first, "-./:_ Tt".utf8.contains(byte) else { return nil }
    text = text.dropFirst()
    return byte
  }

  /// Reads the digits behind a point as nanoseconds; more than nine are cut off.
  private static func fraction(_ text: inout Substring.UTF8View) -> Int64? {
    guard text.first == UInt8(ascii: ".") else { return 0 }
    text = text.dropFirst()
    var (value, scale): (Int64, Int64) = (0, 100_000_000)
    guard let byte = text.first, 0x30...0x39 ~= byte else { return nil }
    while let byte = text.first, 0x30...0x39 ~= byte {
      value += Int64(byte - 0x30) * scale
      scale /= 10
      text = text.dropFirst()
    }
    return value
  }

  /// Reads how far the clock is ahead of the one of Greenwich, in seconds.
  private static func offset(_ text: inout Substring.UTF8View) -> Int64? {
    guard let sign = text.first else { return 0 }
    text = text.dropFirst()
    if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return 0 }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = digits(&text, 2)
    else { return nil }
    if text.first == UInt8(ascii: ":") { text = text.dropFirst() }
    guard let minutes = digits(&text, 2) else { return nil }
    let seconds = Int64(hours) * 3_600 + Int64(minutes) * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }
}
