import Autowait
import AutowaitFidelity
import AutowaitScenario

extension JSONValue {
  /// Returns a number, not below zero, times a factor and rounded; nil for anything else, such as
  /// the −1 by which logs say that they do not know it.
  func known(_ key: String, times factor: Int64 = 1) -> Int64? {
    member(key).flatMap { $0.amount(times: factor) }
  }

  /// Returns the value as a number, as `known(_:times:)` does.
  func amount(times factor: Int64 = 1) -> Int64? {
    guard let decimal, !decimal.isNegative,
      case .exact(let value) = decimal.nearestInteger(scaledBy: factor)
    else { return nil }
    return value
  }

  /// Returns a bit of text; nil for anything else.
  func text(_ key: String) -> String? { member(key)?.string }

  /// Says what is wrong and where, but not what stands there: that may be a secret.
  func flaw(_ reason: String) -> RecordingProblem {
    RecordingProblem("\(source.path):\(source.position(of: range.lowerBound))", reason)
  }
}

/// Arithmetic on the times of logs, which may be anything.
enum LogTime {
  /// The longest part of a request; more is no time that a request took.
  static let partMax: Int64 = 1_000_000_000_000_000

  /// Returns a sum of parts, none of them longer than a request can take.
  static func sum(_ parts: Int64?...) -> Int64 {
    parts.reduce(0) { $0 + min($1 ?? 0, partMax) }
  }

  /// Returns the instant some time after another, both of any size.
  static func after(_ start: Int64, _ span: Int64) -> Int64 {
    let (sum, isOver) = start.addingReportingOverflow(span)
    return isOver ? (span > 0 ? .max : .min) : sum
  }
}
