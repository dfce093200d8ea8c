import Autowait
import AutowaitExperiment
import AutowaitScenario

/// What went wrong of what a player waited for, with a line for each code of the error log.
struct FailureWords {
  /// The entries of a code in a wait.
  struct FailureGroup: Hashable {
    /// The first of them.
    let first: ErrorLogEvent
    var last: Instant
    var count = 1
  }

  /// The entries of the player's error log that are no warnings, in their order.
  private let errors: [ErrorLogEvent]
  /// When an item of the player failed, and which.
  let failedItems: [(instant: Instant, item: Int)]

  /// The most codes that are told of a wait.
  private static let groupsMax = 4

  /// Takes what went wrong for a player of a run.
  init(_ result: RunResult, player: Int) {
    errors = ErrorLogEvent.logs(of: result)[player].filter {
      !ErrorLogEvent.isWarning(Int32(clamping: $0.errorStatusCode))
    }
    var failed: [(instant: Instant, item: Int)] = []
    var item = 0
    for record in result.records where record.player == player {
      if case .currentItem(let number?) = record.event { item = number }
      if record.event == .itemStatus(.failed) { failed.append((record.instant, item)) }
    }
    failedItems = failed
  }

  /// Returns what went wrong from one instant to another.
  func groups(from start: Instant, to end: Instant) -> [FailureGroup] {
    groups { start <= $0.date && $0.date <= end }
  }

  /// Returns what went wrong in a stall, and before it of what it waited for.
  func groups(in stoppage: Stoppage, awaited: [RequestStory]) -> [FailureGroup] {
    groups { error in
      guard error.date <= stoppage.end else { return false }
      return error.date >= stoppage.start
        || awaited.contains {
          $0.request.resource == error.resource && $0.request.item == error.item
        }
    }
  }

  /// Returns what went wrong of an item until it failed.
  func groups(ofItem item: Int, until end: Instant) -> [FailureGroup] {
    groups { $0.item == item && $0.date <= end }
  }

  private func groups(where isMeant: (ErrorLogEvent) -> Bool) -> [FailureGroup] {
    var groups: [FailureGroup] = []
    for error in errors where isMeant(error) {
      if let place = groups.firstIndex(where: {
        $0.first.errorStatusCode == error.errorStatusCode
      }) {
        groups[place].last = error.date
        groups[place].count += 1
      } else {
        groups.append(FailureGroup(first: error, last: error.date))
      }
    }
    return groups
  }

  /// Returns the failures in words.
  static func lines(_ groups: [FailureGroup]) -> [String] {
    var lines = groups.prefix(groupsMax).map { group in
      let error = group.first
      let text =
        "\(error.errorComment) (\(error.errorStatusCode)), at \(TimelineNumbers.text(error.date))"
      if group.count == 1 { return text }
      return "\(text) and \(Plural.text(group.count - 1, "time")) more until "
        + TimelineNumbers.text(group.last)
    }
    if groups.count > groupsMax { lines.append("\(groups.count - groupsMax) more codes") }
    return lines
  }
}
