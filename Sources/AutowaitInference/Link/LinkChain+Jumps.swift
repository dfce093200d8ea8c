import Autowait

/// Moves that add changes to a link, and those that take them away.
extension LinkChain {
  /// How far a new rate is from the one that it splits, in half of all births, in levels.
  private static let near = 240
  /// How far the rate after a dip is from the one before it.
  private static let returns = RatePrior.returns
  /// A dip is shorter than 2¹² slots, 41 s.
  private static let lengthBits = 12

  private var one: Int64 { FixedLogarithm.one }

  /// Draws the rate of a new piece: near the one that it comes from, or from what is likely.
  private mutating func draw(near level: Int) -> Int {
    if level != RateGrid.outage, random.next(below: 2) == 0 { return level + drawShift(Self.near) }
    return setting.prior.draw(&random)
  }

  /// The logarithm of how likely that is.
  private func logarithm(of level: Int, near other: Int) -> Int64 {
    let mass = setting.prior.masses[level]
    if other == RateGrid.outage { return setting.prior.logarithms[level] }
    let away = abs(level - other)
    let close = (1...Self.near) ~= away ? RatePrior.whole / UInt64(2 * Self.near) : 0
    return setting.logarithm(max(1, (mass + close) / 2)) - 48 * one
  }

  /// Splits a piece.
  mutating func birth() {
    if link.count >= LinkPieces.countMax - 2 { return }
    let start = (1 + Int64(random.next(below: UInt64(slots)))) * LinkPieces.slot
    let piece = link.piece(at: start)
    let isLater = random.next(below: 2) == 0
    let level = link.levels[piece]
    let other = draw(near: level)
    guard 0..<RateGrid.count ~= other, link.starts[piece] < start else { return }
    tried.copy(link)
    tried.insert(after: piece, start: start, level: isLater ? other : level)
    if !isLater { tried.setLevel(piece, other) }
    let ratio =
      setting.prior.logarithmOfChange + setting.prior.logarithms[other]
      - logarithm(of: other, near: level)
      + setting.logarithm(UInt64(slots)) - setting.logarithm(UInt64(link.count))
    decide(
      from: isLater ? start : link.starts[piece], until: isLater ? link.end(piece) : start,
      ratio: ratio)
  }

  /// Takes a change away; the rate before it holds on, or the one after it held before.
  mutating func death() {
    if link.count < 2 { return }
    let piece = 1 + draw(below: link.count - 1)
    let isLater = random.next(below: 2) == 0
    let (left, right) = (link.levels[piece - 1], link.levels[piece])
    let (kept, lost) = isLater ? (left, right) : (right, left)
    let (start, before, end) = (link.starts[piece], link.starts[piece - 1], link.end(piece))
    tried.copy(link)
    tried.removeChange(before: piece)
    tried.setLevel(piece - 1, kept)
    let ratio =
      setting.prior.logarithmOfChange + setting.prior.logarithms[lost]
      - logarithm(of: lost, near: kept)
      + setting.logarithm(UInt64(slots)) - setting.logarithm(UInt64(link.count - 1))
    decide(from: isLater ? start : before, until: isLater ? end : start, ratio: -ratio)
  }

  /// Draws what a dip carries: nothing in half of all.
  private mutating func drawDip(in level: Int) -> Int {
    switch random.next(below: 4) {
    case 0: level + drawShift(Self.near)
    case 1: setting.prior.draw(&random)
    default: RateGrid.outage
    }
  }

  private func logarithm(ofDip level: Int, in other: Int) -> Int64 {
    let away = abs(level - other)
    let close = (1...Self.near) ~= away ? RatePrior.whole / UInt64(2 * Self.near) : 0
    let none = level == RateGrid.outage ? RatePrior.whole : 0
    return setting.logarithm(max(1, (2 * none + close + setting.prior.masses[level]) / 4))
      - 48 * one
  }

  /// What the birth of a dip adds to what is likely, without the number of ways back.
  private func ratio(ofDip middle: Int, in level: Int, returning: Int, slots length: Int64) -> Int64
  {
    let bits = Int64(63 - length.leadingZeroBitCount)
    return 2 * setting.prior.logarithmOfChange + setting.prior.logarithms[middle]
      + setting.prior.logarithms[returning] - logarithm(ofDip: middle, in: level)
      + setting.logarithm(UInt64(slots)) + setting.logarithm(UInt64(Self.lengthBits)) + bits * one
      + setting.logarithm(UInt64(2 * Self.returns + 1))
  }

  /// Puts a dip into a piece, after which nearly the same rate returns.
  mutating func pairBirth() {
    if link.count >= LinkPieces.countMax - 2 { return }
    let start = (1 + Int64(random.next(below: UInt64(slots)))) * LinkPieces.slot
    let bits = Int64(draw(below: Self.lengthBits))
    let length = 1 << bits + Int64(random.next(below: 1 << UInt64(bits)))
    let piece = link.piece(at: start)
    let (level, isLater) = (link.levels[piece], random.next(below: 2) == 0)
    let returning = level + draw(below: 2 * Self.returns + 1) - Self.returns
    let end = start + length * LinkPieces.slot
    guard level != RateGrid.outage, 1..<RateGrid.count ~= returning, link.starts[piece] < start,
      end < link.end(piece), end <= slots * LinkPieces.slot
    else { return }
    let middle = drawDip(in: level)
    guard 0..<RateGrid.count ~= middle else { return }
    tried.copy(link)
    tried.insert(after: piece, start: end, level: isLater ? returning : level)
    tried.insert(after: piece, start: start, level: middle)
    if !isLater { tried.setLevel(piece, returning) }
    let ratio =
      ratio(ofDip: middle, in: level, returning: returning, slots: length)
      - setting.logarithm(UInt64(link.count))
    decide(
      from: isLater ? start : link.starts[piece], until: isLater ? link.end(piece) : end,
      ratio: ratio)
  }

  /// Takes a dip away.
  mutating func pairDeath() {
    if link.count < 3 { return }
    let piece = 1 + draw(below: link.count - 2)
    let isLater = random.next(below: 2) == 0
    let (left, middle, right) = (
      link.levels[piece - 1], link.levels[piece], link.levels[piece + 1]
    )
    let (kept, lost) = isLater ? (left, right) : (right, left)
    let (start, end) = (link.starts[piece], link.starts[piece + 1])
    let length = (end - start) / LinkPieces.slot
    guard left != RateGrid.outage, right != RateGrid.outage, abs(left - right) <= Self.returns,
      length < 1 << Int64(Self.lengthBits)
    else { return }
    let (before, after) = (link.starts[piece - 1], link.end(piece + 1))
    tried.copy(link)
    tried.removeChange(before: piece + 1)
    tried.removeChange(before: piece)
    tried.setLevel(piece - 1, kept)
    let ratio =
      ratio(ofDip: middle, in: kept, returning: lost, slots: length)
      - setting.logarithm(UInt64(link.count - 2))
    decide(from: isLater ? start : before, until: isLater ? after : end, ratio: -ratio)
  }

  /// Puts a dip where one of the longest requests was under way, half of them outages, or where one
  /// is over too early on the link at hand: nothing for as long as it is late.
  ///
  /// It has no way back that is as likely, so that only burn-in may do this.
  mutating func aimedBirth() {
    if link.count >= LinkPieces.countMax - 2 { return }
    let isLate = random.next(below: 2) == 0
    let place =
      isLate ? draw(below: setting.log.requests.count) : longest[draw(below: longest.count)]
    let request = setting.log.requests[place]
    let length = (request.recorded - request.release) / LinkPieces.slot
    if length < 2 { return }
    var (first, count) = (Int64(draw(below: Int(length))), Int64(1 + draw(below: Int(length))))
    if isLate {
      count = min(length, (request.recorded - transfers.done[place]) / LinkPieces.slot)
      if count < 1 { return }
      first = Int64(draw(below: Int(length - count + 1)))
    }
    let from = request.release / LinkPieces.slot + first
    let (start, end) = (from * LinkPieces.slot, (from + count) * LinkPieces.slot)
    let piece = link.piece(at: start)
    let level = link.levels[piece]
    let middle =
      isLate || random.next(below: 2) == 0 ? RateGrid.outage : setting.prior.draw(&random)
    guard level != RateGrid.outage, link.starts[piece] < start, end < link.end(piece),
      from + count <= slots
    else { return }
    tried.copy(link)
    tried.insert(after: piece, start: end, level: level)
    tried.insert(after: piece, start: start, level: middle)
    // The ratio is that of a dip that was not aimed: the more chances it gets here, the sooner
    // it is found.
    decide(
      from: start, until: end,
      ratio: ratio(ofDip: middle, in: level, returning: level, slots: count)
        - setting.logarithm(UInt64(link.count)))
  }
}
