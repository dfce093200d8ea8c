import AutowaitJSON

/// Collects what is to be said about a playlist, of each kind only so much as people read.
///
/// A kind is a message; what differs from one place to the next stands in the detail behind it. It
/// is a class for the reason that ``Findings`` is one.
final class PlaylistFindings {
  /// The most findings of one kind that are listed; assumed.
  static let sameMax = 20

  private struct Kind {
    let severity: Finding.Severity
    let message: String
    var count = 0
    /// The first place that is not listed.
    var rest = 0..<0
  }

  private let findings: Findings
  private var kinds: [Kind] = []
  private var indices: [String: Int] = [:]

  init(_ source: SourceText) {
    findings = Findings(source)
  }

  var hasErrors: Bool { findings.hasErrors }

  /// Whether a finding that is reported now would not be listed, so that it needs no notes.
  var isFull: Bool { findings.isFull }

  func error(_ message: String, _ detail: String = "", at range: Range<Int>, notes: [String] = []) {
    if isListed(.error, message, at: range) {
      findings.error(message + detail, at: range, notes: notes)
    }
  }

  func warning(
    _ message: String, _ detail: String = "", at range: Range<Int>, notes: [String] = []
  ) {
    if isListed(.warning, message, at: range) {
      findings.warning(message + detail, at: range, notes: notes)
    }
  }

  /// Reports a value that is not as it must be: an error if it is needed, else it is left out.
  func wrongValue(_ message: String, _ detail: String, at range: Range<Int>, isRequired: Bool) {
    if isRequired {
      error(message, detail, at: range)
    } else {
      warning(message, detail + "; it is left out", at: range)
    }
  }

  /// The line and column of a byte.
  func position(of offset: Int) -> TextPosition { findings.position(of: offset) }

  /// Returns all findings; for the rest of a kind there is one.
  func finish() -> [Finding] {
    for kind in kinds where kind.count > Self.sameMax {
      let count = kind.count - Self.sameMax
      let message = "\(kind.message), and \(count) more"
      switch kind.severity {
      case .error: findings.error(message, at: kind.rest)
      case .warning: findings.warning(message, at: kind.rest)
      }
    }
    return findings.sorted
  }

  /// Counts a finding; returns whether it is listed by itself.
  private func isListed(
    _ severity: Finding.Severity, _ message: String, at range: Range<Int>
  ) -> Bool {
    let index: Int
    if let known = indices[message] {
      index = known
    } else {
      index = kinds.count
      indices[message] = index
      kinds.append(Kind(severity: severity, message: message))
    }
    kinds[index].count += 1
    if kinds[index].count == Self.sameMax + 1 { kinds[index].rest = range }
    return kinds[index].count <= Self.sameMax
  }
}
