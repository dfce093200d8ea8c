import Autowait
import AutowaitScenario

/// Looks for the parameters of a rule that nothing beats: more values are tried where the front of
/// startup against stalls runs.
package enum FrontSearch {
  /// The most contestants of a round.
  package static let contestantsMax = 400
  /// The rounds after the first one.
  package static let rounds = 3
  /// Values that are as near as this are not told apart.
  private static let grain: Int64 = 10_000_000

  /// Returns a plan with more values on the axes that are times: halfway between each value of a
  /// contestant on the front and its neighbours; nil if there is nothing to add, or no room for it.
  package static func refined(_ plan: ExperimentPlan, front: [Int]) -> ExperimentPlan? {
    let places = front.map { plan.contestantPlaces($0) }
    var axes = plan.contestantAxes
    var isFiner = false
    for (index, axis) in plan.contestantAxes.enumerated() {
      guard let times = times(of: axis) else { continue }
      let wanted = middles(times, near: places.map { $0[index] })
      if wanted.isEmpty { continue }
      isFiner = true
      axes[index] = axis.adding(wanted, to: times)
    }
    let count = axes.reduce(1) { min(contestantsMax + 1, $0) * $1.values.count }
    guard isFiner, count <= contestantsMax else { return nil }
    return plan.with(contestantAxes: axes)
  }

  /// Returns whether there is an axis whose values can be refined.
  package static func canRefine(_ plan: ExperimentPlan) -> Bool {
    plan.contestantAxes.contains { times(of: $0) != nil }
  }

  /// The values of an axis as times; nil if they are something else, or only one.
  private static func times(of axis: Axis) -> [Int64]? {
    let times = axis.values.compactMap { value -> Int64? in
      let limits = 0...Limits.timeMax.nanoseconds
      if let text = value.piece.value.string { return try? Quantity.time.parse(text, in: limits) }
      return nil
    }
    return times.count == axis.values.count && times.count > 1 ? times : nil
  }

  /// Returns the times halfway between some and the next ones on either side.
  private static func middles(_ times: [Int64], near places: [Int]) -> [Int64] {
    let sorted = times.sorted()
    var result: [Int64] = []
    for (low, high) in zip(sorted, sorted.dropFirst()) {
      let isNear = places.contains { times[$0] == low || times[$0] == high }
      let middle = (low + high) / 2 / grain * grain
      if isNear, middle > low, middle < high { result.append(middle) }
    }
    return result
  }
}

extension Axis {
  /// Returns the axis with more values, all by ascending time.
  fileprivate func adding(_ wanted: [Int64], to times: [Int64]) -> Axis {
    let origin = values[0].piece.origin ?? values[0].piece.value
    var all = zip(times, values).map { (time: $0, value: $1) }
    for time in wanted {
      let text = "\(time.fixedPoint(1_000_000_000)) s"
      guard let piece = ScenarioPiece("\"\(text)\"", for: origin) else { continue }
      all.append((time, AxisValue(text, piece)))
    }
    return Axis(key: key, values: all.sorted { $0.time < $1.time }.map { $0.value })
  }
}
