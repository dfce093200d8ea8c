import AutowaitScenario

/// How a number of a row is written.
package enum ColumnKind: Hashable, Sendable {
  /// Nanoseconds, written as seconds.
  case time
  /// A number of things.
  case count
  /// Millionths, written as a number.
  case ratio

  /// The parts of what is written that make one.
  var unit: Int64 {
    switch self {
    case .time: 1_000_000_000
    case .count: 1
    case .ratio: 1_000_000
    }
  }
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
  case timeWeightedAverageBitrate
  case variantSwitchCount
  case mediaDuration
  case linkToMedia

  /// How the number is written.
  package var kind: ColumnKind {
    switch self {
    case .stallCount, .avoidableStalls, .qualitySum, .qualityChange,
      .timeWeightedAverageBitrate, .variantSwitchCount:
      .count
    case .linkToMedia: .ratio
    case .timeSpentInInitialStartup, .timeSpentRecoveringFromStall, .playbackDuration,
      .mediaPlayed, .watchedTime, .yardstick, .excessWait, .mediaDuration:
      .time
    }
  }

  /// Where a row has a number: one that is always there, or one that may be unknown.
  private enum Place {
    typealias Get<Value> = (SessionRow) -> Value
    typealias Set<Value> = (inout SessionRow, Value) -> Void

    case always(Get<Int64>, Set<Int64>)
    case ifKnown(Get<Int64?>, Set<Int64?>)
  }

  private var place: Place {
    switch self {
    case .timeSpentInInitialStartup: .always({ $0.startup }, { $0.startup = $1 })
    case .stallCount: .always({ $0.stallCount }, { $0.stallCount = $1 })
    case .timeSpentRecoveringFromStall: .always({ $0.stalled }, { $0.stalled = $1 })
    case .playbackDuration: .always({ $0.played }, { $0.played = $1 })
    case .mediaPlayed: .always({ $0.mediaPlayed }, { $0.mediaPlayed = $1 })
    case .watchedTime: .always({ $0.watched }, { $0.watched = $1 })
    case .yardstick: .ifKnown({ $0.yardstick }, { $0.yardstick = $1 })
    case .excessWait: .ifKnown({ $0.excessWait }, { $0.excessWait = $1 })
    case .avoidableStalls: .ifKnown({ $0.avoidableStalls }, { $0.avoidableStalls = $1 })
    case .qualitySum: .ifKnown({ $0.qualitySum }, { $0.qualitySum = $1 })
    case .qualityChange: .ifKnown({ $0.qualityChange }, { $0.qualityChange = $1 })
    case .timeWeightedAverageBitrate: .ifKnown({ $0.bitRate }, { $0.bitRate = $1 })
    case .variantSwitchCount: .ifKnown({ $0.switchCount }, { $0.switchCount = $1 })
    case .mediaDuration: .always({ $0.mediaDuration }, { $0.mediaDuration = $1 })
    case .linkToMedia: .ifKnown({ $0.linkToMedia }, { $0.linkToMedia = $1 })
    }
  }

  /// Returns the number of a row; nil if there is none.
  package func value(in row: SessionRow) -> Int64? {
    switch place {
    case .always(let get, _): get(row)
    case .ifKnown(let get, _): get(row)
    }
  }

  /// Writes a number into a row; returns whether it may be there.
  func set(_ value: Int64?, in row: inout SessionRow) -> Bool {
    switch place {
    case .always(_, let set):
      guard let value else { return false }
      set(&row, value)
    case .ifKnown(_, let set): set(&row, value)
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
