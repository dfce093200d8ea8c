/// Stretches of a meter that lie one after another in a block of a link's log, and are not written
/// out; or a single one that is.
struct FollowedRun: Sendable {
  /// The first stretch.
  private(set) var first: FillMeter.FillStretch
  /// The block, the step that the first stretch begins with, and the flow that is followed from
  /// there; no steps if it is a single one.
  private var block: FlowBlock
  private var flow: FlowPlace
  private var step: Int32 = 0
  /// How many stretches there are.
  private(set) var count: Int32 = 1

  init(single: FillMeter.FillStretch) {
    (first, block, flow) = (single, .none, .none)
  }

  /// Makes the stretches that begin with some steps of a block, the first of which the flow has
  /// been followed to.
  ///
  /// All data is that of the flow, and a request is open all the time.
  init(_ block: FlowBlock, _ steps: Range<Int>, _ flow: FlowPlace, first: FillMeter.FillStretch) {
    (self.first, self.block, self.flow) = (first, block, flow)
    (step, count) = (Int32(steps.lowerBound), Int32(steps.count))
    assert(steps.upperBound <= block.count, "\(steps) of \(block.count) steps")
  }

  /// Takes in stretches that go on in the same block, as it has grown; returns whether they do.
  mutating func takeIn(_ next: borrowing FlowBlock, _ steps: Range<Int>, of number: Int) -> Bool {
    guard flow.number == number, Int(step + count) == steps.lowerBound,
      block.grow(to: next)
    else { return false }
    count += Int32(steps.count)
    return true
  }

  /// Goes on to a stretch, and leaves behind those before it.
  private mutating func leave(_ leftCount: Int32) {
    if leftCount == 0 { return }
    first = stretch(leftCount, from: 0, first, &flow)
    step += leftCount
    count -= leftCount
  }

  /// How many stretches behind the first began when a request had been open for so long or less.
  private func count(upTo open: TimeSpan) -> Int32 {
    if count == 1 { return 0 }
    let last = block[Int(step)].instant + (open - first.open)
    return Int32((1..<Int(count)).firstPlace { block[Int(step) + $0].instant > last }) - 1
  }

  /// A stretch that was looked for, the number of its step, and the flow followed up to there: who
  /// looks for a later one goes on from it.
  struct Found: Sendable {
    fileprivate var step = Int.max
    fileprivate var flow = FlowPlace.none
    fileprivate var stretch = FillMeter.FillStretch(received: .zero, open: .zero, share: .none)
  }

  /// The last that began when a request had been open for so long or less, and the one behind it;
  /// the first one did.
  func stretch(
    at open: TimeSpan, _ found: inout Found
  ) -> (FillMeter.FillStretch, next: FillMeter.FillStretch?) {
    if count == 1 { return (first, nil) }
    let place = count(upTo: open)
    let start = block.start + Int(step)
    let isOnTheWay =
      found.flow.number == flow.number && (start...start + Int(place)).contains(found.step)
    if !isOnTheWay { (found.step, found.flow, found.stretch) = (start, flow, first) }
    let from = Int32(found.step - start)
    if from < place {
      found.stretch = stretch(place, from: from, found.stretch, &found.flow)
      found.step = start + Int(place)
    }
    if place + 1 == count { return (found.stretch, nil) }
    var flow = found.flow
    return (found.stretch, stretch(place + 1, from: place, found.stretch, &flow))
  }

  /// A stretch behind another one, to which the flow has been followed.
  @inline(__always)
  private func stretch(
    _ place: Int32, from last: Int32, _ before: FillMeter.FillStretch, _ flow: inout FlowPlace
  ) -> FillMeter.FillStretch {
    let (from, to) = (Int(step + last), Int(step + place))
    let received = before.received + flow.follow(block, from: from, to: to)
    return FillMeter.FillStretch(
      received: received,
      open: before.open + (block[to].instant - block[from].instant),
      share: flow.shownShare(at: block[to]))
  }

  /// Leaves behind what lies before that one.
  mutating func skip(to open: TimeSpan) { leave(count(upTo: open)) }

  /// Leaves the first stretch behind, if there is another one.
  mutating func removeFirst() { if count > 1 { leave(1) } }

  /// All of them.
  var stretches: [FillMeter.FillStretch] {
    var (run, stretches) = (self, [first])
    while run.count > 1 {
      run.leave(1)
      stretches.append(run.first)
    }
    return stretches
  }
}
