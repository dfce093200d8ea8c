/// What became of the flows of a link, one step after another, for those who follow theirs later.
///
/// In a crowd each event of one player's request moves the flows of all others. To write down what
/// each has got would cost as much as to tell it: what all have got is written once.
struct FlowLog: Sendable {
  /// Whether anybody reads it.
  var isKept = false
  /// The steps, in joined blocks and then in blocks of which all but the last are full, each but
  /// the first with the last step of the one before it; what all have read is gone.
  private var joined: [FlowBlock] = []
  private var blocks = [FlowBlock()]
  private var stepCount = 0
  /// The number of steps when those whose flows are followed at once were last told how theirs go
  /// on.
  private(set) var toldCount = 0
  /// What each flow has got since the last step, and how many have got a nanobit more.
  private var parts: (each: DataAmount, leftOver: UInt32)?
  /// The most that a single flow can have got so far, and what it was when others were told last.
  private(set) var most = DataAmount.zero
  private(set) var mostTold = DataAmount.zero

  /// The most joined blocks, so that they are at hand when they are read.
  private static let joinedMax = 4

  /// Whether it is time for all to read it.
  @inline(__always)
  var isLong: Bool { joined.count >= Self.joinedMax }

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
        instant: now, rate: rate, each: parts?.each ?? .zero, number: number, flows: flows,
        places: places, leftOver: parts?.leftOver ?? 0))
    parts = nil
    stepCount += 1
    if blocks[place].isFull { addBlock() }
  }

  private mutating func addBlock() {
    let next = FlowBlock(behind: blocks[blocks.count - 1])
    if blocks.count == FlowBlock.joinedCount {
      joined.append(FlowBlock(joining: blocks))
      blocks.removeAll(keepingCapacity: true)
    }
    blocks.append(next)
    assert(
      joined.isEmpty || blocks[0].start == joined[0].start + joined.count * FlowBlock.joinedStride,
      "the blocks begin with step \(blocks[0].start), behind \(joined.count) joined ones")
  }

  /// Whether those who are told were told of all that has come.
  var isTold: Bool { parts == nil && toldCount == stepCount }

  /// Hands over the steps behind so many, up to what was told, block by block.
  @inline(__always)
  func forEachBlock(behind count: Int, _ body: (FlowSteps) -> Void) {
    assert(count >= (joined.first ?? blocks[0]).start, "steps were forgotten before all read them")
    var read = count
    while read < toldCount {
      let isJoined = read < blocks[0].start
      let stride = isJoined ? FlowBlock.joinedStride : FlowBlock.stride
      let place = (read - (isJoined ? joined : blocks)[0].start) / stride
      let block = isJoined ? joined[place] : blocks[place]
      let end = min(toldCount - block.start, stride)
      body(FlowSteps(block: block, first: read - block.start, last: end))
      read = block.start + end
    }
  }

  /// Forgets the full blocks, which all have read.
  mutating func forget() {
    joined = []
    blocks.removeFirst(blocks.count - 1)
  }
}
