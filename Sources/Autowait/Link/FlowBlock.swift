/// What holds of a link's flows from an instant on, up to the next step; it has 64 bytes.
struct FlowStep: Sendable {
  var instant: Instant
  var rate: BitRate
  /// What each flow has got since the first step of the block, but for nanobits left over; as it
  /// is added, since the step before.
  var each: DataAmount
  /// The time since the first step of the block in which data came.
  var active = TimeSpan.zero
  /// The transfer that begins to flow, or flows no more; a number above all others for none.
  var number: Int
  var flows: UInt32
  var places: Int32
  /// How many of the first flows have got a nanobit more before that.
  var leftOver: UInt32
}

/// Some steps in the life of a link's flows: what each flow has got is told once for all of them.
///
/// Who follows a flow keeps a block as it is then, and another one when it has grown: a block is
/// copied when steps are added of which somebody keeps the beginning. So the one that grows is
/// small, and many full ones are joined for who reads much at once (measured: to keep and to leave
/// small blocks took a sixth of the time of a thousand players).
struct FlowBlock: Sendable {
  /// How many steps a full block has.
  static let countMax = 64
  /// How many blocks are joined.
  static let joinedCount = 8
  /// The number of steps by which a block, and one of joined ones, differs from the one before it.
  static let stride = countMax - 1
  static let joinedStride = joinedCount * stride

  /// The number of its first step in its log.
  let start: Int
  /// Whether it is one of joined ones.
  let isJoined: Bool
  private(set) var steps: [FlowStep]

  /// No block of any log.
  static let none = FlowBlock(start: -1, isJoined: false, steps: [])

  private init(start: Int, isJoined: Bool, steps: [FlowStep]) {
    (self.start, self.isJoined, self.steps) = (start, isJoined, steps)
  }

  /// Makes the first block of a log, before anything flows.
  init() {
    let step = FlowStep(
      instant: .start, rate: .zero, each: .zero, number: .max, flows: 0, places: 0, leftOver: 0)
    self.init(start: 0, isJoined: false, steps: [step])
  }

  /// Makes the block that begins with the last step of another one.
  init(behind other: FlowBlock) {
    var step = other.steps[other.steps.count - 1]
    (step.each, step.active, step.number, step.places, step.leftOver) = (.zero, .zero, .max, 0, 0)
    self.init(start: other.start + Self.stride, isJoined: false, steps: [])
    steps.reserveCapacity(Self.countMax)
    steps.append(step)
  }

  /// Joins full blocks, each of which begins with the last step of the one before it.
  init(joining blocks: [FlowBlock]) {
    self.init(start: blocks[0].start, isJoined: true, steps: [])
    steps.reserveCapacity(Self.joinedStride + 1)
    for block in blocks {
      assert(block.isFull && !block.isJoined, "a block is joined that grows")
      guard let last = steps.last else {
        steps += block.steps
        continue
      }
      for var step in block.steps.dropFirst() {
        step.each += last.each
        step.active += last.active
        steps.append(step)
      }
    }
  }

  /// Whether nothing more is added.
  @inline(__always)
  var isFull: Bool { steps.count >= Self.countMax }

  /// Whether it is another one as it was or will be.
  @inline(__always)
  func isSame(as other: FlowBlock) -> Bool {
    start == other.start && isJoined == other.isJoined
  }

  /// Adds a step.
  mutating func add(_ step: FlowStep) {
    assert(!isFull, "a step more than a block has")
    var step = step
    let last = steps[steps.count - 1]
    assert(step.instant >= last.instant, "the flows go back to \(step.instant.nanoseconds) ns")
    step.each += last.each
    step.active = last.active
    if last.rate > .zero { step.active += step.instant - last.instant }
    steps.append(step)
  }
}

/// Steps of a block behind one, up to another one.
struct FlowSteps {
  let block: FlowBlock
  let first: Int
  let last: Int

  /// The last of them.
  @inline(__always)
  var end: FlowStep { block.steps[last] }
}
