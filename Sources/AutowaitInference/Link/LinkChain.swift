import Autowait

/// A Markov chain over links of a few rates whose requests are over when they were in the log.
///
/// A step changes the link in one place, follows the requests that this concerns, and keeps the
/// change with the chance that makes links as frequent in the chain as they are likely: Green's
/// reversible jumps (1995), for which each move knows how likely the way back is. All numbers are
/// whole, so that equal seeds take equal ways on any machine.
struct LinkChain: Sendable {
  /// What is known before the chain runs.
  struct Setting: Sendable {
    let logarithm: FixedLogarithm
    let grid: RateGrid
    let prior: RatePrior
    let log: ModelledLog
    let model: LinkModel

    init(_ log: ModelledLog, _ model: LinkModel) {
      logarithm = FixedLogarithm()
      grid = RateGrid(logarithm)
      prior = RatePrior(around: grid.level(of: log.busyRate), logarithm)
      (self.log, self.model) = (log, model)
    }
  }

  let setting: Setting
  var random: RandomStream
  /// The link at hand, and the one that is tried.
  var link: LinkPieces
  var tried: LinkPieces
  var transfers: TransferModel
  /// The logarithm of how likely each request is on the link at hand, and all together.
  private var likelihoods: [Int64]
  private(set) var likelihood: Int64 = 0
  /// The logarithm of how much more likely the link at hand is for the rates after its outages.
  private var returns: Int64 = 0
  /// The logarithm of three times the square of each request's error.
  private let scales: [(square: UInt64, logarithm: Int64)]
  /// The longest requests, in which burn-in looks for what is missing.
  let longest: [Int]
  /// How many slots a change may be in.
  let slots: Int64
  /// The temperature, in parts of 1,024.
  private(set) var heat: Int64 = 1_024
  private(set) var steps = 0

  init(_ setting: Setting, from link: LinkPieces, seed: UInt64, number: Int) {
    self.setting = setting
    (self.link, tried) = (link, link)
    random = RandomStream(seed: seed, component: "inference", purpose: "chain \(number)")
    transfers = TransferModel(setting.log, setting.model, setting.grid)
    scales = setting.log.requests.map { request in
      let error = UInt64(min(request.sigma, 1 << 29))
      return (3 * error * error, setting.logarithm(3 * error * error))
    }
    likelihoods = [Int64](repeating: 0, count: setting.log.requests.count)
    let requests = setting.log.requests
    longest = Array(
      requests.indices.filter { !requests[$0].isUnread }.sorted {
        let (one, other) = (requests[$0], requests[$1])
        return (other.recorded - other.release, $0) < (one.recorded - one.release, $1)
      }.prefix(8))
    slots = max(1, (setting.log.end - 1) / LinkPieces.slot)
    start()
  }

  /// Takes the link at hand as it is.
  private mutating func start() {
    let end = transfers.run(link, from: 0, until: .max)
    for place in 0..<end { likelihoods[place] = likelihood(of: place) }
    likelihood = likelihoods.reduce(0, +)
    transfers.take(0..<end)
    returns = setting.prior.logarithm(ofReturnsIn: link)
  }

  /// The logarithm of how likely it is that a request was over when it was, if it is over when the
  /// link that is tried says, or that as much of it had come when it timed out: Student's t of
  /// three degrees, which forgives a few that are far off.
  @inline(__always)
  private func likelihood(of place: Int) -> Int64 {
    let away = transfers.triedError(of: place)
    let error = UInt64(min(away, 1 << 30))
    let scale = scales[place]
    let alike = -2 * (setting.logarithm(scale.square + error * error) - scale.logarithm)
    let (span, rest) = transfers.triedLateness[place]
    let request = setting.log.requests[place]
    if span == 0 || request.isTimedOut || request.isUnread { return alike }
    // Half of all senders are taken to be late after an outage, by any time up to the longest; of
    // those some are so no more when a later request is sent.
    let twice = setting.logarithm(UInt64(2 * span))
    let onTime = alike + setting.logarithm(UInt64(2 * span - rest)) - twice
    let late = request.recorded - transfers.triedDone[place]
    if late < 0 || late > rest || span <= request.sigma { return onTime }
    return max(onTime, setting.logarithm(UInt64(request.sigma)) - twice + Self.lateness)
  }

  /// The logarithm of √3·π/2: by that Student's t with three degrees is lower than one at its
  /// highest, where errors are counted in widths.
  private static let lateness: Int64 = 6_201_835_622

  /// Takes some steps at a temperature.
  mutating func run(_ count: Int) {
    for _ in 0..<count { step() }
  }

  /// Takes some steps while a temperature falls from 41 to 1, and the best link so far gets ever
  /// harder to leave.
  mutating func burnIn(_ count: Int) {
    for number in 0..<count {
      let rest = Int64(count - number) * 1_024 / Int64(count)
      heat = 1_024 + 40 * (rest * rest / 1_024 * rest / 1_024)
      if random.next(below: 100) < 15, !longest.isEmpty { aimedBirth() } else { step() }
    }
    heat = 1_024
  }

  private mutating func step() {
    steps += 1
    switch random.next(below: 100) {
    case ..<30: changeRate()
    case ..<35: redraw()
    case ..<52: shift()
    case ..<60: shiftKeepingBytes()
    case ..<66: trade()
    case ..<76: birth()
    case ..<86: death()
    case ..<93: pairBirth()
    default: pairDeath()
    }
  }

  /// Keeps what is tried, or not.
  ///
  /// The ratio is that of what was likely before, times that of the ways back and forth.
  mutating func decide(from start: Int64, until end: Int64, ratio: Int64) {
    let chance = setting.logarithm(random.next() | 1) - 64 * FixedLogarithm.one
    let first = transfers.first(changedFrom: start)
    let reach = max(link.reach(from: start, until: end), tried.reach(from: start, until: end))
    let last = transfers.run(tried, from: first, until: reach)
    var difference: Int64 = 0
    for place in first..<last { difference += likelihood(of: place) - likelihoods[place] }
    let triedReturns = setting.prior.logarithm(ofReturnsIn: tried)
    if difference * 1_024 / heat + ratio + triedReturns - returns < chance { return }
    returns = triedReturns
    for place in first..<last { likelihoods[place] = likelihood(of: place) }
    likelihood += difference
    transfers.take(first..<last)
    swap(&link, &tried)
  }

  /// A whole number from zero up to a bound.
  mutating func draw(below bound: Int) -> Int { Int(random.next(below: UInt64(bound))) }

  /// A whole number up to a bound on either side of zero, but not zero.
  mutating func drawShift(_ most: Int) -> Int {
    let number = draw(below: 2 * most)
    return number < most ? number - most : number - most + 1
  }

  /// The logarithm of what is likely of a link before anything is known.
  var prior: Int64 {
    let levels = link.levels.reduce(Int64(0)) { $0 + setting.prior.logarithms[$1] }
    return levels + returns + Int64(link.count - 1) * setting.prior.logarithmOfChange
  }
}
