/// The room for the steps of a block of a link's log: each is written once, and stays as it is.
///
/// One log writes, behind all that anybody reads. So a block need not be copied when it grows while
/// somebody keeps its beginning (measured: with copies a crowd spent a quarter of its misses of a
/// cache of 2 MB on them), and simulations that were forked read it on any thread.
final class FlowRoom: @unchecked Sendable {
  /// The right to write in a room: of those that share it none writes there.
  struct Writer: Sendable {
    private final class Token: Sendable {}
    private var token = Token()

    /// Whether nobody shares it.
    var isAlone: Bool {
      mutating get { isKnownUniquelyReferenced(&token) }
    }
  }

  private let capacity: Int
  private let steps: UnsafeMutablePointer<FlowStep>
  /// What follows a flow reads these only: they lie apart, and are small.
  private let numbers: UnsafeMutablePointer<Int32>
  private let places: UnsafeMutablePointer<Int32>
  private let leftOvers: UnsafeMutablePointer<Int32>

  init(_ capacity: Int) {
    self.capacity = capacity
    steps = .allocate(capacity: capacity)
    numbers = .allocate(capacity: 3 * capacity)
    (places, leftOvers) = (numbers + capacity, numbers + 2 * capacity)
  }

  deinit {
    steps.deallocate()
    numbers.deallocate()
  }

  func write(_ step: FlowStep, _ turn: FlowTurn, at place: Int) {
    precondition(place < capacity, "a step more than there is room for")
    assert(turn.number == .max || turn.number < Int32.max, "\(turn.number) transfers")
    (steps + place).initialize(to: step)
    (numbers + place).initialize(to: Int32(clamping: turn.number))
    (places + place).initialize(to: turn.places)
    (leftOvers + place).initialize(to: Int32(bitPattern: turn.leftOver))
  }

  /// Writes the first steps of another room.
  func write(_ other: FlowRoom, count: Int) {
    precondition(count <= capacity, "more steps than there is room for")
    steps.initialize(from: other.steps, count: count)
    numbers.initialize(from: other.numbers, count: count)
    places.initialize(from: other.places, count: count)
    leftOvers.initialize(from: other.leftOvers, count: count)
  }

  @inline(__always)
  func step(_ place: Int) -> FlowStep { withExtendedLifetime(self) { steps[place] } }

  /// Follows the place of a transfer among the flows from a step to another one; returns how many
  /// times it was among the first, who have got a nanobit more.
  ///
  /// In a crowd each look at a player follows what the events of all others have changed. Nothing
  /// of it can be predicted, and so nothing is a branch; four steps are taken at once.
  @inline(never)
  func follow(_ place: inout UInt32, of number: Int, from first: Int, to last: Int) -> UInt64 {
    withExtendedLifetime(self) {
      var (index, counts) = (first + 1, SIMD4<Int32>.zero)
      var here = SIMD4(repeating: Int32(bitPattern: place))
      let own = SIMD4(repeating: Int32(clamping: number))
      while index &+ 3 <= last {
        let moved = four(places, index) & Self.bits(four(numbers, index) .< own)
        // What the steps of each pair have moved it by, and those before the second pair.
        let sums = Self.sumsOfPairs(moved)
        let firstPair = SIMD4(repeating: sums.y)
        let before = here &+ (firstPair & SIMD4(0, 0, -1, -1))
        counts = counts &- Self.bits(before &+ sums &- moved .< four(leftOvers, index))
        here = here &+ firstPair &+ SIMD4(repeating: sums.w)
        index &+= 4
      }
      var (base, count) = (here.x, UInt64(UInt32(bitPattern: counts.wrappedSum())))
      while index <= last {
        count &+= base < leftOvers[index] ? 1 : 0
        base &+= numbers[index] < own.x ? places[index] : 0
        index &+= 1
      }
      place = UInt32(bitPattern: base)
      return count
    }
  }

  @inline(__always)
  private func four(_ values: UnsafeMutablePointer<Int32>, _ place: Int) -> SIMD4<Int32> {
    UnsafeRawPointer(values + place).loadUnaligned(as: SIMD4<Int32>.self)
  }

  /// The values, the second and the fourth with the one before them.
  ///
  /// As wide numbers they are moved and added as they are; what is put together of single lanes is
  /// taken apart first (measured: a twentieth of the time of a thousand players, with what ends
  /// first).
  @inline(__always)
  private static func sumsOfPairs(_ values: SIMD4<Int32>) -> SIMD4<Int32> {
    let pairs = unsafeBitCast(values, to: SIMD2<UInt64>.self)
    return unsafeBitCast(pairs &+ (pairs &<< 32), to: SIMD4<Int32>.self)
  }

  /// All bits of each lane that is true.
  @inline(__always)
  private static func bits(_ mask: SIMDMask<SIMD4<Int32>>) -> SIMD4<Int32> {
    SIMD4<Int32>.zero.replacing(with: -1, where: mask)
  }
}
