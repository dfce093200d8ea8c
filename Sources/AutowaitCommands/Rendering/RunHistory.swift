import Autowait
import AutowaitScenario

/// What all pictures of a run have in common, in letters or drawn.
extension RunResult {
  /// The share of a run that is shown behind its last event if it goes on waiting: a quarter, and
  /// a little for runs in which nothing ever happens.
  private static let waitMin = TimeSpan.seconds(5)

  /// Returns where a picture ends: when all is over, not when the time is up.
  func shownEnd(_ histories: [PlayerHistory]) -> Instant {
    if finish != .settled, histories.contains(where: \.isPlaying) { return end }
    let last = records.last { $0.event.isOfInterest }?.instant ?? .start
    if finish == .settled { return last }
    let rest = max(Self.waitMin, TimeSpan(nanoseconds: (last - .start).nanoseconds / 4))
    return min(end, last + rest)
  }

  /// The times in which the link is known to have been down.
  var outages: [(start: Instant, end: Instant)] {
    var outages: [(start: Instant, end: Instant)] = []
    let first = scenario.world.links[0].shown.down.track.samples[0].rate
    var start: Instant? = first == .zero ? .start : nil
    for record in records {
      let rate: BitRate
      switch record.event {
      case .linkRate(let new), .linkChanged(_, let new): rate = new
      default: continue
      }
      if rate == .zero {
        start = start ?? record.instant
      } else if let began = start {
        outages.append((began, record.instant))
        start = nil
      }
    }
    if let start { outages.append((start, end)) }
    return outages
  }
}

extension TraceEvent {
  /// Whether the playhead may be somewhere else behind this event.
  var isJump: Bool {
    switch self {
    case .currentItem, .seek, .timeJumped, .timebaseRate: true
    default: false
    }
  }

  /// Whether pictures must reach as far as this event.
  var isOfInterest: Bool {
    switch self {
    case .started, .finished, .linkRate, .linkChanged, .ruleAnswer: false
    default: true
    }
  }
}

extension PlayerSnapshot {
  /// The media loaded ahead of the playhead, in nanoseconds.
  var aheadOfPlayhead: Int64 { max(0, (loadedEnd - currentTime).nanoseconds) }
}
