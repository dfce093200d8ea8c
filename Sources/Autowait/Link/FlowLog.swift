/// What became of the flows of a link, one step after another, for those who follow theirs later.
///
/// In a crowd each event of one player's request moves the flows of all others. To write down what
/// each has got would cost as much as to tell it: what all have got is written once.
struct FlowLog: Sendable {
  /// Whether anybody reads it.
  var isKept = false
  /// The blocks of the steps that not all have read: all but the last are full.
  ///
  /// Each but the first begins with the last step of the one before it.
  private var blocks: [FlowBlock] = []
  /// The right to write in the room of the last block: of two copies of a log, the first that adds
  /// a step goes on in a room of its own.
  private var writer = FlowRoom.Writer()
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
  private static let fullMax = 4

  /// Whether it is time for all to read it.
  @inline(__always)
  var isLong: Bool { blocks.count > Self.fullMax }

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
    let last = blocks.last?.last
    if parts != nil || last?.instant != now || last?.rate != rate {
      addStep(at: now, rate, flows: flows)
    }
    toldCount = stepCount
  }

  private mutating func addStep(
    at now: Instant, _ rate: BitRate, flows: UInt32, number: Int = .max, places: Int32 = 0
  ) {
    if blocks.isEmpty { blocks = [FlowBlock()] }
    let place = blocks.count - 1
    if !writer.isAlone {
      writer = FlowRoom.Writer()
      blocks[place] = blocks[place].copy()
    }
    blocks[place].add(
      FlowStep(instant: now, rate: rate, each: parts?.each ?? .zero, flows: flows),
      FlowTurn(number: number, places: places, leftOver: parts?.leftOver ?? 0))
    parts = nil
    stepCount += 1
    if blocks[place].isFull { blocks.append(FlowBlock(behind: blocks[place])) }
  }

  /// Whether those who are told were told of all that has come.
  var isTold: Bool { parts == nil && toldCount == stepCount }

  /// Hands over the steps behind so many, up to what was told, block by block: each block with the
  /// last step that was read, and the last one that is to be.
  @inline(__always)
  func forEachBlock(
    behind count: Int, _ body: (borrowing FlowBlock, _ first: Int, _ last: Int) -> Void
  ) {
    assert(count >= blocks.first?.start ?? 0, "steps were forgotten before all read them")
    var read = count
    while read < toldCount {
      let place = (read - blocks[0].start) / FlowBlock.stride
      let block = blocks[place]
      let end = min(toldCount - block.start, FlowBlock.stride)
      body(block, read - block.start, end)
      read = block.start + end
    }
  }

  /// Forgets the full blocks, which all have read.
  mutating func forget() {
    if blocks.count > 1 { blocks.removeFirst(blocks.count - 1) }
  }
}
