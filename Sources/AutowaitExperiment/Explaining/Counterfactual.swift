import Autowait

/// The least that would have had to be otherwise for a stall not to happen.
package struct Counterfactual: Hashable, Sendable {
  /// With this the stall does not happen.
  package let remedy: Remedy
  /// With this, one step less, it does; nil for what has no steps.
  package let other: Remedy?
  /// Whether more never made it worse where that was looked at.
  package let isMonotone: Bool

  /// Returns what would have spared a player a stall, each found by running it.
  package static func all(of stall: Int, in whatIf: inout WhatIf) -> [Counterfactual] {
    var search = CounterfactualSearch(stall, whatIf)
    let found = [
      search.later(), search.startBuffer(), search.bufferTarget(), search.bufferSize(),
      search.variant(),
      search.mediaRate(), search.linkRate(), search.outage(), search.step(),
    ].compactMap { $0 }
    whatIf = search.whatIf
    return found
  }
}

/// Searches by running: a few values show whether more is always better, and if so the least one is
/// found by halves; else 200 values are run first.
private struct CounterfactualSearch {
  let stall: Int
  var whatIf: WhatIf

  private static let fewCount: Int64 = 12
  private static let scanCount: Int64 = 200

  init(_ stall: Int, _ whatIf: WhatIf) { (self.stall, self.whatIf) = (stall, whatIf) }

  private var outline: RunOutline.PlayerOutline { whatIf.outline.players[whatIf.player] }
  private var player: PlayerConfiguration { whatIf.world.players[whatIf.player] }

  /// Playback begins so many milliseconds later.
  mutating func later() -> Counterfactual? {
    guard let first = outline.firstPlayed else { return nil }
    let stalled = outline.stoppages.reduce(Int64(0)) { $0 + $1.span.nanoseconds }
    let most = max(60_000, stalled / 1_000_000 * 2)
    return least(most) { .play(at: first + .milliseconds($0)) }
  }

  /// Playback begins with so many milliseconds of media.
  mutating func startBuffer() -> Counterfactual? {
    let most = min(600_000, longest)
    return least(most) { .startBuffer(MediaTime(nanoseconds: $0 * 1_000_000)) }
  }

  /// The player loads so many milliseconds ahead, if it has stopped loading at all.
  mutating func bufferTarget() -> Counterfactual? {
    let limited = whatIf.effective([.bufferLimit])
    if limited.isEmpty || !whatIf.isAvoided(stall, with: .bufferLimit) { return nil }
    return least(min(600_000, longest)) {
      .bufferTarget(MediaTime(nanoseconds: max(1, $0) * 1_000_000))
    }
  }

  /// The player loads so many kB more ahead, if that is what has stopped it.
  mutating func bufferSize() -> Counterfactual? {
    guard let size = player.bufferSize, size.bytes < 1 << 40 else { return nil }
    let (now, most) = (size.bytes / 1_000, Int64(1_000_000))
    let free = Remedy.bufferSize(kilobytes: now + most)
    // What no limit at all does not help, more data does not.
    if whatIf.effective([.bufferLimit]).isEmpty || !whatIf.isAvoided(stall, with: .bufferLimit)
      || !whatIf.isAvoided(stall, with: free)
    {
      return nil
    }
    return least(most) { .bufferSize(kilobytes: now + $0) }
  }

  private var longest: Int64 {
    player.media.reduce(Int64(1)) { max($0, $1.duration.nanoseconds / 1_000_000) }
  }

  /// The highest peak rate of a variant that lets playback go on.
  mutating func variant() -> Counterfactual? {
    let all = player.media.compactMap { $0.streamMedia }.flatMap { $0.variants }
    let rates = all.map { $0.bandwidth }.sorted { $0 > $1 }
    var other: Remedy?
    var (answers, found): ([Bool], Counterfactual?) = ([], nil)
    for (place, rate) in rates.enumerated() where place == 0 || rates[place - 1] != rate {
      let remedy = Remedy.variant(max: rate)
      // The highest one is what the run had.
      let isAvoided = place > 0 && whatIf.isAvoided(stall, with: remedy)
      answers.append(isAvoided)
      if isAvoided, found == nil {
        found = Counterfactual(remedy: remedy, other: other, isMonotone: true)
      }
      other = place == 0 ? nil : remedy
    }
    guard let found else { return nil }
    let isMonotone = answers.drop { !$0 }.allSatisfy { $0 }
    return Counterfactual(remedy: found.remedy, other: found.other, isMonotone: isMonotone)
  }

  /// The media has as many kbit/s less as it takes.
  mutating func mediaRate() -> Counterfactual? {
    guard let media = player.media.first, player.media.count == 1 else { return nil }
    let kilobits: Int64
    if let stream = media.streamMedia {
      guard stream.variants.count == 1 else { return nil }
      kilobits = stream.variants[0].bandwidth.bitsPerSecond / 1_000
    } else {
      let nanoseconds = UInt128(UInt64(media.duration.nanoseconds))
      kilobits = Int64(clamping: media.size.nanobits / nanoseconds / 1_000)
    }
    if kilobits < 2 { return nil }
    return least(kilobits - 1) { .mediaRate(kilobits: kilobits - $0, of: kilobits) }
  }

  /// The link has so many kbit/s more on average.
  mutating func linkRate() -> Counterfactual? {
    guard let mean = whatIf.world.meanKilobits(until: whatIf.outline.end) else { return nil }
    return least(mean * 9) { .linkRate(kilobits: mean + $0, of: mean) }
  }

  /// Outages last so many milliseconds less.
  mutating func outage() -> Counterfactual? {
    if whatIf.effective([.outages(max: .zero)]).isEmpty { return nil }
    if !whatIf.isAvoided(stall, with: .outages(max: .zero)) { return nil }
    let span = (whatIf.outline.end - .start).nanoseconds / 1_000_000
    return least(span) { .outages(max: .milliseconds(span - $0)) }
  }

  /// A step of the script is left out.
  mutating func step() -> Counterfactual? {
    for index in whatIf.world.script.indices.prefix(40)
    where whatIf.isAvoided(stall, with: .step(index)) {
      return Counterfactual(remedy: .step(index), other: nil, isMonotone: true)
    }
    return nil
  }

  /// Returns the least value up to a most with which the stall does not happen; with zero it does.
  private mutating func least(_ most: Int64, _ remedy: (Int64) -> Remedy) -> Counterfactual? {
    if most < 1 { return nil }
    let few = (1...Self.fewCount).map { place in
      // Close together where values are small: answers are mostly there.
      max(1, Int64(Int128(most) * Int128(place * place) / Int128(Self.fewCount * Self.fewCount)))
    }
    var (answers, low, high) = ([Bool](), Int64(0), Int64?.none)
    for value in few {
      let isAvoided = whatIf.isAvoided(stall, with: remedy(value))
      answers.append(isAvoided)
      if high == nil { if isAvoided { high = value } else { low = value } }
    }
    guard high != nil else { return nil }
    let isMonotone = answers.drop { !$0 }.allSatisfy { $0 }
    if !isMonotone {
      (low, high) = (0, nil)
      for place in 1...Self.scanCount where high == nil {
        let value = max(1, Int64(Int128(most) * Int128(place) / Int128(Self.scanCount)))
        if whatIf.isAvoided(stall, with: remedy(value)) { high = value } else { low = value }
      }
    }
    guard var high else { return nil }
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if whatIf.isAvoided(stall, with: remedy(middle)) { high = middle } else { low = middle }
    }
    return Counterfactual(
      remedy: remedy(high), other: low == 0 ? nil : remedy(low), isMonotone: isMonotone)
  }
}
