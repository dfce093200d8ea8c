import AutowaitScenario

/// How a number of a row is written.
package enum ColumnKind: Hashable, Sendable {
  /// Nanoseconds, written as seconds.
  case time
  /// A number of things.
  case count
  /// Millionths, written as a number.
  case ratio
}

extension JSONWriter {
  /// Writes a number of a kind; null if there is none.
  package mutating func number(_ value: Int64?, _ kind: ColumnKind) {
    guard let value else {
      null()
      return
    }
    switch kind {
    case .time: seconds(nanoseconds: value)
    case .count: integer(value)
    case .ratio: millionths(value)
    }
  }

  /// Writes a member whose value is a number of a kind; null if there is none.
  package mutating func number(_ name: StaticString, _ value: Int64?, _ kind: ColumnKind) {
    key(name)
    number(value, kind)
  }
}

/// The numbers that every row has, in the order in which they are written.
package enum RowColumn: String, CaseIterable, Hashable, Sendable {
  case timeSpentInInitialStartup
  case stallCount
  case timeSpentRecoveringFromStall
  case playbackDuration
  case mediaPlayed
  case watchedTime
  case yardstick
  case excessWait
  case avoidableStalls
  case qualitySum
  case qualityChange
  case mediaDuration
  case linkToMedia

  /// How the number is written.
  package var kind: ColumnKind {
    switch self {
    case .stallCount, .avoidableStalls, .qualitySum, .qualityChange: .count
    case .linkToMedia: .ratio
    default: .time
    }
  }

  /// Where a row has a number: one that is always there, or one that may be unknown.
  private enum Place {
    case always(WritableKeyPath<SessionRow, Int64>)
    case ifKnown(WritableKeyPath<SessionRow, Int64?>)
  }

  private var place: Place {
    switch self {
    case .timeSpentInInitialStartup: .always(\.startup)
    case .stallCount: .always(\.stallCount)
    case .timeSpentRecoveringFromStall: .always(\.stalled)
    case .playbackDuration: .always(\.played)
    case .mediaPlayed: .always(\.mediaPlayed)
    case .watchedTime: .always(\.watched)
    case .yardstick: .ifKnown(\.yardstick)
    case .excessWait: .ifKnown(\.excessWait)
    case .avoidableStalls: .ifKnown(\.avoidableStalls)
    case .qualitySum: .ifKnown(\.qualitySum)
    case .qualityChange: .ifKnown(\.qualityChange)
    case .mediaDuration: .always(\.mediaDuration)
    case .linkToMedia: .ifKnown(\.linkToMedia)
    }
  }

  /// Returns the number of a row; nil if there is none.
  package func value(in row: SessionRow) -> Int64? {
    switch place {
    case .always(let path): row[keyPath: path]
    case .ifKnown(let path): row[keyPath: path]
    }
  }

  /// Writes a number into a row; returns whether it may be there.
  func set(_ value: Int64?, in row: inout SessionRow) -> Bool {
    switch place {
    case .always(let path):
      guard let value else { return false }
      row[keyPath: path] = value
    case .ifKnown(let path): row[keyPath: path] = value
    }
    return true
  }
}

extension Metric {
  /// How the metric is written in rows.
  package var columnKind: ColumnKind {
    switch unit {
    case .ratio: .ratio
    case .count, .bytes, .bitRate: .count
    case .time: .time
    }
  }

  /// Whether all rows have the metric anyway.
  var isInEveryRow: Bool { RowColumn(rawValue: rawValue) != nil }
}
