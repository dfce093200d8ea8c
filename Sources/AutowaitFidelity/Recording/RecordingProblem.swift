import Autowait
import AutowaitScenario

/// Why a recording, or a file that it names, cannot be used.
package struct RecordingProblem: Error, CustomStringConvertible {
  /// The file, with the place in it if that is known.
  package let path: String
  /// What is wrong there.
  package let reason: String

  package init(_ path: String, _ reason: String) { (self.path, self.reason) = (path, reason) }

  package var description: String { "\(path): \(reason)" }
}

extension JSONValue {
  /// Reads a text; says where it is no JSON, and whether it seems to be cut off there.
  static func read(_ path: String, _ bytes: [UInt8]) throws(RecordingProblem) -> JSONValue {
    try read(SourceText(path: path, bytes: bytes), isSecret: false)
  }

  /// The same, of a text that may hold secrets: what stands there is not said.
  package static func read(
    _ source: SourceText, isSecret: Bool
  ) throws(RecordingProblem) -> JSONValue {
    do throws(JSONError) {
      return try JSONDocument(source).root
    } catch {
      let isAtEnd = source.bytes.dropFirst(error.range.upperBound)
        .allSatisfy { $0 <= UInt8(ascii: " ") }
      throw RecordingProblem(
        "\(source.path):\(source.position(of: error.offset))",
        isSecret
          ? isAtEnd ? "is not JSON: the file may be cut off here" : "is not JSON from here on"
          : "is not JSON: \(error.message)" + (isAtEnd ? "; the file may be cut off here" : ""))
    }
  }

  /// Returns the member that must be there.
  func required(_ key: String) throws(RecordingProblem) -> JSONValue {
    guard let value = member(key) else { throw problem("has no '\(key)'") }
    return value
  }

  /// Returns the string that must be there.
  func text() throws(RecordingProblem) -> String {
    guard let string else { throw problem("is not a string") }
    return string
  }

  /// Returns a number of seconds, in nanoseconds, rounded to the nearest; one that may be below
  /// zero counts as zero then.
  func nanoseconds(allowingNegative: Bool = false) throws(RecordingProblem) -> Int64 {
    if allowingNegative, decimal?.isNegative == true { return 0 }
    return try whole(times: 1_000_000_000)
  }

  /// Returns a number, not below zero, times a factor, rounded to the nearest.
  func whole(times factor: Int64 = 1) throws(RecordingProblem) -> Int64 {
    guard case .exact(let value)? = decimal?.nearestInteger(scaledBy: factor) else {
      throw problem("is not a number of a usual size, or below zero")
    }
    return value
  }

  /// Returns a row of an array.
  func rows(least: Int) throws(RecordingProblem) -> [[JSONValue]] {
    guard kind == .array else { throw problem("is not a list") }
    var rows: [[JSONValue]] = []
    for element in elements {
      let row = Array(element.elements)
      if row.count < least { throw element.problem("has less than \(least) numbers") }
      rows.append(row)
    }
    return rows
  }

  /// Returns a span of time, of which the sign is no matter.
  func span() throws(RecordingProblem) -> TimeSpan {
    guard
      case .exact(let value)? = decimal?.integer(scaledBy: 1_000_000_000, allowingNegative: true)
    else { throw problem("is not a time") }
    return TimeSpan(nanoseconds: abs(value))
  }

  /// Returns an element of a list.
  func part(_ place: Int) throws(RecordingProblem) -> JSONValue {
    for (number, element) in elements.enumerated() where number == place { return element }
    throw problem("has no \(place + 1) parts")
  }

  /// Says what is wrong with the value, and where.
  func problem(_ reason: String) -> RecordingProblem {
    RecordingProblem("\(source.path):\(source.position(of: range.lowerBound))", reason)
  }
}
