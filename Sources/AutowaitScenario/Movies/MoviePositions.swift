import Autowait

/// How much of a movie must have been read before a time of it can be shown.
///
/// It is a table with a row for each second, or for more than a second of what is longer than
/// 18 hours.
package struct MoviePositions: Hashable, Sendable {
  /// The most steps that a table has.
  private static let stepsMax: Int64 = 65_536

  /// The time from one row to the next.
  package let step: MediaTime
  /// For each step from 0 on: the end of the last sample in the file that is shown by then.
  package private(set) var ends: [ByteCount]

  /// Creates the table of a movie with no samples.
  init(duration: MediaTime) {
    let seconds = duration.nanoseconds / 1_000_000_000 + 1
    step = .seconds((seconds + Self.stepsMax - 1) / Self.stepsMax)
    let count = duration.nanoseconds.dividedUp(by: step.nanoseconds) + 1
    ends = Array(repeating: .zero, count: Int(count))
  }

  /// Enters samples of a track where they are shown.
  mutating func enter(_ run: MovieRun, of track: MovieTrack) {
    if run.count == 0 { return }
    for edit in track.edits { enter(run, edit, track.clock) }
  }

  /// Makes the table complete: what is needed at a time is needed at all later ones.
  mutating func finish() {
    for index in ends.indices.dropFirst() { ends[index] = max(ends[index], ends[index - 1]) }
  }

  /// Enters the samples of a run that an edit shows, and those before it, which a decoder needs at
  /// its start.
  private mutating func enter(_ run: MovieRun, _ edit: MovieEdit, _ clock: MovieClock) {
    let steps = Int64(ends.count) - 1
    // When the samples are shown; nil behind the end of the edit.
    func tick(_ index: Int64) -> Int64? {
      // Times of samples that cannot be counted in nanoseconds are not in a movie of the limits.
      guard let time = clock.time(run.start + index * run.delta - edit.mediaStart) else {
        return nil
      }
      let shown = max(time, .zero)
      if let duration = edit.duration, shown >= duration, time > .zero { return nil }
      let tick = (edit.start + shown).nanoseconds.dividedUp(by: step.nanoseconds)
      return min(tick, steps)
    }
    guard let first = tick(0) else { return }
    if run.count == 1 || run.delta == 0 {
      raise(first, run.offset + run.count * run.size)
      return
    }
    for at in first...steps {
      // The last sample that is shown by then, and in this edit.
      var shown = MediaTime(nanoseconds: at * step.nanoseconds) - edit.start
      if let duration = edit.duration, shown >= duration {
        shown = max(duration - MediaTime(nanoseconds: 1), .zero)
      }
      guard shown >= .zero, let units = clock.units(shown) else { return }
      let (sum, isOverflow) = units.addingReportingOverflow(edit.mediaStart - run.start)
      let last = isOverflow ? run.count - 1 : min(max(sum / run.delta, 0), run.count - 1)
      raise(at, run.offset + (last + 1) * run.size)
      if last == run.count - 1 { return }
    }
  }

  private mutating func raise(_ tick: Int64, _ end: Int64) {
    ends[Int(tick)] = max(ends[Int(tick)], ByteCount(bytes: end))
  }
}

extension Int64 {
  /// Returns the quotient of two numbers that are not negative, rounded up.
  fileprivate func dividedUp(by divisor: Int64) -> Int64 {
    self / divisor + (self % divisor > 0 ? 1 : 0)
  }
}
