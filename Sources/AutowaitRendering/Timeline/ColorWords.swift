import Autowait
import AutowaitScenario

extension VideoDestination {
  /// Who receives pictures, in a word or two.
  var title: String {
    switch self {
    case .output: "output gets"
    case .compositor: "compositor gets"
    case .reader: "reader gets"
    case .file: "file has"
    }
  }
}

extension ColorTreatment {
  /// What became of colors, and what that means.
  fileprivate var sentence: String {
    switch self {
    case .preserved: "preserved"
    case .converted: "converted, nothing is lost"
    case .clamped: "clamped: what that does not have is lost"
    case .tagged: "tagged: it had no tag before"
    case .untagged: "its color is unknown"
    }
  }
}

extension EventRecord {
  /// What the event tells of the colors of pictures; nil if it is about something else.
  var colorLine: TimelineEvents.StoryLine? {
    guard case .videoFrames(let frames) = event else { return nil }
    let treatment = frames.treatment
    return TimelineEvents.StoryLine(
      instant: instant, player: player, what: frames.destination.title,
      why: "\(frames.color?.text ?? "untagged buffers"); \(treatment.sentence)",
      paint: treatment == .clamped || treatment == .untagged ? .yellow : .plain)
  }
}
