/// What the flows of a link still miss, in the order of their transfers' numbers.
///
/// In a crowd each event of one flow moves all others: what moves lies close together, in 64-bit
/// numbers as long as they hold it.
struct FlowLanes: Sendable {
  /// The numbers of the transfers that flow; a flow's place is its place here.
  private(set) var numbers: [Int] = []
  private var narrow: [UInt64] = []
  private var wide: [UInt128] = []
  /// Whether some flow has ever missed more than the narrow numbers hold, since there were none.
  private var isWide = false
  /// What each flow weighs, if some are not ordinary; else empty.
  private var weights: [UInt32] = []
  /// How many flows are not ordinary.
  private var unusualCount = 0
  /// The first of the flows that miss the least, and what that is; nil if that is not known.
  private var known: (place: Int, missing: DataAmount)?

  @inline(__always)
  var count: Int { numbers.count }

  /// What the flow at a place misses.
  subscript(place: Int) -> DataAmount {
    @inline(__always) get {
      DataAmount(nanobits: isWide ? wide[place] : UInt128(narrow[place]))
    }
  }

  /// Adds a flow.
  mutating func insert(
    _ number: Int, missing: DataAmount, weight: UInt32 = FlowShare.ordinaryWeight
  ) {
    let place = place(of: number)
    if weight != FlowShare.ordinaryWeight || unusualCount > 0 { weigh(place, weight) }
    assert(place == count || numbers[place] != number, "transfer \(number) flows twice")
    if numbers.isEmpty { (isWide, wide) = (false, []) }
    if place == count { numbers.append(number) } else { numbers.insert(number, at: place) }
    if !isWide, missing.nanobits > UInt64.max {
      isWide = true
      wide = narrow.map { UInt128($0) }
      narrow = []
    }
    if isWide {
      wide.insert(missing.nanobits, at: place)
    } else if place == narrow.count {
      narrow.append(UInt64(truncatingIfNeeded: missing.nanobits))
    } else {
      narrow.insert(UInt64(truncatingIfNeeded: missing.nanobits), at: place)
    }
    if count == 1 {
      known = (place, missing)
    } else if let other = known {
      let isBehind = place <= other.place
      if missing < other.missing || (missing == other.missing && isBehind) {
        known = (place, missing)
      } else if isBehind {
        known = (other.place + 1, other.missing)
      }
    }
  }

  /// Removes a flow, and returns what it misses.
  mutating func remove(_ number: Int) -> DataAmount {
    let place = place(of: number)
    precondition(place < count && numbers[place] == number, "transfer \(number) does not flow")
    let missing = self[place]
    if unusualCount > 0 { forgetWeight(of: place) }
    if place == count - 1, !isWide {
      numbers.removeLast()
      narrow.removeLast()
    } else {
      numbers.remove(at: place)
      if isWide { wide.remove(at: place) } else { narrow.remove(at: place) }
    }
    if let other = known, other.place >= place {
      known = other.place == place ? nil : (other.place - 1, other.missing)
    }
    return missing
  }

  /// Says what the only flow misses.
  @inline(__always)
  mutating func setOnly(_ missing: DataAmount) {
    assert(count == 1, "\(count) flows where there is one")
    if !isWide, missing.nanobits <= UInt64.max {
      narrow[0] = UInt64(truncatingIfNeeded: missing.nanobits)
      known = (0, missing)
    } else {
      let (number, weight) = (numbers[0], weights.first ?? FlowShare.ordinaryWeight)
      _ = remove(number)
      insert(number, missing: missing, weight: weight)
    }
  }

  /// The place of a transfer that flows; of another one, that at which it would.
  @inline(__always)
  func place(of number: Int) -> Int {
    // A closure that takes the numbers out of all of it would copy it.
    let numbers = numbers
    return numbers.indices.firstPlace { numbers[$0] >= number }
  }

  /// Takes from what each flow misses what it gets.
  @inline(__always)
  mutating func deliver(_ parts: EqualParts) {
    if count == 1, !isWide {
      let (missing, got) = (UInt128(narrow[0]), parts.each.nanobits)
      setOnly(DataAmount(nanobits: missing > got ? missing &- got : 0))
    } else {
      deliverToAll(parts)
    }
  }

  private mutating func deliverToAll(_ parts: EqualParts) {
    let rest = Int(truncatingIfNeeded: parts.rest)
    assert(rest < max(1, count), "\(rest) nanobits are left over for \(count) flows")
    let (place, missing) =
      isWide
      ? Self.take(parts.each.nanobits, leftOver: rest, from: &wide)
      : Self.take(UInt64(clamping: parts.each.nanobits), leftOver: rest, from: &narrow)
    known = (place, DataAmount(nanobits: missing))
  }

  /// Takes an amount from each number, and one more from the first ones; returns the first of the
  /// least that are left.
  @inline(__always)
  private static func take<Number: FixedWidthInteger & UnsignedInteger>(
    _ each: Number, leftOver: Int, from numbers: inout [Number]
  ) -> (place: Int, least: UInt128) {
    var (place, least) = (0, Number.max)
    numbers.withUnsafeMutableBufferPointer { numbers in
      let more = each == .max ? each : each &+ 1
      for index in 0..<leftOver {
        let left = numbers[index] > more ? numbers[index] &- more : 0
        numbers[index] = left
        if left < least { (place, least) = (index, left) }
      }
      for index in leftOver..<numbers.count {
        let left = numbers[index] > each ? numbers[index] &- each : 0
        numbers[index] = left
        if left < least { (place, least) = (index, left) }
      }
    }
    return (place, UInt128(least))
  }

  /// The place of the first flow, from one on, that gets more of some data than it misses; nil if
  /// none does.
  func firstDone(from first: Int, _ parts: EqualParts, of whole: DataAmount) -> Int? {
    if isWide || isUnequal || parts.most.nanobits > UInt64.max {
      return (first..<count).first { self[$0] < part(of: $0, parts, of: whole) }
    }
    let each = UInt64(truncatingIfNeeded: parts.each.nanobits)
    return narrow.withUnsafeBufferPointer { missing in
      var place = first
      while place < missing.count {
        if missing[place] <= each, missing[place] < each || UInt128(place) < parts.rest {
          return place
        }
        place += 1
      }
      return nil
    }
  }

  /// The first of the flows that miss the least, and what that is; there is one.
  ///
  /// Of flows that do not share equally it is the one that is done first.
  var shortest: (place: Int, missing: DataAmount) {
    @inline(__always) mutating get {
      if let known { return known }
      if isUnequal {
        let found = soonest
        known = found
        return found
      }
      let found =
        isWide
        ? Self.take(0, leftOver: 0, from: &wide) : Self.take(0, leftOver: 0, from: &narrow)
      known = (found.place, DataAmount(nanobits: found.least))
      return (found.place, DataAmount(nanobits: found.least))
    }
  }
}

// MARK: - Flows that do not share equally

extension FlowLanes {
  /// Whether some flows get more than others.
  @inline(__always)
  var isUnequal: Bool { unusualCount > 0 && count > 1 }

  private mutating func weigh(_ place: Int, _ weight: UInt32) {
    if unusualCount == 0 {
      weights = Array(repeating: FlowShare.ordinaryWeight, count: count)
    }
    weights.insert(weight, at: place)
    if weight != FlowShare.ordinaryWeight { unusualCount += 1 }
    known = nil
  }

  private mutating func forgetWeight(of place: Int) {
    if weights.remove(at: place) != FlowShare.ordinaryWeight { unusualCount -= 1 }
    if unusualCount == 0 { weights = [] }
    known = nil
  }

  /// The part of a rate that the flow at a place gets.
  @inline(__always)
  func share(of place: Int, at rate: BitRate) -> FlowShare {
    if isUnequal { return unequalShare(of: place, at: rate) }
    return FlowShare(
      rate: rate, flows: UInt32(truncatingIfNeeded: count),
      place: UInt32(truncatingIfNeeded: place))
  }

  private func unequalShare(of place: Int, at rate: BitRate) -> FlowShare {
    FlowShare(
      rate: rate, flows: weights.reduce(0, +), place: weights[..<place].reduce(0, +),
      width: weights[place])
  }

  /// What the flow at a place gets of some data, given its equal parts.
  @inline(__always)
  func part(of place: Int, _ parts: EqualParts, of whole: DataAmount) -> DataAmount {
    isUnequal
      ? unequalShare(of: place, at: .zero).part(of: whole)
      : parts.part(of: UInt32(truncatingIfNeeded: place))
  }

  /// Takes from what each flow misses its part of what the link delivers.
  mutating func deliverUnequally(_ whole: DataAmount) {
    assert(weights.count == count, "\(weights.count) weights of \(count) flows")
    var (flows, place, sum) = (weights.reduce(0, +), UInt32(0), DataAmount.zero)
    flows = max(1, flows)
    for lane in numbers.indices {
      let share = FlowShare(rate: .zero, flows: flows, place: place, width: weights[lane])
      let part = share.part(of: whole)
      let missing = self[lane]
      let left = missing > part ? missing - part : .zero
      if isWide {
        wide[lane] = left.nanobits
      } else {
        narrow[lane] = UInt64(truncatingIfNeeded: left.nanobits)
      }
      place += weights[lane]
      sum += part
    }
    precondition(sum == whole, "the parts of the link are not the whole")
    known = nil
  }

  /// The first of the flows that are done first, and what that misses.
  private var soonest: (place: Int, missing: DataAmount) {
    let flows = weights.reduce(0, +)
    var (found, least, place) = (0, UInt128.max, UInt32(0))
    for lane in numbers.indices {
      let share = FlowShare(rate: .zero, flows: flows, place: place, width: weights[lane])
      let total = share.total(for: self[lane])
      if total < least { (found, least) = (lane, total) }
      place += weights[lane]
    }
    return (found, self[found])
  }
}
