/// What holds of a link's flows from an instant on, up to the next step.
struct FlowStep: Sendable {
  var instant: Instant
  var rate: BitRate
  var flows: UInt32
  /// What each flow has got since the first step of the block, but for nanobits left over; as it
  /// is added, since the step before.
  var each: DataAmount
  /// The time since the first step of the block in which data came.
  var active = TimeSpan.zero
  /// The transfer that begins to flow, or flows no more; a number above all others for none.
  var number: Int
  var places: Int32
  /// How many of the first flows have got a nanobit more before that.
  var leftOver: UInt32
}

/// Some steps in the life of a link's flows: what each flow has got is told once for all of them.
///
/// Who follows a flow keeps a block as it is then, and another one when it has grown: a block is
/// copied when steps are added of which somebody keeps the beginning.
struct FlowBlock: Sendable {
  /// How many steps a full block has.
  static let countMax = 64

  /// The number of the block in its log.
  let number: Int
  private(set) var steps: [FlowStep]

  /// No block of any log.
  static let none = FlowBlock(number: -1)

  private init(number: Int) { (self.number, steps) = (number, []) }

  /// Makes the first block of a log, before anything flows.
  init() {
    number = 0
    steps = [
      FlowStep(
        instant: .start, rate: .zero, flows: 0, each: .zero, number: .max, places: 0, leftOver: 0)
    ]
  }

  /// Makes the block that begins with the last step of another one.
  init(behind other: FlowBlock) {
    var step = other.steps[other.steps.count - 1]
    (step.each, step.active, step.number, step.places, step.leftOver) = (.zero, .zero, .max, 0, 0)
    number = other.number + 1
    steps = []
    steps.reserveCapacity(Self.countMax)
    steps.append(step)
  }

  /// Whether nothing more is added.
  @inline(__always)
  var isFull: Bool { steps.count == Self.countMax }

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
