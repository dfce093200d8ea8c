import AutowaitExperiment

/// The sessions that are worth a closer look: those in which a contestant differs most from the
/// baseline, each with the baseline's in the same world.
///
/// It keeps no more than are asked for, so that memory does not grow with the sessions.
package struct NotableSessions {
  /// A session, and how much longer people waited in it than in the baseline's, or less long.
  package struct NotableSession: Hashable, Sendable {
    let row: SessionRow
    let baseline: SessionRow
    let difference: Int64

    /// Whether it comes before another one: by how much it differs, then by its number.
    func precedes(_ other: NotableSession) -> Bool {
      (other.difference.magnitude, row.key.number) < (difference.magnitude, other.row.key.number)
    }
  }

  let countMax: Int
  package private(set) var choices: [NotableSession] = []

  /// Creates an empty choice of so many.
  package init(countMax: Int) {
    self.countMax = countMax
  }

  /// Looks at the rows of a unit; of each no more than one is kept.
  package mutating func add(_ rows: [SessionRow], baseline: Int) {
    let base = rows[baseline]
    if countMax == 0 || base.outcome == .error { return }
    var best: NotableSession?
    for row in rows where row.key != base.key && row.outcome != .error {
      let choice = NotableSession(row: row, baseline: base, difference: row.waiting - base.waiting)
      if best.map({ choice.precedes($0) }) ?? true { best = choice }
    }
    guard let best else { return }
    if choices.count == countMax, let last = choices.last, !best.precedes(last) { return }
    let place = choices.firstIndex { best.precedes($0) } ?? choices.count
    choices.insert(best, at: place)
    if choices.count > countMax { choices.removeLast() }
  }
}
