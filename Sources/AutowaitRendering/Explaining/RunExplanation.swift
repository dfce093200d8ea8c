import Autowait
import AutowaitExperiment
import AutowaitScenario

/// A run with what explains it, for people and for programs.
package struct RunExplanation {
  /// The choice of another variant, with what the rule went by.
  struct VariantSwitch {
    let instant: Instant
    let from: Int?
    let to: Int
    let item: Int?
    let sample: RunResult.Sample?
  }

  let result: RunResult
  let explanations: [Explanation]
  let stories: [[RequestStory]]
  let switches: [[VariantSwitch]]
  private let ahead: [Instant: RunResult.Sample]

  /// The most choices of variants that are shown.
  private static let switchesMax = 6

  /// Explains a run; how it stood at an instant is asked for.
  ///
  /// Nil if a rule of it is a program, or if the run is cut off: then it cannot be run with things
  /// changed.
  package init?(
    _ result: RunResult, _ depth: Explanation.Depth = .whole,
    sample: (Instant) -> RunResult.Sample?
  ) {
    var explanations: [Explanation] = []
    for player in result.scenario.world.players.indices {
      guard let explanation = Explanation(result.scenario.world, player: player, depth) else {
        return nil
      }
      explanations.append(explanation)
    }
    self.result = result
    self.explanations = explanations
    stories = RequestStory.all(result)
    var switches = explanations.map { _ in [VariantSwitch]() }
    for record in result.records {
      guard let player = record.player, switches[player].count < Self.switchesMax,
        case .variantSwitchStart(let from, let to, let item) = record.event
      else { continue }
      switches[player].append(
        VariantSwitch(
          instant: record.instant, from: from, to: to, item: item.map { Int($0) },
          sample: from == nil ? nil : sample(record.instant)))
    }
    self.switches = switches
    var ahead: [Instant: RunResult.Sample] = [:]
    for reason in explanations.flatMap({ $0.stalls }) {
      for instant in [reason.stoppage.start, reason.stoppage.end] where ahead[instant] == nil {
        ahead[instant] = sample(instant)
      }
    }
    self.ahead = ahead
  }

  /// Returns the media that came during a stall; nil if that is not known.
  func came(in stoppage: Stoppage, of player: Int) -> MediaTime? {
    guard let first = ahead[stoppage.start]?.players[player].loadedEnd,
      let last = ahead[stoppage.end]?.players[player].loadedEnd, last >= first
    else { return nil }
    return last - first
  }

  /// Returns the requests that a player waited for in a stall: those that were open then.
  func awaited(_ stoppage: Stoppage, of player: Int) -> [RequestStory] {
    stories[player].awaited(in: stoppage)
  }
}
