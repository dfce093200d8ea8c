extension LinkTrack {
  /// Returns the track with outages in it, which ascend and do not touch.
  ///
  /// Behind each holds what the track says then.
  public func withOutages(_ outages: [ClosedRange<TimeSpan>]) -> LinkTrack {
    if outages.isEmpty { return self }
    let end: TimeSpan? = if case .offline(let end) = ending { end } else { nil }
    var cut: [Sample] = []
    var next = 0
    for outage in outages {
      if let end, end <= outage.lowerBound { break }
      while next < samples.count, samples[next].start < outage.lowerBound {
        cut.append(samples[next])
        next += 1
      }
      if next < samples.count, samples[next].start == outage.lowerBound { next += 1 }
      cut.append(samples[next - 1].with(start: outage.lowerBound, rate: .zero))
      while next < samples.count, samples[next].start <= outage.upperBound { next += 1 }
      if let end, end <= outage.upperBound { return LinkTrack(cut) }
      cut.append(samples[next - 1].with(start: outage.upperBound, rate: samples[next - 1].rate))
    }
    return LinkTrack(TrackSamples((cut + samples[next...]) as [Sample]), ending: ending)
  }
}

extension LinkTrack.Sample {
  fileprivate func with(start: TimeSpan, rate: BitRate) -> LinkTrack.Sample {
    LinkTrack.Sample(start: start, rate: rate, delay: delay, loss: loss)
  }
}

extension LinkProfile {
  /// When the device has no network, and knows it.
  var knownOutages: [ClosedRange<TimeSpan>] {
    events.compactMap { event in
      guard case .offline(let span) = event.kind else { return nil }
      return event.start...(event.start + span)
    }
  }

  /// The link as it is shown: its rate is zero while nothing gets through.
  ///
  /// A track that loops keeps its laps, and shows nothing of what happens to it.
  package var shown: LinkProfile {
    if case .loop = down.track.ending { return self }
    var outages: [ClosedRange<TimeSpan>] = []
    for event in events {
      let length = event.kind.standstill
      let end = event.start + length
      if let last = outages.last, event.start <= last.upperBound {
        outages[outages.count - 1] = last.lowerBound...max(last.upperBound, end)
      } else if length > .zero {
        outages.append(event.start...end)
      }
    }
    var result = self
    result.down.track = down.track.withOutages(outages)
    return result
  }
}
