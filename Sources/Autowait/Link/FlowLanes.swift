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
  /// The same of all others; nil if that is not known: it comes first when that flow has ended.
  private var second: (place: Int, missing: DataAmount)?
  /// What none of the others misses less than, if the first is known.
  private var othersLeast = DataAmount.zero

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
    noteInserted((place, missing))
  }

  /// Finds the two that miss the least, with one more in its place.
  @inline(__always)
  private mutating func noteInserted(_ new: (place: Int, missing: DataAmount)) {
    if count == 1 {
      (known, second) = (new, nil)
      return
    }
    guard var first = known else { return }
    if count == 2, !isWide { return compareTwo() }
    if first.place >= new.place { first.place += 1 }
    guard var other = second else {
      // Of the two, the one that misses more is one of the others.
      known = Self.isBefore(new, first) ? new : first
      othersLeast = min(othersLeast, max(new.missing, first.missing))
      return
    }
    if other.place >= new.place { other.place += 1 }
    othersLeast = min(othersLeast, max(new.missing, other.missing))
    let least = Self.isBefore(new, other) ? new : other
    (known, second) = Self.isBefore(least, first) ? (least, first) : (first, least)
  }

  /// Whether one flow misses less than another one, or the same in a place before it.
  @inline(__always)
  private static func isBefore(
    _ one: (place: Int, missing: DataAmount), _ other: (place: Int, missing: DataAmount)
  ) -> Bool {
    one.missing < other.missing || (one.missing == other.missing && one.place < other.place)
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
    if count == 1, known != nil {
      (known, second) = ((0, self[0]), nil)
      return missing
    }
    if known?.place == place {
      (known, second) = (second, nil)
    } else if let other = second, other.place == place {
      (second, othersLeast) = (nil, other.missing)
    }
    if let first = known, first.place > place { known = (first.place - 1, first.missing) }
    if let other = second, other.place > place { second = (other.place - 1, other.missing) }
    return missing
  }

  /// Says what the only flow misses.
  @inline(__always)
  mutating func setOnly(_ missing: DataAmount) {
    assert(count == 1, "\(count) flows where there is one")
    if !isWide, missing.nanobits <= UInt64.max {
      narrow[0] = UInt64(truncatingIfNeeded: missing.nanobits)
      (known, second) = ((0, missing), nil)
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
    } else if count == 2, !isWide, parts.most.nanobits <= UInt64.max {
      deliverToTwo(parts)
    } else {
      deliverToAll(parts)
    }
  }

  /// Of two there is nothing to look for (measured: a thirtieth of the time of two players).
  private mutating func deliverToTwo(_ parts: EqualParts) {
    let (had, others) = (narrow[0], narrow[1])
    let most = UInt64(truncatingIfNeeded: parts.most.nanobits)
    let each = UInt64(truncatingIfNeeded: parts.each.nanobits)
    let (left, othersLeft) = (had > most ? had &- most : 0, others > each ? others &- each : 0)
    (narrow[0], narrow[1]) = (left, othersLeft)
    compareTwo()
  }

  /// Finds which of two misses the least: which it is cannot be predicted, and so is no branch.
  @inline(__always)
  private mutating func compareTwo() {
    let (one, other) = (narrow[0], narrow[1])
    let place = other < one ? 1 : 0
    known = (place, DataAmount(nanobits: UInt128(min(one, other))))
    second = (1 - place, DataAmount(nanobits: UInt128(max(one, other))))
  }

  private mutating func deliverToAll(_ parts: EqualParts) {
    let rest = Int(truncatingIfNeeded: parts.rest)
    assert(rest < max(1, count), "\(rest) nanobits are left over for \(count) flows")
    take(parts.each.nanobits, leftOver: rest)
  }

  /// Takes an amount from what each flow misses, and one more from the first ones.
  private mutating func take(_ each: UInt128, leftOver: Int) {
    if takesInOrder(each, leftOver: leftOver) { return }
    if isWide {
      Self.take(each, leftOver: leftOver, from: &wide)
    } else {
      Self.take(UInt64(clamping: each), leftOver: leftOver, from: &narrow)
    }
    findLeast()
  }

  /// Finds the two flows that miss the least, and what none of the others misses less than.
  private mutating func findLeast() {
    // The order of flows hardly changes while all get the same: those two are most often still it.
    let (one, other) = (known?.place ?? 0, second?.place ?? 0)
    let least =
      isWide
      ? Self.least(of: wide, likely: (one, other)) : Self.least(of: narrow, likely: (one, other))
    known = (least.first.place, DataAmount(nanobits: least.first.left))
    second = least.second.map { ($0.place, DataAmount(nanobits: $0.left)) }
    othersLeast = DataAmount(nanobits: least.others)
  }

  /// Does so without a look at the others, if they still miss more than those that miss the least;
  /// returns false, with nothing done, if that is not certain.
  ///
  /// A look costs four times what it takes to take (measured). It is needed only where the two that
  /// were known have ended: of the others the bound falls by no more than each has got.
  @inline(__always)
  private mutating func takesInOrder(_ each: UInt128, leftOver: Int) -> Bool {
    guard !isWide, var first = known, each < UInt128(UInt64.max), othersLeast.nanobits > each + 1
    else { return false }
    func left(of flow: (place: Int, missing: DataAmount)) -> DataAmount {
      let taken = flow.place < leftOver ? each + 1 : each
      return DataAmount(
        nanobits: flow.missing.nanobits > taken ? flow.missing.nanobits - taken : 0)
    }
    let bound = DataAmount(nanobits: othersLeast.nanobits - each - 1)
    first.missing = left(of: first)
    guard first.missing < bound else { return false }
    if var other = second {
      other.missing = left(of: other)
      guard other.missing < bound, Self.isBefore(first, other) else { return false }
      second = other
    }
    (known, othersLeast) = (first, bound)
    Self.wrap(UInt64(truncatingIfNeeded: each), leftOver: leftOver, from: &narrow)
    narrow[first.place] = UInt64(truncatingIfNeeded: first.missing.nanobits)
    if let second {
      narrow[second.place] = UInt64(truncatingIfNeeded: second.missing.nanobits)
    }
    return true
  }

  /// Takes an amount from each number, and one more from the first ones; of those that have less,
  /// nothing sensible is left.
  @inline(__always)
  private static func wrap(_ each: UInt64, leftOver: Int, from numbers: inout [UInt64]) {
    numbers.withUnsafeMutableBufferPointer { numbers in
      for place in 0..<leftOver { numbers[place] &-= each &+ 1 }
      for place in leftOver..<numbers.count { numbers[place] &-= each }
    }
  }

  /// Takes an amount from each number, and one more from the first ones, as far as they have it.
  @inline(__always)
  private static func take<Number: FixedWidthInteger & UnsignedInteger>(
    _ each: Number, leftOver: Int, from numbers: inout [Number]
  ) {
    let more = each == .max ? each : each &+ 1
    numbers.withUnsafeMutableBufferPointer { numbers in
      for place in numbers.indices {
        let taken = place < leftOver ? more : each
        numbers[place] = numbers[place] > taken ? numbers[place] &- taken : 0
      }
    }
  }

  /// What is left of some numbers: of the least and of the next one, each the first of those that
  /// have as much, and what none of the others has less than.
  private typealias Least = (
    first: (place: Int, left: UInt128), second: (place: Int, left: UInt128)?, others: UInt128
  )

  /// Returns the least of some numbers, given where the first two may be.
  @inline(__always)
  private static func least<Number: FixedWidthInteger & UnsignedInteger>(
    of numbers: [Number], likely: (Int, Int)
  ) -> Least {
    numbers.withUnsafeBufferPointer { numbers in
      var (first, firstLeft) = (likely.0, numbers[likely.0])
      if numbers.count == 1 { return ((first, UInt128(firstLeft)), nil, 0) }
      var second = likely.1 != first ? likely.1 : first == 0 ? 1 : 0
      var secondLeft = numbers[second]
      if secondLeft < firstLeft || (secondLeft == firstLeft && second < first) {
        (first, firstLeft, second, secondLeft) = (second, secondLeft, first, firstLeft)
      }
      var (others, place) = (Number.max, 0)
      while place < numbers.count {
        if place &+ 4 <= numbers.count, numbers[place] >= others, numbers[place &+ 1] >= others,
          numbers[place &+ 2] >= others, numbers[place &+ 3] >= others
        {
          place &+= 4
          continue
        }
        defer { place &+= 1 }
        let left = numbers[place]
        if left >= others || place == first || place == second { continue }
        if left > secondLeft || (left == secondLeft && place > second) {
          others = left
          continue
        }
        others = secondLeft
        (second, secondLeft) = (place, left)
        if left < firstLeft || (left == firstLeft && place < first) {
          (first, firstLeft, second, secondLeft) = (second, secondLeft, first, firstLeft)
        }
      }
      return ((first, UInt128(firstLeft)), (second, UInt128(secondLeft)), UInt128(others))
    }
  }

  /// The place of the first flow, from one on, that gets more of some data than it misses; nil if
  /// none does.
  func firstDone(from first: Int, _ parts: EqualParts, of whole: DataAmount) -> Int? {
    if isWide || isUnequal || parts.most.nanobits > UInt64.max {
      return (first..<count).first { self[$0] < part(of: $0, parts, of: whole) }
    }
    let each = UInt64(truncatingIfNeeded: parts.each.nanobits)
    if let known, (second?.missing ?? othersLeast).nanobits > UInt128(each) {
      // All others miss more than any flow gets.
      let isDone = known.missing < parts.part(of: UInt32(truncatingIfNeeded: known.place))
      return isDone && known.place >= first ? known.place : nil
    }
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
        (known, second) = (found, nil)
        return found
      }
      findLeast()
      guard let known else { preconditionFailure("a link has no flows") }
      return known
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
    (known, second) = (nil, nil)
  }

  private mutating func forgetWeight(of place: Int) {
    if weights.remove(at: place) != FlowShare.ordinaryWeight { unusualCount -= 1 }
    if unusualCount == 0 { weights = [] }
    (known, second) = (nil, nil)
  }

  /// The part of a rate that the flow at a place gets.
  @inline(__always)
  func share(of place: Int, at rate: BitRate) -> FlowShare {
    if isUnequal { return Self.unequalShare(of: place, at: rate, weights) }
    return FlowShare(
      rate: rate, flows: UInt32(truncatingIfNeeded: count),
      place: UInt32(truncatingIfNeeded: place))
  }

  // Told apart from the flows, of which else a copy would be made for it, shared equally or not
  // (measured: a seventieth of the instructions of two players).
  private static func unequalShare(
    of place: Int, at rate: BitRate, _ weights: [UInt32]
  ) -> FlowShare {
    FlowShare(
      rate: rate, flows: weights.reduce(0, +), place: weights[..<place].reduce(0, +),
      width: weights[place])
  }

  /// What the flow at a place gets of some data, given its equal parts.
  @inline(__always)
  func part(of place: Int, _ parts: EqualParts, of whole: DataAmount) -> DataAmount {
    isUnequal
      ? Self.unequalShare(of: place, at: .zero, weights).part(of: whole)
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
    (known, second) = (nil, nil)
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
