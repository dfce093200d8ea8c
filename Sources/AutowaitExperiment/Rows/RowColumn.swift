import AutowaitScenario

/// How a number of a row is written.
public enum ColumnKind: Hashable, Sendable {
  /// Nanoseconds, written as seconds.
  case time
  /// A number of things.
  case count
  /// Millionths, written as a number.
  case ratio
}

extension JSONWriter {
  /// Writes a number of a kind; null if there is none.
  public mutating func number(_ value: Int64?, _ kind: ColumnKind) {
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
}

/// The numbers that every row has, in the order in which they are written.
public enum RowColumn: String, CaseIterable, Hashable, Sendable {
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
  public var kind: ColumnKind {
    switch self {
    case .stallCount, .avoidableStalls, .qualitySum, .qualityChange: .count
    case .linkToMedia: .ratio
    default: .time
    }
  }

  /// Returns the number of a row; nil if there is none.
  public func value(in row: SessionRow) -> Int64? {
    switch self {
    case .timeSpentInInitialStartup: row.startup
    case .stallCount: row.stallCount
    case .timeSpentRecoveringFromStall: row.stalled
    case .playbackDuration: row.played
    case .mediaPlayed: row.mediaPlayed
    case .watchedTime: row.watched
    case .yardstick: row.yardstick
    case .excessWait: row.excessWait
    case .avoidableStalls: row.avoidableStalls
    case .qualitySum: row.qualitySum
    case .qualityChange: row.qualityChange
    case .mediaDuration: row.mediaDuration
    case .linkToMedia: row.linkToMedia
    }
  }

  /// Writes a number into a row; returns whether it may be there.
  func set(_ value: Int64?, in row: inout SessionRow) -> Bool {
    switch self {
    case .yardstick: row.yardstick = value
    case .excessWait: row.excessWait = value
    case .avoidableStalls: row.avoidableStalls = value
    case .qualitySum: row.qualitySum = value
    case .qualityChange: row.qualityChange = value
    case .linkToMedia: row.linkToMedia = value
    default:
      guard let value else { return false }
      switch self {
      case .timeSpentInInitialStartup: row.startup = value
      case .stallCount: row.stallCount = value
      case .timeSpentRecoveringFromStall: row.stalled = value
      case .playbackDuration: row.played = value
      case .mediaPlayed: row.mediaPlayed = value
      case .mediaDuration: row.mediaDuration = value
      default: row.watched = value
      }
    }
    return true
  }
}

extension Metric {
  /// How the metric is written in rows.
  public var columnKind: ColumnKind {
    switch unit {
    case .ratio: .ratio
    case .count, .bytes, .bitRate: .count
    case .time: .time
    }
  }

  /// Whether all rows have the metric anyway.
  var isInEveryRow: Bool { RowColumn(rawValue: rawValue) != nil }
}
