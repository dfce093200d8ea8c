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
    assert(before <= behind, "a search from \(self.before) ns back to \(self.behind) ns")
  }

  /// Whether the turn is found: it is at `result`.
  var isOver: Bool { behind - before <= 1 }
  /// The first instant behind the turn, once the search is over.
  var result: Instant { Instant(nanoseconds: behind) }

  /// Returns where a parabola through the margins at the two ends and halfway puts the turn.
  ///
  /// The rule's margin is a parabola between two changes of the link, the others are lines: but for
  /// the rounding of floating-point numbers the proposal is the turn. What is less than a
  /// nanosecond is cut off.
  func proposal(_ before: Margin, _ middle: Margin, _ behind: Margin) -> Instant {
    let half = Double(self.behind - self.before) / 2
    let curve = (before.value - 2 * middle.value + behind.value) / 2
    let slope = (behind.value - before.value) / 2
    // Halley's steps need no root, and so nothing from outside; they treble the digits each time.
    // Each waits for the one before it, and so they are few: from the middle, two are enough.
    var place = -middle.value * slope / (slope * slope - curve * middle.value)
    for _ in 0..<3 {
      let value = (curve * place + slope) * place + middle.value
      let rise = 2 * curve * place + slope
      let step = value * rise / (rise * rise - curve * value)
      place -= step
      if step.magnitude < 1e-4 { break }
    }
    guard place.magnitude <= 1 else { return self.middle }
    let offset = Int64(half + half * place)
    // A turn at one of the ends is proven by the nanosecond beside it.
    return Instant(nanoseconds: min(max(self.before + offset, self.before + 1), self.behind - 1))
  }

  /// The instant halfway between the ends.
  var middle: Instant { Instant(nanoseconds: before + (behind - before) / 2) }

  /// Searches to the end, beginning at a proposal; the function looks at an instant, exactly, and
  /// returns whether it lies behind the turn.
  @inline(__always)
  mutating func run(from proposal: Instant, _ hasTurned: (Instant) -> Bool) {
    let isBehind = hasTurned(proposal)
    note(proposal, hasTurned: isBehind)
    // The turn is near: close in on it from the side that was looked at.
    var step: Int64 = 1
    while !isOver, step <= 1 << 20 {
      let place = isBehind ? behind - step : before + step
      let beside = place > before && place < behind ? Instant(nanoseconds: place) : middle
      let turned = hasTurned(beside)
      note(beside, hasTurned: turned)
      if turned != isBehind { break }
      step *= 4
    }
    while !isOver {
      let instant = middle
      note(instant, hasTurned: hasTurned(instant))
    }
  }

  /// Takes note of whether an instant lies behind the turn.
  private mutating func note(_ instant: Instant, hasTurned: Bool) {
    if hasTurned { behind = instant.nanoseconds } else { before = instant.nanoseconds }
    assert(before < behind, "what turned by \(behind) ns had not at \(before) ns")
  }
}

/// About how far something is from its turn: the sign says on which side, the size how far.
///
/// Margins only propose where to look; what is found there is judged exactly.
struct Margin {
  fileprivate let value: Double

  /// Whether the turn lies between this margin and a later one.
  func turns(by later: Margin) -> Bool { (value > 0) != (later.value > 0) }

  /// Returns where a line from this margin at an instant to a later one puts the turn between them.
  func turn(from first: Instant, to later: Margin, at last: Instant) -> Instant {
    let share = value / (value - later.value)
    guard share > 0, share < 1 else { return first }
    return first + TimeSpan(nanoseconds: Int64(Double((last - first).nanoseconds) * share))
  }

  /// Creates the margin by which one product exceeds another.
  init(_ one: (DataAmount, Int64, UInt128), minus other: (DataAmount, Int64, UInt128)) {
    func product(_ factors: (DataAmount, Int64, UInt128)) -> Double {
      factors.0.approximate * Double(factors.1) * Double(UInt64(clamping: factors.2))
    }
    value = product(one) - product(other)
  }

  /// Creates the margin that a difference is.
  @inline(__always)
  init(_ difference: Int128) {
    value =
      Double(Int64(truncatingIfNeeded: difference >> 64)) * 18_446_744_073_709_551_616
      + Double(UInt64(truncatingIfNeeded: difference))
  }

  /// Creates the margin by which one amount exceeds another.
  init(_ one: DataAmount, minus other: DataAmount) {
    value = one.approximate - other.approximate
  }
}

extension DataAmount {
  /// The amount as a floating-point number, for proposals of where to look.
  fileprivate var approximate: Double {
    Double(UInt64(truncatingIfNeeded: nanobits >> 64)) * 18_446_744_073_709_551_616
      + Double(UInt64(truncatingIfNeeded: nanobits))
  }
}
