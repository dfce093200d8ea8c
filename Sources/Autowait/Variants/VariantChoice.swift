/// Chooses among the variants of a stream.
struct VariantChoice: Sendable {
  private struct Ladder {
    /// The variants that may be played, by ascending peak rate.
    let playable: [Int]
    /// Of each rate among them the first one; the others are its backups (WWDC17 514).
    let rungs: [Int]
    /// The peak rates of the rungs.
    let rates: [BitRate]
    /// The first of them in the playlist.
    let firstEligible: Int?
    /// The stream, which knows the rates of all variants.
    let shared: SharedStreamMedia

    init(_ playable: [Int], firstEligible: Int?, _ shared: SharedStreamMedia) {
      (self.playable, self.firstEligible, self.shared) = (playable, firstEligible, shared)
      let all = shared.rates
      var (rungs, rates): ([Int], [BitRate]) = ([], [])
      rungs.reserveCapacity(playable.count)
      rates.reserveCapacity(playable.count)
      for variant in playable where rates.last != all[variant] {
        rungs.append(variant)
        rates.append(all[variant])
      }
      (self.rungs, self.rates) = (rungs, rates)
    }
  }

  /// The one ladder: to copy the choice is to keep one reference, and not four.
  private var ladder: [Ladder]

  private var playable: [Int] { ladder[0].playable }
  private var rungs: [Int] { ladder[0].rungs }
  private var rates: [BitRate] { ladder[0].rates }
  private var shared: SharedStreamMedia { ladder[0].shared }
  private var allRates: [BitRate] { shared.rates }

  /// Prepares the choice within some limits.
  init(_ shared: SharedStreamMedia, _ limits: VariantLimits) {
    if limits.allowsAll(of: shared.parts.variants) {
      let first = shared.rates.isEmpty ? nil : 0
      ladder = [Ladder(shared.byRate, firstEligible: first, shared)]
    } else {
      let eligible = limits.eligible(in: shared.parts)
      let playable = shared.byRate.filter { eligible.contains($0) }
      ladder = [Ladder(playable, firstEligible: eligible.first, shared)]
    }
    assertInvariants()
  }

  /// The rungs are variants, each once, and their rates ascend.
  private func assertInvariants() {
    assert(rungs.count == rates.count, "\(rungs.count) rungs with \(rates.count) rates")
    assert(rungs.allSatisfy(allRates.indices.contains), "a rung that is no variant")
    assert(
      zip(rates, rates.dropFirst()).allSatisfy { $0 < $1 }, "the rates of the rungs must ascend")
  }

  /// Returns the variant that is played first; nil if none can be.
  func first(_ policy: AdaptationPolicy, of streamMedia: StreamMedia) -> Int? {
    if let variant = VariantScriptState(policy)?.variant(of: 0) { return variant }
    if policy.startsOnFirstEligibleVariant || rungs.isEmpty { return ladder[0].firstEligible }
    if policy.rule.readsFillRate, let remembered = policy.history {
      let estimate = VariantEstimate(
        received: DataAmount(remembered, for: .seconds(1)), open: .seconds(1))
      return rungs[highestByMean(estimate, policy.startupClimb ?? policy.climb)]
    }
    guard let expected = policy.expectedBitRate else { return ladder[0].firstEligible }
    let fitting = rungs.indices.last { rates[$0] <= expected } ?? 0
    guard let least = policy.acceptableResolution else { return rungs[fitting] }
    let acceptable = rungs.indices.first { rung in
      rung >= fitting && streamMedia.variants[rungs[rung]].resolution?.covers(least) == true
    }
    return rungs[acceptable ?? fitting]
  }

  /// The variant some rungs below another one.
  func below(_ variant: Int, by count: Int) -> Int {
    rungs.isEmpty ? variant : rungs[max(0, rung(of: variant) - count)]
  }

  /// Returns what is played for a variant that is wanted, if its rate is lower than another one's.
  func lower(_ wanted: Int?, than present: Int) -> Int? {
    guard let wanted else { return nil }
    let other = allowed(wanted)
    return allRates[other] < allRates[present] ? other : nil
  }

  /// Returns what is played for a variant that a rule wants instead of another one: a simulator's
  /// only if its rate is lower, a player's in any case.
  func replacement(_ wanted: Int?, for present: Int, isOfPlayer: Bool) -> Int? {
    guard let wanted, isOfPlayer else { return lower(wanted, than: present) }
    return allowed(wanted)
  }

  /// Returns another variant instead of one that cannot be loaded: one of the same rate, or the
  /// next lower one, or else the next higher one.
  func other(than failed: Int, without lost: [Int]) -> Int? {
    let left = playable.filter { !lost.contains($0) }
    let lower = left.last { allRates[$0] <= allRates[failed] }
    let rate = lower.map { allRates[$0] }
    return left.first { allRates[$0] == rate } ?? left.first
  }

  /// Takes variants out of the choice; if no other may be played, one that may not is better.
  mutating func exclude(_ lost: [Int]) {
    let allowed = playable.filter { !lost.contains($0) }
    let others = allRates.indices.filter { !lost.contains($0) }
      .sorted { (allRates[$0], $0) < (allRates[$1], $1) }
    if allowed.isEmpty && others.isEmpty { return }
    let playable = allowed.isEmpty ? others : allowed
    ladder = [Ladder(playable, firstEligible: ladder[0].firstEligible, shared)]
    assertInvariants()
  }

  /// Whether there is nothing to go down to.
  func isLowest(_ variant: Int) -> Bool { rung(of: variant) == 0 }

  /// Returns the variant of a segment, given the variant of the segment before and what was
  /// measured, if that was enough.
  @inline(always)
  func next(
    _ segment: Int, after present: Int, _ look: ChoiceLook, _ policy: AdaptationPolicy
  ) -> Int {
    switch policy.rule {
    // What such a rule chooses its driver says, or the throughput of the last segments.
    case .fixed, .modelled, .throughput: return allowed(present)
    case .scripted(let script): return script.variant(of: segment) ?? present
    case .avfoundation:
      guard let estimate = look.estimate, !rungs.isEmpty else { return allowed(present) }
      let here = rung(of: present)
      let best = highestByMean(estimate, min(policy.climb(estimate), look.partMax))
      if best >= here {
        if !look.mayClimb { return rungs[here] }
        guard let most = policy.climbRungsMax, here + most < best else { return rungs[best] }
        // Means are in no order: a rung below one that is allowed may need more than it.
        let part = min(policy.climb(estimate), look.partMax)
        return rungs[max(here, highestByMean(estimate, part, upTo: here + most))]
      }
      return estimate.allows(shared.switchRates[rungs[here]], part: look.partMax)
        ? rungs[here] : rungs[best]
    }
  }

  /// Returns the variant that the throughput rule chooses, as `next` does.
  @inline(__always)
  func next(_ history: ThroughputHistory, after present: Int, safety: Int64) -> Int {
    guard let estimate = history.estimate, !rungs.isEmpty else { return allowed(present) }
    return rungs[highest(estimate, safety)]
  }

  /// The highest rung that needs at most a part of what was measured; the lowest if none does.
  @inline(__always)
  private func highest(_ estimate: VariantEstimate, _ part: Int64) -> Int {
    let bound = estimate.bound(part: part)
    var rung = rates.count - 1
    while rung > 0, !bound.allows(rates[rung]) { rung -= 1 }
    assert(rung < rates.count, "rung \(rung) of \(rates.count)")
    return max(rung, 0)
  }

  /// The highest rung whose mean rate is at most a part of what was measured, or the lowest one.
  @inline(__always)
  private func highestByMean(
    _ estimate: VariantEstimate, _ part: Int64, upTo top: Int = .max
  ) -> Int {
    let bound = estimate.bound(part: part)
    var rung = min(top, rungs.count - 1)
    while rung > 0, !bound.allows(shared.switchRates[rungs[rung]]) { rung -= 1 }
    return max(rung, 0)
  }

  /// The variant itself, or the one that comes nearest to it within the limits.
  func allowed(_ variant: Int) -> Int { rungs.isEmpty ? variant : rungs[rung(of: variant)] }

  /// The rung of a variant; of one that is none any more, the highest rung that needs no more.
  private func rung(of variant: Int) -> Int {
    rungs.firstIndex(of: variant) ?? rates.lastIndex { $0 <= allRates[variant] } ?? 0
  }
}

/// What the choice of a segment's variant goes by, besides the policy.
struct ChoiceLook: Sendable {
  /// What was measured; nil if that is too little.
  let estimate: VariantEstimate?
  /// The part of it, in millionths, that a variant may need at most for its segments to come while
  /// what is ahead lasts.
  let partMax: Int64
  /// Whether it is long enough since the variant last changed for another climb.
  let mayClimb: Bool

  /// Looks at what was measured, at the media that is ahead when loading goes on, if that is
  /// limited, and at when the variant last changed.
  @inline(__always)
  init(
    _ estimate: VariantEstimate?, resumesAt mark: MediaTime?, segment: MediaTime,
    sinceChange: TimeSpan, _ policy: AdaptationPolicy
  ) {
    self.estimate = estimate
    mayClimb = sinceChange >= policy.climbInterval
    guard let mark, mark < segment else {
      partMax = 1_000_000
      return
    }
    // A segment of rate r takes its duration times r ÷ the measured rate. Rounded down.
    let part = Int128(mark.nanoseconds) * 1_000_000 / Int128(segment.nanoseconds)
    partMax = max(1, Int64(part))
  }
}
