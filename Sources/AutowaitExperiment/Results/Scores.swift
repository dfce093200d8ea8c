/// What others make of sessions, by their names and with their numbers.
///
/// Scores are in millionths and are summed, so that means over sessions follow; each takes only the
/// sessions that its owner takes.
package struct Scores: Hashable, Sendable {
  /// A mean of millionths.
  package struct Mean: Hashable, Sendable {
    /// The sum.
    package private(set) var sum: Int128 = 0
    /// The sessions.
    package private(set) var count: Int64 = 0

    /// The mean in millionths, rounded down; nil without sessions.
    package var value: Int64? {
      if count == 0 { return nil }
      let (quotient, remainder) = sum.quotientAndRemainder(dividingBy: Int128(count))
      return Int64(clamping: remainder < 0 ? quotient - 1 : quotient)
    }

    mutating func add(_ score: Int128) {
      sum += score
      count += 1
    }
  }

  /// Mux startup score: 100 · 8 / (8 + t) for a startup of t seconds; sessions that never started
  /// have none.
  ///
  /// Source: Mux, "Startup time metric".
  package private(set) var muxStartup = Mean()
  /// Mux smoothness: the mean of 100 / √(1 + (n/2)²) for n stalls and of 100 · e^(−10 f) for the
  /// share f of the time that was stalled.
  ///
  /// Source: Mux, "Smoothness metric".
  package private(set) var muxSmoothness = Mean()
  /// Mux playback success: 100, or 50 if the viewer gave up after a second of waiting, or 0 for a
  /// failure; less waiting than that has no score.
  ///
  /// Source: Mux, "Playback success metric".
  package private(set) var muxPlaybackSuccess = Mean()
  /// Yin's linear quality with the weights "balanced": rates in kbit/s, changes of rate, 3,000 for
  /// a second of stalls and of startup.
  ///
  /// Source: Yin et al., SIGCOMM 2015; streams only.
  package private(set) var yinBalanced = Mean()
  /// The same, with changes of rate weighing three times as much ("avoid instability").
  package private(set) var yinAvoidInstability = Mean()
  /// The same, with 6,000 for a second of waiting ("avoid rebuffering").
  package private(set) var yinAvoidRebuffering = Mean()
  /// Pensieve's linear quality: rates in Mbit/s, changes of rate, 4.3 for a second of stalls.
  ///
  /// Source: `sim/multi_agent.py` of Pensieve, whose sums leave the first chunk out, and with it
  /// the first delay, which its environment books as a stall; streams only.
  package private(set) var pensieveLinear = Mean()

  /// Creates the scores of no sessions.
  package init() {}

  /// Returns the scores of some sessions.
  package static func of(_ rows: [SessionRow]) -> Scores {
    var scores = Scores()
    for row in rows { scores.add(row) }
    return scores
  }

  mutating func add(_ row: SessionRow) {
    let second: Int128 = 1_000_000_000
    let startup = Int128(row.startup)
    let stalled = Int128(row.stalled)
    if row.isStarted {
      muxStartup.add(100 * 8 * second * 1_000_000 / (8 * second + startup))
      muxSmoothness.add(Self.smoothness(row))
    }
    switch row.outcome {
    case .ended, .unfinished: muxPlaybackSuccess.add(100_000_000)
    case .failed, .eventLimit, .error: muxPlaybackSuccess.add(0)
    case .neverStarted: if startup >= second { muxPlaybackSuccess.add(50_000_000) }
    }
    guard let sum = row.qualitySum, let change = row.qualityChange else { return }
    // Millionths of a kbit/s are thousandths of a bit/s.
    func yin(_ changeWeight: Int128, _ waitingWeight: Int128) -> Int128 {
      (Int128(sum) - changeWeight * Int128(change)) * 1_000
        - waitingWeight * (startup + stalled) / 1_000
    }
    yinBalanced.add(yin(1, 3_000))
    yinAvoidInstability.add(yin(3, 3_000))
    yinAvoidRebuffering.add(yin(1, 6_000))
    // Millionths of a Mbit/s are bit/s; 4.3 in millionths for 10⁹ ns is 43 for 10⁴.
    pensieveLinear.add(Int128(sum) - Int128(change) - 43 * stalled / 10_000)
  }

  private static func smoothness(_ row: SessionRow) -> Int128 {
    let stalls = UInt128(row.stallCount)
    let frequency = root(200_000_000 * 200_000_000 / (4 + stalls * stalls))
    let all = UInt128(row.stalled) + UInt128(row.played)
    let exponent = all == 0 ? 0 : ((UInt128(row.stalled) * 10) << 32) / all
    return Int128(frequency + ((power(minus: exponent) * 100_000_000) >> 60)) / 2
  }

  /// The whole part of a square root, by Newton's way.
  private static func root(_ number: UInt128) -> UInt128 {
    if number < 2 { return number }
    var guess = UInt128(1) << UInt128((128 - number.leadingZeroBitCount + 1) / 2)
    while true {
      let next = (guess + number / guess) / 2
      if next >= guess { return guess }
      guess = next
    }
  }

  /// Returns e to the power of minus a number, in parts of 2⁶⁰; the number is in parts of 2³².
  ///
  /// It is the power of a 1,024th, by five terms of the series, squared ten times.
  private static func power(minus number: UInt128) -> UInt128 {
    let one = UInt128(1) << 60
    let small = number << 18
    var term = one
    var sum = Int128(one)
    for place in 1...5 {
      term = (term * small) >> 60
      term /= UInt128(place)
      sum += place % 2 == 0 ? Int128(term) : -Int128(term)
    }
    var result = UInt128(sum)
    for _ in 0..<10 { result = (result * result) >> 60 }
    return result
  }
}
