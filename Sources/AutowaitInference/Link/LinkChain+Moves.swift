import Autowait

/// Moves that change no more than rates and times.
extension LinkChain {
  /// How far a rate moves at most, in levels, and a time, in slots.
  private static let levelScales = [4, 24, 120, 480]
  private static let slotScales = [3, 25, 200]

  /// Changes the rate of a piece a little, or much.
  mutating func changeRate() {
    let piece = draw(below: link.count)
    let scale = Self.levelScales[draw(below: Self.levelScales.count)]
    let level = link.levels[piece]
    let other = level + drawShift(scale)
    guard level != RateGrid.outage, 1..<RateGrid.count ~= other else { return }
    setLevel(piece, other)
    decide(
      from: link.starts[piece], until: link.end(piece), ratio: difference(other, level))
  }

  /// Draws the rate of a piece again, as if nothing were known.
  mutating func redraw() {
    let piece = draw(below: link.count)
    let other = setting.prior.draw(&random)
    if other == link.levels[piece] { return }
    setLevel(piece, other)
    decide(from: link.starts[piece], until: link.end(piece), ratio: 0)
  }

  /// Moves a change.
  mutating func shift() {
    guard let (piece, start) = shifted() else { return }
    tried.copy(link)
    tried.setStart(piece, start)
    decide(
      from: min(start, link.starts[piece]), until: max(start, link.starts[piece]), ratio: 0)
  }

  /// A change, and where it moves; nil if that is not between its neighbours.
  private mutating func shifted() -> (piece: Int, start: Int64)? {
    if link.count < 2 { return nil }
    let piece = 1 + draw(below: link.count - 1)
    let slots = drawShift(Self.slotScales[draw(below: Self.slotScales.count)])
    let start = link.starts[piece] + Int64(slots) * LinkPieces.slot
    guard start > link.starts[piece - 1], start < end(piece) else { return nil }
    return (piece, start)
  }

  /// The end of a piece; that of the last is the end of the log.
  private func end(_ piece: Int) -> Int64 {
    piece + 1 < link.count ? link.starts[piece + 1] : (slots + 1) * LinkPieces.slot
  }

  /// Moves a change while a neighbour's rate pays, so that both pieces carry what they did.
  mutating func shiftKeepingBytes() {
    guard let (piece, start) = shifted() else { return }
    let (isEarlierPaying, jitter) = (random.next(below: 2) == 0, draw(below: 3) - 1)
    let (left, right) = (piece - 1, piece)
    let before = (start: link.starts[left], change: link.starts[piece], end: end(piece))
    let payer = isEarlierPaying ? left : right
    let rates = (
      setting.grid.rates[link.levels[left]], setting.grid.rates[link.levels[right]]
    )
    let carried = carried(rates, (before.start, before.change, before.end))
    guard
      let level = paying(
        carried, rates, (before.start, start, before.end), isEarlier: isEarlierPaying),
      1..<RateGrid.count ~= level + jitter
    else { return }
    // The way back must find the old rate within its own jitter.
    let paid = level + jitter
    var after = rates
    if isEarlierPaying {
      after.0 = setting.grid.rates[paid]
    } else {
      after.1 = setting.grid.rates[paid]
    }
    let carriedAfter = self.carried(after, (before.start, start, before.end))
    guard
      let back = paying(
        carriedAfter, after, (before.start, before.change, before.end),
        isEarlier: isEarlierPaying),
      abs(back - link.levels[payer]) <= 1
    else { return }
    tried.copy(link)
    tried.setStart(piece, start)
    tried.setLevel(payer, paid)
    decide(
      from: before.start, until: link.end(piece),
      ratio: difference(paid, link.levels[payer]))
  }

  /// Trades rate between neighbours, so that both together carry what they did.
  mutating func trade() {
    if link.count < 2 { return }
    let piece = draw(below: link.count - 1)
    let places = (link.starts[piece], link.starts[piece + 1], end(piece + 1))
    let jitter = draw(below: 3) - 1
    let level = link.levels[piece]
    let other = level + drawShift(Self.levelScales[draw(below: Self.levelScales.count)])
    guard level != RateGrid.outage, 1..<RateGrid.count ~= other else { return }
    var rates = (
      setting.grid.rates[level], setting.grid.rates[link.levels[piece + 1]]
    )
    let carried = carried(rates, places)
    rates.0 = setting.grid.rates[other]
    guard let middle = paying(carried, rates, places, isEarlier: false),
      1..<RateGrid.count ~= middle + jitter
    else { return }
    let paid = middle + jitter
    rates.1 = setting.grid.rates[paid]
    let carriedAfter = self.carried(rates, places)
    rates.0 = setting.grid.rates[level]
    guard let back = paying(carriedAfter, rates, places, isEarlier: false),
      abs(back - link.levels[piece + 1]) <= 1
    else { return }
    tried.copy(link)
    tried.setLevel(piece, other)
    tried.setLevel(piece + 1, paid)
    decide(
      from: places.0, until: link.end(piece + 1),
      ratio: difference(other, level) + difference(paid, link.levels[piece + 1]))
  }

  /// What two pieces carry.
  private func carried(
    _ rates: (Int64, Int64), _ places: (start: Int64, change: Int64, end: Int64)
  ) -> Int64 {
    rates.0 * ((places.change - places.start) / LinkPieces.slot)
      + rates.1 * ((places.end - places.change) / LinkPieces.slot)
  }

  /// The level with which one of two pieces carries what the other does not; nil for none.
  private func paying(
    _ carried: Int64, _ rates: (Int64, Int64),
    _ places: (start: Int64, change: Int64, end: Int64), isEarlier: Bool
  ) -> Int? {
    let lengths = (
      (places.change - places.start) / LinkPieces.slot,
      (places.end - places.change) / LinkPieces.slot
    )
    let rest = isEarlier ? carried - rates.1 * lengths.1 : carried - rates.0 * lengths.0
    let length = isEarlier ? lengths.0 : lengths.1
    if length <= 0 || rest < RateGrid.rateMin * length { return nil }
    return setting.grid.level(of: rest / length)
  }

  private mutating func setLevel(_ piece: Int, _ level: Int) {
    tried.copy(link)
    tried.setLevel(piece, level)
  }

  /// How much more likely one level is than another before anything is known.
  func difference(_ level: Int, _ other: Int) -> Int64 {
    setting.prior.logarithms[level] - setting.prior.logarithms[other]
  }
}
