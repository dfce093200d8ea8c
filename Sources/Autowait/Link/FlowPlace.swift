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
  mutating func follow(_ block: borrowing FlowBlock, from first: Int, to last: Int) -> DataAmount {
    if !isFlowing || first == last { return .zero }
    let leftOver = block.follow(&place, of: number, from: first, to: last)
    assert(place < block[last].flows, "flow \(place) of \(block[last].flows)")
    return (block[last].each - block[first].each) + DataAmount(nanobits: UInt128(leftOver))
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
