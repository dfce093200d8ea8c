/// The contestants that none other beats at both ends: startup, and time spent in stalls.
package enum ParetoFront {
  /// Returns the places of the points that are not beaten, by ascending first number.
  ///
  /// A point is beaten by one that is at most as large in both numbers and smaller in one. Of equal
  /// points all are on the front.
  package static func places(_ points: [(first: Int64, second: Int64)]) -> [Int] {
    let order = points.indices.sorted {
      (points[$0].first, points[$0].second, $0) < (points[$1].first, points[$1].second, $1)
    }
    var front: [Int] = []
    for place in order {
      let point = points[place]
      let isBeaten = front.last.map {
        points[$0].second <= point.second && points[$0] != point
      }
      if isBeaten != true { front.append(place) }
    }
    return front
  }
}

extension ExperimentResult {
  /// The contestants that can be held against each other: those with the fewest sessions that could
  /// not be run.
  ///
  /// A rule that fails where it is hard would look good by the rest.
  package var comparable: [Int] {
    let fewest = contestants.map { $0.errors }.min() ?? 0
    return contestants.indices.filter {
      contestants[$0].errors == fewest && contestants[$0].valid > 0
    }
  }

  /// The contestants on the front of mean startup against mean time in stalls, of those that can be
  /// compared: over the sessions that started under all of them.
  ///
  /// Where there are no such sessions, those that never started count with all their waiting.
  package var front: [Int] {
    let started = comparable.filter { common.costs(of: $0) != nil }
    let shown = started.isEmpty ? comparable : started
    let points = shown.map { index -> (first: Int64, second: Int64) in
      if let costs = common.costs(of: index) { return (costs.meanStartup, costs.meanStalled) }
      let summary = contestants[index]
      return (
        Int64(summary.totals.startup / Int128(summary.valid)),
        Int64(summary.totals.stalled / Int128(summary.valid))
      )
    }
    return ParetoFront.places(points).map { shown[$0] }
  }

  /// For whom which contestants are the best, of those that can be compared.
  package var viewerChoices: [ViewerChoice] {
    ViewerChoice.all(common, among: comparable)
  }
}
