extension ItemBuffer {
  /// The marks of a stream that plays, if they alone tell what holds before its end.
  struct Marks {
    /// The media ahead at which the buffer is full.
    let full: MediaTime?
    /// The media ahead that lets playback go on.
    let likely: MediaTime
    let endTime: MediaTime

    /// What holds behind a segment that has come; nil if it reaches the end.
    @inline(__always)
    func facts(edge: MediaTime, playhead: MediaTime) -> BufferFacts? {
      if edge >= endTime { return nil }
      var result: BufferFacts = [.opened, .ready, .verdict]
      if let full, edge >= playhead + full { result.formUnion(.full) }
      if edge >= min(playhead + likely, endTime) { result.formUnion(.likely) }
      return result
    }
  }

  /// The marks, if the rule knows nothing else.
  var marks: Marks? {
    guard isStream, !isLive, hasBegun, ruleRate > .zero,
      policy.forwardBufferSizes == nil
    else { return nil }
    let likely: MediaTime
    switch policy.rule {
    case .buffered(_, let resume): likely = resume
    // What such a rule has said holds while it plays.
    case .conditions where buffering.isPlaying: likely = .zero
    case .linearToEnd, .conditions, .external: return nil
    }
    return Marks(full: policy.forwardBufferLimit, likely: likely, endTime: endTime)
  }
}
