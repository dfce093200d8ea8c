import Autowait
import AutowaitScenario

/// The keys of Common Media Client Data (CTA-5004) of a request or an event, and their values.
///
/// A list is read as its first member, whose parameters are left out: `br=(800;v)` and `br=800` are
/// one.
struct CMCDFields {
  private var values: [String: String] = [:]
  var isEmpty: Bool { values.isEmpty }

  init() {}

  /// Reads keys as they stand in a header or an event, or, with their escapes, in a query.
  init(_ text: String) { add(text) }

  mutating func add(_ text: String) {
    let bytes = Array(text.utf8)
    var place = 0
    while place < bytes.count {
      let start = place
      while place < bytes.count, bytes[place] != UInt8(ascii: "="),
        bytes[place] != UInt8(ascii: ",")
      {
        place += 1
      }
      let key = Self.trimmed(bytes[start..<place])
      var value = "true"
      if place < bytes.count, bytes[place] == UInt8(ascii: "=") {
        let begin = place + 1
        place = Self.end(bytes, begin)
        value = Self.bare(bytes[begin..<place])
      }
      place += 1
      if !key.isEmpty { values[key] = value }
    }
  }

  /// The end of a value: the next comma that is not in quotation marks or parentheses.
  private static func end(_ bytes: [UInt8], _ start: Int) -> Int {
    var (place, isQuoted, depth) = (start, false, 0)
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\\") where isQuoted: place += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "(") where !isQuoted: depth += 1
      case UInt8(ascii: ")") where !isQuoted: depth -= 1
      case UInt8(ascii: ",") where !isQuoted && depth <= 0: return place
      default: break
      }
      place += 1
    }
    return bytes.count
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    let text = bytes.drop { $0 == 0x20 }
    return String(decoding: text.reversed().drop { $0 == 0x20 }.reversed(), as: UTF8.self)
  }

  /// The value without its quotation marks, its list and its parameters.
  private static func bare(_ bytes: ArraySlice<UInt8>) -> String {
    var text = trimmed(bytes)
    if text.hasPrefix("(") {
      text = String(text.dropFirst().prefix { $0 != ")" && $0 != " " })
    }
    if text.hasPrefix("\"") { return String(text.dropFirst().prefix { $0 != "\"" }) }
    return String(text.prefix { $0 != ";" })
  }

  subscript(key: String) -> String? { values[key] }

  /// Returns a number times a factor, rounded; nil for what is none or below zero.
  func amount(_ key: String, times factor: Int64 = 1) -> Int64? {
    values[key].flatMap { LogNumber.amount($0, times: factor) }
  }

  /// Whether the object is media, and of what kind; nil if the client does not say it.
  var kind: SessionRequest.Kind? {
    switch values["ot"] {
    case "m": .playlist
    case "i": .initialization
    case "v", "a", "av": .segment
    case "k": .key
    case nil: nil
    default: .other
    }
  }
}

/// Numbers as texts.
enum LogNumber {
  /// Returns a number times a factor, rounded; nil for what is none, too large, or below zero.
  static func amount(_ text: String, times factor: Int64 = 1) -> Int64? {
    guard let decimal = ExactDecimal(text), !decimal.isNegative,
      case .exact(let value) = decimal.nearestInteger(scaledBy: factor)
    else { return nil }
    return value
  }

  /// The last digit of a decimal in nanoseconds, if it counts seconds.
  static func resolution(_ text: String, unit: Int64) -> TimeSpan {
    let digits = text.split(separator: ".").dropFirst().first?.prefix { "0"..."9" ~= $0 }.count ?? 0
    var span = unit
    for _ in 0..<min(digits, 9) { span /= 10 }
    return TimeSpan(nanoseconds: max(1, span))
  }
}
