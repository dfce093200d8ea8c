import Autowait
import AutowaitScenario

/// What the start of a player waited for, one thing after another: the chain of causes from the
/// first playback back to the wish to play.
struct CriticalPath {
  /// A part of the time.
  struct PathPart: Equatable {
    /// What was waited for.
    let words: String
    /// The segment whose part it is; nil for all else.
    var segment: String?
    /// Whether it was the way to a first byte.
    var isFirstByte = false
    let start: Instant
    var end: Instant

    /// How long it took.
    var span: TimeSpan { end - start }
  }

  /// The parts, which add up to the startup.
  let parts: [PathPart]

  /// Follows the causes of a player's first playback; nil if it never played.
  init?(_ result: RunResult, player: Int, wished: Instant, stories: [RequestStory]) {
    let records = Array(result.records)
    let first = records.firstIndex { record in
      guard record.player == player, case .timebaseRate(let rate, _) = record.event else {
        return false
      }
      return rate != .zero
    }
    guard let first else { return nil }
    var chain: [EventRecord] = []
    var place = first
    while true {
      chain.append(records[place])
      let cause = records[place].cause
      if cause < 1 || cause > place { break }
      place = cause - 1
    }
    chain.reverse()
    var parts: [PathPart] = []
    var reached = wished
    for record in chain where record.instant > reached {
      let part = Self.part(record, after: reached, result.scenario, stories)
      if parts.last?.words == part.words {
        parts[parts.count - 1].end = record.instant
      } else {
        parts.append(part)
      }
      reached = record.instant
    }
    self.parts = parts
  }

  private static func part(
    _ record: EventRecord, after start: Instant, _ scenario: Scenario, _ stories: [RequestStory]
  ) -> PathPart {
    var segment: String?
    var isFirstByte = false
    func name(_ transfer: Int) -> String {
      guard let story = stories.first(where: { $0.transfer == transfer }) else { return "data" }
      let words = scenario.words(for: story.request)
      if case .segment = story.request.resource { segment = words }
      return words
    }
    let words: String
    switch record.event.topic {
    case .request(let transfer, .response):
      words = "the first byte of \(name(transfer))"
      isFirstByte = true
    case .request(let transfer, .phase): words = "the way to \(name(transfer))"
    case .request(let transfer, .completed): words = "the rest of \(name(transfer))"
    case .request(let transfer, .failed), .request(let transfer, .errorLogged):
      words = "the failure of \(name(transfer))"
    case .world(.step): words = "the app"
    case .request(_, .asked), .request(_, .cancelled), .request(_, .reading),
      .request(_, .discarded), .world(.started), .world(.finished), .world(.linkChanged),
      .world(.linkRate), .variant, .buffer, .playback, .queue, .setting, .notice:
      // What plays next comes meanwhile.
      let open = stories.first { $0.request.opened <= start && record.instant <= $0.end }
      words = open.map { "more of \(scenario.words(for: $0.request))" } ?? "the player"
    }
    return PathPart(
      words: words, segment: segment, isFirstByte: isFirstByte, start: start, end: record.instant)
  }

  /// A line for each part; of many segments one after another one line for all.
  var lines: [String] {
    var lines: [String] = []
    var place = 0
    while place < parts.count {
      let run = parts[place...].prefix { $0.segment != nil }
      guard run.count > Self.segmentsMax, let first = run.first, let last = run.last else {
        lines.append("\(TimelineNumbers.text(parts[place].span)): \(parts[place].words)")
        place += 1
        continue
      }
      var firstBytes = TimeSpan.zero
      for part in run where part.isFirstByte { firstBytes += part.span }
      lines.append(
        "\(TimelineNumbers.text(last.end - first.start)): \(first.segment ?? "") to "
          + "\(last.segment ?? ""), \(TimelineNumbers.text(firstBytes)) of it until first bytes")
      place += run.count
    }
    return lines
  }

  /// The most parts of segments that have lines of their own.
  private static let segmentsMax = 4
}
