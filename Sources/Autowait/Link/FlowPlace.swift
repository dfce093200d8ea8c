/// The place of a flow among the others, as it is followed through a log.
struct FlowPlace: Sendable {
  let number: Int
  private var place: UInt32
  /// Whether the first byte has come; the flow that is followed neither begins nor ends meanwhile.
  let isFlowing: Bool

  static let none = FlowPlace(-1, isFlowing: false, .none)

  init(_ number: Int, isFlowing: Bool, _ share: FlowShare) {
    (self.number, self.isFlowing, place) = (number, isFlowing, share.place)
  }

  /// Goes on from a step of a block to another one; returns what the flow has got.
  @inline(__always)
  mutating func follow(_ block: FlowBlock, from first: Int, to last: Int) -> DataAmount {
    if !isFlowing || first == last { return .zero }
    var (place, leftOver) = (place, UInt64(0))
    block.steps.withUnsafeBufferPointer { steps in
      // Neither can be predicted, and so neither is a branch.
      for index in first + 1...last {
        leftOver &+= place < steps[index].leftOver ? 1 : 0
        let isBefore: UInt32 = steps[index].number < number ? .max : 0
        place &+= UInt32(bitPattern: steps[index].places) & isBefore
      }
    }
    self.place = place
    assert(place < block.steps[last].flows, "flow \(place) of \(block.steps[last].flows)")
    return (block.steps[last].each - block.steps[first].each)
      + DataAmount(nanobits: UInt128(leftOver))
  }

  /// How the flow goes on from a step.
  @inline(__always)
  func share(at step: FlowStep) -> FlowShare {
    isFlowing ? FlowShare(rate: step.rate, flows: step.flows, place: place) : .none
  }

  /// The same, where a flow of nothing is none.
  @inline(__always)
  func shownShare(at step: FlowStep) -> FlowShare {
    step.rate > .zero ? share(at: step) : .none
  }
}
