/// How sessions went by how fast the link is for the media, and by how long the media plays: the
/// numbers of a heat map.
package struct Sensitivity: Sendable {
  /// The bounds between columns, in millionths of the media: below the first, between, above.
  package static let ratioBounds: [Int64] = [
    250_000, 500_000, 700_000, 800_000, 900_000, 1_000_000, 1_100_000, 1_250_000, 1_500_000,
    2_000_000, 4_000_000,
  ]
  /// The bounds between rows, in seconds.
  package static let durationBounds: [Int64] = [10, 30, 60, 180, 600, 1_800, 5_400]

  /// The sessions of one contestant in one field.
  package struct Field: Hashable, Sendable {
    /// The sessions.
    package var sessions: Int64 = 0
    /// Their startup.
    package var startup: Int128 = 0
    /// Their time in stalls.
    package var stalled: Int128 = 0
    /// Their time watched.
    package var watched: Int128 = 0
    /// Their waiting beyond the yardstick, where it is known.
    package var excessWait: Int128 = 0
  }

  /// The fields: by contestant, then by duration, then by ratio.
  private var fields: [Field]
  private static let columns = ratioBounds.count + 1
  private static let rows = durationBounds.count + 1

  init(contestantCount: Int) {
    fields = Array(repeating: Field(), count: contestantCount * Self.rows * Self.columns)
  }

  /// Returns the sessions of a contestant in a row and column.
  package func field(contestant: Int, duration: Int, ratio: Int) -> Field {
    fields[(contestant * Self.rows + duration) * Self.columns + ratio]
  }

  /// Adds a session; one that could not be run, or whose link cannot be told, is left out.
  mutating func add(_ row: SessionRow, contestant: Int) {
    guard row.outcome != .error, let ratio = row.linkToMedia else { return }
    let column = Self.ratioBounds.count { $0 <= ratio }
    let line = Self.durationBounds.count { $0 * 1_000_000_000 <= row.mediaDuration }
    let place = (contestant * Self.rows + line) * Self.columns + column
    fields[place].sessions += 1
    fields[place].startup += Int128(row.startup)
    fields[place].stalled += Int128(row.stalled)
    fields[place].watched += Int128(row.watched)
    fields[place].excessWait += Int128(row.excessWait ?? 0)
  }
}
