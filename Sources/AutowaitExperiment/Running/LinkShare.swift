import Autowait

extension World {
  /// What the link could carry in the time that the media plays, in millionths of the media: above
  /// one million the link is faster than the media; nil where the link is changed or there is none.
  ///
  /// Of a stream it is the variant that needs most.
  var linkToMedia: Int64? {
    guard linkChanges.isEmpty, hostLinks.isEmpty, let link = links.first,
      let media = players.first?.media.first, media.duration > .zero
    else { return nil }
    let span = media.duration.nanoseconds
    let needed: UInt128
    if let streamMedia = media.streamMedia {
      let top = streamMedia.variants.map { $0.averageBandwidth ?? $0.bandwidth }.max() ?? .zero
      needed = DataAmount(top, for: TimeSpan(nanoseconds: span)).nanobits
    } else {
      needed = media.size.nanobits
    }
    guard needed > 0 else { return nil }
    let ratio = link.down.track.nanobits(within: span) * 1_000_000 / needed
    return Int64(clamping: ratio)
  }
}

extension LinkTrack {
  /// The data that the track carries from its start on.
  fileprivate func nanobits(within span: Int64) -> UInt128 {
    switch ending {
    case .hold: return samples(within: span)
    case .offline(let end): return samples(within: min(span, end.nanoseconds))
    case .loop(let period):
      let rounds = span / period.nanoseconds
      return UInt128(rounds) * samples(within: period.nanoseconds)
        + samples(within: span % period.nanoseconds)
    }
  }

  private func samples(within span: Int64) -> UInt128 {
    var total: UInt128 = 0
    for (index, sample) in samples.enumerated() where sample.start.nanoseconds < span {
      let next = index + 1 < samples.count ? samples[index + 1].start.nanoseconds : span
      let length = min(next, span) - sample.start.nanoseconds
      total += UInt128(sample.rate.bitsPerSecond) * UInt128(length)
    }
    return total
  }
}
