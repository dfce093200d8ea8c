/// Finds the first instant at which something that turns once has turned.
///
/// What turns is judged exactly, as a yes or no; a margin, which need not be exact, proposes where.
/// With a good margin a handful of looks suffices, with none it is a search by halving.
struct TurnSearch {
  /// The last instant known to lie before the turn, and the first known to lie behind it.
  private(set) var before: Int64
  private(set) var behind: Int64

  /// Begins a search between an instant before the turn and one behind it.
  init(after before: Instant, notAfter behind: Instant) {
    self.before = before.nanoseconds
    self.behind = behind.nanoseconds
  }

  /// Whether the turn is found: it is at `result`.
  var isOver: Bool { behind - before <= 1 }
  /// The first instant behind the turn, once the search is over.
  var result: Instant { Instant(nanoseconds: behind) }

  /// Returns where a line through two margins puts the turn, between the ends of the search.
  ///
  /// The only way from a floating-point number to an instant: what is less than a nanosecond is cut off.
  func proposal(
    _ first: (instant: Instant, margin: Double), _ second: (instant: Instant, margin: Double)
  ) -> Instant {
    let width = Double((second.instant - first.instant).nanoseconds)
    let offset = width * first.margin / (first.margin - second.margin)
    guard offset.isFinite, offset.magnitude < 1e18 else { return middle }
    let (place, overflow) = first.instant.nanoseconds.addingReportingOverflow(Int64(offset))
    // A turn at one of the ends is proven by the nanosecond beside it.
    return overflow ? middle : Instant(nanoseconds: min(max(place, before + 1), behind - 1))
  }

  /// The instant halfway between the ends.
  var middle: Instant { Instant(nanoseconds: before + (behind - before) / 2) }

  /// Returns an instant some nanoseconds inside the end at which the search last looked.
  func inside(hasTurned: Bool, by step: Int64) -> Instant {
    let place = hasTurned ? behind - step : before + step
    return place > before && place < behind ? Instant(nanoseconds: place) : middle
  }

  /// Takes note of whether an instant lies behind the turn.
  mutating func note(_ instant: Instant, hasTurned: Bool) {
    if hasTurned { behind = instant.nanoseconds } else { before = instant.nanoseconds }
  }
}

extension Work {
  /// The amount as a floating-point number, for proposals of where to look.
  @inline(__always)
  var approximate: Double {
    Double(UInt64(truncatingIfNeeded: nanobits >> 64)) * 18_446_744_073_709_551_616
      + Double(UInt64(truncatingIfNeeded: nanobits))
  }
}
