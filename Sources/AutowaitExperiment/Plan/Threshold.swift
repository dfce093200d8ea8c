import AutowaitScenario

/// A bound on what the sessions of a contestant amount to.
///
/// Each contestant that it covers is judged by itself, over all of its sessions that could be run
/// and that it selects.
package struct Threshold: Sendable {
  /// What is looked at in each session.
  package enum Subject: Hashable, Sendable {
    /// A figure.
    case figure(SessionFigure)
    /// Whether it ended with one of these.
    case outcomes([SessionOutcome])
  }

  /// What the sessions amount to.
  package enum Statistic: Hashable, Sendable {
    /// The mean.
    case mean
    /// A quantile by its rank of a thousand: 500 is the median.
    case quantile(perMille: Int64)
    /// The least figure of any session.
    case least
    /// The greatest figure of any session.
    case most
    /// The share of the sessions whose figure is within bounds, or that ended as asked.
    case share([Bound])
    /// How far the mean is above that of the same sessions of another kind.
    case difference(Difference)
  }

  /// How sessions are held against others.
  package struct Difference: Hashable, Sendable {
    /// What the sessions are held against.
    package var reference: Reference
    /// Whether bounds are millionths of the mean of what the sessions are held against.
    package var isRelative: Bool
    /// Whether the mean decides, and not the interval around it.
    package var decides: Decider
  }

  /// What sessions are held against.
  package enum Reference: String, CaseIterable, Hashable, Sendable {
    /// The contestant that is the baseline, in the same world and under the same seed.
    case baseline
    /// The same session when a baseline was saved to a file.
    case saved
  }

  /// What must be beyond a bound for a difference to count.
  package enum Decider: String, CaseIterable, Hashable, Sendable {
    /// The whole interval around the mean.
    case interval
    /// The mean.
    case mean
  }

  /// What is looked at.
  package let subject: Subject
  /// What the sessions amount to.
  package let statistic: Statistic
  /// What that must be within: nanoseconds, things, millionths of things for means, millionths for
  /// ratios, billionths for shares.
  package let bounds: [Bound]
  /// What follows if it is not.
  package let level: Expectation.Level
  /// The threshold in one line, without the contestants.
  package let text: String
  /// Where it stands.
  package let place: JSONValue
  /// The contestants that it covers, by name; nil for all.
  package internal(set) var contestants: [String]?
  /// The sessions that it covers.
  package internal(set) var selection = SessionSelection()

  /// The line on which it stands, from 1.
  package var line: Int { place.source.position(of: place.range.lowerBound).line }

  /// The figure that it looks at; nil if that is how sessions end.
  package var figure: SessionFigure? {
    // The optimizer of Swift 6.3.1 crashes when it inlines this into a loop over thresholds.
    @inline(never) get { if case .figure(let figure) = subject { figure } else { nil } }
  }

  /// Whether it holds sessions against those of the baseline.
  var isToBaseline: Bool {
    if case .difference(let difference) = statistic {
      difference.reference == .baseline
    } else {
      false
    }
  }

  /// Whether it covers a contestant.
  package func covers(_ contestant: String) -> Bool { contestants?.contains(contestant) ?? true }
}

/// Some sessions of an experiment, by their worlds and seeds.
package struct SessionSelection: Hashable, Sendable {
  /// The values of the axes of worlds that are selected, as they are spelled: a `*` stands for any
  /// letters.
  var names: [String: [String]] = [:]
  /// The seeds that are selected; nil for all.
  var seeds: [UInt64]?

  /// Whether a session in a unit is selected.
  func selects(_ unit: ExperimentUnit, in plan: ExperimentPlan) -> Bool {
    if let seeds, !seeds.contains(unit.seed) { return false }
    if names.isEmpty { return true }
    return zip(plan.worldAxes, plan.worldPlaces(unit.world)).allSatisfy { axis, place in
      guard let patterns = names[axis.key] else { return true }
      return patterns.contains { Self.matches(axis.values[place].name, $0) }
    }
  }

  /// Whether a name is one that a pattern stands for.
  static func matches(_ name: String, _ pattern: String) -> Bool {
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else {
      return name == pattern
    }
    guard name.utf8.count >= first.utf8.count + last.utf8.count, name.hasPrefix(first),
      name.hasSuffix(last)
    else { return false }
    var rest = Array(name.utf8)[first.utf8.count..<name.utf8.count - last.utf8.count]
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      let wanted = Array(part.utf8)
      var start = rest.startIndex
      while start + wanted.count <= rest.endIndex,
        !rest[start..<start + wanted.count].elementsEqual(wanted)
      {
        start += 1
      }
      if start + wanted.count > rest.endIndex { return false }
      rest = rest[(start + wanted.count)...]
    }
    return true
  }
}
