/// A transfer's part of a link while nothing about the link changes.
///
/// The flows of a link share it equally, a place each. Where connections differ, a flow has as many
/// places beside each other as it weighs. What is indivisible goes, a nanobit each, to the lowest
/// places: place `i` of `k` gets ⌊(n + k − 1 − i) / k⌋ of n nanobits. The parts add up to n
/// exactly, never shrink, and none of a place errs by a whole nanobit.
struct FlowShare: Hashable, Sendable {
  /// What a flow weighs beside one of which nothing else is known.
  static let ordinaryWeight: UInt32 = 1_000

  /// The rate of the whole link.
  let rate: BitRate
  /// The number of places among which it is shared: that of flows, where all are alike.
  let flows: UInt32
  /// The first place of this flow, by transfer number.
  let place: UInt32
  /// How many places it has.
  let width: UInt32

  /// The part of a transfer through which nothing flows.
  static let none = FlowShare(rate: .zero, flows: 1, place: 0)

  @inline(__always)
  init(rate: BitRate, flows: UInt32, place: UInt32, width: UInt32 = 1) {
    (self.rate, self.flows, self.place, self.width) = (rate, flows, place, width)
  }

  /// Returns the data that this part delivers in a span of time.
  @inline(__always)
  func data(in span: TimeSpan) -> DataAmount {
    let total = DataAmount(rate, for: span)
    if flows == 1 { return total }
    return part(of: total)
  }

  /// Returns what this part gets of so much data.
  func part(of total: DataAmount) -> DataAmount {
    assert(place < flows && width <= flows - place, "flow \(place) of \(flows), \(width) wide")
    if width == 1 {
      let most = total.nanobits &+ UInt128(flows &- 1 &- place)
      return DataAmount(nanobits: flows == 2 ? most >> 1 : most / UInt128(flows))
    }
    let (each, rest) = total.nanobits.quotientAndRemainder(dividingBy: UInt128(flows))
    let more = rest > UInt128(place) ? min(rest - UInt128(place), UInt128(width)) : 0
    return DataAmount(nanobits: each &* UInt128(width) &+ more)
  }

  /// Returns how much the link must deliver for this part of it to be an amount.
  @inline(__always)
  func total(for amount: DataAmount) -> UInt128 {
    if amount == .zero { return 0 }
    if width == 1 {
      return amount.nanobits &* UInt128(flows) &- UInt128(flows - 1 - place)
    }
    // One place gets the last nanobit, when all have as many as they have before it.
    let (each, rest) = (amount.nanobits - 1).quotientAndRemainder(dividingBy: UInt128(width))
    return each &* UInt128(flows) &+ UInt128(place) &+ rest &+ 1
  }

  /// Returns the shortest span in which this part delivers an amount, rounded up to a nanosecond.
  func span(for amount: DataAmount) -> TimeSpan {
    if amount == .zero { return .zero }
    if rate == .zero { return TimeSpan(nanoseconds: .max) }
    let whole = total(for: amount)
    let speed = UInt128(UInt64(rate.bitsPerSecond))
    let span = TimeSpan(nanoseconds: Int64(clamping: (whole &+ speed &- 1) / speed))
    assert(
      span.nanoseconds == .max || data(in: span) >= amount,
      "\(span.nanoseconds) ns are too short for the data that is missing")
    return span
  }
}

/// What a link delivers, divided equally among its flows: one division for all of them.
struct EqualParts {
  private let quotient: UInt128
  /// The nanobits that are left over, which the first flows get.
  let rest: UInt128

  /// What so many flows get together.
  @inline(__always)
  func all(_ flows: UInt32) -> DataAmount {
    DataAmount(nanobits: quotient &* UInt128(flows) &+ rest)
  }

  /// What every flow gets.
  var each: DataAmount { DataAmount(nanobits: quotient) }

  /// What no flow gets more than.
  var most: DataAmount { DataAmount(nanobits: rest == 0 ? quotient : quotient &+ 1) }

  /// Divides the data that a link of a rate delivers in a span of time among some flows.
  @inline(__always)
  init(_ total: DataAmount, flows: UInt32) {
    if flows <= 1 {
      (quotient, rest) = (total.nanobits, 0)
    } else if flows == 2 {
      // Most often two share, and a division of this width is slow.
      (quotient, rest) = (total.nanobits >> 1, total.nanobits & 1)
    } else {
      (quotient, rest) = total.nanobits.quotientAndRemainder(dividingBy: UInt128(flows))
    }
  }

  /// The part of the flow at a place, as ``FlowShare/amount(in:)`` tells it.
  @inline(__always)
  func part(of place: UInt32) -> DataAmount {
    DataAmount(nanobits: UInt128(place) < rest ? quotient &+ 1 : quotient)
  }
}
