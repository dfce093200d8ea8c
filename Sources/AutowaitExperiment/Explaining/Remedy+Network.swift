import Autowait

// What remedies do to the network.

extension World {
  /// Changes the links and what shares them.
  mutating func changeNetwork(by remedy: Remedy) -> Bool {
    switch remedy {
    case .traffic:
      if traffic.isEmpty { return false }
      traffic = []
    case .linkChanges:
      linkChanges = []
      for place in links.indices {
        links[place].events.removeAll { event in
          if case .handover = event.kind { true } else { false }
        }
      }
      return keepLink()
    case .outages(let longest):
      for place in links.indices { links[place].cutOutages(to: longest) }
    case .loss: changeDirections { $0.loseNothing() }
    case .queue: changeDirections { $0.queue = .unlimited }
    case .roundTrips:
      changeDirections { direction in
        direction.jitter = nil
        direction.track = direction.track.mapped { $0.delay = .zero }
      }
    case .slowStretches:
      let span = horizon - .start
      for place in links.indices { links[place].down.track.raiseSlowStretches(within: span) }
    case .linkRate(let kilobits, let old):
      changeDirections { direction in
        direction.track = direction.track.mapped { sample in
          sample.rate = sample.rate.scaled(by: kilobits, over: old)
        }
      }
    case .faults, .keys, .playlists, .serverDelay, .slowStart, .idleRestart, .appDelay, .delegate,
      .variant, .impatience, .bufferLimit, .mediaRate, .play, .startBuffer, .bufferTarget,
      .bufferSize, .step:
      return false
    }
    return true
  }

  private mutating func changeDirections(_ body: (inout LinkDirection) -> Void) {
    for place in links.indices {
      body(&links[place].down)
      body(&links[place].up)
    }
  }

  /// Lets the steps that change the link name the one that holds at the start.
  private mutating func keepLink() -> Bool {
    for place in script.indices {
      if case .useLink = script[place].action { script[place].action = .useLink(track: 0) }
    }
    return true
  }

  /// The mean rate of the link up to an instant, in kbit/s; nil if it has no bound or none at all,
  /// or if only the run tells which link holds when.
  package func meanKilobits(until end: Instant) -> Int64? {
    let handovers = links[0].events.contains { event in
      if case .handover(let handover) = event.kind { handover.link != nil } else { false }
    }
    let usesLinks = script.contains { if case .useLink = $0.action { true } else { false } }
    if handovers || usesLinks || end <= .start { return nil }
    var bits = UInt128(0)
    let all = [LinkChange(at: .start, link: 0)] + linkChanges
    for (place, change) in all.enumerated() where change.instant < end {
      let last = place + 1 < all.count ? min(all[place + 1].instant, end) : end
      let track = links[change.link].shown.down.track
      let elapsed = change.elapsed + (last - change.instant)
      guard let whole = track.nanobits(within: elapsed),
        let before = track.nanobits(within: change.elapsed)
      else { return nil }
      bits += whole - min(whole, before)
    }
    let mean = Int64(clamping: bits / UInt128(UInt64((end - .start).nanoseconds)) / 1_000)
    return mean > 0 ? mean : nil
  }
}

extension LinkProfile {
  fileprivate mutating func cutOutages(to longest: TimeSpan) {
    for place in events.indices {
      switch events[place].kind {
      case .blackout(let span, let drops):
        events[place].kind = .blackout(min(span, longest), drops: drops)
      case .offline(let span): events[place].kind = .offline(min(span, longest))
      case .handover(var handover):
        handover.gap = min(handover.gap, longest)
        events[place].kind = .handover(handover)
      }
    }
    if longest == .zero {
      events.removeAll { event in
        if case .handover = event.kind { false } else { true }
      }
    }
    down.track = down.track.withOutages(cutTo: longest)
    up.track = up.track.withOutages(cutTo: longest)
  }
}

extension LinkDirection {
  fileprivate mutating func loseNothing() {
    loss = .none
    reorder = nil
    track = track.mapped { $0.loss = nil }
  }
}

extension LinkTrack {
  /// A time in which the rate is the same.
  fileprivate typealias RateSpan = (rate: BitRate, nanoseconds: Int64)

  fileprivate func mapped(_ body: (inout Sample) -> Void) -> LinkTrack {
    var changed = TrackSamples()
    for sample in samples {
      var copy = sample
      body(&copy)
      changed.append(copy)
    }
    return LinkTrack(changed, ending: ending)
  }

  /// Returns the rates up to a time; a track that loops has one lap, and the last ones of it.
  fileprivate func stretches(within span: TimeSpan) -> [RateSpan] {
    var end = span
    switch ending {
    case .hold: break
    case .offline(let after): end = min(end, after)
    case .loop(let after): end = min(end, after)
    }
    var spans: [RateSpan] = []
    for (number, sample) in samples.enumerated() where sample.start < end {
      let next = number + 1 < samples.count ? min(samples[number + 1].start, end) : end
      spans.append((sample.rate, next.nanoseconds - sample.start.nanoseconds))
    }
    guard case .loop(let lap) = ending, span > lap, .zero < lap else { return spans }
    var all: [RateSpan] = []
    var left = span.nanoseconds
    let laps = left / lap.nanoseconds
    for part in spans { all.append((part.rate, part.nanoseconds * laps)) }
    left -= laps * lap.nanoseconds
    for part in spans where left > 0 {
      all.append((part.rate, min(left, part.nanoseconds)))
      left -= part.nanoseconds
    }
    return all
  }

  /// What a track carries up to a time; nil if its rate has no bound.
  fileprivate func nanobits(within span: TimeSpan) -> UInt128? {
    var sum = UInt128(0)
    for part in stretches(within: span) {
      if part.rate == .unlimited { return nil }
      sum += UInt128(UInt64(part.rate.bitsPerSecond)) * UInt128(UInt64(part.nanoseconds))
    }
    return sum
  }

  fileprivate mutating func raiseSlowStretches(within span: TimeSpan) {
    let usual = stretches(within: span).filter { $0.rate > .zero }.sorted { $0.rate > $1.rate }
    let total = usual.reduce(Int64(0)) { $0 + $1.nanoseconds }
    var (seen, floor) = (Int64(0), BitRate.zero)
    for part in usual {
      seen += part.nanoseconds
      floor = part.rate
      if seen >= total / 4 { break }
    }
    self = mapped { sample in
      if sample.rate > .zero { sample.rate = max(sample.rate, floor) }
    }
  }

  /// Returns the track with each outage cut to a length; behind it holds what held before, or what
  /// follows.
  fileprivate func withOutages(cutTo longest: TimeSpan) -> LinkTrack {
    guard let first = samples.first(where: { $0.rate > .zero }) else { return self }
    var changed: [Sample] = []
    var last = first
    var began: TimeSpan?
    for sample in samples {
      if sample.rate > .zero {
        (last, began) = (sample, nil)
        if changed.last?.start == sample.start { changed.removeLast() }
        changed.append(sample)
        continue
      }
      let start = began ?? sample.start
      if began == nil, longest > .zero { changed.append(sample) }
      if began == nil, longest == .zero { changed.append(last.moved(to: sample.start)) }
      began = start
      let end = start + longest
      if longest > .zero, changed.last.map({ $0.rate == .zero && $0.start < end }) ?? false {
        let next = samples.first { $0.start > start && $0.rate > .zero }
        if next.map({ $0.start > end }) ?? isEndBehind(end) {
          changed.append(last.moved(to: end))
        }
      }
    }
    let ending: Ending =
      if case .offline = self.ending { longest == .zero ? .hold : self.ending } else { self.ending }
    return LinkTrack(TrackSamples(changed), ending: ending)
  }

  private func isEndBehind(_ instant: TimeSpan) -> Bool {
    switch ending {
    case .hold: true
    case .offline(let end): end > instant
    case .loop(let end): end > instant
    }
  }
}

extension LinkTrack.Sample {
  fileprivate func moved(to start: TimeSpan) -> LinkTrack.Sample {
    LinkTrack.Sample(start: start, rate: rate, delay: delay, loss: loss)
  }
}

extension BitRate {
  fileprivate func scaled(by value: Int64, over old: Int64) -> BitRate {
    if self == .unlimited || self == .zero { return self }
    let bits = Int128(bitsPerSecond) * Int128(value) / Int128(old)
    return BitRate(bitsPerSecond: max(1, Int64(clamping: bits)))
  }
}
