/// A part of a session, so large that what is short can be seen.
extension SessionChart {
  /// Returns what happened between two instants, on an axis of its own.
  ///
  /// What begins before or ends behind is drawn as far as the axis goes, and tells its own times.
  package func excerpt(title: String, from start: Int64, to end: Int64) -> SessionChart {
    var excerpt = self
    excerpt.title = title
    excerpt.subtitle = ""
    excerpt.start = start
    excerpt.end = end
    excerpt.quietSince = nil
    excerpt.changes = changes.filter { start <= $0.instant && $0.instant <= end }
    excerpt.linkRates = Self.cut(linkRates, start, end)
    excerpt.outages = outages.filter { $0.start < end && start < $0.end }
    excerpt.players = players.map { player in
      var part = player
      part.states = player.states.filter { $0.start < end && start < $0.end }
      part.marks = player.marks.filter { start <= $0.instant && $0.instant <= end }
      part.ahead = Self.cut(player.ahead, start, end)
      part.aheadLimits = Self.cut(player.aheadLimits, start, end)
      part.requests = player.requests.filter { $0.start < end && start < $0.end }
      part.plays = player.plays.filter { $0.start < end && start < $0.end }
      part.fillRates = Self.cut(player.fillRates, start, end)
      part.mediaRates = Self.cut(player.mediaRates, start, end)
      part.linkRates = Self.cut(player.linkRates, start, end)
      part.outages = player.outages.filter { $0.start < end && start < $0.end }
      return part
    }
    return excerpt
  }

  /// Returns the samples between two instants, with the last one before them, whose value holds at
  /// the first.
  private static func cut(_ samples: [Sample], _ start: Int64, _ end: Int64) -> [Sample] {
    var samples = samples.filter { $0.instant <= end }
    if let last = samples.lastIndex(where: { $0.instant <= start }) {
      samples.removeFirst(last)
      samples[0].instant = start
    }
    return samples
  }
}
