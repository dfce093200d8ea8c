/// What became of the flows of a link, one thing after another, for those who follow theirs later.
///
/// In a crowd each event of one player's request moves the flows of all others. To write down what
/// each has got would cost as much as to tell it: what all have got is written once.
struct FlowLog: Sendable {
  enum FlowChange: Sendable {
    /// Each flow has got an amount, and as many of the first as there are left over nanobits one
    /// more.
    case delivered(each: DataAmount, leftOver: UInt128)
    /// A transfer has begun to flow, or flows no more.
    case joined(Int)
    case left(Int)
    /// Those whose flows are followed at once were told how theirs go on.
    case told(at: Instant, BitRate, flows: UInt32)
  }

  /// Whether anybody reads it.
  var isKept = false
  private(set) var entries: [FlowChange] = []
  /// The number of entries up to the last time when the others were told.
  private(set) var toldCount = 0
  /// The most that a single flow can have got so far, and what it was when others were told last.
  private(set) var most = DataAmount.zero
  private(set) var mostTold = DataAmount.zero

  /// The most entries, so that they are at hand when they are read.
  private static let entriesMax = 2_048

  /// Whether it is time for all to read it.
  @inline(__always)
  var isLong: Bool { toldCount >= Self.entriesMax }

  @inline(__always)
  mutating func add(_ entry: FlowChange) {
    if case .told = entry { mostTold = most }
    if !isKept { return }
    entries.append(entry)
    if case .told = entry { toldCount = entries.count }
  }

  /// Takes note of what each flow has got.
  @inline(__always)
  mutating func add(_ parts: EqualParts) {
    most += parts.most
    add(.delivered(each: parts.each, leftOver: parts.rest))
  }

  /// Forgets what all have read.
  mutating func forget() {
    assert(toldCount == entries.count, "what nobody was told of is forgotten")
    entries.removeAll(keepingCapacity: true)
    toldCount = 0
  }
}

/// A flow that is followed through a log.
struct FollowedFlow {
  private let number: Int
  private let size: DataAmount
  /// Whether the first byte has come; the flow that is followed neither begins nor ends meanwhile.
  private let isFlowing: Bool
  private(set) var delivered: DataAmount
  private var place: UInt32

  init(
    _ number: Int, size: DataAmount, isFlowing: Bool, delivered: DataAmount, share: FlowShare
  ) {
    (self.number, self.size, self.isFlowing) = (number, size, isFlowing)
    (self.delivered, place) = (delivered, share.place)
  }

  /// Takes note of an entry; returns when others were told, and the part that the flow had then.
  @inline(__always)
  mutating func follow(_ entry: FlowLog.FlowChange) -> (instant: Instant, share: FlowShare)? {
    switch entry {
    case .delivered(let each, let leftOver):
      if !isFlowing { return nil }
      let part = UInt128(place) < leftOver ? each + DataAmount(nanobits: 1) : each
      delivered = min(size, delivered + part)
    case .joined(let other): if isFlowing, other < number { place += 1 }
    case .left(let other): if isFlowing, other < number { place -= 1 }
    case .told(let instant, let rate, let flows):
      assert(!isFlowing || place < flows, "flow \(place) of \(flows)")
      return (
        instant, isFlowing ? FlowShare(rate: rate, flows: flows, place: place) : .none
      )
    }
    return nil
  }
}
