/// What holds of a link's flows from an instant on, up to the next step.
struct FlowStep: Sendable {
  var instant: Instant
  var rate: BitRate
  /// What each flow has got since the first step of the block, but for nanobits left over; as it
  /// is added, since the step before.
  var each: DataAmount
  /// The time since the first step of the block in which data came.
  var active = TimeSpan.zero
  var flows: UInt32
}

/// What a step changes of a flow's place among the others.
struct FlowTurn: Sendable {
  /// The transfer that begins to flow, or flows no more; a number above all others for none.
  var number = Int.max
  var places: Int32 = 0
  /// How many of the first flows have got a nanobit more before that.
  var leftOver: UInt32 = 0
}

/// Some steps in the life of a link's flows: what each flow has got is told once for all of them.
///
/// Who follows a flow keeps a block as it is then, and another one when it has grown. Both are the
/// same room, of which the one uses more than the other: what is written there stays as it is.
struct FlowBlock: Sendable {
  /// How many steps a full block has.
  static let countMax = 512
  /// The number of steps by which a block differs from the one before it.
  static let stride = countMax - 1

  /// The number of its first step in its log.
  let start: Int
  /// How many steps it has.
  private(set) var count: Int
  private var room: FlowRoom?

  /// No block of any log.
  static var none: FlowBlock { FlowBlock(start: -1, count: 0, room: nil) }

  private init(start: Int, count: Int, room: FlowRoom?) {
    (self.start, self.count, self.room) = (start, count, room)
  }

  /// Makes the first block of a log, before anything flows.
  init() {
    self.init(start: 0, count: 1, room: FlowRoom(FlowBlock.countMax))
    room?.write(
      FlowStep(instant: .start, rate: .zero, each: .zero, flows: 0), FlowTurn(), at: 0)
  }

  /// Makes the block that begins with the last step of another one.
  init(behind other: FlowBlock) {
    self.init(start: other.start + Self.stride, count: 1, room: FlowRoom(Self.countMax))
    var step = other.last
    (step.each, step.active) = (.zero, .zero)
    room?.write(step, FlowTurn(), at: 0)
  }

  /// The same block with a room of its own.
  func copy() -> FlowBlock {
    let other = FlowRoom(Self.countMax)
    if let room { other.write(room, count: count) }
    return FlowBlock(start: start, count: count, room: other)
  }

  /// The step of a number.
  @inline(__always)
  subscript(step: Int) -> FlowStep {
    assert(step < count, "step \(step) of \(count)")
    guard let room else { preconditionFailure("no block has no steps") }
    return room.step(step)
  }

  /// The last step.
  @inline(__always)
  var last: FlowStep { self[count - 1] }

  /// Whether nothing more is added.
  @inline(__always)
  var isFull: Bool { count >= Self.countMax }

  /// Becomes what it has grown to; returns whether the other one is that.
  ///
  /// A log that was forked goes on in another room, that has what this one has. Most did not, and
  /// then nobody has to count who keeps the room.
  @inline(__always)
  mutating func grow(to other: borrowing FlowBlock) -> Bool {
    if start != other.start || other.count == 0 { return false }
    if room === other.room { count = other.count } else { self = copy other }
    return true
  }

  /// Adds a step: the room is that of the log that adds it, and what others keep of it lies before.
  mutating func add(_ step: FlowStep, _ turn: FlowTurn) {
    assert(!isFull, "a step more than a block has")
    var step = step
    let last = last
    assert(step.instant >= last.instant, "the flows go back to \(step.instant.nanoseconds) ns")
    step.each += last.each
    step.active = last.active
    if last.rate > .zero { step.active += step.instant - last.instant }
    room?.write(step, turn, at: count)
    count += 1
  }

  /// Follows the place of a transfer among the flows from a step to another one; returns how many
  /// times it was among the first, who have got a nanobit more.
  @inline(__always)
  func follow(_ place: inout UInt32, of number: Int, from first: Int, to last: Int) -> UInt64 {
    guard let room else { preconditionFailure("no block has no steps") }
    return room.follow(&place, of: number, from: first, to: last)
  }
}
