/// What flows of an ideal link did not need of the nanosecond in which they ended.
///
/// Instants are whole nanoseconds, and most flows end in the middle of one. What the link could
/// bring in the rest of it goes to whom it would go to if time had no steps: to the response that
/// follows the one that ended at once, and else to the other flows.
struct SpareFlow: Sendable {
  /// The transfers that ended in a nanosecond, and what each left of its part.
  private var amounts: [(number: Int, amount: DataAmount)] = []
  /// The end of that nanosecond.
  private var instant = Instant.start

  @inline(__always)
  var isEmpty: Bool { amounts.isEmpty }

  /// Takes note of what flows are about to leave of their parts, in a nanosecond that ends now.
  @inline(__always)
  mutating func note(
    _ whole: DataAmount, _ parts: EqualParts, of lanes: inout FlowLanes, at now: Instant
  ) {
    if now > instant { forget() }
    if lanes.shortest.missing < parts.most { add(whole, parts, of: lanes, at: now) }
  }

  private mutating func add(
    _ whole: DataAmount, _ parts: EqualParts, of lanes: FlowLanes, at now: Instant
  ) {
    instant = now
    var place = 0
    while let next = lanes.firstDone(from: place, parts, of: whole) {
      amounts.append(
        (lanes.numbers[next], lanes.part(of: next, parts, of: whole) - lanes[next]))
      place = next + 1
    }
  }

  /// Takes note of what the only flow left, or the one that follows it has not taken.
  mutating func set(_ nanobits: UInt64, of number: Int, at now: Instant) {
    instant = now
    forget()
    if nanobits > 0 { amounts.append((number, DataAmount(nanobits: UInt128(nanobits)))) }
  }

  @inline(__always)
  private mutating func forget() {
    if !amounts.isEmpty { amounts.removeAll(keepingCapacity: true) }
  }

  /// What a transfer that ended in a nanosecond left of it; nothing, if none did that ends now.
  func amount(of number: Int, at now: Instant) -> DataAmount {
    if now != instant { return .zero }
    return amounts.first { $0.number == number }?.amount ?? .zero
  }

  /// Hands over what a transfer left to one that follows it at once; what is more than that brings
  /// is left by it.
  mutating func take(
    of number: Int, for next: Int, atMost size: DataAmount, at now: Instant
  ) -> DataAmount {
    guard now == instant, let place = amounts.firstIndex(where: { $0.number == number }) else {
      return .zero
    }
    let taken = min(size, amounts[place].amount)
    amounts[place] = (next, amounts[place].amount - taken)
    if amounts[place].amount == .zero { amounts.remove(at: place) }
    return taken
  }

  /// Forgets what all but one transfer have left.
  @inline(__always)
  mutating func keep(only number: Int) {
    if !amounts.isEmpty { amounts.removeAll { $0.number != number } }
  }

  /// Forgets all that was left, and returns the sum of it, if it was left in a nanosecond that ends
  /// now.
  mutating func removeAll(at now: Instant) -> DataAmount {
    defer { forget() }
    if now != instant { return .zero }
    return amounts.reduce(.zero) { $0 + $1.amount }
  }
}
