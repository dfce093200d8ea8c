import Autowait
import AutowaitExperiment
import AutowaitScenario

/// Why players of a run waited, in a line for each wait: for who only wants to know the cause.
package struct WaitReasons {
  private let result: RunResult
  private var whatIfs: [(player: Int, whatIf: WhatIf)] = []
  private var told: [String] = []

  /// A run of more events is not run again and again for a line; assumed.
  private static let eventsMax = 50_000

  /// Begins with a run; nothing is run before it is asked for.
  package init(_ result: RunResult) { self.result = result }

  // MARK: - Expectations

  /// Returns why an expectation about waiting was missed, in a line; none for others, for what is
  /// told already, and where it would take too long.
  package mutating func lines(_ outcome: Outcome) -> [String] {
    guard !outcome.isMet, let wait = Self.wait(outcome) else { return [] }
    let players = wait.player.map { [$0] } ?? Array(result.scenario.world.players.indices)
    for player in players {
      let text =
        wait.isStartup ? startup(of: player) : stall(of: player, at: wait.instant)
      guard let text else { continue }
      if told.contains(text) { return [] }
      told.append(text)
      return ["why: \(text)"]
    }
    return []
  }

  /// What an expectation is about.
  private struct ExpectedWait {
    let player: Int?
    var isStartup = false
    /// When there should have been none.
    var instant: Instant?
  }

  private static func wait(_ outcome: Outcome) -> ExpectedWait? {
    switch outcome.expectation.kind {
    case .metric(let metric, let player, _):
      if metric.traits.contains(.isOfStartup) {
        return ExpectedWait(player: player, isStartup: true)
      }
      return metric.traits.contains(.isOfStalls) ? ExpectedWait(player: player) : nil
    case .never(.event(let pattern)), .eventually(.event(let pattern), _, _):
      return pattern.name == "playbackStalled" ? ExpectedWait(player: pattern.player) : nil
    case .snapshot(let instant, let pattern):
      return isWaiting(outcome) ? ExpectedWait(player: pattern.player, instant: instant) : nil
    case .snapshotAtEvent, .never, .always, .eventually, .sequence, .finish: return nil
    }
  }

  /// Whether a player waited that should have played.
  private static func isWaiting(_ outcome: Outcome) -> Bool {
    guard case .properties(let tests) = outcome.observation else { return false }
    return tests.contains { test in
      guard !test.holds, test.test.property == .timeControlStatus,
        case .word(let word) = test.observed
      else { return false }
      return word == "waitingToPlayAtSpecifiedRate"
    }
  }

  // MARK: - Waits

  /// Returns what made the longest stall of a player, or the wait at an instant; nil if there is
  /// none.
  package mutating func stall(of player: Int, at instant: Instant? = nil) -> String? {
    guard let place = place(of: player) else { return nil }
    let outline = whatIfs[place].whatIf.outline.players[player]
    let stoppages = outline.stoppages
    var found: Int?
    for number in stoppages.indices {
      if let instant {
        if stoppages[number].start <= instant, instant < stoppages[number].end { found = number }
      } else if stoppages[number].span > found.map({ stoppages[$0].span }) ?? .zero {
        found = number
      }
    }
    if let instant, found == nil {
      let isBefore = outline.firstPlayed.map { instant < $0 } ?? true
      return isBefore ? startup(of: player) : nil
    }
    guard let found else { return nil }
    let causes = StallCauses(of: found, in: &whatIfs[place].whatIf)
    let cause = CauseWords(
      result: result, stories: RequestStory.all(result)[player],
      words: RemedyWords(
        scenario: result.scenario, player: player, firstPlayed: outline.firstPlayed))
    let stoppage = stoppages[found]
    let named = cause.named(causes, stoppage).first ?? ""
    let end = stoppage.isOver ? "to \(TimelineNumbers.text(stoppage.end))" : "to the end"
    return "the stall from \(TimelineNumbers.text(stoppage.start)) \(end) is because of \(named)"
  }

  /// Returns what costs most at the start of a player; nil if it is not late.
  package mutating func startup(of player: Int) -> String? {
    guard let place = place(of: player) else { return nil }
    let outline = whatIfs[place].whatIf.outline.players[player]
    guard outline.wished != nil, outline.startup != .zero else { return nil }
    let (costs, _) = Explanation.startup(&whatIfs[place].whatIf)
    let words = RemedyWords(
      scenario: result.scenario, player: player, firstPlayed: outline.firstPlayed)
    let start = outline.startup.map { "playback starts after \(TimelineNumbers.text($0))" }
    guard let first = costs.first else { return nil }
    let without = first.without.map { "after \(TimelineNumbers.text($0))" } ?? "never"
    return "\(start ?? "playback never starts") because of \(words.cause(first.remedy)): "
      + "\(without) without it"
  }

  private mutating func place(of player: Int) -> Int? {
    if let place = whatIfs.firstIndex(where: { $0.player == player }) { return place }
    guard result.eventCount <= Self.eventsMax, !result.isCutOff,
      let whatIf = WhatIf(result.scenario.world, player: player)
    else { return nil }
    whatIfs.append((player: player, whatIf: whatIf))
    return whatIfs.count - 1
  }
}
