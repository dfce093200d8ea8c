extension ItemBuffer {
  /// The marks of a stream that plays, if they alone tell what holds before its end.
  struct Marks {
    /// The media ahead at which the buffer is full, if it has a limit in time.
    let full: MediaTime?
    let countsData: Bool
    /// The media ahead that lets playback go on.
    let likely: MediaTime
    let endTime: MediaTime

    /// What holds behind a segment that has come; nil if it reaches the end.
    @inline(__always)
    func facts(edge: MediaTime, playhead: MediaTime, fullUntil: MediaTime) -> BufferFacts? {
      if edge >= endTime { return nil }
      var result: BufferFacts = [.opened, .ready, .verdict]
      if countsData {
        if playhead <= fullUntil { result.formUnion(.full) }
      } else if let full, edge >= playhead + full {
        result.formUnion(.full)
      }
      if edge >= min(playhead + likely, endTime) { result.formUnion(.likely) }
      return result
    }
  }

  /// The time of a playhead from which on a rule that asks for media ahead alone says otherwise.
  @inline(__always)
  var unlikelyFrom: MediaTime? {
    guard let ruleResume, facts.contains(.likely), edgeBase < endPosition else { return nil }
    return MediaTime(nanoseconds: streamEdge.nanoseconds - ruleResume.nanoseconds + 1)
  }

  /// The media ahead at which loading goes on, if it is limited in time.
  var resumesAt: MediaTime? { policy.forwardBufferLimit == nil ? nil : policy.resumeMark }

  /// The marks, if the rule knows nothing else.
  var marks: Marks? {
    guard isStream, !isLive, hasBegun, ruleRate > .zero else { return nil }
    let likely: MediaTime
    switch policy.rule {
    case .buffered(_, let resume): likely = resume
    // What such a rule has said holds while it plays.
    case .conditions where buffering.isPlaying: likely = .zero
    case .linearToEnd, .conditions, .external: return nil
    }
    return Marks(
      full: policy.forwardBufferLimit, countsData: policy.forwardBufferSizes != nil,
      likely: likely, endTime: endTime)
  }
}
