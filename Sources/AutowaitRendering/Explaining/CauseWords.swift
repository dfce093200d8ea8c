import Autowait
import AutowaitExperiment
import AutowaitScenario

/// What made a stall, in words, with when it happened.
struct CauseWords {
  let result: RunResult
  /// The requests of the player.
  let stories: [RequestStory]
  let words: RemedyWords

  /// Returns a text for each cause that is enough, or one for all of them.
  func named(_ causes: StallCauses, _ stoppage: Stoppage) -> [String] {
    if causes.named.isEmpty { return ["nothing that can be taken away alone or with another"] }
    let what = causes.named.map { words.cause($0) + details($0, stoppage) }
    if !causes.isEachEnough { return [what.joined(separator: ", together with ")] }
    return zip(causes.named, what).map { remedy, what in
      let trial = causes.trials.first { $0.remedy == remedy }
      let remains = trial?.remains ?? .zero
      let text = remains == .zero ? "gone" : "\(TimelineNumbers.text(remains)) remain"
      return "\(what): \(text) without it"
    }
  }

  /// Returns when that happened which made a stall, if it has a time of its own.
  private func details(_ remedy: Remedy, _ stoppage: Stoppage) -> String {
    switch remedy {
    case .outages:
      guard let outage = result.outages.last(where: { $0.start < stoppage.end }) else { return "" }
      return " (\(TimelineNumbers.text(outage.start)) to \(TimelineNumbers.text(outage.end)))"
    case .keys:
      let key = stories.awaited(in: stoppage).first { story in
        if case .contentKey = story.request.resource { true } else { false }
      }
      guard let key else { return "" }
      return " (\(result.scenario.words(for: key.request)), asked for at "
        + "\(TimelineNumbers.text(key.request.opened)), there at \(TimelineNumbers.text(key.end)))"
    case .linkChanges:
      let change = Array(result.records).last { record in
        if case .linkChanged = record.event { record.instant < stoppage.end } else { false }
      }
      return change.map { " (at \(TimelineNumbers.text($0.instant)))" } ?? ""
    case .faults, .traffic, .loss, .slowStretches, .playlists, .serverDelay, .queue, .slowStart,
      .idleRestart, .roundTrips, .appDelay, .delegate, .variant, .impatience, .bufferLimit,
      .linkRate, .mediaRate, .play, .startBuffer, .bufferTarget, .bufferSize, .step:
      return ""
    }
  }
}

extension [RequestStory] {
  /// Returns those that a player waited for in a stall: that were open then.
  func awaited(in stoppage: Stoppage) -> [RequestStory] {
    filter {
      $0.request.opened <= stoppage.end && $0.end > stoppage.start
        && $0.request.opened < stoppage.end
    }
  }
}
