/// What became of the flows of a link, one step after another, for those who follow theirs later.
///
/// In a crowd each event of one player's request moves the flows of all others. To write down what
/// each has got would cost as much as to tell it: what all have got is written once.
struct FlowLog: Sendable {
  /// Whether anybody reads it.
  var isKept = false
  /// The steps, in blocks of which all but the last are full, each but the first with the last step
  /// of the one before it; what all have read is gone.
  private var blocks = [FlowBlock()]
  private var forgottenCount = 0
  private var stepCount = 0
  /// The number of steps when those whose flows are followed at once were last told how theirs go
  /// on.
  private(set) var toldCount = 0
  /// What each flow has got since the last step, and how many have got a nanobit more.
  private var parts: (each: DataAmount, leftOver: UInt32)?
  /// The most that a single flow can have got so far, and what it was when others were told last.
  private(set) var most = DataAmount.zero
  private(set) var mostTold = DataAmount.zero

  /// The most full blocks, so that they are at hand when they are read.
  private static let blocksMax = 32
  /// The number of steps by which a block differs from the one before it.
  private static let stride = FlowBlock.countMax - 1

  /// Whether it is time for all to read it.
  @inline(__always)
  var isLong: Bool { blocks.count > Self.blocksMax }

  /// Takes note of what each flow has got by an instant, with what has held since the last step.
  @inline(__always)
  mutating func add(_ parts: EqualParts, since last: Instant, _ rate: BitRate, flows: UInt32) {
    most += parts.most
    if !isKept { return }
    if self.parts != nil { addStep(at: last, rate, flows: flows) }
    self.parts = (parts.each, UInt32(truncatingIfNeeded: parts.rest))
  }

  /// Takes note that a transfer has begun to flow, or flows no more, and what holds from then on.
  @inline(__always)
  mutating func add(
    _ number: Int, isFlowing: Bool, at now: Instant, _ rate: BitRate, flows: UInt32
  ) {
    if !isKept { return }
    addStep(at: now, rate, flows: flows, number: number, places: isFlowing ? 1 : -1)
  }

  /// Takes note that others were told how their flows go on.
  @inline(__always)
  mutating func noteTold(at now: Instant, _ rate: BitRate, flows: UInt32) {
    mostTold = most
    if !isKept { return }
    let last = blocks[blocks.count - 1].steps.last
    if parts != nil || last?.instant != now || last?.rate != rate {
      addStep(at: now, rate, flows: flows)
    }
    toldCount = stepCount
  }

  private mutating func addStep(
    at now: Instant, _ rate: BitRate, flows: UInt32, number: Int = .max, places: Int32 = 0
  ) {
    let place = blocks.count - 1
    blocks[place].add(
      FlowStep(
        instant: now, rate: rate, flows: flows, each: parts?.each ?? .zero, number: number,
        places: places, leftOver: parts?.leftOver ?? 0))
    parts = nil
    stepCount += 1
    if blocks[place].isFull { blocks.append(FlowBlock(behind: blocks[place])) }
  }

  /// Whether those who are told were told of all that has come.
  var isTold: Bool { parts == nil && toldCount == stepCount }

  /// Hands over the steps behind so many, up to what was told, block by block.
  @inline(__always)
  func forEachBlock(behind count: Int, _ body: (FlowSteps) -> Void) {
    assert(count >= forgottenCount * Self.stride, "steps were forgotten before all read them")
    var read = count
    while read < toldCount {
      let number = read / Self.stride
      let first = number * Self.stride
      let end = min(toldCount - first, Self.stride)
      body(FlowSteps(block: blocks[number - forgottenCount], first: read - first, last: end))
      read = first + end
    }
  }

  /// Forgets the full blocks, which all have read.
  mutating func forget() {
    forgottenCount += blocks.count - 1
    blocks.removeFirst(blocks.count - 1)
  }
}
